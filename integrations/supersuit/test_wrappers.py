"""SuperSuit's wrappers and vector environments over Arboretum, the mask in the infos."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import supersuit
from numpy.typing import NDArray
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from pettingzoo.utils.env import AECEnv

import arboretum_env
from arboretum_env.pettingzoo_env import MaskPlace

Env = AECEnv[str, Any, Any]
Frames = list[NDArray[np.int8]]

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])


def normalised(seen: Frames) -> NDArray[np.float32]:
    space = arboretum_env.env(mask_in="info").observation_space("player_0")
    low, high = space.low.astype(np.float32), space.high.astype(np.float32)
    return (seen[-1].astype(np.float32) - low) / (high - low)


# What each wrapper makes of the observations that the seat has got so far, the newest last.
WRAPPERS: dict[str, tuple[Callable[[Env], Env], Callable[[Frames], NDArray[Any]]]] = {
    "dtype": (lambda env: supersuit.dtype_v0(env, np.float32), lambda seen: seen[-1]),
    "flatten": (supersuit.flatten_v0, lambda seen: seen[-1]),
    "reshape": (
        lambda env: supersuit.reshape_v0(env, (201, 1)),
        lambda seen: seen[-1][:, None],
    ),
    "frame stack": (
        lambda env: supersuit.frame_stack_v2(env, 2),
        lambda seen: np.concatenate([seen[-2:][0], seen[-1]]),
    ),
    "normalise": (
        lambda env: supersuit.normalize_obs_v0(supersuit.dtype_v0(env, np.float32)),
        normalised,
    ),
    "pad observations": (supersuit.pad_observations_v0, lambda seen: seen[-1]),
    "pad actions": (supersuit.pad_action_space_v0, lambda seen: seen[-1]),
    "clip rewards": (supersuit.clip_reward_v0, lambda seen: seen[-1]),
}


@pytest.mark.parametrize("name", WRAPPERS)
def test_wrapper(name: str) -> None:
    """A whole game beside the unwrapped one: what is shown, the masks and the rewards."""
    wrap, expected = WRAPPERS[name]
    direct = arboretum_env.env(mask_in="info")
    wrapped = wrap(arboretum_env.env(mask_in="info"))
    generator = np.random.default_rng(1)
    direct.reset(seed=4)
    wrapped.reset(seed=4)
    frames: dict[str, Frames] = {agent: [] for agent in direct.possible_agents}
    received = []
    for agent in direct.agent_iter():
        assert wrapped.agent_selection == agent
        observation, reward, termination, truncation, info = direct.last()
        seen, wrapped_reward, wrapped_termination, _, wrapped_info = wrapped.last()
        frames[agent].append(observation)
        assert wrapped.observation_space(agent).contains(seen)
        assert np.array_equal(seen, expected(frames[agent]))
        assert np.array_equal(wrapped_info["action_mask"], info["action_mask"])
        assert (wrapped_reward, wrapped_termination) == (reward, termination)
        received.append(reward)
        over = termination or truncation
        action = None if over else int(generator.choice(np.flatnonzero(info["action_mask"])))
        direct.step(action)
        wrapped.step(action)
    assert any(received)


@pytest.mark.parametrize("name", ["dtype", "flatten", "reshape", "frame stack", "normalise"])
def test_wrapper_refuses_dict_observations(name: str) -> None:
    """Why ``mask_in="info"`` is there; docs/compatibility.md says so."""
    wrap, _ = WRAPPERS[name]
    with pytest.raises((AttributeError, AssertionError)):
        wrap(arboretum_env.env()).reset(seed=1)


@PLAYERS
@pytest.mark.parametrize("mask_in", ["observation", "info"])
def test_vector_environment(players: int, mask_in: MaskPlace) -> None:
    """Every seat is a row; two games in a row, the last observation of the first kept."""
    raw = arboretum_env.raw_env(num_players=players, mask_in=mask_in)
    direct = arboretum_env.raw_env(num_players=players, mask_in=mask_in)
    vector = supersuit.pettingzoo_env_to_vec_env_v1(turn_based_aec_to_parallel(raw))
    generator = np.random.default_rng(2)

    def shown(rows: Any, seat: int) -> NDArray[np.int8]:
        array: NDArray[np.int8] = (rows["observation"] if mask_in == "observation" else rows)[seat]
        return array

    def seen_directly(agent: str) -> NDArray[np.int8]:
        seen: Any = direct.observe(agent)
        array: NDArray[np.int8] = seen["observation"] if mask_in == "observation" else seen
        return array

    direct.reset(seed=9)
    rows, infos = vector.reset(seed=9)
    games = 0
    while games < 2:
        for seat, agent in enumerate(direct.possible_agents):
            assert np.array_equal(shown(rows, seat), seen_directly(agent))
            assert np.array_equal(infos[seat]["action_mask"], direct.infos[agent]["action_mask"])
        mover = direct.possible_agents.index(direct.agent_selection)
        actions = np.zeros(players, np.int64)  # those of idle seats do not count
        actions[mover] = generator.choice(np.flatnonzero(infos[mover]["action_mask"]))
        direct.step(int(actions[mover]))
        rows, rewards, terminations, truncations, infos = vector.step(actions)
        over = all(direct.terminations.values())
        assert rewards.tolist() == pytest.approx(list(direct.rewards.values()))
        assert terminations.tolist() == [over] * players
        assert not truncations.any()
        if over:
            for seat, agent in enumerate(direct.possible_agents):
                kept = infos[seat]["terminal_observation"]
                last = kept["observation"] if mask_in == "observation" else kept
                assert np.array_equal(last, seen_directly(agent))
                assert infos[seat]["scores"] == direct.infos[agent]["scores"]
            direct.reset()
            games += 1
