"""The bytes of one game.

A game is one row of bytes that describes itself: sizes first, then what changes. Offsets are
constants (tables have room for the largest game, only the grids vary), so one compiled kernel
serves every ``GameConfig`` and takes one argument::

    0        32          112        192      272      352        432       512
    | header | place[80] | order[80] | x[80] | y[80] | below[80] | deck[80] | grid[P * W * W] |

Kernels read these constants; everybody else uses the named fields of ``row_dtype``.
"""

from functools import lru_cache
from typing import Any, Final

import numpy as np

from arboretum_env.config import MAX_PLAYERS, GameConfig

MAX_CARDS: Final = 80
NONE: Final = 255  # no card: an empty pile's top, no chosen card, a drawn and forgotten deck slot

# Header, one byte each: what never changes ...
NUM_PLAYERS: Final = 0
NUM_SPECIES: Final = 1
NUM_RANKS: Final = 2
NUM_CARDS: Final = 3
SIDE: Final = 4
HAND_SIZE: Final = 5
OPTIONS: Final = 6  # bits below
DECK_LENGTH: Final = 7  # cards in the deck when play began
# ... and what does.
PHASE: Final = 8
MOVER: Final = 9
TURN: Final = 10  # completed turns
DRAWN: Final = 11  # cards drawn from the deck so far
CHOSEN: Final = 12  # card chosen in PLAY, until it is placed
PILE_TOP: Final = 16  # [4]
PILE_SIZE: Final = 20  # [4]
PLANTED: Final = 24  # [4] cards in each arboretum

OPTION_STARTING_DISCARDS: Final = 1
OPTION_CANCEL_EIGHTS: Final = 2
OPTION_RIGHTS_ALL: Final = 4

# Tables by card id.
PLACE: Final = 32  # where the card is, see below
ORDER: Final = PLACE + MAX_CARDS  # height in its pile (0 = bottom) or planting number
X: Final = ORDER + MAX_CARDS  # true coordinates in an arboretum, as int8
Y: Final = X + MAX_CARDS
BELOW: Final = Y + MAX_CARDS  # the card beneath in a pile
DECK: Final = BELOW + MAX_CARDS  # by draw order, not by card
GRID: Final = DECK + MAX_CARDS  # [P, W * W]: card id + 1, FRONTIER, or 0

FRONTIER: Final = 255  # an empty cell where the next card may be planted

# Places: kind + absolute seat. The two hand kinds differ in bit 2 only, so that one masked
# comparison finds a seat's whole hand.
IN_DECK: Final = 0
IN_HAND: Final = 8
IN_HAND_KNOWN: Final = 12  # taken from a discard pile: publicly known to be in this hand
KNOWN_BIT: Final = 4
IN_PILE: Final = 16
IN_ARBORETUM: Final = 20

_ROW_ALIGNMENT: Final = 64


def row_bytes(config: GameConfig) -> int:
    """Bytes of one game, a multiple of a cache line.

    >>> row_bytes(GameConfig())
    1280
    """
    used = GRID + config.num_players * config.side * config.side
    return -(-used // _ROW_ALIGNMENT) * _ROW_ALIGNMENT


@lru_cache(maxsize=64)
def row_dtype(config: GameConfig) -> np.dtype[np.void]:
    """The named fields of a row of this game, shaped to its own sizes."""
    players, num_cards, side = config.num_players, config.num_cards, config.side
    fields: list[tuple[str, Any, int]] = [
        ("num_players", np.uint8, NUM_PLAYERS),
        ("num_species", np.uint8, NUM_SPECIES),
        ("num_ranks", np.uint8, NUM_RANKS),
        ("num_cards", np.uint8, NUM_CARDS),
        ("side", np.uint8, SIDE),
        ("hand_size", np.uint8, HAND_SIZE),
        ("options", np.uint8, OPTIONS),
        ("deck_length", np.uint8, DECK_LENGTH),
        ("phase", np.uint8, PHASE),
        ("mover", np.uint8, MOVER),
        ("turn", np.uint8, TURN),
        ("drawn", np.uint8, DRAWN),
        ("chosen", np.uint8, CHOSEN),
        ("pile_top", (np.uint8, (players,)), PILE_TOP),
        ("pile_size", (np.uint8, (players,)), PILE_SIZE),
        ("planted", (np.uint8, (players,)), PLANTED),
        ("place", (np.uint8, (num_cards,)), PLACE),
        ("order", (np.uint8, (num_cards,)), ORDER),
        ("x", (np.int8, (num_cards,)), X),
        ("y", (np.int8, (num_cards,)), Y),
        ("below", (np.uint8, (num_cards,)), BELOW),
        ("deck", (np.uint8, (config.deck_size,)), DECK),
        ("grid", (np.uint8, (players, side, side)), GRID),
    ]
    return np.dtype(
        {
            "names": [name for name, _, _ in fields],
            "formats": [form for _, form, _ in fields],
            "offsets": [offset for _, _, offset in fields],
            "itemsize": row_bytes(config),
        }
    )


def blank_row(config: GameConfig) -> np.ndarray:
    """[row bytes] uint8: a game with its sizes filled in and every card still in the deck."""
    row = np.zeros(row_bytes(config), np.uint8)
    row[NUM_PLAYERS] = config.num_players
    row[NUM_SPECIES] = config.num_species
    row[NUM_RANKS] = config.num_ranks
    row[NUM_CARDS] = config.num_cards
    row[SIDE] = config.side
    row[HAND_SIZE] = config.hand_size
    row[OPTIONS] = (
        OPTION_STARTING_DISCARDS * config.starting_discards
        + OPTION_CANCEL_EIGHTS * config.cancel_eights
        + OPTION_RIGHTS_ALL * (config.rights == "all")
    )
    row[DECK_LENGTH] = config.deck_size
    row[CHOSEN] = NONE
    row[PILE_TOP : PILE_TOP + MAX_PLAYERS] = NONE
    row[BELOW : BELOW + MAX_CARDS] = NONE
    row[DECK : DECK + MAX_CARDS] = NONE
    for seat in range(config.num_players):
        row[GRID + seat * config.side**2] = FRONTIER  # the first card anywhere: the torus origin
    return row
