"""A run with a pool, bots and an exploiter, resumed: bit for bit the unbroken one."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest
import torch

from arboretum_agents.neural.checkpoint_reader import Checkpoint
from arboretum_env.errors import CheckpointError, RunError
from arboretum_training.config import ExperimentConfig
from arboretum_training.league import League
from arboretum_training.league_config import HousePoolConfig, LeagueConfig
from arboretum_training.learner_state import GAMES
from arboretum_training.snapshot import OTHERS, POOL, from_checkpoint
from tests.agents.positions import random_network
from tests.resume.run_state import everything, through_the_disk, timeless
from tests.training import experiments
from tests.training.experiments import experiment
from tests.training.opponents.folders import save_network

pytestmark = pytest.mark.usefixtures("one_thread")


def config(name: str, *bots: str, **league: Any) -> ExperimentConfig:
    return experiment(
        experiments.GAMES[name],
        games=6,
        turns=5,
        seed=4,
        pool=HousePoolConfig(
            latest=0.4, every=1, size=3, bots=("planner@1", *bots), bot_share=0.2, memory=9
        ),
        league=LeagueConfig(
            **{
                "exploiters": 1,
                "exploiter_share": 0.4,
                "burst": 1,
                "timeout": 3,
                "size": 1,
                **league,
            }
        ),
    )


@pytest.mark.parametrize(
    ("name", "league"),
    [
        ("2 players", {}),
        ("3 players", {"begin": "fresh"}),
        ("4 players", {"mains": 2, "exploiters": 2}),
    ],
)
def test_a_resumed_league_is_the_unbroken_one(
    tmp_path: Path, name: str, league: dict[str, Any]
) -> None:
    """Also if the folder that a bot came from has changed since."""
    game = experiments.GAMES[name]
    folder = save_network(tmp_path / "bot", game, random_network(game, 1))
    settings = config(name, str(folder), **league)
    unbroken = League(settings)
    for _ in range(3):
        unbroken.iterate()
    halfway = through_the_disk(unbroken, tmp_path / "run")
    before = everything(unbroken)
    last = [timeless(unbroken.iterate()) for _ in range(4)]
    assert unbroken.pool.snapshots("exploiter1")  # it began anew meanwhile

    (folder / "LATEST").unlink()
    torch.manual_seed(99)  # whatever else the process has drawn
    resumed = from_checkpoint(settings, halfway)
    assert everything(resumed) == before
    assert [timeless(resumed.iterate()) for _ in range(4)] == last
    assert everything(resumed) == everything(unbroken)


def test_resuming_before_every_iteration(tmp_path: Path) -> None:
    """With so short windows that a seat's decision waits from one checkpoint to another."""
    settings = config("reduced 3")
    rollout = settings.rollout.model_copy(update={"turns": 1})
    settings = settings.model_copy(update={"rollout": rollout})
    unbroken = broken = League(settings)
    expected = [timeless(unbroken.iterate()) for _ in range(9)]
    broken, rows = League(settings), []
    for number in range(9):
        broken = from_checkpoint(settings, through_the_disk(broken, tmp_path / str(number)))
        rows.append(timeless(broken.iterate()))
    assert rows == expected
    assert everything(broken) == everything(unbroken)


SETTINGS = config("reduced 2")


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    league = League(SETTINGS)
    for _ in range(3):
        league.iterate()
    return through_the_disk(league, tmp_path_factory.mktemp("run"))


def test_what_is_saved_of_a_league_matters(checkpoint: Checkpoint) -> None:
    """The comparison can fail: each part, spoilt, leads elsewhere."""

    def go_on(spoil: Any) -> dict[str, Any]:
        league = from_checkpoint(SETTINGS, checkpoint)
        spoil(league)
        for _ in range(2):
            league.iterate()
        return everything(league)

    def other_snapshot(league: League) -> None:
        network = league.pool.snapshots("main")[-1].network
        assert network is not None
        with torch.no_grad():
            for weight in network.parameters():
                weight.zero_()

    def other_seats(league: League) -> None:
        collector = league.main.collector
        collector.seating = collector.seating[:, ::-1].copy()

    def fresh_seating(league: League) -> None:
        opponents = league.roles["main"].opponents
        opponents.rng.bit_generator.state = (
            League(SETTINGS).roles["main"].opponents.rng.bit_generator.state
        )

    def nothing_remembered(league: League) -> None:
        league.roles["main"].opponents.tallies = {}

    def fresh_slots(league: League) -> None:
        league.roles["main"].opponents.slots = []

    def fresh_exploiter(league: League) -> None:
        league.roles["exploiter1"].learner.begin_anew(None)

    def no_turns(league: League) -> None:
        league.roles["exploiter1"].turns = 0

    expected = go_on(lambda league: None)
    assert go_on(lambda league: None) == expected
    for spoil in (
        other_snapshot,
        other_seats,
        fresh_seating,
        nothing_remembered,
        fresh_slots,
        fresh_exploiter,
        no_turns,
    ):
        assert go_on(spoil) != expected, spoil


@pytest.mark.parametrize("league", [{"exploiters": 2}, {"mains": 2}])
def test_another_number_of_learners_is_refused(
    checkpoint: Checkpoint, league: dict[str, Any]
) -> None:
    message = "league of main, .*was changed since the run began, expected main, exploiter1"
    with pytest.raises(RunError, match=message):
        from_checkpoint(config("reduced 2", **league), checkpoint)


def test_shares_and_bots_may_change(checkpoint: Checkpoint) -> None:
    changed = SETTINGS.model_copy(
        update={
            "pool": SETTINGS.pool.model_copy(
                update={"bots": ("greedy",), "bot_share": 0.6, "latest": 0.0}
            )
        }
    )
    league = from_checkpoint(changed, checkpoint)
    assert [bot.name for bot in league.pool.bots] == ["greedy"]
    for _ in range(4):
        league.iterate()
    names = {member.name for member in league.pool.members.values()}
    assert "planner@1" not in names  # its games are over
    assert not (league.main.collector.seating == -1).all(axis=1).any()


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ("seating", "games with members .*expected some of the pool's"),
        ("rows", "saved game 0: its num_players cannot be"),
        ("weights", "cannot be resumed from"),
    ],
)
def test_parts_that_do_not_fit_are_refused(checkpoint: Checkpoint, part: str, message: str) -> None:
    tensors = dict(checkpoint.tensors)
    if part == "weights":
        weights = dict(tensors[POOL])
        del weights[next(iter(weights))]
        tensors[POOL] = weights
    elif part == "seating":
        seating = torch.full_like(tensors[GAMES]["seating"], 77)
        tensors[GAMES] = {**tensors[GAMES], "seating": seating}
    else:
        rows = tensors[OTHERS]["exploiter1/carried/rows"].clone()
        rows[0, 0] = 200
        tensors[OTHERS] = {**tensors[OTHERS], "exploiter1/carried/rows": rows}
    with pytest.raises(CheckpointError, match=message):
        from_checkpoint(SETTINGS, dataclasses.replace(checkpoint, tensors=tensors))
