"""Writing files so that a crash leaves the old content or the new one, never half of it.

What the system refuses is an ``OSError`` that names the file: a full disk is otherwise noticed by a
call that knows none.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from arboretum_env.errors import ArboretumError


class FolderInUseError(ArboretumError, RuntimeError):
    """A folder in which another command is at work."""


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Lets every ``OSError`` within name a file."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


def write_synced(path: Path, data: bytes) -> None:
    """Write a file and wait until it is on the disk."""
    with naming(path), path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync_file(path: Path) -> None:
    """Wait until a file that somebody else wrote is on the disk."""
    with naming(path), path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, which syncing its files does not do."""
    with naming(folder):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def replace_file(path: Path, data: bytes) -> None:
    """Give a file new content in one step."""
    temporary = path.with_name(f".tmp-{path.name}")
    write_synced(temporary, data)
    with naming(path):
        temporary.replace(path)
    sync_folder(path.parent)


@contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Keeps other commands out of a folder while the block lasts, or until the process ends.

    Args:
        folder: if there is none, or its file system knows no locks, nobody is kept out.

    Raises:
        FolderInUseError: another command is at work in it.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        yield
        return
    try:
        with suppress(OSError):
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise FolderInUseError(
                    f"{folder}: another command is at work in it: expected to be the only one; "
                    "wait for its end, or stop it"
                ) from error
        yield
    finally:
        os.close(descriptor)


class GrowingFile:
    """A file that grows by whole pieces: one that does not fit leaves nothing behind.

    Nothing is buffered: what was appended is there for every reader.

    Args:
        path: made if need be; what it holds stays.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with naming(path):
            self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)

    def append(self, data: bytes) -> None:
        """Write a piece; raises ``OSError`` when it does not fit."""
        before = os.fstat(self._descriptor).st_size
        rest = memoryview(data)
        try:
            with naming(self.path):
                while rest:
                    rest = rest[os.write(self._descriptor, rest) :]
        except OSError:
            # If even this is refused, half a piece stays; readers of logs know of those.
            with suppress(OSError):
                os.ftruncate(self._descriptor, before)
            raise

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)
