"""N + M iterations are N, saved to a disk and read by another learner, then M: bit for bit."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from arboretum_agents.neural.checkpoint_reader import Checkpoint
from arboretum_env.errors import CheckpointError, RunError
from arboretum_training.config import BudgetConfig, EvaluationConfig, RolloutConfig
from arboretum_training.league import League
from arboretum_training.learner_state import CARRIED, GAMES, OPTIMIZER
from arboretum_training.snapshot import POOL, from_checkpoint
from tests.resume.run_state import everything, through_the_disk, timeless
from tests.training import experiments
from tests.training.experiments import experiment

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.parametrize("name", experiments.GAMES)
def test_a_resumed_run_is_the_unbroken_one(tmp_path: Path, name: str) -> None:
    config = experiment(experiments.GAMES[name], games=5, turns=5, seed=4)
    unbroken = League(config)
    first = [timeless(unbroken.iterate()) for _ in range(3)]
    halfway = through_the_disk(unbroken, tmp_path)
    before = everything(unbroken)
    last = [timeless(unbroken.iterate()) for _ in range(3)]

    torch.manual_seed(99)  # whatever else the process has drawn
    resumed = from_checkpoint(config, halfway)
    assert everything(resumed) == before
    assert resumed.main.collector.rng is resumed.main.rng
    seconds = resumed.seconds
    assert seconds == pytest.approx(unbroken.seconds, abs=60)
    assert [timeless(resumed.iterate()) for _ in range(3)] == last
    assert resumed.seconds > seconds
    assert everything(resumed) == everything(unbroken)
    assert first != last

    # Saving had no effect on the league that was saved.
    other = League(config)
    assert [timeless(other.iterate()) for _ in range(6)] == first + last
    assert everything(other) == everything(unbroken)


def test_resuming_before_every_iteration(tmp_path: Path) -> None:
    config = experiment(experiments.GAMES["3 players"], games=5, turns=7, seed=5)
    unbroken = broken = League(config)
    expected = [timeless(unbroken.iterate()) for _ in range(5)]
    broken, rows = League(config), []
    for number in range(5):
        broken = from_checkpoint(config, through_the_disk(broken, tmp_path / str(number)))
        rows.append(timeless(broken.iterate()))
    assert rows == expected
    assert everything(broken) == everything(unbroken)


def test_what_is_saved_matters() -> None:
    """The comparison can fail: each part of the state, left out, leads elsewhere."""
    config = experiment(experiments.GAMES["2 players"], games=5, turns=5, seed=4)

    def go_on(spoil: Any) -> dict[str, float]:
        league = League(config)
        for _ in range(3):
            league.iterate()
        spoil(league)
        return timeless(league.iterate())

    def fresh_optimizer(league: League) -> None:
        league.main.optimizer.load_state_dict(League(config).main.optimizer.state_dict())

    def fresh_random_state(league: League) -> None:
        league.main.rng.bit_generator.state = League(config).main.rng.bit_generator.state

    def nothing_waits(league: League) -> None:
        league.main.carried = {}

    def fresh_schedule(league: League) -> None:
        league.main.decisions = 0

    expected = go_on(lambda league: None)
    assert go_on(lambda league: None) == expected
    for spoil in (fresh_optimizer, fresh_random_state, nothing_waits, fresh_schedule):
        assert go_on(spoil) != expected, spoil


CONFIG = experiment(experiments.GAMES["reduced 2"], games=4, turns=3)


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    league = League(CONFIG)
    league.iterate()
    return through_the_disk(league, tmp_path_factory.mktemp("run"))


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"game": experiments.GAMES["reduced 3"]}, "game"),
        ({"network": experiments.NETWORK.model_copy(update={"global_width": 8})}, "network"),
        ({"rollout": RolloutConfig(games=5, turns=3)}, "rollout"),
        ({"rollout": RolloutConfig(games=4, turns=3, reward="win")}, "rollout"),
        ({"seed": 1}, "seed"),
    ],
)
def test_another_experiment_is_refused(
    checkpoint: Checkpoint, change: dict[str, Any], part: str
) -> None:
    with pytest.raises(RunError, match=rf"{part} .*was changed since the run began, expected .*"):
        from_checkpoint(CONFIG.model_copy(update=change), checkpoint)


def test_budget_measuring_and_hyperparameters_may_change(checkpoint: Checkpoint) -> None:
    longer = CONFIG.model_copy(
        update={
            "name": "longer",
            "budget": BudgetConfig(decisions=20_000),
            "evaluation": EvaluationConfig(opponents=("random",)),
            "ppo": CONFIG.ppo.model_copy(update={"learning_rate": 1e-3}),
        }
    )
    league = from_checkpoint(longer, checkpoint)
    assert league.progress == checkpoint.step / 20_000
    rate = league.iterate()["schedule/learning_rate"]
    assert rate == pytest.approx(1e-3 * (1 - 0.95 * checkpoint.step / 20_000))


@pytest.mark.parametrize("group", [OPTIMIZER, GAMES, CARRIED, POOL])
def test_no_part_is_silently_begun_anew(checkpoint: Checkpoint, group: str) -> None:
    tensors = {name: part for name, part in checkpoint.tensors.items() if name != group}
    with pytest.raises(CheckpointError, match=f"cannot be resumed from: '{group}'"):
        from_checkpoint(CONFIG, dataclasses.replace(checkpoint, tensors=tensors))


@pytest.mark.parametrize("part", ["random", "optimizer_groups", "tallies", "slots", "turns", POOL])
def test_no_state_is_silently_begun_anew(checkpoint: Checkpoint, part: str) -> None:
    state = {name: value for name, value in checkpoint.state.items() if name != part}
    with pytest.raises(CheckpointError, match=f"cannot be resumed from: '{part}'"):
        from_checkpoint(CONFIG, dataclasses.replace(checkpoint, state=state))


@pytest.mark.parametrize(
    "counter", ["iteration", "decisions", "games", "seconds", "next_game_id", "time"]
)
def test_no_counter_is_silently_begun_anew(checkpoint: Checkpoint, counter: str) -> None:
    counters = {name: value for name, value in checkpoint.counters.items() if name != counter}
    with pytest.raises(CheckpointError, match=f"cannot be resumed from: '{counter}'"):
        from_checkpoint(CONFIG, dataclasses.replace(checkpoint, counters=counters))


def test_games_that_cannot_be_are_refused(checkpoint: Checkpoint) -> None:
    """Kernels would take a size in a row for granted and write wherever it leads."""
    rows = checkpoint.tensors[GAMES]["rows"].clone()
    rows[2, 0] = 200
    games = {**checkpoint.tensors[GAMES], "rows": rows}
    tensors = {**checkpoint.tensors, GAMES: games}
    message = "cannot be resumed from: saved game 2: its num_players cannot be"
    with pytest.raises(CheckpointError, match=message):
        from_checkpoint(CONFIG, dataclasses.replace(checkpoint, tensors=tensors))


@pytest.mark.parametrize("rows", [3, 5])
def test_games_of_another_number_are_refused(checkpoint: Checkpoint, rows: int) -> None:
    games = {
        "rows": torch.from_numpy(np.resize(checkpoint.tensors[GAMES]["rows"].numpy(), (rows, 9))),
        "game_ids": torch.arange(rows),
        "seating": torch.full((rows, 2), -1),
    }
    tensors = {**checkpoint.tensors, GAMES: games}
    with pytest.raises(CheckpointError, match=rf"games: rows of shape \({rows}, 9\): expected"):
        from_checkpoint(CONFIG, dataclasses.replace(checkpoint, tensors=tensors))
