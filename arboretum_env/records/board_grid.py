"""Boards as text grids, north on top, ``.`` for an empty cell, ``#`` for a remark.

A block per player::

    Species CDJVLG             (optional: letters or names of the species in play)
    Player
    Hand M7 C1                 (optional: no line, or nothing behind it, is an empty hand)
      .   C1    .
     M2   C3   Blue_Spruce8    (a name of several words is joined by _)
    Player
    Hand
     D4
"""

from collections.abc import Sequence
from typing import Final

from arboretum_env.errors import BoardError
from arboretum_env.records.board import Board, PlayerNotes, make_board

EMPTY_CELL: Final[str] = "."


def board_from_grid(text: str) -> Board:
    """The board of a text grid.

    Raises:
        BoardError: a line that is none of the above, with its number, or an impossible board.
    """
    species: list[str] | None = None
    players: list[tuple[list[str], list[list[str]]]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.partition("#")[0].split()
        keyword = words[0].rstrip(":").casefold() if words else ""
        if not words:
            continue
        if keyword == "species" and not players:
            species = list(words[1]) if len(words) == 2 and words[1].isupper() else words[1:]
        elif keyword == "player":
            players.append(([], []))
        elif not players:
            raise BoardError(f"line {number}: {words[0]!r}: expected Player before the first card")
        elif keyword == "hand":
            if players[-1][1] or players[-1][0]:
                raise BoardError(f"line {number}: expected one Hand line, above the grid")
            players[-1][0].extend(words[1:])
        else:
            players[-1][1].append(words)
    if not players:
        raise BoardError("the board is empty: expected JSON, or a grid that begins with Player")
    return make_board([PlayerNotes(hand, _cells(rows)) for hand, rows in players], species)


def _cells(rows: Sequence[Sequence[str]]) -> list[tuple[int, int, str]]:
    """(x, y, card) of every card; the bottom row is y = 0, the first column x = 0."""
    return [
        (x, len(rows) - 1 - line, word)
        for line, row in enumerate(rows)
        for x, word in enumerate(row)
        if word != EMPTY_CELL
    ]
