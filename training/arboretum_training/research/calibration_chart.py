"""Calibration curves as a picture: what was said against what came."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from arboretum_training.evaluation.report_svg import (
    add_box,
    add_dot,
    add_line,
    add_tooltip,
    add_words,
    picture,
    standalone,
)

_COLOURS: Final = ("faint", "line2", "line3", "line1")
_SIDE, _LEFT, _TOP = 420, 58, 16
_SHIFT: Final = 3.0  # so that intervals of one range stand beside each other


def calibration_picture(curves: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """An SVG document.

    Args:
        curves: by the belief's name, the bins of ``calibration.reliability`` as plain data. Dots
            are larger where there are more cards; the dashed line is where chances come true.
    """
    svg = picture(_LEFT + _SIDE + 24, _TOP + _SIDE + 84, "Calibration of " + ", ".join(curves))

    def x(chance: float) -> float:
        return _LEFT + _SIDE * chance

    def y(share: float) -> float:
        return _TOP + _SIDE * (1 - share)

    for tenth in range(0, 11, 2):
        share = tenth / 10
        add_line(svg, x(0), y(share), x(1), y(share), "edge", 1)
        add_words(svg, x(0) - 8, y(share) + 5, f"{share:.1f}", 13, "faint", anchor="end")
        add_words(svg, x(share), y(0) + 20, f"{share:.1f}", 13, "faint", anchor="middle")
    add_line(svg, x(0), y(0), x(1), y(1), "faint", 1.5).set("stroke-dasharray", "5 4")
    add_words(svg, x(0.5), y(0) + 42, "chance that a rival holds a card, as said", 13, "ink",
              anchor="middle")  # fmt: skip
    add_words(svg, x(0) + 8, y(1) + 14, "share that it does hold, 95 % interval", 13, "ink")
    key = float(_LEFT)
    for number, (name, bins) in enumerate(curves.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        shift = _SHIFT * (number - (len(curves) - 1) / 2)
        most = max(each["count"] for each in bins)
        for each in bins:
            at = x(each["stated"]) + shift
            if each["interval"] is not None:
                low, high = each["interval"]
                bar = add_line(svg, at, y(low), at, y(high), colour, 1.5)
                add_tooltip(bar, f"{name}: {each['observed']:.3f} of {each['count']} cards")
            add_dot(svg, at, y(each["observed"]), 2.5 + 3 * (each["count"] / most) ** 0.5, colour)
        add_box(svg, key, y(0) + 60, 18, 6, colour, radius=3)
        add_words(svg, key + 25, y(0) + 68, name, 14, "ink", bold=True)
        key += 25 + 9 * len(name) + 20
    return standalone(svg, "Where the hidden cards are: said and true")
