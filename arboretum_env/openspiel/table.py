"""One game of the engine whose cards chance deals one by one.

The engine fixes the deck's order at the deal. OpenSpiel wants every card that comes out of the deck
to be a chance node, uniform over what is left. So the deck of the row is a set here, kept in rising
order of card ids behind what was drawn; whatever chance decides is moved to its front just before
the engine draws it. At the end the row is, byte for byte, that of a game dealt with this deck.
"""

from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from arboretum_env.actions import num_actions
from arboretum_env.config import GameConfig
from arboretum_env.engine import layout
from arboretum_env.engine.deal import deal_exact
from arboretum_env.engine.moves import apply_one, is_legal, write_mask
from arboretum_env.engine.state import GameState
from arboretum_env.errors import IllegalActionError
from arboretum_env.history import HistoryEvent, as_seen, event_of
from arboretum_env.phase import Phase

_DRAW_DECK: Final = 0
_GAME_OVER: Final = int(Phase.GAME_OVER)


class Table:
    """A game, the past as each seat saw it, and whether chance is to decide something.

    Attributes:
        config: the game's options.
        row: [row bytes] uint8, the engine's game. Until the deal is complete, a blank row.
        dealt: card ids that were dealt before play: hands by seat, then starting discards in seat
            order. Nobody looks before all are out.
        dealing: cards of the deal are still to come.
        drawing: the mover draws from the deck, and chance has not decided the card.
        over: the game is over.
        mover: absolute seat to move.
        seen: per seat, its history (``arboretum_env.history``), and last a spectator's.
    """

    __slots__ = ("config", "dealing", "dealt", "drawing", "mover", "over", "row", "seen")

    def __init__(self, config: GameConfig) -> None:
        self.config = config
        self.row: NDArray[np.uint8] = layout.blank_row(config)
        self.dealt: tuple[int, ...] = ()
        self.dealing = True
        self.drawing = False
        self.over = False
        self.mover = 0
        self.seen: tuple[tuple[HistoryEvent, ...], ...] = ((),) * (config.num_players + 1)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        # OpenSpiel clones states by deep copies, one for every node of a tree.
        copy = type(self).__new__(type(self))
        for name in self.__slots__:
            setattr(copy, name, getattr(self, name))
        copy.row = self.row.copy()
        return copy

    @property
    def game(self) -> GameState:
        """A batch of this one game; its rows are ``row`` itself."""
        return GameState(self.config, self.row[None, :])

    def cards_left(self) -> list[int]:
        """The cards that chance may give next, each as likely as any other; ascending ids."""
        if self.dealing:
            return sorted(set(range(self.config.num_cards)).difference(self.dealt))
        left: list[int] = self._deck().tolist()
        return left

    def dealt_hand(self, seat: int) -> list[int]:
        """The hand that a seat was dealt, ascending; [] while cards are being dealt."""
        if self.dealing:
            return []
        size = self.config.hand_size
        return sorted(self.dealt[seat * size : (seat + 1) * size])

    def dealt_discards(self) -> list[int | None]:
        """Per seat, the starting discard."""
        piles: list[int | None] = [None] * self.config.num_players
        if not self.dealing:
            starting = self.dealt[self.config.num_players * self.config.hand_size :]
            for seat, card in enumerate(starting, start=1):
                piles[seat] = card
        return piles

    def legal_actions(self) -> list[int]:
        """The mover's legal action ids, ascending; [] when chance is to move or nobody is."""
        if self.dealing or self.drawing:
            return []
        mask = np.empty(num_actions(self.config), np.uint8)
        write_mask(self.row, mask)
        legal: list[int] = mask.nonzero()[0].tolist()
        return legal

    def give(self, card: int) -> None:
        """Chance decides the next card.

        Raises:
            IllegalActionError: chance has nothing to decide, or the card is not left.
        """
        if not (self.dealing or self.drawing):
            raise IllegalActionError(f"chance gives card {card}: expected a seat's action")
        left = self.cards_left()
        if card not in left:
            raise IllegalActionError(f"chance gives card {card}: expected one of {left}")
        if self.drawing:
            left.remove(card)
            self._deck()[:] = (card, *left)
            self.drawing = False
            self._apply(_DRAW_DECK)
            return
        self.dealt = (*self.dealt, int(card))
        if len(left) == self.config.deck_size + 1:
            self.dealing = False
            self.row = self._deal().raw[0]

    def act(self, action: int) -> None:
        """The mover takes an action; a draw from the deck waits for chance.

        Raises:
            IllegalActionError: the action is illegal, or chance is to move.
        """
        if self.dealing or self.drawing:
            raise IllegalActionError(f"action {action}: expected a card, chance is to move")
        if self.over or not is_legal(self.row, action):
            raise IllegalActionError(f"action {action}: expected one of {self.legal_actions()}")
        if action == _DRAW_DECK:
            self.drawing = True
        else:
            self._apply(action)

    def _apply(self, action: int) -> None:
        form, before = layout.row_dtype(self.config), self.row.copy()
        apply_one(self.row, action)
        event = event_of(self.config, before.view(form)[0], self.row.view(form)[0], action)
        if event is not None:
            self.seen = tuple(
                (*past, as_seen(event, own=seat == self.mover))
                for seat, past in enumerate(self.seen)
            )
        self.over = bool(self.row[layout.PHASE] == _GAME_OVER)
        self.mover = int(self.row[layout.MOVER])

    def _deck(self) -> NDArray[np.uint8]:
        """The cards left in the deck, a view of the row."""
        start = layout.DECK + int(self.row[layout.DRAWN])
        return self.row[start : layout.DECK + int(self.row[layout.DECK_LENGTH])]

    def _deal(self) -> GameState:
        config = self.config
        hands = [self.dealt_hand(seat) for seat in range(config.num_players)]
        piles = [[] if card is None else [card] for card in self.dealt_discards()]
        deck = sorted(set(range(config.num_cards)).difference(self.dealt))
        return deal_exact(config, hands, deck, piles)
