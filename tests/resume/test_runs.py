"""Run folders: made, never overwritten by accident, resumed without doubled rows."""

import dataclasses
import json
import platform
from pathlib import Path
from typing import Any

import pytest
import yaml
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from arboretum_agents.neural.network_config import NetworkConfig
from arboretum_env.config import GameConfig
from arboretum_env.errors import CheckpointError, RunError
from arboretum_training.checkpoint import save_checkpoint
from arboretum_training.config import BudgetConfig, ExperimentConfig, RolloutConfig, Sb3Config
from arboretum_training.metrics import MetricsLog
from arboretum_training.runs import (
    RunFolder,
    create_run,
    open_run,
    resume_run,
    truncate_metrics,
)
from tests.resume.tiny_run import make_checkpoint

CONFIG = ExperimentConfig(name="tiny", seed=3, budget=BudgetConfig(decisions=1000))
COMMAND = ["arboretum", "train", "configs/tiny.yaml"]


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return create_run(tmp_path / "runs", CONFIG, COMMAND)


def save(run: RunFolder, step: int) -> None:
    config = run.load_config().model_dump(mode="json")
    save_checkpoint(run.path, dataclasses.replace(make_checkpoint(step), config=config), keep=3)


def log(run: RunFolder, steps: list[int], resumed_step: int | None = None) -> None:
    with MetricsLog(run.metrics_file, run.tensorboard, resumed_step=resumed_step) as metrics:
        for step in steps:
            metrics.log(step, {"loss/value": step / 8})


def rows(run: RunFolder) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run.metrics_file.read_text().splitlines()]


def test_a_new_run_has_its_folders_and_its_experiment(run: RunFolder) -> None:
    assert run.path.name == "tiny"
    assert {path.name for path in run.path.iterdir()} == {
        "config.yaml",
        "meta.json",
        "tb",
        "checkpoints",
        "eval",
        "games",
    }
    assert run.load_config() == CONFIG
    resolved = yaml.safe_load(run.config_file.read_text())
    assert resolved["game"]["species"] == "CDJVLG"
    assert open_run(run.path) == run


def test_the_launch_is_recorded_without_the_hosts_name(run: RunFolder) -> None:
    (launch,) = run.load_launches()
    assert launch["command"] == COMMAND
    assert launch["resumed_step"] is None
    assert launch["versions"]["python"] == platform.python_version()
    assert launch["versions"].keys() >= {"arboretum-lab", "numpy", "torch", "rules"}
    assert launch["machine"]["cpus"] >= 1
    assert launch["machine"].keys() == {
        "system",
        "architecture",
        "processor",
        "cpus",
        "memory_gib",
        "accelerator",
    }
    assert launch["started"].endswith("+00:00")
    assert platform.node() not in launch["machine"].values()


def test_a_run_is_not_overwritten_unless_asked(run: RunFolder) -> None:
    (run.games / "one.arb").write_text("a game")
    with pytest.raises(RunError, match="exists already: choose another --name, go on with"):
        create_run(run.path.parent, CONFIG, COMMAND)
    assert (run.games / "one.arb").exists()
    again = create_run(run.path.parent, CONFIG, COMMAND, overwrite=True)
    assert again == run
    assert list(run.games.iterdir()) == []


def test_a_run_of_a_library_is_not_said_to_go_on(tmp_path: Path) -> None:
    config = Sb3Config(name="borrowed")
    create_run(tmp_path, config, COMMAND)
    with pytest.raises(RunError) as told:
        create_run(tmp_path, config, COMMAND)
    assert str(told.value) == (
        f"{tmp_path / 'borrowed'}: exists already: choose another --name or replace it with "
        "--overwrite"
    )


def test_what_is_no_run_is_never_deleted(tmp_path: Path) -> None:
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "thesis.tex").write_text("years of work")
    with pytest.raises(RunError, match=r"is no run folder: expected config\.yaml"):
        create_run(tmp_path, CONFIG, COMMAND, overwrite=True)
    assert (tmp_path / "tiny" / "thesis.tex").read_text() == "years of work"
    (tmp_path / "file").write_text("x")
    with pytest.raises(RunError, match="is no run folder"):
        create_run(tmp_path, CONFIG.model_copy(update={"name": "file"}), COMMAND, overwrite=True)


def test_an_empty_folder_may_become_a_run(tmp_path: Path) -> None:
    (tmp_path / "tiny").mkdir()
    assert create_run(tmp_path, CONFIG, COMMAND).load_config() == CONFIG


def test_a_place_where_no_run_can_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot be made: Not a directory"):
        create_run(tmp_path / "file", CONFIG, COMMAND)


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path, run: RunFolder) -> None:
    with pytest.raises(RunError, match=r"is no run folder: expected config\.yaml in it"):
        open_run(tmp_path)
    run.meta_file.unlink()
    with pytest.raises(RunError, match=r"is no run folder: expected meta\.json in it"):
        open_run(run.path)


def test_resuming_takes_back_what_came_after_the_checkpoint(run: RunFolder) -> None:
    log(run, [10, 20])
    save(run, 20)
    run.save_evaluation(20, [{"deals": 1}])
    log(run, [30, 40])
    run.save_evaluation(40, [{"deals": 2}])
    with run.metrics_file.open("a") as file:
        file.write('{"step": 50, "loss/va')  # killed while writing

    resumed, checkpoint = resume_run(run.path, CONFIG, [*COMMAND, "--resume"])
    assert resumed == run
    assert checkpoint.step == 20
    assert rows(run) == [{"step": 10, "loss/value": 1.25}, {"step": 20, "loss/value": 2.5}]
    assert run.load_evaluations() == {20: [{"deals": 1}]}
    assert [launch["resumed_step"] for launch in run.load_launches()] == [None, 20]

    log(run, [30, 40], resumed_step=20)
    assert [row["step"] for row in rows(run)] == [10, 20, 30, 40]
    events = EventAccumulator(str(run.tensorboard)).Reload().Scalars("loss/value")
    assert [(event.step, event.value) for event in events] == [
        (10, 1.25),
        (20, 2.5),
        (30, 3.75),
        (40, 5.0),
    ]


@pytest.mark.parametrize("stamp", ["0000000001.host.1.9", "9999999999.host.99999.9"])
def test_curves_are_in_order_whatever_the_clock_said(run: RunFolder, stamp: str) -> None:
    log(run, [10, 20, 30])
    (file,) = run.tensorboard.iterdir()
    file.rename(file.with_name(f"events.out.tfevents.{stamp}"))
    for step in (20, 30):
        log(run, [step], resumed_step=10)
    events = EventAccumulator(str(run.tensorboard)).Reload().Scalars("loss/value")
    assert [event.step for event in events] == [10, 30]


def test_resuming_twice_changes_nothing_more(run: RunFolder) -> None:
    log(run, [10, 20, 30])
    save(run, 20)
    resume_run(run.path, run.load_config(), COMMAND)
    before = run.metrics_file.read_bytes()
    resume_run(run.path, run.load_config(), COMMAND)
    assert run.metrics_file.read_bytes() == before


def test_a_run_without_a_checkpoint_cannot_be_resumed(run: RunFolder) -> None:
    with pytest.raises(RunError, match="has no checkpoint to resume from"):
        resume_run(run.path, run.load_config(), COMMAND)


def test_a_damaged_checkpoint_is_not_resumed_and_nothing_is_taken_back(run: RunFolder) -> None:
    log(run, [10, 20, 30])
    save(run, 20)
    (run.checkpoints / "000000000020" / "weights.safetensors").write_bytes(b"")
    with pytest.raises(CheckpointError, match="truncated to 0 bytes"):
        resume_run(run.path, run.load_config(), COMMAND)
    assert [row["step"] for row in rows(run)] == [10, 20, 30]


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"game": GameConfig(num_players=3)}, "game"),
        ({"game": GameConfig(cancel_eights=False)}, "game"),
        ({"network": NetworkConfig(global_width=64)}, "network"),
        ({"rollout": RolloutConfig(games=64)}, "rollout"),
        ({"rollout": RolloutConfig(reward="win")}, "rollout"),
        ({"seed": 4}, "seed"),
    ],
)
def test_another_experiment_is_refused_and_changes_nothing(
    run: RunFolder, change: dict[str, Any], part: str
) -> None:
    log(run, [10, 20, 30])
    save(run, 20)
    before = {path: path.read_bytes() for path in run.path.glob("*.*")}
    with pytest.raises(RunError) as error:
        resume_run(run.path, CONFIG.model_copy(update=change), COMMAND)
    assert str(error.value).startswith(f"{part} ")
    assert "was changed since the run began, expected " in str(error.value)
    assert "\n" not in str(error.value)
    assert {path: path.read_bytes() for path in run.path.glob("*.*")} == before


def test_a_longer_budget_may_be_asked_for_and_is_kept(run: RunFolder) -> None:
    save(run, 20)
    longer = CONFIG.model_copy(update={"budget": BudgetConfig(decisions=2000), "threads": 2})
    resumed, checkpoint = resume_run(run.path, longer, COMMAND)
    assert resumed.load_config() == longer
    assert checkpoint.config["budget"]["decisions"] == 1000


@pytest.mark.parametrize("line", ["nonsense", "[1]", '{"loss/value": 1}', '{"step": "9"}', ""])
def test_a_log_that_is_damaged_inside_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "metrics.jsonl"
    path.write_text(f'{{"step": 1}}\n{line}\n{{"step": 2}}\n')
    with pytest.raises(RunError, match="line 2: expected a JSON object with its step"):
        truncate_metrics(path, 1)
    assert path.read_text().count("\n") == 3


def test_a_missing_log_is_no_fault(tmp_path: Path) -> None:
    truncate_metrics(tmp_path / "metrics.jsonl", 5)
    assert list(tmp_path.iterdir()) == []
