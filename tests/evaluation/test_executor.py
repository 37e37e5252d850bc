"""Work units: a fixed size, the order kept, errors and interrupts passed on."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_training.evaluation.errors import EvaluationError, WorkerError
from arboretum_training.evaluation.evaluate import evaluate
from arboretum_training.evaluation.executor import (
    Executor,
    iterate_units,
    one_torch_thread,
    run_units,
    split_deals,
)


def square(number: int) -> int:
    return number * number


def late_square(number: int) -> int:
    time.sleep(0.2 if number == 0 else 0.0)
    return number * number


def fail_on_two(number: int) -> int:
    if number == 2:
        raise KeyError("two")
    return number


def die(number: int) -> int:
    os._exit(1)


@pytest.mark.parametrize(
    ("deals", "sizes"), [(1, [1]), (64, [64]), (65, [64, 1]), (200, [64, 64, 64, 8])]
)
def test_units_have_64_deals(deals: int, sizes: list[int]) -> None:
    units = split_deals(deals)
    assert [len(unit) for unit in units] == sizes
    assert [int(deal) for unit in units for deal in unit] == list(range(deals))


@pytest.mark.parametrize("workers", [1, 2])
def test_results_keep_the_order_of_the_units(workers: int) -> None:
    seen: list[tuple[int, int]] = []
    results = run_units(
        late_square, range(5), workers, lambda done, total: seen.append((done, total))
    )
    assert results == [0, 1, 4, 9, 16]
    assert seen == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]


@pytest.mark.parametrize("workers", [1, 2])
def test_every_result_is_handed_over_before_its_progress(workers: int) -> None:
    kept: dict[int, int] = {}
    counts: list[int] = []
    run_units(
        late_square,
        range(5),
        workers,
        lambda done, total: counts.append(len(kept)),
        on_result=kept.__setitem__,
    )
    assert kept == {0: 0, 1: 1, 2: 4, 3: 9, 4: 16}
    assert counts == [1, 2, 3, 4, 5]


def square_and_tell(number_and_folder: tuple[int, str]) -> int:
    number, folder = number_and_folder
    if number > 3:
        time.sleep(600)  # nobody may wait for these
    (Path(folder) / f"{number}-{os.getpid()}").touch()
    return number * number


@pytest.mark.parametrize("workers", [1, 2])
def test_a_caller_that_has_seen_enough_stops_the_rest(workers: int, tmp_path: Path) -> None:
    units = [(number, str(tmp_path)) for number in range(8)]
    with closing(iterate_units(square_and_tell, units, workers)) as results:
        assert [next(results) for _ in range(3)] == [0, 1, 4]
    names = [path.name.split("-") for path in tmp_path.iterdir()]
    numbers, pids = {int(number) for number, _ in names}, {int(pid) for _, pid in names}
    assert numbers in ({0, 1, 2}, {0, 1, 2, 3})
    # Their end may be noticed a moment later; each would sleep for ten minutes.
    deadline = time.monotonic() + 60
    while pids & {child.pid for child in active_children()} and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not pids & {child.pid for child in active_children()}


@pytest.mark.parametrize("workers", [1, 2])
def test_iterating_keeps_the_order_and_raises_errors(workers: int) -> None:
    assert list(iterate_units(late_square, range(5), workers)) == [0, 1, 4, 9, 16]
    results = iterate_units(fail_on_two, range(4), workers)
    assert [next(results), next(results)] == [0, 1]
    with pytest.raises(KeyError, match="two"):
        next(results)
    with pytest.raises(EvaluationError, match="0 workers: expected at least 1"):
        iterate_units(square, range(2), 0)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_in_a_unit_is_raised(workers: int) -> None:
    with pytest.raises(KeyError, match="two"):
        run_units(fail_on_two, range(4), workers)


def test_a_worker_that_dies_is_reported() -> None:
    with pytest.raises(WorkerError, match="fewer workers"):
        run_units(die, range(2), 2)


def die_once(number_and_folder: tuple[int, str]) -> int:
    """Takes its process with it at the first attempt at 2 and at 4."""
    number, folder = number_and_folder
    if number in (2, 4):
        try:
            (Path(folder) / str(number)).touch(exist_ok=False)
        except FileExistsError:
            return number * number
        os._exit(1)
    return number * number


def test_units_of_a_worker_that_died_are_computed_again_and_count_once(tmp_path: Path) -> None:
    units = [(number, str(tmp_path)) for number in range(6)]
    counted: list[int] = []
    seen: list[tuple[int, int]] = []
    results = run_units(
        die_once,
        units,
        2,
        lambda done, total: seen.append((done, total)),
        on_result=lambda index, result: counted.append(index),
    )
    assert results == [0, 1, 4, 9, 16, 25]
    assert sorted(counted) == list(range(6))
    assert seen == [(done, 6) for done in range(1, 7)]
    assert {path.name for path in tmp_path.iterdir()} == {"2", "4"}, "both have died"


class Backwards:
    """An executor that is done with the last unit first, and computes every unit twice."""

    workers = 3

    def outcomes(
        self, function: Callable[[Any], Any], units: Sequence[Any]
    ) -> Generator[tuple[int, Callable[[], Any]]]:
        for index in reversed(range(len(units))):
            function(units[index])
            yield index, partial(function, units[index])


def test_an_executor_of_ones_own() -> None:
    executor: Executor = Backwards()
    order: list[int] = []
    results = run_units(square, range(4), executor, on_result=lambda index, _: order.append(index))
    assert results == [0, 1, 4, 9] and order == [3, 2, 1, 0]
    assert list(iterate_units(square, range(4), executor)) == [0, 1, 4, 9]
    config = GameConfig(num_players=3, species=4, num_ranks=5, hand_size=3)
    here, there = (
        evaluate(["greedy", "random"], config, deals=130, seed=3, workers=workers)
        for workers in (1, executor)
    )
    for name, values in vars(here.games).items():
        assert np.array_equal(values, getattr(there.games, name)), name


def test_no_workers_are_refused() -> None:
    with pytest.raises(EvaluationError, match="0 workers: expected at least 1"):
        run_units(square, range(2), 0)


def test_one_torch_thread_is_put_back() -> None:
    import torch  # not above: the workers of other tests import this module

    def fail_in_one_thread() -> None:
        with one_torch_thread():
            inside.append(torch.get_num_threads())
            raise KeyError

    before = torch.get_num_threads()
    torch.set_num_threads(2)
    inside: list[int] = []
    with pytest.raises(KeyError):
        fail_in_one_thread()
    assert inside == [1]
    assert torch.get_num_threads() == 2
    torch.set_num_threads(before)


INTERRUPTED = """
import sys, time
sys.path.insert(0, {tests!r})
from arboretum_training.evaluation.executor import run_units
from interrupted_unit import wait_long

if __name__ == "__main__":
    run_units(wait_long, [{folder!r}] * 4, 2)
"""

UNIT = """
import os, pathlib, time

def wait_long(folder):
    (pathlib.Path(folder) / f"{os.getpid()}.pid").touch()
    time.sleep(600)
"""


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_an_interrupt_ends_every_worker_without_waiting(tmp_path: Path) -> None:
    (tmp_path / "interrupted_unit.py").write_text(UNIT)
    script = tmp_path / "main.py"
    script.write_text(INTERRUPTED.format(tests=str(tmp_path), folder=str(tmp_path)))
    parent = subprocess.Popen([sys.executable, str(script)], stderr=subprocess.PIPE, text=True)
    try:
        for _ in range(1200):
            pids = [int(path.stem) for path in tmp_path.glob("*.pid")]
            if len(pids) == 2:
                break
            time.sleep(0.1)
        assert len(pids) == 2
        parent.send_signal(signal.SIGINT)  # to the parent alone, the harder case
        _, errors = parent.communicate(timeout=60)
    finally:
        parent.kill()
    assert parent.returncode != 0
    assert errors.count("Traceback") == 1 and "KeyboardInterrupt" in errors
    # Each would sleep for ten minutes; its end may be noticed a moment after the parent's.
    deadline = time.monotonic() + 60
    while any(alive(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(alive(pid) for pid in pids)
