"""Agents that do what agents should not: sleep, fail, answer nonsense."""

import threading
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.registry import AgentEntry
from arboretum_env.config import GameConfig
from arboretum_env.view import PlayerViews

LET_GO: Final = threading.Event()
"""Set by a test to let agents that hang go on."""


class _Bot:
    def __init__(self, config: GameConfig) -> None:
        self.config = config

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        pass

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        return views.legal_action_mask().argmax(axis=1)


class Hanging(_Bot):
    """Thinks until it is let go."""

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        LET_GO.wait()
        return super().act(views)


class Failing(_Bot):
    """Fails with a card of its hand in the message."""

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        raise RuntimeError(f"I hold {views[0].hand}")


class Quitting(_Bot):
    """Wants the program to end."""

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        raise SystemExit(1)


class Cheating(_Bot):
    """Chooses what is illegal."""

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        return views.legal_action_mask().argmin(axis=1)


BAD_BOTS: Final = tuple(
    AgentEntry(name, 1, f"tests.studio.bad_bots:{name.capitalize()}", "tests", "is bad")
    for name in ("hanging", "failing", "quitting", "cheating")
)
