"""The past as a seat saw it: what observations, which show the present, do not hold.

A history is a tuple of tokens as in a game record, four a turn (two draws, the plant, the discard),
from where the runner began: in a whole game, an event's place says whose it is. Draws name their
card, ``d(M7)`` or ``p0(O3)``, but a rival's from the deck is ``?``. A card that is chosen and not
yet placed is no event yet.
"""

import copy
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from arboretum_env.config import GameConfig
from arboretum_env.engine.layout import NONE
from arboretum_env.engine.state import GameState
from arboretum_env.phase import Phase

HistoryEvent = str
"""One past event as text; a rival's deck draw is ``?``."""

HIDDEN_DRAW: Final[HistoryEvent] = "?"


def event_of(
    config: GameConfig, before: np.void, after: np.void, action: int
) -> HistoryEvent | None:
    """The event of one decision in full, or None for a card that is only chosen.

    Args:
        config: the game's options.
        before, after: the game's row (``GameState.rows``) before and after the decision.
        action: flat action id; legal in ``before``.
    """
    mover, phase, text = int(before["mover"]), int(before["phase"]), config.card_text
    if phase == Phase.PLAY:
        return None
    if phase == Phase.PLACE:
        card = int(before["chosen"])
        return f"{text(card)}@{int(after['x'][card])},{int(after['y'][card])}"
    if phase == Phase.DISCARD:
        return f"x{text(int(after['pile_top'][mover]))}"
    if action == 0:
        return f"d({text(int(before['deck'][int(before['drawn'])]))})"
    owner = (mover + action - 1) % config.num_players
    assert before["pile_top"][owner] != NONE  # the draw was legal
    return f"p{owner}({text(int(before['pile_top'][owner]))})"


def as_seen(event: HistoryEvent, *, own: bool) -> HistoryEvent:
    """An event as its mover sees it, or as anybody else does."""
    return event if own or not event.startswith("d(") else HIDDEN_DRAW


class HistoryKeeper:
    """Keeps the histories of every seat of B games while a runner plays them.

    Args:
        state: the games that the runner begins with; only their number and kind are kept.
    """

    def __init__(self, state: GameState) -> None:
        self._config = state.config
        self._seen: list[list[list[HistoryEvent]]] = [
            [[] for _ in range(state.config.num_players)] for _ in range(len(state))
        ]

    def clone(self) -> Self:
        """An independent copy."""
        other = copy.copy(self)
        other._seen = [[list(seen) for seen in seats] for seats in self._seen]
        return other

    def begin(self, rows: NDArray[np.int64]) -> None:
        """Forgets what was seen in some games, for others that take their place."""
        for row in rows:
            self._seen[int(row)] = [[] for _ in range(self._config.num_players)]

    def note(self, before: GameState, after: GameState, actions: NDArray[np.int64]) -> None:
        """Notes one decision of every game.

        Args:
            before, after: the games before and after it.
            actions: [B] what was done; -1 where the game was over.
        """
        for index in np.flatnonzero(actions >= 0):
            row = before.rows[index]
            event = event_of(self._config, row, after.rows[index], int(actions[index]))
            if event is None:
                continue
            for seat, seen in enumerate(self._seen[index]):
                seen.append(as_seen(event, own=seat == row["mover"]))

    def histories(
        self, rows: NDArray[np.int64], seats: NDArray[np.int64]
    ) -> list[tuple[HistoryEvent, ...]]:
        """What one seat of each of some games has seen."""
        return [
            tuple(self._seen[int(row)][int(seat)]) for row, seat in zip(rows, seats, strict=True)
        ]
