"""Computing work units by Ray, on this machine or on many; see ``evaluation.executor``.

A unit is a task that may be computed twice and counts once: Ray computes it again where a worker or
a node died, also where a result died with its node, and the process that asked takes every index
once. That process alone writes results, so it is the only one whose death ends the work.
"""

import os
import platform
import re
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

import ray
from ray.exceptions import RayError as AnyRayError
from ray.exceptions import RayTaskError

from arboretum_training.code_versions import code_versions, differences
from arboretum_training.evaluation.errors import WorkerError
from arboretum_training.ray.connection import RayError, connected

RETRIES: Final = 3
"""How often a unit is begun again whose worker or node died, before that is taken for a fault."""

UNITS_PER_WORKER: Final = 4
"""How many units are handed over for each worker: enough that none waits for the next one, and few
enough that what is not handed over yet costs nothing."""

_Unit = TypeVar("_Unit")
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Home:
    """Where units come from.

    Attributes:
        folder: its working directory, by which relative paths of agents and records are meant.
        versions: see ``code_versions``.
    """

    folder: str
    versions: Mapping[str, str]


class RayExecutor:
    """An ``evaluation.executor.Executor``. Made by ``ray_executor``."""

    def __init__(self) -> None:
        self._home = Home(str(Path.cwd()), code_versions())
        as_task = ray.remote(num_cpus=1, max_retries=RETRIES, retry_exceptions=False)
        self._compute = as_task(_compute)

    @property
    def workers(self) -> int:
        """Processors of all nodes that there are now; nodes may come and go."""
        return max(1, int(ray.cluster_resources().get("CPU", 0)))

    def outcomes(
        self, function: Callable[[_Unit], _Result], units: Sequence[_Unit]
    ) -> Generator[tuple[int, Callable[[], _Result]]]:
        """See ``Executor``."""
        waiting = iter(enumerate(units))
        under_way: dict[Any, int] = {}
        try:
            while True:
                room = UNITS_PER_WORKER * self.workers - len(under_way)
                for index, unit in islice(waiting, max(0, room)):
                    under_way[self._compute.remote(function, unit, self._home)] = index
                if not under_way:
                    return
                done, _ = ray.wait(list(under_way), num_returns=1)
                for reference in done:
                    yield under_way.pop(reference), partial(_result, reference)
        finally:
            for reference in under_way:
                ray.cancel(reference, force=True)


@contextmanager
def ray_executor(address: str, workers: int) -> Iterator[RayExecutor]:
    """An executor, connected while the block lasts.

    Args:
        address: see ``connection.connected``.
        workers: processors of a local Ray.

    Raises:
        RayError: nothing at the address.
    """
    with connected(address, workers):
        if not ray.cluster_resources().get("CPU"):
            warnings.warn(
                f"Ray at {address!r} has no processors: nothing is played until a node with some "
                "joins it",
                stacklevel=2,
            )
        yield RayExecutor()


def _result(reference: Any) -> Any:
    """A task's result.

    Raises:
        WorkerError: workers or nodes died again and again.
        RayError: the worker's node lacks the code.
        Exception: what the unit raised.
    """
    try:
        return ray.get(reference)
    except RayTaskError as error:
        # Of a node that lacks our code Ray tells by an error of its own, or a bare RuntimeError.
        lacking = re.search(r"No module named '[\w.]+'", str(error.cause))
        if lacking and isinstance(error.cause, AnyRayError | RuntimeError):
            raise RayError(
                f"a node cannot compute: {lacking[0]}: expected arboretum-lab with the extra ray "
                "on every node, in the environment that `ray start` ran in"
            ) from error
        raise error.cause from None  # its own text is a traceback from another machine
    except AnyRayError as error:
        raise WorkerError(
            f"a unit of work was lost {1 + RETRIES} times with its worker ({type(error).__name__}: "
            "out of memory, or killed): try fewer workers a node"
        ) from error


def _compute(function: Callable[[_Unit], _Result], unit: _Unit, home: Home) -> _Result:
    """What a worker does."""
    if (here := code_versions()) != home.versions:
        raise RayError(
            f"node {platform.node()} has {differences(here, home.versions)}: expected the same on "
            "every node"
        )
    # A node that lacks the folder can play all agents that have names.
    if Path(home.folder).is_dir():
        os.chdir(home.folder)
    return function(unit)
