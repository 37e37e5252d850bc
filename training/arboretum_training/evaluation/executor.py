"""Work units: a fixed 64 deals each, on one core or on many, with the same results.

What a unit computes depends on its deals alone, so neither who computes it nor the order in which
units finish can be seen in a result (batched play is the same whatever the worker count, because
the batches are). For the same reason a unit whose worker died is simply computed again.
"""

import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from typing import Final, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from arboretum_training.evaluation.errors import EvaluationError
from arboretum_training.evaluation.processes import outcomes_of_processes

DEALS_PER_UNIT: Final = 64

_Unit = TypeVar("_Unit")
_Result = TypeVar("_Result")
Progress = Callable[[int, int], None]
"""Called with (units done, units in all) whenever a unit is done."""


class Executor(Protocol):
    """Where units are computed: in this process, in several, or by Ray (``ray.executor``)."""

    @property
    def workers(self) -> int:
        """How many units are computed at a time."""

    def outcomes(
        self, function: Callable[[_Unit], _Result], units: Sequence[_Unit]
    ) -> Generator[tuple[int, Callable[[], _Result]]]:
        """Applies a function to units; close the generator to drop what is not done.

        Args:
            function: importable by name, and a pure function of its unit but for files that it
                writes: it may be called more than once for a unit.
            units: picklable where other processes compute.

        Yields:
            Every index exactly once, in any order, when its unit is done or cannot be; and what
            then returns its result, or raises what the function raised, or ``WorkerError`` where
            workers died again and again.
        """


Workers = int | Executor
"""A number of processes on this machine, 1 for this process alone; or something else."""


class Serial:
    """Computes in this process."""

    workers = 1

    def outcomes(
        self, function: Callable[[_Unit], _Result], units: Sequence[_Unit]
    ) -> Generator[tuple[int, Callable[[], _Result]]]:
        """See ``Executor``; a unit is computed when its result is asked for."""
        for index, unit in enumerate(units):
            yield index, partial(function, unit)


class Processes:
    """Computes in fresh processes on this machine.

    Args:
        workers: how many.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def outcomes(
        self, function: Callable[[_Unit], _Result], units: Sequence[_Unit]
    ) -> Generator[tuple[int, Callable[[], _Result]]]:
        """See ``Executor``; a single unit is not worth a process."""
        if len(units) < 2:
            return Serial().outcomes(function, units)
        return outcomes_of_processes(function, units, min(self.workers, len(units)))


def executor_of(workers: Workers) -> Executor:
    """The executor that is meant.

    Raises:
        EvaluationError: fewer than one worker.
    """
    if not isinstance(workers, int):
        return workers
    if workers < 1:
        raise EvaluationError(f"{workers} workers: expected at least 1")
    return Serial() if workers == 1 else Processes(workers)


def split_deals(deals: int) -> list[NDArray[np.uint64]]:
    """Ids 0..deals-1 in units of ``DEALS_PER_UNIT``; the last unit may be shorter.

    >>> [len(unit) for unit in split_deals(150)]
    [64, 64, 22]
    """
    ids = np.arange(deals, dtype=np.uint64)
    return [ids[start : start + DEALS_PER_UNIT] for start in range(0, deals, DEALS_PER_UNIT)]


def run_units(
    function: Callable[[_Unit], _Result],
    units: Sequence[_Unit],
    workers: Workers = 1,
    progress: Progress | None = None,
    on_result: Callable[[int, _Result], None] | None = None,
) -> list[_Result]:
    """Applies ``function`` to every unit.

    Args:
        function: see ``Executor``.
        units: what it is applied to.
        workers: see ``Workers``.
        progress: see ``Progress``; always called in this process.
        on_result: called with a unit's index and its result as soon as it is done, before
            ``progress``, in this process; in any order. Whoever keeps results as they come loses
            none of them to a crash.

    Returns:
        The results, in the order of the units.

    Raises:
        EvaluationError: fewer than one worker.
        WorkerError: workers died again and again.
        Exception: whatever ``function`` raised first; units not begun by then are dropped.
    """
    results: dict[int, _Result] = {}
    with closing(executor_of(workers).outcomes(function, units)) as outcomes:
        for index, outcome in outcomes:
            results[index] = outcome()
            if on_result is not None:
                on_result(index, results[index])
            if progress is not None:
                progress(len(results), len(units))
    return [results[index] for index in range(len(units))]


def iterate_units(
    function: Callable[[_Unit], _Result], units: Sequence[_Unit], workers: Workers = 1
) -> Generator[_Result]:
    """``run_units``, one result after the other, for a caller that may have seen enough.

    Close the generator (``contextlib.closing``) to stop: units under way are then thrown away. The
    results come in the order of the units, so what a caller makes of the first n of them does not
    depend on the number of workers. Arguments and errors are those of ``run_units``.
    """
    return _in_order(executor_of(workers).outcomes(function, units))


def _in_order(
    outcomes: Generator[tuple[int, Callable[[], _Result]]],
) -> Generator[_Result]:
    early: dict[int, Callable[[], _Result]] = {}
    expected = 0
    with closing(outcomes):
        for index, outcome in outcomes:
            early[index] = outcome
            while expected in early:
                yield early.pop(expected)()
                expected += 1


@contextmanager
def one_torch_thread() -> Iterator[None]:
    """One torch thread inside the block: sums split over threads differ in their last bits.

    Does nothing where no agent has imported torch.
    """
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
