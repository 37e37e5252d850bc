"""Pictures of one seat's game: its expected margin, and what its held cards denied."""

from collections.abc import Sequence
from typing import Final
from xml.etree import ElementTree as ET

from arboretum_training.analysis.luck import Split
from arboretum_training.analysis.moments import Moments
from arboretum_training.analysis.told import Told
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
from arboretum_training.research.figure import Figure

_WIDTH, _HEIGHT = 980, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 20, 24, 52
_ROW, _COLUMN = 24, 44
_FULL: Final = 8.0  # points at which a cell has all of its colour


def margin_chart(split: Split, moments: Moments) -> ET.Element:
    """The expected margin at every decision, its interval as a band, moments that decided marked.

    Args:
        split: the seat's game.
        moments: of the same game.
    """
    figures = [*(swing.before for swing in split.swings), split.last]
    turns = [swing.step.at for swing in split.swings]
    ats = [*turns, turns[-1] + 1 if turns else 1]
    ends = [end for figure in figures for end in _ends(figure)]
    low, high = min(0.0, *ends), max(0.0, *ends)
    span = max(high - low, 1.0)

    def x(at: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (at - ats[0]) / max(1, ats[-1] - ats[0])

    def y(points: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (high - points) / span

    svg = picture(_WIDTH, _HEIGHT, f"Expected margin of seat {split.seat} over the game")
    step = 5 if span <= 40 else 10
    for points in range(int(low // step) * step, int(high) + step, step):
        if low <= points <= high:
            add_line(svg, _LEFT, y(points), _WIDTH - _RIGHT, y(points), "edge", 1)
            add_words(svg, _LEFT - 8, y(points) + 5, f"{points:+d}", 13, "faint", anchor="end")
    add_line(svg, _LEFT, y(0), _WIDTH - _RIGHT, y(0), "faint", 1.5)
    upper = [(x(at), y(_ends(f)[1])) for at, f in zip(ats, figures, strict=True)]
    lower = [(x(at), y(_ends(f)[0])) for at, f in zip(ats, figures, strict=True)]
    band = ET.SubElement(svg, "polygon", {"points": _points([*upper, *reversed(lower)])})
    band.set("fill-opacity", "0.18")
    paint(band, "line1")
    middle = [(x(at), y(figure.value)) for at, figure in zip(ats, figures, strict=True)]
    line = ET.SubElement(svg, "polyline", {"points": _points(middle), "fill": "none"})
    draw(line, "line1", 2.5)
    heights = dict(zip(ats, middle, strict=True))
    for moment in moments.decisive:
        mark = ET.SubElement(svg, "g")
        text = moment.step.view.config.card_text(moment.card)
        words = f"turn {moment.step.view.turn + 1}: {moment.kind} {text}"
        add_tooltip(mark, f"{words}, {moment.margin.value:+.1f} points")
        at, height = heights[moment.step.at]
        add_dot(mark, at, height, 6, "good" if moment.margin.value > 0 else "bad")
        add_words(mark, at, height - 10, text, 12, "ink", bold=True, anchor="middle")
    for swing in split.swings[:: max(1, len(split.swings) // 12)]:
        add_words(svg, x(swing.step.at), _HEIGHT - _BOTTOM + 22, f"{swing.step.view.turn + 1}", 13,
                  "faint", anchor="middle")  # fmt: skip
    add_words(svg, _WIDTH / 2, _HEIGHT - 8, "turn", 13, "ink", anchor="middle")
    return svg


def holding_chart(moments: Moments) -> ET.Element:
    """What every held card denied the rivals before each discard: a row a card, a column a turn."""
    cards: list[int] = []
    for _, hand in moments.holdings:
        cards += [denied.card for denied in hand if denied.card not in cards]
    config = moments.holdings[0][0].view.config if moments.holdings else None
    height = 40 + _ROW * len(cards)
    width = 70 + _COLUMN * max(1, len(moments.holdings))
    svg = picture(width, height, f"Points that the cards of seat {moments.seat} denied")
    for column, (step, hand) in enumerate(moments.holdings):
        left = 60 + _COLUMN * column
        add_words(svg, left + _COLUMN / 2, 16, f"{step.view.turn + 1}", 13, "faint",
                  anchor="middle")  # fmt: skip
        for denied in hand:
            top = 26 + _ROW * cards.index(denied.card)
            value = denied.rivals.value
            cell = add_box(svg, left, top, _COLUMN - 2, _ROW - 2, "good" if value > 0 else "bad", 3)
            cell.set("fill-opacity", f"{min(1.0, abs(value) / _FULL):.2f}")
            assert config is not None
            ends = "..".join(f"{end:+.1f}" for end in _ends(denied.rivals))
            add_tooltip(cell, f"{config.card_text(denied.card)}: {value:+.1f} ({ends})")
            add_words(svg, left + _COLUMN / 2 - 1, top + 15, f"{value:+.1f}", 11.5, "ink",
                      anchor="middle")  # fmt: skip
    for row, card in enumerate(cards):
        assert config is not None
        add_words(svg, 50, 26 + _ROW * row + 16, config.card_text(card), 13, "ink", bold=True,
                  anchor="end")  # fmt: skip
    return svg


def told_chart(told: Sequence[Told]) -> ET.Element:
    """Bits that moves told: a bar a move, the part of the shown card pale.

    Args:
        told: of one seat's moves, in order; at least one.
    """
    tall, wide = 180, 14
    width = _LEFT + wide * len(told) + _RIGHT
    most = max(1.0, *(each.exposure.bits for each in told))
    observer = told[0].exposure.observer
    svg = picture(width, tall + 56, f"Bits that moves told seat {observer}")
    for whole in range(int(most) + 1):
        y = 16 + tall * (1 - whole / most)
        add_line(svg, _LEFT, y, width - _RIGHT, y, "edge", 1)
        add_words(svg, _LEFT - 8, y + 5, f"{whole}", 13, "faint", anchor="end")
    turn = -1
    for number, each in enumerate(told):
        left, bottom = _LEFT + wide * number + 1, 16.0 + tall
        mark = ET.SubElement(svg, "g")
        parts = (each.exposure.choice_bits, "line1"), (each.exposure.card_bits, "edge")
        for bits, colour in parts:
            height = tall * max(0.0, bits) / most
            bottom -= height
            add_box(mark, left, bottom, wide - 2, height, colour)
        words = f"turn {each.step.view.turn + 1}, {each.step.move}"
        add_tooltip(mark, f"{words}: card {each.exposure.card_bits:.2f}, "
                          f"choice {each.exposure.choice_bits:.2f} bits")  # fmt: skip
        if each.step.view.turn != turn:
            turn = each.step.view.turn
            add_words(svg, left, tall + 34, f"{turn + 1}", 13, "faint")
    add_words(svg, width / 2, tall + 52, "turn", 13, "ink", anchor="middle")
    return svg


def _ends(figure: Figure) -> tuple[float, float]:
    return figure.interval or (figure.value, figure.value)


def _points(places: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
