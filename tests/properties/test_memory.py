"""How much memory games take: what docs/performance.md promises."""

import tracemalloc

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from tests.random_games import random_positions

BATCH = 4096


@pytest.mark.parametrize(("players", "expected"), [(2, 1280), (3, 1280), (4, 1472)])
def test_a_game_takes_its_row_and_nothing_else(players: int, expected: int) -> None:
    """Everything that is allocated for a batch, and stays: at most 2 KiB for two players."""
    config = GameConfig(num_players=players)
    deal(config, 0, np.arange(BATCH))  # compiles, and fills the tables that all games share
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        games = deal(config, 0, np.arange(BATCH))
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(games) == BATCH
    assert expected <= (after - before) / BATCH < expected + 1
    assert expected <= 2048


def test_games_do_not_grow() -> None:
    for state, _ in random_positions(GameConfig(), 2, seed=1):
        assert state.raw.nbytes == 2 * 1280
        assert np.shares_memory(state.rows, state.raw)


def test_the_largest_game_of_all() -> None:
    """Two players with all cards but a hand of one each plant most, on the largest table."""
    config = GameConfig(num_players=2, species=10, hand_size=1)
    assert deal(config, 0, [0]).raw.nbytes == 3904
