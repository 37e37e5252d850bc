"""What a run shows while it trains: a live panel on a terminal, plain lines elsewhere."""

import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Final, Self

from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

SHOWN: Final = (
    ("speed/decisions", "decisions/s", "{:,.0f}"),
    ("loss/policy", "policy loss", "{:+.4f}"),
    ("loss/value", "value loss", "{:.4f}"),
    ("policy/entropy", "entropy", "{:.3f}"),
    ("policy/approx_kl", "KL", "{:.4f}"),
    ("value/explained_variance", "explained", "{:.2f}"),
    ("games/score", "score", "{:.1f}"),
)
"""Metric, what the dashboard calls it, how it is written; those of a row that are there."""

PLAIN_INTERVAL: Final = 10.0  # seconds between two plain lines, so that a log stays readable


class Dashboard:
    """Shows the progress of one run. A context manager.

    Args:
        title: name of the run and of what it learns.
        console: where to; stdout by default.
        clock: seconds, monotonic.
    """

    def __init__(
        self,
        title: str,
        *,
        console: Console | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._title = title
        self._console = console or Console()
        self._clock = clock
        self._progress = 0.0
        self._begun: tuple[float, float] | None = None  # time and progress at the first update
        self._last_line = -PLAIN_INTERVAL
        self._step = 0
        self._metrics: Mapping[str, float] = {}
        self._evaluation = "none yet"
        self._live: Live | None = None

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live = Live(self._render(), console=self._console, auto_refresh=False)
            self._live.start(refresh=True)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def update(self, step: int, progress: float, metrics: Mapping[str, float]) -> None:
        """Show one iteration.

        Args:
            step: decisions learned from so far.
            progress: share of the budget that is used.
            metrics: a row of the log; see ``SHOWN``.
        """
        now = self._clock()
        if self._begun is None:
            self._begun = now, progress
        self._step, self._progress, self._metrics = step, min(progress, 1.0), metrics
        if self._live is not None:
            self._live.update(self._render(), refresh=True)
        elif now - self._last_line >= PLAIN_INTERVAL or progress >= 1:
            self._last_line = now
            self._print(f"{self._headline()}, {', '.join(self._figures())}")

    def show_evaluation(self, text: str) -> None:
        """Show the latest measurement, on one line."""
        self._evaluation = text
        if self._live is not None:
            self._live.update(self._render(), refresh=True)
        else:
            self._print(f"evaluation: {text}")

    def message(self, text: str) -> None:
        """Print a line that stays, above the panel."""
        self._print(text)

    def seconds_left(self) -> float | None:
        """Seconds to the end at the pace of this launch; None before there is a pace."""
        if self._begun is None:
            return None
        begun, progress = self._begun
        done = self._progress - progress
        if done <= 0:
            return None
        return (self._clock() - begun) / done * (1 - self._progress)

    def _print(self, text: str) -> None:
        # As Text and not markup: an agent's path may hold square brackets.
        self._console.print(Text(text), soft_wrap=True)

    def _headline(self) -> str:
        left = self.seconds_left()
        rest = "" if left is None else f", {format_seconds(left)} left"
        return f"{100 * self._progress:.0f} %, {self._step:,} decisions{rest}"

    def _figures(self) -> list[str]:
        return [
            f"{label} {form.format(self._metrics[name])}"
            for name, label, form in SHOWN
            if name in self._metrics
        ]

    def _render(self) -> RenderableType:
        # A grid, since a progress bar does not end its own line.
        rows = Table.grid(expand=True)
        rows.add_row(Text(self._headline()))
        rows.add_row(ProgressBar(total=1.0, completed=self._progress))
        rows.add_row(Columns([Text(figure) for figure in self._figures()], padding=(0, 3)))
        rows.add_row(Text(f"last evaluation: {self._evaluation}"))
        return Panel(rows, title=Text(self._title))


def format_seconds(seconds: float) -> str:
    """A duration for people.

    >>> [format_seconds(s) for s in (0.4, 59.6, 3599, 7260)]
    ['0 s', '1 min 00 s', '59 min 59 s', '2 h 01 min']
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
