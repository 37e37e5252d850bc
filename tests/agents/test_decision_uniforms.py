"""The randomness of agents is keyed by (seed, game, seat, decision), and by nothing else."""

import numpy as np

from arboretum_env.agent import decision_uniforms
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import legal_action_mask, step
from arboretum_env.seeding import uniforms
from arboretum_env.view import redact


def test_every_decision_of_a_game_has_a_number_of_its_own() -> None:
    """Three seats, ten turns: decision n of a seat is the n-th in which it moved."""
    config = GameConfig(num_players=3)
    state = deal(config, 1, [0, 1])
    ids = np.array([70, 71], np.uint64)
    masks = legal_action_mask(state)
    made = [0, 0, 0]
    drawn = []
    for _ in range(50):
        seat = int(state.mover[0])
        views = redact(state, state.mover, ids)
        numbers = decision_uniforms(9, views)
        expected = uniforms(9, ids, np.full(2, seat), np.full(2, made[seat]))
        assert np.array_equal(numbers, expected)
        drawn.extend(numbers)
        made[seat] += 1
        step(state, masks.argmax(axis=1), masks)
    assert made == [20, 15, 15]
    assert len(set(drawn)) == 100
