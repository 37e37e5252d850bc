"""How safe a right to score is: its margin, and the single cards that would turn it over.

``B`` denotes games, ``P`` players, ``S`` species, ``R`` ranks. Unit of sums and margins: ranks.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.compile import kernel
from arboretum_env.engine.layout import MAX_CARDS
from arboretum_env.engine.scoring import rights, score
from arboretum_env.engine.state import GameState
from arboretum_training.research.hands import held_cards

NOBODY: Final = -1
"""In place of a seat: no hand."""


@dataclass(frozen=True)
class Margins:
    """How safe every right of B games is, had by the seat or not.

    A *turn-over* moves one card of the species: out of a hand, into a hand from an arboretum, pile
    or deck, or from hand to hand; and changes whether the seat has the right. The *minimal* one
    moves the lowest rank; of those with the same card, the one that takes it out of all hands, then
    that into the lowest seat's.

    Attributes:
        margin: [B, P, S] int64, the seat's sum less the largest of the others', cancelled top ranks
            counted 0: at least 0 where it has the right, 0 where it is shared.
        right: [B, P, S] bool.
        card: [B, P, S] int64, the card of the minimal turn-over; -1 where no single card does it.
        leaves: [B, P, S] int64, the seat whose hand it leaves, or ``NOBODY``.
        enters: [B, P, S] int64, the seat whose hand it enters, or ``NOBODY``.
        ways: [B, P, S] int64, how many different turn-overs there are.
    """

    margin: NDArray[np.int64]
    right: NDArray[np.bool_]
    card: NDArray[np.int64]
    leaves: NDArray[np.int64]
    enters: NDArray[np.int64]
    ways: NDArray[np.int64]


@kernel
def _holder(hands, players, rank):  # type: ignore[no-untyped-def]
    """The seat that holds a rank, or -1."""
    for p in range(players):
        if hands[p, rank]:
            return p
    return -1


@kernel
def _turn_overs(  # type: ignore[no-untyped-def]
    held, num_species, num_ranks, cancel, everybody, now, card, leaves, enters, ways
):
    """Tries every single-card move of every species.

    Args:
        held: [B, P, C] bool.
        cancel, everybody: the rule switches.
        now: [B, P, S] bool, the rights as they are.
        card, leaves, enters, ways: [B, P, S] out, see ``Margins``.
    """
    players = held.shape[1]
    hands = np.zeros((players, MAX_CARDS), np.uint8)  # of one species, by rank
    sums = np.zeros((players, 1), np.int64)
    right = np.zeros((players, 1), np.bool_)
    for b in range(held.shape[0]):
        for s in range(num_species):
            for p in range(players):
                for rank in range(num_ranks):
                    hands[p, rank] = held[b, p, s * num_ranks + rank]
            for rank in range(num_ranks):
                holder = _holder(hands, players, rank)
                for target in range(-1, players):
                    if target == holder:
                        continue
                    if holder >= 0:
                        hands[holder, rank] = 0
                    if target >= 0:
                        hands[target, rank] = 1
                    rights(hands, players, 1, num_ranks, cancel, everybody, sums, right)
                    for p in range(players):
                        if right[p, 0] != now[b, p, s]:
                            if ways[b, p, s] == 0:
                                card[b, p, s] = s * num_ranks + rank
                                leaves[b, p, s] = holder
                                enters[b, p, s] = target
                            ways[b, p, s] += 1
                    if target >= 0:
                        hands[target, rank] = 0
                    if holder >= 0:
                        hands[holder, rank] = 1


def margins(state: GameState) -> Margins:
    """The margin and the minimal turn-over of every seat's right to every species."""
    config, scores = state.config, score(state)
    sums = scores.hand_sum
    others = np.empty_like(sums)
    for p in range(config.num_players):
        others[:, p] = np.delete(sums, p, axis=1).max(axis=1)
    card, leaves, enters = (np.full(sums.shape, NOBODY, np.int64) for _ in range(3))
    ways = np.zeros(sums.shape, np.int64)
    _turn_overs(
        held_cards(state), config.num_species, config.num_ranks,
        config.cancel_eights, config.rights == "all", scores.right, card, leaves, enters, ways,
    )  # fmt: skip
    return Margins(sums - others, scores.right, card, leaves, enters, ways)
