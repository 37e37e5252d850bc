"""The opponents of a learner of another library: drawn from its own past, game by game.

The pool holds the policy as it is now, snapshots of it as it was, and bots if asked for. (The lab's
own trainer has ``opponents.pool``, which also remembers who is beaten how often.)

``B`` games, ``P`` players.
"""

import copy
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.neural.network import PolicyNetwork
from arboretum_agents.neural.policy import NeuralAgent
from arboretum_agents.opponents import Opponents
from arboretum_agents.registry import make_agent
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_training.league_config import PoolConfig

_SEED_TAG: Final = 0x9001


class Tables(Protocol):
    """Games side by side, each with one learner's seat: either library's environment."""

    config: GameConfig
    num_envs: int

    def set_opponents(self, opponents: Opponents, rows: NDArray[np.int64]) -> None:
        """Sets who sits at some tables from their next games on."""


class OpponentPool:
    """Who may sit opposite the learner.

    Args:
        game: the game.
        config: how much of whom.
        network: what is being learned; the newest opponent plays it as it is at every moment.
        seed: of the draws.

    Attributes:
        latest: plays ``network``.
        snapshots: older policies, the oldest first.
        bots: as configured.

    Raises:
        ArboretumError: a spec that makes no agent.
    """

    def __init__(
        self, game: GameConfig, config: PoolConfig, network: PolicyNetwork, seed: int
    ) -> None:
        self.config = config
        self.latest = NeuralAgent(game, network)
        self.snapshots: list[Agent] = []
        self.bots: list[Agent] = [make_agent(spec, game) for spec in config.bots]
        self._rng = np.random.default_rng(np.random.SeedSequence((seed, _SEED_TAG)))

    def take_snapshot(self) -> None:
        """Adds the policy as it is now; beyond ``config.size`` the oldest goes."""
        self.add(copy.deepcopy(self.latest.network).requires_grad_(False).eval())

    def add(self, network: PolicyNetwork) -> None:
        """Adds an older policy, which is kept and not copied; beyond the size the oldest goes."""
        self.snapshots.append(NeuralAgent(self.latest.config, network))
        del self.snapshots[: -self.config.size]

    @property
    def agents(self) -> list[Agent]:
        """Everybody: the latest, the snapshots, the bots."""
        return [self.latest, *self.snapshots, *self.bots]

    @property
    def shares(self) -> NDArray[np.float64]:
        """How often each of ``agents`` is drawn, 1 together.

        Snapshots share equally what the others leave; while there are none it goes to the latest.
        """
        latest, bots = self.config.latest, self.config.bot_share
        # Decimal fractions that make up 1 may miss it by a rounding error.
        older = max(1.0 - latest - bots, 0.0)
        if self.snapshots:
            shares = [latest, *_equally(older, len(self.snapshots))]
        else:
            shares = [latest + older]
        together = np.array([*shares, *_equally(bots, len(self.bots))])
        return np.asarray(together / together.sum())

    def seat(self, environment: Tables) -> None:
        """Draws the opponents of every game that begins from now on, each seat by itself."""
        agents = self.agents
        size = environment.num_envs, environment.config.num_players - 1
        drawn = self._rng.choice(len(agents), size=size, p=self.shares)
        lineups, which = np.unique(drawn, axis=0, return_inverse=True)
        for index, lineup in enumerate(lineups):
            rows = np.flatnonzero(which.ravel() == index)
            environment.set_opponents([agents[k] for k in lineup], rows)


def _equally(share: float, number: int) -> list[float]:
    return [share / number] * number if number else []
