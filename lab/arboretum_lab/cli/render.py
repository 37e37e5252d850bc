"""``arboretum render FILE``: draws a position of a recorded game as text, SVG or PNG."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tyro.conf import Positional

from arboretum_env.drawing.raster import svg_to_png
from arboretum_env.drawing.scene import Scene, scene_of_state, scene_of_view
from arboretum_env.drawing.svg import scene_svg
from arboretum_env.drawing.text import scene_text
from arboretum_env.records.files import load_record
from arboretum_env.records.record import GameRecord
from arboretum_env.records.replay import Position, positions
from arboretum_env.view import redact
from arboretum_lab.cli.arguments import UsageError
from arboretum_lab.cli.input_files import naming


@dataclass(frozen=True)
class Command:
    """Draws a position of a recorded game: arboreta, piles, hands, paths and the score sheet.

    Without --turn or --move the last position is drawn, with --seat only what that seat knows.
    """

    file: Positional[Path]
    """Record (.arb or .json), or - for .arb text on standard input."""

    format: Literal["text", "svg", "png"] | None = None
    """By default what the ending of --out says, else text. PNG needs the extra named render."""

    turn: int | None = None
    """Draw the position after that many whole turns; 0 is the deal."""

    move: int | None = None
    """Draw the position after that many decisions, five a turn: draw, draw, card, cell, discard."""

    seat: int | None = None
    """Show what this seat knows instead of everything."""

    hide_hands: bool = False
    """Show no hand, but for the cards in it that everybody has seen."""

    out: Path | None = None
    """File to write; default standard output."""


def run(command: Command) -> int:
    """Draws the position.

    Raises:
        UsageError: arguments that contradict each other or the record.
        InputFileError: the record cannot be read or has an illegal move before the position.
    """
    kind = _format(command)
    with naming(command.file):
        record = load_record(command.file)
        scene = _scene(command, record, _position(command, record))
    if kind == "png":
        _write(command.out, svg_to_png(scene_svg(scene)))
    else:
        text = scene_svg(scene) if kind == "svg" else scene_text(scene) + "\n"
        _write(command.out, text.encode("utf-8"))
    return 0


def _format(command: Command) -> Literal["text", "svg", "png"]:
    if command.format is not None:
        return command.format
    ending = command.out.suffix.casefold() if command.out is not None else ""
    match ending:
        case ".svg":
            return "svg"
        case ".png":
            return "png"
        case "" | ".txt":
            return "text"
        case _:
            raise UsageError(f"--out {command.out}: expected .txt, .svg or .png, or --format")


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


def _scene(command: Command, record: GameRecord, position: Position) -> Scene:
    if command.seat is None:
        return scene_of_state(
            position.state,
            names=record.seats,
            show_hands=not command.hide_hands,
            unknown=position.unknown,
        )
    if command.hide_hands:
        raise UsageError("--hide-hands and --seat: expected one of them")
    players = record.config.num_players
    if not 0 <= command.seat < players:
        raise UsageError(f"--seat {command.seat}: expected 0..{players - 1}")
    view = redact(position.state, command.seat)[0]
    return scene_of_view(view, record.seats, position.unknown)


def _write(out: Path | None, data: bytes) -> None:
    if out is not None:
        out.write_bytes(data)
    else:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
