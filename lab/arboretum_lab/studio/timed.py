"""Calls with a limit of time, for agents, which may be anybody's.

A thread cannot be stopped from outside. A call that runs over is left behind: its result is
dropped when it comes. How many may be left behind at once is limited; beyond it nothing new begins.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

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
        self._stray = stray
        self._lock = threading.Lock()
        self._left_behind: list[_Call[Any]] = []

    def call(self, function: Callable[[], T]) -> Outcome[T]:
        """Calls ``function`` and waits for it, but no longer than allowed."""
        with self._lock:
            self._left_behind = [call for call in self._left_behind if not call.done.is_set()]
            full = len(self._left_behind) >= self._stray
        if full:
            return Outcome(fault="too many agents still think beyond their time; try again later")
        call = _Call(function)
        threading.Thread(target=call.run, name="timed", daemon=True).start()
        if not call.done.wait(self._seconds):
            with self._lock:
                self._left_behind.append(call)
            return Outcome(fault=f"nothing within {self._seconds:g} seconds")
        assert call.outcome is not None
        return call.outcome


class _Call(Generic[T]):
    def __init__(self, function: Callable[[], T]) -> None:
        self._function = function
        self.outcome: Outcome[T] | None = None
        self.done = threading.Event()

    def run(self) -> None:
        try:
            self.outcome = Outcome(self._function())
        except BaseException as error:  # noqa: BLE001 - an agent may raise anything, SystemExit too
            # The kind alone: a message may tell cards that nobody is to see.
            known = error if isinstance(error, Exception) else None
            self.outcome = Outcome(error=known, fault=f"it failed ({type(error).__name__})")
        finally:
            self.done.set()
