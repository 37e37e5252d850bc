"""How likely each seat is to have the right to score, as one seat sees it.

Every card that the seat does not see is as likely to be in any hidden place: a rival's hidden hand
cards are a uniform sample of the unseen cards. Then the number of unseen cards of a species that a
rival holds is hypergeometric, and the distribution of its rank sum follows by counting the subsets
of each size and sum. A caller who thinks some cards likelier in a hand than others gives odds:
subsets then count by the product of their cards' odds, which makes the number of cards Fisher's
noncentral hypergeometric (Fog, Sampling methods for Wallenius' and Fisher's noncentral
hypergeometric distributions, 2008). With several rivals their sums are taken as independent, which
they are not quite, since they share the unseen cards. Rights are those that the hands of now would
give at the end (docs/rules.md, Scoring: rights).

Sums count from 0 to ``SUMS - 1``; those above 36, the sum of a whole species, cannot occur.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.cards import MAX_RANKS
from arboretum_env.compile import kernel
from arboretum_env.config import MAX_PLAYERS
from arboretum_env.engine.layout import MAX_CARDS
from arboretum_env.engine.memory import pointer, row_pointer
from arboretum_env.observation import Place
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerViews

SUMS: Final = 40

_DRAW_SECOND = int(Phase.DRAW_SECOND)
_PLAY = int(Phase.PLAY)
_PLACE = int(Phase.PLACE)
_DISCARD = int(Phase.DISCARD)
_OWN_HAND = int(Place.OWN_HAND)
_OWN_KNOWN = int(Place.OWN_KNOWN)
_RIVAL_HAND = int(Place.RIVAL_HAND)
_PILE = int(Place.PILE)

LOG_FACTORIAL: Final = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1.0, MAX_CARDS + 1)))])
"""[81] log n! for n up to the cards of the largest game."""


@dataclass(frozen=True)
class Rights:
    """Chances of the right to score; seats count from the observer.

    Attributes:
        hand_sum: [B, S] int64, the observer's rank sum of every species, nothing cancelled.
        own: [B, S, SUMS] float64, the observer's chance of the right if its sum were x.
        rival: [B, P, S, SUMS] float64, seat k's chance of the right if the observer's sum were x;
            zeros for the observer itself.
        top_cancelled: [B, S] float64, the chance that a rival's 1 cancels the observer's top rank,
            held or not.
    """

    hand_sum: NDArray[np.int64]
    own: NDArray[np.float64]
    rival: NDArray[np.float64]
    top_cancelled: NDArray[np.float64]


@kernel
def count_hidden(seen, players, num_cards, hand_size, hidden):  # type: ignore[no-untyped-def]
    """Counts the cards that a view does not show.

    Args:
        seen: [L] uint8, an observation.
        hidden: [P] int64 out, how many of each rival's hand cards are not publicly known.

    Returns:
        The unseen cards, in hands and deck.
    """
    unseen = 0
    for k in range(players):
        hidden[k] = hand_size
    mover = np.int64(seen[4 * num_cards])
    phase = np.int64(seen[4 * num_cards + 2])
    if phase in (_DRAW_SECOND, _DISCARD):
        hidden[mover] += 1
    elif phase in (_PLAY, _PLACE):
        hidden[mover] += 2
    for card in range(num_cards):
        place = np.int64(seen[4 * card])
        if place == 0:
            unseen += 1
        elif _RIVAL_HAND < place < _PILE:
            hidden[place - _RIVAL_HAND] -= 1
    return unseen


@kernel
def _count_subsets(values, odds, count, subsets):  # type: ignore[no-untyped-def]
    """[count + 1, SUMS] subsets of ``count`` values by size and sum, each counted by its odds.

    Returns:
        The largest sum.
    """
    for i in range((count + 1) * SUMS):
        subsets[i] = 0.0
    subsets[0] = 1.0
    most = 0
    for i in range(count):
        value, factor = values[i], odds[i]
        for size in range(i, -1, -1):
            for x in range(most + 1):
                subsets[(size + 1) * SUMS + x + value] += factor * subsets[size * SUMS + x]
        most += value
    return most


@kernel
def _chances_of_sums(  # type: ignore[no-untyped-def]
    subsets, count, most, unseen, hidden, tilt, logs, chances
):
    """[most + 1] chance of every rank sum of ``hidden`` cards out of the unseen ones."""
    for x in range(most + 1):
        chances[x] = 0.0
    others = unseen - count
    whole = logs[unseen] - logs[hidden] - logs[unseen - hidden]
    total = 0.0
    for size in range(max(0, hidden - others), min(count, hidden) + 1):
        rest = hidden - size
        chance = np.exp(logs[others] - logs[rest] - logs[others - rest] - whole + tilt * size)
        of_size = pointer(subsets, size * SUMS)
        for x in range(most + 1):
            chances[x] += chance * of_size[x]
            total += chance * of_size[x]
    for x in range(most + 1):
        chances[x] /= total


@kernel
def species_rights(  # type: ignore[no-untyped-def]
    seen, species, players, num_ranks, cancel, everybody, unseen, tilts, rank_odds, counts, logs,
    memory, own, rival,
):  # fmt: skip
    """Chances of the right to score one species.

    Args:
        seen: [L] uint8, an observation.
        cancel, everybody: the rule options.
        unseen: see ``count_hidden``.
        tilts: [P] float64, log odds that an unseen card of the species is in seat k's hand rather
            than elsewhere; zeros for none.
        rank_odds: [R] float64, odds of every rank, whoever holds it; ones for none.
        counts: [COUNTS_MEMORY] int64, the hidden cards of ``count_hidden`` first; scratch behind.
        logs: [81] float64, ``LOG_FACTORIAL``.
        memory: [RIGHTS_MEMORY] float64 scratch.
        own: [SUMS] float64 out, the observer's chance if its sum were x.
        rival: [P, SUMS] float64 out, seat k's chance if the observer's sum were x.

    Returns:
        (the observer's rank sum, nothing cancelled; the chance that its top rank is cancelled).
    """
    subsets = pointer(memory, 0)
    chances = pointer(subsets, (MAX_RANKS + 1) * SUMS)
    below = pointer(chances, SUMS)  # [P, SUMS] chance of a sum of at most x
    odds = pointer(below, MAX_PLAYERS * SUMS)  # of each unseen card
    known, values = pointer(counts, MAX_PLAYERS), pointer(counts, 2 * MAX_PLAYERS)
    hidden = pointer(counts, 0)
    first = species * num_ranks
    mine = _OWN_HAND <= seen[4 * first] <= _OWN_KNOWN and seen[4 * first] != 0
    for k in range(players):
        known[k] = 0
    count, hand_sum = 0, 0
    for rank in range(num_ranks):
        place = np.int64(seen[4 * (first + rank)])
        # The observer's own 1 cancels a rival's top rank.
        value = 0 if cancel and mine and rank == num_ranks - 1 else rank + 1
        if place == 0:
            values[count], odds[count] = value, rank_odds[rank]
            count += 1
        elif place <= _OWN_KNOWN:
            hand_sum += rank + 1
        elif place < _PILE:
            known[place - _RIVAL_HAND] += value
    ace = np.int64(seen[4 * first])
    cancelled = 0.0
    if cancel and _OWN_KNOWN < ace < _PILE:
        cancelled = 1.0
    elif cancel and ace == 0:
        for k in range(1, players):
            cancelled += hidden[k] / unseen

    most = _count_subsets(values, odds, count, subsets)
    for x in range(SUMS):
        own[x] = 1.0
        rival[x] = 0.0
    for k in range(1, players):
        if k == 1 or hidden[k] != hidden[k - 1] or tilts[k] != tilts[k - 1]:
            _chances_of_sums(
                subsets, count, most, unseen, np.int64(hidden[k]), tilts[k], logs, chances
            )
        of_k, below_k, known_k = pointer(rival, k * SUMS), pointer(below, k * SUMS), known[k]
        at_most = 0.0
        for x in range(SUMS):
            of_k[x] = chances[x - known_k] if known_k <= x <= known_k + most else 0.0
            at_most += of_k[x]
            below_k[x] = at_most
            own[x] *= at_most
    for k in range(1, players):
        # Seat k has the right if its sum is at least the observer's and the others'.
        of_k = pointer(rival, k * SUMS)
        for j in range(1, players):
            if j != k:
                below_j = pointer(below, j * SUMS)
                for x in range(SUMS):
                    of_k[x] *= below_j[x]
        chance = 0.0
        for x in range(SUMS - 1, -1, -1):
            chance += of_k[x]
            of_k[x] = chance
    if everybody:
        for x in range(SUMS):
            own[x] = 1.0
            for k in range(1, players):
                rival[k * SUMS + x] = 1.0
    return hand_sum, cancelled


RIGHTS_MEMORY: Final = (MAX_RANKS + 2 + MAX_PLAYERS) * SUMS + MAX_RANKS
COUNTS_MEMORY: Final = 2 * MAX_PLAYERS + MAX_RANKS


@kernel
def _rights(  # type: ignore[no-untyped-def]
    observations, players, num_species, num_ranks, hand_size, cancel, everybody, tilts, rank_odds,
    logs, memory, counts, hand_sum, own, rival, by_rival, top_cancelled,
):  # fmt: skip
    for b in range(observations.shape[0]):
        seen = row_pointer(observations, b)
        unseen = count_hidden(seen, players, num_species * num_ranks, hand_size, pointer(counts, 0))
        for s in range(num_species):
            hand_sum[b, s], top_cancelled[b, s] = species_rights(
                seen, s, players, num_ranks, cancel, everybody, unseen,
                row_pointer(tilts, b * num_species + s), pointer(rank_odds, 0),
                pointer(counts, 0), pointer(logs, 0), pointer(memory, 0),
                row_pointer(own, b * num_species + s), row_pointer(by_rival, 0),
            )  # fmt: skip
            for k in range(players):
                for x in range(SUMS):
                    rival[b, k, s, x] = by_rival[k, x]


def rights(
    views: PlayerViews,
    tilts: NDArray[np.float64] | None = None,
    rank_odds: NDArray[np.float64] | None = None,
) -> Rights:
    """Chances of the right to score, for the seats of views.

    Args:
        views: B views.
        tilts: [B, P, S] log odds that an unseen card of a species is in seat k's hand rather than
            elsewhere; those of the observer are not read. None: no card is likelier than another.
        rank_odds: [R] odds of every rank, likewise.
    """
    config, batch = views.config, len(views)
    result = Rights(
        hand_sum=np.empty((batch, config.num_species), np.int64),
        own=np.empty((batch, config.num_species, SUMS)),
        rival=np.empty((batch, config.num_players, config.num_species, SUMS)),
        top_cancelled=np.empty((batch, config.num_species)),
    )
    if tilts is None:
        tilts = np.zeros((batch, config.num_players, config.num_species))
    if rank_odds is None:
        rank_odds = np.ones(config.num_ranks)
    by_species = np.ascontiguousarray(np.swapaxes(tilts, 1, 2), np.float64)
    _rights(
        views.observation.view(np.uint8), config.num_players, config.num_species,
        config.num_ranks, config.hand_size, config.cancel_eights, config.rights == "all",
        by_species.reshape(batch * config.num_species, config.num_players),
        np.ascontiguousarray(rank_odds, np.float64), LOG_FACTORIAL,
        np.empty(RIGHTS_MEMORY), np.empty(COUNTS_MEMORY, np.int64), result.hand_sum,
        result.own.reshape(batch * config.num_species, SUMS), result.rival,
        np.empty((config.num_players, SUMS)), result.top_cancelled,
    )  # fmt: skip
    return result
