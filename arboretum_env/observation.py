"""What a seat sees: one table, ``OBSERVATION_LAYOUT``, and its encoder.

An observation is everything that is true now and that its seat may know, and nothing else. It is
egocentric: the observer is seat 0, rivals count on from there in turn order. ``PlayerView`` is
rebuilt from it (``arboretum_env.view``).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

import numba as nb
import numpy as np
from numpy.typing import NDArray

from arboretum_env.config import GameConfig
from arboretum_env.engine import layout
from arboretum_env.engine.layout import (
    CHOSEN,
    DECK_LENGTH,
    DRAWN,
    IN_ARBORETUM,
    IN_HAND,
    IN_HAND_KNOWN,
    IN_PILE,
    MOVER,
    NONE,
    NUM_CARDS,
    NUM_PLAYERS,
    OPTION_CANCEL_EIGHTS,
    OPTION_RIGHTS_ALL,
    OPTION_STARTING_DISCARDS,
    OPTIONS,
    ORDER,
    PHASE,
    PILE_SIZE,
    PLACE,
    TURN,
    X,
    Y,
)
from arboretum_env.engine.state import GameState
from arboretum_env.errors import ViewError
from arboretum_env.phase import Phase


class Place(IntEnum):
    """Where a card is, as the observer knows it. Add k for the k-th seat from the observer."""

    UNSEEN = 0
    OWN_HAND = 1
    OWN_KNOWN = 2  # own hand, and publicly known to be there
    RIVAL_HAND = 2  # + k, k = 1..3: publicly known to be in that rival's hand
    PILE = 6  # + k, k = 0..3
    ARBORETUM = 10  # + k, k = 0..3


NUM_PLACES: Final = 14
_GAME_OVER: Final = int(Phase.GAME_OVER)
CARD_FIELDS: Final = ("place", "order", "x", "y")


@dataclass(frozen=True)
class ObservationPiece:
    """One piece of the observation, an int8 block of ``shape(config)``."""

    name: str
    shape: Callable[[GameConfig], tuple[int, ...]]
    shape_text: str
    low: int
    high: int
    visibility: str
    meaning: str


def _scalar(_: GameConfig) -> tuple[int, ...]:
    return (1,)


OBSERVATION_LAYOUT: Final[tuple[ObservationPiece, ...]] = (
    ObservationPiece(
        "cards",
        lambda c: (c.num_cards, len(CARD_FIELDS)),
        "[C, 4]",
        -77,
        77,
        "public, and the own hand",
        "a row a card: place (0 unseen, 1 own hand, 2 own hand and publicly known, 2+k known in "
        "the k-th seat's hand, 6+k its pile, 10+k its arboretum), order (depth in the pile, "
        "0 = top, or planting number, 0 = first; else -1), x, y (true coordinates in an "
        "arboretum; else 0)",
    ),
    ObservationPiece(
        "mover", _scalar, "[1]", 0, 3, "public", "seat to move, counted from the observer"
    ),
    ObservationPiece("seat", _scalar, "[1]", 0, 3, "public", "the observer's absolute seat"),
    ObservationPiece("phase", _scalar, "[1]", 0, 5, "public", "Phase of the turn; 5 after the end"),
    ObservationPiece("deck_size", _scalar, "[1]", 0, 78, "public", "cards left in the deck"),
    ObservationPiece("turn", _scalar, "[1]", 0, 77, "public", "completed turns"),
    ObservationPiece(
        "chosen_card",
        _scalar,
        "[1]",
        -1,
        79,
        "the mover only",
        "card chosen in PLAY and not yet placed; -1 for none and for everybody else",
    ),
    ObservationPiece(
        "starting_discards", _scalar, "[1]", 0, 1, "public", "rule option: starting discards"
    ),
    ObservationPiece(
        "cancel_eights", _scalar, "[1]", 0, 1, "public", "rule option: a 1 cancels an 8"
    ),
    ObservationPiece(
        "rights_all", _scalar, "[1]", 0, 1, "public", "rule option: everybody may score"
    ),
)


@lru_cache(maxsize=64)
def observation_slices(config: GameConfig) -> Mapping[str, slice]:
    """Where every piece of ``OBSERVATION_LAYOUT`` lies in the flat observation."""
    slices: dict[str, slice] = {}
    start = 0
    for piece in OBSERVATION_LAYOUT:
        stop = start + int(np.prod(piece.shape(config)))
        slices[piece.name] = slice(start, stop)
        start = stop
    return MappingProxyType(slices)


@lru_cache(maxsize=64)
def observation_length(config: GameConfig) -> int:
    """L, the length of a flat observation.

    >>> observation_length(GameConfig())
    201
    """
    return int(observation_slices(config)[OBSERVATION_LAYOUT[-1].name].stop)


@nb.njit(cache=True, nogil=True)
def _fill_tables(row, seat, codes, bases, signs):  # type: ignore[no-untyped-def]
    """Per place of the state: its code for ``seat``, and order = base + sign * stored order."""
    players = np.int64(row[NUM_PLAYERS])
    over = row[PHASE] == _GAME_OVER
    for p in range(players):
        k = p - seat
        if k < 0:
            k += players
        if k == 0:
            # After the end all hands are public.
            codes[IN_HAND + p] = 2 if over else 1
            codes[IN_HAND_KNOWN + p] = 2
        else:
            codes[IN_HAND + p] = 2 + k if over else 0
            codes[IN_HAND_KNOWN + p] = 2 + k
        codes[IN_PILE + p] = 6 + k
        codes[IN_ARBORETUM + p] = 10 + k
        bases[IN_PILE + p] = np.int8(row[PILE_SIZE + p]) - 1


@nb.njit(cache=True, nogil=True)
def write_observation(row, seat, codes, bases, signs, out):  # type: ignore[no-untyped-def]
    """Writes one observation over all of ``out`` [L] int8."""
    _fill_tables(row, seat, codes, bases, signs)
    num_cards = np.int64(row[NUM_CARDS])
    place = row[PLACE : PLACE + num_cards]
    order = row[ORDER : ORDER + num_cards]
    x = row[X : X + num_cards]
    y = row[Y : Y + num_cards]
    cards = out[: 4 * num_cards].reshape(num_cards, 4)
    for card in range(num_cards):
        where = place[card]
        cards[card, 0] = codes[where]
        cards[card, 1] = bases[where] + signs[where] * np.int8(order[card])
        cards[card, 2] = np.int8(x[card])
        cards[card, 3] = np.int8(y[card])
    players = np.int64(row[NUM_PLAYERS])
    mover = np.int64(row[MOVER])
    rest = out[4 * num_cards :]
    rest[0] = mover - seat if mover >= seat else mover - seat + players
    rest[1] = seat
    rest[2] = row[PHASE]
    rest[3] = row[DECK_LENGTH] - row[DRAWN]
    rest[4] = row[TURN]
    # Until it is placed, the chosen card is a hand card like any other to everybody else.
    rest[5] = np.int8(row[CHOSEN]) if mover == seat and row[CHOSEN] != NONE else -1
    options = row[OPTIONS]
    rest[6] = options & OPTION_STARTING_DISCARDS != 0
    rest[7] = options & OPTION_CANCEL_EIGHTS != 0
    rest[8] = options & OPTION_RIGHTS_ALL != 0


@nb.njit(cache=True, nogil=True)
def place_tables():  # type: ignore[no-untyped-def]
    """Scratch tables for ``write_observation``, with what is the same for every game filled in."""
    codes = np.zeros(layout.NUM_PLACES, np.int8)
    bases = np.full(layout.NUM_PLACES, -1, np.int8)
    signs = np.zeros(layout.NUM_PLACES, np.int8)
    for p in range(4):
        signs[IN_PILE + p] = -1  # depth from the top = size - 1 - height from the bottom
        signs[IN_ARBORETUM + p] = 1
        bases[IN_ARBORETUM + p] = 0
    return codes, bases, signs


@nb.njit(cache=True, nogil=True)
def _observe(raw, seats, out):  # type: ignore[no-untyped-def]
    codes, bases, signs = place_tables()
    for b in range(raw.shape[0]):
        write_observation(raw[b], seats[b], codes, bases, signs, out[b])


def observe(state: GameState, seats: Any, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
    """What a seat of every game sees.

    Args:
        state: B games.
        seats: [B] absolute seats of the observers, or one seat for all.
        out: [B, L] int8 to write into; a new array by default.

    Returns:
        [B, L] int8.

    Raises:
        ViewError: a seat that is not at the table, or an unfit ``out``.
    """
    batch, length = len(state), observation_length(state.config)
    observers = np.ascontiguousarray(np.broadcast_to(np.asarray(seats, np.int64), (batch,)))
    if batch and not 0 <= int(observers.min()) <= int(observers.max()) < state.config.num_players:
        raise ViewError(
            f"observer seats {int(observers.min())}..{int(observers.max())}: expected "
            f"0..{state.config.num_players - 1}"
        )
    if out is None:
        out = np.empty((batch, length), np.int8)
    elif out.shape != (batch, length) or out.dtype != np.int8 or not out.flags.c_contiguous:
        raise ViewError(
            f"out of shape {out.shape} and dtype {out.dtype}: expected contiguous "
            f"[{batch}, {length}] int8"
        )
    _observe(state.raw, observers, out)
    return out
