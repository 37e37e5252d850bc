"""TensorBoard reads what is written: at once, launches in order, without what was taken back."""

from pathlib import Path

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from arboretum_training.event_file import EventFile


def curve(folder: Path, name: str) -> list[tuple[int, float]]:
    events = EventAccumulator(str(folder)).Reload().Scalars(name)
    return [(event.step, event.value) for event in events]


def write(folder: Path, steps: list[int], resumed_step: int | None = None) -> None:
    file = EventFile(folder, resumed_step=resumed_step)
    for step in steps:
        file.add(step, {"loss/policy": step / 4, "loss/value": -step / 4})
    file.close()


def test_a_row_is_there_before_the_file_is_closed(tmp_path: Path) -> None:
    file = EventFile(tmp_path / "tb")
    file.add(5, {"loss/policy": 0.5, "loss/value": 0.25})
    assert curve(tmp_path / "tb", "loss/policy") == [(5, 0.5)]
    assert curve(tmp_path / "tb", "loss/value") == [(5, 0.25)]
    file.close()


def test_labels_stay_as_they_are(tmp_path: Path) -> None:
    file = EventFile(tmp_path)
    name = "evaluation/win_rate/search:simulations=64"
    file.add(1, {name: 0.5})
    file.close()
    assert EventAccumulator(str(tmp_path)).Reload().Tags()["scalars"] == [name]


def test_a_resumed_run_hides_what_it_does_again(tmp_path: Path) -> None:
    write(tmp_path, [1, 2, 3, 4])
    write(tmp_path, [3, 4, 5], resumed_step=2)
    assert [step for step, _ in curve(tmp_path, "loss/policy")] == [1, 2, 3, 4, 5]
    write(tmp_path, [5, 6], resumed_step=4)
    assert [step for step, _ in curve(tmp_path, "loss/policy")] == [1, 2, 3, 4, 5, 6]


def test_resumed_at_the_very_beginning(tmp_path: Path) -> None:
    write(tmp_path, [1, 2])
    write(tmp_path, [1, 2], resumed_step=0)
    assert [step for step, _ in curve(tmp_path, "loss/policy")] == [1, 2]


@pytest.mark.parametrize("launches", [12])
def test_many_launches_are_read_in_order(tmp_path: Path, launches: int) -> None:
    for number in range(launches):
        write(tmp_path, [number + 1], resumed_step=number)
    assert [step for step, _ in curve(tmp_path, "loss/policy")] == list(range(1, launches + 1))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"events.out.tfevents.{number:010}" for number in range(launches)
    ]
