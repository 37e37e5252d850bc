"""A deal of which somebody chose some cards: the others are shuffled in."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from arboretum_env.config import GameConfig
from arboretum_env.errors import CardError, DealError
from arboretum_env.seeding import Purpose, root_from_seed


def filled_deal(
    config: GameConfig,
    hands: Sequence[Sequence[str]],
    deck: Sequence[str],
    discards: Sequence[Sequence[str]],
    seed: int,
) -> dict[str, Any]:
    """A whole deal around the cards that are chosen.

    Hands and starting piles are filled up first; of the deck, the chosen cards are drawn first.

    Args:
        config: the game's options.
        hands: per seat, what it holds; seats at the end may be left out.
        deck: the first cards to be drawn, in order.
        discards: per seat, the starting pile; seats at the end may be left out.
        seed: keys the shuffle of the others.

    Returns:
        ``hands``, ``deck`` and ``discards``, as ``deal_from_options`` takes and checks them.

    Raises:
        DealError: a text that is no card in play, a card twice, too many seats, or a deck that
            leaves too few cards for the hands.
    """
    for what, given in (("hands", hands), ("discards", discards)):
        if len(given) > config.num_players:
            raise DealError(f"{what} of {len(given)} seats: expected {config.num_players} at most")
    chosen = [card for cards in (*hands, deck, *discards) for card in cards]
    try:
        used = {config.parse_card(card) for card in chosen}
    except CardError as error:
        raise DealError(f"exact deal: {error}") from error
    if len(used) < len(chosen):
        twice = next(card for card in chosen if chosen.count(card) > 1)
        raise DealError(f"exact deal: {twice} is dealt twice")
    rest = [card for card in range(config.num_cards) if card not in used]
    np.random.default_rng(root_from_seed(seed, Purpose.USER)).shuffle(rest)
    others = iter([config.card_text(card) for card in rest])

    def fill(given: Sequence[Sequence[str]], seat: int, size: int) -> list[str]:
        cards = list(given[seat]) if seat < len(given) else []
        try:
            return cards + [next(others) for _ in range(size - len(cards))]
        except StopIteration:
            raise DealError(
                f"the deck is given {len(deck)} cards: too few are left for the hands"
            ) from None

    seats = range(config.num_players)
    piles = [int(config.starting_discards and seat > 0) for seat in seats]
    return {
        "hands": [fill(hands, seat, config.hand_size) for seat in seats],
        "discards": [fill(discards, seat, piles[seat]) for seat in seats],
        "deck": [*deck, *others],
    }
