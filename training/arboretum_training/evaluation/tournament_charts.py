"""Pictures of a tournament: ratings with their intervals, and the payoff matrix.

Each picture is an SVG element with the light colours of ``report_theme``; on a page its classes
take the reader's.
"""

from collections.abc import Callable
from typing import Final
from xml.etree import ElementTree as ET

from arboretum_training.evaluation.report_svg import (
    add_box,
    add_dot,
    add_line,
    add_tooltip,
    add_words,
    picture,
)
from arboretum_training.evaluation.report_theme import mixed, tint
from arboretum_training.evaluation.standings import Pairing, Standing, Standings
from arboretum_training.evaluation.statistics import Interval
from arboretum_training.evaluation.tournament_report import percent, percents, spread

NAME_LETTERS: Final = 24
_WIDTH: Final = 980
_NAMES: Final = 236  # of the column of names
_ROW: Final = 40
_STEPS: Final = (10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000)
_ROOMY: Final = 9  # agents up to which a matrix' cells are large

Rate = Callable[[Pairing], tuple[float | None, Interval | None]]
"""What a matrix shows of a pair: the rate and its interval."""


def rating_chart(result: Standings) -> ET.Element:
    """A row an agent: its rating as a dot, its 95 % interval as a bar."""
    agents = result.agents
    low, high, step = _axis(agents)
    left, right, top = _NAMES, _WIDTH - 92, 34
    height = top + _ROW * len(agents) + 12

    def x(rating: float) -> float:
        return left + (rating - low) / (high - low) * (right - left)

    svg = picture(
        _WIDTH, height, "Ratings with 95 % intervals: " + "; ".join(map(_in_words, agents))
    )
    bottom = height - 12
    for tick in range(low, high + 1, step):
        line = add_line(svg, x(tick), top - 8, x(tick), bottom, "edge", 1.0)
        line.set("stroke-dasharray", "2 4")
        add_words(svg, x(tick), top - 16, str(tick), 13, "faint", anchor="middle")
    for row, agent in enumerate(agents):
        y = top + _ROW * row + _ROW / 2
        group = ET.SubElement(svg, "g")
        add_tooltip(group, _in_words(agent))
        add_words(group, 26, y + 5, str(row + 1), 14, "faint", anchor="end")
        add_words(group, 38, y + 5, short_name(agent.name), 15, "ink", bold=True)
        rating = agent.rating
        if rating.ci95 is not None and rating.ci95.low < rating.ci95.high:
            start, end = x(rating.ci95.low), x(rating.ci95.high)
            bar = add_box(group, start, y - 7, max(end - start, 1), 14, "good", radius=7)
            bar.set("fill-opacity", "0.35")
            for edge in (start, end):
                add_line(group, edge, y - 7, edge, y + 7, "good", 1.5)
        add_dot(group, x(rating.rating), y, 5.5, "mark")
        add_words(
            group, _WIDTH - 6, y + 1, f"{rating.rating:.0f}", 16, "ink", bold=True, anchor="end"
        )
        add_words(group, _WIDTH - 6, y + 15, spread(rating), 11, "faint", anchor="end")
    return svg


def payoff_matrix(result: Standings, rate: Rate, fair: float, what: str) -> ET.Element:
    """The row's agent against the column's, best rating first, coloured around the fair share.

    Args:
        result: the tournament.
        rate: see ``Rate``.
        fair: the share between equals.
        what: the rate in words.
    """
    agents = result.agents
    roomy = len(agents) <= _ROOMY
    width, tall = (80, 54) if roomy else (54, 34)
    left, top = _NAMES, 34
    svg = picture(left + width * len(agents) + 12, top + tall * len(agents) + 8, f"Matrix: {what}")
    for column in range(len(agents)):
        middle = left + width * column + width / 2
        add_words(svg, middle, top - 12, str(column + 1), 14, "faint", bold=True, anchor="middle")
    for row, agent in enumerate(agents):
        y = top + tall * row
        add_words(svg, 26, y + tall / 2 + 5, str(row + 1), 14, "faint", anchor="end")
        add_words(svg, 38, y + tall / 2 + 5, short_name(agent.name), 15, "ink", bold=True)
        for column, other in enumerate(agents):
            x = left + width * column
            pairing = result.pairings.get((agent.name, other.name))
            if pairing is None:
                add_box(svg, x + 2, y + 2, width - 4, tall - 4, "soil", radius=7)
            else:
                cell = _cell(svg, (x, y, width, tall), rate(pairing), fair, roomy)
                add_tooltip(cell, _pair_in_words(agent, other, pairing))
    return svg


def short_name(name: str) -> str:
    """The name cut to fit a picture; of a path the end is what tells it apart.

    >>> short_name("runs/tournament-of-june/final-2p")
    '…nament-of-june/final-2p'
    """
    return name if len(name) <= NAME_LETTERS else "…" + name[1 - NAME_LETTERS :]


def _axis(agents: tuple[Standing, ...]) -> tuple[int, int, int]:
    """Ends and step of the axis: round numbers around every interval, some four to nine ticks."""
    values = [agent.rating.rating for agent in agents]
    values += [end for agent in agents for end in agent.rating.ci95 or ()]
    span = max(max(values) - min(values), 40.0)
    step = next((step for step in _STEPS if span / step <= 8), _STEPS[-1])
    low, high = int(min(values) // step * step), int(-(-max(values) // step) * step)
    return low, max(high, low + step), step


def _cell(
    svg: ET.Element,
    place: tuple[float, float, float, float],
    figures: tuple[float | None, Interval | None],
    fair: float,
    roomy: bool,
) -> ET.Element:
    x, y, width, tall = place
    value, interval = figures
    group = ET.SubElement(svg, "g")
    face = add_box(group, x + 2, y + 2, width - 4, tall - 4, "soil", radius=7)
    if value is not None:
        colour, much = tint(value, fair)
        face.set("fill", mixed(colour, much))
        face.set("class", f"cell {colour}")
        face.set("style", f"--much:{100 * much:g}%")
    middle = y + tall / 2
    add_words(
        group,
        x + width / 2,
        middle + (1 if roomy else 5),
        percent(value),
        17 if roomy else 14,
        "ink",
        bold=True,
        anchor="middle",
    )
    if roomy:
        add_words(
            group, x + width / 2, middle + 16, percents(interval), 10.5, "ink", anchor="middle"
        )
    return group


def _in_words(agent: Standing) -> str:
    return f"{agent.name}: {agent.rating.rating:.0f} ({spread(agent.rating)})"


def _pair_in_words(agent: Standing, other: Standing, pairing: Pairing) -> str:
    return (
        f"{agent.name} against {other.name}: ahead {percent(pairing.ahead)} % "
        f"({percents(pairing.ahead_ci95)}), margin {pairing.margin:+.2f} points, "
        f"{pairing.games:,} games, p = {pairing.p_holm:.2g} (Holm)"
    )
