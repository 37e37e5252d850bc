"""Batches of games under random legal play, for tests that need many positions."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from arboretum_env.actions import num_actions
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import legal_action_mask, step
from arboretum_env.engine.state import GameState

Position = tuple[GameState, NDArray[np.bool_]]

CONFIGS = {
    **{f"{p} players": GameConfig(num_players=p) for p in (2, 3, 4)},
    **{
        f"{p} players, starting discards": GameConfig(num_players=p, starting_discards=True)
        for p in (2, 3, 4)
    },
    "reduced 2": GameConfig(num_players=2, species=3, num_ranks=4, hand_size=3),
    "reduced 3": GameConfig(num_players=3, species="WOM", num_ranks=5, hand_size=2),
    "reduced 4, rights for all": GameConfig(
        num_players=4, species=2, num_ranks=8, hand_size=1, rights="all", cancel_eights=False
    ),
}
"""One game of each kind, by name."""


def random_actions(masks: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int64]:
    """[B] a uniformly random legal action a game, -1 where there is none."""
    weights = np.where(masks, rng.random(masks.shape), -1.0)
    return np.where(masks.any(axis=1), weights.argmax(axis=1), -1)


def random_positions(config: GameConfig, games: int, seed: int) -> Iterator[Position]:
    """Every position of ``games`` random games in lock step: (state, legal masks), ends included.

    The state is advanced in place between two yields: copy what you keep.
    """
    rng = np.random.default_rng(seed)
    state = deal(config, seed, np.arange(games))
    masks = np.empty((games, num_actions(config)), np.bool_)
    legal_action_mask(state, masks)
    yield state, masks
    while not state.done.all():
        step(state, random_actions(masks, rng), masks)
        yield state, masks
