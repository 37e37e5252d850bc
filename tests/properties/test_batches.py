"""Batches: a game is the same in any batch, copies are independent, illegal actions do nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arboretum_env.actions import num_actions
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import apply_action, legal_action_mask, step
from arboretum_env.engine.scoring import score
from arboretum_env.errors import ActionError, IllegalActionError
from arboretum_env.observation import observe
from arboretum_env.seeding import Purpose, root_from_seed
from tests.properties.strategies import SOME, configs, seeds
from tests.random_games import random_actions, random_positions

game_ids = st.lists(st.integers(0, 2**40), min_size=2, max_size=6, unique=True)


@SOME
@given(configs(), seeds, game_ids, st.data())
def test_a_game_does_not_depend_on_its_batch(
    config: GameConfig, root: int, ids: list[int], data: st.DataObject
) -> None:
    """Deal, masks, observations and scores of one game, alone and among others in any order."""
    batch = deal(config, root, ids)
    row = data.draw(st.integers(0, len(ids) - 1))
    alone = deal(config, root, ids[row : row + 1])
    shuffled = deal(config, root, ids[::-1])
    assert (shuffled.raw[::-1] == batch.raw).all()
    rng = np.random.default_rng(root)
    while not batch.done.all():
        masks = legal_action_mask(batch)
        assert (legal_action_mask(alone)[0] == masks[row]).all()
        seat = int(rng.integers(config.num_players))
        assert (observe(alone, seat)[0] == observe(batch, seat)[row]).all()
        actions = random_actions(masks, rng)
        apply_action(batch, actions)
        apply_action(alone, actions[row : row + 1])
        assert (alone.raw[0] == batch.raw[row]).all()
    assert (score(alone).points[0] == score(batch).points[row]).all()


@SOME
@given(configs(), seeds)
def test_copies_are_independent(config: GameConfig, seed: int) -> None:
    for state, masks in random_positions(config, 2, seed):
        before = state.raw.copy()
        copy, first = state.clone(), state.select([0])
        actions = random_actions(masks, np.random.default_rng(seed))
        apply_action(copy, actions)
        apply_action(first, actions[:1])
        assert (state.raw == before).all()
        assert (first.raw[0] == copy.raw[0]).all()


@SOME
@given(configs(), seeds, st.integers(0, 10_000))
def test_the_mask_says_exactly_what_is_accepted(config: GameConfig, seed: int, when: int) -> None:
    """Every id there is, and some that are not, at one decision of a random game."""
    positions = [(state.clone(), mask.copy()) for state, mask in random_positions(config, 1, seed)]
    state, mask = positions[when % len(positions)]
    over = bool(state.done[0])
    for action in range(-2, num_actions(config) + 2):
        legal = bool(mask[0, action]) if 0 <= action < num_actions(config) else False
        trial = state.clone()
        if legal or (over and action == -1):
            apply_action(trial, np.array([action]))
            assert over == (trial.raw == state.raw).all()
        else:
            with pytest.raises(IllegalActionError):
                apply_action(trial, np.array([action]))
            assert (trial.raw == state.raw).all()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_one_illegal_action_stops_the_whole_batch(players: int) -> None:
    config = GameConfig(num_players=players)
    state = deal(config, 1, np.arange(3))
    masks = legal_action_mask(state)
    before = state.raw.copy()
    for advance in (apply_action, lambda state, actions: step(state, actions, masks)):
        with pytest.raises(IllegalActionError, match=r"game 1, turn 1, action 1 .*seat 0"):
            advance(state, np.array([0, 1, 0]))
        assert (state.raw == before).all()
    assert (masks == legal_action_mask(state)).all()


@pytest.mark.parametrize(
    "actions",
    [[0, 0], [[0, 0, 0]], [0.0, 0.0, 0.0], [True, True, True], 0, ["0", "0", "0"]],
    ids=repr,
)
def test_malformed_actions_are_refused(actions: object) -> None:
    state = deal(GameConfig(), 1, np.arange(3))
    before = state.raw.copy()
    with pytest.raises(ActionError, match="expected"):
        apply_action(state, actions)
    assert (state.raw == before).all()


def test_shuffles_are_fair() -> None:
    """Each card comes to each place of the deal equally often, within five standard deviations."""
    config = GameConfig(num_players=2, species=2, num_ranks=4, hand_size=2)
    games, cards = 20_000, 8
    batch = deal(config, root_from_seed(7, Purpose.USER), np.arange(games))
    counts = np.zeros((cards, cards))
    for game in range(games):
        # Hands are told sorted, so that only "in this hand" is a place: split it evenly.
        for seat in range(2):
            for card in batch.hand(game, seat):
                counts[2 * seat : 2 * seat + 2, card] += 0.5
        for place, card in enumerate(batch.deck(game)):
            counts[4 + place, card] += 1
    expected = games / cards
    assert np.abs(counts - expected).max() < 5 * np.sqrt(expected * (1 - 1 / cards))


def test_roots_and_games_differ() -> None:
    """By seed, by purpose and by game id: no two of these deals are the same."""
    config = GameConfig()
    deals = [
        deal(config, root_from_seed(seed, purpose), np.arange(50)).raw
        for seed in range(20)
        for purpose in Purpose
    ]
    rows = np.concatenate(deals)
    assert len(np.unique(rows, axis=0)) == len(rows) == 20 * len(Purpose) * 50
