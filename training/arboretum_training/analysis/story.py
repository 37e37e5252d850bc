"""A game as one seat saw it: the views of its decisions, and what it did.

A decision here is a move of a record: a draw, a plant (card and cell together) or a discard. A
``Story`` is all that analyses for a seat are given, so nothing in them can depend on a card that
the seat could not see.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arboretum_env.engine.moves import apply_action
from arboretum_env.engine.state import GameState
from arboretum_env.errors import RecordError
from arboretum_env.history import HistoryKeeper
from arboretum_env.notation import legal_moves
from arboretum_env.phase import Phase
from arboretum_env.records.record import GameRecord
from arboretum_env.records.replay import positions
from arboretum_env.view import PlayerView, redact


@dataclass(frozen=True)
class Step:
    """One decision of a seat.

    Attributes:
        at: how many decisions of all seats came before, counted as in the action list.
        view: what the seat knew.
        move: what it did, in notation.
        actions: the flat ids that the move stands for.
    """

    at: int
    view: PlayerView
    move: str
    actions: tuple[int, ...]


@dataclass(frozen=True)
class Story:
    """See the module.

    Attributes:
        seat: whose it is.
        steps: its decisions in order; one that is not made to its end is left out.
        last: what it sees where the game stands, an own plant that is half made taken as not begun.
        last_at: decisions of all seats up to there.
    """

    seat: int
    steps: tuple[Step, ...]
    last: PlayerView
    last_at: int


@dataclass(frozen=True)
class Course:
    """A game's whole truth: every position and the decisions between them.

    Attributes:
        states: [T + 1] the positions, each a batch of one.
        keepers: [T + 1] the histories up to each.
        actions: [T] flat ids.
        unknown: cards that the record does not place, see ``records.replay.Position``.
        unknown_last: those of them that it does not place to the last.
    """

    states: tuple[GameState, ...]
    keepers: tuple[HistoryKeeper, ...]
    actions: tuple[int, ...]
    unknown: frozenset[int] = frozenset()
    unknown_last: frozenset[int] = frozenset()

    @property
    def finished(self) -> bool:
        """Whether the game is over by the rules."""
        return bool(self.states[-1].done[0])

    @property
    def end_is_known(self) -> bool:
        """Whether all hands that are open at the end are known: if not, there is no result."""
        return not (self.finished and self.unknown_last)

    def view(self, at: int, seat: int) -> PlayerView:
        """What a seat knew after ``at`` decisions.

        Raises:
            RecordError: the record does not say which cards it saw.
        """
        self._check_known(at, seat)
        row = np.zeros(1, np.int64)
        histories = self.keepers[at].histories(row, np.array([seat]))
        return redact(self.states[at], seat, histories=histories)[0]

    def _check_known(self, at: int, seat: int) -> None:
        for state in self.states[: at + 1] if self.unknown else ():
            held = self.unknown.intersection(state.hand(0, seat))
            if held.difference(state.known_in_hand(0, seat)):
                raise RecordError(f"seat {seat}: the record does not say which cards it held")
        if at == len(self.actions) and not self.end_is_known:
            raise RecordError(
                f"position {at}: the record does not say which hands were shown at the end: "
                f"expected 0..{at - 1}"
            )


def course(
    initial: GameState,
    actions: Sequence[int],
    unknown: frozenset[int] = frozenset(),
    unknown_last: frozenset[int] = frozenset(),
) -> Course:
    """Plays a game's decisions again.

    Args:
        initial: the game as it was dealt, a batch of one; not changed.
        actions: flat ids in order.
        unknown, unknown_last: see ``Course``.

    Raises:
        IllegalActionError: an action that the rules forbid.
    """
    states, keepers = [initial.clone()], [HistoryKeeper(initial)]
    for action in actions:
        after, keeper, ids = states[-1].clone(), keepers[-1].clone(), np.array([action])
        apply_action(after, ids)
        keeper.note(states[-1], after, ids)
        states.append(after)
        keepers.append(keeper)
    decisions = tuple(map(int, actions))
    return Course(tuple(states), tuple(keepers), decisions, unknown, unknown_last)


def course_of_record(record: GameRecord) -> Course:
    """The course of a record.

    Raises:
        RecordError: an illegal move.
    """
    every = list(positions(record))
    return course(every[0].state, every[-1].actions, every[0].unknown, every[-1].unknown)


def story(game: Course, seat: int, until: int | None = None) -> Story:
    """What a seat saw and did.

    Args:
        game: the game.
        seat: absolute seat.
        until: stop after so many decisions of all seats; None: where the game stands, or before
            the last decision if the record leaves the end open.

    Raises:
        RecordError: the record does not say which cards the seat held.
    """
    last_at = until
    if last_at is None:
        last_at = len(game.actions) - (not game.end_is_known)
    stands = game.states[last_at]
    if stands.phase[0] == Phase.PLACE and int(stands.mover[0]) == seat:
        last_at -= 1  # else what it has chosen would count as luck
    steps: list[Step] = []
    at = 0
    while at < last_at:
        state = game.states[at]
        length = 2 if state.phase[0] == Phase.PLAY else 1
        if at + length > last_at:
            break
        if int(state.mover[0]) == seat:
            view, actions = game.view(at, seat), game.actions[at : at + length]
            names = {ids: move for move, ids in legal_moves(view).items()}
            steps.append(Step(at, view, names[actions], actions))
        at += length
    return Story(seat, tuple(steps), game.view(last_at, seat), last_at)
