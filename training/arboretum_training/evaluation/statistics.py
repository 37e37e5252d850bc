"""Intervals for what an evaluation reports. The deal is the unit everywhere.

The games of one deal share its cards, so they are not independent: counting them as if they were
would claim a precision that is not there (or, where seat rotation cancels the luck of the cards,
hide one that is). ``D`` denotes deals and ``G`` the games an agent played.

Which interval is used where:

* **Win rates**: Wilson's score interval, on the effective number of games of ``effective_games``.
  It stays inside [0, 1], and keeps a width when an agent won everything or played one deal.
* **Margins** and every other difference of scores: the paired bootstrap over deals,
  ``bootstrap_interval``, of the values' deal means. Both sides of a difference come from the same
  resampled deals; that is what makes it paired.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special  # scipy.stats takes a second to import

LEVEL: Final = 0.95
RESAMPLES: Final = 9_999
_CHUNK: Final = 1 << 16  # resampled values at a time: 64 Ki of them stay in the cache
_FEW: Final = 32  # deals a value from which counting values beats drawing deals
_ALIKE: Final = 1e-9  # sums of thirds in another order differ by rounding only


class Interval(NamedTuple):
    """A confidence interval, ends included."""

    low: float
    high: float


def wilson_interval(proportion: float, trials: float, level: float = LEVEL) -> Interval:
    """Wilson's score interval of a proportion.

    Source: Wilson, Probable inference, the law of succession, and statistical inference, Journal
    of the American Statistical Association 22 (1927).

    Args:
        proportion: observed share, 0..1; shared wins may make it any fraction.
        trials: number of independent trials, > 0; need not be whole.
        level: confidence level.

    Raises:
        ValueError: a proportion outside 0..1, or no trials.

    >>> low, high = wilson_interval(0.5, 100)
    >>> round(low, 4), round(high, 4)
    (0.4038, 0.5962)
    """
    if not 0.0 <= proportion <= 1.0:
        raise ValueError(f"proportion {proportion}: expected 0..1")
    if trials <= 0:
        raise ValueError(f"{trials} trials: expected more than 0")
    z2 = float(special.ndtri(0.5 + level / 2)) ** 2
    center = (proportion + z2 / (2 * trials)) / (1 + z2 / trials)
    variance = proportion * (1 - proportion) / trials + z2 / (4 * trials**2)
    half = z2**0.5 * variance**0.5 / (1 + z2 / trials)
    # At 0 and 1 the ends are exact; rounding must not put them a hair outside.
    low = 0.0 if proportion == 0.0 else max(0.0, center - half)
    high = 1.0 if proportion == 1.0 else min(1.0, center + half)
    return Interval(low, high)


def effective_games(deal_shares: ArrayLike, games_per_deal: int) -> float:
    """How many independent games carry as much information as these deals did.

    An independent game whose share of the win lies in [0, 1] has a variance of at most p(1 - p);
    the mean of ``n`` of them p(1 - p) / n. Equating that with the variance that the deal means
    really show gives ``n = D p(1 - p) / s2``, the design effect of cluster sampling.
    ``n`` is kept between D (the games of a deal tell no more than one of them) and the number of
    games, so pairing never claims more than what was played. Deals that are all alike, or one
    deal, show no variance to judge by: each then counts as one trial.

    Source: Kish, Survey Sampling (1965); Dean and Pagano, Evaluating confidence
    interval methods for binomial proportions in clustered surveys (2015), for Wilson's interval
    with it.

    Args:
        deal_shares: [D] mean share of the win over a deal's games, 0..1.
        games_per_deal: games that each mean was taken over.
    """
    shares = np.asarray(deal_shares, np.float64)
    deals = len(shares)
    if deals < 2 or np.ptp(shares) < _ALIKE:
        return float(deals)
    mean = float(shares.mean())
    games = deals * mean * (1 - mean) / float(shares.var(ddof=1))
    return float(np.clip(games, deals, deals * games_per_deal))


def win_rate_interval(
    deal_shares: ArrayLike, games_per_deal: int, seats_held: float = 1.0, level: float = LEVEL
) -> Interval:
    """Interval of an agent's win rate per seat that it occupied.

    A game has one win to share out, so an agent that holds k seats of it wins at most 1/k per seat.
    The interval is that of its share of the game, divided by k: the intervals of two agents
    that share a table mirror each other.

    Args:
        deal_shares: [D] mean over a deal's games of the share of the win that went to the agent,
            whichever of its seats won it, 0..1.
        games_per_deal: games of a deal in which the agent sat.
        seats_held: mean number of seats that it held in those games.
        level: confidence level.
    """
    shares = np.asarray(deal_shares, np.float64)
    trials = effective_games(shares, games_per_deal)
    low, high = wilson_interval(float(np.clip(shares.mean(), 0.0, 1.0)), trials, level)
    return Interval(low / seats_held, high / seats_held)


def bootstrap_interval(
    deal_values: ArrayLike, seed: int, level: float = LEVEL, resamples: int = RESAMPLES
) -> Interval | None:
    """Bootstrap interval of a mean over deals, by resampling deals.

    The expanded percentile interval: a plain percentile interval is too narrow by the factor
    sqrt((D - 1) / D) z / t when D is small, so its tails are moved out by as much.

    Source: Hesterberg, What teachers should know about the bootstrap, The American Statistician 69
    (2015).

    Args:
        deal_values: [D] one number a deal.
        seed: of this interval's own generator; equal seeds give equal intervals.
        level: confidence level.
        resamples: bootstrap samples.

    Returns:
        The interval, or ``None`` below two deals: one deal says nothing about the spread of deals.
    """
    values = np.asarray(deal_values, np.float64)
    deals = len(values)
    if deals < 2:
        return None
    tail = percentile_tail(deals, level)
    means = _resampled_means(values, np.random.default_rng(seed), resamples)
    low, high = np.quantile(means, (tail, 1 - tail))
    return Interval(float(low), float(high))


def percentile_tail(deals: int, level: float = LEVEL) -> float:
    """Share of bootstrap samples beyond each end of an expanded percentile interval.

    Args:
        deals: how many are resampled, at least 2.
        level: confidence level.
    """
    t = float(special.stdtrit(deals - 1, 0.5 + level / 2))
    return float(special.ndtr(-((deals / (deals - 1)) ** 0.5) * t))


def _resampled_means(
    values: NDArray[np.float64], rng: np.random.Generator, resamples: int
) -> NDArray[np.float64]:
    """[resamples] means of resampled deals, some samples at a time."""
    deals = len(values)
    means = np.empty(resamples)
    different, counts = np.unique(values, return_counts=True)
    if len(different) * _FEW <= deals:
        # How often each value is drawn is multinomial, and soon drawn where there are few values.
        return rng.multinomial(deals, counts / deals, size=resamples) @ different / deals
    some = max(1, _CHUNK // deals)
    for start in range(0, resamples, some):
        part = means[start : start + some]
        part[:] = values[rng.integers(deals, size=(len(part), deals))].mean(axis=1)
    return means
