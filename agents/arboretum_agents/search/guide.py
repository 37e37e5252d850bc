"""What guides a search: who plays in it, which moves are worth a look, what a position is worth.

``B`` denotes views, ``N`` worlds, ``P`` players, ``C`` cards.
"""

from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.search.beliefs import Beliefs
from arboretum_agents.search.candidates import list_candidates, ranker, root_limit
from arboretum_agents.search.rollouts import Rollouts
from arboretum_agents.search.root import Root
from arboretum_env.agent import Agent
from arboretum_env.engine.state import GameState
from arboretum_env.view import PlayerViews

PRIOR_VISITS: Final = 10  # the policy's choice is doubted only as far as the evidence goes
PRIOR_DOUBT: Final = 0.01  # how much worse than the policy's choice the others are by prior


class Guide(Protocol):
    """See the module."""

    @property
    def policy(self) -> Agent:
        """Moves for all seats in the search, and for rivals in endgames."""
        ...

    def log_odds(self, views: PlayerViews) -> NDArray[np.float64]:
        """[B, P - 1, C] by which consistent deals are weighed, see ``beliefs.Beliefs``."""
        ...

    def draw_odds(self, log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
        """[B, P - 1, C] by which hands are drawn card by card, from ``log_odds``."""
        ...

    def roots(self, views: PlayerViews, simulations: int) -> list[Root]:
        """The candidates of B decisions on which about so many simulations will be spent."""
        ...

    def values(
        self, worlds: GameState, ids: NDArray[np.uint64], turns: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """[N, P] what worlds are worth to every seat, between 0 and 1.

        Args:
            worlds: N games, over or not; not changed.
            ids: [N] what the policy's randomness is keyed by.
            turns: [N] the turn in which the search began.
        """
        ...


class PolicyGuide:
    """Any policy: worlds are played to their end by it.

    Args:
        policy: it has been reset before it is searched with.
        beliefs: which hidden cards rivals hold.
        margin_share: see ``rollouts.worth``.
        threads: rollouts at once.
    """

    def __init__(self, policy: Agent, beliefs: Beliefs, margin_share: float, threads: int) -> None:
        self.policy = policy
        self._beliefs = beliefs
        self._rollouts = Rollouts(policy, margin_share, threads)

    def log_odds(self, views: PlayerViews) -> NDArray[np.float64]:
        """See ``Guide``."""
        return self._beliefs(views)

    def draw_odds(self, log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
        """See ``Guide``; the same numbers."""
        return log_odds

    def roots(self, views: PlayerViews, simulations: int) -> list[Root]:
        """See ``Guide``; others than the policy's choice get a small handicap."""
        limits = [root_limit(int(phase), simulations) for phase in views.phase]
        rank = ranker(self.policy, views.config)
        first = self.policy.act(views)
        listed = list_candidates(views, first, rank, max(limits, default=1))
        actions = [
            [int(action) for action in row[:limit] if action >= 0]
            for row, limit in zip(listed, limits, strict=True)
        ]
        return [Root(row, [0.0] + [-PRIOR_DOUBT] * (len(row) - 1), PRIOR_VISITS) for row in actions]

    def values(
        self, worlds: GameState, ids: NDArray[np.uint64], turns: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """See ``Guide``; whatever the turn, to the end of the game."""
        return self._rollouts.values(worlds, ids)
