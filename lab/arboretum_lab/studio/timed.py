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
        first_seconds: that the first call for anybody may take, if that is more: it may have to
            compile what it runs, which after an installation takes longer than any thought.
    """

    def __init__(self, seconds: float, stray: int, first_seconds: float = 0.0) -> None:
        self._seconds = seconds
        self._first_seconds = max(seconds, first_seconds)
        self._met: set[str] = set()
        self._stray = stray
        self._lock = threading.Lock()
        self._left_behind: list[_Call[Any]] = []

    def call(self, function: Callable[[], T], who: str) -> Outcome[T]:
        """Calls ``function`` and waits for it, but no longer than allowed.

        Args:
            function: is called.
            who: an agent's spec; agents of one name run the same code.
        """
        name = who.partition(":")[0]
        with self._lock:
            seconds = self._seconds if name in self._met else self._first_seconds
            self._left_behind = [call for call in self._left_behind if not call.done.is_set()]
            full = len(self._left_behind) >= self._stray
        if full:
            return Outcome(fault="too many agents still think beyond their time; try again later")
        call = _Call(function)
        threading.Thread(target=call.run, name="timed", daemon=True).start()
        in_time = call.done.wait(seconds)
        with self._lock:
            self._met.add(name)
            if not in_time:
                self._left_behind.append(call)
        if not in_time:
            return Outcome(fault=f"nothing within {seconds:g} seconds")
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
