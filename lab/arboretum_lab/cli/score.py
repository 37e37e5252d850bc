"""``arboretum score BOARD``: scores a board that was noted by hand or by another program."""

import json
from dataclasses import dataclass
from pathlib import Path

from tyro.conf import Positional

from arboretum_env.records.board_files import load_board
from arboretum_env.records.scoresheet import sheet_text
from arboretum_lab.cli.input_files import naming


@dataclass(frozen=True)
class Command:
    """Scores a board: hands and arboreta of one to four players, from a game or not.

    The board is JSON or a text grid; docs/records.md shows both. Cards go by letter and rank (M7)
    or by name (Blue Spruce 7), in the words of any printing.
    """

    board: Positional[Path]
    """Board file, or - for standard input."""

    json: bool = False
    """Print JSON: scores, winners, and every player's sums, rights, paths and points by species."""


def run(command: Command) -> int:
    """Prints the score sheet of the board."""
    with naming(command.board):
        sheet = load_board(command.board).score()
    print(json.dumps(sheet.to_json()) if command.json else sheet_text(sheet))
    return 0
