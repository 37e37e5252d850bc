"""The torus stands for the borderless table: no false neighbour, no clipped cell.

Random play keeps to the middle; here the arboreta are grown towards drawn headings, so that they
reach as far as the cards allow, in lines, hooks, spirals and combs.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.engine.state import GameState
from arboretum_env.phase import Phase
from tests.properties.strategies import SOME, configs, seeds
from tests.random_games import random_positions

Cell = tuple[int, int]
EAST, NORTH, WEST, SOUTH = (1, 0), (0, 1), (-1, 0), (0, -1)
headings = st.lists(
    st.sampled_from([EAST, NORTH, WEST, SOUTH, (1, 1), (-1, 1), (-1, -1), (1, -1)]),
    min_size=1,
    max_size=8,
)


def open_cells(planted: list[tuple[int, int, int]]) -> set[Cell]:
    """The frontier on a table without border."""
    taken = {(x, y) for x, y, _ in planted}
    near = {(x + dx, y + dy) for x, y in taken for dx, dy in (EAST, NORTH, WEST, SOUTH)}
    return near - taken or {(0, 0)}


def grow(config: GameConfig, seed: int, course: list[tuple[int, int]], stride: int) -> GameState:
    """The longest game, everybody planting along a course; compares every PLACE mask.

    Args:
        config: the game.
        seed: deals the cards, and chooses the piles and cards.
        course: headings; each is followed for ``stride`` plants, then the next.
        stride: plants a heading.
    """
    rng = np.random.default_rng(seed)
    state = deal(config, seed, np.zeros(1, np.uint64))
    side = config.side
    first_cell = 1 + config.num_players + config.num_cards
    while not state.done[0]:
        legal = np.flatnonzero(legal_action_mask(state)[0])
        mover = int(state.mover[0])
        if state.phase[0] == Phase.PLACE:
            planted = state.arboretum(0, mover)
            ids = {(y % side) * side + x % side: (x, y) for x, y in open_cells(planted)}
            assert len(ids) == len(open_cells(planted)), "two true cells share one torus cell"
            assert set((legal - first_cell).tolist()) == set(ids)
            dx, dy = course[len(planted) // stride % len(course)]
            cell = max(sorted(ids), key=lambda cell: dx * ids[cell][0] + dy * ids[cell][1])
            apply_action(state, np.array([first_cell + cell]))
            x, y, _ = state.arboretum(0, mover)[-1]
            assert (x, y) == ids[cell]
            continue
        if state.phase[0] <= Phase.DRAW_SECOND and len(legal) > 1:
            legal = legal[legal > 0]  # from a pile: the longest game
        apply_action(state, rng.choice(legal, size=1))
    return state


@settings(SOME, max_examples=200)
@given(configs(), seeds, headings, st.integers(1, 40))
def test_mask_and_coordinates_match_the_unbounded_table(
    config: GameConfig, seed: int, course: list[tuple[int, int]], stride: int
) -> None:
    state = grow(config, seed, course, stride)
    assert state.turn[0] <= config.max_turns


@pytest.mark.parametrize("heading", [EAST, NORTH, WEST, SOUTH])
@pytest.mark.parametrize(("players", "reach"), [(2, 16), (3, 13), (4, 12)])
def test_a_straight_line_reaches_the_bound(
    players: int, reach: int, heading: tuple[int, int]
) -> None:
    """docs/rules.md: coordinates stay within +-16 / 13 / 12, and this line gets there."""
    config = GameConfig(num_players=players)
    state = grow(config, 3, [heading], stride=100)
    assert state.turn[0] == {2: 33, 3: 42, 4: 51}[players]
    x, y, _ = state.arboretum(0, 0)[-1]
    assert (x, y) == (heading[0] * reach, heading[1] * reach)
    assert len(state.arboretum(0, 0)) == reach + 1


def test_a_small_board_would_clip() -> None:
    """The share of random two-player arboreta that leave a 9x9 board round the first card."""
    *_, (state, _) = random_positions(GameConfig(), 2000, seed=7)
    reaches = [
        max(max(abs(x), abs(y)) for x, y, _ in state.arboretum(game, seat))
        for game in range(len(state))
        for seat in range(2)
    ]
    assert 0.105 < np.mean(np.array(reaches) > 4) < 0.135
