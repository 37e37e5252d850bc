"""Learning curves as a picture: a line a method, its interval as a band."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree as ET

from arboretum_training.evaluation.report_svg import (
    add_box,
    add_dot,
    add_line,
    add_tooltip,
    add_words,
    draw,
    paint,
    picture,
)

COLOURS: Final = ("line1", "line2", "line3", "line4")
_WIDTH, _HEIGHT = 980, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 20, 44, 44


@dataclass(frozen=True)
class Curve:
    """A method's curve.

    Attributes:
        name: the method's.
        steps: decisions learned from, ascending.
        means: win rates there.
        intervals: their ends.
    """

    name: str
    steps: tuple[float, ...]
    means: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]


def curve_chart(curves: list[Curve], fair: float) -> ET.Element:
    """The picture; win rates from 0 to 1 on the one side, decisions from 0 on the other.

    Args:
        curves: one a method.
        fair: the win rate between equals, drawn as a dotted line.
    """
    longest = max(curve.steps[-1] for curve in curves)
    wide, tall = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def x(step: float) -> float:
        return _LEFT + wide * step / longest

    def y(rate: float) -> float:
        return _TOP + tall * (1 - rate)

    svg = picture(_WIDTH, _HEIGHT, "Learning curves of " + ", ".join(c.name for c in curves))
    for tenth in range(0, 11, 2):
        add_line(svg, _LEFT, y(tenth / 10), _WIDTH - _RIGHT, y(tenth / 10), "edge", 1)
        add_words(svg, _LEFT - 8, y(tenth / 10) + 5, f"{10 * tenth} %", 13, "faint", anchor="end")
    for quarter in range(5):
        step = longest * quarter / 4
        add_words(
            svg, x(step), _HEIGHT - _BOTTOM + 22, _short(step), 13, "faint",
            anchor="end" if quarter == 4 else "middle",
        )  # fmt: skip
    add_line(svg, _LEFT, y(fair), _WIDTH - _RIGHT, y(fair), "faint", 1.5).set(
        "stroke-dasharray", "2 4"
    )
    key = float(_LEFT)
    for number, curve in enumerate(curves):
        colour = COLOURS[number % len(COLOURS)]
        _add_curve(svg, curve, colour, [x(step) for step in curve.steps], y)
        add_box(svg, key, 12, 18, 6, colour, radius=3)
        add_words(svg, key + 25, 20, curve.name, 14, "ink", bold=True)
        key += 25 + 10 * len(curve.name) + 24
    return svg


def _add_curve(
    svg: ET.Element, curve: Curve, colour: str, xs: list[float], y: Callable[[float], float]
) -> None:
    group = ET.SubElement(svg, "g")
    add_tooltip(group, curve.name)
    ends = [
        *((at, y(high)) for at, (_, high) in zip(xs, curve.intervals, strict=True)),
        *((at, y(low)) for at, (low, _) in reversed(list(zip(xs, curve.intervals, strict=True)))),
    ]
    band = ET.SubElement(group, "polygon", {"points": _points(ends), "fill-opacity": "0.18"})
    paint(band, colour)
    means = [(at, y(mean)) for at, mean in zip(xs, curve.means, strict=True)]
    line = ET.SubElement(group, "polyline", {"points": _points(means), "fill": "none"})
    draw(line, colour, 2.5)
    for at, height in means:
        add_dot(group, at, height, 3.5, colour)


def _points(places: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def _short(number: float) -> str:
    """``2.5 M``, ``40 k``."""
    if number >= 1e6:
        return f"{number / 1e6:g} M" if number % 1e5 == 0 else f"{number / 1e6:.2f} M"
    return f"{number / 1e3:.0f} k" if number >= 1e3 else f"{number:.0f}"
