"""The record of a game that was played on the engine."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arboretum_env.actions import decode
from arboretum_env.engine.deal import initial_deal
from arboretum_env.engine.moves import apply_action
from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState
from arboretum_env.forfeit import Forfeit, settle_forfeits
from arboretum_env.records.record import Draw, GameRecord, TurnRecord


def record_from_match(
    initial: GameState,
    actions: Sequence[int],
    seats: Sequence[str] = (),
    *,
    index: int = 0,
    deal: str = "",
    forfeit: Forfeit | None = None,
    takebacks: int = 0,
) -> GameRecord:
    """The record of one game of a batch.

    Args:
        initial: the games as they were dealt; not changed.
        actions: the game's flat action ids in order, possibly of an unfinished game.
        seats: who played, per absolute seat.
        index: which game of the batch.
        deal: where the deal comes from, e.g. ``"seed 42 game 0"``.
        forfeit: who could not go on, and why; all others win.
        takebacks: moves taken back after something hidden had been seen.

    Raises:
        DealError: the game had begun already.
        IllegalActionError: an action that the rules forbid.
        RecordError: a text that cannot be written down.
    """
    hands, deck, discards = initial_deal(initial, index)
    state = initial.select([index])
    turns: list[TurnRecord] = []
    for action in actions:
        if not turns or turns[-1].complete:
            turns.append(TurnRecord())
        turns[-1] = _extend(turns[-1], state, int(action))
    finished = bool(state.done[0])
    scores = score(state) if forfeit is None else settle_forfeits(score(state), {0: forfeit})
    winners = tuple(map(int, np.flatnonzero(scores.winners[0])))
    return GameRecord(
        config=state.config,
        hands=tuple(map(tuple, hands)),
        deck=tuple(deck),
        discards=tuple(map(tuple, discards)),
        turns=tuple(turns),
        seats=tuple(seats),
        deal=deal,
        result=tuple(map(int, scores.points[0])) if finished else None,
        winners=winners if finished or forfeit is not None else None,
        termination="" if forfeit is None else forfeit.termination,
        takebacks=takebacks,
    )


def _extend(turn: TurnRecord, state: GameState, action_id: int) -> TurnRecord:
    """The turn with one more decision, which is also played on ``state``."""
    config, seat = state.config, int(state.mover[0])
    action = decode(config, action_id)
    pile = (seat + action.index) % config.num_players
    top = state.discard_pile(0, pile)[-1:]
    apply_action(state, np.array([action_id]))
    match action.kind:
        case "draw_deck":
            return replace(turn, draws=(*turn.draws, Draw()))
        case "draw_discard":
            return replace(turn, draws=(*turn.draws, Draw(pile, top[0])))
        case "play_card":
            return replace(turn, card=action.index)
        case "place_cell":
            x, y, _ = state.arboretum(0, seat)[-1]  # true coordinates, which the id does not tell
            return replace(turn, cell=(x, y))
        case "discard_card":
            return replace(turn, discard=action.index)
