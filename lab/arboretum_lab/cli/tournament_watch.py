"""Ratings and progress on a terminal while a tournament runs."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rich import box
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from arboretum_training.evaluation.rating import Rating
from arboretum_training.evaluation.standings import quick_ratings
from arboretum_training.evaluation.tournament import Tournament, Watcher
from arboretum_training.evaluation.tournament_report import spread

REFIT_SECONDS: Final = 3.0
RESAMPLES: Final = 200


@contextmanager
def watching(tournament: Tournament, anchor: str | None, console: Console) -> Iterator[Watcher]:
    """Shows what happens while the block lasts; nothing where ``console`` is no terminal.

    Args:
        tournament: what is played.
        anchor: see ``standings``.
        console: gets the view, which is wiped at the end.

    Yields:
        What ``Tournament.play`` calls after every unit.
    """
    if not console.is_terminal:
        yield _ignore
        return
    columns = (TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=console)
    task = bar.add_task("playing", total=tournament.units, completed=len(tournament.finished))
    with Live(bar, console=console, transient=True) as live:
        refitted = 0.0

        def show(tournament: Tournament) -> None:
            nonlocal refitted
            bar.update(task, completed=len(tournament.finished))
            # Refitting takes a while, so that it is not done for every unit.
            if time.monotonic() - refitted >= REFIT_SECONDS or tournament.complete:
                live.update(Group(live_ratings(tournament, anchor), bar))
                refitted = time.monotonic()

        yield show


def live_ratings(tournament: Tournament, anchor: str | None) -> RenderableType:
    """The ratings so far."""
    names = tournament.settings.names
    index = None if anchor is None else names.index(anchor)
    ratings = quick_ratings(tournament, index, RESAMPLES)
    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column("agent", overflow="fold")
    for title in ("rating so far", "95 %"):
        table.add_column(title, justify="right")

    def strength(pair: tuple[str, Rating]) -> float:
        return -pair[1].rating

    for name, rating in sorted(zip(names, ratings, strict=True), key=strength):
        table.add_row(Text(name), f"{rating.rating:.0f}", spread(rating))
    return table


def _ignore(tournament: Tournament) -> None:
    """A watcher that nobody looks at."""
