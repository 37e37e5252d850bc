"""From views to the network's inputs.

Each species is described by the same numbers in the same order, so that one set of weights serves
all of them (docs/learning.md): per card where it is and what it would gain, per species the sums
that decide rights. What belongs to no species are the scalars. All numbers are of the order of 1.

``Fc`` denotes features of a card, ``Fs`` of a species beside its cards, ``G`` scalars.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.compile import kernel
from arboretum_env.config import GameConfig
from arboretum_env.features.outlook import outlook
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerViews

_DISCARD: Final = int(Phase.DISCARD)
_PLAY: Final = int(Phase.PLAY)
_PLACE: Final = int(Phase.PLACE)
_HEADS: Final = 4  # one-hot of the decision: first draw, second draw, plant, discard


@dataclass(frozen=True)
class EncodedViews:
    """Network inputs of B views.

    Attributes:
        species: [B, S, R * Fc + Fs] float32.
        scalars: [B, G] float32.
    """

    species: NDArray[np.float32]
    scalars: NDArray[np.float32]


def card_features(config: GameConfig) -> int:
    """Fc: 3 own places, then rivals' known hands, pile tops, buried, arboreta, and gains."""
    return 5 * config.num_players + 3


def species_features(config: GameConfig) -> int:
    """R * Fc + Fs."""
    return config.num_ranks * card_features(config) + 4 * config.num_players + 2


def scalar_features(config: GameConfig) -> int:
    """G."""
    return _HEADS + 4 + 3 * config.num_players


@kernel
def _encode_cards(cards, players, num_ranks, first, total_gain, own_gain, out):  # type: ignore[no-untyped-def]
    """Fills the cards of one species, whose first card id is ``first``."""
    width = 5 * players + 3
    for rank in range(num_ranks):
        card = first + rank
        place = np.int64(cards[card, 0])
        at = rank * width
        if place < 3:  # unseen, own hand, own hand and known
            out[at + place] = 1.0
        elif place < 6:
            out[at + place] = 1.0  # known in the hand of rival 1, 2, 3: after the three own places
        elif place < 10:
            start = at + players + 2
            out[start + (place - 6) + (0 if cards[card, 1] == 0 else players)] = 1.0
        else:
            out[at + 3 * players + 2 + place - 10] = 1.0
        gains = at + 4 * players + 2
        out[gains] = 0.2 * own_gain[0, card]
        for k in range(players):
            out[gains + 1 + k] = 0.2 * total_gain[k, card]


@kernel
def _encode_sums(cards, players, num_ranks, first, best, hidden_share, out):  # type: ignore[no-untyped-def]
    """Fills what decides the right to score one species, from ``out[0]`` on."""
    own_sum, own_count, unseen_sum, unseen_count = 0, 0, 0, 0
    for rank in range(num_ranks):
        place = np.int64(cards[first + rank, 0])
        if place == 0:
            unseen_sum += rank + 1
            unseen_count += 1
        elif place < 3:
            own_sum += rank + 1
            own_count += 1
        elif place < 6:
            out[4 + 2 * players + place - 3] += 0.1 * (rank + 1)
        elif place >= 10:
            out[4 + players + place - 10] += 0.125
    out[0] = 0.1 * own_sum
    out[1] = 0.25 * own_count
    out[2] = 0.05 * unseen_sum
    out[3] = 0.125 * unseen_count
    for k in range(players):
        out[4 + k] = 0.1 * best[k, first // num_ranks]
    for k in range(1, players):
        # What the rival is expected to hold: what is known, and its share of the unseen.
        known = out[4 + 2 * players + k - 1]
        out[3 + 3 * players + k - 1] = known + 0.1 * unseen_sum * hidden_share[k]


@kernel
def _encode(  # type: ignore[no-untyped-def]
    observations, players, num_species, num_ranks, hand_size, deck_size, max_plants,
    best, total_gain, own_gain, species, scalars,
):  # fmt: skip
    num_cards = num_species * num_ranks
    width = num_ranks * (5 * players + 3)
    hidden_share = np.zeros(players, np.float64)
    known = np.zeros(players, np.int64)
    planted = np.zeros(players, np.int64)
    for b in range(observations.shape[0]):
        cards = observations[b, : 4 * num_cards].reshape(num_cards, 4)
        rest = observations[b, 4 * num_cards :]
        known[:] = 0
        planted[:] = 0
        unseen = 0
        for card in range(num_cards):
            place = np.int64(cards[card, 0])
            if place == 0:
                unseen += 1
            elif 3 <= place < 6:
                known[place - 2] += 1
            elif place >= 10:
                planted[place - 10] += 1
        for k in range(players):
            hidden_share[k] = (hand_size - known[k]) / max(unseen, 1)
        for s in range(num_species):
            _encode_cards(
                cards, players, num_ranks, s * num_ranks, total_gain[b], own_gain[b], species[b, s]
            )
            _encode_sums(
                cards, players, num_ranks, s * num_ranks, best[b], hidden_share,
                species[b, s, width:],
            )  # fmt: skip
        out = scalars[b]
        phase = np.int64(rest[2])
        # PLACE is the second half of the joint decision made in PLAY: the same inputs.
        head = 3 if phase == _DISCARD else min(phase, _PLAY)
        out[head] = 1.0
        out[4] = rest[3] / deck_size
        out[5] = rest[3] <= 2
        out[6] = rest[3] <= 2 * players
        out[7] = 0.1 * (rest[4] // players)
        out[8 + np.int64(rest[1])] = 1.0
        for k in range(players):
            out[8 + players + k] = 0.03 * best[b, k].sum()
            out[8 + 2 * players + k] = planted[k] / max_plants


def encode(views: PlayerViews) -> EncodedViews:
    """Network inputs of all ``views``, movers and idle seats alike."""
    config = views.config
    batch = len(views)
    standing = outlook(views)
    encoded = EncodedViews(
        species=np.zeros((batch, config.num_species, species_features(config)), np.float32),
        scalars=np.zeros((batch, scalar_features(config)), np.float32),
    )
    _encode(
        views.observation, config.num_players, config.num_species, config.num_ranks,
        config.hand_size, config.deck_size, config.max_plants,
        standing.best, standing.total_gain, standing.own_gain, encoded.species, encoded.scalars,
    )  # fmt: skip
    return encoded


def pile_tops(views: PlayerViews) -> NDArray[np.int64]:
    """[B, P] card id on top of every pile, seats counted from the observer; -1 if it is empty."""
    players = views.config.num_players
    place, order = views.cards[:, :, 0], views.cards[:, :, 1]
    tops = np.full((len(views), players), -1, np.int64)
    for k in range(players):
        is_top = (place == 6 + k) & (order == 0)
        tops[:, k] = np.where(is_top.any(axis=1), is_top.argmax(axis=1), -1)
    return tops
