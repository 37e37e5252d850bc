"""The seed of a training is the unit: by hand, and whatever the number of games."""

import numpy as np
import pytest

from arboretum_training.evaluation.over_seeds import (
    difference,
    mean_over_seeds,
    on_grid,
    seed_scores,
)
from arboretum_training.evaluation.statistics import bootstrap_interval

SHARES = [np.array([1.0, 0.0, 0.5, 0.5]), np.array([1.0, 1.0, 0.5, 0.5]), np.array([0.25] * 4)]


def test_a_seed_is_one_number() -> None:
    assert seed_scores(SHARES).tolist() == [0.5, 0.75, 0.25]
    mean = mean_over_seeds(seed_scores(SHARES), 3)
    assert mean.mean == 0.5
    assert mean.ci95 == bootstrap_interval([0.5, 0.75, 0.25], 3)
    assert mean_over_seeds([0.5], 3) == (0.5, None)


@pytest.mark.parametrize("copies", [2, 100])
def test_more_games_of_the_same_do_not_narrow_the_interval(copies: int) -> None:
    once, often = seed_scores(SHARES), seed_scores([np.tile(part, copies) for part in SHARES])
    assert mean_over_seeds(often, 3) == mean_over_seeds(once, 3)
    assert difference(often, [0.1, 0.2], 3) == difference(once, [0.1, 0.2], 3)


def test_more_seeds_do() -> None:
    rng = np.random.default_rng(1)
    few, many = rng.normal(0.5, 0.1, 5), rng.normal(0.5, 0.1, 50)
    wide, narrow = mean_over_seeds(few, 1).ci95, mean_over_seeds(many, 1).ci95
    assert wide is not None and narrow is not None
    assert np.ptp(narrow) < np.ptp(wide) / 2


def test_intervals_of_five_seeds_cover() -> None:
    """Of 400 methods with five seeds each: binomial about 95 %, plainly short without expansion."""
    rng = np.random.default_rng(2)
    inside = 0
    for trial in range(400):
        interval = mean_over_seeds(rng.normal(0.5, 0.1, 5), trial).ci95
        assert interval is not None
        inside += interval.low <= 0.5 <= interval.high
    assert inside / 400 > 0.91


def test_a_difference_by_hand() -> None:
    gap = difference([0.9, 0.8, 1.0, 0.9, 0.9], [0.1, 0.2, 0.0, 0.1, 0.1], 4)
    assert gap.mean == pytest.approx(0.8)
    assert gap.ci95 is not None
    assert 0.6 < gap.ci95.low < 0.8 < gap.ci95.high < 1.0
    # Of the 252 ways to deal ten seeds out to two methods, two differ by as much.
    assert gap.p_value == pytest.approx(2 / 252)


def test_one_seed_says_nothing_of_a_difference() -> None:
    assert difference([0.9], [0.1, 0.2], 4) == (pytest.approx(0.75), None, 1.0)


def test_methods_that_are_alike_differ_as_often_as_they_may() -> None:
    rng = np.random.default_rng(5)
    p_values = [difference(*rng.normal(0.5, 0.1, (2, 5)), trial).p_value for trial in range(200)]
    assert 0.005 <= np.mean(np.array(p_values) <= 0.05) <= 0.11


def test_curves_meet_at_common_places() -> None:
    grid, scores = on_grid([([0, 100, 200], [0, 1, 1]), ([50, 250], [0.5, 0.9])], 4)
    assert grid.tolist() == [50, 100, 150, 200]
    assert scores == pytest.approx(np.array([[0.5, 1, 1, 1], [0.5, 0.6, 0.7, 0.8]]))
