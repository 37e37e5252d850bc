"""``PLACEMENT_FEATURES`` on boards whose every number is written out by hand."""

import pytest

from arboretum_env.config import GameConfig
from arboretum_env.features.placements import PLACEMENT_FEATURES, placements
from tests.features.oracle import batch, view_of
from tests.reference import Arboretum, Cell
from tests.table import picture

LADDER = """
    C1 C3 .
    .  D4 C8
"""
"""D4 stands at 0,0: C8 east of it, C3 north, C1 north-west."""

CROSS = """
    G1 C5 .
    C2 .  V6
    C1 D3 J7
"""
"""C1 stands at 0,0; the empty middle, 1,1, has four neighbours."""


def features(arboretum: Arboretum, card: str, cell: Cell, config: GameConfig) -> dict[str, float]:
    """What the kernel says of one placement, as it came to be scaled."""
    found = placements(batch([view_of(config, [arboretum, {}], [card])]))
    at = (cell[1] % config.side) * config.side + cell[0] % config.side
    [row] = [i for i in range(len(found.card)) if found.cell[i] == at]
    return {
        name: float(value)
        for name, value in zip(PLACEMENT_FEATURES, found.features[row], strict=True)
    }


def expected(**other: float) -> dict[str, float]:
    """All features, those that are not named being 0."""
    return {name: other.pop(name, 0.0) for name in PLACEMENT_FEATURES} | other


@pytest.mark.parametrize(
    ("board", "card", "cell", "numbers"),
    [
        # The first card: nothing around it, four cells to open up (0,0 itself is the legal one).
        ("", "C4", (0, 0), {"new_cells": 1.0, "pure_cards": 1 / 8}),
        # C6 north of C8, east of C3: C3-C6-C8 is 3 + 2, with C1 before it 4 cards of one species:
        # C1-C3-C6-C8 = 2 * 4 + 1 + 2 = 11; before, C1-C3-D4-C8 was 4 + 1 + 2 = 7.
        (
            LADDER,
            "C6",
            (1, 1),
            {
                "total_gain": 0.4,
                "own_gain": 0.4,
                "own_points": 1.1,
                "neighbours": 0.5,
                "new_cells": 0.5,
                "lower": 0.25,
                "higher": 0.25,
                "same_lower": 0.25,
                "same_higher": 0.25,
                "gap_below": 3 / 8,
                "gap_above": 2 / 8,
                "own_before": 3 / 8,  # C1 C3, and 1 for the start
                "own_after": 3 / 8,  # C8, and 2 for the end
                "any_before": 3 / 8,
                "any_after": 3 / 8,
                "pure_cards": 4 / 8,
            },
        ),
        # A card of another species there: no path of its own, and C1-C3-J6-C8 is no better than
        # what is there.
        (
            LADDER,
            "J6",
            (1, 1),
            {
                "neighbours": 0.5,
                "new_cells": 0.5,
                "lower": 0.25,
                "higher": 0.25,
                "gap_below": 3 / 8,
                "gap_above": 2 / 8,
                "any_before": 3 / 8,
                "any_after": 3 / 8,
                "pure_cards": 1 / 8,
            },
        ),
        # D6 west of D4: D4-D6 is its own first path, 2 points; C1 above leads in as well.
        (
            LADDER,
            "D6",
            (-1, 0),
            {
                "total_gain": 0.2,
                "own_gain": 0.2,
                "own_points": 0.2,
                "neighbours": 0.5,
                "new_cells": 0.5,  # west and south of it
                "lower": 0.5,
                "same_lower": 0.25,
                "gap_below": 2 / 8,
                "own_before": 1 / 8,
                "any_before": 4 / 8,  # C1 C3 D4, and 1 for the start
                "pure_cards": 2 / 8,
            },
        ),
        # C4 joins everything: C1-C2-C4-C5 is 2 * 4 + 1 = 9; before, C1-C2 was 2 + 1 = 3.
        (
            CROSS,
            "C4",
            (1, 1),
            {
                "total_gain": 0.6,
                "own_gain": 0.6,
                "own_points": 0.9,
                "neighbours": 1.0,
                "lower": 0.5,
                "higher": 0.5,
                "same_lower": 0.25,
                "same_higher": 0.25,
                "gap_below": 1 / 8,
                "gap_above": 1 / 8,
                "own_before": 3 / 8,  # C1 C2, or C1 D3, and 1 for the start
                "own_after": 1 / 8,  # C5
                "any_before": 3 / 8,
                "any_after": 2 / 8,  # V6 J7
                "pure_cards": 4 / 8,
            },
        ),
    ],
    ids=["the first card", "into a path", "a stranger in it", "a new path", "four neighbours"],
)
def test_by_hand(board: str, card: str, cell: Cell, numbers: dict[str, float]) -> None:
    found = features(picture(board), card, cell, GameConfig())
    assert found == pytest.approx(expected(**numbers), abs=1e-6)
