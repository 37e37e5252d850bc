"""The past as a seat saw it: what observations, which show the present, do not hold.

A history is a tuple of tokens as in a game record, four a turn (two draws, the plant, the discard),
from where the runner began: in a whole game, an event's place says whose it is. Draws name their
card, ``d(M7)`` or ``p0(O3)``, but a rival's from the deck is ``?``. A card that is chosen and not
yet placed is no event yet.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.engine.layout import NONE
from arboretum_env.engine.state import GameState
from arboretum_env.phase import Phase

HistoryEvent = str
"""One past event as text; a rival's deck draw is ``?``."""

HIDDEN_DRAW: Final[HistoryEvent] = "?"


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

    def note(self, before: GameState, after: GameState, actions: NDArray[np.int64]) -> None:
        """Notes one decision of every game.

        Args:
            before, after: the games before and after it.
            actions: [B] what was done; -1 where the game was over.
        """
        for index in np.flatnonzero(actions >= 0):
            event = self._event(before, after, int(index), int(actions[index]))
            if event is None:
                continue
            mover = int(before.mover[index])
            for seat, seen in enumerate(self._seen[index]):
                hidden = seat != mover and event.startswith("d(")
                seen.append(HIDDEN_DRAW if hidden else event)

    def histories(
        self, rows: NDArray[np.int64], seats: NDArray[np.int64]
    ) -> list[tuple[HistoryEvent, ...]]:
        """What one seat of each of some games has seen."""
        return [
            tuple(self._seen[int(row)][int(seat)]) for row, seat in zip(rows, seats, strict=True)
        ]

    def _event(
        self, before: GameState, after: GameState, index: int, action: int
    ) -> HistoryEvent | None:
        row, text = before.rows[index], self._config.card_text
        mover, phase = int(row["mover"]), Phase(int(row["phase"]))
        if phase is Phase.PLAY:
            return None
        if phase is Phase.PLACE:
            card = int(row["chosen"])
            x, y = int(after.rows["x"][index][card]), int(after.rows["y"][index][card])
            return f"{text(card)}@{x},{y}"
        if phase is Phase.DISCARD:
            return f"x{text(int(after.rows['pile_top'][index][mover]))}"
        if action == 0:
            return f"d({text(int(row['deck'][int(row['drawn'])]))})"
        owner = (mover + action - 1) % self._config.num_players
        assert row["pile_top"][owner] != NONE  # the draw was legal
        return f"p{owner}({text(int(row['pile_top'][owner]))})"
