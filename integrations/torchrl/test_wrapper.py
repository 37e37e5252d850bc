"""TorchRL's PettingZooWrapper shows what ``observe`` shows, to every seat, idle ones included."""

from typing import Any

import numpy as np
import pytest
import torch
from tensordict import TensorDictBase
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.envs.utils import MarlGroupMapType, check_env_specs

import arboretum_env
from arboretum_env.pettingzoo_env import MaskPlace

SEATS = "agents"  # TorchRL's name of the group
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
MASK_IN = pytest.mark.parametrize("mask_in", ["observation", "info"])


def wrapped(players: int, mask_in: MaskPlace = "observation") -> PettingZooWrapper:
    return PettingZooWrapper(
        arboretum_env.env(num_players=players, mask_in=mask_in),
        use_mask=True,
        group_map=MarlGroupMapType.ALL_IN_ONE_GROUP,
    )


def observations(data: TensorDictBase) -> np.ndarray:
    """[P, L] int8, what every seat is shown."""
    shown = data[SEATS, "observation"]
    array = shown["observation"] if isinstance(shown, TensorDictBase) else shown
    assert array.dtype == torch.int8
    return array.numpy()


def take(env: PettingZooWrapper, data: TensorDictBase, actions: list[int]) -> TensorDictBase:
    """One step; the entries of seats that are not to move do not count."""
    data[SEATS, "action"] = torch.tensor(actions)
    return env.step(data)["next"]


@PLAYERS
@MASK_IN
def test_specs(players: int, mask_in: MaskPlace) -> None:
    check_env_specs(wrapped(players, mask_in), seed=3)


@PLAYERS
@MASK_IN
def test_every_seat_is_shown_its_own_observation(players: int, mask_in: MaskPlace) -> None:
    env, direct = wrapped(players, mask_in), arboretum_env.env(num_players=players, mask_in=mask_in)
    generator = np.random.default_rng(1)
    direct.reset(seed=5)
    data = env.reset(seed=5)
    for decision in range(10_000):
        mover = direct.possible_agents.index(direct.agent_selection)
        for seat, agent in enumerate(direct.possible_agents):
            seen: Any = direct.observe(agent)
            expected = seen["observation"] if mask_in == "observation" else seen
            assert np.array_equal(observations(data)[seat], expected), (decision, agent)
        assert data[SEATS, "mask"].tolist() == [seat == mover for seat in range(players)]
        legal = direct.infos[direct.agent_selection]["action_mask"].astype(bool)
        # Whoever is idle gets a mask without any information.
        shown = data[SEATS, "action_mask"].numpy()
        assert np.array_equal(shown[mover], legal)
        assert np.delete(shown, mover, axis=0).all()
        if data["done"]:
            break
        action = int(generator.choice(np.flatnonzero(legal)))
        # Idle seats' entries are anything in range: they must not count.
        actions = generator.integers(0, len(legal), players).tolist()
        actions[mover] = action
        data = take(env, data, actions)
        direct.step(action)
        rewards = np.array([direct.rewards[a] for a in direct.possible_agents], np.float32)
        assert np.array_equal(data[SEATS, "reward"][:, 0].numpy(), rewards)
    assert decision >= 5 * 17, "a whole game"
    assert data[SEATS, "terminated"].all() and not data[SEATS, "truncated"].any()
    assert rewards.any()


@PLAYERS
def test_nothing_else_is_shown(players: int) -> None:
    """No key of the data that could carry what a seat may not know."""
    flags = {"done", "terminated", "truncated"}
    seat_keys = {"mask", "action_mask", "observation", *flags}
    data = wrapped(players, "info").rollout(4)
    assert set(data.keys()) == {SEATS, "next", *flags}
    assert set(data[SEATS].keys()) == {*seat_keys, "action"}
    assert set(data["next"].keys()) == {SEATS, *flags}
    assert set(data["next", SEATS].keys()) == {*seat_keys, "reward"}


@PLAYERS
def test_rivals_may_hold_other_cards_and_nobody_sees_a_difference(players: int) -> None:
    """Two deals that differ in the rivals' hands alone, up to the rival's choice of a card."""
    config = arboretum_env.GameConfig(num_players=players)
    cards = [config.card_text(card) for card in range(config.num_cards)]
    own, drawn, rest = cards[:7], cards[7:11], cards[11:]
    shown = []
    for unseen in (rest, rest[::-1]):
        hands = [own, *(unseen[7 * k : 7 * k + 7] for k in range(players - 1))]
        deck = [*drawn, *unseen[7 * (players - 1) :]]
        env = wrapped(players)
        data = env.reset(options={"hands": hands, "deck": deck})
        seen = [observations(data)[0]]
        # Each takes its first legal action: a whole turn of player_0, whose cards are the same in
        # both deals, then two draws from the deck and a choice of the next seat.
        for _ in range(8):
            mover = int(data[SEATS, "mask"].int().argmax())
            action = int(data[SEATS, "action_mask"][mover].int().argmax())
            data = take(env, data, [action] * players)
            seen.append(observations(data)[0])
        rival = observations(data)[1]
        shown.append((np.array(seen), rival))
    (first, rival), (second, other_rival) = shown
    assert not np.array_equal(rival, other_rival), "the deals differ"
    assert first.tobytes() == second.tobytes()


def test_games_follow_each_other() -> None:
    """A rollout over several games: each ends with the rewards of its own."""
    env = wrapped(2, "info")
    env.set_seed(11)
    data = env.rollout(400, break_when_any_done=False)
    ends = torch.nonzero(data["next", "done"][:, 0])[:, 0].tolist()
    assert len(ends) >= 2
    rewards = data["next", SEATS, "reward"][..., 0]
    assert set(torch.nonzero(rewards.any(dim=1))[:, 0].tolist()) <= set(ends)
    for end in ends:
        assert rewards[end].sum() == 0
        if end + 1 < len(data):  # player_0 begins, with the deck alone to draw from
            assert data[SEATS, "mask"][end + 1].tolist() == [True, False]
            assert int(data[SEATS, "action_mask"][end + 1, 0].sum()) == 1
