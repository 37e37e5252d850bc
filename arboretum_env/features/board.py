"""What planting a card would gain, for every card and every legal cell of one arboretum.

Through an empty cell, a path of any species other than the new card's needs a way in over a lower
neighbour and a way on over a higher one, whatever the new card's species. So one look at a cell's
neighbours a rank (``approach``) serves all species, and the new card's own species adds the paths
that start or end with it.

``n`` denotes the cards of the board, ``m`` its legal cells, ``S`` species, ``R`` ranks, ``W`` side.
"""

import numpy as np

from arboretum_env.compile import kernel
from arboretum_env.engine.paths import (
    ABSENT,
    END_BONUS,
    PURE_CARD,
    RANK_BITS,
    RANK_MASK,
    START_BONUS,
    pure_points,
)


@kernel
def legal_cells(n, cells, at, around, out):  # type: ignore[no-untyped-def]
    """Lists the cells where the next card may be planted.

    Args:
        n, cells, at, around: the board, see ``engine.paths.collect``; ``at`` is used as scratch and
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
        for d in range(4):
            cell = around[cells[i], d]
            if at[cell] == 0:
                at[cell] = 255
                out[m] = cell
                m += 1
    for i in range(m):
        at[out[i]] = 0
    return m


@kernel
def approach(  # type: ignore[no-untyped-def]
    cell, rank, codes, at, num_species, around,
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
    for d in range(4):
        j = np.int64(at[around[cell, d]]) - 1
        if j < 0:
            continue
        other = codes[j] & RANK_MASK
        species = codes[j] >> RANK_BITS
        if other < rank:
            for s in range(num_species):
                before[s] = max(before[s], arrive[j, s])
            before_pure[species] = max(before_pure[species], arrive_pure[j])
        elif other > rank:
            for s in range(num_species):
                after[s] = max(after[s], leave[j, s])
            after_pure[species] = max(after_pure[species], leave_pure[j])


@kernel
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


@kernel(inline="always")
def ranks_around(cell, codes, at, around):  # type: ignore[no-untyped-def]
    """(bit r: a neighbour of rank r + 1; how many neighbours; the last one's list position)."""
    bits = np.int64(0)
    count = np.int64(0)
    last = np.int64(-1)
    for d in range(4):
        j = np.int64(at[around[cell, d]]) - 1
        if j >= 0:
            bits |= 1 << (codes[j] & RANK_MASK)
            count += 1
            last = j
    return bits, count, last


@kernel(inline="always")
def approach_changes(bits, rank):  # type: ignore[no-untyped-def]
    """Whether ``approach`` differs from the rank before.

    The ways in change above a neighbour's rank, the ways on at it.
    """
    return rank == 0 or (bits >> (rank - 1)) & 3 != 0


@kernel
def best_gains(  # type: ignore[no-untyped-def]
    m, legal, codes, at, num_species, num_ranks, around,
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
    gain = np.zeros(num_species, np.int64)
    leaf_done = np.zeros(num_species * num_ranks, np.uint8)
    for card in range(num_species * num_ranks):
        total[card] = 0
        own[card] = 0
    for i in range(m):
        bits, count, last = ranks_around(legal[i], codes, at, around)
        if count == 1:
            # All cells whose only neighbour is the same card are alike.
            if leaf_done[last]:
                continue
            leaf_done[last] = 1
        summed = np.int64(0)
        through[:] = 0
        for rank in range(num_ranks):
            changed = approach_changes(bits, rank)
            if changed:
                approach(
                    legal[i], rank, codes, at, num_species, around, arrive, arrive_pure,
                    leave, leave_pure, before, before_pure, after, after_pure,
                )  # fmt: skip
                summed = np.int64(0)
                if count > 1:  # a way in and a way on need two neighbours
                    for s in range(num_species):
                        through[s] = max(before[s] + 1 + after[s] - best[s], 0)
                        summed += through[s]
            # The first and the last rank have a bonus of their own.
            if changed or rank == 1 or rank == num_ranks - 1:
                for s in range(num_species):
                    gain[s] = 0
                    if before[s] > 0 or after[s] > 0:
                        points = own_points(
                            s, rank, num_ranks, before, before_pure, after, after_pure
                        )
                        gain[s] = max(points - best[s], 0)
            for s in range(num_species):
                card = s * num_ranks + rank
                total[card] = max(total[card], summed - through[s] + gain[s])
                own[card] = max(own[card], gain[s])
