"""Records in files: ``.arb`` text, or the JSON form in ``.json``."""

import json
import sys
from pathlib import Path
from typing import Any, Final

from arboretum_env.errors import ArboretumError, RecordError
from arboretum_env.records.arb_reader import read_arb
from arboretum_env.records.arb_writer import write_arb
from arboretum_env.records.json_form import record_from_json, record_to_json
from arboretum_env.records.record import GameRecord

MAX_FILE_BYTES: Final[int] = 4 * 1024 * 1024
"""A whole game takes about 1 KiB; this leaves room for comments and keeps accidents out."""


def load_record(path: Path) -> GameRecord:
    """Read a record; ``.json`` is the JSON form, everything else ``.arb`` text, ``-`` stdin.

    Raises:
        RecordError: the file is no record.
        OSError: it cannot be read.
    """
    text = read_text(path, RecordError)
    if path.suffix == ".json":
        return record_from_json(parse_json(text, path, RecordError))
    return read_arb(text)


def save_record(record: GameRecord, path: Path) -> None:
    """Write a record; ``.json`` gives the JSON form, everything else ``.arb`` text."""
    if path.suffix == ".json":
        text = json.dumps(record_to_json(record), indent=1, ensure_ascii=False) + "\n"
    else:
        text = write_arb(record)
    # Bytes, so that no line end inside a comment is translated.
    path.write_bytes(text.encode("utf-8"))


def read_text(path: Path, error: type[ArboretumError]) -> str:
    """UTF-8 text of a file, or of stdin for ``-``.

    Raises:
        ArboretumError: of the given type, for bytes that are not UTF-8 or far too many.
        OSError: it cannot be read.
    """
    if str(path) == "-":
        data = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
    else:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise error(f"{path}: more than {MAX_FILE_BYTES} bytes, expected about a thousand")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as problem:
        where = f"{problem.reason} at byte {problem.start}"
        raise error(f"{path}: not UTF-8 text: {where}") from problem


def parse_json(text: str, path: Path, error: type[ArboretumError]) -> Any:
    """The JSON document of a text; raises ``error`` when it is none."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as problem:
        raise error(
            f"{path}: not JSON: {problem.msg} at line {problem.lineno} column {problem.colno}"
        ) from problem
    except (RecursionError, ValueError) as problem:  # nested too deeply, or a number too long
        raise error(f"{path}: not JSON that fits a record: {problem}") from problem
