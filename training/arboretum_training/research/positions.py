"""A seat's decisions in a game that was played, with what it knew and what was true."""

from collections.abc import Iterator, Sequence

import numpy as np

from arboretum_env.engine.moves import apply_action
from arboretum_env.engine.state import GameState
from arboretum_env.history import HistoryKeeper
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView, redact


def decisions_of(
    initial: GameState, actions: Sequence[int], seat: int, phases: Sequence[Phase] = (Phase.PLAY,)
) -> Iterator[tuple[PlayerView, GameState]]:
    """(what the seat knew, the position) before each of its decisions of some phases.

    Args:
        initial: the game as it was dealt, a batch of one; not changed.
        actions: flat ids of all seats' decisions, in order.
        seat: absolute.
        phases: which decisions.
    """
    state, keeper = initial.clone(), HistoryKeeper(initial)
    row, observer = np.zeros(1, np.int64), np.array([seat])
    for action in actions:
        if int(state.mover[0]) == seat and state.phase[0] in phases:
            histories = keeper.histories(row, observer)
            yield redact(state, seat, histories=histories)[0], state.clone()
        before, ids = state.clone(), np.array([action])
        apply_action(state, ids)
        keeper.note(before, state, ids)
