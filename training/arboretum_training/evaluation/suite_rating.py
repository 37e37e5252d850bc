"""An agent's rating on the ladder's scale, from its games against the rungs.

The rungs' ratings stand fixed, and the agent's is the one at which the model of ``rating`` expects
as many better places as the agent had: the maximum of the likelihood. Each rung is credited with
one more comparison, drawn, as everywhere. ``D`` denotes deals, ``K`` rungs, ``S`` resamples.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_training.evaluation.rating import PER_FACTOR_10, RESAMPLES, Rating
from arboretum_training.evaluation.statistics import Interval, percentile_tail

_DRAWN: Final = 0.5
_REACH: Final = 4_000.0  # rating points beyond the weakest and the strongest rung: odds of 10**10
_HALVINGS: Final = 60


def rate_against(
    ahead: NDArray[np.float64],
    pairs: NDArray[np.float64],
    ratings: NDArray[np.float64],
    seed: int,
) -> Rating:
    """The agent's rating.

    Args:
        ahead: [D, K] how often it had the better place than the rung's seats, half for equal ones.
        pairs: [D, K] out of how many comparisons.
        ratings: [K] of the rungs.
        seed: of the bootstrap's own generator, which resamples deals, at all rungs together.
    """
    rating = _solve(ahead.sum(axis=0)[None], pairs.sum(axis=0)[None], ratings)[0]
    deals = len(ahead)
    if deals < 2:
        return Rating(float(rating), None)
    rng = np.random.default_rng(seed)
    weights = np.array(
        [np.bincount(rng.integers(deals, size=deals), minlength=deals) for _ in range(RESAMPLES)]
    )
    samples = _solve(weights @ ahead, weights @ pairs, ratings)
    tail = percentile_tail(deals)
    low, high = np.quantile(samples, (tail, 1 - tail))
    return Rating(float(rating), Interval(float(low), float(high)))


def _solve(
    ahead: NDArray[np.float64], pairs: NDArray[np.float64], ratings: NDArray[np.float64]
) -> NDArray[np.float64]:
    """[S] ratings from [S, K] sums; what is expected grows with the rating, so halving finds it."""
    won, all_ = ahead + _DRAWN, pairs + 2 * _DRAWN
    low = np.full(len(ahead), ratings.min() - _REACH)
    high = np.full(len(ahead), ratings.max() + _REACH)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        expected = all_ / (1 + 10 ** ((ratings - middle[:, None]) / PER_FACTOR_10))
        short = expected.sum(axis=1) < won.sum(axis=1)
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    solved: NDArray[np.float64] = (low + high) / 2
    return solved
