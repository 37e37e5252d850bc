"""``env()``: PettingZoo's classic wrappers around the game."""

from typing import Any

import numpy as np
import pytest
from pettingzoo.utils.env_logger import EnvLogger

from arboretum_env.pettingzoo_env import env

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
MASK_IN = pytest.mark.parametrize("mask_in", ["observation", "info"])


@pytest.fixture(autouse=True)
def _quiet() -> Any:
    """PettingZoo prints its warning about illegal moves."""
    EnvLogger.suppress_output()
    yield
    EnvLogger.unsuppress_output()


def mask_of(environment: Any, agent: str) -> np.ndarray:
    observation = environment.observe(agent)
    info = environment.infos[agent]["action_mask"]
    if isinstance(observation, dict):
        assert np.array_equal(observation["action_mask"], info)
    return np.asarray(info)


@PLAYERS
@MASK_IN
@pytest.mark.parametrize("steps", [0, 1, 2, 3, 4, 7])
def test_illegal_action_ends_the_game_with_minus_one(
    players: int, mask_in: Any, steps: int
) -> None:
    environment = env(num_players=players, mask_in=mask_in)
    environment.reset(seed=3)
    for _ in range(steps):
        environment.step(int(mask_of(environment, environment.agent_selection).argmax()))
    culprit = environment.agent_selection
    environment.last()
    environment.step(int(mask_of(environment, culprit).argmin()))

    assert environment.rewards == {
        agent: -1.0 if agent == culprit else 0 for agent in environment.possible_agents
    }
    assert all(environment.terminations.values())
    received = {}
    for agent in environment.agent_iter():
        observation, received[agent], terminated, _, info = environment.last()
        assert terminated
        assert not info["action_mask"].any() and not mask_of(environment, agent).any()
        assert "hands" not in info, "the game was broken off: hands stay hidden"
        assert environment.observation_space(agent).contains(observation)
        environment.step(None)
    assert received == {agent: -float(agent == culprit) for agent in environment.possible_agents}
    assert environment.agents == []

    environment.reset(seed=3)  # and the next game is a sound one
    assert not any(environment.terminations.values())
    assert mask_of(environment, "player_0").sum() == 1  # the deck alone: no pile has a card
    environment.step(0)


@pytest.mark.parametrize("action", [-1, 460, 2**70, 0.0, float("nan"), None, "0", [0]])
def test_action_outside_the_space_is_an_assertion_and_changes_nothing(action: Any) -> None:
    environment = env()
    environment.reset(seed=3)
    before = environment.state()
    # gymnasium 1.2, within that wrapper, cannot look up an integer of more than 64 bits.
    refusals = "action is not in action space|too large to convert"
    with pytest.raises((AssertionError, OverflowError), match=refusals):
        environment.step(action)
    assert np.array_equal(environment.state(), before)
    assert not any(environment.terminations.values())
    environment.step(0)


def test_calls_before_reset_are_assertions() -> None:
    environment = env()
    for call in (environment.render, environment.state, lambda: environment.step(0)):
        with pytest.raises(AssertionError, match="reset"):
            call()
    with pytest.raises(AttributeError, match="before reset"):
        _ = environment.agent_selection
