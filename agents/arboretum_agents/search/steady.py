"""A network whose answers do not depend on what else is in the batch.

Libraries of linear algebra take other ways through small matrices than through large ones, and
through what is left over when rows are taken several at a time, so that the last bit of a result
may depend on the number of rows; those in use do so neither from 16 rows on, nor with whole blocks
of rows. A search compares sums of such numbers, and a last bit could decide it.
"""

from typing import Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from arboretum_env.agent import PolicyAgent
from arboretum_env.phase import Phase
from arboretum_env.rewards import RewardKind
from arboretum_env.view import PlayerViews

BLOCK: Final = 16  # the number of rows of every kind of decision is a multiple of it
_HEAD_OF_PHASE: Final = np.array([0, 0, 1, 1, 2])  # draws, placements, discards
assert len(_HEAD_OF_PHASE) == Phase.GAME_OVER


@runtime_checkable
class Network(PolicyAgent, Protocol):
    """An agent that also says what it expects and believes; see ``neural.policy.NeuralAgent``."""

    reward: RewardKind

    def decide(self, views: PlayerViews) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """([B] actions, [B] expected return of the view's seat)."""
        ...

    def beliefs(self, views: PlayerViews) -> NDArray[np.float64]:
        """[B, P - 1, C] how likely each rival is to hold each card."""
        ...


def padding(phases: NDArray[np.int8]) -> NDArray[np.int64]:
    """Rows to repeat at the end of a batch, so that every kind of decision fills whole blocks."""
    rows = []
    for head in range(3):
        there = np.flatnonzero(_HEAD_OF_PHASE[phases] == head)
        if len(there):
            rows.append(np.resize(there, -len(there) % BLOCK))
    return np.concatenate([np.zeros(0, np.int64), *rows])


class SteadyNetwork:
    """See the module."""

    def __init__(self, network: Network) -> None:
        self._network = network

    @property
    def reward(self) -> RewardKind:
        """What the network's values are expectations of."""
        return self._network.reward

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        """Begins new games."""
        self._network.reset(game_ids, seed)

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        """[B] actions."""
        return self.decide(views)[0]

    def decide(self, views: PlayerViews) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """([B] actions, [B] expected return of the view's seat)."""
        actions, values = self._network.decide(_padded(views))
        return actions[: len(views)], values[: len(views)]

    def policy(self, views: PlayerViews) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """([B, A] probabilities, [B] expected return of the view's seat)."""
        chances, values = self._network.policy(_padded(views))
        return chances[: len(views)], values[: len(views)]

    def beliefs(self, views: PlayerViews) -> NDArray[np.float64]:
        """[B, P - 1, C] how likely each rival is to hold each card."""
        return self._network.beliefs(_padded(views))[: len(views)]


def _padded(views: PlayerViews) -> PlayerViews:
    extra = padding(views.phase)
    if not len(extra):
        return views
    return views.select(np.concatenate([np.arange(len(views)), extra]))
