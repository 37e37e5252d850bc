"""``search``: halving and the tree worked out by hand; the agent's promises."""

from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest

from arboretum_agents.registry import AgentSpecError, make_agent
from arboretum_agents.search.agent import SearchAgent
from arboretum_agents.search.budget import FIRST_LOOK, Budget
from arboretum_agents.search.candidates import (
    MAX_CANDIDATES,
    list_candidates,
    ranker,
    root_limit,
)
from arboretum_agents.search.guide import PRIOR_DOUBT, PRIOR_VISITS
from arboretum_agents.search.ismcts import Search
from arboretum_agents.search.rollouts import Rollouts, play_until, worth
from arboretum_agents.search.root import Root
from arboretum_agents.search.tree import EXPAND, EXPLORE, WIDEN, Edge, Node
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal, deal_exact
from arboretum_env.engine.moves import apply_action
from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState
from arboretum_env.errors import ConfigError
from arboretum_env.match import play_match
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerViews, redact
from tests.agents.test_loading import saved
from tests.random_games import CONFIGS, random_positions

PLACE, DISCARD = int(Phase.PLACE), int(Phase.DISCARD)


def positions(config: GameConfig, games: int, every: int, seed: int = 3) -> PlayerViews:
    """Views of the movers of some positions of random games, all phases among them."""
    kept = []
    for number, (state, _) in enumerate(random_positions(config, games, seed)):
        if number % every == 0:
            kept.append(state.raw[~state.done])
    state = GameState(config, np.concatenate(kept))
    return redact(state, state.mover, np.arange(len(state), dtype=np.uint64) + np.uint64(70))


def search(config: GameConfig, seed: int = 1, **options: object) -> SearchAgent:
    agent = SearchAgent(config, **options)  # type: ignore[arg-type]
    agent.reset(np.zeros(0, np.uint64), seed)
    return agent


def root_of(actions: list[int]) -> Root:
    """A root as the planner's, which prefers its first candidate a little."""
    return Root(actions, [0.0] + [-PRIOR_DOUBT] * (len(actions) - 1), PRIOR_VISITS)


def play(root: Root, worths: list[float], simulations: int, wave: int = 64) -> list[int]:
    """Runs a root whose candidates are worth just that; returns visits."""
    clock = Budget(simulations).start(1)
    while worlds := root.next_worlds(clock, wave):
        for index in root.alive:
            for _ in range(worlds):
                root.edges[index].enter()
                root.edges[index].total += worths[index]
        root.worlds += worlds
        root.used += worlds * len(root.alive)
    return [edge.visits for edge in root.edges]


def test_halving_spends_its_budget_evenly_over_rounds() -> None:
    # Two rounds of 12: three worlds for four candidates, six for the two that are left.
    root = root_of([10, 11, 12, 13])
    assert play(root, [0.5, 0.1, 0.9, 0.2], simulations=24) == [9, 3, 9, 3]
    assert root.actions[root.best] == 12
    # Three rounds of 10 for five candidates: 2 worlds; 10 for 3: 3; 11 left for 2: 5.
    root = root_of([1, 2, 3, 4, 5])
    assert play(root, [0.0, 0.1, 0.2, 0.3, 0.4], simulations=30) == [2, 2, 5, 10, 10]
    assert root.best == 4


def test_small_waves_spend_no_more() -> None:
    whole, waves = root_of([1, 2, 3, 4]), root_of([1, 2, 3, 4])
    worths = [0.5, 0.1, 0.9, 0.2]
    assert play(whole, worths, simulations=24) == play(waves, worths, simulations=24, wave=4)


def test_a_draw_goes_to_the_policys_choice_and_so_does_no_search() -> None:
    root = root_of([7, 8, 9])
    play(root, [0.5, 0.5, 0.5], simulations=24)
    assert root.best == 0
    root = root_of([7])
    assert play(root, [0.5], simulations=24) == [0]
    assert root.best == 0


def test_estimates_are_drawn_to_the_average() -> None:
    root = root_of([1, 2])
    play(root, [0.4, 0.8], simulations=8)  # four visits each, the average 0.6
    root.alive = [0, 1]
    assert root.estimate(0) == pytest.approx((4 * 0.4 + PRIOR_VISITS * 0.6) / (4 + PRIOR_VISITS))
    doubted = (4 * 0.8 + PRIOR_VISITS * (0.6 - PRIOR_DOUBT)) / (4 + PRIOR_VISITS)
    assert root.estimate(1) == pytest.approx(doubted)


def test_a_node_widens_with_its_visits_and_takes_the_largest_bound() -> None:
    node = Node()
    assert node.width == 1
    node.visits = WIDEN
    assert node.width == 2
    node.visits = 4 * WIDEN - 1
    assert node.width == 2
    node.visits = 4 * WIDEN
    assert node.width == 3
    for action, visits, total, available in ((5, 4, 2.0, 9), (6, 16, 9.0, 30), (7, 2, 1.0, 2)):
        edge = node.edges[action] = Edge()
        edge.visits, edge.total, edge.available = visits, total, available
    bounds = {
        5: 2.0 / 4 + EXPLORE * sqrt(log(10) / 4),
        6: 9.0 / 16 + EXPLORE * sqrt(log(31) / 16),
        7: 1.0 / 2 + EXPLORE * sqrt(log(3) / 2),
    }
    best = max(bounds, key=bounds.__getitem__)
    action, edge = node.select([5, 6, 7])
    assert action == best
    assert [node.edges[a].available for a in (5, 6, 7)] == [10, 31, 3]
    # What is not legal in a world is neither chosen nor counted as available in it.
    worse = min(bounds, key=bounds.__getitem__)
    assert node.select([worse])[0] == worse
    assert node.edges[best].available == {5: 10, 6: 31, 7: 3}[best]
    assert node.select([worse, 99])[0] == 99  # untried


def test_a_tree_grows_behind_a_visited_edge() -> None:
    edge = Edge()
    for _ in range(EXPAND):
        edge.enter()
    assert edge.child is None
    edge.enter()
    assert edge.child is not None


def test_a_shallow_tree_grows_below_the_root() -> None:
    config = GameConfig()
    agent = search(config, simulations=256)
    state = deal(config, 5, np.arange(1, dtype=np.uint64))
    views = redact(state, 0)
    while views.phase[0] != DISCARD:
        apply_action(state, agent.guide.policy.act(views))
        views = redact(state, 0)
    guide = agent.guide
    [root] = Search(guide, agent.budget, 0).run(views, guide.log_odds(views))
    assert sum(edge.visits for edge in root.edges) <= 256
    chosen = root.edges[root.best]
    # The rival draws next: the deck, which the policy would, and a pile sooner or later.
    assert chosen.child is not None
    assert sum(edge.visits for edge in chosen.child.edges.values()) == chosen.child.visits > 12
    assert len(chosen.child.edges) > 1


def two_points_to_none() -> GameState:
    """A position that scores 2 : 0."""
    config = GameConfig(species=2, num_ranks=4, hand_size=1)
    state = deal_exact(config, [[0], [4]], [1, 2, 3, 5, 6, 7])
    for seat, cards in ((0, (1, 2)), (1, ())):
        for number, card in enumerate(cards):
            row = state.rows[0]
            row["place"][card], row["order"][card] = 20 + seat, number
            row["x"][card], row["y"][card] = number, 0
            row["planted"][seat] += 1
    return state


def test_worth_counts_wins_and_margins() -> None:
    state = two_points_to_none()
    [points] = score(state).points
    assert points.tolist() == [2, 0]  # C2 C3, and C1 in hand for the right
    tilt = 0.5 * np.tanh(2 / 15)
    assert worth(state, 1.0)[0] == pytest.approx([0.5 + tilt, 0.5 - tilt])
    assert worth(state, 0.0)[0].tolist() == [1.0, 0.0]
    assert worth(state, 0.5)[0] == pytest.approx([0.75 + tilt / 2, 0.25 - tilt / 2])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rollouts_play_as_the_runner_does(players: int) -> None:
    """Whatever the chunks and threads: the same games that ``play_match`` plays."""
    config = GameConfig(num_players=players, species=4, num_ranks=5, hand_size=2)
    policy = make_agent("random", config)
    ids = np.arange(1100, dtype=np.uint64)
    policy.reset(ids, 9)
    games = deal(config, 1, ids)
    seating = np.zeros((len(ids), players), np.int64)
    final = play_match(games, [policy], seating, ids).final
    expected = worth(final, 0.3)
    for threads in (1, 3):
        assert np.array_equal(Rollouts(policy, 0.3, threads).values(games, ids), expected)
    stopped = games.clone()
    play_until(stopped, policy, ids, 1)
    assert (stopped.mover == 1).all()
    assert (stopped.turn == 1).all()


def test_candidates_begin_with_the_policys_choice() -> None:
    config = GameConfig()
    views = positions(config, 4, 7)
    planner = make_agent("planner", config)
    greedy = make_agent("greedy", config)
    first = greedy.act(views)
    listed = list_candidates(views, first, ranker(greedy, config), 5)
    legal = views.legal_action_mask()
    assert np.array_equal(listed[:, 0], first)
    for row, candidates in enumerate(listed):
        kept = candidates[candidates >= 0]
        assert legal[row, kept].all()
        assert len(set(kept.tolist())) == len(kept) == min(5, legal[row].sum())
    own = planner.act(views)
    assert np.array_equal(list_candidates(views, own, ranker(planner, config), 1)[:, 0], own)


def test_more_simulations_look_at_more_candidates() -> None:
    assert [root_limit(DISCARD, n) for n in (1, 2, 8, 16, 32, 1000)] == [1, 2, 2, 4, 8, 12]
    assert [root_limit(PLACE, n) for n in (1, 8, 64, 256, 1000)] == [1, 2, 4, 7, 12]


@pytest.mark.parametrize("name", CONFIGS)
def test_moves_are_legal_and_the_same_in_any_batch(name: str) -> None:
    config = CONFIGS[name]
    views = positions(config, 2, 9)
    agent = search(config, simulations=8)
    moves = agent.act(views)
    assert views.legal_action_mask()[np.arange(len(views)), moves].all()
    order = np.random.default_rng(0).permutation(len(views))
    assert np.array_equal(agent.act(views.select(order)), moves[order])
    alone = [int(agent.act(views.select([row]))[0]) for row in range(0, len(views), 5)]
    assert alone == moves[::5].tolist()
    assert np.array_equal(search(config, simulations=8, threads=2).act(views), moves)


def test_seeds_and_games_key_the_worlds() -> None:
    config = GameConfig()
    views = positions(config, 4, 6)
    agent = search(config, simulations=8)
    moves = agent.act(views)
    assert not np.array_equal(search(config, seed=2, simulations=8).act(views), moves)
    others = PlayerViews(config, views.observation, views.game_id + np.uint64(1))
    assert not np.array_equal(agent.act(others), moves)


def test_one_simulation_plays_the_policy() -> None:
    config = GameConfig()
    views = positions(config, 6, 4)
    agent = search(config, simulations=1, endgame=0)
    assert np.array_equal(agent.act(views), make_agent("planner", config).act(views))


def test_policy_shows_what_was_found() -> None:
    config = GameConfig()
    views = positions(config, 2, 8)
    agent = search(config, simulations=16)
    chances, values = agent.policy(views)
    legal = views.legal_action_mask()
    assert chances.shape == legal.shape
    assert np.allclose(chances.sum(axis=1), 1.0)
    assert not chances[~legal].any()
    moves = agent.act(views)
    assert np.allclose(chances[np.arange(len(views)), moves], chances.max(axis=1))
    assert (np.abs(values) <= 1.0).all()
    assert values.std() > 0.1


def test_any_policy_searches(tmp_path: Path) -> None:
    config = GameConfig(species=3, num_ranks=5, hand_size=3)
    run = saved(tmp_path / "run", config)
    views = positions(config, 1, 6)
    for spec in ("greedy", "random", "planner:denial=2", str(run)):
        agent = make_agent(f"search:simulations=4,rollouts={spec}", config)
        agent.reset(views.game_id, 3)
        moves = agent.act(views)
        assert views.legal_action_mask()[np.arange(len(views)), moves].all()
        assert np.array_equal(agent.act(views), moves)


def test_seconds_are_a_budget_too() -> None:
    config = GameConfig(species=3, num_ranks=4, hand_size=2)
    views = positions(config, 2, 4)
    for seconds in (1e-9, 0.01):
        agent = make_agent(f"search:seconds={seconds}", config)
        agent.reset(views.game_id, 3)
        moves = agent.act(views)
        assert views.legal_action_mask()[np.arange(len(views)), moves].all()


def test_a_clock_allows_what_its_speed_pays_for(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("time.perf_counter", lambda: now)
    clock = Budget(1, seconds=0.5).start(2)  # two views: a second
    assert clock.progress(0) == 0.0
    assert clock.most(0, 0.5) == FIRST_LOOK >= MAX_CANDIDATES
    now = 100.25  # 12 simulations in a quarter: 48 a second
    assert clock.progress(12) == 0.25
    assert clock.most(12, 0.5) == 12
    assert clock.most(12, 1.0) == 36
    now = 100.75
    assert clock.most(30, 0.5) == 0
    assert Budget(24).start(2).most(10, 0.5) == 2  # counted a decision, however many views


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("simulations=0", "simulations=0: expected 1..1,000,000"),
        ("seconds=0", "seconds=0.0: expected more than 0 and at most 3600"),
        ("seconds=nan", "seconds=nan: expected more than 0"),
        ("threads=-1", "threads=-1: expected 0 or more"),
        ("endgame=-1", "endgame=-1: expected 0 or more"),
        ("rollouts=plannner", "unknown agent 'plannner'; did you mean 'planner'"),
        ("rollouts=human", "rollouts=human: expected an agent that plays by itself"),
    ],
)
def test_unfit_options_are_refused(options: str, message: str) -> None:
    with pytest.raises((AgentSpecError, ConfigError)) as caught:
        make_agent(f"search:{options}", GameConfig())
    assert message in str(caught.value)


def test_it_beats_its_policy() -> None:
    """Over duplicate deals of a reduced game; the seeds are fixed, so the figure is too."""
    config = GameConfig(species=3, num_ranks=5, hand_size=3)
    deals = 32
    agents = [
        make_agent("search:simulations=16,rollouts=greedy,endgame=0", config),
        make_agent("greedy", config),
    ]
    ids = np.arange(2 * deals, dtype=np.uint64)
    for agent in agents:
        agent.reset(ids, 1)
    seating = np.tile([[0, 1], [1, 0]], (deals, 1))
    games = deal(config, 21, np.repeat(np.arange(deals, dtype=np.uint64), 2))
    shares = play_match(games, agents, seating, ids).scores.win_shares
    won = np.where(seating == 0, shares, 0.0).sum() / len(ids)
    assert won > 0.6
