"""Moves as people and records write them: ``d``, ``p0(O3)``, ``M7@0,-1``, ``xG2``.

A move is one token of a record's turn. A plant is one move of two decisions, the card and its cell,
so a move stands for one or two flat action ids. Seats are absolute, cells are true coordinates.
"""

import re
from typing import Final

from arboretum_env.actions import Action, action_slices, encode, torus_cell
from arboretum_env.errors import ActionError, CardError, IllegalActionError
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView

Cell = tuple[int, int]

EXPECTED: Final = {
    Phase.DRAW_FIRST: "a draw: d (deck) or pN (top of seat N's pile)",
    Phase.DRAW_SECOND: "a draw: d (deck) or pN (top of seat N's pile)",
    Phase.PLAY: "a plant such as M7@0,-1 (card@x,y)",
    Phase.PLACE: "a plant such as M7@0,-1 (card@x,y)",
    Phase.DISCARD: "a discard such as xG2",
}
"""What the seat to move is asked for, in words."""

_DRAW = re.compile(r"p([0-9])(?:\(([A-Z0-9]{2})\))?", re.ASCII)
_PLANT = re.compile(r"([A-Z][0-9])@(-?[0-9]{1,2}),(-?[0-9]{1,2})", re.ASCII)
_DISCARD = re.compile(r"x([A-Z][0-9])", re.ASCII)
_SHOWN = 40


def legal_moves(view: PlayerView) -> dict[str, tuple[int, ...]]:
    """Every legal move of the seat that the view is of, and the flat action ids it stands for.

    The deck comes first, then piles by seat; cards by id, each with its cells by x and y. Empty for
    an idle seat and after the end.
    """
    config, seat = view.config, view.seat
    if view.mover != seat or view.phase is Phase.GAME_OVER:
        return {}
    if view.phase in (Phase.DRAW_FIRST, Phase.DRAW_SECOND):
        moves: dict[str, tuple[int, ...]] = {}
        if view.deck_size:
            moves["d"] = (encode(config, Action("draw_deck")),)
        for owner, pile in enumerate(view.discard_piles):
            if pile:
                action = Action("draw_discard", (owner - seat) % config.num_players)
                moves[f"p{owner}({config.card_text(pile[-1])})"] = (encode(config, action),)
        return moves
    if view.phase is Phase.DISCARD:
        return {
            f"x{config.card_text(card)}": (encode(config, Action("discard_card", card)),)
            for card in view.hand
        }
    slices = action_slices(config)
    play, place = slices["play_card"].start, slices["place_cell"].start
    cells = [(f"@{x},{y}", place + torus_cell(config, x, y)) for x, y in open_cells(view)]
    if view.phase is Phase.PLACE:
        assert view.chosen_card is not None
        chosen = config.card_text(view.chosen_card)
        return {f"{chosen}{text}": (cell,) for text, cell in cells}
    return {
        f"{text}{at}": (play + card, cell)
        for card, text in ((card, config.card_text(card)) for card in view.hand)
        for at, cell in cells
    }


def parse_move(view: PlayerView, text: str) -> tuple[int, ...]:
    """The flat action ids of a move of the view's seat. A draw need not name the pile's card.

    Raises:
        ActionError: no move in this notation, or not of the kind that is due.
        IllegalActionError: a move that the rules forbid here; the message says why.
    """
    if view.mover != view.seat or view.phase is Phase.GAME_OVER:
        raise IllegalActionError(f"seat {view.seat} is not to move")
    token = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    moves = legal_moves(view)
    if text in moves:
        return moves[text]
    pattern, reason = {
        Phase.DRAW_FIRST: (_DRAW, _draw_fault),
        Phase.DRAW_SECOND: (_DRAW, _draw_fault),
        Phase.DISCARD: (_DISCARD, _discard_fault),
    }.get(view.phase, (_PLANT, _plant_fault))
    match = pattern.fullmatch(text)
    if match is None and not (pattern is _DRAW and text == "d"):
        raise ActionError(f"{token!r} is no move here: expected {EXPECTED[view.phase]}")
    if match is not None and pattern is _DRAW:
        top = [move for move in moves if move.startswith(f"p{match[1]}(")]
        if top and match[2] is None:
            return moves[top[0]]
    try:
        raise IllegalActionError(f"{token}: {reason(view, match)}")
    except CardError as error:
        raise ActionError(f"{token}: {error}") from error


def open_cells(view: PlayerView) -> list[Cell]:
    """True coordinates of the cells where the view's seat may plant, by x and y."""
    planted = {(x, y) for x, y, _ in view.arboreta[view.seat]}
    if not planted:
        return [(0, 0)]
    near = {(x + dx, y + dy) for x, y in planted for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))}
    return sorted(near - planted)


def _plantable(view: PlayerView) -> tuple[int, ...]:
    return view.hand if view.chosen_card is None else (view.chosen_card,)


def _draw_fault(view: PlayerView, match: re.Match[str] | None) -> str:
    if match is None:
        return "the deck is empty, expected a draw from a pile"
    owner = int(match[1])
    if owner >= view.config.num_players:
        return f"expected a seat 0..{view.config.num_players - 1}"
    pile = view.discard_piles[owner]
    if not pile:
        return f"seat {owner}'s discard pile is empty"
    return f"the top of seat {owner}'s discard pile is {view.config.card_text(pile[-1])}"


def _plant_fault(view: PlayerView, match: re.Match[str] | None) -> str:
    assert match is not None
    config = view.config
    card, cell = config.parse_card(match[1]), (int(match[2]), int(match[3]))
    if card not in _plantable(view):
        if view.chosen_card is not None:
            return f"{config.card_text(view.chosen_card)} has been chosen already"
        return f"{match[1]} is not in seat {view.seat}'s hand"
    taken = {(x, y): planted for x, y, planted in view.arboreta[view.seat]}
    if not taken:
        return "the first card of an arboretum stands at 0,0"
    if cell in taken:
        return f"{config.card_text(taken[cell])} stands there already"
    return f"the cell is not next to any card of seat {view.seat}'s arboretum"


def _discard_fault(view: PlayerView, match: re.Match[str] | None) -> str:
    assert match is not None
    view.config.parse_card(match[1])
    return f"{match[1]} is not in seat {view.seat}'s hand"
