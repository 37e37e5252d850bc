"""Where every seat stands, as one seat sees it: best paths, and what each card would add."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arboretum_env.compile import kernel
from arboretum_env.engine.layout import MAX_CARDS
from arboretum_env.engine.paths import collect, neighbour_table, prefixes, suffixes
from arboretum_env.features.board import best_gains, legal_cells
from arboretum_env.view import PlayerViews

_ARBORETUM = 10


@dataclass(frozen=True)
class Outlook:
    """Standings of all seats; seats count from the observer.

    Attributes:
        best: [B, P, S] int16, points of the best path of every species, rights aside.
        total_gain: [B, P, C] int16, most points that planting the card could add to that seat's
            paths, all species together.
        own_gain: [B, P, C] int16, the same for the card's own species alone.
    """

    best: NDArray[np.int16]
    total_gain: NDArray[np.int16]
    own_gain: NDArray[np.int16]


@kernel
def _outlook(  # type: ignore[no-untyped-def]
    observations, players, num_species, num_ranks, side, around, best, total_gain, own_gain
):
    num_cards = num_species * num_ranks
    listed = np.empty(MAX_CARDS, np.int64)
    cells = np.empty(MAX_CARDS, np.int64)
    at = np.zeros(side * side, np.uint8)
    legal = np.empty(side * side, np.int64)
    arrive = np.empty((MAX_CARDS, num_species), np.int64)
    leave = np.empty((MAX_CARDS, num_species), np.int64)
    arrive_pure = np.empty(MAX_CARDS, np.int64)
    leave_pure = np.empty(MAX_CARDS, np.int64)
    for b in range(observations.shape[0]):
        cards = observations[b, : 4 * num_cards].reshape(num_cards, 4)
        for k in range(players):
            n = collect(
                cards[:, 0], cards[:, 2], cards[:, 3], _ARBORETUM + k,
                num_species, num_ranks, side, listed, cells, at,
            )  # fmt: skip
            prefixes(
                n,
                listed,
                cells,
                at,
                num_species,
                num_ranks,
                around,
                arrive,
                arrive_pure,
                best[b, k],
            )
            suffixes(n, listed, cells, at, num_species, num_ranks, around, leave, leave_pure)
            m = legal_cells(n, cells, at, around, legal)
            best_gains(
                m, legal, listed, at, num_species, num_ranks, around, arrive, arrive_pure,
                leave, leave_pure, best[b, k], total_gain[b, k], own_gain[b, k],
            )  # fmt: skip


def outlook(views: PlayerViews) -> Outlook:
    """Best paths and gains of all seats from what each view's seat sees."""
    config = views.config
    batch, players = len(views), config.num_players
    result = Outlook(
        best=np.empty((batch, players, config.num_species), np.int16),
        total_gain=np.empty((batch, players, config.num_cards), np.int16),
        own_gain=np.empty((batch, players, config.num_cards), np.int16),
    )
    _outlook(
        views.observation, players, config.num_species, config.num_ranks, config.side,
        neighbour_table(config.side),
        result.best, result.total_gain, result.own_gain,
    )  # fmt: skip
    return result
