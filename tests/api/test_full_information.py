"""``state()`` is the whole truth: every card of the game can be read off it."""

import numpy as np
import pytest

from arboretum_env.full_information import HIDDEN_HAND, full_information
from arboretum_env.observation import Place, observation_length, observation_slices
from arboretum_env.pettingzoo_env import raw_env
from arboretum_env.view import PlayerView
from tests.random_games import CONFIGS, random_positions


@pytest.mark.parametrize("name", CONFIGS)
def test_every_card_can_be_read_off(name: str) -> None:
    config = CONFIGS[name]
    seats = range(config.num_players)
    for number, (state, _) in enumerate(random_positions(config, 3, seed=11)):
        vectors = full_information(state)
        assert vectors.shape == (3, observation_length(config)) and vectors.dtype == np.int8
        if number % 4:
            continue
        for i, vector in enumerate(vectors):
            view = PlayerView.from_observation(config, vector)
            place, order = vector[observation_slices(config)["cards"]].reshape(-1, 4)[:, :2].T
            deck = np.flatnonzero(place == Place.UNSEEN)
            assert deck[np.argsort(order[deck])].tolist() == state.deck(i)
            assert sorted(order[deck]) == list(range(len(deck)))
            hands = [list(view.hand)] + [
                sorted(
                    np.flatnonzero(place == HIDDEN_HAND + k).tolist() + list(view.known_hands[k])
                )
                for k in seats[1:]
            ]
            assert hands == [state.hand(i, seat) for seat in seats]
            known = [state.known_in_hand(i, seat) for seat in seats]
            if not state.done[i]:
                assert [sorted(cards) for cards in view.known_hands] == known
            piles = [tuple(state.discard_pile(i, seat)) for seat in seats]
            assert list(view.discard_piles) == piles
            assert list(view.arboreta) == [tuple(state.arboretum(i, seat)) for seat in seats]
            chosen = -1 if view.chosen_card is None else view.chosen_card
            assert chosen == state.chosen_card[i]
            assert (view.mover, view.phase) == (state.mover[i], state.phase[i])
            assert (view.turn, view.deck_size) == (state.turn[i], state.deck_left[i])


def test_environment_state_is_it() -> None:
    environment = raw_env(num_players=3)
    environment.reset(seed=1)
    game = environment._game
    assert game is not None
    assert np.array_equal(environment.state(), full_information(game)[0])
    assert environment.state_space.contains(environment.state())
