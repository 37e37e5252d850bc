"""Which agents differ: p-values of every pair, adjusted for how many pairs there are.

A pair is compared over the games in which both sat, seat against seat, with the deal as the unit.
Wins and points are two questions: each has a permutation test of its own, and Holm's adjustment
counts the pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from arboretum_training.evaluation.deal_values import differences
from arboretum_training.evaluation.evaluate import EvaluationResult
from arboretum_training.evaluation.holm import holm
from arboretum_training.evaluation.permutation import permutation_p_value
from arboretum_training.evaluation.statistics import Interval, bootstrap_interval


@dataclass(frozen=True)
class Difference:
    """How much better the first agent of a pair did.

    Attributes:
        value: mean over the deals.
        ci95: its 95 % interval, by the paired bootstrap; ``None`` for a single deal.
        p_value: of the hypothesis that the two agents are interchangeable.
        p_holm: the same, adjusted for the number of pairs.
    """

    value: float
    ci95: Interval | None
    p_value: float
    p_holm: float


@dataclass(frozen=True)
class Comparison:
    """Two agents over the games in which both sat.

    Attributes:
        first: name of the one.
        second: name of the other.
        win_rate: difference of their wins per seat.
        margin: difference of their points per seat.
    """

    first: str
    second: str
    win_rate: Difference
    margin: Difference


def compare(result: EvaluationResult) -> tuple[Comparison, ...]:
    """Every pair of agents, in the order in which they were given."""
    pairs = list(combinations(range(len(result.names)), 2))
    values = [differences(result.games, *pair, result.deals) for pair in pairs]
    wins = _tested([value for value, _ in values], result.seed)
    points = _tested([value for _, value in values], result.seed)
    return tuple(
        Comparison(result.names[first], result.names[second], win, margin)
        for (first, second), win, margin in zip(pairs, wins, points, strict=True)
    )


def _tested(values: Sequence[NDArray[np.float64]], seed: int) -> list[Difference]:
    p_values = [permutation_p_value(value, seed) for value in values]
    return [
        Difference(float(value.mean()), bootstrap_interval(value, seed), p_value, p_holm)
        for value, p_value, p_holm in zip(values, p_values, holm(p_values), strict=True)
    ]
