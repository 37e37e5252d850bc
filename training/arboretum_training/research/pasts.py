"""What a seat has seen of a game, as slots: which of the deal's cards went unseen to whom, when.

``N`` denotes deals, ``C`` cards in play, ``T`` decisions so far. A deal is the cards in the order
in which they are dealt: hands by seat, starting discards, deck. A seat knows some of a deal's
slots: its own hand, the starting discards, its own draws. The others went to a rival's hand (dealt,
or drawn from the deck as ``?``), or lie in the deck still. A deal agrees with what was seen if
every card that a rival has shown without having taken it from a pile lies in a slot that had come
to that rival by then. All such deals are equally likely before anybody's choices are looked at.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from arboretum_env.actions import Action, encode, torus_cell
from arboretum_env.config import GameConfig
from arboretum_env.errors import ViewError
from arboretum_env.history import HIDDEN_DRAW
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView

EVENTS_PER_TURN: Final = 4  # two draws, the plant, the discard
_EVENTS_OF_PHASE: Final = {
    Phase.DRAW_FIRST: 0,
    Phase.DRAW_SECOND: 1,
    Phase.PLAY: 2,
    Phase.PLACE: 2,
    Phase.DISCARD: 3,
    Phase.GAME_OVER: 0,
}


@dataclass(frozen=True)
class Shown:
    """One thing that a seat learned of the deal.

    Attributes:
        at: number of the event in the history.
        kind: ``drawn``: the seat drew the card; ``revealed``: a rival planted or discarded it,
            which it had not taken from a pile; ``received``: a rival drew from the deck unseen.
        card: its id; -1 where it was not seen.
        slot: of ``drawn`` and ``received``, the place in the deal.
        seat: of ``received`` and ``revealed``, the rival.
        decision: how many decisions of all seats came before.
    """

    at: int
    kind: Literal["drawn", "revealed", "received"]
    card: int
    slot: int
    seat: int
    decision: int


@dataclass
class Past:
    """A history, read.

    Attributes:
        config: the game's options.
        seat: the observer.
        known: [C] the card of every slot that was known when play began, -1 for the others.
        owners: [C] the rival that held a slot's card unseen from the deal on, -1 for the others.
        shown: what was learned since, in order.
        actions: [T] flat ids of the decisions so far.
        movers: [T] whose they were.
        decisions: by number of events, the decisions that they took.
    """

    config: GameConfig
    seat: int
    known: NDArray[np.int64]
    owners: NDArray[np.int64]
    shown: list[Shown] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)
    decisions: list[int] = field(default_factory=lambda: [0])


def past_of(view: PlayerView) -> Past:
    """Reads what a seat has seen.

    Raises:
        ViewError: a view without its history, or with one that began after the game did.
    """
    config, events = view.config, _whole_history(view)
    own, owned = _own_hand(view, events)
    reader = _Reader(view, events)
    reader.read()
    cards = config.num_cards
    known, owners = np.full(cards, -1), np.full(cards, -1)
    for seat in range(config.num_players):
        first = seat * config.hand_size
        owners[first : first + config.hand_size] = seat
    known[own], owners[own] = owned, -1
    first = config.num_players * config.hand_size
    for number, card in enumerate(reader.starting):
        known[first + number] = card
    return Past(
        config, view.seat, known, owners, reader.shown, reader.actions, reader.movers,
        reader.decisions,
    )  # fmt: skip


def _whole_history(view: PlayerView) -> tuple[str, ...]:
    expected = EVENTS_PER_TURN * view.turn + _EVENTS_OF_PHASE[view.phase]
    if view.history is None:
        raise ViewError("the view has no history, which this belief is made of: keep it")
    if len(view.history) != expected:
        raise ViewError(
            f"a history of {len(view.history)} events: expected {expected}, of the whole game"
        )
    return view.history


def _own_hand(view: PlayerView, events: Sequence[str]) -> tuple[slice, list[int]]:
    """The slots and the cards of the hand that the observer was dealt."""
    config = view.config
    received: set[int] = set()  # drawn, and still in hand
    dealt: list[int] = []
    for number, event in enumerate(events):
        if number // EVENTS_PER_TURN % config.num_players != view.seat:
            continue
        if number % EVENTS_PER_TURN < 2:
            received.add(config.parse_card(event[event.index("(") + 1 : -1]))
            continue
        card = config.parse_card(event.partition("@")[0].removeprefix("x"))
        if card in received:
            received.remove(card)
        else:
            dealt.append(card)
    dealt += [card for card in view.hand if card not in received]
    first = view.seat * config.hand_size
    return slice(first, first + config.hand_size), sorted(dealt)


class _Reader:
    """Walks through the events with the piles in mind."""

    def __init__(self, view: PlayerView, events: Sequence[str]) -> None:
        config = self.config = view.config
        self.view, self.events = view, events
        self.shown: list[Shown] = []
        self.actions: list[int] = []
        self.movers: list[int] = []
        self.decisions = [0]
        self.starting: list[int] = [-1] * (config.num_cards - config.deck_size
                                           - config.num_players * config.hand_size)  # fmt: skip
        self._next = config.num_cards - config.deck_size  # slot of the deck's next card
        self._piles: list[list[int]] = [[] for _ in range(config.num_players)]
        self._taken: dict[int, int] = {}  # card from a pile -> whose hand it is in

    def read(self) -> None:
        for number, event in enumerate(self.events):
            seat = number // EVENTS_PER_TURN % self.config.num_players
            part = number % EVENTS_PER_TURN
            if part < 2:
                self._draw(number, seat, event)
            else:
                self._show(number, seat, event)
            self.decisions.append(len(self.actions))
        for seat, pile in enumerate(self.view.discard_piles):
            if seat and self.starting and self.starting[seat - 1] < 0:
                self.starting[seat - 1] = pile[0]

    def _act(self, seat: int, kind: str, index: int) -> None:
        self.actions.append(encode(self.config, Action(kind, index)))  # type: ignore[arg-type]
        self.movers.append(seat)

    def _draw(self, number: int, seat: int, event: str) -> None:
        at = len(self.actions)
        if event == HIDDEN_DRAW or event.startswith("d("):
            own = event != HIDDEN_DRAW
            card = self.config.parse_card(event[2:-1]) if own else -1
            kind: Literal["drawn", "received"] = "drawn" if own else "received"
            self.shown.append(Shown(number, kind, card, self._next, seat, at))
            self._next += 1
            self._act(seat, "draw_deck", 0)
            return
        owner, card = int(event[1]), self.config.parse_card(event[3:-1])
        if self._piles[owner]:
            self._piles[owner].pop()
        else:
            self.starting[owner - 1] = card
        self._taken[card] = seat
        self._act(seat, "draw_discard", (owner - seat) % self.config.num_players)

    def _show(self, number: int, seat: int, event: str) -> None:
        planted = not event.startswith("x")
        text, _, cell = event.removeprefix("x").partition("@")
        card = self.config.parse_card(text)
        if self._taken.pop(card, None) is None and seat != self.view.seat:
            self.shown.append(Shown(number, "revealed", card, -1, seat, len(self.actions)))
        if planted:
            x, y = map(int, cell.split(","))
            self._act(seat, "play_card", card)
            self._act(seat, "place_cell", torus_cell(self.config, x, y))
        else:
            self._piles[seat].append(card)
            self._act(seat, "discard_card", card)
