"""Annealing is a pure function of the run's progress."""

import pytest

from arboretum_training.schedules import linear


def test_linear_by_hand() -> None:
    assert [linear(2.0, 1.0, p) for p in (0.0, 0.25, 0.5, 1.0)] == [2.0, 1.75, 1.5, 1.0]


@pytest.mark.parametrize(("progress", "expected"), [(-0.5, 0.01), (1.0001, 0.006), (7.0, 0.006)])
def test_beyond_the_budget_the_nearer_end_holds(progress: float, expected: float) -> None:
    assert linear(0.01, 0.006, progress) == pytest.approx(expected)
