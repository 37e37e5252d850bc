"""Where the hidden cards may be, as reports show it: everywhere alike, or where a network thinks.

All cards alike is the posterior of ``arboretum_env.determinize``: every assignment of the unseen
cards to the rivals' unknown hand slots and the deck is equally likely.
"""

from typing import Any

from arboretum_agents.search.steady import Network, SteadyNetwork
from arboretum_env.agent import Agent
from arboretum_env.view import PlayerView, PlayerViews
from arboretum_training.analysis.moves import is_to_move
from arboretum_training.research.figure import Figure, exact, on_grid
from arboretum_training.research.hidden import hidden_cards


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
