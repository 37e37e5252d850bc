"""What a seat does not see: which cards, and into how many places they go."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView

_EXTRA = (0, 1, 2, 2, 1, 0)  # cards of the mover's hand beyond ``hand_size``, by phase


@dataclass(frozen=True)
class Hidden:
    """The cards that a view does not show.

    Attributes:
        unseen: card ids, ascending: in rivals' hands or the deck.
        slots: by rival's absolute seat, how many of its cards are not publicly known.
        deck: how many lie in the deck.
    """

    unseen: tuple[int, ...]
    slots: dict[int, int]
    deck: int


def hidden_cards(view: PlayerView) -> Hidden:
    """What a view does not show."""
    config = view.config
    seen = set(view.hand).union(*view.known_hands, *view.discard_piles)
    seen |= {card for planted in view.arboreta for _, _, card in planted}
    unseen = tuple(card for card in range(config.num_cards) if card not in seen)
    slots = {}
    for seat in range(config.num_players):
        if seat != view.seat:
            extra = _EXTRA[view.phase] if seat == view.mover else 0
            slots[seat] = config.hand_size + extra - len(view.known_hands[seat])
    if view.phase is Phase.GAME_OVER:
        slots = dict.fromkeys(slots, 0)
    return Hidden(unseen, slots, view.deck_size)


def rank_sum(view: PlayerView, cards: Any, species: int) -> int:
    """The rank sum of the cards of one species among some."""
    ranks = view.config.num_ranks
    return int(np.sum([card % ranks + 1 for card in cards if card // ranks == species]))
