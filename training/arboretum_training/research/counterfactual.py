"""What a held card denies: how the result would change, had it not been held.

Ex ante: averaged over the worlds of the seat's own view. In every world the card changes places
with one of the cards that the seat does not see, each of them equally likely, and the world is
played to its end with the same randomness as the one in which nothing was changed (common random
numbers). What the rivals then score more is what the card denied them.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arboretum_env.engine.layout import IN_DECK, IN_HAND, PLACE
from arboretum_env.engine.state import GameState
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView
from arboretum_training.research.figure import Figure, mean_figure
from arboretum_training.research.hidden import hidden_cards
from arboretum_training.research.playouts import Playouts
from arboretum_training.research.progress import Tick, silent


@dataclass(frozen=True)
class Denied:
    """What one held card does to the result.

    Attributes:
        card: its id.
        rivals: points that the rivals together would score more without it.
        own: points that the seat would score more without it; mostly negative.
        margin: the margin that the seat would have more without it.
    """

    card: int
    rivals: Figure
    own: Figure
    margin: Figure

    def to_json(self, view: PlayerView) -> dict[str, Any]:
        """For the page and the command."""
        return {
            "card": view.config.card_text(self.card),
            "rivals": self.rivals.to_json(),
            "own": self.own.to_json(),
            "margin": self.margin.to_json(),
        }


def denied_values(view: PlayerView, playouts: Playouts, tick: Tick = silent) -> list[Denied]:
    """The denied value of every card in the seat's hand, most denying first.

    A card that is chosen to be planted leaves the hand anyway and is left out. [] at the end, and
    where nothing is unseen.
    """
    unseen = hidden_cards(view).unseen
    if view.phase is Phase.GAME_OVER or not unseen:
        return []
    held = [card for card in view.hand if card != view.chosen_card]
    games, partners, every = _pairs(view, unseen, playouts)
    before = playouts.play_out(games, every=every)
    found = []
    for number, card in enumerate(held):
        after = playouts.play_out(exchanged(games, view.seat, card, partners), every=every)
        more = after.points - before.points
        own = more[:, view.seat]
        margin = after.margins[:, view.seat] - before.margins[:, view.seat]
        found.append(
            Denied(
                card,
                rivals=mean_figure(more.sum(axis=1) - own, enumerated=after.enumerated),
                own=mean_figure(own, enumerated=after.enumerated),
                margin=mean_figure(margin, enumerated=after.enumerated),
            )
        )
        tick((number + 1) / len(held))
    return sorted(found, key=lambda denied: (-denied.rivals.value, denied.card))


def _pairs(
    view: PlayerView, unseen: tuple[int, ...], playouts: Playouts
) -> tuple[GameState, NDArray[np.int64], bool]:
    """(N worlds, [N] a hidden card each, whether these are all the pairs that there are).

    Of a sample, every world has one card, and every card about as many worlds.
    """
    worlds, cards = playouts.worlds(view), np.array(unseen, np.int64)
    if worlds.every and len(worlds.games) * len(cards) <= playouts.most:
        rows = np.repeat(np.arange(len(worlds.games)), len(cards))
        return worlds.games.select(rows), np.tile(cards, len(worlds.games)), True
    games = playouts.sampled(view).games
    order = np.random.default_rng(len(cards)).permutation(cards)
    return games, np.resize(order, len(games)), False


def exchanged(games: GameState, seat: int, card: int, partners: NDArray[np.int64]) -> GameState:
    """Copies of worlds in which a card of a seat's hand and a hidden card have changed places.

    Args:
        games: N games.
        seat: who holds the card.
        card: its id.
        partners: [N] cards in rivals' hands or the deck.
    """
    changed = games.clone()
    rows = np.arange(len(games))
    raw = changed.raw
    there = raw[rows, PLACE + partners].copy()
    raw[rows, PLACE + partners] = IN_HAND + seat  # nobody has seen it: it is not publicly known
    raw[rows, PLACE + card] = there
    # A rival may have chosen it to be planted: then that is what it has chosen.
    changed.rows["chosen"][changed.rows["chosen"] == partners] = card
    for row in np.flatnonzero(there == IN_DECK):
        deck = changed.rows["deck"][row]
        drawn = int(changed.rows["drawn"][row])
        deck[drawn + int(np.flatnonzero(deck[drawn:] == partners[row])[0])] = card
    return changed
