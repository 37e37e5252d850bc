"""Which file an error is about: records and boards know their lines, commands know their files."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from arboretum_env.errors import ArboretumError, BoardError, RecordError


class InputFileError(ArboretumError, ValueError):
    """A fault in a file that a command was given; the message begins with the file's name."""


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Puts the file's name before whatever is wrong with the record or board in it.

    Raises:
        InputFileError: in place of a ``RecordError`` or ``BoardError``.
    """
    try:
        yield
    except (RecordError, BoardError) as error:
        message = str(error).removeprefix(f"{path}: ")  # what cannot be decoded has it already
        name = "standard input" if str(path) == "-" else str(path)
        raise InputFileError(f"{name}: {message}") from error
