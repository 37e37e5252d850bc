"""The end of a game: all hands are public, in observation, info, state and drawing."""

import random
from typing import Any

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_env.engine.scoring import score_board
from arboretum_env.pettingzoo_env import raw_env
from arboretum_env.view import PlayerView
from tests.api.aec_conformance import choose, is_out
from tests.random_games import CONFIGS


def finished(config: GameConfig, seed: int, **options: Any) -> Any:
    """An environment whose game has just ended."""
    environment = raw_env(config=config, **options)
    environment.reset(seed=seed)
    rng = random.Random(seed)
    while not is_out(environment):
        assert set(environment.infos[environment.agent_selection]) == {"action_mask"}
        environment.step(choose(environment, rng))
    return environment


@pytest.mark.parametrize("name", CONFIGS)
def test_final_observations_and_infos_show_every_hand(name: str) -> None:
    config = CONFIGS[name]
    environment = finished(config, 4)
    views = [
        PlayerView.from_observation(config, environment.observe(agent)["observation"])
        for agent in environment.possible_agents
    ]
    hands = [list(view.hand) for view in views]
    texts = tuple(tuple(map(config.card_text, hand)) for hand in hands)
    scores = score_board(config, hands, views[0].arboreta)
    for view, agent in zip(views, environment.possible_agents, strict=True):
        assert [sorted(known) for known in view.known_hands] == hands
        assert [len(hand) for hand in hands] == [config.hand_size] * config.num_players
        info = environment.infos[agent]
        assert info["hands"] == texts
        assert info["scores"] == tuple(scores.points[0].tolist())
        assert info["winners"] == tuple(np.flatnonzero(scores.winners[0]).tolist())
        assert not info["action_mask"].any()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats_leave_in_order_and_see_the_end_until_they_have_left(players: int) -> None:
    environment = finished(GameConfig(num_players=players), 4)
    assert environment.agents == environment.possible_agents
    rewards = dict(environment.rewards)
    for number, agent in enumerate(environment.agent_iter()):
        assert agent == f"player_{number}"
        observation, reward, terminated, truncated, info = environment.last()
        assert (reward, terminated, truncated) == (rewards[agent], True, False)
        assert not observation["action_mask"].any()
        assert len(info["hands"]) == players
        environment.step(None)
        assert environment.agents == environment.possible_agents[number + 1 :]
    # Whoever kept the environment can still look at the table.
    assert not environment.observe("player_0")["action_mask"].any()
    assert len(environment.state()) == len(environment.observe("player_1")["observation"])
