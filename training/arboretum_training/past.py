"""Policies of a run's past, kept to be played against.

runs/NAME/past/000004-000000409600/   the fourth measurement's: a checkpoint, but for what training
                                      goes on with

Measurements are numbered from 1. The policy of every one is kept at first; as there come to be more
than ``KEPT`` of them, every second one goes, then every fourth stays, and so on, so that a share of
the way back always finds one near it. Which policy is chosen depends on the numbers alone: a
resumed run meets the same ones as an unbroken one.
"""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arboretum_agents.neural.checkpoint_reader import Checkpoint, step_name
from arboretum_training.checkpoint import write_folder

KEPT: Final = 16
_NAME: Final = re.compile(r"([0-9]{6,})-([0-9]{12,})")


@dataclass(frozen=True)
class PastPolicy:
    """A policy that was measured.

    Attributes:
        number: of its measurement.
        step: decisions that it had learned from.
        path: its folder, the spec of an agent.
    """

    number: int
    step: int
    path: Path


def past_policies(folder: Path) -> list[PastPolicy]:
    """What is kept, oldest first; nothing where there is no folder yet."""
    if not folder.is_dir():
        return []
    found = ((_NAME.fullmatch(path.name), path) for path in folder.iterdir())
    policies = [PastPolicy(int(name[1]), int(name[2]), path) for name, path in found if name]
    return sorted(policies, key=lambda policy: policy.step)


def keep_past(folder: Path, number: int, checkpoint: Checkpoint) -> None:
    """Keeps a policy; raises ``OSError`` where that cannot be.

    Args:
        folder: made if need be.
        number: of the measurement.
        checkpoint: whose weights play.
    """
    folder.mkdir(parents=True, exist_ok=True)
    write_folder(folder / f"{number:06d}-{step_name(checkpoint.step)}", checkpoint)


def choose_past(folder: Path, number: int, step: int, share: float) -> PastPolicy | None:
    """The policy nearest to a share of the way; None if there is none before.

    Args:
        folder: see ``keep_past``.
        number: of the measurement that asks.
        step: decisions so far.
        share: of them, in 0 .. 1.
    """
    every = _spacing(number)
    older = [
        policy
        for policy in past_policies(folder)
        if policy.step < step and policy.number % every == 0
    ]
    return min(older, key=lambda policy: abs(policy.step - share * step), default=None)


def thin_past(folder: Path, number: int) -> None:
    """Removes what no measurement after ``number`` will choose; raises ``OSError``.

    To be called when the run is saved: what a run that is resumed from here meets then stays.
    """
    for policy in past_policies(folder):
        if policy.number % _spacing(number):
            shutil.rmtree(policy.path)


def forget_past(folder: Path, step: int) -> None:
    """Removes what was kept after a step."""
    for policy in past_policies(folder):
        if policy.step > step:
            shutil.rmtree(policy.path)


def _spacing(number: int) -> int:
    """Distance of the policies that are kept: the smallest power of two that leaves ``KEPT``.

    >>> [_spacing(number) for number in (1, 16, 17, 33, 34, 1000)]
    [1, 1, 2, 2, 4, 64]
    """
    every = 1
    while number // every > KEPT:
        every *= 2
    return every
