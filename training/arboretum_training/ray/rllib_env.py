"""Arboretum as an RLlib ``MultiAgentEnv``; ``docs/compatibility.md`` shows its use.

The PettingZoo environment in RLlib's form, which differs in what is shown when: only the seat to
move gets an observation, and a reward belongs to the seat's last decision, however long ago.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from arboretum_env.actions import checked_action_id, num_actions
from arboretum_env.config import GameConfig
from arboretum_env.errors import ActionError
from arboretum_env.pettingzoo_env import observation_box, raw_env
from arboretum_env.rewards import ILLEGAL_REWARD
from arboretum_env.seeding import checked_seed

_ALL: Final = "__all__"
_WORKER_SHIFT: Final = 32  # bits of a seed that are the user's

Observation = dict[str, NDArray[np.float32]]
Info = dict[str, Any]
StepResult = tuple[
    dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]
]
"""Observations, rewards, terminateds, truncateds and infos by agent."""


class ArboretumMultiAgentEnv(MultiAgentEnv):  # type: ignore[misc]  # ray is untyped where mypy runs
    """One game, seat by seat, in which every seat is an agent of RLlib.

    An observation is ``{"observations": [L] float32, "action_mask": [A] float32}``, the keys and
    the type of RLlib's ``ActionMaskingTorchRLModule``. An illegal action ends the game, with -1 for
    whoever took it and 0 for the others: RLlib's checker of environments sends some.

    Args:
        config: the options of ``GameConfig`` and ``reward`` (see ``arboretum_env.rewards``), what
            ``AlgorithmConfig.environment(env_config=...)`` hands over.

    Raises:
        ConfigError: the options do not describe a playable game.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        options = dict(config or {})
        reward = options.pop("reward", "win")
        self._game = raw_env(config=GameConfig(**options), reward=reward, mask_in="info")
        self._worker = int(getattr(config, "worker_index", 0))
        self._num_actions = num_actions(self._game.config)
        self.possible_agents = list(self._game.possible_agents)
        self.agents = list(self.possible_agents)  # RLlib's checker wants all of them, always
        self._over = True
        super().__init__()
        box = observation_box(self._game.config)
        space = spaces.Dict(
            {
                # float32, for the networks that RLlib makes by default take nothing else.
                "observations": spaces.Box(
                    box.low.astype(np.float32), box.high.astype(np.float32), dtype=np.float32
                ),
                "action_mask": spaces.Box(0.0, 1.0, (self._num_actions,), np.float32),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: self._game.action_space(agent) for agent in self.agents}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Deals a new game.

        Args:
            seed: begins a stream of deals, as in PettingZoo's ``reset``; without one, the stream
                goes on. A worker's streams are its own: RLlib gives worker 1's second copy the
                seed of worker 2's first.
            options: an exact deal, as in PettingZoo's ``reset``.

        Returns:
            What the first seat sees, and an empty info.

        Raises:
            DealError: a bad seed or a bad deal. Nothing was changed.
        """
        if seed is not None:
            seed = checked_seed(seed) + (self._worker << _WORKER_SHIFT)
        self._game.reset(seed=seed, options=options or None)
        self._over = False
        mover = self._game.agent_selection
        return {mover: self._observe(mover)}, {mover: {}}

    def step(self, action_dict: dict[str, Any]) -> StepResult:
        """Takes the action of the seat to move.

        Returns:
            Observations, rewards, terminateds, truncateds and infos: of the next seat to move; at
            the end, of all. The infos of a finished game have ``hands``, ``scores`` and
            ``winners``.

        Raises:
            ActionError: not one action of the seat to move. Nothing was changed.
        """
        if self._over:
            raise ActionError("no game is going on: call reset() first")
        mover = self._game.agent_selection
        if set(action_dict) != {mover}:
            raise ActionError(
                f"actions of {', '.join(action_dict) or 'nobody'}: expected one, of {mover}"
            )
        action = checked_action_id(action_dict[mover], self._num_actions)
        if not self._game.infos[mover]["action_mask"][action]:
            rewards = {agent: ILLEGAL_REWARD * (agent == mover) for agent in self.agents}
            return self._end(rewards)
        self._game.step(action)
        if any(self._game.terminations.values()):
            return self._end(self._game.rewards)
        mover = self._game.agent_selection
        going_on = {mover: False, _ALL: False}
        return {mover: self._observe(mover)}, {mover: 0.0}, going_on, dict(going_on), {mover: {}}

    def close(self) -> None:
        """Releases nothing."""

    def _observe(self, agent: str) -> Observation:
        mask = self._game.infos[agent]["action_mask"]
        return {
            "observations": self._game.observe(agent).astype(np.float32),
            "action_mask": mask.astype(np.float32),
        }

    def _end(self, rewards: Mapping[str, float]) -> StepResult:
        ended = dict.fromkeys([*self.possible_agents, _ALL], True)
        observations = {agent: self._observe(agent) for agent in self.possible_agents}
        infos: dict[str, Info] = {}
        for agent in self.possible_agents:
            observations[agent]["action_mask"][:] = 0.0  # also where an illegal action ended it
            infos[agent] = {**self._game.infos[agent]}
            del infos[agent]["action_mask"]
        self._over = True
        return observations, dict(rewards), ended, dict.fromkeys(ended, False), infos
