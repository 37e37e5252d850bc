"""Where every seat stands, as one seat sees it: best paths, and what each card would add."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arboretum_env.cards import MAX_RANKS
from arboretum_env.compile import kernel
from arboretum_env.engine.lanes import WIDTH
from arboretum_env.engine.memory import row_pointer
from arboretum_env.engine.paths import neighbour_table
from arboretum_env.features.board import best_gains, board_in, board_memory, read_board
from arboretum_env.view import PlayerViews


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
    observations, players, num_species, num_ranks, side, neighbours, memory, gains,
    best, total_gain, own_gain,
):  # fmt: skip
    around = row_pointer(neighbours, 0)
    board = board_in(memory, side)
    total, own = row_pointer(gains, 0), row_pointer(gains, 1)
    for b in range(observations.shape[0]):
        for k in range(players):
            cards = row_pointer(observations, b)
            m = read_board(cards, k, num_species, num_ranks, side, around, board)
            best_gains(m, num_ranks, around, board, total, own)
            seat = b * players + k
            seat_best = row_pointer(best, seat)
            seat_total, seat_own = row_pointer(total_gain, seat), row_pointer(own_gain, seat)
            for s in range(num_species):
                seat_best[s] = board.best[s]
                for rank in range(num_ranks):
                    seat_total[s * num_ranks + rank] = total[WIDTH * rank + s]
                    seat_own[s * num_ranks + rank] = own[WIDTH * rank + s]


def outlook(views: PlayerViews) -> Outlook:
    """Best paths and gains of all seats from what each view's seat sees."""
    config, batch = views.config, len(views)
    seats = batch * config.num_players
    best = np.empty((seats, config.num_species), np.int16)
    total_gain, own_gain = np.empty((2, seats, config.num_cards), np.int16)
    _outlook(
        views.observation.view(np.uint8), config.num_players, config.num_species,
        config.num_ranks, config.side, neighbour_table(config.side), board_memory(config.side),
        np.empty((2, WIDTH * MAX_RANKS), np.uint8), best, total_gain, own_gain,
    )  # fmt: skip
    return Outlook(
        *(
            array.reshape(batch, config.num_players, array.shape[1])
            for array in (best, total_gain, own_gain)
        )
    )
