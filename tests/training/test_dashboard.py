"""The dashboard: plain lines where there is no terminal, a panel where there is one."""

import io
import itertools

import pytest
from rich.console import Console

from arboretum_training.dashboard import SHOWN, Dashboard
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


def test_messages_and_evaluations_are_shown_as_they_are() -> None:
    dashboard, text, _ = plain()
    with dashboard:
        dashboard.show_evaluation("runs/[bold]x against greedy .61 (.57 .. .65), and a long line")
        dashboard.message("a checkpoint was saved")
    assert text.getvalue().splitlines() == [
        "evaluation: runs/[bold]x against greedy .61 (.57 .. .65), and a long line",
        "a checkpoint was saved",
    ]


def test_a_terminal_gets_one_panel_with_everything() -> None:
    text, clock = io.StringIO(), Clock()
    console = Console(file=text, force_terminal=True, width=80, height=20)
    with Dashboard("demo, 2 players", console=console, clock=clock) as dashboard:
        dashboard.update(1000, 0.1, ROW)
        clock.now += 30
        dashboard.update(2000, 0.2, ROW)
        dashboard.show_evaluation("greedy .61")
    last = text.getvalue().rpartition("demo, 2 players")[2]
    for part in ("20 %, 2,000 decisions, 4 min 00 s left", "decisions/s 7,654", "greedy .61", "━"):
        assert part in last
    assert text.getvalue().endswith("\x1b[?25h")  # the cursor is shown again


def test_what_is_shown_is_defined() -> None:
    for name, _, _ in SHOWN:
        check_name(name)
    labels = [label for _, label, _ in SHOWN]
    assert all(a != b for a, b in itertools.combinations(labels, 2))
