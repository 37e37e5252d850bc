"""The bar of commands that take long: on standard error, on terminals only, wiped at the end."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


class Report(Protocol):
    """Called with what is done, out of how much, and what to write before the bar."""

    def __call__(self, done: int, total: int, text: str = ...) -> None:
        """Moves the bar."""


@contextmanager
def progress_bar(text: str) -> Iterator[Report]:
    """A bar while the block lasts.

    Args:
        text: what stands before it, until a report says something else.
    """
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        task = progress.add_task(text, total=None)

        def report(done: int, total: int, text: str = text) -> None:
            progress.update(task, completed=done, total=total, description=text)

        yield report
