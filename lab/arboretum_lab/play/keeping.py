"""Where games are saved, and that none is lost: not by a bad place, nor by a closed terminal."""

import contextlib
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arboretum_env.errors import ConfigError
from arboretum_lab.play.session import Session

_ENDINGS: Final = (".arb", ".json")


def check_new(path: Path) -> None:
    """Refuses a name for a new saved game that is no such name, that is taken, or out of reach.

    Raises:
        ConfigError: the message says which of these.
    """
    if path.suffix not in _ENDINGS:
        raise ConfigError(f"{path}: expected a name that ends in .arb or .json")
    if path.exists():
        raise ConfigError(f"{path}: is there already, expected a new name")
    if not path.parent.is_dir():
        raise ConfigError(f"{path}: expected a folder that is there, {path.parent} is none")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise ConfigError(f"{path}: expected a folder that can be written to")


def free_name() -> Path:
    """A new name in the current folder."""
    number = 1
    while (path := Path(f"arboretum-{number}.arb")).exists():
        number += 1
    return path


def keep(session: Session, path: Path) -> tuple[Path, str]:
    """Saves a game that people are about to leave, in a temporary folder if need be.

    Returns:
        (where it is now, why it is not where it should be).

    Raises:
        OSError: it can be saved nowhere.
    """
    try:
        session.save(path)
    except OSError as error:
        refuge = Path(tempfile.mkdtemp(prefix="arboretum-")) / path.name
        session.save(refuge)
        return refuge, f"{path}: {error.strerror}"
    return path, ""


@contextlib.contextmanager
def like_ctrl_c() -> Iterator[None]:
    """Makes a closed terminal, and being asked to end, a ``KeyboardInterrupt`` as Ctrl-C is.

    Python handles signals in the main thread only: the context must be entered there.
    """
    numbers = [signal.SIGTERM, *filter(None, [getattr(signal, "SIGHUP", None)])]
    before = {number: signal.signal(number, signal.default_int_handler) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
