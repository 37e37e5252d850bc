"""Cancelled 8s, by hand and against the rule switch."""

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_env.engine.scoring import score
from arboretum_training.research.cancelled import cancelled
from tests.random_games import CONFIGS, random_positions
from tests.research.boards import line, lists_of, points_of, position


def test_a_rivals_one_moves_the_points() -> None:
    """Seat 0's M8 counts nothing, so seat 1 has the right with 1: 2 points instead of 3."""
    config = GameConfig(num_players=2, species="CMO")
    state = position(config, ["M8", "M1"], [line("M2 M3 M4"), line("M5 M6")])
    found = cancelled(state)
    assert found.by.tolist() == [[[-1, 1, -1], [-1, -1, -1]]]
    assert found.points.tolist() == [[-3, 2]]


def test_the_own_one_cancels_nothing_and_seat_0_can_cancel() -> None:
    config = GameConfig(num_players=2, species="CMO")
    assert (cancelled(position(config, ["M1 M8", ""])).by == -1).all()
    assert cancelled(position(config, ["M1", "M8"])).by[0, 1].tolist() == [-1, 0, -1]


def test_the_switch_keeps_eights() -> None:
    config = GameConfig(num_players=2, species="CMO", cancel_eights=False)
    found = cancelled(position(config, ["M8", "M1"], [line("M2 M3 M4"), line("M5 M6")]))
    assert (found.by == -1).all() and not found.points.any()


@pytest.mark.parametrize("name", CONFIGS)
def test_as_without_the_rule(name: str) -> None:
    config = CONFIGS[name]
    without = config.model_copy(update={"cancel_eights": False})
    seen = 0
    *_, (state, _) = random_positions(config, 60, seed=3)
    found = cancelled(state)
    for game in range(len(state)):
        hands, arboreta = lists_of(state, game)
        expected = score(state).points[game] - points_of(without, hands, arboreta)
        assert np.array_equal(found.points[game], expected)
        for seat, species in np.ndindex(found.by.shape[1:]):
            one, top = species * config.num_ranks, (species + 1) * config.num_ranks - 1
            holders = [p for p, hand in enumerate(hands) if one in hand and p != seat]
            is_cancelled = config.cancel_eights and top in hands[seat] and bool(holders)
            assert found.by[game, seat, species] == (holders[0] if is_cancelled else -1)
            seen += is_cancelled
    assert (seen > 0) == config.cancel_eights
