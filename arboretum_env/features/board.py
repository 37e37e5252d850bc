"""What planting a card would gain, for every card and every legal cell of one arboretum.

Through an empty cell, a path of any species other than the new card's needs a way in over a lower
neighbour and a way on over a higher one, whatever the new card's species. So one look at a cell's
neighbours a rank (``approach``) serves all species, and the new card's own species adds the paths
that start or end with it.

``n`` denotes the cards of the board, ``m`` its legal cells, ``S`` species, ``R`` ranks, ``W`` side.
"""

import numba as nb
import numpy as np

from arboretum_env.engine.paths import (
    ABSENT,
    END_BONUS,
    PURE_CARD,
    START_BONUS,
    neighbours,
    pure_points,
)


@nb.njit(cache=True, nogil=True)
def legal_cells(n, cells, at, side, out):  # type: ignore[no-untyped-def]
    """Lists the cells where the next card may be planted.

    Args:
        n, cells, at, side: the board, see ``engine.paths.collect``; ``at`` is used as scratch and
            left as it was.
        out: [W * W] out, the torus cells, in the order in which the board's cards reach them.

    Returns:
        m, how many there are; at least 1, the origin of an empty board.
    """
    if n == 0:
        out[0] = 0
        return 1
    m = 0
    for i in range(n):
        for cell in neighbours(cells[i], side):
            if at[cell] == 0:
                at[cell] = 255
                out[m] = cell
                m += 1
    for i in range(m):
        at[out[i]] = 0
    return m


@nb.njit(cache=True, nogil=True)
def approach(  # type: ignore[no-untyped-def]
    cell, rank, cards, at, num_species, num_ranks, side,
    arrive, arrive_pure, leave, leave_pure, before, before_pure, after, after_pure,
):  # fmt: skip
    """Best ways to and on from a card of ``rank`` in an empty cell, the card itself not counted.

    Args:
        arrive, arrive_pure, leave, leave_pure: tables of ``engine.paths``.
        before, after: [S] out, cards + bonus from a card of species s to a lower neighbour, and
            from a higher neighbour to a card of species s; ``ABSENT`` if none.
        before_pure, after_pure: [S] out, the same all of species s, PURE_CARD * cards + bonus;
            0 if none.
    """
    for s in range(num_species):
        before[s] = ABSENT
        after[s] = ABSENT
        before_pure[s] = 0
        after_pure[s] = 0
    for neighbour in neighbours(cell, side):
        j = np.int64(at[neighbour]) - 1
        if j < 0:
            continue
        other = cards[j] % num_ranks
        species = cards[j] // num_ranks
        if other < rank:
            for s in range(num_species):
                before[s] = max(before[s], arrive[j, s])
            before_pure[species] = max(before_pure[species], arrive_pure[j])
        elif other > rank:
            for s in range(num_species):
                after[s] = max(after[s], leave[j, s])
            after_pure[species] = max(after_pure[species], leave_pure[j])


@nb.njit(cache=True, nogil=True)
def own_points(species, rank, num_ranks, before, before_pure, after, after_pure):  # type: ignore[no-untyped-def]
    """Points of the best path of the new card's own species through it; 0 if there is none."""
    start = START_BONUS if rank == 0 else 0
    end = END_BONUS if rank == num_ranks - 1 else 0
    points = 0
    if before[species] > 0 or after[species] > 0:
        points = max(before[species], start) + 1 + max(after[species], end)
    count = before_pure[species] // PURE_CARD + 1 + after_pure[species] // PURE_CARD
    bonus = before_pure[species] % PURE_CARD + after_pure[species] % PURE_CARD + start + end
    return max(points, pure_points(count, bonus))


@nb.njit(cache=True, nogil=True)
def best_gains(  # type: ignore[no-untyped-def]
    m, legal, cards, at, num_species, num_ranks, side,
    arrive, arrive_pure, leave, leave_pure, best, total, own,
):  # fmt: skip
    """Most points that planting each card would add to this board, over all its legal cells.

    Args:
        m, legal: the legal cells.
        best: [S] points of the best path of every species now.
        total: [C] out, most points gained over all species together.
        own: [C] out, most points gained by the card's own species.
    """
    before = np.empty(num_species, np.int64)
    after = np.empty(num_species, np.int64)
    before_pure = np.empty(num_species, np.int64)
    after_pure = np.empty(num_species, np.int64)
    through = np.zeros(num_species, np.int64)
    leaf_done = np.zeros(num_species * num_ranks, np.uint8)
    for card in range(num_species * num_ranks):
        total[card] = 0
        own[card] = 0
    for i in range(m):
        ranks_around = 0  # bit r: a neighbour of rank r
        count = 0
        last = np.int64(-1)
        for neighbour in neighbours(legal[i], side):
            j = np.int64(at[neighbour]) - 1
            if j >= 0:
                ranks_around |= 1 << (cards[j] % num_ranks)
                count += 1
                last = j
        if count == 1:
            # All cells whose only neighbour is the same card are alike.
            if leaf_done[last]:
                continue
            leaf_done[last] = 1
        summed = 0
        through[:] = 0
        for rank in range(num_ranks):
            # The ways in change above a neighbour's rank, the ways on at it.
            if rank == 0 or (ranks_around >> (rank - 1)) & 3:
                approach(
                    legal[i], rank, cards, at, num_species, num_ranks, side, arrive, arrive_pure,
                    leave, leave_pure, before, before_pure, after, after_pure,
                )  # fmt: skip
                summed = 0
                if count > 1:  # a way in and a way on need two neighbours
                    for s in range(num_species):
                        through[s] = max(before[s] + 1 + after[s] - best[s], 0)
                        summed += through[s]
            for s in range(num_species):
                gain = 0
                if before[s] > 0 or after[s] > 0:
                    gain = max(
                        own_points(s, rank, num_ranks, before, before_pure, after, after_pure)
                        - best[s],
                        0,
                    )
                card = s * num_ranks + rank
                total[card] = max(total[card], summed - through[s] + gain)
                own[card] = max(own[card], gain)
