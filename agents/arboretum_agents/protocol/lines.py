"""One JSON object a line, read strictly: no NaN, no key twice, no line without end."""

import json
import re
from typing import Any, Final

from arboretum_env.errors import ArboretumError

MAX_LINE_BYTES: Final = 1 << 20
"""The longest view of any game has some 5,000 bytes."""

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
_MOST_SHOWN: Final = 200
_LITTLE: Final = 40
"""Bytes of a bad line, enough to find out what prints it."""


class LineError(ArboretumError, ValueError):
    """A line that is no JSON object."""


def parse_line(line: bytes) -> dict[str, Any]:
    """The object of a line.

    Raises:
        LineError: the line is no JSON object, or one with a key twice or a number out of range.
    """
    if len(line) > MAX_LINE_BYTES:
        raise LineError(f"a line of more than {MAX_LINE_BYTES} bytes")
    try:
        value = json.loads(
            line.decode("utf-8"),
            parse_constant=_refuse_constant,
            object_pairs_hook=_without_repetition,
        )
    except UnicodeDecodeError as error:
        raise LineError(f"not UTF-8: {error.reason} at byte {error.start}") from error
    except RecursionError as error:
        raise LineError("not JSON that fits: nested too deeply") from error
    except ValueError as error:  # a JSONDecodeError, or a number of thousands of digits
        said = one_line(line[:_LITTLE].decode("utf-8", "replace"))
        raise LineError(f"not JSON: {one_line(str(error))} in '{said}'") from error
    if not isinstance(value, dict):
        raise LineError(f"expected a JSON object, not {type(value).__name__}")
    return value


def dump_line(message: dict[str, Any]) -> bytes:
    """A message as a line, in ASCII."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"


def one_line(text: str) -> str:
    """A text that error messages and the headers of records can hold, cut to 200 characters."""
    clean = _UNPRINTABLE.sub(" ", text).replace('"', "'").strip()
    return clean if len(clean) <= _MOST_SHOWN else f"{clean[:_MOST_SHOWN]}..."


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found
