"""The page of an analysed game: one HTML file with its pictures in it, that loads nothing."""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from arboretum_env.drawing.html import document, element, table
from arboretum_training.analysis.game_charts import holding_chart, margin_chart, told_chart
from arboretum_training.analysis.moments import DECIDED, Moment
from arboretum_training.analysis.seat_game import SeatGame
from arboretum_training.evaluation.report_theme import style_sheet
from arboretum_training.research.figure import Figure


def game_page(title: str, names: Sequence[str], games: Sequence[SeatGame], method: str) -> str:
    """The page as HTML.

    Args:
        title: of the page; any text.
        names: of the seats that were analysed, in the same order.
        games: of them.
        method: how it was computed, in a line.
    """
    main = element("main", element("header", element("h1", title), element("p", method)))
    for name, game in zip(names, games, strict=True):
        main.append(_seat(name, game))
    main.append(
        element(
            "footer",
            "Points are ex ante: an average over what the seat could believe at that moment; "
            "without an interval they are exact. docs/beliefs.md and docs/analysis.md have the "
            "definitions.",
        )
    )
    return document(title, style_sheet(), main)


def _seat(name: str, game: SeatGame) -> ET.Element:
    moments = game.moments
    section = element("section", element("h2", name))
    section.append(
        element(
            "p",
            "Expected margin in points, with its 95 % band; dots are moments that decided, teal "
            "for a gain and brown for a loss. Point at one to read it.",
        )
    )
    section.append(element("div", margin_chart(game.split, moments), class_="wide"))
    section.append(element("h2", "Where holding or planting decided"))
    section.append(
        element(
            "p",
            "Planted and let go: against the best other card in its place. Held: against having "
            f"the card somewhere unseen, at its largest. At least {DECIDED:g} point of margin, and "
            "more than the interval.",
        )
    )
    decisive = moments.decisive
    if decisive:
        section.append(element("div", _table(decisive), class_="wide"))
    else:
        section.append(element("p", "No moment of this game did, for sure."))
    section.append(element("h2", "What the held cards denied"))
    section.append(
        element(
            "p",
            "Points that the rivals would score more without the card, before each "
            "discard, by turn.",
        )
    )
    section.append(element("div", holding_chart(moments), class_="wide"))
    if game.told:
        section.append(element("h2", "What its moves told"))
        section.append(
            element(
                "p",
                f"Bits that every move told seat {game.told[0].exposure.observer}: that the card "
                "was in the hand, pale, and what choosing it says of the rest, dark.",
            )
        )
        section.append(element("div", told_chart(game.told), class_="wide"))
    return section


def _table(decisive: Sequence[Moment]) -> ET.Element:
    head = ("turn", "move", "what", "margin", "rivals denied", "own points")
    rows = [
        [
            element("td", str(moment.step.view.turn + 1), class_="text"),
            element("td", moment.step.move, class_="text"),
            element("td", words(moment), class_="text"),
            element("td", figure_text(moment.margin)),
            element("td", "" if moment.rivals is None else figure_text(moment.rivals)),
            element("td", "" if moment.own is None else figure_text(moment.own)),
        ]
        for moment in decisive
    ]
    return table(head, rows, texts=3)


def words(moment: Moment) -> str:
    """``planted M7, not C3``, ``held C8``."""
    text = moment.step.view.config.card_text
    other = "" if moment.other is None else f", not {text(moment.other)}"
    return f"{moment.kind} {text(moment.card)}{other}"


def figure_text(figure: Figure) -> str:
    """``+1.2 (+0.4..+2.0)``, ``+3.0 (exact)``."""
    if figure.interval is None:
        return f"{figure.value:+.1f} ({figure.source})"
    low, high = figure.interval
    return f"{figure.value:+.1f} ({low:+.1f}..{high:+.1f})"
