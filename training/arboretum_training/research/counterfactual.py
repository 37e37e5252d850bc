"""What a held card denies: how the result would change, had it not been held.

The *deny value* of a card in a seat's hand: the card changes places with one of the cards that the
seat does not see, each of them equally likely, and the game is played to its end with and without,
by one continuation policy in every seat and with the same randomness (common random numbers). What
the rivals then score more is what the card denied them. Unit: points.

* *Ex ante*: averaged over the worlds that the seat believes in; a function of what it sees.
* *Ex post*: in the world as it is, true hands and true order of the deck.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from arboretum_env.engine.layout import IN_DECK, IN_HAND, PLACE
from arboretum_env.engine.state import GameState
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView, redact
from arboretum_training.research.belief import Belief, worlds_of
from arboretum_training.research.figure import Figure, mean_figure
from arboretum_training.research.hidden import hidden_cards
from arboretum_training.research.playouts import Playouts
from arboretum_training.research.progress import Tick, silent

Standpoint = Literal["ex ante", "ex post"]
"""Whether a deny value is what the seat may believe, or what was so."""

_PURPOSE: Final = 0xDE17


@dataclass(frozen=True)
class Denied:
    """What one held card does to the result.

    Attributes:
        card: its id.
        standpoint: see there.
        rivals: points that the rivals together would score more without it.
        own: points that the seat would score more without it; mostly negative.
        margin: the margin that the seat would have more without it.
    """

    card: int
    standpoint: Standpoint
    rivals: Figure
    own: Figure
    margin: Figure

    def to_json(self, view: PlayerView) -> dict[str, Any]:
        """For the page and the command."""
        return {
            "card": view.config.card_text(self.card),
            "standpoint": self.standpoint,
            "rivals": self.rivals.to_json(),
            "own": self.own.to_json(),
            "margin": self.margin.to_json(),
        }


def denied_values(
    view: PlayerView, playouts: Playouts, tick: Tick = silent, belief: Belief | None = None
) -> list[Denied]:
    """The deny value, ex ante, of every card in the seat's hand, most denying first.

    A card that is chosen to be planted leaves the hand anyway and is left out. [] at the end, and
    where nothing is unseen.

    Args:
        view: what the seat knows.
        playouts: the continuation policy, and how many worlds.
        tick: told about progress.
        belief: what the worlds are drawn from; None: all deals alike, every one of them where they
            are few.
    """
    unseen = hidden_cards(view).unseen
    if view.phase is Phase.GAME_OVER or not unseen:
        return []
    games, partners, every = _pairs(view, unseen, playouts, belief)
    return _denied(view, games, partners, playouts, "ex ante", tick, every=every)


def denied_values_ex_post(
    state: GameState, seat: int, playouts: Playouts, tick: Tick = silent
) -> list[Denied]:
    """The deny value, ex post, of every card in a seat's hand, likewise.

    Exact if the continuation policy draws no random numbers: then there are as many worlds as
    cards that the seat does not see.

    Args:
        state: the position itself, a batch of one.
        seat: absolute.
        playouts: the continuation policy, and how many worlds if it draws random numbers.
        tick: told about progress.
    """
    view = redact(state, seat)[0]
    partners = np.array(hidden_cards(view).unseen, np.int64)
    if view.phase is Phase.GAME_OVER or not len(partners):
        return []
    if not playouts.certain:
        partners = np.resize(partners, max(playouts.most, len(partners)))
    games = state.select(np.zeros(len(partners), np.int64))
    return _denied(view, games, partners, playouts, "ex post", tick, every=playouts.certain)


def _denied(
    view: PlayerView,
    games: GameState,
    partners: NDArray[np.int64],
    playouts: Playouts,
    standpoint: Standpoint,
    tick: Tick,
    *,
    every: bool,
) -> list[Denied]:
    """Plays N games out with and without each card, see ``exchanged``."""
    held = [card for card in view.hand if card != view.chosen_card]
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
                standpoint,
                rivals=mean_figure(more.sum(axis=1) - own, enumerated=after.enumerated),
                own=mean_figure(own, enumerated=after.enumerated),
                margin=mean_figure(margin, enumerated=after.enumerated),
            )
        )
        tick((number + 1) / len(held))
    return sorted(found, key=lambda denied: (-denied.rivals.value, denied.card))


def _pairs(
    view: PlayerView, unseen: tuple[int, ...], playouts: Playouts, belief: Belief | None
) -> tuple[GameState, NDArray[np.int64], bool]:
    """(N worlds, [N] a hidden card each, whether these are all the pairs that there are).

    Of a sample, every world has one card, and every card about as many worlds.
    """
    cards = np.array(unseen, np.int64)
    if belief is not None:
        rng = np.random.default_rng((playouts.seed, _PURPOSE))
        games = worlds_of(view, belief.sample(playouts.most, rng), rng)
    else:
        worlds = playouts.worlds(view)
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
