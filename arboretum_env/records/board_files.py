"""Boards in files: JSON, or else a text grid."""

from pathlib import Path

from arboretum_env.errors import BoardError
from arboretum_env.records.board import Board
from arboretum_env.records.board_grid import board_from_grid
from arboretum_env.records.board_json import board_from_json
from arboretum_env.records.files import parse_json, read_text


def load_board(path: Path) -> Board:
    """Read a board from a file, or from stdin for ``-``.

    Raises:
        BoardError: it is no board.
        OSError: it cannot be read.
    """
    return board_from_text(read_text(path, BoardError), path)


def board_from_text(text: str, path: Path) -> Board:
    """Read a board from a text.

    Args:
        text: JSON, or a grid.
        path: where it comes from, for messages.

    Raises:
        BoardError: it is no board.
    """
    text = text.removeprefix("\ufeff")
    if text.lstrip().startswith(("{", "[")):
        return board_from_json(parse_json(text, path, BoardError))
    return board_from_grid(text)
