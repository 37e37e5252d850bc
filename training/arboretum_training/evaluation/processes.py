"""Computing work units in processes of this machine; see ``executor``."""

import multiprocessing
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Final, TypeVar

from arboretum_training.evaluation.errors import WorkerError

RETRIES: Final = 3
"""How often a pool of processes that lost one is made anew, before it is taken for a fault."""

_Unit = TypeVar("_Unit")
_Result = TypeVar("_Result")


def outcomes_of_processes(
    function: Callable[[_Unit], _Result], units: Sequence[_Unit], workers: int
) -> Generator[tuple[int, Callable[[], _Result]]]:
    """See ``executor.Executor.outcomes``.

    A process that dies takes its pool with it: the units that are not done go into a new one.

    Raises:
        WorkerError: more than ``RETRIES`` pools broke.
    """
    missing = list(range(len(units)))
    for _ in range(1 + RETRIES):
        done = set()
        with _processes(min(workers, len(missing))) as pool:
            futures = _submit(pool, function, units, missing)
            for future in as_completed(futures):
                if isinstance(future.exception(), BrokenProcessPool):
                    continue
                index = futures[future]
                done.add(index)
                yield index, future.result
        missing = [index for index in missing if index not in done]
        if not missing:
            return
    raise WorkerError(
        f"worker processes ended without a result {1 + RETRIES} times (out of memory, or killed): "
        "try fewer workers"
    )


def _submit(
    pool: ProcessPoolExecutor,
    function: Callable[[_Unit], _Result],
    units: Sequence[_Unit],
    indices: Sequence[int],
) -> dict[Future[_Result], int]:
    """Hands units over; fewer than all of them where the pool is broken already."""
    futures: dict[Future[_Result], int] = {}
    for index in indices:
        try:
            futures[pool.submit(function, units[index])] = index
        except BrokenProcessPool:
            break
    return futures


@contextmanager
def _processes(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Fresh processes, which are ended at once when the block is left early."""
    # spawn, not fork: a forked child inherits the locks of torch's and numba's threads.
    context = multiprocessing.get_context("spawn")
    bystanders = set(multiprocessing.active_children())
    executor = ProcessPoolExecutor(workers, mp_context=context, initializer=_start_worker)
    try:
        yield executor
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
