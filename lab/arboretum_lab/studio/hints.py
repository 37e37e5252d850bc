"""Hints: what an agent would do in a person's place, within the time that a bot may take."""

import threading
from typing import Any

from arboretum_env.errors import ArboretumError
from arboretum_env.view import PlayerView
from arboretum_lab.play.hints import DEFAULT_HINT, advice_of, hint_text
from arboretum_lab.studio.errors import RefusedError
from arboretum_lab.studio.opponents import check_spec
from arboretum_lab.studio.settings import Settings
from arboretum_lab.studio.timed import Timed


class Hints:
    """Asks agents for advice, a few at a time.

    Args:
        settings: which agents, and how many at once.
        timed: for how long.
    """

    def __init__(self, settings: Settings, timed: Timed) -> None:
        self._settings, self._timed = settings, timed
        self._slots = threading.BoundedSemaphore(settings.limits.hints)

    def ask(self, view: PlayerView, spec: str) -> dict[str, Any]:
        """The advice as data and in words.

        Raises:
            RefusedError: the seat is not to move, the agent takes too long or fails, too many ask.
            ArboretumError: no such agent.
        """
        spec = spec or DEFAULT_HINT
        check_spec(spec, self._settings)
        if not view.legal_actions():
            raise RefusedError(
                "not_now", f"seat {view.seat} is not to move: there is nothing to hint at"
            )
        if not self._slots.acquire(blocking=False):
            raise RefusedError(
                "too_many", "too many hints are thought about: try again in a moment"
            )
        try:
            outcome = self._timed.call(lambda: advice_of(view, spec), spec)
        finally:
            self._slots.release()
        if isinstance(outcome.error, ArboretumError):
            raise outcome.error
        advice = outcome.value
        if advice is None:
            raise RefusedError("not_now", f"no hint from {spec}: {outcome.fault}")
        return {
            "spec": spec,
            "move": advice.move,
            "actions": list(advice.actions),
            "probabilities": advice.probabilities,
            "value": advice.value,
            "explanation": advice.explanation,
            "text": hint_text(spec, advice),
        }
