"""Ratings on the way: on the published scale where there is one, else on the run's own."""

from typing import Any

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_training.evaluation.evaluate import Games
from arboretum_training.evaluation.ladder import published_ratings
from arboretum_training.policy_rating import rate_policy
from tests.training.experiments import experiment

REDUCED = GameConfig(num_players=2, species=4, num_ranks=5, hand_size=3)


def games(won: int, lost: int, players: int = 2) -> Games:
    """Agent 0 alone against agent 1, one game a deal."""
    count = won + lost
    seating = np.ones((count, players), np.int64)
    seating[:, 0] = 0
    points = np.zeros((count, players), np.int64)
    points[:won, 0] = 10
    points[won:, 1:] = 10
    shares = np.zeros((count, players))
    shares[:won, 0] = 1
    shares[won:, 1:] = 1 / (players - 1)
    return Games(
        deal_id=np.arange(count, dtype=np.uint64),
        game_id=np.arange(count, dtype=np.uint64),
        seating=seating,
        points=points,
        win_shares=shares,
        denied_points=np.zeros((count, players), np.int64),
        turns=np.full(count, 9),
        forfeits=np.full(count, -1),
    )


def rated(game: GameConfig, against: dict[str, Games]) -> tuple[float, float, float]:
    rating = rate_policy(against, experiment(game, seed=1))
    assert rating.ci95 is not None
    return rating.rating, *rating.ci95


@pytest.mark.parametrize("players", [2, 3, 4])
def test_equal_play_has_the_rungs_own_rating(players: int) -> None:
    """One comparison drawn is credited, so equal play is rated as the rung exactly."""
    game = GameConfig(num_players=players)
    for spec in ("greedy", "planner@1"):
        name = spec if "@" in spec else f"{spec}@1"
        rating, low, high = rated(game, {spec: games(40, 40, players)})
        assert rating == pytest.approx(published_ratings(players)[name], abs=0.01)
        assert low < rating < high


def test_three_of_four_games_are_191_points() -> None:
    # 400 log10(3) = 190.85; the credited draw of 1 in 401 comparisons takes a little away.
    rating, _, _ = rated(GameConfig(), {"greedy": games(300, 100)})
    odds = (300 + 0.5) / (100 + 0.5)
    assert rating == pytest.approx(1000 + 400 * np.log10(odds), abs=0.01)


def test_all_rungs_count() -> None:
    """Losing half to greedy and all to the planner is less than losing half to greedy."""
    alone, _, _ = rated(GameConfig(), {"greedy": games(40, 40)})
    both, _, _ = rated(GameConfig(), {"greedy": games(40, 40), "planner": games(0, 80)})
    assert both < alone - 10


def test_an_opponent_off_the_ladder_does_not_count_where_others_stand_on_it() -> None:
    against: dict[str, Any] = {"greedy": games(40, 40)}
    alone = rated(GameConfig(), against)
    assert rated(GameConfig(), {"levels:1": games(80, 0), **against}) == alone


def test_in_other_games_greedy_is_1000() -> None:
    rating, _, _ = rated(REDUCED, {"random": games(80, 0), "greedy": games(40, 40)})
    assert rating == pytest.approx(1000)


def test_without_greedy_the_first_opponent_is_1000() -> None:
    rating, _, _ = rated(REDUCED, {"random": games(40, 40), "blocker": games(0, 80)})
    assert rating == pytest.approx(1000)
    # Likewise in the ladder's game, where no opponent stands on it.
    rating, _, _ = rated(GameConfig(), {"levels:1": games(40, 40)})
    assert rating == pytest.approx(1000)


def test_one_deal_has_no_interval() -> None:
    assert rate_policy({"greedy": games(1, 0)}, experiment(REDUCED)).ci95 is None
