"""Taking turns: every contestant is measured in every round, so that all meet the same machine.

A contestant plays the same units (games, batches) in every round, cut into steps of some tenths of
a millisecond. Two rates are reported, in decisions per second:

- ``best``: every step counts with the least time that it took in any round. Other programs can only
  make a step slower, and a short one is left alone by them now and then, so this is the rate of an
  undisturbed machine. Ratios are of these.
- ``median``: of whole rounds; it shows how disturbed the machine was.
"""

import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

Play = Callable[[int], Iterator[int]]
"""Plays unit number k, the same one at every call; yields the decisions made in each step."""

Clock = Callable[[], float]
"""Seconds from anywhere."""


@dataclass(frozen=True)
class Contestant:
    """Something that can be measured.

    Attributes:
        key: a short name for tables and options.
        title: what is measured.
        make: imports what it needs and sets it up; returns what plays.
    """

    key: str
    title: str
    make: Callable[[], Play]


@dataclass(frozen=True)
class Result:
    """What came of a contestant.

    Attributes:
        key, title: the contestant's.
        decisions: of every step.
        seconds: of every step in every round, ``seconds[round][step]``.
        problem: why there are none, e.g. that its library is missing.
    """

    key: str
    title: str
    decisions: tuple[int, ...] = ()
    seconds: tuple[tuple[float, ...], ...] = ()
    problem: str = ""

    @property
    def best(self) -> float:
        """Decisions per second of steps at their least times."""
        least: list[float] = [min(times) for times in zip(*self.seconds, strict=True)]
        return sum(self.decisions) / sum(least)

    @property
    def median(self) -> float:
        """Decisions per second of the median round."""
        return statistics.median(sum(self.decisions) / sum(times) for times in self.seconds)


def measure(
    contestants: Iterable[Contestant],
    rounds: int,
    seconds: float,
    clock: Clock = time.perf_counter,
    say: Callable[[str], None] = lambda line: None,
) -> list[Result]:
    """Measures all contestants in turn, round by round.

    Args:
        contestants: who is measured.
        rounds: how often the units are repeated.
        seconds: the units of a contestant last about this long together.
        clock: takes the time.
        say: told what is going on.

    Raises:
        ValueError: a contestant does not play the same in every round.
    """
    entries = list(contestants)
    ready: dict[str, tuple[Play, int]] = {}
    decisions: dict[str, tuple[int, ...]] = {}
    times: dict[str, list[tuple[float, ...]]] = {}
    problems: dict[str, str] = {}
    for entry in entries:
        say(f"setting up {entry.title}")
        try:
            play = entry.make()
        except ImportError as error:
            problems[entry.key] = f"not installed: {error}"
            continue
        ready[entry.key] = play, _units(play, seconds, clock)
        times[entry.key] = []
    for number in range(rounds):
        say(f"round {number + 1} of {rounds}")
        for key, (play, units) in ready.items():
            made, taken = _round(play, units, clock)
            if decisions.setdefault(key, made) != made:
                raise ValueError(f"{key}: played otherwise in round {number + 1} than before")
            times[key].append(taken)
    return [
        Result(
            entry.key,
            entry.title,
            decisions.get(entry.key, ()),
            tuple(times.get(entry.key, ())),
            problems.get(entry.key, ""),
        )
        for entry in entries
    ]


def _units(play: Play, seconds: float, clock: Clock) -> int:
    """How many units fill the time. The first is played twice: it compiles and fills caches."""
    _round(play, 1, clock)
    units, begun = 0, clock()
    while not units or clock() - begun < seconds:
        for _ in play(units):
            pass
        units += 1
    return units


def _round(play: Play, units: int, clock: Clock) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Decisions and seconds of every step of some units."""
    decisions, times = [], []
    for unit in range(units):
        begun = clock()
        for made in play(unit):
            ended = clock()
            decisions.append(made)
            times.append(ended - begun)
            begun = clock()
    return tuple(decisions), tuple(times)
