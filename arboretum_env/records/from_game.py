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
    initial_deal(initial, index)  # refuses a game that has begun
    state = initial.select([index])
    turns: list[TurnRecord] = []
    for action in actions:
        before = state.clone()
        apply_action(state, np.array([action]))
        note_action(turns, before, state, int(action))
    return record_of_turns(
        initial, turns, state, seats, index=index, deal=deal, forfeit=forfeit, takebacks=takebacks
    )


def note_action(
    turns: list[TurnRecord], before: GameState, after: GameState, action_id: int
) -> None:
    """Adds one decision to the turns of a game that somebody plays.

    Args:
        turns: so far; changed.
        before, after: the game before and after the decision, a batch of one.
        action_id: flat action id; legal in ``before``.
    """
    if not turns or turns[-1].complete:
        turns.append(TurnRecord())
    turns[-1] = _extend(turns[-1], before, after, action_id)


def record_of_turns(
    initial: GameState,
    turns: Sequence[TurnRecord],
    final: GameState,
    seats: Sequence[str] = (),
    *,
    index: int = 0,
    deal: str = "",
    forfeit: Forfeit | None = None,
    takebacks: int = 0,
) -> GameRecord:
    """The record of a game whose turns were noted while it was played.

    Args:
        initial: the games as they were dealt; not changed.
        turns: by ``note_action``.
        final: where the game stands, a batch of one.
        seats, index, deal, forfeit, takebacks: as in ``record_from_match``.

    Raises:
        DealError: the game had begun already.
        RecordError: a text that cannot be written down.
    """
    hands, deck, discards = initial_deal(initial, index)
    finished = bool(final.done[0])
    scores = None
    if finished or forfeit is not None:
        scores = settle_forfeits(score(final), {} if forfeit is None else {0: forfeit})
    return GameRecord(
        config=final.config,
        hands=tuple(map(tuple, hands)),
        deck=tuple(deck),
        discards=tuple(map(tuple, discards)),
        turns=tuple(turns),
        seats=tuple(seats),
        deal=deal,
        result=tuple(map(int, scores.points[0])) if finished and scores else None,
        winners=tuple(map(int, np.flatnonzero(scores.winners[0]))) if scores else None,
        termination="" if forfeit is None else forfeit.termination,
        takebacks=takebacks,
    )


def _extend(turn: TurnRecord, before: GameState, after: GameState, action_id: int) -> TurnRecord:
    """The turn with one more decision."""
    config, row = before.config, before.rows[0]
    action = decode(config, action_id)
    match action.kind:
        case "draw_deck":
            return replace(turn, draws=(*turn.draws, Draw()))
        case "draw_discard":
            pile = (int(row["mover"]) + action.index) % config.num_players
            return replace(turn, draws=(*turn.draws, Draw(pile, int(row["pile_top"][pile]))))
        case "play_card":
            return replace(turn, card=action.index)
        case "place_cell":
            card, there = int(row["chosen"]), after.rows[0]  # true coordinates, which no id tells
            return replace(turn, cell=(int(there["x"][card]), int(there["y"][card])))
        case "discard_card":
            return replace(turn, discard=action.index)
