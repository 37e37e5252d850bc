"""Which policies of the past are kept, and which one is met."""

import dataclasses
from pathlib import Path

import pytest

from arboretum_agents.neural.checkpoint_reader import read_checkpoint
from arboretum_training.past import (
    KEPT,
    choose_past,
    forget_past,
    keep_past,
    past_policies,
    thin_past,
)
from tests.resume.tiny_run import make_checkpoint


def keep(folder: Path, number: int, step: int) -> None:
    """A folder of the name that ``keep_past`` gives it, without the time of a whole checkpoint."""
    (folder / f"{number:06d}-{step:012d}").mkdir(parents=True)


def numbers(folder: Path) -> list[int]:
    return [policy.number for policy in past_policies(folder)]


def test_a_policy_is_a_checkpoint_that_says_its_number_and_step(tmp_path: Path) -> None:
    checkpoint = dataclasses.replace(make_checkpoint(1), step=4096)
    keep_past(tmp_path / "past", 3, checkpoint)
    keep_past(tmp_path / "past", 3, checkpoint)  # a killed run may have left it
    [policy] = past_policies(tmp_path / "past")
    assert (policy.number, policy.step) == (3, 4096)
    assert policy.path == tmp_path / "past" / "000003-000000004096"
    assert read_checkpoint(policy.path).step == 4096


def test_without_a_folder_there_is_no_past(tmp_path: Path) -> None:
    assert past_policies(tmp_path / "past") == []
    assert choose_past(tmp_path / "past", 1, 100, 0.5) is None
    thin_past(tmp_path / "past", 5)
    forget_past(tmp_path / "past", 5)


def test_the_nearest_to_the_share_is_met_and_never_oneself(tmp_path: Path) -> None:
    for number, step in ((1, 100), (2, 200), (3, 320)):
        keep(tmp_path, number, step)

    def met(step: int, share: float) -> int:
        chosen = choose_past(tmp_path, 4, step, share)
        assert chosen is not None
        return chosen.step

    assert met(400, 0.5) == 200
    assert met(400, 0.25) == 100
    assert met(400, 0.9) == 320
    assert met(500, 0.5) == 200  # 250 is nearer to 200 than to 320
    assert met(530, 0.5) == 320
    assert met(320, 0.99) == 200  # not the one of this very step
    assert choose_past(tmp_path, 1, 100, 0.5) is None


def test_few_are_kept_and_one_is_always_near(tmp_path: Path) -> None:
    """A hundred measurements, thinned after each: never many, and half the way back is there."""
    for number in range(1, 101):
        chosen = choose_past(tmp_path, number, 10 * number, 0.5)
        if number > 1:
            assert chosen is not None
            assert abs(chosen.step / (10 * number) - 0.5) <= 0.5 / number + 1 / KEPT
        keep(tmp_path, number, 10 * number)
        thin_past(tmp_path, number)
        assert len(numbers(tmp_path)) <= KEPT
    assert numbers(tmp_path) == list(range(8, 101, 8))


@pytest.mark.parametrize("saved", [15, 20, 40])
def test_a_run_that_is_resumed_meets_the_same_ones(tmp_path: Path, saved: int) -> None:
    """Whenever it was thinned: what is done again finds what it would have found."""

    def go(folder: Path, first: int, last: int, thinned: int) -> list[int]:
        met = []
        for number in range(first, last + 1):
            chosen = choose_past(folder, number, 10 * number, 0.5)
            met.append(-1 if chosen is None else chosen.step)
            keep(folder, number, 10 * number)
            if number == thinned:
                thin_past(folder, number)
        return met

    unbroken = go(tmp_path / "unbroken", 1, 80, 0)
    broken = go(tmp_path / "broken", 1, 70, saved)
    assert broken == unbroken[:70]
    forget_past(tmp_path / "broken", 10 * saved)
    assert max(numbers(tmp_path / "broken")) <= saved
    assert go(tmp_path / "broken", saved + 1, 80, 0) == unbroken[saved:]


def test_what_came_after_a_step_is_forgotten(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        keep(tmp_path, number, 10 * number)
    (tmp_path / "notes").mkdir()
    forget_past(tmp_path, 20)
    assert numbers(tmp_path) == [1, 2]
    assert (tmp_path / "notes").is_dir()
