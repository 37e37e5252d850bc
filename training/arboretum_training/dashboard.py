"""What a run shows while it trains: a live panel on a terminal, plain lines elsewhere."""

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from arboretum_training.evaluation.rating import Rating

SHOWN: Final = (
    ("speed/decisions", "decisions/s", "{:,.0f}"),
    ("loss/policy", "policy loss", "{:+.4f}"),
    ("loss/value", "value loss", "{:.4f}"),
    ("loss/critic", "critic loss", "{:.4f}"),
    ("belief/skill", "belief skill", "{:.3f}"),
    ("policy/entropy", "entropy", "{:.3f}"),
    ("policy/approx_kl", "KL", "{:.4f}"),
    ("value/explained_variance", "explained", "{:.2f}"),
    ("games/score", "score", "{:.1f}"),
)
"""Metric, what the dashboard calls it, how it is written; those of a row that are there."""

PLAIN_INTERVAL: Final = 10.0  # seconds between two plain lines, so that a log stays readable


RECENT: Final = 32
"""Iterations whose pace tells the time left: long enough for a measurement among them to count."""


@dataclass(frozen=True)
class Standing:
    """How the policy does against one opponent.

    Attributes:
        opponent: what it is called.
        win_rate: wins per seat held; ``low`` to ``high`` is its 95 % interval.
    """

    opponent: str
    win_rate: float
    low: float
    high: float

    @property
    def text(self) -> str:
        """``61.0 % (57.1 .. 64.7)``."""
        low, high = 100 * self.low, 100 * self.high
        return f"{100 * self.win_rate:.1f} % ({low:.1f} .. {high:.1f})"


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
        # Time and progress of the newest iterations, and of the one before them.
        self._recent: deque[tuple[float, float]] = deque(maxlen=RECENT + 1)
        self._last_line = -PLAIN_INTERVAL
        self._step = 0
        self._metrics: Mapping[str, float] = {}
        self._measured: tuple[int, Sequence[Standing], Rating] | None = None
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
        self._recent.append((now, progress))
        self._step, self._progress, self._metrics = step, min(progress, 1.0), metrics
        if self._live is not None:
            self._live.update(self._render(), refresh=True)
        elif now - self._last_line >= PLAIN_INTERVAL or progress >= 1:
            self._last_line = now
            self._print(f"{self._headline()}, {', '.join(self._figures())}")

    def show_evaluation(self, step: int, standings: Sequence[Standing], rating: Rating) -> None:
        """Show the latest measurement.

        Args:
            step: decisions that the policy had learned from.
            standings: how it did, opponent by opponent.
            rating: its rating.
        """
        self._measured = step, standings, rating
        if self._live is not None:
            self._live.update(self._render(), refresh=True)
        else:
            against = ", ".join(f"{one.text} against {one.opponent}" for one in standings)
            self._print(f"evaluation at {step:,} decisions: {against}; {rating_text(rating)}")

    def message(self, text: str) -> None:
        """Print a line that stays, above the panel."""
        self._print(text)

    def seconds_left(self) -> float | None:
        """Seconds to the end at the pace of the last ``RECENT`` iterations, with what came between.

        None before this launch has a pace.
        """
        if not self._recent:
            return None
        begun, progress = self._recent[0]
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
        rows.add_row(self._evaluation())
        return Panel(rows, title=Text(self._title))

    def _evaluation(self) -> RenderableType:
        if self._measured is None:
            return Text("no evaluation yet")
        step, standings, rating = self._measured
        table = Table.grid(padding=(0, 2))
        for one in standings:
            table.add_row(Text(one.opponent), Text(one.text))
        title = Text(f"\nat {step:,} decisions: {rating_text(rating)}; wins a seat (95 %) against")
        rows = Table.grid()
        rows.add_row(title)
        rows.add_row(table)
        return rows


def rating_text(rating: Rating) -> str:
    """``rating 1012 (990 .. 1035)``; a single deal has no interval."""
    if rating.ci95 is None:
        return f"rating {rating.rating:.0f}"
    return f"rating {rating.rating:.0f} ({rating.ci95.low:.0f} .. {rating.ci95.high:.0f})"


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
