"""The page of a tournament: one HTML file with its pictures in it, for a browser.

Which agents played under which name comes from the command line, so every text goes through
``html.element``.
"""

from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from arboretum_env.drawing.html import document, element, table
from arboretum_env.drawing.raster import svg_to_png
from arboretum_env.errors import DrawingError
from arboretum_training.evaluation.report_svg import standalone
from arboretum_training.evaluation.report_theme import style_sheet
from arboretum_training.evaluation.standings import Pairing, Standing, Standings
from arboretum_training.evaluation.statistics import Interval
from arboretum_training.evaluation.tournament_charts import (
    payoff_matrix,
    rating_chart,
)
from arboretum_training.evaluation.tournament_report import percent, percents, spread
from arboretum_training.files import replace_file

PAGE_NAME: Final = "report.html"
PICTURE_NAMES: Final = ("ratings", "matrix")
_ZOOM: Final = 1.5


def write_page(folder: Path, result: Standings, command: str) -> list[Path]:
    """Writes the page and its pictures, as SVG and, where resvg-py is installed, as PNG.

    Args:
        folder: gets the files.
        result: the tournament.
        command: what played it, to be copied.

    Returns:
        The files, the page first.
    """
    files = {PAGE_NAME: tournament_page(result, command).encode()}
    title = f"{result.settings.config.num_players} players, {result.settings.deals} deals"
    pictures = {
        "ratings": standalone(rating_chart(result), f"Ratings and 95 % intervals: {title}"),
        "matrix": standalone(
            payoff_matrix(result, _ahead, 0.5, "ahead"), f"The row's agent ahead, %: {title}"
        ),
    }
    for name, svg in pictures.items():
        files[f"{name}.svg"] = svg.encode()
        try:
            files[f"{name}.png"] = svg_to_png(svg, _ZOOM)
        except DrawingError:
            continue  # without the extra "render" the page and the SVG have to do
    for name, data in files.items():
        replace_file(folder / name, data)
    return [folder / name for name in files]


def tournament_page(result: Standings, command: str) -> str:
    """The page as HTML.

    Args:
        result: the tournament.
        command: what played it, to be copied.
    """
    settings = result.settings
    players = settings.config.num_players
    main = element("main", _header(result))
    main.append(
        _section(
            "Ratings",
            "Plackett-Luce strengths on Elo's scale: 400 points are odds of 10 to 1 for the better "
            "place. Bars are 95 % intervals from resampled deals.",
            element("div", rating_chart(result), class_="wide"),
        )
    )
    main.append(
        _section(
            "Standings",
            f"Win rates are per seat held, a shared win shared; {percent(1 / players)} % is fair "
            "(the small line). Denied: path points lost for want of the right to score, a seat and "
            "game: what it cost the agent, and its rivals at the table.",
            element("div", _standings_table(result), class_="wide"),
        )
    )
    main.append(_matrix_section(result, players))
    if players > 2:
        main.append(_tables_section(result))
    main.append(_agents_section(result))
    main.append(_command_section(command))
    main.append(
        element(
            "footer",
            "Intervals and tests treat the deal as the unit: every deal is played in every seat, "
            "and its games are not independent. docs/tournaments.md says how each figure is made.",
        )
    )
    title = f"Tournament: {', '.join(settings.names)}"
    return document(title, style_sheet(), main)


def _header(result: Standings) -> ET.Element:
    settings = result.settings
    game = settings.config
    facts = [
        settings.form,
        f"{len(settings.agents)} agents",
        f"{settings.deals:,} deals",
        f"{result.games:,} games",
        f"seed {settings.seed}",
        f"moves {'sampled' if settings.mode == 'sample' else 'by likelihood'}",
        f"species {game.species}",
    ]
    if game.starting_discards:
        facts.append("starting discards")
    chips = [element("li", fact) for fact in facts]
    chips += [
        element("li", f"{agent.name} forfeited {agent.forfeits:,} games", class_="warn")
        for agent in result.agents
        if agent.forfeits
    ]
    if not result.complete:
        chips.insert(0, element("li", "not complete yet", class_="warn"))
    title = element("h1", f"Arboretum tournament, {game.num_players} players")
    return element("header", title, element("ul", *chips, class_="facts"))


def _section(title: str, note: str, *content: ET.Element) -> ET.Element:
    return element("section", element("h2", title), element("p", note), *content)


def _standings_table(result: Standings) -> ET.Element:
    players = result.settings.config.num_players
    head = ("agent", "rating", "win rate", "by seat", "points", "denied", "to rivals", "ties %")
    rows = [
        [
            _name_cell(number, agent),
            element(
                "td",
                f"{agent.rating.rating:.0f}",
                element("small", spread(agent.rating), class_="spread"),
            ),
            _rate_cell(agent.win_rate, agent.win_rate_ci95, 1 / players),
            element("td", element("small", " · ".join(map(percent, agent.seat_win_rates)))),
            element("td", f"{agent.mean_score:.1f}"),
            element("td", f"{agent.denied_points:.1f}"),
            element("td", f"{agent.denied_to_others:.1f}"),
            element("td", percent(agent.ties)),
        ]
        for number, agent in enumerate(result.agents, start=1)
    ]
    return table(head, rows)


def _name_cell(number: int, agent: Standing) -> ET.Element:
    return element("td", element("small", f"{number}\u2002"), agent.name, class_="name")


def _rate_cell(rate: float, interval: Interval, fair: float) -> ET.Element:
    bar = element(
        "span",
        element("i", style=f"width:{100 * rate:.1f}%"),
        element("b", style=f"left:{100 * fair:.1f}%"),
        class_="bar",
    )
    figure = element("span", percent(rate), class_="figure")
    return element("td", bar, figure, element("small", percents(interval), class_="spread"))


def _ahead(pairing: Pairing) -> tuple[float | None, Interval | None]:
    return pairing.ahead, pairing.ahead_ci95


def _win_rate(pairing: Pairing) -> tuple[float | None, Interval | None]:
    return pairing.win_rate, pairing.win_rate_ci95


def _matrix_section(result: Standings, players: int) -> ET.Element:
    note = (
        "The row's agent against the column's, in %, best rating first. "
        + (
            "How often the row won, a shared win half."
            if players == 2
            else "How often the row had the better place of the two, equal places half."
        )
        + " Teal is above 50, brown below; point at a cell for margin and p-value."
    )
    content = [element("div", payoff_matrix(result, _ahead, 0.5, "ahead"), class_="wide")]
    if players > 2:
        where = "sits alone against copies of the column" if _duels(result) else "meets the column"
        content.append(
            element(
                "p",
                f"Win rate per seat of the row where it {where}, in %; "
                f"{percent(1 / players)} is fair.",
            )
        )
        matrix = payoff_matrix(result, _win_rate, 1 / players, "win rate")
        content.append(element("div", matrix, class_="wide"))
    content.append(_pairs_details(result))
    return _section("Payoff matrix", note, *content)


def _duels(result: Standings) -> bool:
    return result.settings.form == "round-robin"


def _pairs_details(result: Standings) -> ET.Element:
    """Every pair once, the better rated one first, with margin and p-values."""
    order = {agent.name: number for number, agent in enumerate(result.agents)}
    rows = [
        [
            element("td", f"{one} against {other}", class_="name"),
            element("td", percent(pairing.ahead), " ", _small(percents(pairing.ahead_ci95))),
            element("td", f"{pairing.margin:+.2f} ", _small(_signed(pairing.margin_ci95))),
            element("td", f"{pairing.p_value:.2g}"),
            element("td", f"{pairing.p_holm:.2g}"),
            element("td", f"{pairing.games:,}"),
        ]
        for (one, other), pairing in result.pairings.items()
        if order[one] < order[other]
    ]
    head = ("pair", "ahead %", "margin, points", "p", "p (Holm)", "games")
    return element(
        "details",
        element("summary", "Every pair with margin and p-values"),
        element("div", table(head, rows), class_="wide"),
    )


def _tables_section(result: Standings) -> ET.Element:
    rows = [
        [
            element("td", " · ".join(figures), class_="name"),
            element("td", " · ".join(percent(of["win_rate"]) for of in figures.values())),
            element("td", " · ".join(f"{of['mean_score']:.1f}" for of in figures.values())),
        ]
        for figures in result.tables
    ]
    head = ("table", "win rate per seat, %", "points a seat")
    return element(
        "section",
        element("h2", "Tables"),
        element(
            "details",
            element("summary", f"What each of the {len(result.tables)} tables gave"),
            element("div", table(head, rows), class_="wide"),
        ),
    )


def _agents_section(result: Standings) -> ET.Element:
    rows = [
        [
            element("td", agent.name, class_="name"),
            element("td", element("code", agent.pinned), class_="text"),
            element("td", agent.source, class_="text"),
            element("td", element("code", agent.digest[:16]), class_="text"),
        ]
        for agent in result.settings.agents
    ]
    head = ("name", "played as", "from", "hash")
    return _section(
        "Who played",
        "What each name meant: a frozen name, or a checkpoint by the SHA-256 of its manifest.",
        element("div", table(head, rows, texts=4), class_="wide"),
    )


def _command_section(command: str) -> ET.Element:
    return _section(
        "Again",
        "The same command gives the same figures, whatever the number of workers.",
        element("pre", element("code", command)),
    )


def _small(text: str) -> ET.Element:
    return element("small", text)


def _signed(interval: Interval | None) -> str:
    return "-" if interval is None else f"{interval.low:+.2f}..{interval.high:+.2f}"
