"""A person at a terminal, or a pipe in its place: lines out, answers in, Tab completes.

With a terminal on both ends, answers are read with readline where Python has it. Otherwise they are
lines of bytes; whatever they are, they become text, and of a line without end only the beginning.
"""

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Final

MAX_ANSWER: Final = 500
"""Characters of an answer that are looked at."""

Completer = Callable[[str, str], list[str]]
"""Completions of a word, given the line before it and what there is of the word."""


class Terminal:
    """Standard input and output."""

    @property
    def interactive(self) -> bool:
        """Whether a person sits at both ends."""
        return sys.stdin.isatty() and sys.stdout.isatty()

    def say(self, text: str = "") -> None:
        """Prints lines; what the terminal cannot show is written as escapes."""
        encoding = sys.stdout.encoding or "utf-8"
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
        sys.stdout.flush()

    def ask(self, prompt: str, completer: Completer | None = None) -> str:
        """One answer, without its line end.

        Raises:
            EOFError: there are no more.
            KeyboardInterrupt: Ctrl-C.
        """
        if not self.interactive:
            return self._read_line(prompt)
        with contextlib.suppress(AttributeError):  # standard input may be no text file of its own
            sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
        with _completing(completer):
            return input(prompt)[:MAX_ANSWER]

    def clear(self) -> None:
        """Wipes the screen and what can be scrolled back to, if there is a screen.

        The answers so far are forgotten, too: arrow keys must not bring them to the next person.
        """
        if self.interactive:
            sys.stdout.write("\x1b[2J\x1b[3J\x1b[H")
            sys.stdout.flush()
            with contextlib.suppress(ImportError):
                import readline

                readline.clear_history()

    def _read_line(self, prompt: str) -> str:
        self.say(prompt.rstrip())
        line = sys.stdin.buffer.readline(8 * MAX_ANSWER)
        rest = line
        while len(rest) == 8 * MAX_ANSWER and not rest.endswith(b"\n"):
            rest = sys.stdin.buffer.readline(8 * MAX_ANSWER)
        if not line:
            raise EOFError
        return line.decode("utf-8", "replace").rstrip("\r\n")[:MAX_ANSWER]


@contextlib.contextmanager
def _completing(completer: Completer | None) -> Iterator[None]:
    """Lets Tab complete inside the block."""
    try:
        import readline
    except ImportError:  # Python without it reads plain lines
        yield
        return

    def complete(word: str, number: int) -> str | None:
        before = readline.get_line_buffer()[: readline.get_begidx()]
        found = completer(before, word) if completer is not None else []
        return found[number] if number < len(found) else None

    libedit = "libedit" in (readline.__doc__ or "")
    readline.set_completer_delims(" ")
    readline.set_completer(complete)
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
    try:
        yield
    finally:
        readline.set_completer(None)
