"""How the planner values hand cards, placements, discards and draws. All values are in points.

``H`` denotes the observer's rank sum of a species. What a hand is worth is looked up in tables over
H: the own stake times the chance of the right to score, minus what rivals may expect. A card is
worth what the hand loses without it.
"""

from typing import Any, NamedTuple

import numpy as np

from arboretum_env.compile import kernel
from arboretum_env.engine.memory import pointer
from arboretum_env.features.rights import SUMS, count_hidden, species_rights
from arboretum_env.observation import Place

_UNSEEN = int(Place.UNSEEN)
_OWN_HAND = int(Place.OWN_HAND)
_OWN_KNOWN = int(Place.OWN_KNOWN)
_RIVAL_HAND = int(Place.RIVAL_HAND)
_PILE = int(Place.PILE)
_ARBORETUM = int(Place.ARBORETUM)


class Sizes(NamedTuple):
    """Of the game, for kernels."""

    players: int
    num_species: int
    num_ranks: int
    hand_size: int
    deck_size: int
    cancel: bool
    everybody: bool


class Desk(NamedTuple):
    """Pointers to what is worked out about one view.

    Attributes:
        worth: [S, SUMS] what a hand with rank sum x is worth.
        right: [S, SUMS] the chance of the right to score with rank sum x.
        hand_sum: [S] H.
        cancelled: [S] chance that the own top rank is cancelled.
        stake: [P, S] what a species may bring a seat in the end.
        hold: [C] what each card is worth in hand, held already or not.
        offered: [C] what a discard of the card would give the rivals.
        planted: [P, S] cards planted.
        shed: [P, S] cards on the seat's own discard pile.
        tilts: [P] for ``features.rights``, of one species.
        rank_odds: [R] likewise, of every view.
        own, rival, memory, counts: for ``features.rights``.
    """

    worth: Any
    right: Any
    hand_sum: Any
    cancelled: Any
    stake: Any
    hold: Any
    offered: Any
    planted: Any
    shed: Any
    tilts: Any
    rank_odds: Any
    own: Any
    rival: Any
    memory: Any
    counts: Any


@kernel
def _stakes(seen, best, sizes, weights, left, desk):  # type: ignore[no-untyped-def]
    for i in range(sizes.players * sizes.num_species):
        desk.planted[i] = 0.0
        desk.shed[i] = 0.0
    for card in range(sizes.num_species * sizes.num_ranks):
        place, s = np.int64(seen[4 * card]), card // sizes.num_ranks
        if place >= _ARBORETUM:
            desk.planted[(place - _ARBORETUM) * sizes.num_species + s] += 1.0
        elif place >= _PILE:
            desk.shed[(place - _PILE) * sizes.num_species + s] += 1.0
    for k in range(sizes.players):
        grow = left * (weights.grow if k == 0 else weights.rival_grow)
        for s in range(sizes.num_species):
            i = k * sizes.num_species + s
            planted = desk.planted[i]
            desk.stake[i] = best[i] + grow * planted * (1.0 + weights.grow_more * (planted - 1.0))


@kernel
def _hand_worth(desk, species, num_ranks, total, has_top):  # type: ignore[no-untyped-def]
    """Worth of a hand whose rank sum of a species is ``total``, its top rank perhaps cancelled."""
    table = pointer(desk.worth, species * SUMS)
    if not has_top or desk.cancelled[species] == 0.0:
        return table[total]
    cancelled = desk.cancelled[species]
    return (1.0 - cancelled) * table[total] + cancelled * table[total - num_ranks]


@kernel
def _value_hands(seen, sizes, weights, left, logs, desk):  # type: ignore[no-untyped-def]
    """Fills ``worth``, ``right``, ``hand_sum`` and ``cancelled``."""
    hold = weights.hold * max(0.0, 1.0 + weights.hold_early * left)
    deny = weights.deny * max(0.0, 1.0 + weights.deny_early * left)
    num_cards = sizes.num_species * sizes.num_ranks
    unseen = count_hidden(seen, sizes.players, num_cards, sizes.hand_size, desk.counts)
    for s in range(sizes.num_species):
        for k in range(sizes.players):
            i = k * sizes.num_species + s
            desk.tilts[k] = weights.belief_planted * desk.planted[i]
            desk.tilts[k] -= weights.belief_shed * desk.shed[i]
        desk.hand_sum[s], desk.cancelled[s] = species_rights(
            seen, s, sizes.players, sizes.num_ranks, sizes.cancel, sizes.everybody, unseen,
            desk.tilts, desk.rank_odds, desk.counts, logs, desk.memory, desk.own, desk.rival,
        )  # fmt: skip
        for x in range(SUMS):
            worth = hold * desk.stake[s] * desk.own[x]
            for k in range(1, sizes.players):
                stake = desk.stake[k * sizes.num_species + s]
                worth -= deny * stake * desk.rival[k * SUMS + x]
            desk.worth[s * SUMS + x] = worth
            desk.right[s * SUMS + x] = desk.own[x]


@kernel
def _value_cards(seen, sizes, weights, desk):  # type: ignore[no-untyped-def]
    """Fills ``hold``: of a hand card what the hand loses without it, else what it gains with it."""
    num_ranks = sizes.num_ranks
    hidden_share = 0.0
    unseen = 0
    for card in range(sizes.num_species * num_ranks):
        unseen += seen[4 * card] == _UNSEEN
    for k in range(1, sizes.players):
        hidden_share += desk.counts[k] / max(unseen, 1)
    for s in range(sizes.num_species):
        top = s * num_ranks + num_ranks - 1
        top_place = np.int64(seen[4 * top])
        has_top = top_place in (_OWN_HAND, _OWN_KNOWN)
        total = np.int64(desk.hand_sum[s])
        now = _hand_worth(desk, s, num_ranks, total, has_top)
        unit = weights.hold_planted if desk.planted[s] > 0.0 else weights.hold_any
        for rank in range(num_ranks):
            card = s * num_ranks + rank
            place = np.int64(seen[4 * card])
            if place in (_OWN_HAND, _OWN_KNOWN):
                with_top = has_top and card != top
                value = now - _hand_worth(desk, s, num_ranks, total - rank - 1, with_top)
            else:
                with_top = has_top or card == top
                value = _hand_worth(desk, s, num_ranks, total + rank + 1, with_top) - now
            desk.hold[card] = value + unit * (rank + 1)
        # The 1 guards against the top rank in a rival's hand.
        threat = 0.0
        if sizes.cancel and top_place == _UNSEEN:
            threat = hidden_share
        elif sizes.cancel and _RIVAL_HAND < top_place < _PILE:
            threat = 1.0
        stakes = 0.0
        for k in range(sizes.players):
            stakes += desk.stake[k * sizes.num_species + s]
        desk.hold[s * num_ranks] += weights.guard * threat * stakes


@kernel
def _value_offers(gain, sizes, weights, desk):  # type: ignore[no-untyped-def]
    """Fills ``offered``: the most that any rival would make of each card."""
    num_cards = sizes.num_species * sizes.num_ranks
    for card in range(num_cards):
        s, rank = card // sizes.num_ranks, card % sizes.num_ranks
        most = 0.0
        for k in range(1, sizes.players):
            value = 1.0 * gain[k * num_cards + card]
            if desk.planted[k * sizes.num_species + s] > 0.0:
                value += weights.offer_hold * (rank + 1)
            most = max(most, value if k == 1 else weights.later * value)
        desk.offered[card] = most


@kernel
def appraise(seen, best, gain, sizes, weights, logs, desk):  # type: ignore[no-untyped-def]
    """Fills the desk for one view.

    Args:
        seen: [L] uint8, the observation of a seat that is to move.
        best: [P, S] points of the best paths now.
        gain: [P, C] most points that planting each card would add.
        sizes, weights: ``Sizes``, ``PlannerWeights``.
        logs: [81] ``LOG_FACTORIAL``.
        desk: filled.

    Returns:
        The share of the deck that is left.
    """
    left = seen[4 * sizes.num_species * sizes.num_ranks + 3] / sizes.deck_size
    _stakes(seen, best, sizes, weights, left, desk)
    _value_hands(seen, sizes, weights, left, logs, desk)
    _value_cards(seen, sizes, weights, desk)
    _value_offers(gain, sizes, weights, desk)
    return left


@kernel
def _trusted(desk, weights, left, species, total):  # type: ignore[no-untyped-def]
    """Share of a gain that counts with this rank sum left in hand."""
    chance = desk.right[species * SUMS + max(total, 0)]
    trust = min(1.0, weights.trust + weights.trust_early * left)
    return trust + (1.0 - trust) * chance


@kernel
def discard_cost(card, gain, left, weights, desk):  # type: ignore[no-untyped-def]
    """What letting go of a hand card costs."""
    kept = weights.keep * left * gain[card]
    return desk.hold[card] + kept + weights.offer * desk.offered[card]


@kernel
def placement_value(card, gained, shape, left, sizes, weights, desk):  # type: ignore[no-untyped-def]
    """What planting a hand card in a cell brings.

    Args:
        gained: [S] points added to the best path of each species.
        shape: (neighbours in order of the same species, cells that open up, ranks skipped, cards of
            the best ways in from and on to the own species, likewise any species).
    """
    own, rank = card // sizes.num_ranks, card % sizes.num_ranks
    value = -desk.hold[card]
    for s in range(sizes.num_species):
        if gained[s] > 0.0:
            total = np.int64(desk.hand_sum[s]) - (rank + 1 if s == own else 0)
            value += gained[s] * _trusted(desk, weights, left, s, total)
    same, opened, skipped, own_way, any_way = shape
    value += weights.same_species * same + weights.new_cells * opened - weights.gap * skipped
    return value + left * (weights.own_way * own_way + weights.any_way * any_way)


@kernel
def _drawn_value(card, gain, left, sizes, weights, desk):  # type: ignore[no-untyped-def]
    """What a card is worth that comes into the hand: planted or held."""
    s = card // sizes.num_ranks
    planted = gain[card] * _trusted(desk, weights, left, s, np.int64(desk.hand_sum[s]))
    held = desk.hold[card]
    return max(planted, held) + weights.spare * min(planted, held)


@kernel
def lead(sizes, desk):  # type: ignore[no-untyped-def]
    """Points that the observer may expect ahead of the best rival."""
    own = 0.0
    for s in range(sizes.num_species):
        own += desk.stake[s] * desk.right[s * SUMS + np.int64(desk.hand_sum[s])]
    best = 0.0
    for k in range(1, sizes.players):
        theirs = 0.0
        for s in range(sizes.num_species):
            theirs += desk.stake[k * sizes.num_species + s]
        best = max(best, theirs)
    return own - best / 2.0


@kernel
def value_draws(seen, gain, left, sizes, weights, desk, values):  # type: ignore[no-untyped-def]
    """Fills the values of the draws: action 0 is the deck, 1 + k the pile of seat k."""
    num_cards = sizes.num_species * sizes.num_ranks
    unseen, expected = 0, 0.0
    for card in range(num_cards):
        place = np.int64(seen[4 * card])
        if place == _UNSEEN:
            unseen += 1
            expected += _drawn_value(card, gain, left, sizes, weights, desk)
        elif _PILE <= place < _ARBORETUM and seen[4 * card + 1] == 0:
            value = _drawn_value(card, gain, left, sizes, weights, desk)
            values[1 + place - _PILE] = value + weights.take * desk.offered[card]
    if seen[4 * num_cards + 3] > 0:
        values[0] = expected / unseen + weights.deck + weights.tempo * lead(sizes, desk)
