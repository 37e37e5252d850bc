"""What Ray's workers compute in ``test_executor``: importable by name, as they ask for."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

import ray

from arboretum_env.errors import ConfigError
from arboretum_training.evaluation.evaluate import Games, Unit, play_unit


@dataclass(frozen=True)
class Watched:
    """A unit, and where its worker leaves word.

    Attributes:
        number: of the unit.
        folder: gets an empty file an attempt, ``NUMBER@NODE``.
        doomed: the node on which no unit ever ends.
        unit: what is played elsewhere.
    """

    number: int
    folder: str
    doomed: str
    unit: Unit


def play_or_hang(watched: Watched) -> Games:
    """Plays a unit, but on the doomed node, where it waits for the end."""
    node = ray.get_runtime_context().get_node_id()
    (Path(watched.folder) / f"{watched.number}@{node}").touch()
    if node == watched.doomed:
        time.sleep(600)
    return play_unit(watched.unit)


def die_once(number_and_folder: tuple[int, str]) -> int:
    """Takes its worker with it at the first attempt at 1."""
    number, folder = number_and_folder
    if number == 1:
        try:
            (Path(folder) / str(number)).touch(exist_ok=False)
        except FileExistsError:
            return number
        os._exit(1)
    return number


def die(number: int) -> int:
    """Takes its worker with it, always."""
    os._exit(1)


def refuse(number: int) -> int:
    """Raises what a bad configuration raises."""
    if number == 1:
        raise ConfigError("7 players: expected 2, 3 or 4")
    return number


def where(number: int) -> str:
    """The worker's folder."""
    return str(Path.cwd())


def hang(folder: str) -> None:
    """Waits for the end, having said who it is."""
    (Path(folder) / f"{os.getpid()}.pid").touch()
    time.sleep(600)


def hang_after_first(number_and_folder: tuple[int, str]) -> int:
    """Is done with 0 and nothing else."""
    number, folder = number_and_folder
    if number:
        hang(folder)
    return number
