"""What planting a card would gain, for every card and every legal cell of one arboretum.

Through an empty cell, a path of any species other than the new card's needs a way in over a lower
neighbour and a way on over a higher one, whatever the new card's species. So one look at a cell's
neighbours a rank (``approach``) serves all species at once, in the lanes of a vector, and the new
card's own species adds the paths that start or end with it.

``n`` denotes the cards of the board, ``m`` its legal cells, ``S`` species, ``R`` ranks, ``W`` side.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arboretum_env.compile import kernel
from arboretum_env.engine.lanes import (
    WIDTH,
    above,
    add,
    both,
    clear,
    equal,
    excess,
    larger,
    load,
    shift_right,
    splat,
    store,
    subtract,
    total_of,
    without,
)
from arboretum_env.engine.layout import MAX_CARDS
from arboretum_env.engine.memory import pointer
from arboretum_env.engine.paths import (
    END_BONUS,
    PURE_CARD,
    PURE_MINIMUM,
    PURE_SHIFT,
    RANK_MASK,
    START_BONUS,
    collect,
    prefixes,
    suffixes,
)
from arboretum_env.observation import Place

_ARBORETUM: Final = int(Place.ARBORETUM)


class Board(NamedTuple):
    """Pointers to what is known about one arboretum, within compiled code.

    Attributes:
        codes, cells, at: the planted cards, see ``engine.paths.collect``.
        arrive, arrive_pure, leave, leave_pure, best: see ``engine.paths``.
        legal: [W * W] uint16, the torus cells where the next card may be planted.
        seen: [C] uint8, all zero between two uses.
    """

    codes: Any
    cells: Any
    at: Any
    arrive: Any
    arrive_pure: Any
    leave: Any
    leave_pure: Any
    best: Any
    legal: Any
    seen: Any


def board_memory(side: int) -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
    """What ``board_in`` needs: bytes, all zero, and cells."""
    size = 4 * WIDTH * MAX_CARDS + 2 * MAX_CARDS + WIDTH + side * side
    return np.zeros(size, np.uint8), np.empty(2 * side * side, np.uint16)


@kernel
def board_in(memory, side):  # type: ignore[no-untyped-def]
    """A ``Board`` within the memory of ``board_memory``."""
    table = WIDTH * MAX_CARDS
    rest = 4 * table
    memory_bytes, memory_cells = memory
    return Board(
        codes=pointer(memory_bytes, rest),
        cells=pointer(memory_cells, 0),
        at=pointer(memory_bytes, rest + 2 * MAX_CARDS + WIDTH),
        arrive=pointer(memory_bytes, 0),
        arrive_pure=pointer(memory_bytes, table),
        leave=pointer(memory_bytes, 2 * table),
        leave_pure=pointer(memory_bytes, 3 * table),
        best=pointer(memory_bytes, rest + 2 * MAX_CARDS),
        legal=pointer(memory_cells, side * side),
        seen=pointer(memory_bytes, rest + MAX_CARDS),
    )


@kernel
def read_board(cards, k, num_species, num_ranks, side, around, board):  # type: ignore[no-untyped-def]
    """Reads one arboretum from an observation: its cards, ways, best paths and legal cells.

    Args:
        cards: [C, 4] uint8, the observation's card table.
        k: whose arboretum, counted from the observer.
        around: [W * W, 4] ``engine.paths.neighbour_table``.
        board: filled.

    Returns:
        m, how many legal cells there are; at least 1, the origin of an empty board.
    """
    n = list_cards(cards, k, num_species, num_ranks, side, board)
    prefixes(
        n, board.codes, board.cells, board.at, num_ranks, around,
        board.arrive, board.arrive_pure, board.best,
    )  # fmt: skip
    suffixes(
        n, board.codes, board.cells, board.at, num_ranks, around, board.leave, board.leave_pure
    )
    return list_cells(n, around, board)


@kernel
def list_cards(cards, k, num_species, num_ranks, side, board):  # type: ignore[no-untyped-def]
    """Fills ``codes``, ``cells`` and ``at`` of the board; returns n."""
    return collect(
        cards, pointer(cards, 2), pointer(cards, 3), 4, _ARBORETUM + k,
        num_species, num_ranks, side, board.codes, board.cells, board.at,
    )  # fmt: skip


@kernel
def list_cells(n, around, board):  # type: ignore[no-untyped-def]
    """Fills ``legal`` of the board, in the order in which its cards reach the cells; returns m."""
    if n == 0:
        board.legal[0] = 0
        return 1
    m = 0
    for i in range(n):
        for d in range(4):
            cell = around[4 * np.int64(board.cells[i]) + d]
            if board.at[cell] == 0:
                board.at[cell] = 255
                board.legal[m] = cell
                m += 1
    for i in range(m):
        board.at[board.legal[i]] = 0
    return m


@kernel(inline="always")
def approach(cell, rank, around, board):  # type: ignore[no-untyped-def]
    """Best ways to and on from a card of ``rank`` in an empty cell, the card itself not counted.

    Returns:
        Four ``Lanes`` by species s, 0 where there is no such way: cards + bonus from a card of
        species s to a lower neighbour; from a higher neighbour to a card of species s; and both all
        of species s, as PURE_CARD * cards + bonus.
    """
    before = splat(0)
    after = splat(0)
    before_pure = splat(0)
    after_pure = splat(0)
    for d in range(4):
        j = np.int64(board.at[around[4 * np.int64(cell) + d]]) - 1
        if j < 0:
            continue
        other = np.int64(board.codes[j] & RANK_MASK)
        if other < rank:
            before = larger(before, load(board.arrive, WIDTH * j))
            before_pure = larger(before_pure, load(board.arrive_pure, WIDTH * j))
        elif other > rank:
            after = larger(after, load(board.leave, WIDTH * j))
            after_pure = larger(after_pure, load(board.leave_pure, WIDTH * j))
    return before, after, before_pure, after_pure


@kernel(inline="always")
def through_points(before, after):  # type: ignore[no-untyped-def]
    """Points of the best path of each species through a card of another; 0 if there is none."""
    broken = larger(equal(before, splat(0)), equal(after, splat(0)))
    return without(add(add(before, after), splat(1)), broken)


@kernel(inline="always")
def own_points(rank, num_ranks, before, before_pure, after, after_pure):  # type: ignore[no-untyped-def]
    """Points of the best path through a card of each species that is its own; 0 if none."""
    start = splat(START_BONUS if rank == 0 else 0)
    end = splat(END_BONUS if rank == num_ranks - 1 else 0)
    mixed = add(add(larger(before, start), larger(after, end)), splat(1))
    mixed = both(mixed, above(larger(before, after), splat(0)))
    pure = add(add(before_pure, after_pure), add(add(start, end), splat(PURE_CARD)))
    cards = shift_right(pure, splat(PURE_SHIFT))
    double = add(add(cards, cards), both(pure, splat(PURE_CARD - 1)))
    return larger(mixed, both(double, above(cards, splat(PURE_MINIMUM - 1))))


@kernel(inline="always")
def ranks_around(cell, around, board):  # type: ignore[no-untyped-def]
    """(bit r: a neighbour of rank r + 1; how many neighbours; the last one's list position)."""
    bits = np.int64(0)
    count = np.int64(0)
    last = np.int64(-1)
    for d in range(4):
        j = np.int64(board.at[around[4 * np.int64(cell) + d]]) - 1
        if j >= 0:
            bits |= 1 << np.int64(board.codes[j] & RANK_MASK)
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
def best_gains(m, num_ranks, around, board, total, own):  # type: ignore[no-untyped-def]
    """Most points that planting each card would add to this board, over all its m legal cells.

    Args:
        board: as ``read_board`` filled it.
        total: [R, 16] uint8 out, most points gained over all species together by a card of each
            rank and species.
        own: [R, 16] uint8 out, most points gained by the card's own species.
    """
    now = load(board.best, 0)
    for rank in range(num_ranks):
        store(total, WIDTH * rank, splat(0))
        store(own, WIDTH * rank, splat(0))
    before, after, before_pure, after_pure = splat(0), splat(0), splat(0), splat(0)
    gain, others = splat(0), splat(0)
    for i in range(m):
        bits, count, last = ranks_around(board.legal[i], around, board)
        if count == 1:
            # All cells whose only neighbour is the same card are alike.
            if board.seen[last] != 0:
                continue
            board.seen[last] = 1
        for rank in range(num_ranks):
            changed = approach_changes(bits, rank)
            if changed:
                before, after, before_pure, after_pure = approach(
                    board.legal[i], rank, around, board
                )
                others = splat(0)
                if count > 1:  # a way in and a way on need two neighbours
                    through = excess(through_points(before, after), now)
                    others = subtract(splat(total_of(through)), through)
            # The first and the last rank have a bonus of their own.
            if changed or rank == 1 or rank == num_ranks - 1:
                points = own_points(rank, num_ranks, before, before_pure, after, after_pure)
                gain = excess(points, now)
            at_rank = WIDTH * rank
            store(total, at_rank, larger(load(total, at_rank), add(others, gain)))
            store(own, at_rank, larger(load(own, at_rank), gain))
    clear(board.seen, MAX_CARDS)
