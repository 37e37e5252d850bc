"""Sampled worlds: complete a view's hidden cards at random.

The sample is uniform over what is consistent with public knowledge: every assignment of the unseen
cards to the rivals' unknown hand slots and to the deck's order is equally likely, and cards that
are publicly known to be in a hand stay there.
"""

import numpy as np
from numpy.typing import NDArray

from arboretum_env.compile import kernel
from arboretum_env.engine import layout
from arboretum_env.engine.layout import (
    BELOW,
    CHOSEN,
    DECK,
    DECK_LENGTH,
    DRAWN,
    FRONTIER,
    GRID,
    HAND_SIZE,
    IN_ARBORETUM,
    IN_DECK,
    IN_HAND,
    IN_HAND_KNOWN,
    IN_PILE,
    MAX_CARDS,
    MOVER,
    NONE,
    NUM_CARDS,
    NUM_PLAYERS,
    ORDER,
    PHASE,
    PILE_SIZE,
    PILE_TOP,
    PLACE,
    PLANTED,
    SIDE,
    TURN,
    X,
    Y,
)
from arboretum_env.engine.paths import neighbour_table
from arboretum_env.engine.state import GameState
from arboretum_env.errors import ViewError
from arboretum_env.phase import Phase
from arboretum_env.seeding import GOLDEN, bounded, mix64
from arboretum_env.view import PlayerViews

_PLACE_PHASE = int(Phase.PLACE)
_DISCARD_PHASE = int(Phase.DISCARD)
_GAME_OVER = int(Phase.GAME_OVER)


@kernel
def _copy_public(row, cards, seat, around, unseen, hand_count):  # type: ignore[no-untyped-def]
    """Copies what the view shows into a blank row; returns how many cards it does not show."""
    players = np.int64(row[NUM_PLAYERS])
    num_cards = np.int64(row[NUM_CARDS])
    side = np.int64(row[SIDE])
    hidden = np.int64(0)
    for card in range(num_cards):
        place = np.int64(cards[card, 0])
        if place == 0:
            unseen[hidden] = card
            hidden += 1
        elif place < 6:
            owner = (seat + max(place - 2, 0)) % players
            row[PLACE + card] = (IN_HAND if place == 1 else IN_HAND_KNOWN) + owner
            hand_count[owner] += 1
        elif place < 10:
            owner = (seat + place - 6) % players
            row[PLACE + card] = IN_PILE + owner
            row[PILE_SIZE + owner] += 1
            if cards[card, 1] == 0:
                row[PILE_TOP + owner] = card
        else:
            owner = (seat + place - 10) % players
            row[PLACE + card] = IN_ARBORETUM + owner
            row[ORDER + card] = cards[card, 1]
            row[X + card] = np.uint8(cards[card, 2])
            row[Y + card] = np.uint8(cards[card, 3])
            row[PLANTED + owner] += 1
            start = GRID + owner * side * side
            cell = (cards[card, 3] % side) * side + cards[card, 2] % side
            row[start + cell] = card + 1
            for d in range(4):
                neighbour = start + around[cell, d]
                if row[neighbour] == 0:
                    row[neighbour] = FRONTIER
    return hidden


@kernel
def _link_piles(row, cards):  # type: ignore[no-untyped-def]
    """Turns depths into heights and links every pile card; False if the depths are no pile's."""
    players = np.int64(row[NUM_PLAYERS])
    num_cards = np.int64(row[NUM_CARDS])
    at_height = np.empty(MAX_CARDS, np.uint8)
    for owner in range(players):
        size = np.int64(row[PILE_SIZE + owner])
        at_height[:size] = NONE
        for card in range(num_cards):
            if row[PLACE + card] == IN_PILE + owner:
                height = size - 1 - np.int64(cards[card, 1])
                if height < 0 or height >= size or at_height[height] != NONE:
                    return False
                row[ORDER + card] = height
                at_height[height] = card
        for level in range(1, size):
            row[BELOW + np.int64(at_height[level])] = at_height[level - 1]
    return True


@kernel
def _determinize(raw, observations, keys, around):  # type: ignore[no-untyped-def]
    unseen = np.empty(MAX_CARDS, np.uint8)
    for b in range(raw.shape[0]):
        row = raw[b]
        players = np.int64(row[NUM_PLAYERS])
        num_cards = np.int64(row[NUM_CARDS])
        cards = observations[b, : 4 * num_cards].reshape(num_cards, 4)
        rest = observations[b, 4 * num_cards :]
        seat = np.int64(rest[1])
        mover = (seat + np.int64(rest[0])) % players
        row[MOVER] = mover
        row[PHASE] = rest[2]
        row[TURN] = rest[4]
        row[DRAWN] = row[DECK_LENGTH] - np.uint8(rest[3])
        row[CHOSEN] = NONE if rest[5] < 0 else rest[5]
        hand_count = np.zeros(players, np.int64)
        hidden = _copy_public(row, cards, seat, around, unseen, hand_count)
        if not _link_piles(row, cards):
            return b
        key = keys[b]
        for i in range(hidden - 1, 0, -1):  # Fisher-Yates
            key += GOLDEN
            j = bounded(mix64(key), i + 1)
            unseen[i], unseen[j] = unseen[j], unseen[i]
        for owner in range(players):
            slots = np.int64(row[HAND_SIZE])
            if owner == mover and rest[2] != _GAME_OVER:
                slots += min(np.int64(rest[2]), 2) - (rest[2] == _DISCARD_PHASE)
            while hand_count[owner] < slots:
                hidden -= 1
                if hidden < 0:
                    return b
                row[PLACE + unseen[hidden]] = IN_HAND + owner
                hand_count[owner] += 1
            if hand_count[owner] != slots:
                return b
        if hidden != rest[3]:
            return b
        for i in range(hidden):
            row[PLACE + unseen[i]] = IN_DECK
            row[DECK + np.int64(row[DRAWN]) + i] = unseen[i]
        if rest[2] == _PLACE_PHASE and mover != seat:
            # A rival has chosen a card that only it knows: any of its hand.
            pick = bounded(mix64(key + GOLDEN), hand_count[mover])
            for card in range(num_cards):
                if row[PLACE + card] & 0xFB == IN_HAND + mover:
                    if pick == 0:
                        row[CHOSEN] = card
                    pick -= 1
    return -1


def determinize(views: PlayerViews, rng: np.random.Generator | NDArray[np.uint64]) -> GameState:
    """One sampled world for every view.

    Cards drawn from the deck before leave no trace in the world: their deck slots are empty.

    Args:
        views: B views.
        rng: a generator, which is advanced by B draws; or [B] uint64 keys, for samples that do not
            depend on the row.

    Returns:
        B games that look to the views' seats exactly as the views do.

    Raises:
        ViewError: a view whose cards cannot be a position of its game.
    """
    config = views.config
    if isinstance(rng, np.random.Generator):
        keys = rng.integers(0, 2**64, size=len(views), dtype=np.uint64)
    else:
        keys = np.ascontiguousarray(rng, np.uint64)
        if keys.shape != (len(views),):
            raise ViewError(f"keys of shape {keys.shape}: expected [{len(views)}]")
    raw = np.tile(layout.blank_row(config), (len(views), 1))
    bad = _determinize(raw, views.observation, keys, neighbour_table(config.side))
    if bad >= 0:
        raise ViewError(
            f"view {bad} cannot be a position of this game: its hands, piles and deck size do not "
            f"add up to {config.num_cards} cards with hands of {config.hand_size}"
        )
    return GameState(config, raw)
