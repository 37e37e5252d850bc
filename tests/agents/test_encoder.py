"""What the network is told: chances of rights, checked by moving cards; unseen cards; blocks."""

import numpy as np
import pytest
import torch

from arboretum_agents.neural import encoder
from arboretum_agents.neural.encoder import encode, species_features, unseen_cards
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_env.config import GameConfig
from arboretum_env.features.outlook import outlook
from arboretum_env.features.rights import rights
from arboretum_env.observation import Place
from arboretum_env.view import PlayerViews
from tests.agents.positions import SMALL, mover_views
from tests.random_games import CONFIGS

OWN_CARD, RIVAL_CARD = encoder._OWN_CARD, encoder._RIVAL_CARD
CHANGE, STAKE = 8, 9  # of a card, for oneself
RIVAL_CHANGE, RIVAL_STAKE = 5, 6


def without_card(views: PlayerViews, row: int, card: int) -> PlayerViews:
    """The view with a held card at the bottom of the own pile instead."""
    alone = views.select([row])
    observation = alone.observation.copy()
    cards = observation[:, : 4 * views.config.num_cards].reshape(1, -1, 4)
    pile = cards[0, :, 0] == Place.PILE
    cards[0, card] = (Place.PILE, pile.sum(), 0, 0)
    return PlayerViews(views.config, observation, alone.game_id)


@pytest.mark.parametrize("name", CONFIGS)
def test_a_held_cards_change_is_that_of_letting_it_go(name: str) -> None:
    config = CONFIGS[name]
    ranks, players = config.num_ranks, config.num_players
    views = mover_views(config, 2, seed=91)
    encoded, best = encode(views).species, outlook(views).best
    own_width = species_features(1, ranks)
    block = encoder.rival_species_features(ranks)
    checked = 0
    for row in range(len(views)):
        held = np.flatnonzero(np.isin(views.cards[row, :, 0], (Place.OWN_HAND, Place.OWN_KNOWN)))
        for card in held.tolist():
            species, rank = divmod(card, ranks)
            top = views.cards[row, species * ranks + ranks - 1, 0]
            # The own 1 and the top rank change what cancels what: the table of now does not tell.
            if rank in (0, ranks - 1) or top in (Place.OWN_HAND, Place.OWN_KNOWN):
                continue
            before, after = rights(views.select([row])), rights(without_card(views, row, card))
            features = encoded[row, species]
            total = before.hand_sum[0, species]
            assert after.hand_sum[0, species] == total - rank - 1
            change = after.own[0, species, total - rank - 1] - before.own[0, species, total]
            at = rank * OWN_CARD
            assert features[at + CHANGE] == pytest.approx(change, abs=1e-6)
            assert features[at + STAKE] == pytest.approx(
                0.2 * change * best[row, 0, species], abs=1e-6
            )
            for k in range(1, players):
                change = (
                    after.rival[0, k, species, total - rank - 1]
                    - before.rival[0, k, species, total]
                )
                at = own_width + (k - 1) * block + rank * RIVAL_CARD
                assert features[at + RIVAL_CHANGE] == pytest.approx(change, abs=1e-6)
                assert features[at + RIVAL_STAKE] == pytest.approx(
                    0.2 * change * best[row, k, species], abs=1e-6
                )
            checked += 1
    assert checked > 3


@pytest.mark.parametrize("name", CONFIGS)
def test_unseen_cards_are_those_that_no_place_shows(name: str) -> None:
    config = CONFIGS[name]
    views = mover_views(config, 3, seed=92)
    unseen = unseen_cards(torch.from_numpy(encode(views).species), config)
    assert np.array_equal(unseen.numpy(), views.cards[:, :, 0] == Place.UNSEEN)


def test_inputs_of_fewer_players_are_the_beginning_of_those_of_more() -> None:
    """So a game of two leaves the weights of the rivals that it does not have alone."""
    game = GameConfig(num_players=2)
    network = PolicyNetwork(game, SMALL)
    views = mover_views(game, 2, seed=93)
    encoded = encode(views)
    species, scalars = torch.from_numpy(encoded.species), torch.from_numpy(encoded.scalars)
    assert species.shape[2] == species_features(2, 8) < network.species_in.in_features
    z, pooled = network.trunk(species, scalars)
    (z.sum() + pooled.sum() + network.belief_logits(z).sum()).backward()  # type: ignore[no-untyped-call]
    gradient = network.species_in.weight.grad
    assert gradient is not None
    assert (gradient[:, species.shape[2] :] == 0).all()
    assert (gradient[:, : species.shape[2]] != 0).any()
    belief = network.belief.weight.grad
    assert belief is not None
    assert (belief[8:] == 0).all()
    assert (belief[:8] != 0).any()
