"""Requests that take time: worked off by threads, each answered once, and cancelled at any moment.

A thread that thinks cannot be stopped. When its request is cancelled the client is answered at
once, another thread takes its place, and what it finds in the end is dropped.
"""

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from arboretum_lab.engine.requests import RequestError

MAX_WAITING: Final = 10_000
MAX_ABANDONED: Final = 64

JobId = str | int


@dataclass
class _Job:
    name: JobId
    work: Callable[[], bytes]
    answer: Callable[[bytes], None]
    running: bool = False


class Jobs:
    """Some threads and what waits for them.

    Args:
        threads: how many work at once.
    """

    def __init__(self, threads: int) -> None:
        self._queue: queue.SimpleQueue[_Job] = queue.SimpleQueue()
        self._changed = threading.Condition()
        self._open: dict[JobId, _Job] = {}
        self._abandoned = 0
        self._answering = 0
        for _ in range(threads):
            self._hire()

    def add(self, name: JobId, work: Callable[[], bytes], answer: Callable[[bytes], None]) -> None:
        """Has something done.

        Args:
            name: of the job, to cancel it by.
            work: finds the answer, a line, in a thread; raises nothing.
            answer: gives the answer, unless the job was cancelled; in the same thread.

        Raises:
            RequestError: the name is in use, or too much waits.
        """
        with self._changed:
            if name in self._open:
                raise RequestError("request", f"id {name!r}: an open request has it")
            if len(self._open) >= MAX_WAITING:
                raise RequestError("busy", f"{MAX_WAITING} requests wait already")
            job = self._open[name] = _Job(name, work, answer)
        self._queue.put(job)

    def cancel(self, name: JobId) -> bool:
        """Takes a job out, whose answer is then never given; False if there is none to take.

        Raises:
            RequestError: too many threads still think about requests that were cancelled.
        """
        with self._changed:
            job = self._open.get(name)
            if job is None:
                return False
            if job.running:
                if self._abandoned >= MAX_ABANDONED:
                    raise RequestError("busy", f"{MAX_ABANDONED} cancelled requests still run")
                self._abandoned += 1
                self._hire()
            del self._open[name]
            self._changed.notify_all()
            return True

    def wait(self) -> None:
        """Returns when everything is answered or cancelled."""
        with self._changed:
            self._changed.wait_for(lambda: not self._open and not self._answering)

    def _hire(self) -> None:
        # Daemons: a thread that still thinks does not keep the program from ending.
        threading.Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        while True:
            job = self._queue.get()
            with self._changed:
                if self._open.get(job.name) is not job:
                    continue  # cancelled before it began
                job.running = True
            line = job.work()
            with self._changed:
                if self._open.get(job.name) is not job:
                    self._abandoned -= 1
                    return  # cancelled meanwhile: another thread has taken this one's place
                # Before the answer: a client that has it may use the name again at once.
                del self._open[job.name]
                self._answering += 1
            job.answer(line)
            with self._changed:
                self._answering -= 1
                self._changed.notify_all()
