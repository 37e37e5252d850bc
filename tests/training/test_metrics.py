"""The log takes what its table defines and nothing else."""

import json
import math
from pathlib import Path

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from arboretum_training.metrics import METRICS, MetricsLog, check_name


def test_rows_go_to_both_files(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    with MetricsLog(path, tmp_path / "tb") as log:
        log.log(100, {"loss/policy": -0.5, "games/win_rate/seat 0": 0.25})
        assert path.read_text().count("\n") == 1  # a reader sees a row at once
        log.log(200, {"loss/policy": 0.125, "value/explained_variance": math.nan})
    assert [json.loads(line) for line in path.read_text().splitlines()] == [
        {"step": 100, "loss/policy": -0.5, "games/win_rate/seat 0": 0.25},
        {"step": 200, "loss/policy": 0.125, "value/explained_variance": None},
    ]
    events = EventAccumulator(str(tmp_path / "tb")).Reload()
    assert [(e.step, e.value) for e in events.Scalars("loss/policy")] == [(100, -0.5), (200, 0.125)]


@pytest.mark.parametrize(
    "name",
    [
        "loss",
        "loss/polici",
        "loss/policy/x",
        "evaluation/win_rate",
        "evaluation/win_rate/",
        "",
        "step",
    ],
)
def test_a_name_that_is_not_defined_raises_and_writes_nothing(tmp_path: Path, name: str) -> None:
    path = tmp_path / "metrics.jsonl"
    with (
        MetricsLog(path, tmp_path / "tb") as log,
        pytest.raises(ValueError, match="is not defined: expected one of METRICS"),
    ):
        log.log(1, {"loss/policy": 1.0, name: 1.0})
    assert path.read_text() == ""


@pytest.mark.parametrize("opponent", ["greedy", "search:seconds=0.5", "runs/a/b"])
def test_a_label_may_be_any_agent(opponent: str) -> None:
    check_name(f"evaluation/win_rate/{opponent}")


def test_every_metric_is_defined_once_with_unit_and_meaning() -> None:
    names = [metric.name for metric in METRICS]
    assert len(names) == len(set(names)) > 20
    for metric in METRICS:
        assert metric.name.count("/") == 1
        assert metric.unit
        assert len(metric.meaning) > 10
