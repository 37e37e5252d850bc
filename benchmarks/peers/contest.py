"""Taking turns: every contestant is measured in every round, so that all meet the same machine.

A contestant's play is cut into units (a game, a batch of steps, a scan), the same ones in every
round. Two rates are reported, in decisions per second:

- ``best``: every unit counts with the least time that it took in any round. Other programs can only
  make a unit slower, and a short one is left alone by them now and then, so this is the rate of an
  undisturbed machine. Ratios are of these.
- ``median``: of whole rounds; it shows how disturbed the machine was.
"""

import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

Play = Callable[[int], int]
"""Plays unit number k, the same one at every call, and returns the decisions made in it."""

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
        decisions: of every unit.
        seconds: of every unit in every round, ``seconds[round][unit]``.
        problem: why there are none, e.g. that its library is missing.
    """

    key: str
    title: str
    decisions: tuple[int, ...] = ()
    seconds: tuple[tuple[float, ...], ...] = ()
    problem: str = ""

    @property
    def best(self) -> float:
        """Decisions per second of units at their least times."""
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
    """
    entries = list(contestants)
    plays: dict[str, Play] = {}
    decisions: dict[str, tuple[int, ...]] = {}
    times: dict[str, list[tuple[float, ...]]] = {}
    problems: dict[str, str] = {}
    for entry in entries:
        say(f"setting up {entry.title}")
        try:
            plays[entry.key] = entry.make()
        except ImportError as error:
            problems[entry.key] = f"not installed: {error}"
            continue
        decisions[entry.key] = _units(plays[entry.key], seconds, clock)
        times[entry.key] = []
    for number in range(rounds):
        say(f"round {number + 1} of {rounds}")
        for key, play in plays.items():
            times[key].append(_round(play, len(decisions[key]), clock))
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


def _units(play: Play, seconds: float, clock: Clock) -> tuple[int, ...]:
    """Plays units until the time is over, the first twice: it compiles and fills caches."""
    play(0)
    made: list[int] = []
    begun = clock()
    while not made or clock() - begun < seconds:
        made.append(play(len(made)))
    return tuple(made)


def _round(play: Play, units: int, clock: Clock) -> tuple[float, ...]:
    times = []
    for unit in range(units):
        begun = clock()
        play(unit)
        times.append(clock() - begun)
    return tuple(times)
