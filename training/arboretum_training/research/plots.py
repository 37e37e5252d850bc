"""Figures fit for print: one style, intervals, colours that the colour-blind can tell apart.

Colours are Okabe and Ito's ("Color universal design", 2008); a series also has a marker of its own,
so that figures survive a copy in black and white. Files are vectors, and equal figures give equal
bytes.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

COLOURS: Final = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442",
)  # fmt: skip
MARKERS: Final = ("o", "s", "^", "D", "v", "P", "X", "*")
WIDTH: Final = 3.4
"""Inches of one panel: a column of a journal."""

_STYLE: Final[Any] = {
    "font.size": 8,
    "axes.titlesize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.5,
    "legend.frameon": False,
    "lines.markersize": 4,
    "lines.linewidth": 1.2,
    "figure.constrained_layout.use": True,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "arboretum",  # names of clips would be drawn at random
    "pdf.fonttype": 42,
}


@contextmanager
def style() -> Iterator[None]:
    """A context in which figures look like this project's."""
    with mpl.rc_context(_STYLE):
        yield


def panels(number: int, *, height: float = 2.6, sharey: bool = True) -> tuple[Figure, list[Axes]]:
    """A figure of panels side by side; call it within ``style``.

    Args:
        number: of panels, at least 1.
        height: inches.
        sharey: whether they have one vertical axis.
    """
    figure, axes = plt.subplots(
        1, number, figsize=(WIDTH * (0.45 + 0.55 * number), height), sharey=sharey, squeeze=False
    )
    return figure, list(axes[0])


def series(
    axes: Axes,
    index: int,
    x: ArrayLike,
    y: ArrayLike,
    low: ArrayLike | None = None,
    high: ArrayLike | None = None,
    label: str | None = None,
) -> None:
    """A line with markers, and its intervals as a band.

    Args:
        axes: drawn on.
        index: of the series, which decides colour and marker.
        x, y: [N] each.
        low, high: [N] ends of intervals.
        label: in the legend.
    """
    colour, marker = COLOURS[index % len(COLOURS)], MARKERS[index % len(MARKERS)]
    axes.plot(np.asarray(x), np.asarray(y), color=colour, marker=marker, label=label)
    if low is not None and high is not None:
        axes.fill_between(
            np.asarray(x), np.asarray(low), np.asarray(high), color=colour, alpha=0.2, linewidth=0
        )


def points(
    axes: Axes,
    index: int,
    x: ArrayLike,
    y: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    label: str | None = None,
) -> None:
    """Markers with intervals as bars, for what has no order; arguments as of ``series``."""
    middle = np.asarray(y, np.float64)
    reach = np.stack([middle - np.asarray(low), np.asarray(high) - middle]).clip(min=0)
    axes.errorbar(
        np.asarray(x), middle, yerr=reach, fmt=MARKERS[index % len(MARKERS)],
        color=COLOURS[index % len(COLOURS)], capsize=2, label=label,
    )  # fmt: skip


def level(axes: Axes, value: float, label: str) -> None:
    """A dashed line across, such as a fair share, named at its right end."""
    axes.axhline(value, color="0.4", linestyle="--", linewidth=0.8)
    axes.annotate(
        label, (1, value), xycoords=("axes fraction", "data"), ha="right", va="bottom",
        fontsize=7, color="0.3",
    )  # fmt: skip


def legend(figure: Figure, axes: Axes) -> None:
    """One legend for all panels, beneath them.

    Args:
        figure: drawn on.
        axes: the panel whose series are named.
    """
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))


def save(figure: Figure, path: Path, formats: Sequence[str] = ("svg", "pdf")) -> list[Path]:
    """Writes a figure as vectors, without dates.

    Args:
        figure: what ``panels`` made.
        path: without suffix; its folder is made.
        formats: ``svg``, ``pdf`` or both.

    Returns:
        The files.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    undated: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    written = []
    for suffix in formats:
        file = path.with_name(f"{path.name}.{suffix}")
        with style():
            figure.savefig(file, metadata=undated[suffix])
        written.append(file)
    return written
