"""``random``: every legal move equally likely. The floor of every ladder."""

import numpy as np
from numpy.typing import NDArray

from arboretum_env.agent import check_movers, decision_uniforms
from arboretum_env.compile import kernel
from arboretum_env.config import GameConfig
from arboretum_env.view import PlayerViews


@kernel
def _pick(masks, uniform, actions):  # type: ignore[no-untyped-def]
    """Writes one legal action a row, the k-th of n with k = floor(uniform * n); -1 for none."""
    for b in range(masks.shape[0]):
        legal = 0
        for action in range(masks.shape[1]):
            legal += masks[b, action]
        if legal == 0:
            actions[b] = -1
            continue
        skip = np.int64(uniform[b] * legal)
        action = 0
        while not masks[b, action] or skip > 0:
            skip -= masks[b, action]
            action += 1
        actions[b] = action


class RandomAgent:
    """Plays uniformly over the legal action mask."""

    def __init__(self, config: GameConfig) -> None:
        self._seed = 0

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        """Begins new games; nothing but the seed is kept, see ``decision_uniforms``."""
        self._seed = seed

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        """One legal action a view, [B].

        Raises:
            ValueError: a view of an idle seat or a finished game, which has nothing to decide.
        """
        check_movers(views)
        actions = np.empty(len(views), np.int64)
        _pick(views.legal_action_mask(), decision_uniforms(self._seed, views), actions)
        return actions
