"""What a learner is shown by the gymnasium environments does not depend on cards it cannot know."""

import copy
from typing import Any

import numpy as np
import pytest

from arboretum_agents.gymnasium_env import ArboretumEnv
from arboretum_agents.gymnasium_vector import ArboretumVectorEnv
from arboretum_env.determinize import determinize
from arboretum_env.engine.state import GameState
from arboretum_env.view import redact
from tests.api.aec_conformance import canonical
from tests.api.learner_play import hashed_action, hashed_actions
from tests.random_games import CONFIGS
from tests.secrecy.reshuffle import reshuffle_hidden


def worlds(environment: Any, rng: np.random.Generator) -> tuple[GameState, GameState]:
    """Two copies of an environment's games with everything new that the learner cannot know."""
    state, seats = environment._games.state, environment._games.seat
    return determinize(redact(state, seats), rng), reshuffle_hidden(state, seats, rng)


def in_world(environment: Any, world: GameState) -> Any:
    """A copy of the environment that plays on in another world."""
    other = copy.deepcopy(environment)
    other._games._batch.games = world
    return other


@pytest.mark.parametrize("name", CONFIGS)
def test_single_environment(name: str) -> None:
    rng = np.random.default_rng(1)
    environment = ArboretumEnv(config=CONFIGS[name], render_mode="ansi", opponents="greedy")
    differing = decisions = 0
    for seed in range(2):
        observation, info = environment.reset(seed=seed)
        terminated = False
        while not terminated:
            shown = canonical((environment.action_masks(), environment.render()))
            for world in worlds(environment, rng):
                other = in_world(environment, world)
                assert canonical(other._games.observe()[0]) == canonical(observation["observation"])
                assert canonical((other.action_masks(), other.render())) == shown
                # A game that an illegal action breaks off shows no more than that.
                illegal = int(np.flatnonzero(info["action_mask"] == 0)[-1])
                end = canonical(other.step(illegal))
                assert end == canonical(copy.deepcopy(environment).step(illegal))
                differing += world.raw.tobytes() != environment._games.state.raw.tobytes()
                decisions += 1
            action = hashed_action(observation["observation"], info["action_mask"])
            observation, _, terminated, _, info = environment.step(action)
    assert decisions >= 30 and differing > 0.7 * decisions


@pytest.mark.parametrize("mask_in", ["observation", "info"])
def test_vector_environment(mask_in: Any) -> None:
    rng = np.random.default_rng(2)
    environment = ArboretumVectorEnv(
        num_envs=6, config=CONFIGS["3 players"], mask_in=mask_in, autoreset_mode="SameStep"
    )
    environment.reset(seed=3)
    for _ in range(60):
        games = environment._games
        shown = canonical((environment._observations(), environment._infos()))
        masks = games.legal_action_mask()
        illegal = masks.shape[1] - 1 - (~masks[:, ::-1]).argmax(axis=1)
        ends = canonical(vars(copy.deepcopy(games).step(illegal)))
        for world in worlds(environment, rng):
            other = in_world(environment, world)
            assert canonical((other._observations(), other._infos())) == shown
            assert canonical(vars(other._games.step(illegal))) == ends
        environment.step(hashed_actions(games.observe(), masks))
