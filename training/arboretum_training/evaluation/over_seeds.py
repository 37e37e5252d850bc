"""Training methods compared: the seed of a training is the unit, never a game or a deal.

Two policies of one method differ by more than their games do, and what is asked of a method is what
it gives the next time. So every seed is boiled down to one number first; playing more games makes
that number exact, and leaves the spread of seeds as wide as it is.

Means and their intervals: ``statistics.bootstrap_interval`` with seeds in the place of deals, which
for few seeds reaches about as far as Student's t. ``K`` denotes seeds.

Source: Henderson and others, Deep reinforcement learning that matters (2018); Agarwal and others,
Deep reinforcement learning at the edge of the statistical precipice (2021).
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from arboretum_training.evaluation.statistics import (
    RESAMPLES,
    Interval,
    bootstrap_interval,
    percentile_tail,
)

ENOUGH_SEEDS: Final = 5
"""Fewer say too little about a method: such a comparison is marked as unofficial."""


class SeedMean(NamedTuple):
    """A figure of a method: the mean over its seeds, and its 95 % interval (none for one seed)."""

    mean: float
    ci95: Interval | None


class Difference(NamedTuple):
    """A method's mean less another's, its 95 % interval, and the p-value of there being none."""

    mean: float
    ci95: Interval | None
    p_value: float


def seed_scores(values: Sequence[ArrayLike]) -> NDArray[np.float64]:
    """[K] one number a seed: the mean of its games' or deals' values, however many they are."""
    return np.array([float(np.mean(np.asarray(part, np.float64))) for part in values])


def mean_over_seeds(scores: ArrayLike, seed: int, resamples: int = RESAMPLES) -> SeedMean:
    """The mean of a method.

    Args:
        scores: [K] one number a seed.
        seed: of the bootstrap's own generator.
        resamples: bootstrap samples.
    """
    values = np.asarray(scores, np.float64)
    return SeedMean(float(values.mean()), bootstrap_interval(values, seed, resamples=resamples))


def difference(ours: ArrayLike, theirs: ArrayLike, seed: int) -> Difference:
    """The first method less the second; seeds of both are resampled, each on their own.

    The p-value is that of a permutation test that deals the seeds out to the two methods anew: all
    ways where they are few, or a sample of them.

    Args:
        ours: [K] one number a seed.
        theirs: [K'] likewise.
        seed: of the generators.
    """
    first, second = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
    gap = float(first.mean() - second.mean())
    fewest = min(len(first), len(second))
    if fewest < 2:
        return Difference(gap, None, 1.0)
    rng = np.random.default_rng(seed)
    gaps = _resampled_means(first, rng) - _resampled_means(second, rng)
    tail = percentile_tail(fewest)
    low, high = np.quantile(gaps, (tail, 1 - tail))
    test = stats.permutation_test(
        (first, second), _gap, permutation_type="independent", n_resamples=RESAMPLES, rng=rng
    )
    return Difference(gap, Interval(float(low), float(high)), float(test.pvalue))


def on_grid(
    curves: Sequence[tuple[ArrayLike, ArrayLike]], points: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Curves of several seeds at common places, straight between their own points.

    Args:
        curves: of every seed, steps (ascending) and the scores there. points: how many places; the
        last is the earliest end of a curve, the first the latest start.

    Returns:
        [points] steps, and [K, points] scores.
    """
    steps = [np.asarray(part, np.float64) for part, _ in curves]
    grid = np.linspace(max(part[0] for part in steps), min(part[-1] for part in steps), points)
    scores = [
        np.interp(grid, own, np.asarray(values, np.float64))
        for own, (_, values) in zip(steps, curves, strict=True)
    ]
    return grid, np.array(scores)


def _gap(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    return float(first.mean() - second.mean())


def _resampled_means(values: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    chosen = rng.integers(len(values), size=(RESAMPLES, len(values)))
    means: NDArray[np.float64] = values[chosen].mean(axis=1)
    return means
