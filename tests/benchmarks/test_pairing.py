"""What pairing saves, on games written down by hand and on real ones."""

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_training.evaluation.control_variate import Controlled
from arboretum_training.evaluation.evaluate import evaluate
from arboretum_training.evaluation.statistics import Interval
from benchmarks.pairing import figures, game_values, unpaired_variance


def test_by_hand() -> None:
    """Luck of the cards of +-2 cancels in the second game, +-1 of something else does not."""
    per_game = np.array([[3.0, -1.0], [1.0, -3.0], [-3.0, 1.0], [-1.0, 3.0]])
    # Deal means 1, -1, -1, 1: variance 4 / 3. Each game alone: 20 / 3, two of them: 2 * 20 / 3 / 4.
    assert unpaired_variance(per_game) == pytest.approx(10 / 3)
    controlled = Controlled(value=0.0, ci95=Interval(-1.0, 1.0), variance_reduction=0.25)
    assert figures(per_game, controlled) == "1.3333 | 3.3333 | 60 % | 25 %"


@pytest.mark.parametrize("players", [2, 3])
def test_values_of_single_games(players: int) -> None:
    games = evaluate(["greedy", "random"], GameConfig(num_players=players), deals=3, seed=1).games
    wins, points = game_values(games, 3)
    assert wins.shape == points.shape == (3, players)
    seat = games.seating[players + 1].tolist().index(0)
    assert wins[1, 1] == games.win_shares[players + 1, seat]
    others = np.delete(games.points[players + 1], seat)
    assert points[1, 1] == pytest.approx(games.points[players + 1, seat] - others.mean())
