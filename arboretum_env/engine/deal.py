"""Shuffles and exact deals (RULES.md, Setup)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from arboretum_env.compile import kernel
from arboretum_env.config import GameConfig
from arboretum_env.engine import layout
from arboretum_env.engine.layout import (
    BELOW,
    DECK,
    HAND_SIZE,
    IN_HAND,
    IN_PILE,
    NONE,
    NUM_CARDS,
    NUM_PLAYERS,
    OPTION_STARTING_DISCARDS,
    OPTIONS,
    ORDER,
    PILE_SIZE,
    PILE_TOP,
    PLACE,
)
from arboretum_env.engine.state import GameState
from arboretum_env.errors import DealError
from arboretum_env.seeding import GOLDEN, bounded, mix64, subkey


@kernel
def lay_out(row, cards):  # type: ignore[no-untyped-def]
    """Deals ``cards`` [C] into a blank row: hands by seat, starting discards, then the deck."""
    players = row[NUM_PLAYERS]
    position = 0
    for seat in range(players):
        for _ in range(row[HAND_SIZE]):
            row[PLACE + cards[position]] = IN_HAND + seat
            position += 1
    if row[OPTIONS] & OPTION_STARTING_DISCARDS:
        for seat in range(1, players):  # every player but the first, in seat order
            card = cards[position]
            row[PLACE + card] = IN_PILE + seat
            row[ORDER + card] = 0
            row[BELOW + card] = NONE
            row[PILE_TOP + seat] = card
            row[PILE_SIZE + seat] = 1
            position += 1
    for i in range(position, row[NUM_CARDS]):
        row[DECK + i - position] = cards[i]


@kernel
def _deal(raw, root, game_ids):  # type: ignore[no-untyped-def]
    cards = np.empty(layout.MAX_CARDS, np.uint8)
    for b in range(raw.shape[0]):
        row = raw[b]
        num_cards = np.int64(row[NUM_CARDS])
        for i in range(num_cards):
            cards[i] = i
        key = subkey(root, game_ids[b])
        for i in range(num_cards - 1, 0, -1):  # Fisher-Yates
            key += GOLDEN
            j = bounded(mix64(key), i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        lay_out(row, cards)


def deal(config: GameConfig, root: int, game_ids: ArrayLike) -> GameState:
    """Deals a batch of games.

    Game ``i``'s shuffle is a pure function of ``(root, game_ids[i])``: the same game whatever the
    batch it is dealt in.

    Args:
        config: the game's options.
        root: 64-bit root, see ``arboretum_env.seeding.root_from_seed``.
        game_ids: [B] non-negative integers.

    Returns:
        B games, seat 0 to draw.
    """
    ids = np.ascontiguousarray(game_ids, np.uint64)
    if ids.ndim != 1:
        raise DealError(f"game ids of shape {ids.shape}: expected [B]")
    raw = np.tile(layout.blank_row(config), (len(ids), 1))
    _deal(raw, np.uint64(root), ids)
    return GameState(config, raw)


def deal_exact(
    config: GameConfig,
    hands: Sequence[Sequence[int | str]],
    deck: Sequence[int | str],
    discards: Sequence[Sequence[int | str]] | None = None,
) -> GameState:
    """One game from an exact deal.

    Args:
        config: the game's options.
        hands: P hands of ``hand_size`` cards, as ids or texts (``"M7"``).
        deck: the cards left after hands and discards, in draw order.
        discards: P starting discard piles; with ``starting_discards`` one card for every seat but
            the first, else none.

    Returns:
        A batch of one game, seat 0 to draw.

    Raises:
        DealError: a wrong number of hands or cards, a card twice, a card missing.
        CardError: a card that is not in play.
    """
    piles = discards if discards is not None else [[] for _ in range(config.num_players)]
    _check_counts(config, hands, deck, piles)
    cards = [_card_id(config, card) for group in (*hands, *piles, deck) for card in group]
    seen: set[int] = set()
    for card in cards:
        if card in seen:
            raise DealError(f"{config.card_text(card)} is dealt twice")
        seen.add(card)
    raw = layout.blank_row(config)[None, :]
    lay_out(raw[0], np.array(cards, np.uint8))
    return GameState(config, raw)


def _card_id(config: GameConfig, card: int | str) -> int:
    if isinstance(card, str):
        return config.parse_card(card)
    config.card_text(int(card))  # raises CardError when out of range
    return int(card)


def _check_counts(
    config: GameConfig,
    hands: Sequence[Sequence[int | str]],
    deck: Sequence[int | str],
    piles: Sequence[Sequence[int | str]],
) -> None:
    players = config.num_players
    if len(hands) != players or len(piles) != players:
        raise DealError(
            f"{len(hands)} hands and {len(piles)} discard piles: expected {players} of each"
        )
    for seat in range(players):
        if len(hands[seat]) != config.hand_size:
            raise DealError(
                f"hand of seat {seat} has {len(hands[seat])} cards: expected {config.hand_size}"
            )
        expected = 1 if config.starting_discards and seat > 0 else 0
        if len(piles[seat]) != expected:
            raise DealError(
                f"discard pile of seat {seat} starts with {len(piles[seat])} cards: expected "
                f"{expected} (starting_discards={config.starting_discards})"
            )
    if len(deck) != config.deck_size:
        raise DealError(f"deck of {len(deck)} cards: expected {config.deck_size}")


def initial_deal(
    state: GameState, index: int
) -> tuple[list[list[int]], list[int], list[list[int]]]:
    """(hands, deck, discards) of a game that has just been dealt, as ``deal_exact`` takes them."""
    if int(state.turn[index]) or int(state.rows["drawn"][index]) or int(state.phase[index]):
        raise DealError("the game has begun: its first deal can no longer be read off its state")
    seats = range(state.config.num_players)
    return (
        [state.hand(index, seat) for seat in seats],
        state.deck(index),
        [state.discard_pile(index, seat) for seat in seats],
    )
