"""Agents for tests: deterministic, illegal, remembering."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.registry import Mode
from arboretum_env.config import GameConfig
from arboretum_env.view import PlayerViews


class FirstLegal:
    """Takes the legal action with the lowest id."""

    def __init__(self, config: GameConfig, mode: Mode) -> None:
        self.mode = mode

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        pass

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        return views.legal_action_mask().argmax(axis=1).astype(np.int64)


class LastLegal(FirstLegal):
    """Takes the legal action with the highest id: it draws from discard piles, so games last."""

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        mask = views.legal_action_mask()
        return (mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)).astype(np.int64)


class NeverLegal(FirstLegal):
    """Takes the illegal action with the lowest id."""

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        return views.legal_action_mask().argmin(axis=1).astype(np.int64)


class OnceReset(FirstLegal):
    """Refuses to serve a second batch of games, and games that it was not told of."""

    resets: ClassVar[list[tuple[int, list[int]]]] = []

    def __init__(self, config: GameConfig, mode: Mode) -> None:
        super().__init__(config, mode)
        self.known: set[int] | None = None

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        assert self.known is None, "an agent object was used for two work units"
        self.known = {int(game) for game in game_ids}
        assert len(self.known) == len(game_ids), "a game id came twice"
        OnceReset.resets.append((seed, [int(game) for game in game_ids]))

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        assert self.known is not None
        assert {int(game) for game in views.game_id} <= self.known
        return super().act(views)


class ModeTeller(FirstLegal):
    """Takes the lowest action in mode ``sample``, the highest in mode ``greedy``."""

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        mask = views.legal_action_mask()
        if self.mode == "sample":
            return super().act(views)
        return (mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)).astype(np.int64)
