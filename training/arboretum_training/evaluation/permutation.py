"""How often luck alone makes a difference this large: a sign-flip permutation test over deals.

The null hypothesis is that two agents are interchangeable. Duplicate deals seat both in both roles
on the same cards, so trading their names changes the sign of a deal's difference and nothing else:
under the null hypothesis every pattern of signs was equally likely. The test asks how many patterns
have a mean at least as far from zero as the one that was seen. Deals are the unit, never games.

At tables where the agents cannot simply trade seats (one of A against several of B), a deal's
difference need not be symmetric about zero even between equals; the test is then right for many
deals, by the central limit theorem, like a t test.
"""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

RESAMPLES: Final = 9_999
MAX_PATTERNS: Final = 1 << 17
_ALIKE: Final = 1e-9  # sums of thirds in another order differ by rounding only
_CHUNK: Final = 1 << 20


def permutation_p_value(deal_values: ArrayLike, seed: int, resamples: int = RESAMPLES) -> float:
    """Two-sided p-value of the hypothesis that a mean over deals is 0, by flipping signs.

    Differences of equal size are interchangeable, so a pattern of signs is how many of each size
    are positive, which is binomial. Where there are at most ``MAX_PATTERNS`` such patterns (any 17
    deals, or any number of deals with few different values) all are gone through and the p-value
    is exact. Otherwise patterns are sampled; the observed one counts as one of them, so that the
    p-value is valid for any number of samples and never 0.

    Source: Fisher, The Design of Experiments (1935), section 21; Phipson and Smyth, Permutation
    p-values should never be zero, Statistical Applications in Genetics and Molecular Biology 9
    (2010), for the sampled one.

    Args:
        deal_values: [D] one difference a deal, e.g. its mean margin, or its win rate less 1/P.
        seed: of this test's own generator; equal seeds give equal p-values.
        resamples: patterns to sample where there are too many.

    Returns:
        The p-value, 0 < p <= 1; 1 where no deal makes a difference.

    Raises:
        ValueError: no deals, or a difference that is not finite.

    >>> round(permutation_p_value([2.0, 1.0, 3.0, 1.0, 2.0], seed=0), 6)  # two of the 32 patterns
    0.0625
    """
    values = np.asarray(deal_values, np.float64)
    if not values.size or not np.isfinite(values).all():
        raise ValueError("differences of deals: expected at least one, and all finite")
    observed = abs(float(values.sum())) - _ALIKE * len(values)
    sizes, counts = np.unique(np.round(np.abs(values) / _ALIKE), return_counts=True)
    sizes, counts = sizes[sizes > 0] * _ALIKE, counts[sizes > 0]  # the sign of a zero is nothing
    if np.log(counts + 1.0).sum() <= np.log(float(MAX_PATTERNS)):
        return _exact(sizes, counts, observed)
    rng = np.random.default_rng(seed)
    beyond, left = 0, resamples
    while left:
        some = min(left, max(1, _CHUNK // len(sizes)))
        positive = rng.binomial(counts, 0.5, size=(some, len(sizes)))
        beyond += int((np.abs((2 * positive - counts) @ sizes) >= observed).sum())
        left -= some
    return (beyond + 1) / (resamples + 1)


def _exact(sizes: NDArray[np.float64], counts: NDArray[np.int64], observed: float) -> float:
    """The chance of a sum at least as far from 0, over all patterns."""
    sums, chances = np.zeros(1), np.ones(1)
    for size, count in zip(sizes, counts, strict=True):
        positive = np.arange(count + 1)
        sums = np.add.outer(sums, size * (2 * positive - count)).ravel()
        ways = -np.log1p(count) - special.betaln(positive + 1, count - positive + 1)
        chances = np.outer(chances, np.exp(ways - count * np.log(2.0))).ravel()
    return min(1.0, float(chances[np.abs(sums) >= observed].sum()))
