"""Best scoring paths (docs/rules.md, Scoring: path, points).

Ranks strictly increase along a path, so one pass over a board's cards in rank order finds, for
every card, the best way to arrive there from each species; a pass in falling order finds the best
way on from there. What a path is worth is a sum over its cards plus end bonuses, with one twist:
a path all of its own species is worth double from ``PURE_MINIMUM`` cards on. Hence two tables, with
sixteen bytes a card, one per species, and 0 where there is no such way:

* ``any``: paths of any species in between. Value = cards + bonus, so the larger is the better.
* ``pure``: paths all of one species, PURE_CARD * cards + bonus: more cards first. A card is worth
  2 here, as much as the larger bonus, and counts towards the minimum as well.

A board is given as its cards in rank order, each as a code, species index * 16 + rank - 1, since
kernels split it far more often than they need the card id. Kernels take pointers
(``arboretum_env.engine.memory``); ``n`` denotes a board's cards, ``S`` species, ``R`` ranks, ``W``
the side of the torus.
"""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.compile import kernel
from arboretum_env.engine.lanes import WIDTH, add, clear, equal, larger, load, splat, store, without

MIN_CARDS: Final = 2  # the shortest path
PURE_MINIMUM: Final = 4  # cards from which a path all of its own species counts double
START_BONUS: Final = 1  # for a path that starts with a 1
END_BONUS: Final = 2  # for a path that ends with the top rank
RANK_BITS: Final = 4  # a card's code: species index << RANK_BITS | rank - 1
RANK_MASK: Final = 15
PURE_SHIFT: Final = 2  # ``pure`` tables hold PURE_CARD * cards + bonus
PURE_CARD: Final = 1 << PURE_SHIFT  # above START_BONUS + END_BONUS


@kernel
def collect(  # type: ignore[no-untyped-def]
    place, x, y, stride, target, num_species, num_ranks, side, codes, cells, at
):
    """Lists the cards of one arboretum in rank order and where they stand.

    Args:
        place: [C] uint8 where each card is; those equal to ``target`` are on the board.
        x, y: [C] uint8, the bytes of the true coordinates as int8.
        stride: bytes from one card to the next in the three of them.
        side: W, the torus side.
        codes, cells: [C] uint8 and uint16 out, codes and torus cells of the board's cards by
            rising rank.
        at: [W * W] uint8 out, position in that list + 1, or 0 for an empty cell.

    Returns:
        n, the number of cards on the board.
    """
    clear(at, side * side)
    n = 0
    for rank in range(num_ranks):
        for species in range(num_species):
            card = (species * num_ranks + rank) * stride
            if place[card] == target:
                column = np.int64(np.int8(x[card]))
                line = np.int64(np.int8(y[card]))
                if column < 0:  # a true coordinate is within one side of the torus
                    column += side
                if line < 0:
                    line += side
                if not (0 <= column < side and 0 <= line < side):
                    continue  # no position of a game; it must not write elsewhere all the same
                cell = line * side + column
                codes[n] = species << RANK_BITS | rank
                cells[n] = cell
                n += 1
                at[cell] = n
    return n


@lru_cache(maxsize=64)
def neighbour_table(side: int) -> NDArray[np.uint16]:
    """[W * W, 4] the torus cells west, east, south and north of every cell; not to be changed."""
    line, column = np.divmod(np.arange(side * side), side)
    table = np.stack(
        [
            line * side + (column - 1) % side,
            line * side + (column + 1) % side,
            (line - 1) % side * side + column,
            (line + 1) % side * side + column,
        ],
        axis=1,
    ).astype(np.uint16)
    table.flags.writeable = False
    return table


@kernel
def _longer(ways):  # type: ignore[no-untyped-def]
    """One card more, where there is a way at all."""
    return without(add(ways, splat(1)), equal(ways, splat(0)))


@kernel
def prefixes(n, codes, cells, at, num_ranks, around, arrive, arrive_pure, best):  # type: ignore[no-untyped-def]
    """Best ways to arrive at every card, and the best path of every species.

    Args:
        n, codes, cells, at: the board, see ``collect``.
        around: [W * W, 4] ``neighbour_table``.
        arrive: [n, 16] uint8 out, cards + start bonus of the best path from a card of species s to
            card i, both included.
        arrive_pure: [n, 16] uint8 out, at the card's own species the same within that species, as
            PURE_CARD * cards + bonus.
        best: [16] uint8 out, points of the best path of every species, rights aside.
    """
    store(best, 0, splat(0))
    for i in range(n):
        species = np.int64(codes[i] >> RANK_BITS)
        rank = codes[i] & RANK_MASK
        ways = splat(0)
        pure = 0
        for d in range(4):
            j = np.int64(at[around[4 * np.int64(cells[i]) + d]]) - 1
            if j >= 0 and codes[j] & RANK_MASK < rank:
                ways = larger(ways, load(arrive, WIDTH * j))
                pure = max(pure, arrive_pure[WIDTH * j + species])
        store(arrive, WIDTH * i, _longer(ways))
        store(arrive_pure, WIDTH * i, splat(0))
        own = WIDTH * i + species
        start = START_BONUS if rank == 0 else 0
        end = END_BONUS if rank == num_ranks - 1 else 0
        arrived = arrive[own]
        pure = PURE_CARD + max(pure, start)
        arrive[own] = max(arrived, 1 + start)
        arrive_pure[own] = pure
        points = pure_points(pure + end)
        if arrived >= MIN_CARDS:
            points = max(points, arrived + end)
        best[species] = max(best[species], points)


@kernel(inline="always")
def pure_points(pure):  # type: ignore[no-untyped-def]
    """Points of a path all of its own species if it is long enough to count double, else 0.

    Args:
        pure: PURE_CARD * cards + bonus.
    """
    cards = pure >> PURE_SHIFT
    return 2 * cards + (pure & (PURE_CARD - 1)) if cards >= PURE_MINIMUM else 0


@kernel
def suffixes(n, codes, cells, at, num_ranks, around, leave, leave_pure):  # type: ignore[no-untyped-def]
    """Best ways on from every card: the mirror image of ``prefixes``.

    Args:
        n, codes, cells, at: the board, see ``collect``.
        around: [W * W, 4] ``neighbour_table``.
        leave: [n, 16] uint8 out, cards + end bonus of the best path from card i to a card of
            species s.
        leave_pure: [n, 16] uint8 out, at the card's own species the same within that species, as
            PURE_CARD * cards + bonus.
    """
    for i in range(n - 1, -1, -1):
        species = np.int64(codes[i] >> RANK_BITS)
        rank = codes[i] & RANK_MASK
        ways = splat(0)
        pure = 0
        for d in range(4):
            j = np.int64(at[around[4 * np.int64(cells[i]) + d]]) - 1
            if j >= 0 and codes[j] & RANK_MASK > rank:
                ways = larger(ways, load(leave, WIDTH * j))
                pure = max(pure, leave_pure[WIDTH * j + species])
        store(leave, WIDTH * i, _longer(ways))
        store(leave_pure, WIDTH * i, splat(0))
        own = WIDTH * i + species
        end = END_BONUS if rank == num_ranks - 1 else 0
        leave[own] = max(leave[own], 1 + end)
        leave_pure[own] = PURE_CARD + max(pure, end)
