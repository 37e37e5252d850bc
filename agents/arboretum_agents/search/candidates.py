"""Which actions are worth a look, best guess first.

The first candidate is always what the policy itself would do, so that a search that learns nothing
plays like its policy. The others are ranked by what the policy says of them: an agent's
``action_values`` (the planner), else its probabilities (a network), else, for bots that say
neither, the planner's values.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.bots.planner import PlannerAgent
from arboretum_env.agent import Agent, PolicyAgent
from arboretum_env.config import GameConfig
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerViews

MAX_CANDIDATES: Final = 12
_PLACE: Final = int(Phase.PLACE)

Ranker = Callable[[PlayerViews], NDArray[Any]]
"""[B, A] a number for every action, the higher the better; -inf if illegal."""


def ranker(policy: Agent, config: GameConfig) -> Ranker:
    """What to rank a policy's candidates by, see the module."""
    values: Ranker | None = getattr(policy, "action_values", None)
    if values is not None:
        return values
    if isinstance(policy, PolicyAgent):
        return _log_probabilities(policy)
    return PlannerAgent(config).action_values


def _log_probabilities(policy: PolicyAgent) -> Ranker:
    def rank(views: PlayerViews) -> NDArray[Any]:
        chances = np.maximum(policy.policy(views)[0].astype(np.float64), 1e-30)
        return np.where(views.legal_action_mask(), np.log(chances), -np.inf)

    return rank


def list_candidates(
    views: PlayerViews, first: NDArray[np.int64], rank: Ranker, limit: int
) -> NDArray[np.int64]:
    """The candidates of every view.

    Args:
        views: B views of seats that are to move.
        first: [B] what the policy would do.
        rank: orders the others.
        limit: how many at most, K.

    Returns:
        [B, K] actions, best guess first, -1 where there are no more.
    """
    scores = np.array(rank(views), np.float64)
    rows = np.arange(len(views))
    scores[rows, first] = np.inf
    order = np.argsort(-scores, axis=1, kind="stable")[:, :limit]
    return np.where(np.take_along_axis(scores, order, axis=1) > -np.inf, order, -1)


def root_limit(phase: int, simulations: int) -> int:
    """How many candidates so many simulations can tell apart; 1: there is nothing to search.

    Cards differ much and there are few; cells differ little and there are many, so that they need
    more simulations each. Four simulations a candidate are enough for a world in every round of
    ``root.Root``.
    """
    if simulations < 2:
        return 1
    wanted = max(2, simulations // 4)
    if phase == _PLACE:
        wanted = min(wanted, 3 + simulations // 64)
    return min(wanted, MAX_CANDIDATES)
