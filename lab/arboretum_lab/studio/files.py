"""A game in a file: JSON with its record, who holds its seats by hashes, and where it stands."""

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from arboretum_env.errors import RecordError
from arboretum_env.forfeit import Forfeit
from arboretum_env.option_faults import fault_text
from arboretum_env.records.json_form import record_from_json, record_to_json
from arboretum_lab.play.session import Session
from arboretum_lab.studio.game import Chair, StudioGame
from arboretum_lab.studio.safe import safe_copy


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class ChairFile(_Strict):
    """Who holds a seat, see ``Chair``."""

    owner: str | None
    invitation: str | None


class SummaryFile(_Strict):
    """What the list of games shows, so that it need not play them through."""

    names: list[str]
    kinds: list[str]
    mover: int
    turn: int
    over: bool


class GameFile(_Strict):
    """One file of the folder ``games``."""

    studio: Literal[1]
    id: str
    creator: str
    created: float
    practice: bool
    state_id: int
    seed: int
    chairs: list[ChairFile]
    forfeit: tuple[int, str] | None
    summary: SummaryFile
    record: dict[str, Any]


def content_of(game: StudioGame) -> GameFile:
    """What is kept of a game."""
    session = game.session
    forfeit = session.forfeit
    return GameFile(
        studio=1,
        id=game.id,
        creator=game.creator,
        created=game.created,
        practice=game.practice,
        state_id=game.state_id,
        seed=session.seed,
        chairs=[ChairFile(owner=c.owner, invitation=c.invitation) for c in game.chairs],
        forfeit=None if forfeit is None else (forfeit.seat, forfeit.reason),
        summary=SummaryFile(
            names=list(session.names),
            kinds=game.kinds(),
            mover=session.mover,
            turn=int(session.state.turn[0]),
            over=session.done,
        ),
        record=record_to_json(session.record()),
    )


def write_content(content: GameFile, path: Path) -> None:
    """Replaces a game's file whole or not at all, whenever this process ends.

    Whatever the machine does is up to ``safe.py``: to wait for the disk would hold every move up.

    Raises:
        OSError: it cannot be written; the old file is as it was.
    """
    part = path.with_name(f".{path.name}")
    part.write_bytes(json.dumps(content.model_dump(), ensure_ascii=False).encode())
    part.replace(path)


def read_game(path: Path) -> StudioGame:
    """The game of a file, as it was after its last decision.

    Raises:
        ArboretumError: the file is none of ours, or was changed into something impossible.
        OSError: it cannot be read.
    """
    content = read_content(path)
    record = record_from_json(content.record)
    session = Session.reopen(record, record.seats, content.seed)
    if content.forfeit is not None:
        session.forfeit = Forfeit(*content.forfeit)
    return StudioGame(
        id=content.id,
        session=session,
        chairs=[Chair(chair.owner, chair.invitation) for chair in content.chairs],
        creator=content.creator,
        practice=content.practice,
        created=content.created,
        state_id=content.state_id,
    )


def read_content(path: Path) -> GameFile:
    """The file's fields, the game not yet played through; of the safe copy if need be.

    Raises:
        ArboretumError: the file is none of ours.
        OSError: it cannot be read.
    """
    safe = safe_copy(path)
    try:
        return _read(path)
    except RecordError:
        if not safe.exists():
            raise
        return _read(safe)


def _read(path: Path) -> GameFile:
    try:
        content = GameFile.model_validate_json(path.read_bytes())
    except ValidationError as error:
        fault = fault_text(error.errors(include_url=False)[0])
        raise RecordError(f"{path.name}: no game of the studio: {fault}") from error
    if content.id != path.stem:  # a copy; the game itself is another file
        raise RecordError(f"{path.name}: expected the file of game {content.id[:40]!r}")
    return content
