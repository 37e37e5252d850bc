"""The game on which learners of other libraries show that they learn, and how it is measured.

2 species x 3 ranks and hands of 1: 10 to 15 decisions, and small networks improve within a few
hundred games, from nothing but wins and losses.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.bots.random import RandomAgent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.match import play_match
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_env.view import PlayerViews

TINY = GameConfig(num_players=2, species=2, num_ranks=3, hand_size=1)

Choose = Callable[[NDArray[np.int8], NDArray[np.bool_]], NDArray[np.integer[Any]]]
"""([B, L] observations, [B, A] legal actions) -> [B] actions."""


class Learner:
    """Somebody's policy as an agent of the lab."""

    def __init__(self, choose: Choose) -> None:
        self._choose = choose

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        """Keeps nothing."""

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        """[B] what the policy chooses."""
        return self._choose(views.observation, views.legal_action_mask()).astype(np.int64)


def win_share(choose: Choose, deals: int = 2000, seed: int = 7) -> float:
    """Wins of a policy against random play, in both seats of every deal; ties count 0.5.

    With the default number of deals the standard error is below 0.01.
    """
    learner, rival = Learner(choose), RandomAgent(TINY)
    ids = np.arange(deals, dtype=np.uint64)
    root, total = root_from_seed(seed, Purpose.EVALUATE), 0.0
    for seat in (0, 1):
        rival.reset(ids, seed + seat)
        seating = np.full((deals, 2), 1)
        seating[:, seat] = 0
        result = play_match(deal(TINY, root, ids), [learner, rival], seating, ids)
        total += float(result.scores.win_shares[:, seat].mean())
    return total / 2
