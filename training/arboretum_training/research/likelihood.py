"""How likely rivals' choices were in given deals, if they played by a policy.

``N`` denotes deals, ``C`` cards in play, ``T`` decisions so far.
"""

import numpy as np
from numpy.typing import NDArray

from arboretum_env.agent import PolicyAgent
from arboretum_env.engine import layout
from arboretum_env.engine.deal import lay_out
from arboretum_env.engine.moves import apply_action
from arboretum_env.engine.state import GameState
from arboretum_env.view import PlayerViews, redact
from arboretum_training.research.pasts import Past


class Likelihood:
    """Chances of actions under a policy that sometimes slips.

    Args:
        policy: an agent with probabilities; it has been reset.
        slip: the chance that any legal action is taken instead, each alike. It keeps a policy
            that is sure of itself from ruling deals out for good.
    """

    def __init__(self, policy: PolicyAgent, slip: float) -> None:
        self._policy = policy
        self._slip = slip

    def chances(self, views: PlayerViews, actions: NDArray[np.int64]) -> NDArray[np.float64]:
        """[B] chance of the action that a mover took."""
        rows = np.arange(len(views))
        meant = self._policy.policy(views)[0].astype(np.float64)[rows, actions]
        legal = views.legal_action_mask()
        slipped = legal[rows, actions] / np.maximum(legal.sum(axis=1), 1)
        chances: NDArray[np.float64] = (1 - self._slip) * meant + self._slip * slipped
        return chances

    def log_chances(
        self, past: Past, deals: NDArray[np.int64], until: int, start: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Log chances of the rivals' decisions in deals that agree with what was seen.

        Args:
            past: what was seen.
            deals: [N, C] cards in the order of the deal.
            until: how many decisions there are.
            start: [N] the first decision that is asked for in each deal.

        Returns:
            [N, until]; 0 for decisions of the observer and for those before ``start``.
        """
        games = dealt(past, deals)
        logs = np.zeros((len(deals), until))
        with np.errstate(divide="ignore"):
            for at in range(until):
                action, mover = past.actions[at], past.movers[at]
                rows = np.flatnonzero(start <= at)
                if mover != past.seat and len(rows):
                    views = redact(games.select(rows) if len(rows) < len(games) else games, mover)
                    chances = self.chances(views, np.full(len(rows), action))
                    logs[rows, at] = np.log(chances)
                apply_action(games, np.full(len(games), action))
        return logs


def dealt(past: Past, deals: NDArray[np.int64]) -> GameState:
    """[N] games as they were dealt."""
    raw = np.tile(layout.blank_row(past.config), (len(deals), 1))
    for row, cards in zip(raw, deals.astype(np.uint8), strict=True):
        lay_out(row, cards)
    return GameState(past.config, raw)
