"""Calls with a limit of time, for agents, which may be anybody's.

A thread cannot be stopped from outside. A call that runs over is left behind: its result is
dropped when it comes. How many may be left behind at once is limited; beyond it nothing new begins.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Outcome(Generic[T]):
    """How a call ended.

    Attributes:
        value: what it returned; None if it did not.
        error: what it raised; None if nothing.
        fault: why there is no value, in words that tell no card; ``""`` if there is one.
    """

    value: T | None = None
    error: Exception | None = None
    fault: str = ""


class Timed:
    """Makes calls in threads of their own.

    Args:
        seconds: that a call may take.
        stray: how many calls may be left behind at once.
    """

    def __init__(self, seconds: float, stray: int) -> None:
        self._seconds = seconds
        self._room = threading.Semaphore(stray)

    def call(self, function: Callable[[], T]) -> Outcome[T]:
        """Calls ``function`` and waits for it, but no longer than allowed."""
        if not self._room.acquire(blocking=False):
            return Outcome(fault="too many agents still think beyond their time; try again later")
        call = _Call(function, self._room.release)
        threading.Thread(target=call.run, name="timed", daemon=True).start()
        if not call.done.wait(self._seconds):
            return Outcome(fault=f"nothing within {self._seconds:g} seconds")
        assert call.outcome is not None
        return call.outcome


class _Call(Generic[T]):
    def __init__(self, function: Callable[[], T], release: Callable[[], None]) -> None:
        self._function, self._release = function, release
        self.outcome: Outcome[T] | None = None
        self.done = threading.Event()

    def run(self) -> None:
        try:
            self.outcome = Outcome(self._function())
        except Exception as error:  # noqa: BLE001 - an agent may raise anything
            # The kind alone: a message may tell cards that nobody is to see.
            self.outcome = Outcome(error=error, fault=f"it failed ({type(error).__name__})")
        finally:
            self._release()
            self.done.set()
