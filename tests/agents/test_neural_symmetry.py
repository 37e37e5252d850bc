"""What the game does not tell apart, the network does not: names of species, sides of the table."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from arboretum_agents.neural.policy import NeuralAgent
from arboretum_env.actions import action_slices
from arboretum_env.config import GameConfig
from arboretum_env.observation import observation_slices
from arboretum_env.view import PlayerViews
from tests.agents.positions import mover_views, random_network
from tests.random_games import CONFIGS

Turn = Callable[[NDArray[np.int64], NDArray[np.int64]], tuple[NDArray[np.int64], NDArray[np.int64]]]

TURNS: dict[str, Turn] = {
    "a quarter": lambda x, y: (-y, x),
    "a half": lambda x, y: (-x, -y),
    "three quarters": lambda x, y: (y, -x),
    "mirrored": lambda x, y: (-x, y),
    "mirrored and turned": lambda x, y: (y, x),
}


def renamed_cards(config: GameConfig) -> NDArray[np.int64]:
    """[C] card id -> card id after every species has taken the place of the next one."""
    species, rank = np.divmod(np.arange(config.num_cards), config.num_ranks)
    return np.asarray((species + 1) % config.num_species * config.num_ranks + rank, np.int64)


@pytest.mark.parametrize("name", CONFIGS)
def test_species_have_no_names(name: str) -> None:
    config = CONFIGS[name]
    views = mover_views(config, 6, seed=71)
    to = renamed_cards(config)
    observation = views.observation.copy()
    cards = observation[:, : 4 * config.num_cards].reshape(len(views), -1, 4)
    cards[:, to] = views.cards
    chosen = observation_slices(config)["chosen_card"].start
    has_one = views.chosen_card >= 0
    observation[has_one, chosen] = to[views.chosen_card[has_one]]

    agent = NeuralAgent(config, random_network(config))
    before, values = agent.policy(views)
    after, new_values = agent.policy(PlayerViews(config, observation, views.game_id))
    expected = before.copy()
    for kind in ("play_card", "discard_card"):
        part = action_slices(config)[kind]
        expected[:, part.start + to] = before[:, part]
    assert np.allclose(after, expected, atol=1e-5)
    assert np.allclose(new_values, values, atol=1e-4)
    assert not np.allclose(after, before, atol=1e-2)  # the relabelling does show


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("name", CONFIGS)
def test_the_table_has_no_sides(name: str, turn: str) -> None:
    """Every arboretum turned about its first card; those of the rivals each by another turn."""
    config, side = CONFIGS[name], CONFIGS[name].side
    views = mover_views(config, 6, seed=72)
    observation = views.observation.copy()
    cards = observation[:, : 4 * config.num_cards].reshape(len(views), -1, 4)
    names = list(TURNS)
    for k in range(config.num_players):
        turned = TURNS[names[(names.index(turn) + k) % len(names)]]
        planted = views.cards[:, :, 0] == 10 + k
        x, y = (views.cards[planted][:, axis].astype(np.int64) for axis in (2, 3))
        new_x, new_y = turned(x, y)
        cards[planted, 2], cards[planted, 3] = new_x, new_y

    agent = NeuralAgent(config, random_network(config))
    before, values = agent.policy(views)
    after, new_values = agent.policy(PlayerViews(config, observation, views.game_id))
    y, x = np.divmod(np.arange(side * side), side)
    new_x, new_y = TURNS[turn](x, y)
    part = action_slices(config)["place_cell"]
    expected = before.copy()
    expected[:, part.start + (new_y % side) * side + new_x % side] = before[:, part]
    assert np.allclose(after, expected, atol=1e-5)
    assert np.allclose(new_values, values, atol=1e-4)
    # The turn does show, where arboreta have grown.
    assert "reduced" in name or not np.allclose(after, before, atol=1e-2)
