"""What a seat does not see, and where it may be: everywhere alike, or where a network thinks.

The posterior is that of ``arboretum_env.determinize``: every assignment of the unseen cards to the
rivals' unknown hand slots and the deck is equally likely.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from arboretum_agents.search.steady import Network, SteadyNetwork
from arboretum_env.agent import Agent
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView, PlayerViews
from arboretum_training.analysis.figure import Figure, exact, on_grid
from arboretum_training.analysis.moves import is_to_move

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


def uniform_beliefs(view: PlayerView) -> dict[int, dict[int, Figure]]:
    """By rival and card: the chance that the rival holds it; cards that it cannot hold are absent.

    Exact under the posterior of the module: a card that is known to be there has chance 1, an
    unseen one the rival's unknown cards by the unseen cards.
    """
    hidden = hidden_cards(view)
    beliefs: dict[int, dict[int, Figure]] = {}
    for seat, slots in hidden.slots.items():
        chances = dict.fromkeys(view.known_hands[seat], exact(1.0))
        if slots:
            share = exact(slots / len(hidden.unseen))
            chances |= dict.fromkeys(hidden.unseen, share)
        beliefs[seat] = dict(sorted(chances.items()))
    return beliefs


def network_beliefs(agent: Agent, view: PlayerView) -> dict[int, dict[int, Figure]] | None:
    """What a network's belief head says, likewise.

    Returns:
        None for an agent that has none, and for a seat that is not to move, of which networks
        were not taught.
    """
    if not isinstance(agent, Network) or not is_to_move(view):
        return None
    views = PlayerViews(view.config, view.to_observation()[None, :])
    held = SteadyNetwork(agent).beliefs(views)[0]
    hidden = hidden_cards(view)
    players = view.config.num_players
    beliefs: dict[int, dict[int, Figure]] = {}
    for seat in hidden.slots:
        row = held[(seat - view.seat) % players - 1]
        known = dict.fromkeys(view.known_hands[seat], exact(1.0))
        unseen = {c: Figure(on_grid(float(row[c])), "network") for c in hidden.unseen}
        beliefs[seat] = dict(sorted((known | unseen).items()))
    return beliefs


def beliefs_json(
    view: PlayerView, beliefs: dict[int, dict[int, Figure]] | None
) -> dict[str, dict[str, Any]] | None:
    """By seat and card text, for JSON."""
    if beliefs is None:
        return None
    text = view.config.card_text
    return {
        str(seat): {text(card): chance.to_json() for card, chance in chances.items()}
        for seat, chances in beliefs.items()
    }


def rank_sum(view: PlayerView, cards: Any, species: int) -> int:
    """The rank sum of the cards of one species among some."""
    ranks = view.config.num_ranks
    return int(np.sum([card % ranks + 1 for card in cards if card // ranks == species]))
