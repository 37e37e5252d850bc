"""Networks that play: a proper distribution over legal moves, PLAY and PLACE one joint decision."""

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from arboretum_agents.neural.categorical import Segments, segment_log_softmax
from arboretum_agents.neural.encoder import encode
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_agents.neural.policy import NeuralAgent, as_tensor
from arboretum_agents.registry import Mode
from arboretum_env.actions import action_slices, num_actions
from arboretum_env.agent import PolicyAgent
from arboretum_env.config import GameConfig
from arboretum_env.determinize import determinize
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import apply_action
from arboretum_env.engine.state import GameState
from arboretum_env.features.placements import Placements, placements
from arboretum_env.match import play_match
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerViews, redact
from arboretum_training.actor_critic import belief_loss
from tests.agents.positions import mover_views, random_network
from tests.random_games import CONFIGS, random_positions

MODES: tuple[Mode, ...] = ("sample", "greedy")


def neural(config: GameConfig, mode: Mode = "sample", seed: int = 3) -> NeuralAgent:
    agent = NeuralAgent(config, random_network(config), mode)
    agent.reset(np.arange(3, dtype=np.uint64), seed)
    return agent


@torch.inference_mode()
def joint_of(
    network: PolicyNetwork, views: PlayerViews
) -> tuple[Placements, NDArray[np.float32], NDArray[np.float32]]:
    """Placements of views in PLAY or PLACE, and the joint probability and logit of each."""
    encoded, options = encode(views), placements(views)
    z, _ = network.trunk(as_tensor(encoded.species), as_tensor(encoded.scalars))
    segments = Segments.from_lengths(as_tensor(options.counts))
    logits = network.placement_logits(
        z, segments, *(as_tensor(a) for a in (options.card, options.gain, options.features))
    )
    return options, segment_log_softmax(logits, segments).exp().numpy(), logits.numpy()


@pytest.mark.parametrize("scale", [0.3, 30.0], ids=["mild", "extreme"])
@pytest.mark.parametrize("name", CONFIGS)
def test_probabilities_are_of_legal_actions_and_sum_to_one(name: str, scale: float) -> None:
    config = CONFIGS[name]
    views = mover_views(config, 6, seed=61)
    agent = NeuralAgent(config, random_network(config, scale=scale))
    assert isinstance(agent, PolicyAgent)
    probabilities, value = agent.policy(views)
    legal = views.legal_action_mask()
    assert probabilities.shape == (len(views), num_actions(config))
    assert (probabilities[~legal] == 0).all()
    assert (probabilities >= 0).all()
    assert np.allclose(probabilities.sum(axis=1), 1, atol=1e-5)
    assert value.shape == (len(views),)
    assert np.isfinite(value).all()
    if scale < 1:  # far from indifferent, and far from certain
        assert (probabilities[legal] > 0).all()
        assert 0.3 < probabilities.max(axis=1).mean() < 0.95
    for mode in MODES:
        actor = NeuralAgent(config, agent.network, mode)
        actor.reset(views.game_id, 1)
        assert legal[np.arange(len(views)), actor.act(views)].all()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_play_is_the_marginal_and_place_the_conditional_of_one_joint(players: int) -> None:
    """By enumeration: for every hand card, the cell's distribution after choosing it."""
    config = GameConfig(num_players=players)
    agent, slices = neural(config), action_slices(config)
    for number, (state, _) in enumerate(random_positions(config, 3, seed=62)):
        if number % 15 != 2 or state.phase[0] != Phase.PLAY or state.done.any():
            continue
        views = redact(state, state.mover)
        options, joint, logits = joint_of(agent.network, views)
        marginal = agent.policy(views)[0][:, slices["play_card"]]
        for b in range(len(state)):
            rows = slice(options.offsets[b], options.offsets[b + 1])
            exact = np.exp(logits[rows].astype(np.float64) - logits[rows].max())
            exact /= exact.sum()
            assert joint[rows] == pytest.approx(exact, abs=1e-6)
            hand = state.hand(b, int(state.mover[b]))
            assert sorted(set(options.card[rows].tolist())) == hand
            for card in hand:
                of_card = options.card[rows] == card
                weight = exact[of_card].sum()
                assert marginal[b, card] == pytest.approx(weight, abs=1e-6)
                after = state.select([b])
                apply_action(after, np.array([slices["play_card"].start + card]))
                [conditional] = agent.policy(redact(after, after.mover))[0]
                cells = slices["place_cell"].start + options.cell[rows][of_card]
                assert conditional[cells] == pytest.approx(exact[of_card] / weight, abs=1e-5)
                assert conditional[cells].sum() == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_greedy_play_takes_the_likeliest_placement_not_the_likeliest_card(players: int) -> None:
    config = GameConfig(num_players=players)
    agent, slices = neural(config, "greedy"), action_slices(config)
    other_card = compared = 0
    for number, (state, _) in enumerate(random_positions(config, 8, seed=63)):
        if number % 5 != 2 or state.done.any():
            continue
        views = redact(state, state.mover)
        options, joint, _ = joint_of(agent.network, views)
        chosen = agent.act(views) - slices["play_card"].start
        marginal = agent.policy(views)[0][:, slices["play_card"]]
        after = state.clone()
        apply_action(after, chosen + slices["play_card"].start)
        cells = agent.act(redact(after, after.mover)) - slices["place_cell"].start
        for b in range(len(state)):
            first, last = options.offsets[b], options.offsets[b + 1]
            best = first + int(joint[first:last].argmax())
            assert (chosen[b], cells[b]) == (options.card[best], options.cell[best])
            other_card += int(marginal[b].argmax()) != chosen[b]
            compared += 1
    assert compared > 100
    assert other_card > 0  # the two rules do differ


@pytest.mark.parametrize("name", CONFIGS)
def test_draws_and_discards_follow_their_heads_greedily(name: str) -> None:
    config = CONFIGS[name]
    views = mover_views(config, 6, seed=64)
    simple = views.select(~np.isin(views.phase, (Phase.PLAY, Phase.PLACE)))
    probabilities, _ = neural(config).policy(simple)
    assert np.array_equal(neural(config, "greedy").act(simple), probabilities.argmax(axis=1))


@pytest.mark.parametrize("name", CONFIGS)
def test_results_do_not_depend_on_the_rest_of_the_batch(name: str) -> None:
    config = CONFIGS[name]
    views = mover_views(config, 6, seed=65)
    agent = neural(config)
    together, values = agent.policy(views)
    rng = np.random.default_rng(2)
    order = rng.permutation(len(views))
    shuffled, shuffled_values = agent.policy(views.select(order))
    assert np.allclose(shuffled, together[order], atol=1e-5)
    assert np.allclose(shuffled_values, values[order], atol=1e-4)
    for mode in MODES:
        actor = neural(config, mode)
        actions = actor.act(views)
        assert np.array_equal(actor.act(views.select(order)), actions[order])
        for row in rng.choice(len(views), 20):
            assert actor.act(views.select([row]))[0] == actions[row]


def test_sampling_follows_the_probabilities_and_is_keyed_by_seed_and_game() -> None:
    config = GameConfig()
    views = mover_views(config, 6, seed=66)
    samples = 1500
    certainty = neural(config).policy(views)[0].max(axis=1)
    for phase in range(Phase.GAME_OVER):
        row = int(np.where(views.phase == phase, certainty, 2).argmin())
        many = PlayerViews(
            config,
            np.repeat(views.observation[[row]], samples, axis=0),
            np.arange(samples, dtype=np.uint64),
        )
        [expected] = neural(config).policy(views.select([row]))[0]
        counts = np.bincount(neural(config).act(many), minlength=len(expected))
        # Five standard deviations of a binomial count, and one for the rare.
        spread = 5 * np.sqrt(samples * expected * (1 - expected)) + 1
        assert (np.abs(counts - samples * expected) <= spread).all()
        assert np.array_equal(neural(config).act(many), neural(config).act(many))
        assert not np.array_equal(neural(config).act(many), neural(config, seed=4).act(many))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", CONFIGS)
def test_one_object_in_all_seats_plays_as_objects_of_their_own(name: str, mode: Mode) -> None:
    """Nothing is carried from seat to seat or game to game; illegal moves would be refused."""
    config = CONFIGS[name]
    players, games = config.num_players, 3
    ids = np.arange(games, dtype=np.uint64)
    state = deal(config, 5, ids)
    agent = neural(config, mode)
    shared = [
        play_match(state, [agent], np.zeros((games, players), np.int64), ids, keep_actions=True)
        for _ in range(2)
    ]
    own = play_match(
        state,
        [neural(config, mode) for _ in range(players)],
        np.tile(np.arange(players), (games, 1)),
        ids,
        keep_actions=True,
    )
    assert shared[0].actions is not None
    for result in (shared[1], own):
        assert result.actions is not None
        assert np.array_equal(result.actions, shared[0].actions)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_hidden_cards_change_no_move(players: int, mode: Mode) -> None:
    config = GameConfig(num_players=players)
    rng = np.random.default_rng(3)
    agent = neural(config, mode)
    moved = 0
    for number, (state, _) in enumerate(random_positions(config, 10, seed=67)):
        running = state.select(np.flatnonzero(~state.done))
        if number % 3 or not len(running):
            continue
        ids = np.arange(len(running), dtype=np.uint64)
        views = redact(running, running.mover, ids)
        world = determinize(views, rng)
        moved += int((world.raw != running.raw).any(axis=1).sum())
        there = redact(world, world.mover, ids)
        assert np.array_equal(agent.act(views), agent.act(there))
        for mine, other in zip(agent.policy(views), agent.policy(there), strict=True):
            assert mine.tobytes() == other.tobytes()
    assert moved > 300


@pytest.mark.parametrize("mode", MODES)
def test_idle_seats_and_finished_games_are_refused(mode: Mode) -> None:
    config = GameConfig(num_players=3)
    state = deal(config, 1, np.arange(2))
    views = redact(state, [0, 1])
    with pytest.raises(ValueError, match="view 1 is of an idle seat or a finished game"):
        neural(config, mode).act(views)


@pytest.mark.parametrize("mode", MODES)
def test_decisions_come_with_their_values(mode: Mode) -> None:
    config = GameConfig(num_players=3)
    views = mover_views(config, 3, seed=64)
    agent = neural(config, mode)
    actions, values = agent.decide(views)
    assert np.array_equal(actions, agent.act(views))
    assert np.array_equal(values, agent.policy(views)[1])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_beliefs_are_what_was_learned(players: int) -> None:
    """Scored by where the cards are, they cost what the trainer's loss says."""
    config = GameConfig(num_players=players)
    states = [
        state.select(np.flatnonzero(~state.done))
        for number, (state, _) in enumerate(random_positions(config, 2, seed=65))
        if number % 9 == 0
    ]
    state = GameState(config, np.concatenate([state.raw for state in states]))
    seats = state.mover.astype(np.int64)
    views, agent = redact(state, seats), neural(config)
    beliefs = agent.beliefs(views)
    assert beliefs.shape == (len(views), players - 1, config.num_cards)
    rivals = (seats[:, None] + np.arange(1, players)) % players
    places = state.rows["place"][:, None, :]
    held = (places == 8 + rivals[:, :, None]) | (places == 12 + rivals[:, :, None])
    unseen = views.cards[:, :, 0] == 0
    somewhere = np.where(held, beliefs, 0.0).sum(axis=1) + np.where(
        held.any(axis=1), 0.0, 1.0 - beliefs.sum(axis=1)
    )
    encoded = encode(views)
    with torch.inference_mode():
        z, _ = agent.network.trunk(as_tensor(encoded.species), as_tensor(encoded.scalars))
        loss = belief_loss(
            agent.network.belief_logits(z),
            as_tensor((held & unseen[:, None]).astype(np.float32)),
            as_tensor(unseen.astype(np.float32)),
        )
    assert -np.log(somewhere[unseen]).mean() == pytest.approx(float(loss), rel=1e-4)
    # What the seat sees is certain.
    seen = np.broadcast_to(~unseen[:, None], held.shape)
    assert np.array_equal(beliefs[seen], held[seen].astype(np.float64))
    assert beliefs[seen].any()
