"""``search:policy=...``: a network's probabilities, expectations and beliefs guide the search."""

from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from arboretum_agents.neural.policy import NeuralAgent
from arboretum_agents.registry import AgentSpecError, make_agent
from arboretum_agents.search.agent import SearchAgent
from arboretum_agents.search.beliefs import alike, redeal
from arboretum_agents.search.lookahead import Lookahead, returns
from arboretum_agents.search.network_guide import (
    PRIOR_VISITS,
    NetworkBeliefs,
    NetworkGuide,
    draw_odds,
)
from arboretum_agents.search.steady import BLOCK, SteadyNetwork, padding
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.layout import IN_HAND
from arboretum_env.engine.moves import apply_action
from arboretum_env.engine.state import GameState
from arboretum_env.errors import ConfigError
from arboretum_env.view import PlayerViews, redact
from tests.agents.positions import mover_views, random_network
from tests.agents.test_loading import saved
from tests.agents.test_search import two_points_to_none
from tests.random_games import random_positions

pytestmark = pytest.mark.usefixtures("one_thread")

CONFIGS = {
    players: GameConfig(num_players=players, species=4, num_ranks=5, hand_size=3)
    for players in (2, 3, 4)
}


def network_of(config: GameConfig, seed: int = 3) -> SteadyNetwork:
    agent = NeuralAgent(config, random_network(config))
    agent.reset(np.zeros(0, np.uint64), seed)
    return SteadyNetwork(agent)


def running(config: GameConfig, games: int, every: int, seed: int = 5) -> GameState:
    """Positions of random games that are not over."""
    kept = [
        state.raw[~state.done]
        for number, (state, _) in enumerate(random_positions(config, games, seed))
        if number % every == 0
    ]
    return GameState(config, np.concatenate(kept))


def test_decisions_of_a_kind_are_made_whole_blocks() -> None:
    phases = np.array([0, 1, 2, 3, 3, 0, 0], np.int8)
    rows = padding(phases)
    everything = np.concatenate([phases, phases[rows]])
    assert [int(np.isin(everything, kind).sum()) for kind in ([0, 1], [2, 3], [4])] == [16, 16, 0]
    assert len(padding(np.repeat(np.arange(5, dtype=np.int8), BLOCK))) == 0
    discards = np.full(BLOCK + 3, 4, np.int8)
    assert len(padding(discards)) == BLOCK - 3


class Recording(NeuralAgent):
    """A network that notes which decisions it is asked about."""

    asked: ClassVar[list[NDArray[np.int8]]] = []

    def _evaluate(self, views: PlayerViews) -> Any:
        self.asked.append(views.phase)
        return super()._evaluate(views)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_network_is_asked_about_whole_blocks(players: int) -> None:
    """And what was asked for comes back, in its order."""
    config = CONFIGS[players]
    views = mover_views(config, 6, seed=11)
    plain = NeuralAgent(config, random_network(config))
    recording = Recording(config, plain.network)
    recording.asked.clear()
    network = SteadyNetwork(recording)
    for agent in (plain, network):
        agent.reset(np.zeros(0, np.uint64), 3)
    chances, values = plain.policy(views)
    actions = plain.act(views)
    beliefs = plain.beliefs(views)
    for rows in (np.array([4]), np.arange(3, 9), np.arange(len(views))[::-1]):
        part = views.select(rows)
        for found in (network.policy(part)[1], network.decide(part)[1]):
            assert found == pytest.approx(values[rows], abs=1e-5)
        assert network.policy(part)[0] == pytest.approx(chances[rows], abs=1e-5)
        assert np.array_equal(network.act(part), actions[rows])
        assert network.beliefs(part) == pytest.approx(beliefs[rows], abs=1e-5)
    assert len(recording.asked) == 12
    for phases in recording.asked:
        kinds = [int(np.isin(phases, kind).sum()) for kind in ([0, 1], [2, 3], [4])]
        assert all(count % BLOCK == 0 for count in kinds)


@pytest.mark.parametrize("depth", [0, 1, 2])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seat_is_judged_at_its_last_decision(players: int, depth: int) -> None:
    """Move by move, one game at a time."""
    config = CONFIGS[players]
    network = network_of(config)
    games = running(config, 2, 5)
    ids = np.arange(len(games), dtype=np.uint64) + np.uint64(9)
    turns = games.turn.astype(np.int64)
    found = Lookahead(network, depth).values(games, ids, turns)
    for row in range(0, len(games), 4):
        game, minds = games.select([row]), dict[int, float]()
        while not game.done[0]:
            seat = int(game.mover[0])
            action, value = network.decide(redact(game, seat, ids[[row]]))
            minds[seat] = float(value[0])
            if game.turn[0] >= turns[row] + depth * players:
                break
            apply_action(game, action)
        if game.done[0]:
            expected = returns(game, "mixed")[0]
        else:
            silent = players - len(minds)
            left = -sum(minds.values()) / max(silent, 1)
            expected = np.array([minds.get(seat, left) for seat in range(players)])
        assert found[row] == pytest.approx(0.5 + 0.5 * expected)
    threads = np.repeat(np.arange(len(games)), 1 + 600 // len(games))
    many = games.select(threads)
    assert np.array_equal(
        Lookahead(network, depth, 2).values(many, ids[threads], turns[threads]), found[threads]
    )


def test_ends_are_worth_what_the_network_learned() -> None:
    """The board of ``test_worth_counts_wins_and_margins``: 2 points to 0."""
    state = two_points_to_none()
    squashed = float(np.tanh(2 / 20))
    assert returns(state, "win")[0].tolist() == [1.0, -1.0]
    assert returns(state, "margin")[0] == pytest.approx([squashed, -squashed])
    assert returns(state, "mixed")[0] == pytest.approx([0.5 + squashed / 2, -0.5 - squashed / 2])


def test_drawn_hands_hold_cards_as_often_as_believed() -> None:
    """Chances between 1 % and 95 %, for two rivals; raw odds would make likely cards certain."""
    config = GameConfig(num_players=3, species=4, num_ranks=5, hand_size=4)
    game = deal(config, 3, np.zeros(1, np.uint64))
    mine = game.hand(0, 0)
    unseen = np.delete(np.arange(config.num_cards), mine)
    chances = np.zeros((1, 2, config.num_cards))
    shape = np.array([0.9, 0.85, 0.6] + [0.13] * 12 + [0.09])
    chances[0, 0, unseen] = 4.0 * shape / shape.sum()
    chances[0, 1, unseen] = 4.0 * (1 - shape) / (1 - shape).sum() * 0.9 + 0.4 / len(unseen)
    nobody = 1.0 - chances.sum(axis=1, keepdims=True)
    assert (nobody > 0).all()
    log_odds = np.log(np.maximum(chances, 1e-9)) - np.log(nobody)
    count = 20_000
    errors = []
    for odds in (draw_odds(log_odds), log_odds):
        worlds = game.select(np.zeros(count, np.int64))
        keys = np.arange(count, dtype=np.uint64)
        redeal(worlds, np.zeros(count, np.int64), keys, np.repeat(odds, count, axis=0))
        for rival in (1, 2):
            share = (worlds.rows["place"] == IN_HAND + rival).mean(axis=0)
            errors.append(np.abs(share - chances[0, rival - 1])[unseen].max())
    assert max(errors[:2]) < 0.05
    assert max(errors[2:]) > 0.1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_log_odds_are_those_of_the_networks_beliefs(players: int) -> None:
    config = CONFIGS[players]
    views = mover_views(config, 2, seed=12)
    network = network_of(config)
    odds = np.exp(NetworkBeliefs(network)(views))
    chances = odds / (1.0 + odds.sum(axis=1, keepdims=True))
    unseen = np.broadcast_to((views.cards[:, :, 0] == 0)[:, None], chances.shape)
    assert chances[unseen] == pytest.approx(network.beliefs(views)[unseen], abs=1e-5)


def test_an_agent_believes_its_network_unless_told_not_to(tmp_path: Path) -> None:
    config = CONFIGS[3]
    run = saved(tmp_path / "run", config)
    views = mover_views(config, 1, seed=12)
    believing, other = (
        make_agent(f"search:policy={run}{options}", config) for options in ("", ",beliefs=false")
    )
    assert isinstance(believing, SearchAgent)
    assert isinstance(other, SearchAgent)
    odds = believing.guide.log_odds(views)
    assert np.array_equal(odds, NetworkBeliefs(network_of(config))(views))
    assert np.array_equal(believing.guide.draw_odds(odds), draw_odds(odds))
    assert not other.guide.log_odds(views).any()
    assert other.guide.draw_odds(odds) is odds


def test_candidates_are_the_likeliest_and_preferred_by_their_log_probability() -> None:
    config = CONFIGS[2]
    views = mover_views(config, 2, seed=13)
    network = network_of(config)
    guide = NetworkGuide(network, alike, 1, 0.03, 1)
    chances = network.policy(views)[0].astype(np.float64)
    for row, root in enumerate(guide.roots(views, 32)):
        ordered = np.sort(chances[row])[::-1][: len(root.actions)]
        assert chances[row, root.actions] == pytest.approx(ordered, rel=2e-3)
        likings = np.log(ordered / ordered[0])
        assert np.array(root.priors) == pytest.approx(0.03 * likings, abs=2e-5)
        assert root.prior_visits == PRIOR_VISITS


def test_without_evidence_the_likeliest_move_is_taken(tmp_path: Path) -> None:
    config = CONFIGS[2]
    run = saved(tmp_path / "run", config)
    views = mover_views(config, 2, seed=15)
    agent = make_agent(f"search:policy={run},simulations=1,endgame=0", config)
    agent.reset(views.game_id, 3)
    chances = network_of(config).policy(views)[0]
    taken = chances[np.arange(len(views)), agent.act(views)]
    assert taken == pytest.approx(chances.max(axis=1), rel=1e-3)  # mirrored cells are alike


@pytest.mark.parametrize("players", [2, 3, 4])
def test_moves_are_legal_and_the_same_in_any_batch(players: int, tmp_path: Path) -> None:
    config = CONFIGS[players]
    run = saved(tmp_path / "run", config)
    views = mover_views(config, 3, seed=14, every=7)

    def made(options: str) -> SearchAgent:
        agent = make_agent(f"search:policy={run},{options}", config)
        assert isinstance(agent, SearchAgent)
        agent.reset(views.game_id, 3)
        return agent

    agent = made("simulations=16")
    moves = agent.act(views)
    assert views.legal_action_mask()[np.arange(len(views)), moves].all()
    order = np.random.default_rng(0).permutation(len(views))
    assert np.array_equal(agent.act(views.select(order)), moves[order])
    alone = [int(agent.act(views.select([row]))[0]) for row in range(0, len(views), 3)]
    assert alone == moves[::3].tolist()
    assert np.array_equal(made("simulations=16,threads=2").act(views), moves)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("policy=planner", "policy=planner: expected a network; for others there is rollouts="),
        ("policy=human", "policy=human: expected an agent that plays by itself"),
        ("policy=plannner", "unknown agent 'plannner'; did you mean 'planner'"),
        ("policy=planner,rollouts=greedy", "policy and rollouts: expected one of them"),
        ("depth=-1", "depth=-1: expected 0 or more"),
        ("prior=-0.1", "prior=-0.1: expected 0 to 1"),
        ("prior=nan", "prior=nan: expected 0 to 1"),
    ],
)
def test_unfit_options_are_refused(options: str, message: str) -> None:
    with pytest.raises((AgentSpecError, ConfigError)) as caught:
        make_agent(f"search:{options}", GameConfig())
    assert message in str(caught.value)
