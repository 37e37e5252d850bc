"""Levels: what they play, that each is better than the one below, and what is no level."""

import numpy as np
import pytest

from arboretum_agents.levels import LEVELS
from arboretum_agents.registry import AgentSpecError, make_agent
from arboretum_env.config import GameConfig
from arboretum_training.evaluation.evaluate import evaluate
from benchmarks.levels import pairs_won

CHEAP = 7
"""The level above it searches, too long for a test: ``benchmarks/levels.py`` plays it."""


@pytest.mark.parametrize("players", [2, 3, 4])
def test_there_are_eight_and_all_can_be_made(players: int) -> None:
    config = GameConfig(num_players=players)
    assert len(LEVELS[players]) == 8
    assert len(set(LEVELS[players])) == 8
    for level, spec in enumerate(LEVELS[players], start=1):
        assert type(make_agent(f"levels:{level}", config)) is type(make_agent(spec, config))


@pytest.mark.parametrize("level", ["0", "9", "-1"])
def test_no_other_levels(level: str) -> None:
    with pytest.raises(AgentSpecError, match=rf"level={level}: expected 1\.\.8"):
        make_agent(f"levels:{level}", GameConfig())


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("level", range(2, CHEAP + 1))
def test_each_finishes_ahead_of_the_next_lower(players: int, level: int) -> None:
    result = evaluate(
        [f"levels:{level}", f"levels:{level - 1}"],
        GameConfig(num_players=players),
        deals=64,
        seed=11,
    )
    assert pairs_won(result).mean() > 0.5


def test_pairs_won_by_hand() -> None:
    result = evaluate(["greedy", "random"], GameConfig(num_players=3), deals=2, seed=1)
    games = result.games
    expected = []
    for deal in (0, 1):
        shares = []
        for g in np.flatnonzero(games.deal_id == deal):
            own = int(np.flatnonzero(games.seating[g] == 0)[0])
            mine = games.points[g, own]
            others = [games.points[g, seat] for seat in range(3) if seat != own]
            shares.append(sum(1.0 if mine > x else 0.5 if mine == x else 0.0 for x in others) / 2)
        expected.append(sum(shares) / 3)
    assert pairs_won(result).tolist() == pytest.approx(expected)
