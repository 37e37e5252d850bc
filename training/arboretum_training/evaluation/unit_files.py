"""Finished work units as files: each is written in one step and carries a hash of itself.

A file that is not whole, was changed or belongs to other settings does not count: its unit is
played again. So a kill at any moment loses only the units that were being played, and counts none
twice.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from arboretum_training.evaluation.errors import DamagedFileError
from arboretum_training.evaluation.evaluate import Games
from arboretum_training.files import replace_file

FORMAT: Final = 1
_HASH: Final = "sha256"


def canonical(data: Any) -> bytes:
    """Plain data as bytes, the same for the same data."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode()


def digest(data: Any) -> str:
    """SHA-256 of plain data, in hex."""
    return hashlib.sha256(canonical(data)).hexdigest()


def write_unit(path: Path, about: Mapping[str, Any], games: Games) -> None:
    """Keeps the games of a unit.

    Args:
        path: the file; its folder is there.
        about: which unit of what, plain data.
        games: its games.
    """
    data = {"format": FORMAT, **about, "games": games_to_json(games)}
    replace_file(path, canonical({**data, _HASH: digest(data)}) + b"\n")


def read_unit(path: Path, about: Mapping[str, Any]) -> Games:
    """The games of a unit.

    Args:
        path: the file.
        about: which unit is expected.

    Raises:
        DamagedFileError: the file is not whole, was changed, or is another unit's.
        FileNotFoundError: there is none.
    """
    try:
        data = json.loads(path.read_bytes())
        given = data.pop(_HASH)
        if given != digest(data):
            raise DamagedFileError(f"{path}: does not have its own hash: damaged or changed")
        games = data.pop("games")
        if data != {"format": FORMAT, **about}:
            raise DamagedFileError(f"{path}: is of another unit or other settings")
        return games_from_json(games)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, DamagedFileError):
            raise
        raise DamagedFileError(f"{path}: is no finished unit: {error}") from error


def games_to_json(games: Games) -> dict[str, Any]:
    """Games as plain data: a list a field; ``winners`` are the seats that shared the win.

    ``forfeits`` has the row and the seat of every game that was forfeited; left out if none was.
    """
    forfeited = np.flatnonzero(games.forfeits >= 0)
    data = {
        "deal_id": games.deal_id.tolist(),
        "game_id": games.game_id.tolist(),
        "seating": games.seating.tolist(),
        "points": games.points.tolist(),
        "winners": [np.flatnonzero(shares).tolist() for shares in games.win_shares],
        "denied_points": games.denied_points.tolist(),
        "turns": games.turns.tolist(),
    }
    if len(forfeited):
        data["forfeits"] = [[int(row), int(games.forfeits[row])] for row in forfeited]
    return data


def games_from_json(data: Mapping[str, Any]) -> Games:
    """The inverse of ``games_to_json``.

    Raises:
        ValueError, KeyError, TypeError: other data.
    """
    seating = np.array(data["seating"], np.int64)
    shares = np.zeros(seating.shape)
    for row, winners in enumerate(data["winners"]):
        shares[row, winners] = 1 / len(winners)
    forfeits = np.full(len(seating), -1)
    for row, seat in data.get("forfeits", ()):
        forfeits[row] = seat
    return Games(
        deal_id=np.array(data["deal_id"], np.uint64),
        game_id=np.array(data["game_id"], np.uint64),
        seating=seating,
        points=np.array(data["points"], np.int64),
        win_shares=shares,
        denied_points=np.array(data["denied_points"], np.int64),
        turns=np.array(data["turns"], np.int64),
        forfeits=forfeits,
    )
