"""Work units: a fixed 64 deals each, on one core or on many, with the same results.

What a unit computes depends on its deals alone, so neither the number of workers nor the order in
which they finish can be seen in a result (batched play is the same whatever the worker count,
because the batches are).
"""

import multiprocessing
import signal
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from arboretum_training.evaluation.errors import EvaluationError, WorkerError

DEALS_PER_UNIT: Final = 64

_Unit = TypeVar("_Unit")
_Result = TypeVar("_Result")
Progress = Callable[[int, int], None]
"""Called with (units done, units in all) whenever a unit is done."""


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
    workers: int = 1,
    progress: Progress | None = None,
    on_result: Callable[[int, _Result], None] | None = None,
) -> list[_Result]:
    """Applies ``function`` to every unit.

    Args:
        function: importable by name (workers are fresh processes), and a pure function of its unit
            but for files that it writes.
        units: what it is applied to; picklable when there are several workers.
        workers: processes. With 1 everything happens in this process.
        progress: see ``Progress``; always called in this process.
        on_result: called with a unit's index and its result as soon as it is done, before
            ``progress``, in this process; in any order. Whoever keeps results as they come loses
            none of them to a crash.

    Returns:
        The results, in the order of the units.

    Raises:
        EvaluationError: fewer than one worker.
        WorkerError: a worker died.
        Exception: whatever ``function`` raised first; units not begun by then are dropped.
    """
    if workers < 1:
        raise EvaluationError(f"{workers} workers: expected at least 1")
    done = 0

    def report(index: int, result: _Result) -> None:
        nonlocal done
        done += 1
        if on_result is not None:
            on_result(index, result)
        if progress is not None:
            progress(done, len(units))

    if workers == 1 or len(units) < 2:
        return _run_here(function, units, report)
    return _run_in_processes(function, units, min(workers, len(units)), report)


def _run_here(
    function: Callable[[_Unit], _Result],
    units: Sequence[_Unit],
    report: Callable[[int, _Result], None],
) -> list[_Result]:
    results = []
    for index, unit in enumerate(units):
        results.append(function(unit))
        report(index, results[-1])
    return results


def _run_in_processes(
    function: Callable[[_Unit], _Result],
    units: Sequence[_Unit],
    workers: int,
    report: Callable[[int, _Result], None],
) -> list[_Result]:
    with _processes(workers) as executor:
        futures: dict[Future[_Result], int] = {
            executor.submit(function, unit): index for index, unit in enumerate(units)
        }
        for future in as_completed(futures):
            report(futures[future], future.result())
        return [future.result() for future in futures]


def iterate_units(
    function: Callable[[_Unit], _Result], units: Sequence[_Unit], workers: int = 1
) -> Generator[_Result]:
    """``run_units``, one result after the other, for a caller that may have seen enough.

    Close the generator (``contextlib.closing``) to stop: units under way are then thrown away. The
    results come in the order of the units, so what a caller makes of the first n of them does not
    depend on the number of workers. Arguments and errors are those of ``run_units``.
    """
    if workers < 1:
        raise EvaluationError(f"{workers} workers: expected at least 1")
    if workers == 1 or len(units) < 2:
        return (function(unit) for unit in units)
    return _iterate_in_processes(function, units, min(workers, len(units)))


def _iterate_in_processes(
    function: Callable[[_Unit], _Result], units: Sequence[_Unit], workers: int
) -> Generator[_Result]:
    with _processes(workers) as executor:
        for future in [executor.submit(function, unit) for unit in units]:
            yield future.result()


@contextmanager
def _processes(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Fresh processes, which are ended at once when the block is left early."""
    # spawn, not fork: a forked child inherits the locks of torch's and numba's threads.
    context = multiprocessing.get_context("spawn")
    bystanders = set(multiprocessing.active_children())
    executor = ProcessPoolExecutor(workers, mp_context=context, initializer=_start_worker)
    try:
        yield executor
    except BrokenProcessPool as error:
        raise WorkerError(
            "a worker process ended without a result (out of memory, or killed): try fewer workers"
        ) from error
    except BaseException:
        # An error, Ctrl-C or a caller that has seen enough: what is running now would be thrown
        # away, so nobody waits for it.
        executor.shutdown(wait=False, cancel_futures=True)
        for worker in set(multiprocessing.active_children()) - bystanders:
            worker.terminate()
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _start_worker() -> None:
    # Ctrl-C reaches the whole process group. A worker goes without a traceback of its own.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


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
