"""The phases of a turn (docs/rules.md, A turn)."""

from enum import IntEnum
from typing import Final


class Phase(IntEnum):
    """What the seat to move decides next. ``GAME_OVER`` has no decision."""

    DRAW_FIRST = 0
    DRAW_SECOND = 1
    PLAY = 2  # choose the card to plant
    PLACE = 3  # choose its cell
    DISCARD = 4
    GAME_OVER = 5


DECISIONS_PER_TURN: Final[int] = 5
