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

import numpy as np
from numpy.typing import NDArray

from arboretum_env.compile import kernel
from arboretum_env.config import MAX_PLAYERS, GameConfig
from arboretum_env.engine.lanes import (
    WIDTH,
    add,
    both,
    choose,
    equal,
    less,
    load,
    splat,
    store_interleaved,
    subtract,
    without,
)
from arboretum_env.engine.layout import (
    CHOSEN,
    DECK_LENGTH,
    DRAWN,
    IN_ARBORETUM,
    IN_DECK,
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
from arboretum_env.engine.memory import row_pointer
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
_SEAT_BITS: Final = 3  # of a place, see engine.layout
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


@kernel
def _write_cards(row, seat, out):  # type: ignore[no-untyped-def]
    """Fills the card table, sixteen cards at a time."""
    num_cards = np.int64(row[NUM_CARDS])
    observer, players = splat(seat), splat(row[NUM_PLAYERS])
    over = splat(255 if row[PHASE] == _GAME_OVER else 0)  # all hands are public then
    for first in range(0, num_cards, WIDTH):
        where = load(row, PLACE + first)
        order = load(row, ORDER + first)
        owner = both(where, splat(_SEAT_BITS))
        kind = without(where, splat(_SEAT_BITS))
        relative = add(subtract(owner, observer), both(less(owner, observer), players))

        # Known cards, piles and arboreta: the codes count on by kind and seat as places do.
        code = subtract(add(kind, relative), splat(IN_HAND_KNOWN - Place.RIVAL_HAND))
        own = both(equal(relative, splat(0)), splat(Place.OWN_HAND))
        hand = choose(over, add(relative, splat(Place.RIVAL_HAND)), own)
        code = choose(equal(kind, splat(IN_HAND)), hand, code)
        code = without(code, equal(kind, splat(IN_DECK)))

        size = splat(row[PILE_SIZE])
        for p in range(1, MAX_PLAYERS):
            size = choose(equal(owner, splat(p)), splat(row[PILE_SIZE + p]), size)
        depth = subtract(subtract(size, order), splat(1))
        number = choose(equal(kind, splat(IN_ARBORETUM)), order, splat(NONE))
        number = choose(equal(kind, splat(IN_PILE)), depth, number)

        x, y = load(row, X + first), load(row, Y + first)
        store_interleaved(out, 4 * first, num_cards - first, code, number, x, y)


@kernel
def write_observation(row, seat, out):  # type: ignore[no-untyped-def]
    """Writes one observation.

    Args:
        row: the game.
        seat: the observer.
        out: [L] uint8 out, the bytes of the int8 observation.
    """
    num_cards = np.int64(row[NUM_CARDS])
    _write_cards(row, seat, out)
    mover = np.int64(row[MOVER])
    rest = 4 * num_cards
    out[rest + 0] = mover - seat if mover >= seat else mover - seat + np.int64(row[NUM_PLAYERS])
    out[rest + 1] = seat
    out[rest + 2] = row[PHASE]
    out[rest + 3] = row[DECK_LENGTH] - row[DRAWN]
    out[rest + 4] = row[TURN]
    # Until it is placed, the chosen card is a hand card like any other to everybody else. NONE is
    # the byte of -1.
    out[rest + 5] = row[CHOSEN] if mover == seat else NONE
    options = row[OPTIONS]
    out[rest + 6] = options & OPTION_STARTING_DISCARDS != 0
    out[rest + 7] = options & OPTION_CANCEL_EIGHTS != 0
    out[rest + 8] = options & OPTION_RIGHTS_ALL != 0


@kernel
def _observe(raw, seats, out):  # type: ignore[no-untyped-def]
    """Writes all observations; the first game whose seat is not at the table, or -1."""
    for b in range(raw.shape[0]):
        row = row_pointer(raw, b)
        if not 0 <= seats[b] < row[NUM_PLAYERS]:
            return b
        write_observation(row, seats[b], row_pointer(out, b))
    return -1


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
    batch = len(state)
    observers = np.asarray(seats, np.int64)
    if observers.shape != (batch,):
        observers = np.full(batch, observers)
    if out is None:
        out = np.empty((batch, observation_length(state.config)), np.int8)
    else:
        _check_observations(state, out)
    bad = _observe(state.raw, observers, out)
    if bad >= 0:
        raise ViewError(
            f"observer seat {observers[bad]}: expected 0..{state.config.num_players - 1}"
        )
    return out


def _check_observations(state: GameState, observations: NDArray[np.int8]) -> None:
    """Raises ``ViewError`` unless the observations are contiguous [B, L] int8."""
    expected = (len(state), observation_length(state.config))
    fits = observations.shape == expected and observations.dtype == np.int8
    if not fits or not observations.flags.c_contiguous:
        raise ViewError(
            f"observations of shape {observations.shape} and dtype {observations.dtype}: expected "
            f"contiguous {list(expected)} int8"
        )
