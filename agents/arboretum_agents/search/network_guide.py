"""A network guides the search: by its probabilities, its expectations and its beliefs.

``B`` denotes views, ``N`` worlds, ``P`` players, ``C`` cards.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.search.beliefs import Beliefs
from arboretum_agents.search.candidates import root_limit
from arboretum_agents.search.lookahead import Lookahead
from arboretum_agents.search.root import Root
from arboretum_agents.search.steady import SteadyNetwork
from arboretum_env.agent import Agent
from arboretum_env.engine.state import GameState
from arboretum_env.view import PlayerViews

PRIOR_VISITS: Final = 8.0  # how far the network's opinion goes before the evidence does
PRIOR: Final = 0.005  # how much less worth a move is thought that is likely an e-th as much
LEAST_LIKING: Final = -7.0  # log of a chance by the likeliest move's; not looked at below it
SURE: Final = 1e-6  # no belief is closer to 0 or 1


class NetworkBeliefs:
    """What a network's belief head says, as log odds."""

    def __init__(self, network: SteadyNetwork) -> None:
        self._network = network

    def __call__(self, views: PlayerViews) -> NDArray[np.float64]:
        """[B, P - 1, C] log(held by this rival / held by nobody)."""
        held = self._network.beliefs(views)
        nobody = 1.0 - held.sum(axis=1, keepdims=True)
        odds: NDArray[np.float64] = np.log(np.maximum(held, SURE) / np.maximum(nobody, SURE))
        return odds


def draw_odds(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log weights by which drawing hands card by card gives each card about its chance.

    Cards that are drawn in proportion to weights w, without replacement, are among the first ones
    with chance 1 - exp(-w t) for a t that the number of draws sets. So a card of chance p gets
    w = -log(1 - p), and t is about 1. A later rival draws from what the earlier ones left.

    Args:
        log_odds: [B, P - 1, C].

    Returns:
        [B, P - 1, C].
    """
    # Chance of being in this hand, among this, later hands and the deck.
    later = np.flip(np.logaddexp.accumulate(np.flip(log_odds, axis=1), axis=1), axis=1)
    rest = np.logaddexp(0.0, later)  # this hand, later hands, the deck (log odds 0)
    others = np.zeros_like(log_odds)
    others[:, :-1] = rest[:, 1:]
    weights = rest - others  # -log(1 - p)
    return np.log(np.maximum(weights, SURE))


class NetworkGuide:
    """See the module.

    Args:
        network: it has been reset before it is searched with.
        beliefs: which hidden cards rivals hold; None: what the network says.
        depth: rounds of the table that are played before a position is judged.
        prior: how much less worth a move is thought that is likely an e-th as much.
        threads: chunks of positions at once.
    """

    def __init__(
        self,
        network: SteadyNetwork,
        beliefs: Beliefs | None,
        depth: int,
        prior: float,
        threads: int,
    ) -> None:
        self.network = network
        self._prior = prior
        self._own = beliefs is None
        self._beliefs = beliefs or NetworkBeliefs(network)
        self._lookahead = Lookahead(network, depth, threads)

    @property
    def policy(self) -> Agent:
        """The network."""
        return self.network

    def log_odds(self, views: PlayerViews) -> NDArray[np.float64]:
        """See ``Guide``."""
        return self._beliefs(views)

    def draw_odds(self, log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
        """See ``Guide`` and the function."""
        return draw_odds(log_odds) if self._own else log_odds

    def roots(self, views: PlayerViews, simulations: int) -> list[Root]:
        """See ``Guide``; the likeliest moves, by how likely they are."""
        chances = self.network.policy(views)[0].astype(np.float64)
        roots = []
        for row, phase in zip(chances, views.phase, strict=True):
            # Rounded: mirrored cells are alike, whatever the last bits of their chances.
            liking = np.round(np.log(np.maximum(row / row.max(), np.finfo(np.float64).tiny)), 3)
            order = np.argsort(-liking, kind="stable")[: root_limit(int(phase), simulations)]
            order = order[liking[order] >= LEAST_LIKING]
            priors = self._prior * liking[order]
            roots.append(Root(order.tolist(), priors.tolist(), PRIOR_VISITS))
        return roots

    def values(
        self, worlds: GameState, ids: NDArray[np.uint64], turns: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """See ``Guide``."""
        return self._lookahead.values(worlds, ids, turns)
