"""Every placement that a view's seat could choose, with what it would gain.

In PLAY these are all hand cards on all legal cells, in PLACE the chosen card on all legal cells.
Placements of B views come as one flat list of ``M``, those of view ``b`` at
``offsets[b]:offsets[b + 1]``, so that nothing is padded.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.compile import kernel
from arboretum_env.engine.lanes import (
    WIDTH,
    add,
    clear,
    excess,
    largest_of,
    load,
    splat,
    store,
    total_of,
)
from arboretum_env.engine.layout import MAX_CARDS
from arboretum_env.engine.memory import pointer, row_pointer
from arboretum_env.engine.paths import PURE_SHIFT, RANK_BITS, RANK_MASK, neighbour_table
from arboretum_env.features.board import (
    approach,
    approach_changes,
    board_in,
    board_memory,
    list_cards,
    list_cells,
    own_points,
    ranks_around,
    read_board,
    through_points,
)
from arboretum_env.observation import Place
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerViews

PLACEMENT_FEATURES: Final[tuple[str, ...]] = (
    "total_gain",  # points over all species, tenths
    "own_gain",  # points of the card's own species, tenths
    "own_points",  # best path of the own species through the card, tenths
    "neighbours",  # of 4 cells next to it: planted
    "new_cells",  # of 4: empty and not yet legal, so the arboretum opens up there
    "lower",  # of 4: of lower rank
    "higher",  # of 4: of higher rank
    "same_lower",  # of 4: of lower rank and the same species
    "same_higher",  # of 4: of higher rank and the same species
    "gap_below",  # ranks to the nearest lower neighbour, eighths; 0 if none
    "gap_above",  # ranks to the nearest higher neighbour, eighths; 0 if none
    "own_before",  # cards + bonus of the best way in from the own species, eighths
    "own_after",  # cards + bonus of the best way on to the own species, eighths
    "any_before",  # the best way in from any species, eighths
    "any_after",  # the best way on to any species, eighths
    "pure_cards",  # cards of the longest path all of the own species through it, eighths
)

_PLAY = int(Phase.PLAY)
_PLACE = int(Phase.PLACE)
_OWN_HAND = int(Place.OWN_HAND)
_OWN_KNOWN = int(Place.OWN_KNOWN)


@dataclass(frozen=True)
class Placements:
    """The placements of B views.

    Attributes:
        offsets: [B + 1] int64, where each view's placements begin in the flat list.
        card: [M] int64 card ids.
        cell: [M] int64 torus cells.
        gain: [M, S] float32, points that the placement adds to the best path of each species.
        features: [M, 16] float32, see ``PLACEMENT_FEATURES``.
    """

    offsets: NDArray[np.int64]
    card: NDArray[np.int64]
    cell: NDArray[np.int64]
    gain: NDArray[np.float32]
    features: NDArray[np.float32]

    @property
    def counts(self) -> NDArray[np.int64]:
        """[B] placements of each view."""
        return np.diff(self.offsets)


@kernel
def _list_candidates(seen, num_species, num_ranks, positions):  # type: ignore[no-untyped-def]
    """Numbers the cards that may be planted by rising card id; returns how many there are.

    Args:
        seen: [L] uint8, an observation.
        positions: [C] uint8 out, the number + 1; 0 for a card that may not be planted.
    """
    num_cards = num_species * num_ranks
    rest = pointer(seen, 4 * num_cards)
    count = 0
    clear(positions, num_cards)
    if rest[0] == 0 and rest[2] == _PLACE and rest[5] < num_cards:
        positions[rest[5]] = 1
        return 1
    if rest[0] == 0 and rest[2] == _PLAY:
        for card in range(num_cards):
            if seen[4 * card] == _OWN_HAND or seen[4 * card] == _OWN_KNOWN:
                count += 1
                positions[card] = count
    return count


@kernel
def _count(  # type: ignore[no-untyped-def]
    observations, num_species, num_ranks, side, neighbours, memory, marks, offsets
):
    around, positions = row_pointer(neighbours, 0), row_pointer(marks, 0)
    board = board_in(memory, side)
    offsets[0] = 0
    for b in range(observations.shape[0]):
        seen = row_pointer(observations, b)
        candidates = _list_candidates(seen, num_species, num_ranks, positions)
        if candidates > 0:
            n = list_cards(seen, 0, num_species, num_ranks, side, board)
            candidates *= list_cells(n, around, board)
        offsets[b + 1] = offsets[b] + candidates


@kernel
def _around_cell(cell, around, board, legal_at, out):  # type: ignore[no-untyped-def]
    """Fills the features that depend on the cell alone."""
    planted, opened = 0, 0
    for d in range(4):
        neighbour = around[4 * np.int64(cell) + d]
        if board.at[neighbour] != 0:
            planted += 1
        elif legal_at[neighbour] == 0:
            opened += 1
    out[3] = 0.25 * planted
    out[4] = 0.25 * opened


@kernel
def _around_card(cell, species, rank, num_ranks, around, board, out):  # type: ignore[no-untyped-def]
    """Fills the features that compare the card with its neighbours."""
    lower, higher, same_lower, same_higher = 0, 0, 0, 0
    gap_below, gap_above = num_ranks, num_ranks
    for d in range(4):
        j = np.int64(board.at[around[4 * np.int64(cell) + d]]) - 1
        if j < 0:
            continue
        gap = np.int64(board.codes[j] & RANK_MASK) - rank
        same = np.int64(board.codes[j] >> RANK_BITS) == species
        if gap < 0:
            lower += 1
            same_lower += same
            gap_below = min(gap_below, -gap)
        elif gap > 0:
            higher += 1
            same_higher += same
            gap_above = min(gap_above, gap)
    out[5] = 0.25 * lower
    out[6] = 0.25 * higher
    out[7] = 0.25 * same_lower
    out[8] = 0.25 * same_higher
    out[9] = 0.125 * (gap_below if lower > 0 else 0)
    out[10] = 0.125 * (gap_above if higher > 0 else 0)


@kernel
def _fill(  # type: ignore[no-untyped-def]
    observations, num_species, num_ranks, side, neighbours, memory, marks, ways,
    offsets, out_card, out_cell, gain, features,
):  # fmt: skip
    around = row_pointer(neighbours, 0)
    positions = row_pointer(marks, 0)
    legal_at = pointer(positions, MAX_CARDS)
    before_at, after_at = row_pointer(ways, 0), row_pointer(ways, 1)
    through_at, pure_at = row_pointer(ways, 2), row_pointer(ways, 3)
    own_at, own_gain_at = row_pointer(ways, 4), row_pointer(ways, 5)
    board = board_in(memory, side)
    for b in range(observations.shape[0]):
        if offsets[b + 1] == offsets[b]:
            continue
        seen = row_pointer(observations, b)
        _list_candidates(seen, num_species, num_ranks, positions)
        m = read_board(seen, 0, num_species, num_ranks, side, around, board)
        now = load(board.best, 0)
        for i in range(m):
            legal_at[board.legal[i]] = 1
        # Cards are listed in id order, each on all cells; the work is done cell by cell, since
        # cards of nearby ranks share the ways to and on from a cell.
        before, after, before_pure, after_pure = splat(0), splat(0), splat(0), splat(0)
        any_before, any_after, all_through = 0, 0, 0
        for i in range(m):
            cell = board.legal[i]
            bits, _, _ = ranks_around(cell, around, board)
            for rank in range(num_ranks):
                if approach_changes(bits, rank):
                    before, after, before_pure, after_pure = approach(cell, rank, around, board)
                    through = excess(through_points(before, after), now)
                    store(before_at, 0, before)
                    store(after_at, 0, after)
                    store(through_at, 0, through)
                    any_before, any_after = largest_of(before), largest_of(after)
                    all_through = total_of(through)
                own = own_points(rank, num_ranks, before, before_pure, after, after_pure)
                store(own_at, 0, own)
                store(own_gain_at, 0, excess(own, now))
                store(pure_at, 0, add(before_pure, after_pure))
                for species in range(num_species):
                    card = species * num_ranks + rank
                    if positions[card] == 0:
                        continue
                    row = offsets[b] + (np.int64(positions[card]) - 1) * m + i
                    out_card[row], out_cell[row] = card, cell
                    gained, out = row_pointer(gain, row), row_pointer(features, row)
                    for s in range(num_species):
                        gained[s] = through_at[s]
                    own_gain = own_gain_at[species]
                    gained[species] = own_gain
                    total = all_through - through_at[species] + own_gain
                    out[0] = 0.1 * total
                    out[1] = 0.1 * own_gain
                    out[2] = 0.1 * own_at[species]
                    _around_cell(cell, around, board, legal_at, out)
                    _around_card(cell, species, rank, num_ranks, around, board, out)
                    out[11] = 0.125 * before_at[species]
                    out[12] = 0.125 * after_at[species]
                    out[13] = 0.125 * any_before
                    out[14] = 0.125 * any_after
                    out[15] = 0.125 * (1 + (pure_at[species] >> PURE_SHIFT))
        for i in range(m):
            legal_at[board.legal[i]] = 0


def placements(views: PlayerViews) -> Placements:
    """Lists every placement open to the movers among ``views``.

    Views of idle seats and of other phases than PLAY and PLACE have none.
    """
    config = views.config
    sizes = (config.num_species, config.num_ranks, config.side, neighbour_table(config.side))
    seen, memory = views.observation.view(np.uint8), board_memory(config.side)
    marks = np.zeros((1, MAX_CARDS + config.side**2), np.uint8)
    offsets = np.zeros(len(views) + 1, np.int64)
    _count(seen, *sizes, memory, marks, offsets)
    total = int(offsets[-1])
    result = Placements(
        offsets=offsets,
        card=np.empty(total, np.int64),
        cell=np.empty(total, np.int64),
        gain=np.empty((total, config.num_species), np.float32),
        features=np.empty((total, len(PLACEMENT_FEATURES)), np.float32),
    )
    _fill(
        seen, *sizes, memory, marks, np.empty((6, WIDTH), np.uint8), offsets,
        result.card, result.cell, result.gain, result.features,
    )  # fmt: skip
    return result
