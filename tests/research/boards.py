"""Positions of hand-made boards, and a slow scorer of boards for comparison."""

from collections.abc import Sequence

import numpy as np

from arboretum_env.config import GameConfig
from arboretum_env.engine import layout
from arboretum_env.engine.scoring import score_board
from arboretum_env.engine.state import GameState

Planted = Sequence[tuple[int, int, str]]


def position(
    config: GameConfig, hands: Sequence[str], arboreta: Sequence[Planted] | None = None
) -> GameState:
    """A batch of one with these hands, ``"M7 O3"``, and cards planted in this order.

    Whatever is named nowhere is in the deck; piles are empty.
    """
    state = GameState(config, layout.blank_row(config)[None, :].copy())
    row = state.rows[0]
    for seat, hand in enumerate(hands):
        for text in hand.split():
            row["place"][config.parse_card(text)] = layout.IN_HAND + seat
    for seat, planted in enumerate(arboreta or [[]] * config.num_players):
        for number, (x, y, text) in enumerate(planted):
            card = config.parse_card(text)
            row["place"][card], row["order"][card] = layout.IN_ARBORETUM + seat, number
            row["x"][card], row["y"][card] = x, y
            grid = row["grid"][seat]
            grid[y % config.side, x % config.side] = card + 1
            for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                cell = ((y + dy) % config.side, (x + dx) % config.side)
                if grid[cell] == 0:
                    grid[cell] = layout.FRONTIER
        row["planted"][seat] = len(planted)
    return state


def line(text: str, y: int = 0) -> list[tuple[int, int, str]]:
    """Cards side by side, from 0, 0 to the right."""
    return [(x, y, card) for x, card in enumerate(text.split())]


def points_of(
    config: GameConfig, hands: list[list[int]], arboreta: list[list[tuple[int, int, int]]]
) -> np.ndarray:
    """[P] final scores, from lists of cards alone."""
    return score_board(config, hands, arboreta).points[0]


def lists_of(
    state: GameState, index: int
) -> tuple[list[list[int]], list[list[tuple[int, int, int]]]]:
    """(hands, arboreta) of a game, as ``points_of`` takes them."""
    seats = range(state.config.num_players)
    return [state.hand(index, seat) for seat in seats], [
        state.arboretum(index, seat) for seat in seats
    ]
