"""Best scoring paths (RULES.md, Scoring: path, points).

Ranks strictly increase along a path, so one pass over a board's cards in rank order finds, for
every card, the best way to arrive there from each species; a pass in falling order finds the best
way on from there. What a path is worth is a sum over its cards plus end bonuses, with one twist:
a path all of its own species is worth double from ``PURE_MINIMUM`` cards on. Hence two tables:

* ``any``: paths of any species in between. Value = cards + bonus, so the larger is the better.
* ``pure``: paths all of one species, kept as (cards, bonus), more cards first: a card is worth 2
  here, as much as the larger bonus, and counts towards the minimum as well.

A board is given as its cards in rank order, each as a code, species index * 16 + rank - 1, since
kernels split it far more often than they need the card id. ``n`` denotes its cards, ``S`` species,
``R`` ranks, ``W`` the side of the torus.
"""

from functools import lru_cache
from typing import Final

import numba as nb
import numpy as np
from numpy.typing import NDArray

MIN_CARDS: Final = 2  # the shortest path
PURE_MINIMUM: Final = 4  # cards from which a path all of its own species counts double
START_BONUS: Final = 1  # for a path that starts with a 1
END_BONUS: Final = 2  # for a path that ends with the top rank
ABSENT: Final = -100  # no such path; stays negative through any sum
RANK_BITS: Final = 4  # a card's code: species index << RANK_BITS | rank - 1
RANK_MASK: Final = 15
PURE_CARD: Final = 4  # ``pure`` tables hold PURE_CARD * cards + bonus


@nb.njit(cache=True, nogil=True)
def collect(place, x, y, target, num_species, num_ranks, side, codes, cells, at):  # type: ignore[no-untyped-def]
    """Lists the cards of one arboretum in rank order and where they stand.

    Args:
        place: [C] where each card is; those equal to ``target`` are on the board.
        x, y: [C] true coordinates.
        side: W, the torus side.
        codes, cells: [C] out, the codes and torus cells of the board's cards by rising rank.
        at: [W * W] out, position in that list + 1, or 0 for an empty cell.

    Returns:
        n, the number of cards on the board.
    """
    at[: side * side] = 0
    n = 0
    for rank in range(num_ranks):
        for species in range(num_species):
            card = species * num_ranks + rank
            if place[card] == target:
                column = np.int64(x[card])
                line = np.int64(y[card])
                if column < 0:  # a true coordinate is within one side of the torus
                    column += side
                if line < 0:
                    line += side
                cell = line * side + column
                codes[n] = species << RANK_BITS | rank
                cells[n] = cell
                n += 1
                at[cell] = n
    return n


@lru_cache(maxsize=64)
def neighbour_table(side: int) -> NDArray[np.int64]:
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
    )
    table.flags.writeable = False
    return table


@nb.njit(cache=True, nogil=True)
def prefixes(n, codes, cells, at, num_species, num_ranks, around, arrive, arrive_pure, best):  # type: ignore[no-untyped-def]
    """Best ways to arrive at every card, and the best path of every species.

    Args:
        n, codes, cells, at: the board, see ``collect``.
        around: [W * W, 4] ``neighbour_table``.
        arrive: [n, S] out, cards + start bonus of the best path from a card of species s to card
            i, both included; ``ABSENT`` if none.
        arrive_pure: [n] out, the same within the card's own species, as PURE_CARD * cards + bonus.
        best: [S] out, points of the best path of every species, rights aside; 0 if none.
    """
    for s in range(num_species):
        best[s] = 0
    for i in range(n):
        species = codes[i] >> RANK_BITS
        rank = codes[i] & RANK_MASK
        for s in range(num_species):
            arrive[i, s] = ABSENT
        start = START_BONUS if rank == 0 else 0
        arrive[i, species] = 1 + start
        arrive_pure[i] = PURE_CARD + start
        arrived = ABSENT
        for d in range(4):
            j = np.int64(at[around[cells[i], d]]) - 1
            if j < 0 or codes[j] & RANK_MASK >= rank:
                continue
            for s in range(num_species):
                if arrive[j, s] + 1 > arrive[i, s]:
                    arrive[i, s] = arrive[j, s] + 1
            if arrive[j, species] + 1 > arrived:
                arrived = arrive[j, species] + 1
            if codes[j] >> RANK_BITS == species and arrive_pure[j] + PURE_CARD > arrive_pure[i]:
                arrive_pure[i] = arrive_pure[j] + PURE_CARD
        end = END_BONUS if rank == num_ranks - 1 else 0
        if arrived >= MIN_CARDS and arrived + end > best[species]:
            best[species] = arrived + end
        pure = pure_points(arrive_pure[i] // PURE_CARD, arrive_pure[i] % PURE_CARD + end)
        if pure > best[species]:
            best[species] = pure


@nb.njit(cache=True, nogil=True, inline="always")
def pure_points(count, bonus):  # type: ignore[no-untyped-def]
    """Points of a path all of its own species if it is long enough to count double, else 0."""
    return 2 * count + bonus if count >= PURE_MINIMUM else 0


@nb.njit(cache=True, nogil=True)
def suffixes(n, codes, cells, at, num_species, num_ranks, around, leave, leave_pure):  # type: ignore[no-untyped-def]
    """Best ways on from every card: the mirror image of ``prefixes``.

    Args:
        n, codes, cells, at: the board, see ``collect``.
        around: [W * W, 4] ``neighbour_table``.
        leave: [n, S] out, cards + end bonus of the best path from card i to a card of species s.
        leave_pure: [n] out, the same within the card's own species, as PURE_CARD * cards + bonus.
    """
    for i in range(n - 1, -1, -1):
        species = codes[i] >> RANK_BITS
        rank = codes[i] & RANK_MASK
        for s in range(num_species):
            leave[i, s] = ABSENT
        end = END_BONUS if rank == num_ranks - 1 else 0
        leave[i, species] = 1 + end
        leave_pure[i] = PURE_CARD + end
        for d in range(4):
            j = np.int64(at[around[cells[i], d]]) - 1
            if j < 0 or codes[j] & RANK_MASK <= rank:
                continue
            for s in range(num_species):
                if leave[j, s] + 1 > leave[i, s]:
                    leave[i, s] = leave[j, s] + 1
            if codes[j] >> RANK_BITS == species and leave_pure[j] + PURE_CARD > leave_pure[i]:
                leave_pure[i] = leave_pure[j] + PURE_CARD
