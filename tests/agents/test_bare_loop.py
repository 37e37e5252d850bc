"""Every agent of the lab plays in a bare PettingZoo loop, from observations alone."""

import numpy as np
import pytest

from arboretum_agents.neural.policy import NeuralAgent
from arboretum_agents.registry import make_agent
from arboretum_env import env
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.match import play_match
from arboretum_env.view import PlayerViews
from tests.agents.positions import random_network
from tests.random_games import CONFIGS


def make(name: str, config: GameConfig) -> Agent:
    agent: Agent
    match name:
        case "neural":
            agent = NeuralAgent(config, random_network(config))
        case "neural, greedy":
            agent = NeuralAgent(config, random_network(config), "greedy")
        case _:
            agent = make_agent(name, config)
    agent.reset(np.zeros(1, np.uint64), 8)
    return agent


@pytest.mark.parametrize("agent_name", ["random", "greedy", "neural", "neural, greedy"])
@pytest.mark.parametrize("game_name", CONFIGS)
def test_the_same_game_as_the_runner_plays(game_name: str, agent_name: str) -> None:
    config = CONFIGS[game_name]
    state = deal(config, 77, [4])
    seats = range(config.num_players)
    options = {
        "hands": [state.hand(0, seat) for seat in seats],
        "deck": state.deck(0),
        "discards": [state.discard_pile(0, seat) for seat in seats],
    }
    ids = np.zeros(1, np.uint64)
    agent = make(agent_name, config)
    match = play_match(state, [agent], np.zeros((1, len(seats)), np.int64), ids, keep_actions=True)

    environment = env(config=config)
    environment.reset(seed=1, options=options)
    actions = []
    agent = make(agent_name, config)
    rewards = dict.fromkeys(environment.possible_agents, 0.0)
    for player in environment.agent_iter():
        observation, reward, terminated, truncated, _ = environment.last()
        rewards[player] += reward
        if terminated or truncated:
            environment.step(None)
            continue
        assert observation is not None
        views = PlayerViews(config, observation["observation"][None])
        action = int(agent.act(views)[0])
        assert observation["action_mask"][action] == 1
        actions.append(action)
        environment.step(action)
    assert actions == match.game_actions(0)
    players = config.num_players
    expected = (players * match.scores.win_shares[0] - 1) / (players - 1)
    assert list(rewards.values()) == pytest.approx(expected.tolist())
