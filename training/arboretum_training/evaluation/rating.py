"""Ratings: one strength an agent, from who came out ahead of whom.

The model is Plackett and Luce's: an agent of strength ``w`` takes the first place at a table with
probability ``w / sum of the table's w``, then the same among the rest. For two seats that is
Bradley and Terry's. One property carries all of this: of any two seats, whoever else sits there,
the first comes out ahead with probability ``w1 / (w1 + w2)``. So a game counts as the comparisons
of its pairs of seats (*full breaking*), which estimates the same strengths consistently and, unlike
the likelihood of whole rankings, takes ties and shared wins without a convention about their order.

* Places: winners before all others, the others by points. Points equal, or a win shared: half a
  comparison to each. With two players that is exactly the share of the win.
* Two seats of the same agent are not compared.
* A pair of agents that met is credited with one more comparison, drawn. So an agent that won
  everything has a finite rating. Counts matter, so this fades as games are played. (choix has
  ``alpha`` for that; it is a rate in its Markov chain, whose weight depends on the strengths.)
* The scale is Elo's: 400 points are odds of 10 to 1. The anchor has 1000; without one the mean has.
* Intervals: deals are resampled, all games of a deal together, whichever tables they were played
  at; then percentiles, expanded for few deals like those of ``statistics.bootstrap_interval``.

Sources: Plackett, The analysis of permutations (1975); Luce, Individual choice behavior (1959);
Bradley and Terry, Rank analysis of incomplete block designs (1952); Azari Soufiani, Chen, Parkes
and Xia, Generalized method-of-moments for rank aggregation (2013), for full breaking; Maystre and
Grossglauser, Fast and accurate inference of Plackett-Luce models (2015), for the algorithm, which
is that of choix. ``D`` denotes deals, ``N`` agents, ``K`` resamples.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_training.evaluation.evaluate import Games
from arboretum_training.evaluation.statistics import Interval, percentile_tail

ANCHOR_RATING: Final = 1000.0
PER_FACTOR_10: Final = 400.0
RESAMPLES: Final = 1_000
_DRAWN: Final = 0.5  # to each side of a pair that met
_MAX_ITERATIONS: Final = 100_000
_MAX_STEPS: Final = 200
_TOLERANCE: Final = 1e-8  # of a log strength


@dataclass(frozen=True)
class Rating:
    """An agent's rating.

    Attributes:
        rating: on Elo's scale.
        ci95: its 95 % interval; ``None`` below two deals. The anchor's has no width.
    """

    rating: float
    ci95: Interval | None


def deal_comparisons(games: Games, num_agents: int) -> NDArray[np.float64]:
    """Who came out ahead of whom, deal by deal.

    Args:
        games: their seating by global index, 0..N-1.
        num_agents: N.

    Returns:
        [D, N, N]: how often the row's agent was ahead of the column's, half for equal places. Deals
        are those that occur, ascending.
    """
    deals, rows = np.unique(games.deal_id, return_inverse=True)
    counts = np.zeros((len(deals), num_agents, num_agents))
    places = place_keys(games)
    players = games.seating.shape[1]
    for seat in range(players):
        for other in range(players):
            mine, theirs = games.seating[:, seat], games.seating[:, other]
            different = mine != theirs
            ahead = outcomes(places[:, seat], places[:, other])[different]
            np.add.at(counts, (rows[different], mine[different], theirs[different]), ahead)
    return counts


def place_keys(games: Games) -> NDArray[np.int64]:
    """[G, P] numbers that order the seats of a game: the higher, the better the place."""
    # A winner among equal points won by the tie-break, more different species.
    keys: NDArray[np.int64] = 2 * games.points + (games.win_shares > 0)
    return keys


def outcomes(mine: NDArray[np.int64], theirs: NDArray[np.int64]) -> NDArray[np.float64]:
    """1 where the first is ahead, 1/2 where the two are equal, else 0."""
    result: NDArray[np.float64] = (np.sign(mine - theirs) + 1) / 2
    return result


def fit_strengths(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Natural logarithms of the strengths, of mean 0.

    Args:
        counts: [N, N] how often the row's agent was ahead of the column's.

    Returns:
        [N]. Agents that no chain of meetings connects are not comparable: each such group has a
        mean of 0 of its own.
    """
    from choix import ilsr_pairwise_dense  # lazily: it brings networkx

    strengths = np.zeros(len(counts))
    met = (counts + counts.T) > 0
    credited = counts + _DRAWN * met
    for group in _connected(met):
        if len(group) > 1:
            fitted = ilsr_pairwise_dense(
                credited[np.ix_(group, group)], max_iter=_MAX_ITERATIONS, tol=_TOLERANCE
            )
            strengths[group] = fitted - fitted.mean()
    return strengths


def refit_strengths(counts: NDArray[np.float64], start: NDArray[np.float64]) -> NDArray[np.float64]:
    """``fit_strengths`` of many samples at once, from strengths that are nearly right.

    Newton's method on the log likelihood, which is concave; choix fits one sample at a time, and a
    thousand of them while a tournament runs would take longer than its games.

    Args:
        counts: [K, N, N].
        start: [N] of all of them together.

    Returns:
        [K, N].
    """
    everything = counts.sum(axis=0)
    met = (everything + everything.T) > 0  # in any sample, so that none falls apart
    credited = counts + _DRAWN * met
    strengths = np.tile(start, (len(counts), 1))
    for group in _connected(met):
        if len(group) > 1:
            part = credited[:, group[:, None], group]
            strengths[:, group] = _newton(part, strengths[:, group])
    return strengths


def _newton(counts: NDArray[np.float64], start: NDArray[np.float64]) -> NDArray[np.float64]:
    strengths: NDArray[np.float64] = start - start.mean(axis=1, keepdims=True)
    games = counts + counts.transpose(0, 2, 1)
    agents = counts.shape[1]
    diagonal = np.arange(agents)
    for _ in range(_MAX_STEPS):
        chances = 1 / (1 + np.exp(strengths[:, None, :] - strengths[:, :, None]))
        slope = (counts - games * chances).sum(axis=2)
        curvature = -games * chances * (1 - chances)
        curvature[:, diagonal, diagonal] = 0
        curvature[:, diagonal, diagonal] = -curvature.sum(axis=2)
        # Strengths count up to a constant; the added matrix pins their mean.
        step = np.linalg.solve(curvature + 1 / agents, slope[..., None])[..., 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        strengths = strengths + step / np.maximum(longest, 1)  # no leap over the top
        if longest.max() < _TOLERANCE:
            break
    return strengths


def rate(
    comparisons: NDArray[np.float64],
    seed: int,
    *,
    anchor: int | None = None,
    resamples: int = RESAMPLES,
) -> list[Rating]:
    """Ratings with intervals.

    Args:
        comparisons: [D, N, N], see ``deal_comparisons``; D may be 0.
        seed: of the bootstrap's own generator.
        anchor: index of the agent whose rating is ``ANCHOR_RATING``; ``None``: the mean is.
        resamples: bootstrap samples; 0: no intervals.
    """
    deals, agents, _ = comparisons.shape
    strengths = fit_strengths(comparisons.sum(axis=0))
    ratings = to_elo(strengths, anchor)
    if deals < 2 or resamples == 0:
        return [Rating(float(rating), None) for rating in ratings]
    rng = np.random.default_rng(seed)
    weights = np.array(
        [np.bincount(rng.integers(deals, size=deals), minlength=deals) for _ in range(resamples)]
    )
    counts = (weights @ comparisons.reshape(deals, -1)).reshape(-1, agents, agents)
    samples = to_elo(refit_strengths(counts, strengths), anchor)
    tail = percentile_tail(deals)
    ends = np.quantile(samples, (tail, 1 - tail), axis=0).T
    return [
        Rating(float(rating), Interval(float(low), float(high)))
        for rating, (low, high) in zip(ratings, ends, strict=True)
    ]


def to_elo(strengths: NDArray[np.float64], anchor: int | None) -> NDArray[np.float64]:
    """Logarithms of strengths [..., N] as ratings [..., N]; see ``rate`` for the anchor."""
    zero = strengths.mean(axis=-1) if anchor is None else strengths[..., anchor]
    above = (strengths - zero[..., None]) * PER_FACTOR_10 / np.log(10)
    ratings: NDArray[np.float64] = ANCHOR_RATING + above
    return ratings


def _connected(met: NDArray[np.bool_]) -> list[NDArray[np.int64]]:
    """Groups of agents that a chain of meetings connects."""
    from scipy.sparse.csgraph import connected_components

    number, labels = connected_components(met, directed=False)
    return [np.flatnonzero(labels == label) for label in range(number)]
