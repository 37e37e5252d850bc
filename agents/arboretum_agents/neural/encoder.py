"""From views to the network's inputs.

Each species is described by the same numbers in the same order, so that one set of weights serves
all of them (docs/learning.md): per card where it is and what it would change, per species the sums
and chances that decide rights. What belongs to no species are the scalars. All numbers are of the
order of 1.

Rivals stand at the end, nearest to move first, a block of equal size each: the inputs of a game of
two are the beginning of those of a game of three, so one set of weights serves any number of
players too.

``F`` denotes features of a species, ``G`` scalars.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from arboretum_env.compile import kernel
from arboretum_env.config import MAX_PLAYERS, GameConfig
from arboretum_env.features.outlook import outlook
from arboretum_env.features.rights import rights
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerViews

_DISCARD: Final = int(Phase.DISCARD)
_PLAY: Final = int(Phase.PLAY)
_HEADS: Final = 4  # one-hot of the decision: first draw, second draw, plant, discard
_OWN_CARD: Final = 10  # of each card, without rivals
_OWN_SPECIES: Final = 9
_RIVAL_CARD: Final = 7
_RIVAL_SPECIES: Final = 6
_DECK_STEPS: Final = 6  # of the last turns, told apart
_OWN_SCALARS: Final = _HEADS + 2 + _DECK_STEPS + 2 * MAX_PLAYERS - 1 + 3
RIVAL_SCALARS: Final = 4
"""How many of the G belong to one rival."""


@dataclass(frozen=True)
class EncodedViews:
    """Network inputs of B views.

    Attributes:
        species: [B, S, F] float32.
        scalars: [B, G] float32.
    """

    species: NDArray[np.float32]
    scalars: NDArray[np.float32]


def species_features(num_players: int, num_ranks: int) -> int:
    """F."""
    own = num_ranks * _OWN_CARD + _OWN_SPECIES
    return own + (num_players - 1) * rival_species_features(num_ranks)


def rival_species_features(num_ranks: int) -> int:
    """How many of the F belong to one rival."""
    return num_ranks * _RIVAL_CARD + _RIVAL_SPECIES


def scalar_features(num_players: int) -> int:
    """G."""
    return _OWN_SCALARS + (num_players - 1) * RIVAL_SCALARS


@kernel
def _chance(table, total, top, has_top, cancelled):  # type: ignore[no-untyped-def]
    """Chance of a right for a hand of rank sum ``total``, whose top rank may be cancelled."""
    if has_top and cancelled > 0.0:
        return (1.0 - cancelled) * table[total] + cancelled * table[total - top]
    return table[total]


@kernel
def _after_change(chances, hand_sum, rank, held, num_ranks, holds_top, cancelled):  # type: ignore[no-untyped-def]
    """Chance of a right if the observer let go of a card, or held it, if it does not."""
    total = hand_sum - rank - 1 if held else hand_sum + rank + 1
    has_top = holds_top if rank < num_ranks - 1 else not held
    return _chance(chances, total, num_ranks, has_top, cancelled)


@kernel
def _encode_own(  # type: ignore[no-untyped-def]
    cards, num_ranks, first, best, total_gain, own_gain, hand_sum, chances, cancelled, out
):
    """Fills what a species is to the observer itself.

    Returns:
        (chance of the right, whether the top rank is held).
    """
    holds_top = 1 <= cards[first + num_ranks - 1, 0] < 3
    now = _chance(chances, hand_sum, num_ranks, holds_top, cancelled)
    own_count, unseen_sum, unseen_count, planted = 0, 0, 0, 0
    for rank in range(num_ranks):
        card = first + rank
        place = np.int64(cards[card, 0])
        at = rank * _OWN_CARD
        held = bool(1 <= place < 3)
        own_count += 1 if held else 0
        if place < 3:  # unseen, own hand, own hand and known
            out[at + place] = 1.0
            if place == 0:
                unseen_sum += rank + 1
                unseen_count += 1
        elif place == 6:
            out[at + (3 if cards[card, 1] == 0 else 4)] = 1.0
        elif place == 10:
            out[at + 5] = 1.0
            planted += 1
        out[at + 6] = 0.2 * own_gain[card]
        out[at + 7] = 0.2 * total_gain[card]
        if place < 10:  # what holding it, or no longer holding it, would change
            after = _after_change(chances, hand_sum, rank, held, num_ranks, holds_top, cancelled)
            change = after - now
            out[at + 8] = change
            out[at + 9] = 0.2 * change * best
    out = out[num_ranks * _OWN_CARD :]
    out[0] = 0.1 * hand_sum
    out[1] = 0.25 * own_count
    out[2] = 0.05 * unseen_sum
    out[3] = 0.125 * unseen_count
    out[4] = 0.125 * planted
    out[5] = 0.1 * best
    out[6] = now
    out[7] = 0.1 * now * best
    out[8] = cancelled
    return now, holds_top


@kernel
def _encode_rival(  # type: ignore[no-untyped-def]
    cards, k, num_ranks, first, best, total_gain, hand_sum, chances, share, has_top, cancelled, out
):
    """Fills what a species is to the k-th rival; returns its chance of the right."""
    now = _chance(chances, hand_sum, num_ranks, has_top, cancelled)
    planted, known_sum, unseen_sum = 0, 0, 0
    for rank in range(num_ranks):
        card = first + rank
        place = np.int64(cards[card, 0])
        at = rank * _RIVAL_CARD
        held = bool(1 <= place < 3)
        if place == 0:
            unseen_sum += rank + 1
        elif place == 2 + k:
            out[at] = 1.0
            known_sum += rank + 1
        elif place == 6 + k:
            out[at + (1 if cards[card, 1] == 0 else 2)] = 1.0
        elif place == 10 + k:
            out[at + 3] = 1.0
            planted += 1
        out[at + 4] = 0.2 * total_gain[card]
        if place < 10:
            after = _after_change(chances, hand_sum, rank, held, num_ranks, has_top, cancelled)
            change = after - now
            out[at + 5] = change
            out[at + 6] = 0.2 * change * best
    out = out[num_ranks * _RIVAL_CARD :]
    out[0] = 0.1 * best
    out[1] = 0.125 * planted
    out[2] = 0.1 * known_sum
    out[3] = 0.1 * (known_sum + share * unseen_sum)
    out[4] = now
    out[5] = 0.1 * now * best
    return now


@kernel
def _encode(  # type: ignore[no-untyped-def]
    observations, players, num_species, num_ranks, hand_size, deck_size, max_plants,
    best, total_gain, own_gain, hand_sum, own_chances, rival_chances, cancelled,
    species, scalars,
):  # fmt: skip
    num_cards = num_species * num_ranks
    own_width = num_ranks * _OWN_CARD + _OWN_SPECIES
    rival_width = num_ranks * _RIVAL_CARD + _RIVAL_SPECIES
    hidden_share = np.zeros(players, np.float64)
    known = np.zeros(players, np.int64)
    planted = np.zeros(players, np.int64)
    expected = np.zeros(players, np.float64)
    for b in range(observations.shape[0]):
        cards = observations[b, : 4 * num_cards].reshape(num_cards, 4)
        rest = observations[b, 4 * num_cards :]
        known[:] = 0
        planted[:] = 0
        expected[:] = 0.0
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
            first = s * num_ranks
            out = species[b, s]
            chance, has_top = _encode_own(
                cards, num_ranks, first, best[b, 0, s], total_gain[b, 0], own_gain[b, 0],
                hand_sum[b, s], own_chances[b, s], cancelled[b, s], out[:own_width],
            )  # fmt: skip
            expected[0] += chance * best[b, 0, s]
            for k in range(1, players):
                start = own_width + (k - 1) * rival_width
                chance = _encode_rival(
                    cards, k, num_ranks, first, best[b, k, s], total_gain[b, k],
                    hand_sum[b, s], rival_chances[b, k, s], hidden_share[k], has_top,
                    cancelled[b, s], out[start : start + rival_width],
                )  # fmt: skip
                expected[k] += chance * best[b, k, s]
        out = scalars[b]
        phase = np.int64(rest[2])
        # PLACE is the second half of the joint decision made in PLAY: the same inputs.
        head = 3 if phase == _DISCARD else min(phase, _PLAY)
        out[head] = 1.0
        at = _HEADS
        out[at] = rest[3] / deck_size
        out[at + 1] = 0.1 * (rest[4] // players)
        at += 2
        for i in range(_DECK_STEPS):
            out[at + i] = rest[3] <= 2 * i + 1
        at += _DECK_STEPS
        out[at + np.int64(rest[1])] = 1.0
        at += MAX_PLAYERS
        out[at + players - 2] = 1.0
        at += MAX_PLAYERS - 1
        out[at] = 0.03 * best[b, 0].sum()
        out[at + 1] = planted[0] / max_plants
        out[at + 2] = 0.05 * expected[0]
        at += 3
        for k in range(1, players):
            out[at] = 0.03 * best[b, k].sum()
            out[at + 1] = planted[k] / max_plants
            out[at + 2] = 0.05 * expected[k]
            out[at + 3] = 0.05 * (expected[0] - expected[k])
            at += RIVAL_SCALARS


def encode(views: PlayerViews) -> EncodedViews:
    """Network inputs of all ``views``, movers and idle seats alike."""
    config = views.config
    batch = len(views)
    standing = outlook(views)
    chances = rights(views)
    features = species_features(config.num_players, config.num_ranks)
    encoded = EncodedViews(
        species=np.zeros((batch, config.num_species, features), np.float32),
        scalars=np.zeros((batch, scalar_features(config.num_players)), np.float32),
    )
    _encode(
        views.observation, config.num_players, config.num_species, config.num_ranks,
        config.hand_size, config.deck_size, config.max_plants,
        standing.best, standing.total_gain, standing.own_gain, chances.hand_sum, chances.own,
        chances.rival, chances.top_cancelled, encoded.species, encoded.scalars,
    )  # fmt: skip
    return encoded


def unseen_cards(species: Tensor, config: GameConfig) -> Tensor:
    """[B, C] 1 where a seat does not see a card, from ``EncodedViews.species``."""
    return species[:, :, : config.num_ranks * _OWN_CARD : _OWN_CARD].flatten(1)


def decision_phase(scalars: Tensor) -> Tensor:
    """[B] what is decided, from ``EncodedViews.scalars``: 0, 1 draws, 2 plant, 3 discard."""
    return scalars[:, :_HEADS].argmax(dim=1)


def pile_tops(views: PlayerViews) -> NDArray[np.int64]:
    """[B, P] card id on top of every pile, seats counted from the observer; -1 if it is empty."""
    players = views.config.num_players
    place, order = views.cards[:, :, 0], views.cards[:, :, 1]
    tops = np.full((len(views), players), -1, np.int64)
    for k in range(players):
        is_top = (place == 6 + k) & (order == 0)
        tops[:, k] = np.where(is_top.any(axis=1), is_top.argmax(axis=1), -1)
    return tops
