"""``random``: every legal move equally likely. The floor of every ladder."""

import numpy as np
from numpy.typing import NDArray

from arboretum_env.agent import decision_uniforms, sample_rows
from arboretum_env.config import GameConfig
from arboretum_env.view import PlayerViews


class RandomAgent:
    """Plays uniformly over the legal action mask."""

    def __init__(self, config: GameConfig) -> None:
        self._seed = 0

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        """Begins new games; nothing but the seed is kept, see ``decision_uniforms``."""
        self._seed = seed

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        """One legal action a view, [B]."""
        legal = views.legal_action_mask().astype(np.float64)
        return sample_rows(legal, decision_uniforms(self._seed, views))
