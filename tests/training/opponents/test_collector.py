"""Games with opponents in some seats: everyone plays its own policy, only the learner's counts."""

from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from arboretum_agents.neural.policy import as_tensor
from arboretum_agents.registry import make_agent
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.view import PlayerViews
from arboretum_training.choices import choose
from arboretum_training.config import RolloutConfig
from arboretum_training.decisions import KINDS, Decisions
from arboretum_training.league_config import HousePoolConfig
from arboretum_training.opponents.pool import Member, Pool
from arboretum_training.opponents.seating import LEARNER, Opponents
from arboretum_training.rollout import Collector
from tests.agents.positions import random_network
from tests.training.experiments import GAMES, random_model

pytestmark = pytest.mark.usefixtures("one_thread")

ROOT = 12345


class Watched:
    """A bot that notes what it is asked, and what it is told."""

    def __init__(self, spec: str, game: GameConfig) -> None:
        self.agent: Agent = make_agent(spec, game)
        self.told: list[int] = []
        self.asked: list[tuple[int, int]] = []

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        self.told += game_ids.tolist()
        self.agent.reset(game_ids, seed)

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        self.asked += zip(views.game_id.tolist(), views.seat.tolist(), strict=True)
        return self.agent.act(views)


def make_collector(
    game: GameConfig, *, games: int = 6, turns: int = 7, **pools: Any
) -> tuple[Collector, Watched]:
    """A collector against a watched bot, number 0, and snapshots of two sizes of networks."""
    pool = Pool(game, 5)
    watched = Watched("random", game)
    pool.members[0] = Member(0, "random", "bot", watched)
    pool.next_number = 1
    pool.take_snapshot("main", 1, random_network(game, 2), 9)
    pool.take_snapshot("main", 2, random_model(game, 3).network, 9)
    share = {"latest": 0.3, "bots": ("random",), "bot_share": 0.4, "concurrent": 4}
    opponents = Opponents(
        "main", pool, HousePoolConfig(**{**share, **pools}), None, np.random.default_rng(8)
    )
    config = RolloutConfig(games=games, turns=turns)
    collector = Collector(game, config, ROOT, np.random.default_rng(6), opponents)
    return collector, watched


def trajectories(decisions: dict[str, Decisions]) -> NDArray[np.int64]:
    return np.concatenate([decisions[kind].arrays["trajectory"] for kind in KINDS]).astype(np.int64)


@pytest.mark.parametrize("name", GAMES)
def test_only_the_learners_decisions_are_recorded(name: str) -> None:
    game = GAMES[name]
    players = game.num_players
    collector, bot = make_collector(game)
    model = random_model(game)
    seats: dict[int, list[int]] = {}
    recorded: list[int] = []
    decided = 0
    for _ in range(4):
        for row, game_id in zip(collector.seating, collector.game_ids, strict=True):
            seats[int(game_id)] = row.tolist()
        decisions, finished = collector.collect(model)
        over = finished.trajectories[::players] // players
        for row, game_id in zip(finished.seating, over, strict=True):
            seats[int(game_id)] = row.tolist()  # also of games that began and ended in the window
        recorded += trajectories(decisions).tolist()
        decided += 4 * 7 * 6
        assert len(finished.outcomes) == players * len(finished.turns)
        assert finished.seating.shape == finished.points.shape
    for row, game_id in zip(collector.seating, collector.game_ids, strict=True):
        seats[int(game_id)] = row.tolist()
    assert {seats[t // players][t % players] for t in recorded} == {LEARNER}
    by_bot = {(g, s) for g, s in bot.asked}
    assert {seats[g][s] for g, s in by_bot} == {0}
    assert set(bot.told) == {g for g, row in seats.items() if 0 in row}
    assert len(bot.told) == len(set(bot.told))
    assert 0.2 * decided < len(recorded) < 0.9 * decided
    counts = np.bincount([t // players for t in recorded])
    kinds = [len(decisions[kind]) for kind in KINDS]
    assert kinds[0] == 2 * kinds[1] == 2 * kinds[2]
    assert (counts % 4 == 0).all()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_plays_its_own_policy(players: int) -> None:
    """The game goes on as each seat's own network or bot chooses, with the game's own number."""
    game = GameConfig(num_players=players)
    collector, _ = make_collector(game, games=12, turns=1)
    model = random_model(game)
    pool = collector._pool
    uniform = np.random.default_rng(6)
    for _ in range(5):
        before = collector.state.clone()
        seating, ids = collector.seating.copy(), collector.game_ids.copy()
        collector.collect(model)
        played = replayed(before, seating, ids, model.network, pool, uniform)
        same = ids == collector.game_ids  # the others have ended
        assert same.sum() >= 6
        assert np.array_equal(played.raw[same], collector.state.raw[same])
    assert len(np.unique(seating)) >= 3


def replayed(before: Any, seating: Any, ids: Any, network: Any, pool: Pool, rng: Any) -> Any:
    """One turn of every game, played one game at a time."""
    from arboretum_env.engine.moves import apply_action
    from arboretum_env.view import redact

    games = np.arange(len(before))
    for kind in ("draw", "draw", "play", "discard"):
        uniform = rng.random(len(games))
        raw = []
        for row in games:
            state = before.select([row])
            mover = int(state.mover[0])
            number = int(seating[row, mover])
            own = network if number == LEARNER else pool[number].network
            views = redact(state, np.array([mover]), ids[[row]].astype(np.uint64))
            if own is not None:
                with torch.inference_mode():
                    for action in choose(own, kind, views, uniform[[row]]).actions:
                        apply_action(state, action)
            else:
                agent = make_agent("random", pool.game)
                agent.reset(views.game_id, pool.seed)
                apply_action(state, agent.act(views))
                if kind == "play":
                    views = redact(state, np.array([mover]), ids[[row]].astype(np.uint64))
                    apply_action(state, agent.act(views))
            raw.append(state.raw[0])
        before.raw[:] = np.array(raw)
    return before


def test_numbers_do_not_depend_on_who_sits_elsewhere() -> None:
    """A game of the learner alone goes on as it does without any opponents in the others."""
    game = GAMES["2 players"]
    mixed, _ = make_collector(game, games=20, turns=6)
    alone = Collector(game, RolloutConfig(games=20, turns=6), ROOT, np.random.default_rng(6))
    model = random_model(game)
    own = (mixed.seating == LEARNER).all(axis=1)
    assert 2 <= own.sum() <= 15
    mixed.collect(model)
    alone.collect(model)
    assert np.array_equal(mixed.state.raw[own], alone.state.raw[own])
    assert not np.array_equal(mixed.state.raw[~own], alone.state.raw[~own])


def test_recorded_decisions_are_the_models_and_know_the_truth() -> None:
    game = GAMES["3 players"]
    collector, _ = make_collector(game, games=10)
    model = random_model(game)
    collector.collect(model)
    decisions, _ = collector.collect(model)
    for kind in KINDS:
        part = decisions[kind]
        arrays = {name: as_tensor(array) for name, array in part.arrays.items()}
        with torch.no_grad():
            now = model.evaluate(part, arrays)
        assert (now.log_probs - arrays["log_prob"]).exp().numpy() == pytest.approx(1, abs=1e-5)
        assert now.judged.numpy() == pytest.approx(part.arrays["value"], abs=1e-5)


def test_a_window_in_which_only_others_decide() -> None:
    game = GAMES["2 players"]
    collector, _ = make_collector(game, games=1, turns=1, latest=0.0, bot_share=1.0)
    seats = set()
    for _ in range(3):
        mover = int(collector.state.mover[0])
        own = bool(collector.seating[0, mover] == LEARNER)
        decisions, _ = collector.collect(random_model(game))
        assert [len(decisions[kind]) for kind in KINDS] == ([2, 1, 1] if own else [0, 0, 0])
        seats.add(own)
    assert seats == {True, False}


def test_dealing_anew_lets_go_of_the_games_under_way() -> None:
    game = GAMES["2 players"]
    collector, bot = make_collector(game, games=4)
    collector.collect(random_model(game))
    first = collector.next_game_id
    told = len(bot.told)
    collector.deal_anew()
    assert collector.game_ids.tolist() == [first, first + 1, first + 2, first + 3]
    assert collector.next_game_id == first + 4
    assert np.array_equal(collector.state.raw, deal(game, ROOT, collector.game_ids).raw)
    assert sorted(bot.told[told:]) == [
        g for g, row in zip(collector.game_ids, collector.seating, strict=True) if 0 in row
    ]
