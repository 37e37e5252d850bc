"""Legal moves and their effect: one legal/apply pair for every phase (RULES.md, A turn)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arboretum_env.actions import action_text, num_actions
from arboretum_env.compile import kernel
from arboretum_env.config import GameConfig
from arboretum_env.engine.lanes import WIDTH, both, clear, equal, load, splat, store, without
from arboretum_env.engine.layout import (
    BELOW,
    CHOSEN,
    DECK,
    DECK_LENGTH,
    DRAWN,
    FRONTIER,
    GRID,
    IN_ARBORETUM,
    IN_HAND,
    IN_HAND_KNOWN,
    IN_PILE,
    KNOWN_BIT,
    MOVER,
    NONE,
    NUM_CARDS,
    NUM_PLAYERS,
    ORDER,
    PHASE,
    PILE_SIZE,
    PILE_TOP,
    PLACE,
    PLANTED,
    SIDE,
    TURN,
    X,
    Y,
)
from arboretum_env.engine.memory import row_pointer
from arboretum_env.engine.state import GameState
from arboretum_env.errors import ActionError, IllegalActionError
from arboretum_env.phase import Phase

_DRAW_FIRST = int(Phase.DRAW_FIRST)
_DRAW_SECOND = int(Phase.DRAW_SECOND)
_PLAY = int(Phase.PLAY)
_PLACE = int(Phase.PLACE)
_DISCARD = int(Phase.DISCARD)
_GAME_OVER = int(Phase.GAME_OVER)
_NOT_KNOWN = 0xFF - KNOWN_BIT


@kernel
def _write_equal(table, start, count, ignored, value, out, out_start):  # type: ignore[no-untyped-def]
    """Writes 1 where ``table[start + i]``, but for the bits ``ignored``, is ``value``, else 0."""
    ignored_lanes, value_lanes, one = splat(ignored), splat(value), splat(1)
    i = np.int64(0)
    while i + WIDTH <= count:
        lanes = without(load(table, start + i), ignored_lanes)
        store(out, out_start + i, both(equal(lanes, value_lanes), one))
        i += WIDTH
    while i < count:
        out[out_start + i] = (table[start + i] | ignored) == (value | ignored)
        i += 1


@kernel
def write_mask(row, mask):  # type: ignore[no-untyped-def]
    """Writes the mover's legal actions over all of ``mask`` [A] uint8; all zero after the end."""
    phase = row[PHASE]
    players = np.int64(row[NUM_PLAYERS])
    num_cards = np.int64(row[NUM_CARDS])
    cells = np.int64(row[SIDE]) * np.int64(row[SIDE])
    mover = np.int64(row[MOVER])
    clear(mask, 1 + players + 2 * num_cards + cells)
    if phase <= _DRAW_SECOND:
        # After an emptied deck the second card must come from a pile; one always exists.
        mask[0] = row[DRAWN] < row[DECK_LENGTH]
        for k in range(players):
            seat = mover + k
            if seat >= players:
                seat -= players
            mask[1 + k] = row[PILE_SIZE + seat] > 0
    elif phase == _PLACE:
        _write_equal(row, GRID + mover * cells, cells, 0, FRONTIER, mask, 1 + players + num_cards)
    elif phase != _GAME_OVER:
        start = 1 + players
        if phase == _DISCARD:
            start += num_cards + cells
        _write_equal(row, PLACE, num_cards, KNOWN_BIT, IN_HAND + mover, mask, start)


@kernel
def is_legal(row, action):  # type: ignore[no-untyped-def]
    """Whether ``action`` (int64) is legal; after the end only -1 is, which does nothing."""
    phase = row[PHASE]
    players = np.int64(row[NUM_PLAYERS])
    num_cards = np.int64(row[NUM_CARDS])
    mover = np.int64(row[MOVER])
    if phase == _GAME_OVER:
        return action == -1
    if action < 0:
        return False
    if phase <= _DRAW_SECOND:
        if action == 0:
            return row[DRAWN] < row[DECK_LENGTH]
        if action > players:
            return False
        seat = mover + action - 1
        return row[PILE_SIZE + (seat if seat < players else seat - players)] > 0
    index = action - 1 - players
    if phase != _PLAY:
        index -= num_cards
    cells = np.int64(row[SIDE]) * np.int64(row[SIDE])
    if phase == _PLACE:
        return 0 <= index < cells and row[GRID + mover * cells + index] == FRONTIER
    if phase == _DISCARD:
        index -= cells
    return 0 <= index < num_cards and row[PLACE + index] & _NOT_KNOWN == IN_HAND + mover


@kernel
def _apply_draw(row, action):  # type: ignore[no-untyped-def]
    mover = np.int64(row[MOVER])
    if action == 0:
        card = np.int64(row[DECK + np.int64(row[DRAWN])])
        row[DRAWN] += 1
        row[PLACE + card] = IN_HAND + mover
    else:
        seat = mover + action - 1
        if seat >= row[NUM_PLAYERS]:
            seat -= np.int64(row[NUM_PLAYERS])
        card = np.int64(row[PILE_TOP + seat])
        row[PILE_TOP + seat] = row[BELOW + card]  # the card beneath becomes the top
        row[PILE_SIZE + seat] -= 1
        row[BELOW + card] = NONE
        row[ORDER + card] = 0
        row[PLACE + card] = IN_HAND_KNOWN + mover
    row[PHASE] += 1


@kernel
def _apply_place(row, cell):  # type: ignore[no-untyped-def]
    """Plants the chosen card; its true coordinates follow from any planted neighbour."""
    mover = np.int64(row[MOVER])
    side = np.int64(row[SIDE])
    card = np.int64(row[CHOSEN])
    start = GRID + mover * side * side
    column = cell % side
    west = cell - 1 if column > 0 else cell + side - 1
    east = cell + 1 if column < side - 1 else cell - side + 1
    south = cell - side if cell >= side else cell + side * (side - 1)
    north = cell + side if cell < side * (side - 1) else cell - side * (side - 1)
    row[start + cell] = card + 1
    x = np.int64(0)
    y = np.int64(0)
    for neighbour, dx, dy in ((west, 1, 0), (east, -1, 0), (south, 0, 1), (north, 0, -1)):
        there = np.int64(row[start + neighbour])
        if there == 0:
            row[start + neighbour] = FRONTIER
        elif there != FRONTIER:
            x = np.int64(np.int8(row[X + there - 1])) + dx
            y = np.int64(np.int8(row[Y + there - 1])) + dy
    row[X + card] = np.uint8(x)
    row[Y + card] = np.uint8(y)
    row[PLACE + card] = IN_ARBORETUM + mover
    row[ORDER + card] = row[PLANTED + mover]
    row[PLANTED + mover] += 1
    row[CHOSEN] = NONE
    row[PHASE] = _DISCARD


@kernel
def _apply_discard(row, card):  # type: ignore[no-untyped-def]
    """Discards face up and ends the turn; the game ends when the deck is empty."""
    mover = np.int64(row[MOVER])
    row[BELOW + card] = row[PILE_TOP + mover]
    row[ORDER + card] = row[PILE_SIZE + mover]
    row[PILE_TOP + mover] = card
    row[PILE_SIZE + mover] += 1
    row[PLACE + card] = IN_PILE + mover
    row[TURN] += 1
    row[MOVER] = mover + 1 if mover + 1 < row[NUM_PLAYERS] else 0
    row[PHASE] = _DRAW_FIRST if row[DRAWN] < row[DECK_LENGTH] else _GAME_OVER


@kernel
def apply_one(row, action):  # type: ignore[no-untyped-def]
    """Applies one legal action to one row, in place."""
    phase = row[PHASE]
    index = action - 1 - np.int64(row[NUM_PLAYERS])
    if phase <= _DRAW_SECOND:
        _apply_draw(row, action)
    elif phase == _PLAY:
        row[CHOSEN] = index
        row[PHASE] = _PLACE
    elif phase == _PLACE:
        _apply_place(row, index - np.int64(row[NUM_CARDS]))
    elif phase == _DISCARD:
        cells = np.int64(row[SIDE]) * np.int64(row[SIDE])
        _apply_discard(row, index - np.int64(row[NUM_CARDS]) - cells)


@kernel
def _masks(raw, masks):  # type: ignore[no-untyped-def]
    for b in range(raw.shape[0]):
        write_mask(row_pointer(raw, b), row_pointer(masks, b))


@kernel
def _first_illegal(raw, actions):  # type: ignore[no-untyped-def]
    """The first game whose action is illegal, or -1."""
    for b in range(raw.shape[0]):
        if not is_legal(row_pointer(raw, b), actions[b]):
            return b
    return -1


@kernel
def _apply(raw, actions):  # type: ignore[no-untyped-def]
    """Applies all actions if all are legal, else none; the first illegal one's game, or -1."""
    bad = _first_illegal(raw, actions)
    if bad < 0:
        for b in range(raw.shape[0]):
            apply_one(row_pointer(raw, b), actions[b])
    return bad


@kernel
def _apply_and_mask(raw, actions, masks):  # type: ignore[no-untyped-def]
    """``_apply``, and the next masks if the actions were legal."""
    bad = _first_illegal(raw, actions)
    if bad < 0:
        for b in range(raw.shape[0]):
            row = row_pointer(raw, b)
            apply_one(row, actions[b])
            write_mask(row, row_pointer(masks, b))
    return bad


def legal_action_mask(state: GameState, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
    """Legal actions of every game's mover.

    Args:
        state: B games.
        out: [B, A] bool to write into; a new array by default.

    Returns:
        [B, A] bool, True = legal. All False where the game is over.
    """
    if out is None:
        out = np.empty((len(state), num_actions(state.config)), np.bool_)
    else:
        _check_masks(state, out)
    _masks(state.raw, out)
    return out


def apply_action(state: GameState, actions: Any) -> None:
    """Advances every game by one decision, in place.

    Args:
        state: B games; mutated.
        actions: [B] integers, flat action ids; -1 for games that are over.

    Raises:
        ActionError: not B integers.
        IllegalActionError: some action is illegal. No game was changed.
    """
    checked = _check_actions(state, actions)
    bad = _apply(state.raw, checked)
    _refuse_illegal(state, checked, bad)


def step(state: GameState, actions: Any, masks: NDArray[np.bool_]) -> None:
    """``apply_action`` and ``legal_action_mask`` in one pass over the games.

    Args:
        state: B games; mutated.
        actions: [B] integers, as for ``apply_action``.
        masks: [B, A] bool; overwritten with the legal actions of the next decision.

    Raises:
        ActionError, IllegalActionError: as ``apply_action``; nothing was changed.
    """
    checked = _check_actions(state, actions)
    _check_masks(state, masks)
    bad = _apply_and_mask(state.raw, checked, masks)
    _refuse_illegal(state, checked, bad)


def _check_masks(state: GameState, masks: NDArray[np.bool_]) -> None:
    """Raises ``ActionError`` unless the masks are contiguous [B, A] bool."""
    expected = (len(state), num_actions(state.config))
    if masks.shape != expected or masks.dtype != np.bool_ or not masks.flags.c_contiguous:
        raise ActionError(
            f"mask of shape {masks.shape} and dtype {masks.dtype}: expected contiguous "
            f"{list(expected)} bool"
        )


def _check_actions(state: GameState, actions: Any) -> NDArray[np.int64]:
    """The actions as [B] int64; raises ``ActionError`` if they are not B integers."""
    array = np.asarray(actions)
    if array.dtype == np.int64 and array.shape == (len(state),) and array.flags.c_contiguous:
        return array
    if array.shape != (len(state),) or array.dtype.kind not in "iu":
        raise ActionError(
            f"actions of shape {array.shape} and dtype {array.dtype}: "
            f"expected [{len(state)}] integers"
        )
    if array.dtype == np.uint64 and len(array) and int(array.max()) > np.iinfo(np.int64).max:
        raise ActionError(
            f"action id {int(array.max())}: expected 0..{num_actions(state.config) - 1}"
        )
    return np.ascontiguousarray(array, np.int64)


def _refuse_illegal(state: GameState, actions: NDArray[np.int64], game: int) -> None:
    """Raises ``IllegalActionError`` about the action in a game; nothing for game -1."""
    if game >= 0:
        raise IllegalActionError(_why_illegal(state, game, int(actions[game])))


def _why_illegal(state: GameState, index: int, action: int) -> str:
    config: GameConfig = state.config
    phase = Phase(int(state.phase[index]))
    where = f"game {index}, turn {int(state.turn[index]) + 1}, " if len(state) > 1 else ""
    if phase is Phase.GAME_OVER:
        return f"{where}action {action}: the game is over, expected -1"
    legal = np.flatnonzero(legal_action_mask(state.select([index]))[0])
    mover = int(state.mover[index])
    known = action_text(config, action, mover) if 0 <= action < num_actions(config) else "no action"
    shown = ", ".join(str(int(a)) for a in legal[:12]) + (", ..." if len(legal) > 12 else "")
    return (
        f"{where}action {action} ({known}) is illegal for seat {mover} in phase {phase.name}: "
        f"expected one of the {len(legal)} legal ids {shown}"
    )
