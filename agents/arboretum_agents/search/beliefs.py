"""Sampled worlds and consistent deals, weighed by what a seat believes of rivals' hands.

``N`` denotes worlds, ``P`` players, ``C`` cards. Rivals are counted on from the seat.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from arboretum_env.compile import kernel
from arboretum_env.engine.layout import (
    DECK,
    DRAWN,
    IN_DECK,
    IN_HAND,
    MAX_CARDS,
    NUM_CARDS,
    NUM_PLAYERS,
    PLACE,
)
from arboretum_env.engine.memory import row_pointer
from arboretum_env.engine.state import GameState
from arboretum_env.seeding import GOLDEN, bounded, mix64
from arboretum_env.view import PlayerViews

Beliefs = Callable[[PlayerViews], NDArray[np.float64]]
"""[B, P - 1, C] log odds that each rival holds each card rather than nobody, up to a constant a
rival. What is said of cards whose place a seat sees means nothing."""


def alike(views: PlayerViews) -> NDArray[np.float64]:
    """Beliefs of somebody who thinks that every unseen card is as likely in a hand as another."""
    config = views.config
    return np.zeros((len(views), config.num_players - 1, config.num_cards))


@kernel
def _redeal(raw, seats, keys, log_odds, odds):  # type: ignore[no-untyped-def]
    hidden = np.empty(MAX_CARDS, np.int64)
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
            for i in range(n):
                # The largest of log odds + Gumbel noise: drawn one by one in proportion to odds.
                key += GOLDEN
                uniform = (np.float64(mix64(key) >> np.uint64(11)) + 0.5) * 2.0**-53
                card = hidden[i]
                odds[card] = log_odds[b, k - 1, card] - np.log(-np.log(uniform))
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
    log_odds: NDArray[np.float64],
) -> None:
    """Deals the cards that a seat cannot see anew, likely ones to hands.

    Args:
        worlds: N games in which ``seats`` are to move; mutated. Cards publicly known to be in a
            hand stay there.
        seats: [N] the observers.
        keys: [N] what the draw is keyed by.
        log_odds: [N, P - 1, C], see ``Beliefs``.
    """
    _redeal(worlds.raw, seats, keys, log_odds, np.empty(MAX_CARDS))


@kernel
def _hand_log_odds(raw, seat, odds, out):  # type: ignore[no-untyped-def]
    for b in range(raw.shape[0]):
        row = row_pointer(raw, b)
        players = np.int64(row[NUM_PLAYERS])
        out[b] = 0.0
        for rival in range(players):
            if rival != seat:
                k = (rival - seat) % players
                for card in range(np.int64(row[NUM_CARDS])):
                    if row[PLACE + card] == IN_HAND + rival:
                        out[b] += odds[k - 1, card]


def hand_log_odds(
    worlds: GameState, seat: int, log_odds: NDArray[np.float64]
) -> NDArray[np.float64]:
    """[N] log odds, up to a constant, of the rivals' hidden hands in worlds alike to a seat.

    Args:
        worlds: N games.
        seat: the observer.
        log_odds: [P - 1, C], see ``Beliefs``.
    """
    out = np.empty(len(worlds))
    _hand_log_odds(worlds.raw, seat, log_odds, out)
    return out
