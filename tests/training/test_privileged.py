"""What the critic sees is the truth, seen from a seat; what beliefs lose is counted by hand."""

import numpy as np
import pytest
import torch

from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal_exact
from arboretum_env.engine.scoring import score
from arboretum_training.actor_critic import ActorCritic, belief_loss
from arboretum_training.privileged import encode_truth, hidden_hands, truth_features
from tests.random_games import CONFIGS, random_positions
from tests.training.experiments import NETWORK


@pytest.mark.parametrize("name", CONFIGS)
def test_the_truth_by_the_games_own_accessors(name: str) -> None:
    """Every number again, one game, seat and card after the other."""
    config = CONFIGS[name]
    players, ranks = config.num_players, config.num_ranks
    rng = np.random.default_rng(4)
    checked = 0
    for number, (state, _) in enumerate(random_positions(config, 4, seed=81)):
        if number % 7:
            continue
        seats = rng.integers(players, size=len(state))
        truth = encode_truth(state, seats)
        assert truth.species.shape == (4, config.num_species, truth_features(players, ranks))
        now = score(state)
        for b, seat in enumerate(seats.tolist()):
            parts = truth.species[b].reshape(config.num_species, players, ranks + 2)
            drawn = int(state.rows["drawn"][b])
            deck = state.rows["deck"][b, drawn:].tolist()
            for card in range(config.num_cards):
                species, rank = divmod(card, ranks)
                soon = 1 / (1 + deck.index(card)) if card in deck else 0
                assert parts[species, 0, rank] == pytest.approx(soon)
                for k in range(1, players):
                    held = card in state.hand(b, (seat + k) % players)
                    assert parts[species, k, rank] == held
            for k in range(players):
                who = (seat + k) % players
                assert parts[:, k, ranks].tolist() == now.right[b, who].tolist()
                points = np.where(now.right[b, who], now.path_points[b, who], 0)
                assert parts[:, k, ranks + 1] == pytest.approx(0.1 * points)
                assert points.sum() == now.points[b, who]
                if k:
                    lead = now.points[b, seat] - now.points[b, who]
                    assert truth.scalars[b, k - 1] == pytest.approx(0.05 * lead)
            checked += 1
    assert checked >= 8


def test_a_hand_dealt_by_hand() -> None:
    config = GameConfig(num_players=2, species=2, num_ranks=4, hand_size=2)
    state = deal_exact(config, [["C1", "D4"], ["C3", "C2"]], ["D1", "C4", "D3", "D2"])
    truth = encode_truth(state, np.array([1]))
    # Seat 1 looks. Of each species: how soon its ranks come, the own right and points; then which
    # ranks the rival holds, and its right and points.
    cassia = [0, 0, 0, 1 / 2, 1, 0, 1, 0, 0, 0, 0, 0]
    dogwood = [1, 1 / 4, 1 / 3, 0, 0, 0, 0, 0, 0, 1, 1, 0]
    assert truth.species[0].tolist() == [pytest.approx(cassia), pytest.approx(dogwood)]
    hands = hidden_hands(torch.from_numpy(truth.species), 2, 4)
    assert hands.tolist() == [[[1, 0, 0, 0, 0, 0, 0, 1]]]


def test_belief_loss_by_hand() -> None:
    """Two rivals, three cards; softmax over (nobody, first, second)."""
    logits = torch.log(torch.tensor([[[1.0, 2.0, 1.0], [2.0, 1.0, 6.0]]]))
    held = torch.tensor([[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]])
    # Card 0 is in no hand: 1 / (1 + 1 + 2); card 1 is the first rival's: 2 / (1 + 2 + 1); card 2
    # the second's: 6 / (1 + 1 + 6).
    losses = [np.log(4), np.log(2), np.log(8 / 6)]
    everything = belief_loss(logits, held, torch.ones(1, 3))
    assert everything.item() == pytest.approx(np.mean(losses))
    unseen = torch.tensor([[1.0, 0.0, 1.0]])  # card 1 is known to be there: nothing to predict
    assert belief_loss(logits, held, unseen).item() == pytest.approx((losses[0] + losses[2]) / 2)
    assert belief_loss(logits, held, torch.zeros(1, 3)).item() == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_only_the_judge_depends_on_the_truth(players: int) -> None:
    game = GameConfig(num_players=players)
    model = ActorCritic(game, NETWORK, "privileged")
    with torch.inference_mode():
        z, pooled = torch.randn(5, game.num_species, 16), torch.randn(5, 16)
        truths = [torch.rand(5, game.num_species, truth_features(players, 8)) for _ in range(2)]
        scalars = torch.rand(5, players - 1)
        first, second = (model.judge(z, pooled, truth, scalars) for truth in truths)
    assert first.shape == (5,)
    assert not torch.allclose(first, second)
    public = ActorCritic(game, NETWORK, "public")
    with torch.inference_mode():
        judged = [public.judge(z, pooled, truth, scalars) for truth in truths]
    assert torch.equal(judged[0], judged[1])
    assert torch.equal(judged[0], public.network.value(z, pooled))
    assert public.critic_state() == {}
    with pytest.raises(RuntimeError, match="expected none"):
        public.load_critic_state(model.critic_state())
