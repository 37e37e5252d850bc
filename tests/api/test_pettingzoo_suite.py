"""PettingZoo's own tests, every warning an error, and its registry."""

import subprocess
import sys

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.conversions import aec_to_parallel, turn_based_aec_to_parallel

import arboretum_env
from arboretum_env import pettingzoo_env, registration

# PettingZoo keeps a list of the environments that may have dict observations; others are warned
# about. With the mask in the infos there is nothing left to warn about.
DICT_OBSERVATIONS = (
    "ignore:Observation space for each agent probably should be:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
)
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
STARTING = pytest.mark.parametrize("starting", [False, True], ids=["plain", "starting discards"])


@PLAYERS
@STARTING
@pytest.mark.filterwarnings(*DICT_OBSERVATIONS)
def test_api_with_dict_observations(players: int, starting: bool) -> None:
    for make in (pettingzoo_env.env, pettingzoo_env.raw_env):
        api_test(make(num_players=players, starting_discards=starting), num_cycles=400)


@PLAYERS
def test_api_with_the_mask_in_the_infos(players: int) -> None:
    for make in (pettingzoo_env.env, pettingzoo_env.raw_env):
        api_test(make(num_players=players, mask_in="info"), num_cycles=400)


@PLAYERS
@STARTING
def test_seed(players: int, starting: bool) -> None:
    for mask_in in ("observation", "info"):
        seed_test(
            lambda mask_in=mask_in: pettingzoo_env.env(
                num_players=players, starting_discards=starting, mask_in=mask_in
            ),
            num_cycles=500,
        )


@PLAYERS
def test_turn_based_conversion_plays_a_game_and_the_other_one_refuses(players: int) -> None:
    parallel = turn_based_aec_to_parallel(pettingzoo_env.raw_env(num_players=players))
    observations, infos = parallel.reset(seed=4)
    rewards: dict[str, float] = {}
    while parallel.agents:
        assert set(observations) == set(parallel.possible_agents)
        assert not any(rewards.values())
        masks = {agent: info["action_mask"] for agent, info in infos.items()}
        [mover] = [agent for agent, mask in masks.items() if mask.any()]
        actions: dict[str, int | None] = dict.fromkeys(parallel.agents)
        actions[mover] = int(np.flatnonzero(masks[mover])[-1])
        observations, rewards, terminations, _, infos = parallel.step(actions)
    assert all(terminations.values())
    assert set(rewards) == set(parallel.possible_agents) and any(rewards.values())
    assert sum(rewards.values()) == pytest.approx(0)
    with pytest.raises(AssertionError, match="not generally safe"):
        aec_to_parallel(pettingzoo_env.env(num_players=players))


def test_environment_is_registered() -> None:
    env = pettingzoo.make("aec", "arboretum/arboretum-v0", num_players=3, mask_in="info")
    env.reset(seed=1)
    assert env.possible_agents == ["player_0", "player_1", "player_2"]
    assert str(env) == "arboretum_v0"
    assert pettingzoo.spec("aec", "arboretum/arboretum").id == registration.ENV_ID
    registration.register_envs()  # a second call must not warn


def test_importing_the_package_registers_and_compiles_nothing() -> None:
    probe = (
        "import sys, arboretum_env, pettingzoo;"
        "assert 'arboretum/arboretum-v0' in pettingzoo.aec_registry;"
        "print(sorted({'numba', 'pydantic', 'torch'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    assert done.stderr == ""


def test_exports() -> None:
    for name in arboretum_env.__all__:
        assert name in dir(arboretum_env)
        assert getattr(arboretum_env, name) is not None
    assert arboretum_env.env is pettingzoo_env.env
    with pytest.raises(AttributeError, match="no attribute 'enw'"):
        _ = arboretum_env.enw
