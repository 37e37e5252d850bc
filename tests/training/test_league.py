"""Several learners in one run: whose turn it is, what they begin with, and what they leave."""

from typing import Any

import pytest
import torch
from torch import nn

from arboretum_env.errors import ArboretumError
from arboretum_training.config import BudgetConfig, ExperimentConfig
from arboretum_training.league import League, Role, turns_due
from arboretum_training.league_config import HousePoolConfig, LeagueConfig
from arboretum_training.metrics import check_name
from arboretum_training.opponents.priorities import Tally
from tests.training.experiments import GAMES, experiment

pytestmark = pytest.mark.usefixtures("one_thread")


def config(name: str = "reduced 2", *, pool: Any = None, **league: Any) -> ExperimentConfig:
    return experiment(
        GAMES[name],
        games=6,
        turns=4,
        seed=3,
        pool=HousePoolConfig(**{"latest": 0.5, "every": 2, "size": 3, **(pool or {})}),
        league=LeagueConfig(**{"burst": 1, **league}),
    )


def same(first: nn.Module, second: nn.Module) -> bool:
    pairs = zip(first.state_dict().values(), second.state_dict().values(), strict=True)
    return all(torch.equal(a, b) for a, b in pairs)


def test_turns_by_hand() -> None:
    assert [turns_due(main, 1.0) for main in range(4)] == [0, 1, 2, 3]
    assert [turns_due(main, 0.25) for main in range(9)] == [0, 0, 0, 0, 1, 1, 1, 1, 2]
    assert [turns_due(main, 1.5) for main in range(5)] == [0, 1, 3, 4, 6]
    assert turns_due(30, 0.1) == 3  # 0.1 * 30 is a hair below 3
    assert [turns_due(main, 0.5, 2) for main in range(9)] == [0, 0, 0, 0, 2, 2, 2, 2, 4]
    assert [turns_due(main, 1.5, 4) for main in range(7)] == [0, 0, 0, 4, 4, 4, 8]
    assert turns_due(30, 0.1, 3) == 3


def test_an_exploiter_learns_in_bursts_while_main_stands_still() -> None:
    league = League(config(exploiters=1, exploiter_share=0.5, burst=3, timeout=99))
    turns = []
    for _ in range(7):
        league.iterate()
        turns.append(league.roles["exploiter1"].turns)
    assert turns == [0, 0, 3, 3, 3, 6, 6]


@pytest.mark.parametrize(
    ("league", "paces"),
    [
        ({}, {"main": 1}),
        ({"exploiters": 1, "exploiter_share": 0.2}, {"main": 1, "exploiter1": 0.25}),
        (
            {"mains": 2, "exploiters": 2, "exploiter_share": 0.5},
            {"main": 1, "main2": 1, "exploiter1": 1, "exploiter2": 1},
        ),
        (
            {"mains": 2, "exploiters": 1, "exploiter_share": 0.2},
            {"main": 1, "main2": 1, "exploiter1": 0.5},
        ),
    ],
)
def test_shares_become_paces(league: dict[str, Any], paces: dict[str, float]) -> None:
    roles = League(config(**league)).roles
    assert {name: role.pace for name, role in roles.items()} == pytest.approx(paces)
    total = sum(paces.values())
    share = sum(pace for name, pace in paces.items() if name.startswith("exploiter")) / total
    assert share == pytest.approx(league.get("exploiter_share", 0))


def test_by_default_a_run_has_one_learner_that_plays_itself() -> None:
    league = League(experiment(GAMES["reduced 2"], games=4, turns=4))
    metrics = league.iterate()
    assert list(league.roles) == ["main"]
    assert league.pool.members == {}
    assert (league.main.collector.seating == -1).all()
    assert not [name for name in metrics if name.startswith(("pool/", "league/"))]


def test_turns_are_taken_and_counted() -> None:
    league = League(config(mains=2, exploiters=1, exploiter_share=0.2, timeout=99))
    decisions = 0
    for iteration in range(1, 6):
        metrics = league.iterate()
        turns = {name: role.turns for name, role in league.roles.items()}
        assert turns == {"main": iteration, "main2": iteration, "exploiter1": iteration // 2}
        assert metrics["progress/iteration"] == league.iteration == iteration
        assert metrics["rollout/decisions"] == league.decisions - decisions
        decisions = league.decisions
        assert metrics["progress/games"] == league.games
        assert metrics["progress/budget"] == league.progress == decisions / 10_000
        assert metrics["league/iteration/exploiter1"] == iteration // 2
        for name in metrics:
            check_name(name)
    assert decisions == sum(role.learner.decisions for role in league.roles.values())
    assert all(role.learner.decisions > 0 for role in league.roles.values())


def test_learners_are_others_and_exploiters_begin_as_main() -> None:
    league = League(config(mains=2, exploiters=2, exploiter_share=0.5))
    models = {name: role.learner.model for name, role in league.roles.items()}
    assert not same(models["main"], models["main2"])
    assert same(models["exploiter1"], models["main"])
    assert same(models["exploiter2"], models["main2"])  # each exploits a main learner of its own
    assert league.roles["exploiter2"].target == "main2"
    deals = [role.learner.collector.state.raw.tobytes() for role in league.roles.values()]
    assert len(set(deals)) == 4
    fresh = League(config(exploiters=1, exploiter_share=0.5, begin="fresh"))
    assert not same(fresh.main.model, fresh.roles["exploiter1"].learner.model)
    # Main begins as it does without a league.
    assert same(fresh.main.model, League(config()).main.model)


def test_snapshots_are_taken_of_main_learners() -> None:
    league = League(config(mains=2))
    steps = []
    for _ in range(6):
        league.iterate()
        steps.append(league.decisions)
    names = {name: [m.step for m in league.pool.snapshots(name)] for name in ("main", "main2")}
    assert names == {"main": steps[1::2], "main2": steps[1::2]}
    last = league.pool.snapshots("main")[-1].network
    assert last is not None and same(last, league.network)
    metrics = league.iterate()
    assert metrics["pool/snapshots"] == 6
    assert 1 <= metrics["pool/effective"] <= 6


def exploiter_of(league: League) -> Role:
    return league.roles["exploiter1"]


@pytest.mark.parametrize("begin", ["main", "fresh"])
def test_an_exploiter_whose_time_is_up_leaves_a_snapshot_and_begins_anew(begin: str) -> None:
    league = League(
        config(exploiters=1, exploiter_share=0.5, begin=begin, timeout=2, learning_rate=0.01)
    )
    role = exploiter_of(league)
    league.iterate()
    assert role.learner.iteration == 1
    assert league.pool.snapshots("exploiter1") == []
    main = {name: tensor.clone() for name, tensor in league.main.model.state_dict().items()}
    games = role.learner.collector.next_game_id
    league.iterate()  # the exploiter's second turn comes before main's
    assert role.learner.iteration == 0
    assert role.turns == 2
    [snapshot] = league.pool.snapshots("exploiter1")
    assert snapshot.network is not None
    now = role.learner.model.state_dict()
    assert all(torch.equal(main[name], now[name]) for name in main) == (begin == "main")
    assert not same(snapshot.network, role.learner.network)
    assert role.learner.carried == {}
    assert len(role.learner.optimizer.state) == 0
    assert role.opponents.tallies == {}
    assert role.learner.collector.game_ids.min() >= games
    assert role.learner.decisions > 0
    assert snapshot in league.roles["main"].opponents.candidates()
    league.iterate()
    first = role.learner.optimizer.param_groups[0]["lr"]
    assert first == 0.01  # its schedule began anew, too
    assert league.main.optimizer.param_groups[0]["lr"] < 2.5e-3


@pytest.mark.parametrize(
    ("tally", "done"),
    [
        (Tally(40.0, 60.0), True),  # 41 / 62 = .66
        (Tally(33.0, 60.0), False),
        (Tally(25.0, 25.0), False),  # too few games to go by
    ],
)
def test_an_exploiter_that_wins_often_enough_is_done(
    monkeypatch: pytest.MonkeyPatch, tally: Tally, done: bool
) -> None:
    league = League(
        config(exploiters=1, exploiter_share=0.5, threshold=0.6, timeout=99, pool={"memory": 100})
    )
    role = exploiter_of(league)
    number = league.pool.learner("main").number
    monkeypatch.setattr(role.opponents, "note", lambda *_: {})
    role.opponents.tallies[number] = tally
    metrics = league.iterate()
    assert len(league.pool.snapshots("exploiter1")) == done
    assert (role.learner.iteration == 0) == done
    expected = 0.5 if done else tally.win_rate
    assert metrics["league/win_rate/exploiter1"] == pytest.approx(expected)


def test_members_that_left_are_gone_once_nobody_plays_them() -> None:
    league = League(config("reduced 3", pool={"every": 1, "size": 2, "latest": 0.2}))
    most = 0
    for _ in range(12):
        league.iterate()
        seated = set(league.main.collector.seating.ravel().tolist()) - {-1}
        present = {member.number for member in league.pool.snapshots()}
        assert set(league.pool.members) == present | (league.pool.left & seated)
        assert len(present) <= 2
        assert set(league.roles["main"].opponents.tallies) <= set(league.pool.members)
        most = max(most, len(league.pool.members))
    assert most > 2  # somebody did leave from a game


@pytest.mark.parametrize("name", ["2 players", "3 players", "4 players", "few turns"])
def test_a_league_of_any_game_has_finite_metrics(name: str) -> None:
    pool = {"every": 1, "bots": ("planner@1", "blocker"), "bot_share": 0.2}
    league = League(config(name, pool=pool, exploiters=1, exploiter_share=0.4, timeout=2))
    for _ in range(4):
        metrics = league.iterate()
        for metric, value in metrics.items():
            check_name(metric)
            assert value == value or "explained_variance" in metric, metric
    assert len(league.pool.snapshots("exploiter1")) == 1


def test_a_bot_that_cannot_be_made_is_found_at_once() -> None:
    with pytest.raises(ArboretumError, match="unknown agent 'nobody'"):
        League(config(pool={"bots": ("nobody",), "bot_share": 0.1}))


def test_the_budget_is_of_all_learners() -> None:
    tiny = config(exploiters=1, exploiter_share=0.5)
    league = League(tiny.model_copy(update={"budget": BudgetConfig(decisions=1_000)}))
    while league.progress < 1:
        before = league.main.optimizer.param_groups[0]["lr"]
        progress = league.progress
        metrics = league.iterate()
        assert metrics["schedule/learning_rate"] == pytest.approx(2.5e-3 * (1 - 0.95 * progress))
        assert metrics["schedule/learning_rate"] <= before
    assert league.decisions >= 1_000 > league.main.decisions
