"""Where points went: boards worked out by hand, and sums over played games."""

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_env.engine.scoring import score
from arboretum_training.research.blocking import blocking, points_taken
from tests.random_games import CONFIGS, random_positions
from tests.research.boards import line, position

TWO = GameConfig(num_players=2, species="CMO")
THREE = GameConfig(num_players=3, species="CMOD")


def test_a_board_by_hand() -> None:
    """Seat 1 denies Maple (3) without a path of its own, Oak (4) with one; Cassia (2) scores."""
    state = position(TWO, ["C5", "M8 O3"], [line("M2 M3 M4 O2 O8 C2 C3"), line("O5 O6")])
    found = blocking(score(state))
    cassia, maple, oak = range(3)
    assert found.potential.tolist() == [[[2, 3, 4], [0, 0, 2]]]
    assert found.scored.tolist() == [[[2, 0, 0], [0, 0, 2]]]
    assert found.denied.tolist() == [[[0, 3, 4], [0, 0, 0]]]
    assert found.denials[0, 1, 0].tolist() == [0, 3, 4]
    assert not found.denials[0, 0].any() and not found.denials[0, 1, 1].any()
    assert found.spite[0, 1, 0].tolist() == [0, 3, 0]
    assert found.blocks[0].tolist() == [[False] * 3, [False, True, True]]
    assert found.spite_holds[0, 1].tolist() == [False, True, False]
    assert not found.blocks[0, 0, cassia]
    assert found.denials[0, :, :, maple].tolist() == [[0, 0], [3, 0]]
    assert found.denials[0, :, :, oak].tolist() == [[0, 0], [4, 0]]


def test_a_shared_right_shares_the_denial_and_each_has_a_spite_of_its_own() -> None:
    """Seats 1 and 2 hold 7 each; seat 0 loses M2 M3 M4; seat 1 has a path of 2, seat 2 none."""
    state = position(THREE, ["", "M7", "M1 M6"], [line("M2 M3 M4"), line("M5 M8"), []])
    found = blocking(score(state))
    maple = 1
    assert found.denials[0, :, :, maple].tolist() == [[0, 0, 0], [1.5, 0, 0], [1.5, 0, 0]]
    assert found.spite[0, :, :, maple].tolist() == [[0, 0, 0], [0, 0, 0], [1.5, 0, 0]]
    assert found.scored[0, 1, maple] == 4  # M5 M8: two cards, 2 for the 8


@pytest.mark.parametrize("rights", ["highest", "all"])
def test_nobody_denies_where_everybody_may_score(rights: str) -> None:
    config = GameConfig(num_players=2, species="CMO", rights=rights)
    found = blocking(score(position(config, ["", "M7"], [line("M2 M3 M4"), []])))
    assert found.denied.sum() == found.denials.sum() == (3 if rights == "highest" else 0)


@pytest.mark.parametrize("name", CONFIGS)
def test_parts_sum_to_the_whole(name: str) -> None:
    lost = 0
    for state, _ in random_positions(CONFIGS[name], 40, seed=5):
        scores = score(state)
        found = blocking(scores)
        assert np.array_equal(found.potential, found.scored + found.denied)
        assert np.array_equal(found.scored.sum(axis=2), scores.points)
        assert np.array_equal(found.denied.sum(axis=2), scores.denied_points)
        assert np.allclose(found.denials.sum(axis=1), found.denied)
        assert np.allclose(found.denials.sum(axis=(2, 3)), points_taken(scores))
        assert (found.spite <= found.denials).all()
        # A seat that scores in a species is no spiteful blocker there.
        assert not (found.spite_holds & (found.scored > 0)).any()
        lost += int(scores.denied_points.sum())
    assert (lost > 0) == (CONFIGS[name].rights != "all")
