"""The first Ctrl-C asks, the second one stops; afterwards everything is as before."""

import os
import signal

import pytest

from arboretum_training.interrupt import InterruptGuard


def press_ctrl_c() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_the_first_asks_and_the_second_stops(capfd: pytest.CaptureFixture[str]) -> None:
    with InterruptGuard() as guard:
        assert not guard.requested
        press_ctrl_c()  # and the iteration goes on
        assert guard.requested
        with pytest.raises(KeyboardInterrupt):
            press_ctrl_c()
    assert capfd.readouterr().err.count("stopping after this iteration") == 1


def break_under_guard() -> None:
    with InterruptGuard():
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
        raise RuntimeError("broken")


def test_the_previous_handler_is_back_even_after_an_error() -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(RuntimeError, match="broken"):
        break_under_guard()
    assert signal.getsignal(signal.SIGINT) == before
    with pytest.raises(KeyboardInterrupt):
        press_ctrl_c()
