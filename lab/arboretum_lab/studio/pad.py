"""The score pad: a board that is being entered, scored as far as it can be.

What stands in the way of a score is told and left out: a second copy of a card, a card on another,
the pieces of an arboretum that nothing joins to its largest one. What is merely missing (hand
cards, an empty arboretum) is told too, and the rest is scored as it stands.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from arboretum_env.cards import SPECIES_NAMES
from arboretum_env.config import GameConfig
from arboretum_env.drawing.board import board_svg
from arboretum_env.drawing.scene import Scene, SeatScene, SpeciesPath
from arboretum_env.errors import BoardError
from arboretum_env.phase import Phase
from arboretum_env.records.board import Board
from arboretum_env.records.board_json import board_from_json, board_to_json
from arboretum_env.records.record import MAX_COORDINATE
from arboretum_env.records.scoresheet import ScoreSheet
from arboretum_lab.studio.sheet import sheet_json

HAND_SIZE: Final = 7
FEWEST_PLAYERS: Final = 2

Planted = tuple[int, int, int]


@dataclass(frozen=True)
class Remark:
    """Something to be put right, or still to be entered.

    Attributes:
        level: ``wrong``: no board can be so, and what is named is not counted; ``odd``: no game of
            the usual rules ends so; ``missing``: still to be entered.
        seat: whose cards, or None.
        text: one sentence.
        cards: the cards that it is about.
    """

    level: Literal["wrong", "odd", "missing"]
    seat: int | None
    text: str
    cards: tuple[str, ...] = ()


def score_pad(data: Any, names: Sequence[str] = ()) -> dict[str, Any]:
    """What the pad shows of a board that may be half entered.

    Args:
        data: a board as for ``arboretum score``, of two to four players.
        names: what the sentences call them; default ``player 1`` and so on.

    Returns:
        ``board`` as it was understood, ``sheet`` (``sheet_json``), ``pictures`` (SVG a player, the
        best paths drawn), ``remarks``, and whether it is ``complete``: nothing wrong or missing.

    Raises:
        BoardError: it cannot be read at all.
    """
    board = board_from_json(data)
    if len(board.hands) < FEWEST_PLAYERS:
        raise BoardError(f"{len(board.hands)} player: expected 2 to 4")
    called = [
        (names[seat] if seat < len(names) else "") or f"player {seat + 1}"
        for seat in range(board.config.num_players)
    ]
    counted, remarks = countable(board, called)
    remarks += _unusual(board)
    sheet = counted.score()
    return {
        "board": board_to_json(board),
        "sheet": sheet_json(sheet, board.config, called),
        "pictures": pictures(board, counted, sheet),
        "remarks": [
            {
                "level": remark.level,
                "seat": remark.seat,
                "text": remark.text,
                "cards": list(remark.cards),
            }
            for remark in remarks
        ],
        "complete": all(remark.level == "odd" for remark in remarks),
    }


def countable(board: Board, called: Sequence[str]) -> tuple[Board, list[Remark]]:
    """The part of a board that can be scored, and what is wrong with the rest.

    Raises:
        BoardError: coordinates out of all bounds.
    """
    seen: dict[int, str] = {}
    remarks: list[Remark] = []
    hands, arboreta = [], []
    text = board.config.card_text
    # Planted cards first: of two copies, one in hand is more likely the slip.
    for seat, arboretum in enumerate(board.arboreta):
        kept: dict[tuple[int, int], Planted] = {}
        for x, y, card in arboretum:
            if max(abs(x), abs(y)) > MAX_COORDINATE:
                raise BoardError(f"{text(card)} at {x},{y}: expected within +-{MAX_COORDINATE}")
            if card in seen:
                remarks.append(_twice(seat, text(card), seen[card]))
            elif (x, y) in kept:
                under = text(kept[x, y][2])
                words = f"{text(card)} lies on {under} at {x},{y}: a card is never covered"
                remarks.append(Remark("wrong", seat, words, (text(card),)))
            else:
                seen[card] = f"planted by {called[seat]}"
                kept[x, y] = x, y, card
        joined = largest_piece(kept)
        apart = tuple(text(card) for cell, (_, _, card) in kept.items() if cell not in joined)
        if apart:
            are = "stands" if len(apart) == 1 else "stand"
            words = f"{_listed(apart)} {are} apart: not counted until joined to the other cards"
            remarks.append(Remark("wrong", seat, words, apart))
        arboreta.append(tuple(planted for cell, planted in kept.items() if cell in joined))
    for seat, hand in enumerate(board.hands):
        held = []
        for card in hand:
            if card in seen:
                remarks.append(_twice(seat, text(card), seen[card]))
            else:
                seen[card] = f"held by {called[seat]}"
                held.append(card)
        hands.append(tuple(held))
    return replace(board, hands=tuple(hands), arboreta=tuple(arboreta)), remarks


def _twice(seat: int, card: str, where: str) -> Remark:
    name = f"{SPECIES_NAMES[card[0]]} {card[1:]}"
    text = f"There is one {name} only: {where} already, it is not counted here"
    return Remark("wrong", seat, text, (card,))


def largest_piece(cells: Iterable[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    """The largest connected set of some cells; of equal ones that with the first cell."""
    left = dict.fromkeys(cells)
    best: frozenset[tuple[int, int]] = frozenset()
    while left:
        piece = {next(iter(left))}
        frontier = list(piece)
        while frontier:
            x, y = frontier.pop()
            for cell in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
                if cell in left and cell not in piece:
                    piece.add(cell)
                    frontier.append(cell)
        left = {cell: None for cell in left if cell not in piece}
        if len(piece) > len(best):
            best = frozenset(piece)
    return best


def _unusual(board: Board) -> list[Remark]:
    """What is missing, and what no game of the usual rules comes to."""
    players = len(board.hands)
    usual = GameConfig(num_players=players)
    remarks = []
    if len(board.species) > usual.num_species:
        words = (
            f"{len(board.species)} species: with {players} players {usual.num_species} are in play"
        )
        remarks.append(Remark("odd", None, words))
    for seat, (hand, arboretum) in enumerate(zip(board.hands, board.arboreta, strict=True)):
        if len(hand) > HAND_SIZE:
            words = f"{len(hand)} cards in hand: at the end a hand has {HAND_SIZE}"
            remarks.append(Remark("odd", seat, words))
        elif len(hand) < HAND_SIZE:
            words = f"{len(hand)} of {HAND_SIZE} hand cards entered"
            remarks.append(Remark("missing", seat, words))
        if not arboretum:
            remarks.append(Remark("missing", seat, "Nothing planted yet"))
        elif len(arboretum) > usual.max_plants:
            words = f"{len(arboretum)} cards planted: in a game it is at most {usual.max_plants}"
            remarks.append(Remark("odd", seat, words))
    planted = [len(arboretum) for arboretum in board.arboreta]
    if min(planted) > 0 and max(planted) - min(planted) > 1:
        counts = _listed([str(count) for count in planted])
        words = (
            f"{counts} cards planted: everybody plants one a turn, so they differ by one at most"
        )
        remarks.append(Remark("odd", None, words))
    return remarks


def _listed(words: Sequence[str]) -> str:
    """``A, B and C``."""
    *rest, last = words
    return f"{', '.join(rest)} and {last}" if rest else last


def pictures(board: Board, counted: Board, sheet: ScoreSheet | None) -> list[str]:
    """SVG of every arboretum, with the best paths.

    Args:
        board: what is drawn.
        counted: the part of it that was scored.
        sheet: its scores; None draws no paths.
    """
    config, none = board.config, ()
    seats = []
    for seat, arboretum in enumerate(board.arboreta):
        cell_of = {card: (x, y) for x, y, card in counted.arboreta[seat]}
        paths = []
        for index, row in enumerate(sheet.players[seat].rows if sheet else ()):
            cards = tuple(map(config.parse_card, row.best_path))
            if cards:
                cells = tuple(cell_of[card] for card in cards)
                paths.append(SpeciesPath(index, cards, cells, row.right))
        seats.append(SeatScene("", arboretum, none, board.hands[seat], 0, tuple(paths)))
    scene = Scene(
        config=config,
        seats=tuple(seats),
        observer=None,
        mover=0,
        phase=Phase.GAME_OVER,
        turn=0,
        deck_size=0,
        chosen_card=None,
        last_planted=None,
        last_discarded=None,
        sheet=sheet,
    )
    return [board_svg(scene, seat, paths=sheet is not None) for seat in range(len(seats))]
