"""Figures for print: vectors with text and intervals, the same bytes every time."""

from pathlib import Path
from xml.etree import ElementTree as ET

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb

from arboretum_training.research import plots

mpl.use("Agg")


def drawn(path: Path) -> list[Path]:
    with plots.style():
        figure, axes = plots.panels(2)
        plots.series(axes[0], 0, [1, 2, 3], [2, 4, 6], [1, 3, 5], [3, 5, 7], label="mean score")
        plots.points(axes[1], 1, [0, 1], [0.4, 0.6], [0.3, 0.5], [0.45, 0.8], label="win rate")
        plots.level(axes[1], 0.5, "fair")
        axes[0].set_ylabel("points")
        plots.legend(figure, axes[0])
        written = plots.save(figure, path)
        plt.close(figure)
    return written


def test_equal_figures_are_equal_bytes(tmp_path: Path) -> None:
    first, second = drawn(tmp_path / "a" / "figure"), drawn(tmp_path / "b" / "figure")
    assert [path.name for path in first] == ["figure.svg", "figure.pdf"]
    for one, other in zip(first, second, strict=True):
        assert one.read_bytes() == other.read_bytes()


def test_labels_stay_text_that_can_be_searched(tmp_path: Path) -> None:
    svg, _ = drawn(tmp_path / "figure")
    texts = {
        "".join(element.itertext()).strip()
        for element in ET.parse(svg).iter()
        if element.tag.endswith("text")
    }
    assert {"points", "mean score", "fair"} <= texts


def test_intervals_are_drawn_where_they_are() -> None:
    with plots.style():
        figure, (axes,) = plots.panels(1)
        plots.series(axes, 0, [1, 2], [10, 20], [8, 15], [12, 30])
        plots.points(axes, 1, [0], [0.5], [0.25], [0.875])
    (band,) = [part for part in axes.collections if isinstance(part, PolyCollection)]
    corners = {(float(x), float(y)) for x, y in band.get_paths()[0].vertices}
    assert {(1.0, 8.0), (1.0, 12.0), (2.0, 15.0), (2.0, 30.0)} <= corners
    ((_, _, (bars,)),) = axes.containers
    np.testing.assert_allclose(bars.get_segments()[0][:, 1], [0.25, 0.875])
    plt.close(figure)


def luminance(colour: str) -> float:
    """WCAG's relative luminance."""
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return float(np.dot(parts, [0.2126, 0.7152, 0.0722]))


def test_every_series_has_a_colour_and_a_marker_of_its_own() -> None:
    assert len(set(plots.COLOURS)) == len(plots.COLOURS) == len(set(plots.MARKERS))
    # The first ones, which nearly all figures get by with, also differ from the paper.
    for colour in plots.COLOURS[:3]:
        assert 1.05 / (luminance(colour) + 0.05) > 3


@pytest.mark.parametrize("formats", [("svg",), ("pdf",)])
def test_only_what_is_asked_for_is_written(tmp_path: Path, formats: tuple[str, ...]) -> None:
    with plots.style():
        figure, _ = plots.panels(1)
    assert [path.suffix for path in plots.save(figure, tmp_path / "one", formats)] == [
        f".{formats[0]}"
    ]
    assert len(list(tmp_path.iterdir())) == 1
    plt.close(figure)
