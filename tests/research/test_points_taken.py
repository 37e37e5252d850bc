"""What a hand takes from others, on boards worked out by hand."""

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_env.engine.scoring import Scores, score, score_board
from arboretum_training.research.blocking import points_taken
from tests.random_games import CONFIGS, random_positions

RISING = [(0, 0, 1), (1, 0, 2), (2, 0, 3)]
"""Ranks 2, 3, 4 of species 0: a path of 3 points."""


def board(
    players: int, hands: list[list[int]], arboreta: list[list[tuple[int, int, int]]]
) -> Scores:
    return score_board(GameConfig(num_players=players), hands, arboreta)


def test_the_other_seat_holds_more() -> None:
    # Species 0 has the cards 0..7 of ranks 1..8. Seat 1 holds its 7, seat 0 its 5.
    scores = board(2, [[4], [6]], [RISING, []])
    assert scores.denied_points.tolist() == [[3, 0]]
    assert points_taken(scores).tolist() == [[0, 3]]


def test_who_has_the_right_takes_nothing_from_itself() -> None:
    scores = board(2, [[6], [4]], [RISING, []])
    assert points_taken(scores).tolist() == [[0, 0]]


def test_a_species_that_nobody_holds_is_taken_by_nobody() -> None:
    scores = board(2, [[8], [16]], [RISING, []])
    assert points_taken(scores).tolist() == [[0, 0]]


def test_those_who_share_the_right_share_what_they_take() -> None:
    # 5 + 2 = 7 in hand of seat 1, 7 in hand of seat 2; seat 0 holds 1 and has a path of 3 points.
    arboretum = [(0, 0, 2), (1, 0, 3), (2, 0, 5)]  # ranks 3, 4, 6
    scores = board(3, [[0], [4, 1], [6]], [arboretum, [], []])
    assert scores.right[0, :, 0].tolist() == [False, True, True]
    assert points_taken(scores).tolist() == [[0, 1.5, 1.5]]


def test_only_the_largest_sum_takes() -> None:
    """Seat 1 would have taken the points too, but seat 2 did."""
    arboretum = [(0, 0, 1), (1, 0, 2), (2, 0, 3)]
    scores = board(3, [[0], [4], [6]], [arboretum, [], []])
    assert points_taken(scores).tolist() == [[0, 0, 3]]


def test_a_one_that_cancels_an_eight_takes() -> None:
    """Seat 1's 1 leaves seat 0's 8 worth nothing, so its own sum of 1 is the larger."""
    scores = board(2, [[7], [0]], [RISING, []])
    assert points_taken(scores).tolist() == [[0, 3]]


@pytest.mark.parametrize("name", CONFIGS)
def test_what_is_taken_was_lost(name: str) -> None:
    seen = 0.0
    for state, _ in random_positions(CONFIGS[name], 60, seed=31):
        scores = score(state)
        taken, lost = points_taken(scores), scores.denied_points
        assert np.allclose(taken.sum(axis=1), lost.sum(axis=1))
        if CONFIGS[name].num_players == 2:
            assert np.array_equal(taken, lost[:, ::-1])
        seen += lost.sum()
    assert seen > 0 or CONFIGS[name].rights == "all"
