"""``arboretum replay FILE``: checks a recorded game move by move and prints its result."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tyro.conf import Positional

from arboretum_env.errors import RecordError
from arboretum_env.records.files import load_record
from arboretum_env.records.record import GameRecord
from arboretum_env.records.replay import Replay, replay
from arboretum_env.records.scoresheet import sheet_text
from arboretum_lab.cli.input_files import naming


@dataclass(frozen=True)
class Command:
    """Checks a recorded game: every move, the result and the winners; then prints the score sheet.

    A record is text (.arb) or its JSON form (.json). A record with an illegal move or a false
    result ends with exit code 2 and names the line and the token.
    """

    file: Positional[Path]
    """Record, or - for .arb text on standard input."""

    json: bool = False
    """Print JSON: scores, winners and every player's account, or the error's line and token."""


def run(command: Command) -> int:
    """Replays the record.

    Raises:
        InputFileError: the record is not in order; with ``--json`` it has been printed as well.
    """
    with naming(command.file):
        try:
            record = load_record(command.file)
            game = replay(record)
        except RecordError as error:
            if command.json:
                print(json.dumps(_error_json(error)))
            raise
    if command.json:
        print(json.dumps(_game_json(record, game)))
    else:
        print(_game_text(record, game))
    return 0


def _error_json(error: RecordError) -> dict[str, Any]:
    return {
        "valid": False,
        "error": {"line": error.line, "token": error.token, "message": error.reason},
    }


def _game_json(record: GameRecord, game: Replay) -> dict[str, Any]:
    """The account, null where the moves do not give it; what else there is to say only if any."""
    answer: dict[str, Any] = {"valid": True, "turns": game.turns}
    if game.sheet is not None:
        answer |= game.sheet.to_json()
    else:
        winners = list(record.winners) if record.termination and record.winners else None
        answer |= {"scores": None, "winners": winners, "players": None}
    if record.termination:
        answer["termination"] = record.termination
    if record.takebacks:
        answer["takebacks"] = record.takebacks
    if game.notes:
        answer["notes"] = list(game.notes)
    return answer


def _game_text(record: GameRecord, game: Replay) -> str:
    """What there is to say about the record, then the score sheet."""
    state = "finished" if game.finished else "unfinished"
    lines = [f"valid record of {game.turns} turns, {state}"]
    if record.termination:
        lines.append(f"ended by {record.termination}")
        if record.winners and not game.finished:
            lines.append(f"won by seat {' and '.join(map(str, record.winners))}")
    if record.takebacks:
        lines.append(f"takebacks across a draw from the deck: {record.takebacks}")
    lines += [f"note: {note}" for note in game.notes]
    if game.sheet is not None:
        lines += ["", sheet_text(game.sheet, record.seats)]
    return "\n".join(lines)
