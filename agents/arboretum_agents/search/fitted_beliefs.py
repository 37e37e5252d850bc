"""Which hidden cards rivals tend to hold, by public facts alone.

People and bots keep high cards, and cards of species that they plant, and not of species that they
discard. A world in which every unseen card may be in a rival's hand alike is therefore a world of
weak rivals. Here the log odds of a card being held rather than left in the deck are linear in

* 1, its rank / R, whether it is a 1, whether it is the top rank,
* how many cards of the species the rival has planted, has on its own pile, and the observer has
  planted,
* each of these times the share of the deck that is gone, and the last three times rank / R.

The weights were fitted by logistic regression to games of the planner against itself::

    python -m benchmarks.search_beliefs --players 2
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.compile import kernel
from arboretum_env.determinize import determinize
from arboretum_env.engine.layout import (
    DECK_LENGTH,
    DRAWN,
    IN_ARBORETUM,
    IN_PILE,
    MAX_CARDS,
    NUM_CARDS,
    NUM_PLAYERS,
    NUM_RANKS,
    PLACE,
)
from arboretum_env.engine.memory import pointer, row_pointer
from arboretum_env.view import PlayerViews

FEATURES: Final = 17

FITTED: Final[Mapping[int, NDArray[np.float64]]] = MappingProxyType(
    {
        2: np.array(
            (-0.20, 0.45, -0.03, -0.12, 0.40, -0.20, 0.81, -4.94, 5.66, -2.37, -1.13, 0.29, -0.91,
             0.04, -0.10, 0.77, -0.62)
        ),
        3: np.array(
            (-0.23, 0.61, -0.10, -0.16, 0.75, -0.35, 0.41, -2.88, 2.44, -0.55, -0.20, 0.40, -0.59,
             -0.20, -0.48, 0.85, -0.16)
        ),
        4: np.array(
            (-0.29, 0.76, -0.25, -0.17, 0.83, -0.35, 0.44, -2.44, 1.82, -0.67, -0.05, 0.57, -0.42,
             -0.23, -0.67, 0.77, -0.20)
        ),
    }
)  # fmt: skip
"""By number of players, in the order above."""


@kernel
def _count(row, place, out):  # type: ignore[no-untyped-def]
    """[S] how many cards of each species are in a place."""
    num_ranks = np.int64(row[NUM_RANKS])
    num_cards = np.int64(row[NUM_CARDS])
    for s in range(num_cards // num_ranks):
        out[s] = 0.0
    for card in range(num_cards):
        if row[PLACE + card] == place:
            out[card // num_ranks] += 1.0


@kernel
def log_odds(row, seat, rival, weights, counts, out):  # type: ignore[no-untyped-def]
    """[C] log odds, up to a constant, that a rival holds each card rather than not.

    Args:
        row: a game; only what ``seat`` can see of it matters.
        seat, rival: absolute seats.
        weights: [FEATURES].
        counts: [3, MAX_CARDS] float64 scratch.
    """
    num_ranks = np.int64(row[NUM_RANKS])
    planted, shed, mine = (
        pointer(counts, 0), pointer(counts, MAX_CARDS), pointer(counts, 2 * MAX_CARDS),
    )  # fmt: skip
    _count(row, IN_ARBORETUM + rival, planted)
    _count(row, IN_PILE + rival, shed)
    _count(row, IN_ARBORETUM + seat, mine)
    gone = np.int64(row[DRAWN]) / np.int64(row[DECK_LENGTH])
    for card in range(np.int64(row[NUM_CARDS])):
        s, rank = card // num_ranks, card % num_ranks
        share = (rank + 1) / num_ranks
        facts = (
            1.0, share, 1.0 if rank == 0 else 0.0, 1.0 if rank == num_ranks - 1 else 0.0,
            planted[s], shed[s], mine[s],
        )  # fmt: skip
        total = 0.0
        for i in range(7):
            total += facts[i] * (weights[i] + gone * weights[7 + i])
        for i in range(3):
            total += facts[4 + i] * share * weights[14 + i]
        out[card] = total


@kernel
def _log_odds_of_all(raw, seats, weights, counts, out):  # type: ignore[no-untyped-def]
    for b in range(raw.shape[0]):
        row = row_pointer(raw, b)
        players = np.int64(row[NUM_PLAYERS])
        for k in range(1, players):
            rival = (np.int64(seats[b]) + k) % players
            log_odds(row, seats[b], rival, pointer(weights, 0), counts, out[b, k - 1])


@dataclass(frozen=True)
class FittedBeliefs:
    """Beliefs by a table of weights; see ``beliefs.Beliefs``.

    Attributes:
        weights: [FEATURES], in the module's order.
    """

    weights: NDArray[np.float64]

    def __call__(self, views: PlayerViews) -> NDArray[np.float64]:
        """[B, P - 1, C] log odds, up to a constant."""
        config = views.config
        # Any world will do: what is looked at is public.
        worlds = determinize(views, np.zeros(len(views), np.uint64))
        odds = np.empty((len(views), config.num_players - 1, config.num_cards))
        seats = views.seat.astype(np.int64)
        _log_odds_of_all(worlds.raw, seats, self.weights, np.empty((3, MAX_CARDS)), odds)
        return odds
