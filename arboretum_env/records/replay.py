"""Plays a record on the engine and checks it: every move, then the result and the winners."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from arboretum_env.actions import Action, ActionKind, encode, torus_cell
from arboretum_env.display import Displayed
from arboretum_env.engine.deal import deal_exact
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.engine.state import GameState
from arboretum_env.errors import RecordError
from arboretum_env.records.completion import CompleteDeal, complete_deal
from arboretum_env.records.record import DECK, GameRecord
from arboretum_env.records.scoresheet import ScoreSheet, state_sheet
from arboretum_env.records.tokens import turn_tokens
from arboretum_env.records.verify import check_claims


@dataclass(frozen=True)
class Position(Displayed):
    """A record's game after some of its decisions.

    Attributes:
        record: the record.
        state: the whole truth, a batch of one. Where the record holds unknown cards, some of its
            hidden cards are filled in arbitrarily; ``unknown`` says which.
        actions: flat ids of the decisions so far.
        unknown: cards in a hand or the deck that the record does not place there. Nobody is to be
            shown where they are.
        deduced: the seat whose last hand must be all cards that are nowhere else, or None.
    """

    record: GameRecord
    state: GameState
    actions: tuple[int, ...]
    unknown: frozenset[int] = frozenset()
    deduced: int | None = None


@dataclass(frozen=True)
class Replay(Displayed):
    """A record that has been played to its end and found in order.

    Attributes:
        position: where it stops.
        turns: turns completed.
        finished: whether the game is over by the rules.
        sheet: the final score explained; None while unfinished, or when unknown cards leave the
            rights to score open.
        notes: what could not be checked, and what was concluded, in words.
    """

    position: Position
    turns: int
    finished: bool
    sheet: ScoreSheet | None
    notes: tuple[str, ...]


def replay(record: GameRecord) -> Replay:
    """Play a record to its end and check what it claims.

    Raises:
        RecordError: an illegal move, or a false result or winner, with line and token.
    """
    *_, last = positions(record)
    finished = bool(last.state.done[0])
    sheet = state_sheet(last.state) if finished and not last.unknown else None
    notes = check_claims(record, last.state, sheet, last.deduced)
    return Replay(last, int(last.state.turn[0]), finished, sheet, notes)


def positions(record: GameRecord) -> Iterator[Position]:
    """The position after the deal, then after each decision.

    Raises:
        RecordError: the next move is illegal; the positions before it have been yielded.
    """
    deal = complete_deal(record)
    state = deal_exact(record.config, deal.hands, deal.deck, record.discards)
    actions: list[int] = []
    yield _position(record, state, actions, deal)
    for step in _steps(record):
        actions.append(_legal_action(record, state, step))
        apply_action(state, np.array(actions[-1:]))
        yield _position(record, state, actions, deal)


def _position(
    record: GameRecord, state: GameState, actions: list[int], deal: CompleteDeal
) -> Position:
    if not deal.filled:
        return Position(record, state.clone(), tuple(actions))
    seats = range(record.config.num_players)
    in_hands = [
        deal.filled.intersection(state.hand(0, seat)) - set(state.known_in_hand(0, seat))
        for seat in seats
    ]
    unknown = deal.filled.intersection(state.deck(0)).union(*in_hands)
    holders = [seat for seat in seats if in_hands[seat]]
    if state.done[0] and len(holders) == 1:
        # The deck is empty and every other hand is known: one hand can only be the rest.
        return Position(record, state.clone(), tuple(actions), deduced=holders[0])
    return Position(record, state.clone(), tuple(actions), unknown)


@dataclass(frozen=True)
class _Step:
    """One decision of a record: where it stands, and what it says."""

    turn: int
    token_index: int
    token: str
    kind: str
    pile: int = DECK
    card: int = -1
    cell: tuple[int, int] = (0, 0)


def _steps(record: GameRecord) -> Iterator[_Step]:
    for number, turn in enumerate(record.turns):
        tokens = turn_tokens(record.config, turn)
        for index, draw in enumerate(turn.draws):
            yield _Step(number, index, tokens[index], "draw", draw.pile, draw.card)
        if turn.card is not None:
            yield _Step(number, 2, tokens[2], "play", card=turn.card)
        if turn.cell is not None:
            yield _Step(number, 2, tokens[2], "place", cell=turn.cell)
        if turn.discard is not None:
            yield _Step(number, 3, tokens[3], "discard", card=turn.discard)


def _legal_action(record: GameRecord, state: GameState, step: _Step) -> int:
    """The flat id of a step; the engine's mask is what decides whether it is legal."""
    if state.done[0]:
        reason = f"the game is over after turn {int(state.turn[0])}"
    else:
        action, reason = _action_and_fault(state, step)
        if not reason and legal_action_mask(state)[0, action]:
            return action
        reason = reason or f"illegal in phase {int(state.phase[0])}"
    raise RecordError(
        f"turn {step.turn + 1}: {reason}",
        line=record.source.of_token(step.turn, step.token_index) if record.source else None,
        token=step.token,
    )


def _action_and_fault(state: GameState, step: _Step) -> tuple[int, str]:
    """The step's action id, and why it cannot be played; ``""`` where nothing speaks against it."""
    config = state.config
    seat = int(state.mover[0])
    if step.kind == "draw":
        return _draw_and_fault(state, step, seat)
    if step.kind == "place":
        return encode(config, Action("place_cell", torus_cell(config, *step.cell))), _cell_fault(
            state, step.cell, seat
        )
    kind: ActionKind = "play_card" if step.kind == "play" else "discard_card"
    held = step.card in state.hand(0, seat)
    fault = "" if held else f"{config.card_text(step.card)} is not in seat {seat}'s hand"
    return encode(config, Action(kind, step.card)), fault


def _draw_and_fault(state: GameState, step: _Step, seat: int) -> tuple[int, str]:
    config = state.config
    if step.pile == DECK:
        fault = "" if state.deck_left[0] else "the deck is empty, expected a draw from a pile"
        return encode(config, Action("draw_deck")), fault
    pile = state.discard_pile(0, step.pile)
    fault = ""
    if not pile:
        fault = f"seat {step.pile}'s discard pile is empty"
    elif pile[-1] != step.card:
        fault = f"the top of seat {step.pile}'s discard pile is {config.card_text(pile[-1])}"
    return encode(config, Action("draw_discard", (step.pile - seat) % config.num_players)), fault


def _cell_fault(state: GameState, cell: tuple[int, int], seat: int) -> str:
    """Checked in true coordinates: a far cell must not pass for the torus cell it falls on."""
    taken = {(x, y): card for x, y, card in state.arboretum(0, seat)}
    x, y = cell
    if not taken:
        return "" if cell == (0, 0) else "the first card of an arboretum stands at 0,0"
    if cell in taken:
        return f"{state.config.card_text(taken[cell])} stands at {x},{y} already"
    if not any(near in taken for near in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))):
        return f"{x},{y} is not next to any card of seat {seat}'s arboretum"
    return ""
