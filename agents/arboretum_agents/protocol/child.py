"""A program that is talked to in lines: started, bounded in time and output, always ended.

Its three pipes are served together and without blocking, so that neither a full pipe nor a flood
on stderr can stop both sides. It runs in a process group of its own, which is killed as a whole.
A second, tiny process waits for our own end, whatever brings it, to do that in our place.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import time
import weakref
from collections.abc import Sequence
from typing import Final

from arboretum_agents.protocol.lines import MAX_LINE_BYTES, one_line
from arboretum_env.errors import ArboretumError

_CHUNK: Final = 1 << 16
_STDERR_KEPT: Final = 4096
_GRACE_SECONDS: Final = 1.0
"""For a program to end by itself once its stdin has."""

_LAST_WORDS_SECONDS: Final = 5.0
"""For a program that has closed its stdout to end, so that it can be told how."""

# `read` fails when the other end of the pipe is closed without a word: when we are gone.
_WATCHDOG: Final = 'read word || kill -9 "-$1"'


class ChildError(ArboretumError, RuntimeError):
    """A program that ended, is late, or says too much."""


class Child:
    """One running program.

    Args:
        arguments: the program and its arguments; no shell reads them.

    Raises:
        ChildError: it cannot be started.
    """

    def __init__(self, arguments: Sequence[str]) -> None:
        try:
            process = subprocess.Popen(
                list(arguments),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                process_group=0,
            )
        except (OSError, ValueError) as error:
            raise ChildError(f"cannot start {arguments[0]}: {one_line(str(error))}") from error
        watchdog = subprocess.Popen(
            ["sh", "-c", _WATCHDOG, "sh", str(process.pid)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            process_group=0,
        )
        # Also when the object is forgotten and at the interpreter's exit.
        self._end = weakref.finalize(self, _end, process, watchdog)
        assert process.stdin and process.stdout and process.stderr
        self._process = process
        self._stdin, self._stdout, self._stderr = (
            pipe.fileno() for pipe in (process.stdin, process.stdout, process.stderr)
        )
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe, False)
        self._outgoing = bytearray()
        self._incoming = bytearray()
        self._complaints = bytearray()
        self._open = {self._stdout, self._stderr}

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def send(self, line: bytes) -> None:
        """Has a line sent during the next ``receive``."""
        self._outgoing += line

    def receive(self, seconds: float) -> bytes:
        """The next line that it says, without its end.

        Raises:
            ChildError: there is none within ``seconds``, or ever; or it is too long.
        """
        deadline = time.monotonic() + seconds
        while (end := self._incoming.find(b"\n")) < 0:
            if len(self._incoming) > MAX_LINE_BYTES:
                raise ChildError(f"said a line of more than {MAX_LINE_BYTES} bytes")
            if self._stdout not in self._open:
                raise ChildError(self._last_words())
            left = deadline - time.monotonic()
            if left <= 0:
                raise ChildError(f"no answer within {seconds:g} seconds")
            self._pump(left)
        line = bytes(self._incoming[:end])
        del self._incoming[: end + 1]
        return line

    def close(self) -> None:
        """Ends it, by force if it does not go when its stdin ends; a second call does nothing."""
        self._end()

    def _pump(self, seconds: float) -> None:
        """Moves bytes wherever they can be moved, once; waits for that up to ``seconds``."""
        with selectors.DefaultSelector() as selector:
            for pipe in self._open:
                selector.register(pipe, selectors.EVENT_READ)
            if self._outgoing:
                selector.register(self._stdin, selectors.EVENT_WRITE)
            ready = [key.fd for key, _ in selector.select(seconds)]
        for pipe in ready:
            if pipe == self._stdin:
                self._write()
            else:
                self._read(pipe)

    def _write(self) -> None:
        try:
            sent = os.write(self._stdin, self._outgoing[:_CHUNK])
        except BlockingIOError:
            return
        except OSError:  # it no longer reads; what it still says, or its end, tells more
            self._outgoing.clear()
            return
        del self._outgoing[:sent]

    def _read(self, pipe: int) -> None:
        try:
            data = os.read(pipe, _CHUNK)
        except BlockingIOError:
            return
        if not data:
            self._open.discard(pipe)
        elif pipe == self._stdout:
            self._incoming += data
        else:
            self._complaints += data
            del self._complaints[:-_STDERR_KEPT]

    def _last_words(self) -> str:
        """How it ended, with the last line of its stderr."""
        deadline = time.monotonic() + _LAST_WORDS_SECONDS
        while self._stderr in self._open and (left := deadline - time.monotonic()) > 0:
            self._pump(left)
        try:
            code = self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            how = "closed its stdout"
        else:
            how = f"ended with exit code {code}" if code >= 0 else f"was killed by signal {-code}"
        lines = self._complaints.decode("utf-8", "replace").split("\n")
        said = [line for line in lines if line.strip()]
        return f"{how}: {one_line(said[-1])}" if said else how


def _end(process: subprocess.Popen[bytes], watchdog: subprocess.Popen[bytes]) -> None:
    """Ends the program with all of its group and the process that waits for our end."""
    assert process.stdin and process.stdout and process.stderr and watchdog.stdin
    process.stdin.close()
    # Nobody reads any more: a program that is busy talking notices, too.
    process.stdout.close()
    process.stderr.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE_SECONDS)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    with contextlib.suppress(OSError):
        watchdog.stdin.write(b"done\n")
    watchdog.stdin.close()
    watchdog.wait()
