"""The result file of the suite: one zip with the card, every game's figures and every record.

    result.json     the card, and for each match its settings, its games and the hash of its records
    games/2p-.../deal000000-game0000000.arb

The same result is the same bytes. Reading it takes the names that belong there and nothing else.
"""

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arboretum_training.evaluation.errors import ResultError
from arboretum_training.evaluation.evaluate import Games
from arboretum_training.evaluation.saved_games import game_file
from arboretum_training.evaluation.suite_card import Card
from arboretum_training.evaluation.suite_match import SuiteMatch
from arboretum_training.evaluation.unit_files import (
    canonical,
    digest,
    games_from_json,
    games_to_json,
)

FORMAT: Final = 1
RESULT_NAME: Final = "result.json"
MAX_RESULT_BYTES: Final = 256 << 20
MAX_RECORD_BYTES: Final = 64 << 10
_BEGINNING: Final = (1980, 1, 1, 0, 0, 0)  # the first date that a zip knows
_HASH: Final = "sha256"
_FAULTS: Final = (
    AttributeError,
    EOFError,
    LookupError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    TypeError,
    ValueError,
)


@dataclass(frozen=True)
class MatchResultData:
    """A match as the file has it.

    Attributes:
        name: of its folder of records.
        players: number of players.
        rung: frozen name.
        settings: see ``TournamentSettings.to_json``.
        games: their figures; the agent has index 0.
        records: texts of the game records, in the order of ``games``.
    """

    name: str
    players: int
    rung: str
    settings: dict[str, Any]
    games: Games
    records: tuple[bytes, ...]


@dataclass(frozen=True)
class SuiteResult:
    """A result file that is whole."""

    card: Card
    matches: tuple[MatchResultData, ...]


def write_result(path: Path, card: Card, matches: Mapping[tuple[int, str], SuiteMatch]) -> None:
    """Writes the file.

    Args:
        path: replaced in one step.
        card: the agent's.
        matches: complete matches, with records, by number of players and rung.
    """
    temporary = path.with_name(f".tmp-{path.name}")
    with zipfile.ZipFile(temporary, "w") as file:
        entries = []
        for (players, rung), match in matches.items():
            games, whole = match.games(), hashlib.sha256()
            for name in _names(games):
                text = (match.records / "t0000" / name).read_bytes()
                whole.update(text)
                _add(file, f"games/{match.name}/{name}", text)
            entries.append(
                {
                    "name": match.name,
                    "players": players,
                    "rung": rung,
                    "settings": match.settings.to_json(),
                    "games": games_to_json(games),
                    "records": whole.hexdigest(),
                }
            )
        data = {"format": FORMAT, "card": card, "matches": entries}
        _add(file, RESULT_NAME, canonical({**data, _HASH: digest(data)}))
    temporary.replace(path)


def read_result(path: Path) -> SuiteResult:
    """Reads a file and checks its hashes.

    Raises:
        ResultError: it is no result, is damaged, or was altered without mending the hashes.
        OSError: it cannot be read.
    """
    try:
        with zipfile.ZipFile(path) as file:
            return _read(path, file)
    except (ResultError, OSError):
        raise
    # Whatever zip, JSON and numpy find wrong with bytes that anybody may have made.
    except (zipfile.BadZipFile, zlib.error, *_FAULTS) as error:
        raise ResultError(f"{path}: is no result of the suite: {error}") from error


def _read(path: Path, file: zipfile.ZipFile) -> SuiteResult:
    data = json.loads(_take(path, file, RESULT_NAME, MAX_RESULT_BYTES))
    if data.get("format") != FORMAT:
        raise ResultError(f"{path}: format {data.get('format')!r}: expected {FORMAT}")
    given = data.pop(_HASH)
    if given != digest(data):
        raise ResultError(f"{path}: {RESULT_NAME} does not have its own hash: it was altered")
    matches, expected = [], {RESULT_NAME}
    for entry in data["matches"]:
        games, whole, records = games_from_json(entry["games"]), hashlib.sha256(), []
        for name in _names(games):
            member = f"games/{entry['name']}/{name}"
            expected.add(member)
            records.append(_take(path, file, member, MAX_RECORD_BYTES))
            whole.update(records[-1])
        if whole.hexdigest() != entry["records"]:
            raise ResultError(f"{path}: records of {entry['name']}: were altered")
        rest = (entry["name"], entry["players"], entry["rung"], entry["settings"])
        matches.append(MatchResultData(*rest, games, tuple(records)))
    if extra := sorted(set(file.namelist()) - expected):
        raise ResultError(f"{path}: {extra[0]}: does not belong to a result")
    return SuiteResult(data["card"], tuple(matches))


def _names(games: Games) -> Iterator[str]:
    for deal, game in zip(games.deal_id, games.game_id, strict=True):
        yield game_file(int(deal), int(game))


def _add(file: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, _BEGINNING)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    file.writestr(entry, data)


def _take(path: Path, file: zipfile.ZipFile, name: str, most: int) -> bytes:
    try:
        size = file.getinfo(name).file_size
    except KeyError:
        raise ResultError(f"{path}: {name} is missing") from None
    if size > most:
        raise ResultError(f"{path}: {name}: {size} bytes, expected at most {most}")
    return file.read(name)
