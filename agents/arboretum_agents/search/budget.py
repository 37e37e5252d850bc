"""How much a decision may cost: a number of simulations, or seconds."""

import time
from dataclasses import dataclass
from typing import Final, Protocol

from arboretum_env.errors import ConfigError

MAX_SIMULATIONS: Final = 1_000_000
MAX_SECONDS: Final = 3600.0
FIRST_LOOK: Final = 12  # simulations before a wall clock knows the speed: all candidates
SECONDS_A_SIMULATION: Final = 0.0005  # of the planner; for a first guess alone


class Clock(Protocol):
    """Says how much of a budget is used."""

    def progress(self, used: int) -> float:
        """Share of the budget that is used, after ``used`` simulations a decision; 1 is the end."""
        ...

    def most(self, used: int, share: float) -> int:
        """How many simulations may follow at most before ``progress`` reaches ``share``."""
        ...


@dataclass(frozen=True)
class _CountedClock:
    simulations: int

    def progress(self, used: int) -> float:
        return used / self.simulations

    def most(self, used: int, share: float) -> int:
        return max(int(share * self.simulations) - used, 0)


class _WallClock:
    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._begun = time.perf_counter()

    def progress(self, used: int) -> float:
        return (time.perf_counter() - self._begun) / self._seconds

    def most(self, used: int, share: float) -> int:
        """By the speed so far, which a first few simulations tell."""
        passed = time.perf_counter() - self._begun
        if used == 0:
            return FIRST_LOOK
        return max(int(used / passed * (share * self._seconds - passed)), 0)


@dataclass(frozen=True)
class Budget:
    """A budget for every decision.

    Attributes:
        simulations: worlds that are played to their end; reproducible.
        seconds: wall time instead, if given; then what is found depends on the machine.

    Raises:
        ConfigError: no sensible number.
    """

    simulations: int
    seconds: float | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.simulations <= MAX_SIMULATIONS:
            raise ConfigError(
                f"simulations={self.simulations}: expected 1..{MAX_SIMULATIONS:,}", "simulations"
            )
        if self.seconds is not None and not 0.0 < self.seconds <= MAX_SECONDS:
            raise ConfigError(
                f"seconds={self.seconds}: expected more than 0 and at most {MAX_SECONDS:.0f}",
                "seconds",
            )

    @property
    def expected(self) -> int:
        """About how many simulations it pays for."""
        if self.seconds is None:
            return self.simulations
        return int(self.seconds / SECONDS_A_SIMULATION)

    def start(self, decisions: int) -> Clock:
        """A clock for so many decisions that are taken together."""
        if self.seconds is None:
            return _CountedClock(self.simulations)
        return _WallClock(self.seconds * decisions)
