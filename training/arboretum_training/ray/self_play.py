"""Self-play with RLlib: the environment of its runners, and the callback that seats opponents.

Every process that collects games (*runner*) has a pool of opponents of its own over the weights
that RLlib keeps in step with the learner's. After every iteration the callback draws each game's
next opponents anew, and now and then takes a snapshot; a game under way goes on as it began.
"""

import copy
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.rllib.core import DEFAULT_MODULE_ID

from arboretum_agents.gymnasium_vector import ArboretumVectorEnv
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_env.config import GameConfig
from arboretum_env.seeding import Purpose
from arboretum_training.league_config import PoolConfig
from arboretum_training.opponents.drawn_pool import OpponentPool

ENDED: Final = "ended_games"
"""Where an iteration's result has the last infos of the games that ended in it."""

SNAPSHOTS: Final = "snapshots"
"""Where it has the number of older policies among the opponents."""

_RESULT: Final = ("seat", "turns", "scores", "winners")
_RUNNER_SHIFT: Final = 32  # bits of a seed that are the run's


class SelfPlayGames(ArboretumVectorEnv):
    """The native vector environment as RLlib's runners step it.

    Args:
        context: ``num_envs``, and of the experiment as plain data: ``game``, ``reward``, ``pool``
            and ``seed``.

    Attributes:
        runner: the process that steps it, from 0; keeps the deals of runners apart.
        pool: who sits opposite, once a network is known.
        ended: last infos of games that ended since they were last asked for.
    """

    def __init__(self, context: Mapping[str, Any]) -> None:
        super().__init__(
            context["num_envs"],
            config=GameConfig.model_validate(context["game"]),
            reward=context["reward"],
            illegal_action="raise",
            purpose=Purpose.TRAIN,
        )
        self._pool_config = PoolConfig.model_validate(context["pool"])
        self._seed = context["seed"]
        self.runner = 0
        self.pool: OpponentPool | None = None
        self.ended: list[dict[str, Any]] = []

    def meet(self, network: PolicyNetwork, older: list[PolicyNetwork]) -> None:
        """Makes the pool and seats the first opponents.

        Args:
            network: what the runner plays, whose weights RLlib keeps in step with the learner's.
            older: earlier snapshots, the oldest first.
        """
        self.pool = OpponentPool(self.config, self._pool_config, network, self._own(self._seed))
        for snapshot in older:
            self.pool.add(snapshot)
        self.pool.seat(self)

    def reset(
        self, *, seed: Any = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """As its parent; RLlib gives row i of runner w the seed of row i + 1 of runner w - 1."""
        seen, _ = super().reset(seed=None if seed is None else self._own(seed), options=options)
        return seen, {}

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """As its parent, without infos, which RLlib would take apart game by game."""
        seen, rewards, terminations, truncations, infos = super().step(actions)
        for row in np.flatnonzero(terminations):
            self.ended.append({key: infos[key][row] for key in _RESULT})
        return seen, rewards, terminations, truncations, {}

    def _own(self, seed: int) -> int:
        return seed + (self.runner << _RUNNER_SHIFT)


class SelfPlay(RLlibCallback):  # type: ignore[misc]  # ray is untyped where mypy runs
    """Seats opponents from pools of snapshots and lets these grow.

    One of it is in every runner, and one beside the algorithm, which leads. Its environments are
    ``SelfPlayGames`` and its module is a ``PolicyModule``.
    """

    def __init__(self) -> None:
        super().__init__()
        self._snapshots: list[PolicyNetwork] = []

    def on_environment_created(self, *, env_runner: Any, env: Any, **kwargs: Any) -> None:
        """Tells the environment whose it is."""
        env.runner = env_runner.worker_index

    def on_algorithm_init(self, *, algorithm: Any, **kwargs: Any) -> None:
        """Seats the first opponents."""
        algorithm.env_runner_group.foreach_env_runner(partial(_meet, older=[]))

    def on_env_runners_recreated(
        self, *, env_runner_group: Any, env_runner_indices: list[int], **kwargs: Any
    ) -> None:
        """A runner that died and came back gets the snapshots that it has lost."""
        env_runner_group.foreach_env_runner(
            partial(_meet, older=self._snapshots),
            remote_worker_ids=env_runner_indices,
            local_env_runner=False,
        )

    def on_train_result(self, *, algorithm: Any, result: dict[str, Any], **kwargs: Any) -> None:
        """Ends an iteration: takes a snapshot if one is due, and draws the next opponents."""
        pool = PoolConfig.model_validate(algorithm.config.env_config["pool"])
        snapshot = None
        if algorithm.iteration % pool.every == 0:
            snapshot = learned_network(algorithm)
            self._snapshots = [*self._snapshots, snapshot][-pool.size :]
        ended = algorithm.env_runner_group.foreach_env_runner(
            partial(_next_iteration, snapshot=snapshot)
        )
        result[ENDED] = [info for infos in ended for info in infos]
        result[SNAPSHOTS] = len(self._snapshots)


def learned_network(algorithm: Any) -> PolicyNetwork:
    """A copy of the network as the learner has it now, on this machine's processor."""
    weights = algorithm.learner_group.get_weights([DEFAULT_MODULE_ID])[DEFAULT_MODULE_ID]
    module = algorithm.env_runner.module  # any of the same sizes
    network: PolicyNetwork = copy.deepcopy(module.network).requires_grad_(False).eval()
    prefix = "network."
    network.load_state_dict(
        {name.removeprefix(prefix): torch.as_tensor(part) for name, part in weights.items()}
    )
    return network


def _meet(env_runner: Any, older: list[PolicyNetwork]) -> None:
    if env_runner.env is not None:
        env_runner.env.unwrapped.meet(env_runner.module.network, older)


def _next_iteration(env_runner: Any, snapshot: PolicyNetwork | None) -> list[dict[str, Any]]:
    """Adds a snapshot, draws opponents; returns what ended since the last time."""
    if env_runner.env is None:  # it only keeps the others together
        return []
    games: SelfPlayGames = env_runner.env.unwrapped
    assert games.pool is not None  # on_algorithm_init, on_env_runners_recreated
    if snapshot is not None:
        games.pool.add(snapshot)
    games.pool.seat(games)
    ended, games.ended = games.ended, []
    return ended
