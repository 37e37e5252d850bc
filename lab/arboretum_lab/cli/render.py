"""``arboretum render FILE``: draws a position of a recorded game, or all of it as one page."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from tyro.conf import Positional

from arboretum_env.drawing.raster import svg_to_png
from arboretum_env.drawing.replay_page import replay_page
from arboretum_env.drawing.scene import scene_of_position
from arboretum_env.drawing.svg import scene_svg
from arboretum_env.drawing.text import scene_text
from arboretum_env.records.files import load_record
from arboretum_env.records.record import GameRecord
from arboretum_env.records.replay import Position, positions
from arboretum_lab.cli.arguments import UsageError
from arboretum_lab.cli.input_files import naming

Format = Literal["text", "svg", "png", "html"]

_ENDINGS: Final[dict[str, Format]] = {
    "": "text",
    ".txt": "text",
    ".svg": "svg",
    ".png": "png",
    ".html": "html",
}


@dataclass(frozen=True)
class Command:
    """Draws a position of a recorded game: arboreta, piles, hands, paths and the score sheet.

    Without --turn or --move the last position is drawn, with --seat only what that seat knows.
    HTML is a page of the whole game to walk through, in one file that needs no network.
    """

    file: Positional[Path]
    """Record (.arb or .json), or - for .arb text on standard input."""

    format: Format | None = None
    """By default what the ending of --out says, else text. PNG needs the extra named render."""

    turn: int | None = None
    """Draw the position after that many whole turns; 0 is the deal."""

    move: int | None = None
    """Draw the position after that many decisions, five a turn: draw, draw, card, cell, discard."""

    seat: int | None = None
    """Show what this seat knows instead of everything."""

    hide_hands: bool = False
    """Show no hand, but for the cards in it that everybody has seen."""

    theme: Literal["light", "dark"] | None = None
    """Colours of an SVG or PNG, by default light. A page follows its reader's system."""

    out: Path | None = None
    """File to write; default standard output."""


def run(command: Command) -> int:
    """Draws the position, or writes the page.

    Raises:
        UsageError: arguments that contradict each other or the record.
        InputFileError: the record cannot be read or has an illegal move before the position.
    """
    kind = _format(command)
    if command.theme is not None and kind not in ("svg", "png"):
        raise UsageError(f"--theme {command.theme}: expected with --format svg or png, not {kind}")
    with naming(command.file):
        record = load_record(command.file)
        _check_seat(command, record)
        if kind == "html":
            if command.turn is not None or command.move is not None:
                raise UsageError("--turn and --move: a page holds every position, expected none")
            page = replay_page(record, command.seat, show_hands=not command.hide_hands)
            _write(command.out, page.encode("utf-8"))
            return 0
        scene = scene_of_position(
            _position(command, record), command.seat, show_hands=not command.hide_hands
        )
    if kind == "text":
        _write(command.out, f"{scene_text(scene)}\n".encode())
        return 0
    svg = scene_svg(scene, command.theme or "light")
    _write(command.out, svg_to_png(svg) if kind == "png" else svg.encode("utf-8"))
    return 0


def _format(command: Command) -> Format:
    if command.format is not None:
        return command.format
    ending = command.out.suffix.casefold() if command.out is not None else ""
    if ending not in _ENDINGS:
        raise UsageError(f"--out {command.out}: expected .txt, .svg, .png or .html, or --format")
    return _ENDINGS[ending]


def _check_seat(command: Command, record: GameRecord) -> None:
    if command.seat is None:
        return
    if command.hide_hands:
        raise UsageError("--hide-hands and --seat: expected one of them")
    players = record.config.num_players
    if not 0 <= command.seat < players:
        raise UsageError(f"--seat {command.seat}: expected 0..{players - 1}")


def _position(command: Command, record: GameRecord) -> Position:
    """The position to draw; moves behind it are not looked at."""
    if command.turn is not None and command.move is not None:
        raise UsageError("--turn and --move: expected one of them")
    complete = sum(turn.complete for turn in record.turns)
    wanted, option, most = record.num_decisions, "--move", record.num_decisions
    if command.move is not None:
        wanted = command.move
    elif command.turn is not None:
        option, most = "--turn", complete
        wanted = sum(turn.num_decisions for turn in record.turns[: max(command.turn, 0)])
    given = command.turn if command.turn is not None else wanted
    if not 0 <= given <= most:
        raise UsageError(f"{option} {given}: expected 0..{most} in this record")
    return next(position for position in positions(record) if len(position.actions) == wanted)


def _write(out: Path | None, data: bytes) -> None:
    if out is not None:
        out.write_bytes(data)
    else:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
