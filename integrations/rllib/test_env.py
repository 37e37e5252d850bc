"""The MultiAgentEnv plays the same games as the PettingZoo environment, in RLlib's form."""

from typing import Any

import numpy as np
import pytest
from ray.rllib.env.env_context import EnvContext
from ray.rllib.env.multi_agent_episode import MultiAgentEpisode
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

import arboretum_env
from arboretum_env.errors import ActionError, ConfigError, DealError
from arboretum_training.ray.rllib_env import ArboretumMultiAgentEnv

PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])


def legal_action(observation: dict[str, np.ndarray], generator: np.random.Generator) -> int:
    return int(generator.choice(np.flatnonzero(observation["action_mask"])))


def same(left: dict[str, Any], right: dict[str, Any]) -> bool:
    return left.keys() == right.keys() and all(
        np.array_equal(left[agent][key], right[agent][key])
        for agent in left
        for key in ("observations", "action_mask")
    )


@PLAYERS
def test_rllib_accepts_it(players: int) -> None:
    check_multiagent_environments(ArboretumMultiAgentEnv({"num_players": players}))


@PLAYERS
@pytest.mark.parametrize("reward", ["win", "margin"])
def test_same_game_as_the_pettingzoo_environment(players: int, reward: Any) -> None:
    env = ArboretumMultiAgentEnv({"num_players": players, "reward": reward})
    direct = arboretum_env.raw_env(num_players=players, reward=reward)
    generator = np.random.default_rng(1)
    direct.reset(seed=5)
    seen, infos = env.reset(seed=5)
    rewards, ended = {}, {"__all__": False}
    while not ended["__all__"]:
        mover = direct.agent_selection
        assert set(seen) == set(infos) == {mover}, "only the seat to move is shown anything"
        assert infos[mover] == {} and not any(rewards.values())
        assert env.observation_spaces[mover].contains(seen[mover])
        expected = direct.observe(mover)
        assert np.array_equal(seen[mover]["observations"], expected["observation"])
        assert np.array_equal(seen[mover]["action_mask"], expected["action_mask"])
        action = legal_action(seen[mover], generator)
        direct.step(action)
        seen, rewards, ended, cut, infos = env.step({mover: action})
        assert not any(cut.values())

    assert direct.terminations == {a: ended[a] for a in direct.possible_agents}
    assert rewards == direct.rewards and any(rewards.values())
    for agent in direct.possible_agents:
        assert np.array_equal(seen[agent]["observations"], direct.observe(agent)["observation"])
        assert env.observation_spaces[agent].contains(seen[agent])
        assert not seen[agent]["action_mask"].any()
        expected_info = {key: direct.infos[agent][key] for key in ("hands", "scores", "winners")}
        assert infos[agent] == expected_info
    with pytest.raises(ActionError, match="call reset"):
        env.step({"player_0": 0})


@PLAYERS
def test_every_seat_is_credited_with_its_own_reward(players: int) -> None:
    """RLlib's record of an episode, made as its sampler makes it."""
    env = ArboretumMultiAgentEnv({"num_players": players, "reward": "margin"})
    generator = np.random.default_rng(2)
    seen, infos = env.reset(seed=6)
    episode = MultiAgentEpisode()
    episode.add_env_reset(observations=seen, infos=infos)
    decisions = dict.fromkeys(env.possible_agents, 0)
    while not episode.is_done:
        [agent] = episode.get_agents_to_act()
        actions = {agent: legal_action(seen[agent], generator)}
        decisions[agent] += 1
        seen, rewards, ended, cut, infos = env.step(actions)
        episode.add_env_step(seen, actions, rewards, infos, terminateds=ended, truncateds=cut)
    assert min(decisions.values()) >= 20
    for agent, seat_episode in episode.agent_episodes.items():
        received = seat_episode.get_rewards()
        assert len(received) == decisions[agent]
        assert not any(received[:-1]) and received[-1] == rewards[agent]
        assert seat_episode.is_terminated


def test_a_game_may_end_before_a_seat_has_acted() -> None:
    """Four hands of one card leave a deck of two: the first seat can empty it."""
    env = ArboretumMultiAgentEnv(
        {"num_players": 4, "species": 2, "num_ranks": 3, "hand_size": 1, "reward": "margin"}
    )
    seen, infos = env.reset(seed=1)
    episode = MultiAgentEpisode()
    episode.add_env_reset(observations=seen, infos=infos)
    while not episode.is_done:
        actions = {"player_0": int(seen["player_0"]["action_mask"].argmax())}
        seen, rewards, ended, cut, infos = env.step(actions)
        episode.add_env_step(seen, actions, rewards, infos, terminateds=ended, truncateds=cut)
    assert set(seen) == set(env.possible_agents)
    assert list(episode.agent_episodes) == ["player_0"]
    assert len(episode.agent_episodes["player_0"]) == 5


@PLAYERS
def test_an_illegal_action_loses(players: int) -> None:
    env = ArboretumMultiAgentEnv({"num_players": players})
    seen, _ = env.reset(seed=3)
    for _ in range(5):
        [agent] = seen
        seen, *_ = env.step({agent: int(seen[agent]["action_mask"].argmax())})
    assert list(seen) == ["player_1"]
    illegal = int(seen["player_1"]["action_mask"].argmin())
    seen, rewards, ended, _, infos = env.step({"player_1": illegal})
    agents = env.possible_agents
    assert rewards == {agent: -float(agent == "player_1") for agent in agents}
    assert ended == dict.fromkeys([*agents, "__all__"], True)
    assert infos == {agent: {} for agent in agents}, "the game was broken off: hands stay hidden"
    for agent in agents:
        assert not seen[agent]["action_mask"].any()
        assert env.observation_spaces[agent].contains(seen[agent])
    assert list(env.reset()[0]) == ["player_0"]


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ({}, "actions of nobody: expected one, of player_0"),
        ({"player_1": 0}, "actions of player_1: expected one, of player_0"),
        ({"player_0": 0, "player_1": 0}, "actions of player_0, player_1: expected one"),
        ({"player_0": 460}, "action 460: expected 0..459"),
        ({"player_0": -1}, "action -1: expected 0..459"),
        ({"player_0": 0.0}, "of type float: expected an integer 0..459"),
    ],
)
def test_bad_actions_change_nothing(actions: dict[str, Any], message: str) -> None:
    env, untouched = ArboretumMultiAgentEnv(), ArboretumMultiAgentEnv()
    env.reset(seed=3)
    untouched.reset(seed=3)
    with pytest.raises(ActionError, match=message):
        env.step(actions)
    assert same(env.step({"player_0": 0})[0], untouched.step({"player_0": 0})[0])


def test_bad_options() -> None:
    with pytest.raises(ConfigError, match="num_player"):
        ArboretumMultiAgentEnv({"num_player": 3})
    with pytest.raises(ConfigError, match="reward 'points'"):
        ArboretumMultiAgentEnv({"reward": "points"})
    with pytest.raises(DealError, match="seed -1"):
        ArboretumMultiAgentEnv().reset(seed=-1)
    with pytest.raises(ActionError, match="call reset"):
        ArboretumMultiAgentEnv().step({"player_0": 0})


def test_deals_are_streams_of_the_worker() -> None:
    def hands(worker: int, seed: int) -> list[bytes]:
        env = ArboretumMultiAgentEnv(EnvContext({}, worker_index=worker))
        first, _ = env.reset(seed=seed)
        second, _ = env.reset()
        return [seen["player_0"]["observations"].tobytes() for seen in (first, second)]

    assert hands(1, 5) == hands(1, 5)
    # RLlib gives copy i of worker w the seed ``seed + w + i``.
    different = [*hands(1, 5), *hands(1, 6), *hands(2, 6), *hands(2, 7), *hands(0, 6)]
    assert len(set(different)) == 10
    direct = arboretum_env.raw_env()
    direct.reset(seed=5)
    expected = direct.observe("player_0")["observation"].astype(np.float32).tobytes()
    assert hands(0, 5)[0] == expected


def test_exact_deals() -> None:
    env = ArboretumMultiAgentEnv({"species": "CD", "num_ranks": 3, "hand_size": 1})
    deal = {"hands": [["C1"], ["D3"]], "deck": ["C2", "C3", "D1", "D2"]}
    seen, _ = env.reset(options=deal)
    assert seen["player_0"]["observations"][:4].tolist() == [1, -1, 0, 0]  # C1: own hand
