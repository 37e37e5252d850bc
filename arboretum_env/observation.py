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
from arboretum_env.engine.layout import (
    CHOSEN,
    DECK_LENGTH,
    DRAWN,
    IN_ARBORETUM,
    IN_HAND,
    IN_HAND_KNOWN,
    IN_PILE,
    MAX_CARDS,
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
def _write_cards(row, seat, place_codes, orders, out):  # type: ignore[no-untyped-def]
    """Fills the card table.

    One pass over all cards for every seat, in bytes: the compiler turns that into vector
    instructions, while a look-up for every card is four times slower.
    """
    players = np.int64(row[NUM_PLAYERS])
    num_cards = np.int64(row[NUM_CARDS])
    place = row[PLACE : PLACE + num_cards]
    order = row[ORDER : ORDER + num_cards]
    x = row[X : X + num_cards]
    y = row[Y : Y + num_cards]
    over = row[PHASE] == _GAME_OVER
    for card in range(num_cards):
        place_codes[card] = np.uint8(0)
        orders[card] = np.uint8(255)  # -1
    for p in range(players):
        k = p - seat if p >= seat else p - seat + players
        hand, known = np.uint8(IN_HAND + p), np.uint8(IN_HAND_KNOWN + p)
        pile, arboretum = np.uint8(IN_PILE + p), np.uint8(IN_ARBORETUM + p)
        known_code, pile_code, arboretum_code = np.uint8(2 + k), np.uint8(6 + k), np.uint8(10 + k)
        hand_code = np.uint8(1 if k == 0 else 0)
        if over:  # all hands are public then
            hand_code = known_code
        top = np.uint8(row[PILE_SIZE + p] - 1)
        for card in range(num_cards):
            where = place[card]
            code = place_codes[card]
            code = hand_code if where == hand else code
            code = known_code if where == known else code
            code = pile_code if where == pile else code
            place_codes[card] = arboretum_code if where == arboretum else code
            number = orders[card]
            number = np.uint8(top - order[card]) if where == pile else number  # height to depth
            orders[card] = order[card] if where == arboretum else number
    for card in range(num_cards):
        out[4 * card] = place_codes[card]
        out[4 * card + 1] = orders[card]
        out[4 * card + 2] = x[card]
        out[4 * card + 3] = y[card]


@nb.njit(cache=True, nogil=True)
def write_observation(row, seat, place_codes, orders, out):  # type: ignore[no-untyped-def]
    """Writes one observation.

    Args:
        row: the game.
        seat: the observer.
        place_codes, orders: [>= C] uint8 scratch; what they hold before does not matter.
        out: [L] uint8 out, the bytes of the int8 observation.
    """
    num_cards = np.int64(row[NUM_CARDS])
    _write_cards(row, seat, place_codes, orders, out)
    mover = np.int64(row[MOVER])
    rest = out[4 * num_cards :]
    rest[0] = mover - seat if mover >= seat else mover - seat + np.int64(row[NUM_PLAYERS])
    rest[1] = seat
    rest[2] = row[PHASE]
    rest[3] = row[DECK_LENGTH] - row[DRAWN]
    rest[4] = row[TURN]
    # Until it is placed, the chosen card is a hand card like any other to everybody else. NONE is
    # the byte of -1.
    rest[5] = row[CHOSEN] if mover == seat else NONE
    options = row[OPTIONS]
    rest[6] = options & OPTION_STARTING_DISCARDS != 0
    rest[7] = options & OPTION_CANCEL_EIGHTS != 0
    rest[8] = options & OPTION_RIGHTS_ALL != 0


@nb.njit(cache=True, nogil=True)
def _observe(raw, seats, out):  # type: ignore[no-untyped-def]
    place_codes = np.empty(MAX_CARDS, np.uint8)
    orders = np.empty(MAX_CARDS, np.uint8)
    for b in range(raw.shape[0]):
        write_observation(raw[b], seats[b], place_codes, orders, out[b])


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
    _observe(state.raw, observers, out.view(np.uint8))
    return out
