"""A pool as plain data and tensors, and back.

The weights of every network in it are there, also of those that came from a folder. Bots without
weights are made anew from their specs.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from arboretum_agents.neural.network import PolicyNetwork
from arboretum_agents.neural.network_config import NetworkConfig
from arboretum_agents.neural.policy import NeuralAgent
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_training.opponents.pool import Member, Pool, make_bot


def pool_state(pool: Pool) -> dict[str, Any]:
    """Who is in a pool, without weights."""
    return {
        "next_number": pool.next_number,
        "left": sorted(pool.left),
        "members": [_member_state(member) for member in pool.members.values()],
    }


def _member_state(member: Member) -> dict[str, Any]:
    agent = member.agent
    network = None
    if isinstance(agent, NeuralAgent):
        sizes = agent.network.sizes.model_dump(mode="json")
        network = {
            "sizes": sizes,
            "mode": agent.mode,
            "reward": agent.reward,
            "temperature": agent.temperature,
        }
    return {
        "number": member.number,
        "name": member.name,
        "kind": member.kind,
        "owner": member.owner,
        "step": member.step,
        "network": network,
    }


def pool_tensors(pool: Pool) -> dict[str, Tensor]:
    """``number/parameter`` of every network in a pool; learners have theirs elsewhere."""
    return {
        f"{member.number}/{name}": tensor
        for member in pool.members.values()
        if isinstance(member.agent, NeuralAgent) and member.kind != "learner"
        for name, tensor in member.agent.network.state_dict().items()
    }


def restore_pool(
    game: GameConfig, seed: int, state: Mapping[str, Any], tensors: Mapping[str, Tensor]
) -> Pool:
    """A pool as ``pool_state`` and ``pool_tensors`` gave it.

    Learners in it have networks of their own until ``Pool.enrol`` gives them theirs.

    Raises:
        ArboretumError: a bot that cannot be made.
        KeyError, RuntimeError, TypeError, ValueError: something is missing or does not fit.
    """
    weights: dict[int, dict[str, Tensor]] = {}
    for key, tensor in tensors.items():
        owner, _, name = key.partition("/")
        weights.setdefault(int(owner), {})[name] = tensor
    pool = Pool(game, seed)
    for entry in state["members"]:
        number = int(entry["number"])
        agent = _agent(game, entry, weights.get(number, {}))
        agent.reset(np.zeros(0, np.uint64), seed)
        pool.members[number] = Member(
            number,
            str(entry["name"]),
            entry["kind"],
            agent,
            str(entry["owner"]),
            int(entry["step"]),
        )
    pool.left = {int(number) for number in state["left"]}
    pool.next_number = int(state["next_number"])
    return pool


def _agent(game: GameConfig, entry: Mapping[str, Any], weights: dict[str, Tensor]) -> Agent:
    described = entry["network"]
    if described is None:
        return make_bot(entry["name"], game)
    with torch.random.fork_rng(devices=[]):
        # Weights are drawn before they are overwritten: torch's global generator is put back.
        network = PolicyNetwork(game, NetworkConfig.model_validate(described["sizes"]))
    if entry["kind"] != "learner":
        network.load_state_dict(weights)
        network.requires_grad_(False).eval()
    return NeuralAgent(
        game, network, described["mode"], described["reward"], described["temperature"]
    )
