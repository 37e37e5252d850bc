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
from arboretum_env.engine.layout import MAX_CARDS
from arboretum_env.engine.paths import (
    PURE_CARD,
    RANK_BITS,
    RANK_MASK,
    collect,
    neighbour_table,
    prefixes,
    suffixes,
)
from arboretum_env.features.board import (
    approach,
    approach_changes,
    legal_cells,
    own_points,
    ranks_around,
)
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
_OWN_ARBORETUM = 10


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
def _is_candidate(place, card, phase, chosen):  # type: ignore[no-untyped-def]
    return (place == 1 or place == 2) if phase == _PLAY else card == chosen


@kernel
def _count(observations, num_species, num_ranks, side, around, offsets):  # type: ignore[no-untyped-def]
    num_cards = num_species * num_ranks
    listed = np.empty(MAX_CARDS, np.int64)
    cells = np.empty(MAX_CARDS, np.int64)
    at = np.zeros(side * side, np.uint8)
    legal = np.empty(side * side, np.int64)
    offsets[0] = 0
    for b in range(observations.shape[0]):
        cards = observations[b, : 4 * num_cards].reshape(num_cards, 4)
        rest = observations[b, 4 * num_cards :]
        offsets[b + 1] = offsets[b]
        if rest[0] != 0 or (rest[2] != _PLAY and rest[2] != _PLACE):
            continue
        n = collect(
            cards[:, 0], cards[:, 2], cards[:, 3], _OWN_ARBORETUM,
            num_species, num_ranks, side, listed, cells, at,
        )  # fmt: skip
        m = legal_cells(n, cells, at, around, legal)
        for card in range(num_cards):
            if _is_candidate(cards[card, 0], card, rest[2], rest[5]):
                offsets[b + 1] += m


@kernel
def _shape_features(cell, species, rank, codes, at, num_ranks, around, legal_at, out):  # type: ignore[no-untyped-def]
    """Fills the features that only look at the four neighbours."""
    below = num_ranks
    above = num_ranks
    for d in range(4):
        neighbour = around[cell, d]
        j = np.int64(at[neighbour]) - 1
        if j < 0:
            out[4] += 0.25 * (legal_at[neighbour] == 0)
            continue
        out[3] += 0.25
        difference = (codes[j] & RANK_MASK) - rank
        same = codes[j] >> RANK_BITS == species
        if difference < 0:
            out[5] += 0.25
            out[7] += 0.25 * same
            below = min(below, -difference)
        elif difference > 0:
            out[6] += 0.25
            out[8] += 0.25 * same
            above = min(above, difference)
    out[9] = 0.125 * below if below < num_ranks else 0.0
    out[10] = 0.125 * above if above < num_ranks else 0.0


@kernel
def _fill(  # type: ignore[no-untyped-def]
    observations, num_species, num_ranks, side, around, offsets, out_card, out_cell, gain, features
):
    num_cards = num_species * num_ranks
    listed = np.empty(MAX_CARDS, np.int64)
    cells = np.empty(MAX_CARDS, np.int64)
    at = np.zeros(side * side, np.uint8)
    legal_at = np.zeros(side * side, np.uint8)
    legal = np.empty(side * side, np.int64)
    arrive = np.empty((MAX_CARDS, num_species), np.int64)
    leave = np.empty((MAX_CARDS, num_species), np.int64)
    arrive_pure = np.empty(MAX_CARDS, np.int64)
    leave_pure = np.empty(MAX_CARDS, np.int64)
    best = np.empty(num_species, np.int64)
    before = np.empty(num_species, np.int64)
    after = np.empty(num_species, np.int64)
    before_pure = np.empty(num_species, np.int64)
    after_pure = np.empty(num_species, np.int64)
    through = np.empty(num_species, np.int64)
    listed_at = np.empty(num_cards, np.int64)
    for b in range(observations.shape[0]):
        if offsets[b + 1] == offsets[b]:
            continue
        cards = observations[b, : 4 * num_cards].reshape(num_cards, 4)
        rest = observations[b, 4 * num_cards :]
        n = collect(
            cards[:, 0], cards[:, 2], cards[:, 3], _OWN_ARBORETUM,
            num_species, num_ranks, side, listed, cells, at,
        )  # fmt: skip
        prefixes(n, listed, cells, at, num_species, num_ranks, around, arrive, arrive_pure, best)
        suffixes(n, listed, cells, at, num_species, num_ranks, around, leave, leave_pure)
        m = legal_cells(n, cells, at, around, legal)
        for i in range(m):
            legal_at[legal[i]] = 1
        # Cards are listed in id order, each on all cells; the work is done cell by cell, since
        # cards of nearby ranks share the ways to and on from a cell.
        position = np.int64(0)
        for card in range(num_cards):
            listed_at[card] = -1
            if _is_candidate(cards[card, 0], card, rest[2], rest[5]):
                listed_at[card] = offsets[b] + position * m
                position += 1
        for i in range(m):
            bits, _, _ = ranks_around(legal[i], listed, at, around)
            any_before = np.int64(0)
            any_after = np.int64(0)
            for rank in range(num_ranks):
                if approach_changes(bits, rank):
                    approach(
                        legal[i], rank, listed, at, num_species, around,
                        arrive, arrive_pure, leave, leave_pure,
                        before, before_pure, after, after_pure,
                    )  # fmt: skip
                    any_before = np.int64(0)
                    any_after = np.int64(0)
                    for s in range(num_species):
                        through[s] = max(before[s] + 1 + after[s] - best[s], 0)
                        any_before = max(any_before, before[s])
                        any_after = max(any_after, after[s])
                for species in range(num_species):
                    card = species * num_ranks + rank
                    if listed_at[card] < 0:
                        continue
                    row = listed_at[card] + i
                    own = own_points(
                        species, rank, num_ranks, before, before_pure, after, after_pure
                    )
                    total = np.int64(0)
                    for s in range(num_species):
                        points = max(own - best[s], 0) if s == species else through[s]
                        gain[row, s] = points
                        total += points
                    out = features[row]
                    out[0] = 0.1 * total
                    out[1] = 0.1 * gain[row, species]
                    out[2] = 0.1 * own
                    _shape_features(
                        legal[i], species, rank, listed, at, num_ranks, around, legal_at, out
                    )
                    out[11] = 0.125 * max(before[species], 0)
                    out[12] = 0.125 * max(after[species], 0)
                    out[13] = 0.125 * any_before
                    out[14] = 0.125 * any_after
                    out[15] = 0.125 * (
                        before_pure[species] // PURE_CARD + 1 + after_pure[species] // PURE_CARD
                    )
                    out_card[row] = card
                    out_cell[row] = legal[i]
        for i in range(m):
            legal_at[legal[i]] = 0


def placements(views: PlayerViews) -> Placements:
    """Lists every placement open to the movers among ``views``.

    Views of idle seats and of other phases than PLAY and PLACE have none.
    """
    config = views.config
    sizes = (config.num_species, config.num_ranks, config.side, neighbour_table(config.side))
    offsets = np.zeros(len(views) + 1, np.int64)
    _count(views.observation, *sizes, offsets)
    total = int(offsets[-1])
    result = Placements(
        offsets=offsets,
        card=np.empty(total, np.int64),
        cell=np.empty(total, np.int64),
        gain=np.empty((total, config.num_species), np.float32),
        features=np.zeros((total, len(PLACEMENT_FEATURES)), np.float32),
    )
    _fill(
        views.observation, *sizes, offsets,
        result.card, result.cell, result.gain, result.features,
    )  # fmt: skip
    return result
