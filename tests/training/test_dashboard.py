"""The dashboard: plain lines where there is no terminal, a panel where there is one."""

import io
import itertools

import pytest
from rich.console import Console

from arboretum_training.dashboard import RECENT, SHOWN, Dashboard, Standing
from arboretum_training.evaluation.rating import Rating
from arboretum_training.evaluation.statistics import Interval
from arboretum_training.metrics import check_name

ROW = {"speed/decisions": 7654.3, "loss/policy": -0.0123, "loss/value": 0.25, "time/update": 1.0}


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def plain() -> tuple[Dashboard, io.StringIO, Clock]:
    text, clock = io.StringIO(), Clock()
    console = Console(file=text, force_terminal=False, width=40)
    return Dashboard("demo, 2 players", console=console, clock=clock), text, clock


def test_plain_lines_hold_the_figures() -> None:
    dashboard, text, clock = plain()
    with dashboard:
        dashboard.update(1000, 0.1, ROW)
        clock.now += 30
        dashboard.update(2000, 0.2, ROW)
    assert text.getvalue().splitlines() == [
        "10 %, 1,000 decisions, decisions/s 7,654, policy loss -0.0123, value loss 0.2500",
        "20 %, 2,000 decisions, 4 min 00 s left, decisions/s 7,654, policy loss -0.0123, "
        "value loss 0.2500",
    ]


def test_plain_lines_are_few_but_the_last_one_is_there() -> None:
    dashboard, text, clock = plain()
    with dashboard:
        for step in range(100):
            dashboard.update(step, step / 100, ROW)
            clock.now += 1
        dashboard.update(100, 1.003, ROW)
    lines = text.getvalue().splitlines()
    assert len(lines) == 11
    assert lines[-1].startswith("100 %, 100 decisions, 0 s left")


def test_the_time_left_is_this_launchs_pace() -> None:
    # Resumed at 60 %: 10 % in 50 seconds leave 30 % or 150 seconds, whatever was before.
    dashboard, _, clock = plain()
    assert dashboard.seconds_left() is None
    dashboard.update(600, 0.6, ROW)
    assert dashboard.seconds_left() is None
    clock.now += 50
    dashboard.update(700, 0.7, ROW)
    assert dashboard.seconds_left() == pytest.approx(150)


def test_the_time_left_is_the_recent_pace() -> None:
    """A slow start, of compiling or while the machine was busy, is forgotten."""
    dashboard, _, clock = plain()
    progress = 0.0
    for number in range(RECENT + 8):
        dashboard.update(number, progress, ROW)
        clock.now += 100 if number < 7 else 2
        progress += 0.01
    # 32 iterations of 2 seconds and 1 % each, and 61 % are left since the last one; its own time
    # has begun: 2 seconds more.
    assert dashboard.seconds_left() == pytest.approx((32 * 2 + 2) / 0.32 * 0.61)


def test_a_pause_to_measure_counts() -> None:
    dashboard, _, clock = plain()
    dashboard.update(1, 0.2, ROW)
    clock.now += 10
    dashboard.update(2, 0.3, ROW)
    assert dashboard.seconds_left() == pytest.approx(70)
    clock.now += 30  # measuring
    assert dashboard.seconds_left() == pytest.approx(280)


STANDINGS = (
    Standing("runs/[bold]x", 0.6104, 0.5712, 0.6478),
    Standing("past-0.5", 0.5, 0.25, 0.75),
)


def test_evaluations_and_messages_are_shown_as_they_are() -> None:
    dashboard, text, _ = plain()
    with dashboard:
        dashboard.show_evaluation(12_345, STANDINGS, Rating(1012.4, Interval(989.6, 1035.2)))
        dashboard.show_evaluation(20_000, STANDINGS[1:], Rating(1000.0, None))
        dashboard.message("[a] checkpoint was saved")
    assert text.getvalue().splitlines() == [
        "evaluation at 12,345 decisions: 61.0 % (57.1 .. 64.8) against runs/[bold]x, "
        "50.0 % (25.0 .. 75.0) against past-0.5; rating 1012 (990 .. 1035)",
        "evaluation at 20,000 decisions: 50.0 % (25.0 .. 75.0) against past-0.5; rating 1000",
        "[a] checkpoint was saved",
    ]


def test_a_terminal_gets_one_panel_with_everything() -> None:
    text, clock = io.StringIO(), Clock()
    console = Console(file=text, force_terminal=True, width=80, height=20)
    with Dashboard("demo, 2 players", console=console, clock=clock) as dashboard:
        dashboard.update(1000, 0.1, ROW)
        assert "no evaluation yet" in text.getvalue()
        clock.now += 30
        dashboard.update(2000, 0.2, ROW)
        dashboard.show_evaluation(1500, STANDINGS, Rating(1012.4, Interval(989.6, 1035.2)))
    last = text.getvalue().rpartition("demo, 2 players")[2]
    for part in (
        "20 %, 2,000 decisions, 4 min 00 s left",
        "decisions/s 7,654",
        "at 1,500 decisions: rating 1012 (990 .. 1035)",
        "runs/[bold]x  61.0 % (57.1 .. 64.8)",
        "past-0.5      50.0 % (25.0 .. 75.0)",
        "━",
    ):
        assert part in last
    assert "no evaluation yet" not in last
    assert text.getvalue().endswith("\x1b[?25h")  # the cursor is shown again


def test_what_is_shown_is_defined() -> None:
    for name, _, _ in SHOWN:
        check_name(name)
    labels = [label for _, label, _ in SHOWN]
    assert all(a != b for a, b in itertools.combinations(labels, 2))
