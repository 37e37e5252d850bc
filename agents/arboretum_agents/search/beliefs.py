"""Which hidden cards rivals are likely to hold.

People and bots keep high cards, and cards of species that they plant, and not of species that they
discard. A world in which every unseen card may be in a rival's hand alike is therefore a world of
weak rivals. Here the log odds of a card being held rather than left in the deck are linear in

* 1, its rank / R, whether it is a 1, whether it is the top rank,
* how many cards of the species the rival has planted, has on its own pile, and the observer has
  planted,
* each of these times the share of the deck that is gone, and the last three times rank / R.

The weights were fitted by logistic regression to games of the planner against itself::

    python -m benchmarks.search_beliefs --players 2
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.compile import kernel
from arboretum_env.engine.layout import (
    DECK,
    DECK_LENGTH,
    DRAWN,
    IN_ARBORETUM,
    IN_DECK,
    IN_HAND,
    IN_PILE,
    MAX_CARDS,
    NUM_CARDS,
    NUM_PLAYERS,
    NUM_RANKS,
    PLACE,
)
from arboretum_env.engine.memory import pointer, row_pointer
from arboretum_env.engine.state import GameState
from arboretum_env.seeding import GOLDEN, bounded, mix64

FEATURES: Final = 17

UNIFORM: Final[NDArray[np.float64]] = np.zeros(FEATURES)
"""Every unseen card is as likely in a hand as in the deck."""

FITTED: Final[Mapping[int, NDArray[np.float64]]] = MappingProxyType(
    {
        2: np.array(
            (-0.20, 0.45, -0.03, -0.12, 0.40, -0.20, 0.81, -4.94, 5.66, -2.37, -1.13, 0.29, -0.91,
             0.04, -0.10, 0.77, -0.62)
        ),
        3: np.array(
            (-0.23, 0.61, -0.10, -0.16, 0.75, -0.35, 0.41, -2.88, 2.44, -0.55, -0.20, 0.40, -0.59,
             -0.20, -0.48, 0.85, -0.16)
        ),
        4: np.array(
            (-0.29, 0.76, -0.25, -0.17, 0.83, -0.35, 0.44, -2.44, 1.82, -0.67, -0.05, 0.57, -0.42,
             -0.23, -0.67, 0.77, -0.20)
        ),
    }
)  # fmt: skip
"""By number of players, in the order above."""


@kernel
def _count(row, place, out):  # type: ignore[no-untyped-def]
    """[S] how many cards of each species are in a place."""
    num_ranks = np.int64(row[NUM_RANKS])
    num_cards = np.int64(row[NUM_CARDS])
    for s in range(num_cards // num_ranks):
        out[s] = 0.0
    for card in range(num_cards):
        if row[PLACE + card] == place:
            out[card // num_ranks] += 1.0


@kernel
def log_odds(row, seat, rival, weights, counts, out):  # type: ignore[no-untyped-def]
    """[C] log odds, up to a constant, that a rival holds each card rather than not.

    Args:
        row: a game; only what ``seat`` can see of it matters.
        seat, rival: absolute seats.
        weights: [FEATURES].
        counts: [3, MAX_CARDS] float64 scratch.
    """
    num_ranks = np.int64(row[NUM_RANKS])
    planted, shed, mine = (
        pointer(counts, 0), pointer(counts, MAX_CARDS), pointer(counts, 2 * MAX_CARDS),
    )  # fmt: skip
    _count(row, IN_ARBORETUM + rival, planted)
    _count(row, IN_PILE + rival, shed)
    _count(row, IN_ARBORETUM + seat, mine)
    gone = np.int64(row[DRAWN]) / np.int64(row[DECK_LENGTH])
    for card in range(np.int64(row[NUM_CARDS])):
        s, rank = card // num_ranks, card % num_ranks
        share = (rank + 1) / num_ranks
        facts = (
            1.0, share, 1.0 if rank == 0 else 0.0, 1.0 if rank == num_ranks - 1 else 0.0,
            planted[s], shed[s], mine[s],
        )  # fmt: skip
        total = 0.0
        for i in range(7):
            total += facts[i] * (weights[i] + gone * weights[7 + i])
        for i in range(3):
            total += facts[4 + i] * share * weights[14 + i]
        out[card] = total


@kernel
def _redeal(raw, seats, keys, weights, scratch):  # type: ignore[no-untyped-def]
    hidden = np.empty(MAX_CARDS, np.int64)
    counts, odds = row_pointer(scratch, 0), row_pointer(scratch, 3)
    for b in range(raw.shape[0]):
        row = row_pointer(raw, b)
        num_cards, players = np.int64(row[NUM_CARDS]), np.int64(row[NUM_PLAYERS])
        seat, key = np.int64(seats[b]), keys[b]
        n = 0
        slots = np.zeros(4, np.int64)
        for card in range(num_cards):
            place = np.int64(row[PLACE + card])
            held = IN_HAND <= place < IN_HAND + players and place != IN_HAND + seat
            if held:
                slots[place - IN_HAND] += 1
            if held or place == IN_DECK:
                hidden[n] = card
                n += 1
        # Cards drawn before have left a place in the deck, but no card.
        for k in range(1, players):
            rival = (seat + k) % players
            if slots[rival] == 0:
                continue
            log_odds(row, seat, rival, pointer(weights, 0), counts, odds)
            for i in range(n):
                # The largest of log odds + Gumbel noise: drawn one by one in proportion to odds.
                key += GOLDEN
                uniform = (np.float64(mix64(key) >> np.uint64(11)) + 0.5) * 2.0**-53
                odds[hidden[i]] -= np.log(-np.log(uniform))
            for _ in range(slots[rival]):
                best = 0
                for i in range(1, n):
                    if odds[hidden[i]] > odds[hidden[best]]:
                        best = i
                row[PLACE + hidden[best]] = IN_HAND + rival
                n -= 1
                hidden[best] = hidden[n]
        for i in range(n - 1, 0, -1):
            key += GOLDEN
            j = bounded(mix64(key), i + 1)
            hidden[i], hidden[j] = hidden[j], hidden[i]
        for i in range(n):
            row[PLACE + hidden[i]] = IN_DECK
            row[DECK + np.int64(row[DRAWN]) + i] = hidden[i]


def redeal(
    worlds: GameState,
    seats: NDArray[np.int64],
    keys: NDArray[np.uint64],
    weights: NDArray[np.float64],
) -> None:
    """Deals the cards that a seat cannot see anew, likely ones to hands.

    Args:
        worlds: N games in which ``seats`` are to move; mutated. Cards publicly known to be in a
            hand stay there.
        seats: [N] the observers.
        keys: [N] what the draw is keyed by.
        weights: [FEATURES] log odds, see the module.
    """
    _redeal(worlds.raw, seats, keys, weights, np.empty((4, MAX_CARDS)))


@kernel
def _hand_log_odds(raw, seat, weights, scratch, out):  # type: ignore[no-untyped-def]
    counts, odds = row_pointer(scratch, 0), row_pointer(scratch, 3)
    for b in range(raw.shape[0]):
        row = row_pointer(raw, b)
        out[b] = 0.0
        for rival in range(np.int64(row[NUM_PLAYERS])):
            if rival != seat:
                log_odds(row, seat, rival, pointer(weights, 0), counts, odds)
                for card in range(np.int64(row[NUM_CARDS])):
                    if row[PLACE + card] == IN_HAND + rival:
                        out[b] += odds[card]


def hand_log_odds(
    worlds: GameState, seat: int, weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """[N] log odds, up to a constant, of the rivals' hidden hands in worlds alike to a seat."""
    out = np.empty(len(worlds))
    _hand_log_odds(worlds.raw, seat, weights, np.empty((4, MAX_CARDS)), out)
    return out
