"""How good stated chances of hidden cards are: log loss, Brier score, calibration.

``U`` denotes unseen cards, ``P`` players, ``n`` stated chances, ``D`` deals. Cards of one deal are
not independent: intervals come from resampling deals (``evaluation.statistics``).

* **Log loss** of a card: minus the log of the chance of the place where it is, in nats.
* **Brier score** of a card: the sum over places of (chance - 1 if it is there, else 0) squared,
  from 0, sure and right, to 2, sure and wrong. Source: Brier, Monthly Weather Review 78 (1950).
* **Calibration**: of the cards that a rival was said to hold with a chance in some range, the share
  that it did hold.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arboretum_training.evaluation.statistics import (
    RESAMPLES,
    Interval,
    bootstrap_interval,
    percentile_tail,
)

BINS: Final = 10
_LEAST_DEALS: Final = 2


@dataclass(frozen=True)
class Bin:
    """One range of stated chances.

    Attributes:
        low, high: the range.
        stated: the mean of the chances in it.
        observed: the share of them that came true.
        interval: 95 %, by resampling deals; None if all are of one deal.
        count: how many there are.
    """

    low: float
    high: float
    stated: float
    observed: float
    interval: Interval | None
    count: int

    def to_json(self) -> dict[str, Any]:
        """The bin as plain data."""
        return {**vars(self), "interval": None if self.interval is None else list(self.interval)}


def card_losses(
    marginals: NDArray[np.float64], places: NDArray[np.int8]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """([U] log losses in nats, [U] Brier scores).

    Args:
        marginals: [U, P] stated chances, see ``belief``.
        places: [U] where the cards are.
    """
    rows = np.arange(len(places))
    there = np.zeros(marginals.shape)
    there[rows, places] = 1.0
    with np.errstate(divide="ignore"):
        logs: NDArray[np.float64] = -np.log(marginals[rows, places])
    return logs, ((marginals - there) ** 2).sum(axis=1)


def deal_means(values: NDArray[np.float64], deals: NDArray[np.int64]) -> NDArray[np.float64]:
    """[D] mean of each deal's values, deals ascending.

    Args:
        values: [n].
        deals: [n] which deal each is of.
    """
    _, index = np.unique(deals, return_inverse=True)
    means: NDArray[np.float64] = np.bincount(index, values) / np.bincount(index)
    return means


def mean_with_interval(
    values: NDArray[np.float64], deals: NDArray[np.int64], seed: int = 0
) -> tuple[float, Interval | None]:
    """The mean of deal means, and its bootstrap interval over deals."""
    means = deal_means(values, deals)
    return float(means.mean()), bootstrap_interval(means, seed)


def reliability(
    chances: NDArray[np.float64],
    came_true: NDArray[np.bool_],
    deals: NDArray[np.int64],
    *,
    bins: int = BINS,
    seed: int = 0,
) -> list[Bin]:
    """The calibration curve, empty ranges left out.

    Args:
        chances: [n] stated, 0..1.
        came_true: [n].
        deals: [n] which deal each is of.
        bins: ranges of equal width.
        seed: of the resampling.
    """
    different, index = np.unique(deals, return_inverse=True)
    count = len(different)
    number = np.minimum((chances * bins).astype(np.int64), bins - 1)
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(count, np.full(count, 1 / count), size=min(RESAMPLES, 1999))
    found = []
    for each in range(bins):
        inside = number == each
        if not inside.any():
            continue
        total = np.bincount(index[inside], minlength=count)
        right = np.bincount(index[inside], came_true[inside].astype(np.float64), minlength=count)
        interval = None
        if count >= _LEAST_DEALS:
            seen = drawn @ total
            shares = (drawn @ right)[seen > 0] / seen[seen > 0]
            tail = percentile_tail(count)
            interval = Interval(*map(float, np.quantile(shares, (tail, 1 - tail))))
        found.append(
            Bin(
                each / bins,
                (each + 1) / bins,
                float(chances[inside].mean()),
                float(right.sum() / total.sum()),
                interval,
                int(inside.sum()),
            )
        )
    return found
