"""Another past that a seat cannot tell from the true one, for searches over information sets.

What a seat does not know of the past is which card went to a rival's hand when: in the deal and at
its draws from the deck. Every way of filling these *slots* is equally likely that agrees with what
the rivals have shown since. So a card that a rival shows without having taken it from a pile comes
out of one of its open slots, each as likely as any other; unseen cards fill the rest.
"""

from collections.abc import Callable, Sequence

import numpy as np

from arboretum_env.actions import Action, decode, encode
from arboretum_env.config import GameConfig
from arboretum_env.errors import ViewError
from arboretum_env.observation import Place, observation_slices, observe
from arboretum_env.openspiel.table import CHANCE, NOBODY, Table

Step = tuple[int, int]
"""(who, action), as in OpenSpiel's ``full_history``."""

Uniform = Callable[[], float]
"""Draws a number in [0, 1)."""


class _Pasts:
    """Follows a history from a seat's chair, and fills the slots of what it shows."""

    def __init__(self, config: GameConfig, seat: int, uniform: Uniform) -> None:
        self.config = config
        self.actions: list[int] = []
        self.slots: list[list[int]] = [[] for _ in range(config.num_players)]
        self.known: dict[int, int] = {}  # card taken from a pile -> whose hand it is in
        self._piles: list[list[int]] = [[] for _ in range(config.num_players)]
        self._chosen = self._mover = -1
        self._seat, self._uniform = seat, uniform

    def any_of(self, cards: list[int]) -> int:
        """Takes one out, each as likely as any other."""
        return cards.pop(int(self._uniform() * len(cards)))

    def receive(self, card: int) -> None:
        """Chance gives a card: of the deal, or to the mover."""
        dealt, hands = len(self.actions), self.config.num_players * self.config.hand_size
        self.actions.append(card)
        if hands <= dealt < self.config.num_cards - self.config.deck_size:
            self._piles[dealt - hands + 1].append(card)
            return
        receiver = dealt // self.config.hand_size if dealt < hands else self._mover
        if receiver != self._seat:
            self.slots[receiver].append(dealt)

    def act(self, player: int, action: int) -> None:
        """A seat acts."""
        self._mover, decoded = player, decode(self.config, action)
        self.actions.append(action)
        match decoded.kind:
            case "draw_discard":
                pile = self._piles[(player + decoded.index) % self.config.num_players]
                self.known[pile.pop()] = player
            case "play_card":
                self._chosen = decoded.index
            case "place_cell":
                self.show(player, self._chosen)
            case "discard_card":
                self.show(player, decoded.index)
                self._piles[player].append(decoded.index)

    def show(self, player: int, card: int) -> None:
        """A card leaves a hand for everybody to see."""
        if self.known.pop(card, None) is None and player != self._seat:
            self.actions[self.any_of(self.slots[player])] = card


def resampled(table: Table, history: Sequence[Step], seat: int, uniform: Uniform) -> list[int]:
    """The actions of a history drawn at random from those that look to the seat like this one.

    Args:
        table: where the history leads to.
        history: from the first card of the deal on.
        seat: the observer.
        uniform: the source of randomness.

    Raises:
        ViewError: the deal is not complete.
    """
    config = table.config
    if table.dealing:
        raise ViewError("cards are being dealt: expected a complete deal")
    past = _Pasts(config, seat, uniform)
    for player, action in history:
        if player == CHANCE:
            past.receive(action)
        else:
            past.act(player, action)
    if table.to_move == NOBODY:  # all hands are public
        for player in range(config.num_players):
            for card in table.game.hand(0, player):
                past.show(player, card)
    places = observe(table.game, seat)[0][observation_slices(config)["cards"]].reshape(-1, 4)[:, 0]
    unseen: list[int] = np.flatnonzero(places == Place.UNSEEN).tolist()
    for open_slots in past.slots:
        for slot in open_slots:
            past.actions[slot] = past.any_of(unseen)
    mover = table.to_move
    if mover >= 0 and mover != seat and table.choosing:
        # Nobody else knows which card the mover has chosen: any that it holds.
        hand = [past.actions[slot] for slot in past.slots[mover]]
        hand += [card for card, holder in past.known.items() if holder == mover]
        past.actions[-1] = encode(config, Action("play_card", past.any_of(hand)))
    return past.actions
