"""What work units cost those who compute them, and the process that hands them out.

    python -m benchmarks.scaling              # in an environment with the extra "ray"
    python -m benchmarks.scaling --no-ray

Costs are processor time, so that other work on the machine matters little. The last column of each
table follows from both: how many workers one coordinator keeps busy.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import tyro

from arboretum_env.config import GameConfig
from arboretum_training.evaluation.evaluate import Games, Unit, plan_units, play_unit
from arboretum_training.evaluation.executor import DEALS_PER_UNIT, Executor, Processes, executor_of
from arboretum_training.evaluation.unit_files import write_unit
from benchmarks.machine import described

PAIRS: Final = (("greedy", "random"), ("planner", "greedy"), ("league-2p", "planner"))
EMPTY_UNITS: Final = 300
WORKERS: Final = 2


@dataclass(frozen=True)
class Options:
    """What work units cost, and how many workers one coordinator keeps busy."""

    units: int = 4
    """Units of 64 deals that are played by each pair of agents."""

    together: int = 40
    """Units of the second pair that are played by two workers."""

    ray: bool = True
    """Hand units out by Ray, too."""


def units_of(pair: tuple[str, str], number: int) -> list[Unit]:
    """The first units of an evaluation."""
    return plan_units(pair, GameConfig(num_players=2), deals=DEALS_PER_UNIT * number, seed=0)


def nothing(unit: Unit) -> None:
    """What is left of a unit where playing takes no time."""


def playing_seconds(units: Sequence[Unit]) -> tuple[float, Games]:
    """Processor time of a unit, once everything that it needs was loaded, and the last games."""
    play_unit(Unit(**{**vars(units[0]), "deal_ids": units[0].deal_ids[:1]}))
    start = time.process_time()
    for unit in units:
        games = play_unit(unit)
    return (time.process_time() - start) / len(units), games


def coordinator_seconds(
    executor: Executor, function: Callable[[Unit], Any], units: Sequence[Unit]
) -> float:
    """Processor time of this process for a unit, the start of the workers left out."""
    outcomes = executor.outcomes(function, units)
    next(outcomes)[1]()
    start = time.process_time()
    for _, outcome in outcomes:
        outcome()
    return (time.process_time() - start) / (len(units) - 1)


def timed(unit: Unit) -> float:
    """Plays a unit; its processor time."""
    start = time.process_time()
    play_unit(unit)
    return time.process_time() - start


def worker_seconds(executor: Executor, units: Sequence[Unit]) -> float:
    """Processor time of a unit where it is played: the second half of them, all being loaded."""
    outcomes = executor.outcomes(timed, units)
    seconds = [outcome() for _, outcome in outcomes]
    return sum(seconds[len(units) // 2 :]) / (len(units) - len(units) // 2)


def keeping_seconds(games: Games) -> tuple[float, int]:
    """Processor time to keep a unit's games in a file, as tournaments do, and its size."""
    with TemporaryDirectory() as folder:
        path, rounds = Path(folder) / "unit.json", 50
        start = time.process_time()
        for _ in range(rounds):
            write_unit(path, {"table": 0}, games)
        return (time.process_time() - start) / rounds, path.stat().st_size


@contextmanager
def executors(ray: bool) -> Iterator[dict[str, Executor]]:
    """Who hands units out, by name."""
    named: dict[str, Executor] = {"processes": Processes(WORKERS)}
    if not ray:
        yield named
        return
    from arboretum_training.ray.connection import LOCAL
    from arboretum_training.ray.executor import ray_executor

    with ray_executor(LOCAL, WORKERS) as executor:
        yield {**named, "Ray": executor}


def main(options: Options) -> None:
    """Measures and prints."""
    print(described(["numpy", "numba", "torch"]), end="\n\n")
    empty = units_of(PAIRS[0], EMPTY_UNITS)
    with executors(options.ray) as named:
        handing = {
            name: coordinator_seconds(executor, nothing, empty) for name, executor in named.items()
        }
        units = units_of(PAIRS[1], options.together)
        alone = worker_seconds(executor_of(1), units)
        print(f"processor time of a unit where {WORKERS} are played at once, to that of one alone:")
        for name, executor in named.items():
            print(f"  {name}: {worker_seconds(executor, units) / alone:.2f}")
    keeping, size = keeping_seconds(playing_seconds(empty[:1])[1])
    print(f"handing a unit out and taking it back ({EMPTY_UNITS} units that compute nothing):")
    for name, seconds in handing.items():
        print(f"  by {name}: {1e3 * seconds:.2f} ms")
    print(f"keeping it in a file of {size:,} bytes: {1e3 * keeping:.2f} ms", end="\n\n")
    columns = " | ".join(f"workers, {name}" for name in handing)
    print(f"| agents | a unit takes | sent | comes back | {columns} |")
    print("|---" * (4 + len(handing)) + "|")
    for pair in PAIRS:
        units = units_of(pair, options.units)
        seconds, games = playing_seconds(units)
        sent, back = (len(ForkingPickler.dumps(thing)) for thing in (units[0], games))
        busy = " | ".join(f"{seconds / (cost + keeping):,.0f}" for cost in handing.values())
        print(f"| `{pair[0]}`, `{pair[1]}` | {seconds:.3f} s | {sent} B | {back:,} B | {busy} |")


if __name__ == "__main__":
    main(tyro.cli(Options))
