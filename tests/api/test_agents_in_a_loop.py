"""An observation is all that an agent needs: a bare PettingZoo loop plays the runner's games."""

import numpy as np
import pytest

from arboretum_agents.registry import make_agent
from arboretum_env.engine.deal import deal
from arboretum_env.match import play_match
from arboretum_env.pettingzoo_env import env
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_env.view import PlayerViews
from tests.random_games import CONFIGS

AGENTS = ("random", "greedy", "planner")


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("mask_in", ["observation", "info"])
def test_loop_and_runner_play_the_same_games(name: str, mask_in: str) -> None:
    config = CONFIGS[name]
    agents = [make_agent(spec, config) for spec in AGENTS]
    ids = np.arange(3, dtype=np.uint64)
    # Random sits in seat 0, greedy in all others.
    seating = np.tile([0, *[1] * (config.num_players - 1)], (3, 1))
    for agent in agents:
        agent.reset(ids, seed=9)
    state = deal(config, root_from_seed(42, Purpose.USER), ids)
    match = play_match(state, agents, seating, ids, keep_actions=True)

    environment = env(config=config, mask_in=mask_in, reward="margin")
    for game in range(3):
        environment.reset(seed=42 if game == 0 else None)
        taken: list[int] = []
        for player in environment.agent_iter():
            shown, _, terminated, _, info = environment.last()
            if terminated:
                assert info["scores"] == tuple(match.scores.points[game].tolist())
                environment.step(None)
                continue
            row = shown if mask_in == "info" else shown["observation"]
            views = PlayerViews(config, row[None, :], ids[[game]])
            assert np.array_equal(views.legal_action_mask()[0], info["action_mask"])
            seat = environment.possible_agents.index(player)
            taken.append(int(agents[seating[game, seat]].act(views)[0]))
            environment.step(taken[-1])
        assert taken == match.game_actions(game)
