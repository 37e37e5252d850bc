"""How long work tells its caller how far it is, and lets itself be stopped."""

from collections.abc import Callable

Tick = Callable[[float], None]
"""Told what share of the work is done, 0..1; it may raise to have it stopped."""

Pulse = Callable[[], None]
"""Called again and again while something is at work; it may raise to have it stopped."""


def silent(share: float) -> None:
    """A ``Tick`` that does nothing."""
