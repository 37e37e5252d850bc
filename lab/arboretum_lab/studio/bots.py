"""Agents' moves, apart from requests; one that runs over or fails costs nobody the game.

An agent that thinks too long is left behind (``timed.py``). The game says so, and a fresh agent
takes its place when somebody lets it try again.
"""

import logging
import threading

from arboretum_lab.studio.errors import RefusedError
from arboretum_lab.studio.game import StudioGame
from arboretum_lab.studio.settings import Limits
from arboretum_lab.studio.timed import Timed

log = logging.getLogger("arboretum.studio")


class Bots:
    """Has agents move in all games.

    Args:
        limits: how many think at once.
        timed: for how long.
    """

    def __init__(self, limits: Limits, timed: Timed) -> None:
        self._timed = timed
        self._slots = threading.BoundedSemaphore(max(1, limits.thinking))

    def wake(self, game: StudioGame) -> None:
        """Lets agents move until a person is to move; returns at once."""
        with game.lock:
            if game.thinking or not game.agent_is_due:
                return
            game.thinking = True
        threading.Thread(target=self._run, args=(game,), name="bots", daemon=True).start()

    def _run(self, game: StudioGame) -> None:
        while self._move(game):
            pass

    def _move(self, game: StudioGame) -> bool:
        """One decision; whether another one may follow."""
        with self._slots:
            with game.lock:
                if not game.agent_is_due:
                    game.thinking = False
                    return False
                asked, question = game.state_id, game.session.question()
                spec = game.session.specs[question.seat]
            outcome = self._timed.call(question.answer, spec)
        with game.lock:
            if game.state_id != asked or game.stopped:  # somebody took a move back meanwhile
                if outcome.fault:
                    game.renew_agents()  # the one that was asked may still be thinking
                return True
            fault = outcome.fault
            if outcome.value is not None:
                try:
                    game.settle(outcome.value)
                except RefusedError as error:
                    fault = str(error)
            if fault:
                log.warning("game %s, seat %d: %s", game.id, question.seat, fault)
                name = game.session.names[question.seat]
                game.fail(question.seat, f"{name} has not moved: {fault}")
        return True
