"""Analyses take seconds: each is a job in a thread of its own, which tells how far it is.

A job is stopped at its next step, when its browser says so or when it has used up its time. A few
work at once, the others wait; how many a browser may have open is limited.
"""

import logging
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeVar

from arboretum_env.errors import ArboretumError
from arboretum_lab.studio.errors import RefusedError
from arboretum_lab.studio.settings import Limits
from arboretum_training.research.progress import Pulse, Tick

log = logging.getLogger("arboretum.studio")

_ID_BYTES: Final = 12
_POLL_SECONDS: Final = 0.1

T = TypeVar("T")

JobState = Literal["waiting", "running", "done", "failed", "cancelled"]


class _StoppedError(Exception):
    """Somebody wants no answer any more, or time is up."""


@dataclass(frozen=True)
class Answer:
    """What a job found.

    Attributes:
        shown: what the page is sent.
        kept: what later questions about the job are answered from; never sent as it is.
    """

    shown: dict[str, Any]
    kept: Any = None


Work = Callable[[Tick, Pulse], Answer]


@dataclass
class Job:
    """One analysis.

    Attributes:
        id: names it in addresses.
        owner: hash of the token that asked for it.
        work: does it.
        curtain: the game under way and the seat that it is told of, if it is of one: what it found
            is for whoever may see that seat now.
        state: how far it is.
        progress: 0..1.
        answer: once it is done.
        fault: why it failed, in words.
        stopped: nobody wants it any more.
    """

    id: str
    owner: str
    work: Work
    curtain: tuple[str, int] | None = None
    state: JobState = "waiting"
    progress: float = 0.0
    answer: Answer | None = None
    fault: str = ""
    stopped: threading.Event = field(default_factory=threading.Event)

    @property
    def open(self) -> bool:
        """Whether it still waits or works."""
        return self.state in ("waiting", "running")

    def to_json(self) -> dict[str, Any]:
        """What the page is told."""
        return {
            "id": self.id,
            "state": self.state,
            "progress": round(self.progress, 3),
            "fault": self.fault,
            "result": None if self.answer is None else self.answer.shown,
        }


class Analyses:
    """The jobs of one studio.

    Args:
        limits: how many, and for how long.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._room = threading.BoundedSemaphore(limits.analysing)
        self._tries = threading.BoundedSemaphore(limits.tries)
        self._jobs: OrderedDict[str, Job] = OrderedDict()

    def begin(self, owner: str, work: Work, curtain: tuple[str, int] | None = None) -> Job:
        """Has something worked out.

        Args:
            owner, work, curtain: see ``Job``.

        Raises:
            RefusedError: ``too_many``.
        """
        job = Job(secrets.token_urlsafe(_ID_BYTES), owner, work, curtain)
        with self._lock:
            still = [each for each in self._jobs.values() if each.open]
            own = [each for each in still if each.owner == owner and not each.stopped.is_set()]
            if len(own) >= self._limits.analyses_a_session:
                raise RefusedError("too_many", "your other analyses are still at work: stop one")
            if len(still) >= self._limits.analyses:
                raise RefusedError("too_many", "too many analyses wait: try again in a while")
            self._jobs[job.id] = job
            finished = [each.id for each in self._jobs.values() if not each.open]
            for old in finished[: max(0, len(self._jobs) - self._limits.kept_analyses)]:
                del self._jobs[old]
        threading.Thread(target=self._run, args=(job,), name="analysis", daemon=True).start()
        return job

    def find(self, job_id: str, owner: str) -> Job:
        """A browser's own job.

        Raises:
            RefusedError: ``not_found``.
        """
        with self._lock:
            job = self._jobs.get(job_id)
        if job is None or job.owner != owner:
            raise RefusedError("not_found", "there is no such analysis any more")
        return job

    def ask(self, question: Callable[[Pulse], T]) -> T:
        """Answers a question about a job at once.

        Raises:
            RefusedError: ``too_many``; ``not_now``: it took too long, or an agent failed.
            ArboretumError: what the question raises.
        """
        if not self._tries.acquire(blocking=False):
            raise RefusedError("too_many", "too many moves are tried: try again in a moment")
        seconds = self._limits.bot_seconds
        end = time.monotonic() + seconds

        def pulse() -> None:
            if time.monotonic() > end:
                raise RefusedError("not_now", f"no answer: nothing within {seconds:g} seconds")

        try:
            return question(pulse)
        except ArboretumError:
            raise
        except Exception as error:
            failed = f"no answer: it failed ({type(error).__name__})"
            raise RefusedError("not_now", failed) from error
        finally:
            self._tries.release()

    def cancel(self, job: Job) -> None:
        """Stops a job at its next step, and forgets what it found."""
        job.stopped.set()
        with self._lock:
            if not job.open:
                self._jobs.pop(job.id, None)

    def close(self) -> None:
        """Stops all."""
        with self._lock:
            jobs = list(self._jobs.values())
        for job in jobs:
            job.stopped.set()

    def _run(self, job: Job) -> None:
        while not self._room.acquire(timeout=_POLL_SECONDS):
            if job.stopped.is_set():
                job.state = "cancelled"
                return
        end = time.monotonic() + self._limits.analysis_seconds

        def pulse() -> None:
            if job.stopped.is_set():
                raise _StoppedError
            if time.monotonic() > end:
                seconds = self._limits.analysis_seconds
                raise RefusedError("not_now", f"not done in {seconds:g} seconds: use fewer worlds")

        def tick(share: float) -> None:
            pulse()
            job.progress = share

        try:
            job.state = "running"
            answer = job.work(tick, pulse)
            if job.stopped.is_set():
                raise _StoppedError
            job.answer = answer
            job.progress, job.state = 1.0, "done"
        except _StoppedError:
            job.state = "cancelled"
        except ArboretumError as error:
            job.fault, job.state = " ".join(str(error).split()), "failed"
        except Exception as error:  # noqa: BLE001 - an agent may raise anything
            # The kind alone: a message may tell cards that nobody is to see.
            log.error("an analysis failed: %s", type(error).__name__)
            job.fault, job.state = f"it failed ({type(error).__name__})", "failed"
        finally:
            self._room.release()
