"""Copies of games that have reached the disk, for the day when the power fails.

A file that was just replaced may be empty after a power cut. So a thread makes a copy of every game
that has changed, a second name of the same file, waits until the disk has it, and then puts it in
the place of the copy before. Moves do not wait for that.
"""

import contextlib
import logging
import os
import threading
from pathlib import Path
from typing import Final

log = logging.getLogger("arboretum.studio")

_PAUSE_SECONDS: Final = 1.0


def safe_copy(path: Path) -> Path:
    """Where the safe copy of a game's file is."""
    return path.with_suffix(".safe")


def make_safe(path: Path) -> None:
    """Has the disk take a file, and makes that its safe copy.

    Raises:
        OSError: it is gone, or the disk fails; then the copy before stays.
    """
    under_way = path.with_suffix(".saving")
    with contextlib.suppress(FileNotFoundError):
        under_way.unlink()
    under_way.hardlink_to(path)
    with under_way.open("rb") as file:
        os.fsync(file.fileno())
    under_way.replace(safe_copy(path))


def forget(path: Path) -> None:
    """Deletes a game's file and its copy."""
    for each in (path, safe_copy(path)):
        each.unlink(missing_ok=True)


class SafeKeeper:
    """Makes copies of what has changed, about once a second."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._changed: set[Path] = set()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="safe copies", daemon=True)
        self._thread.start()

    def note(self, path: Path) -> None:
        """A file has been replaced."""
        with self._lock:
            self._changed.add(path)

    def close(self) -> None:
        """Makes the last copies and ends."""
        self._end.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._end.wait(_PAUSE_SECONDS):
            self._copy_all()
        self._copy_all()

    def _copy_all(self) -> None:
        with self._lock:
            paths, self._changed = self._changed, set()
        for path in paths:
            try:
                make_safe(path)
            except FileNotFoundError:
                pass  # deleted meanwhile
            except OSError as error:
                log.warning("%s has no safe copy: %s", path, error.strerror)
