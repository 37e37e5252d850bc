"""What the page shows of a game noted from one chair, made from the chair's view alone."""

from dataclasses import replace
from typing import Any

from arboretum_env.actions import Action, encode, torus_cell
from arboretum_env.notation import open_cells
from arboretum_env.phase import Phase
from arboretum_env.records.arb_writer import write_arb
from arboretum_env.records.replay import replay
from arboretum_env.view import PlayerView
from arboretum_lab.studio.chair import Moment, possible_cards, unseen_cards
from arboretum_lab.studio.sheet import sheet_json
from arboretum_lab.studio.table import table_json


def moment_json(now: Moment) -> dict[str, Any]:
    """The table (``table_json``), the record's text, and what may be noted next.

    ``choices`` has ``deck`` (whether it can be drawn from), ``piles`` (seat and top card) and
    ``cards`` (those that the seat to move may have drawn, plant or discard).
    """
    view, record = now.view, now.record
    checked = replay(record)
    # At the end all hands are open in the view, but not those that nobody noted.
    table = table_json(view, record.seats, cells=_cells(view), unknown=now.position.unknown)
    over = view.phase is Phase.GAME_OVER
    return table | {
        "arb": write_arb(record),
        "unseen": [] if over else list(map(view.config.card_text, unseen_cards(view))),
        "choices": _choices(view, table["hidden"][view.mover]),
        "notes": list(checked.notes),
        "sheet": None if checked.sheet is None else sheet_json(checked.sheet, view.config),
    }


def _cells(view: PlayerView) -> dict[tuple[int, int], int]:
    """Where the seat to move may plant, whoever it is."""
    if view.phase is not Phase.PLAY:
        return {}
    return {
        cell: encode(view.config, Action("place_cell", torus_cell(view.config, *cell)))
        for cell in open_cells(replace(view, seat=view.mover))
    }


def _choices(view: PlayerView, hidden: int) -> dict[str, Any]:
    """What may be noted next; of the seat to move, ``hidden`` hand cards are not known."""
    text = view.config.card_text
    drawing = view.phase in (Phase.DRAW_FIRST, Phase.DRAW_SECOND)
    cards: list[int] = []
    if drawing and view.mover == view.seat:
        cards = unseen_cards(view)
    elif not drawing and view.phase is not Phase.GAME_OVER:
        cards = possible_cards(view, hidden)
    piles = enumerate(view.discard_piles if drawing else ())
    return {
        "deck": drawing and view.deck_size > 0,
        "piles": [{"seat": seat, "card": text(pile[-1])} for seat, pile in piles if pile],
        "cards": list(map(text, cards)),
    }
