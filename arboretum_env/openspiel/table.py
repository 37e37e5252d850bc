"""One game of the engine whose cards chance deals one by one.

The engine fixes the deck's order at the deal. OpenSpiel wants every card that comes out of the deck
to be a chance node, uniform over what is left. So the deck of the row is a set here, kept in rising
order of card ids behind what was drawn; whatever chance decides is moved to its front just before
the engine draws it. At the end the row is, byte for byte, that of a game dealt with this deck.
"""

from dataclasses import dataclass, replace
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

CHANCE: Final = -1
NOBODY: Final = -4  # the game is over; both as OpenSpiel numbers them

_DRAW_DECK: Final = 0
_PLACE: Final = int(Phase.PLACE)
_GAME_OVER: Final = int(Phase.GAME_OVER)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A game, the past as each seat saw it, and whether chance is to decide something.

    It never changes: a decision makes another one. So the clones of a state, one for every node of
    a tree, share their table.

    Attributes:
        config: the game's options.
        row: [row bytes] uint8, the engine's game; not to be written. While cards are being dealt, a
            blank row but for the hands so far.
        seen: per seat, its history (``arboretum_env.history``), and last a spectator's.
        dealt: card ids that were dealt before play: hands by seat, then starting discards in seat
            order, which show when all are out.
        dealing: cards of the deal are still to come.
        drawing: the mover draws from the deck, and chance has not decided the card.
        to_move: the absolute seat to move, ``CHANCE`` or ``NOBODY``.
    """

    config: GameConfig
    row: NDArray[np.uint8]
    seen: tuple[tuple[HistoryEvent, ...], ...]
    dealt: tuple[int, ...] = ()
    dealing: bool = True
    drawing: bool = False
    to_move: int = CHANCE

    @classmethod
    def undealt(cls, config: GameConfig) -> Self:
        """The table before the first card."""
        return cls(config, layout.blank_row(config), ((),) * (config.num_players + 1))

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    @property
    def game(self) -> GameState:
        """A batch of this one game, for the engine's questions; not to be changed."""
        return GameState(self.config, self.row[None, :])

    @property
    def choosing(self) -> bool:
        """Whether the mover has chosen a card and not yet placed it."""
        return bool(self.row[layout.PHASE] == _PLACE)

    def cards_left(self) -> list[int]:
        """The cards that chance may give next, each as likely as any other; ascending ids."""
        if self.dealing:
            return sorted(set(range(self.config.num_cards)).difference(self.dealt))
        left: list[int] = _deck(self.row).tolist()
        return left

    def dealt_hand(self, seat: int) -> list[int]:
        """The hand that a seat was dealt, or has been so far, ascending."""
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
        if self.to_move < 0:
            return []
        mask = np.empty(num_actions(self.config), np.uint8)
        write_mask(self.row, mask)
        legal: list[int] = mask.nonzero()[0].tolist()
        return legal

    def give(self, card: int) -> "Table":
        """The table after chance has decided the next card.

        Raises:
            IllegalActionError: chance has nothing to decide, or the card is not left.
        """
        if self.to_move != CHANCE:
            raise IllegalActionError(f"chance gives card {card}: expected a seat's action")
        left = self.cards_left()
        if card not in left:
            raise IllegalActionError(f"chance gives card {card}: expected one of {left}")
        left.remove(card)
        if self.drawing:
            row = self.row.copy()
            _deck(row)[:] = (card, *left)
            return self._after(row, _DRAW_DECK)
        receiver, row = len(self.dealt) // self.config.hand_size, self.row.copy()
        if receiver < self.config.num_players:
            row[layout.PLACE + card] = layout.IN_HAND + receiver
        table = replace(self, row=row, dealt=(*self.dealt, int(card)))
        return table._lay_out(left) if len(left) == self.config.deck_size else table

    def act(self, action: int) -> "Table":
        """The table after an action of the mover; a draw from the deck waits for chance.

        Raises:
            IllegalActionError: the action is illegal, or chance is to move.
        """
        if self.to_move == CHANCE:
            raise IllegalActionError(f"action {action}: expected a card, chance is to move")
        if self.to_move == NOBODY or not is_legal(self.row, action):
            raise IllegalActionError(f"action {action}: expected one of {self.legal_actions()}")
        if action == _DRAW_DECK:
            return Table(self.config, self.row, self.seen, self.dealt, False, True, CHANCE)
        return self._after(self.row, action)

    def _after(self, before: NDArray[np.uint8], action: int) -> "Table":
        config, form, row = self.config, layout.row_dtype(self.config), before.copy()
        apply_one(row, action)
        event = event_of(config, before.view(form)[0], row.view(form)[0], action)
        seen = self.seen
        if event is not None:
            mover = int(before[layout.MOVER])
            seen = tuple(
                (*past, as_seen(event, own=seat == mover)) for seat, past in enumerate(seen)
            )
        to_move = NOBODY if row[layout.PHASE] == _GAME_OVER else int(row[layout.MOVER])
        return Table(config, row, seen, self.dealt, False, False, to_move)

    def _lay_out(self, deck: list[int]) -> "Table":
        dealt = replace(self, dealing=False, to_move=0)
        hands = [dealt.dealt_hand(seat) for seat in range(self.config.num_players)]
        piles = [[] if card is None else [card] for card in dealt.dealt_discards()]
        return replace(dealt, row=deal_exact(self.config, hands, deck, piles).raw[0])


def _deck(row: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The cards left in the deck, a view of the row."""
    start = layout.DECK + int(row[layout.DRAWN])
    return row[start : layout.DECK + int(row[layout.DECK_LENGTH])]
