"""Ctrl-C: the first one asks a run to stop and save, the second one stops it at once."""

import os
import signal
from types import FrameType, TracebackType
from typing import Any, Final, Self

NOTE: Final = "stopping after this iteration, with a checkpoint; Ctrl-C again stops at once"


class InterruptGuard:
    """Turns the first SIGINT into a request, while the context lasts.

    The loop looks at ``requested`` where its state is whole, between two iterations. The second
    SIGINT raises ``KeyboardInterrupt`` wherever the program is; saving is atomic, so the last
    checkpoint survives that too. On leaving, the previous handler is back.

    Python handles signals in the main thread only: the guard must be entered there.
    """

    def __init__(self) -> None:
        self.requested = False
        self._previous: Any = None

    def __enter__(self) -> Self:
        self._previous = signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        signal.signal(signal.SIGINT, self._previous)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True
        # Not print(): the signal may have come in the middle of another print.
        os.write(2, f"\n{NOTE}\n".encode())
