"""A number that says where it comes from."""

import math
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

Source = Literal["exact", "monte_carlo", "network"]
"""``exact``: counted or enumerated; ``monte_carlo``: a mean over ``n`` samples, with its interval;
``network``: what a network says, which has no interval."""

Z: Final = 1.959963984540054  # of the standard normal distribution, two-sided 95 %

GRID: Final = 65_536
"""Differences and sums of multiples of 1 / 65536 are exact in binary floating point, so that the
parts of a whole add up to it to the last bit, also after a journey as JSON."""


@dataclass(frozen=True)
class Figure:
    """A number and its source.

    Attributes:
        value: the number; its unit is that of the field it stands in.
        source: see ``Source``.
        n: samples, of ``monte_carlo`` alone.
        interval: (low, high) at 95 %, of ``monte_carlo`` alone.
    """

    value: float
    source: Source
    n: int | None = None
    interval: tuple[float, float] | None = None

    def to_json(self) -> dict[str, Any]:
        """``value`` and ``source``; ``n`` and ``interval`` where there are any."""
        answer: dict[str, Any] = {"value": self.value, "source": self.source}
        if self.n is not None:
            answer["n"] = self.n
        if self.interval is not None:
            answer["interval"] = list(self.interval)
        return answer


def on_grid(value: float) -> float:
    """The nearest multiple of 1 / ``GRID``.

    >>> on_grid(1 / 3) * GRID
    21845.0
    """
    return round(value * GRID) / GRID


def exact(value: float) -> Figure:
    """A number that is counted or enumerated."""
    return Figure(on_grid(value), "exact")


def combined(value: float, *parts: Figure) -> Figure:
    """A sum or difference of figures of different positions.

    Its interval takes the parts as independent. Their worlds share keys, which makes the interval
    of a difference rather too wide than too narrow.

    Args:
        value: the sum or difference itself, on the grid.
        parts: what it is made of.
    """
    estimated = [part for part in parts if part.source != "exact"]
    if not estimated:
        return Figure(value, "exact")
    halves = [
        (part.interval[1] - part.interval[0]) / 2 for part in estimated if part.interval is not None
    ]
    half = math.sqrt(sum(each * each for each in halves))
    n = max(part.n or 0 for part in estimated)
    return Figure(value, "monte_carlo", n, (on_grid(value - half), on_grid(value + half)))


def mean_figure(samples: NDArray[np.float64], *, enumerated: bool = False) -> Figure:
    """The mean of samples with the normal interval of a mean.

    Args:
        samples: [n] one number a sampled world, or, ``enumerated``, one for every world that there
            can be, all of them equally likely: their mean is exact then.
        enumerated: see ``samples``.
    """
    mean = float(samples.mean())
    if enumerated:
        return exact(mean)
    n = len(samples)
    half = Z * float(samples.std(ddof=1)) / math.sqrt(n) if n > 1 else math.inf
    return Figure(on_grid(mean), "monte_carlo", n, (on_grid(mean - half), on_grid(mean + half)))


def share_figure(samples: NDArray[np.float64], *, enumerated: bool = False) -> Figure:
    """The mean of samples between 0 and 1 with Wilson's interval, which keeps a width at the ends.

    Source: Wilson, Probable inference, Journal of the American Statistical Association 22 (1927).
    ``evaluation.statistics`` has it for any level, with scipy, which the web page does without.

    Args:
        samples: [n], see ``mean_figure``.
        enumerated: likewise.

    >>> figure = share_figure(np.full(100, 0.5))
    >>> [round(end, 4) for end in figure.interval]
    [0.4038, 0.5962]
    """
    share = float(samples.mean())
    if enumerated:
        return exact(share)
    n = len(samples)
    scale = 1.0 + Z * Z / n
    center = (share + Z * Z / (2 * n)) / scale
    half = Z * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n)) / scale
    interval = (max(0.0, on_grid(center - half)), min(1.0, on_grid(center + half)))
    return Figure(on_grid(share), "monte_carlo", n, interval)
