"""A real game noted from one chair: what is entered turn by turn, and what may come next.

The record holds ``?`` for what the note-taker cannot see, and is checked with every event
(``arboretum_env.records.replay``). Events are written as in histories: ``d(M7)`` the own draw from
the deck, ``?`` a rival's, ``p1`` the top of seat 1's pile, ``M7@0,1`` a plant, ``xG2`` a discard.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from arboretum_env.cards import SPECIES_NAMES
from arboretum_env.config import GameConfig
from arboretum_env.errors import RecordError
from arboretum_env.history import HistoryKeeper
from arboretum_env.phase import Phase
from arboretum_env.records.record import DECK, UNKNOWN, GameRecord, TurnRecord
from arboretum_env.records.replay import Position, positions, replay
from arboretum_env.records.scoresheet import state_sheet
from arboretum_env.records.tokens import add_token
from arboretum_env.view import PlayerView, redact

_OWN_DRAW: Final = re.compile(r"d\(([A-Z][0-9])\)", re.ASCII)
_FROM_PILE: Final = re.compile(r"p([0-9])", re.ASCII)
_DRAWING: Final = (Phase.DRAW_FIRST, Phase.DRAW_SECOND)


def begin(
    config: GameConfig,
    seat: int,
    hand: Sequence[int],
    discards: Sequence[Sequence[int]] = (),
    names: Sequence[str] = (),
) -> GameRecord:
    """The record of a game of which one hand has been seen.

    Raises:
        RecordError: a wrong number of cards, a card twice, a name that cannot be written.
    """
    if not 0 <= seat < config.num_players:
        raise RecordError(f"seat {seat}: expected 0..{config.num_players - 1}")
    unseen = (UNKNOWN,) * config.hand_size
    return GameRecord(
        config=config,
        hands=tuple(tuple(hand) if k == seat else unseen for k in range(config.num_players)),
        deck=(UNKNOWN,) * config.deck_size,
        discards=tuple(map(tuple, discards)),
        seats=tuple(names),
    )


def chairs(record: GameRecord) -> list[int]:
    """The seats that a record may have been noted from: it knows what they were dealt and drew."""
    seats = range(record.config.num_players)
    known = {seat for seat in seats if UNKNOWN not in record.hands[seat]}
    deck = iter(record.deck)
    for number, turn in enumerate(record.turns):
        for draw in turn.draws:
            if draw.pile == DECK and next(deck, UNKNOWN) == UNKNOWN:
                known.discard(number % record.config.num_players)
    return sorted(known)


@dataclass(frozen=True)
class Moment:
    """Where a record stands, seen from a seat.

    Attributes:
        record: the record.
        position: after its last event.
        view: what the seat knows; unknown cards are no part of it.
    """

    record: GameRecord
    position: Position
    view: PlayerView

    @property
    def phase(self) -> Phase:
        """What comes next."""
        return self.view.phase


def moment(record: GameRecord, seat: int) -> Moment:
    """Plays a record to its end, as far as it is noted, for the eyes of one seat.

    Raises:
        RecordError: an illegal event, or cards that the seat must have seen are not noted.
    """
    if not 0 <= seat < record.config.num_players:
        raise RecordError(f"seat {seat}: expected 0..{record.config.num_players - 1}")
    first, *later = positions(record)
    keeper = HistoryKeeper(first.state)
    before = first.state
    for position in later:
        keeper.note(before, position.state, np.array(position.actions[-1:]))
        before = position.state
    last = later[-1] if later else first
    if seat not in chairs(record):
        raise RecordError(
            f"cards that seat {seat} held or drew were not noted: open the record from the chair "
            f"that it was noted from ({', '.join(map(str, chairs(record))) or 'none'})"
        )
    [history] = keeper.histories(np.zeros(1, np.int64), np.array([seat]))
    observation = redact(last.state, seat).observation[0]
    view = PlayerView.from_observation(record.config, observation, history)
    return Moment(record, last, view)


def unseen_cards(view: PlayerView) -> list[int]:
    """The cards whose place the seat does not know."""
    seen = {*view.hand}
    seen.update(*view.known_hands, *view.discard_piles)
    seen.update(card for planted in view.arboreta for _, _, card in planted)
    return [card for card in range(view.config.num_cards) if card not in seen]


def possible_cards(view: PlayerView, hidden: int) -> list[int]:
    """The cards that the seat to move may plant or discard, as far as the view's seat knows.

    Args:
        view: of any seat.
        hidden: how many cards of the seat to move the view's seat does not know.
    """
    if view.mover == view.seat:
        return list(view.hand)
    known = view.known_hands[view.mover]
    return sorted([*known, *(unseen_cards(view) if hidden else ())])


def note(record: GameRecord, seat: int, event: str) -> GameRecord:
    """The record with one more event, checked. At the end it holds the result, if that follows.

    Raises:
        RecordError: the event cannot have happened; the message says why.
    """
    now = moment(record, seat)
    if now.phase is Phase.GAME_OVER:
        raise RecordError("the game is over: the deck was empty after the last turn")
    if now.phase in _DRAWING:
        record, token = _draw(now, seat, event)
    else:
        token = event
        _check_unseen(now, seat, event)
    turns = record.turns
    turn = turns[-1] if turns and not turns[-1].complete else None
    grown = add_token(record.config, turn or TurnRecord(), token)
    record = replace(record, turns=(*(turns[:-1] if turn else turns), grown), source=None)
    *_, last = positions(record)
    if last.state.done[0] and not last.unknown:
        sheet = state_sheet(last.state)
        record = replace(record, result=sheet.scores, winners=sheet.winners)
    replay(record)
    return record


def _draw(now: Moment, seat: int, event: str) -> tuple[GameRecord, str]:
    """The record with the drawn card in its deck, and the token of the draw."""
    record, view = now.record, now.view
    own = _OWN_DRAW.fullmatch(event)
    pile = _FROM_PILE.fullmatch(event)
    if own is not None:
        if view.mover != seat:
            raise RecordError(f"a card that seat {view.mover} draws from the deck is not seen")
        card = record.config.parse_card(own[1])
        _refuse_seen(view, card)
        place = len(record.deck) - view.deck_size
        if place == len(record.deck):
            raise RecordError("the deck is empty: expected a draw from a pile")
        deck = (*record.deck[:place], card, *record.deck[place + 1 :])
        return replace(record, deck=deck), "d"
    if event in ("d", "?"):
        if view.mover == seat:
            raise RecordError("which card was it? Write d(M7) for your own draw of M7")
        return record, "?"
    if pile is not None:
        owner = int(pile[1])
        cards = view.discard_piles[owner] if owner < len(view.discard_piles) else ()
        if not cards:
            raise RecordError(f"seat {owner} has no discard pile to draw from")
        return record, f"p{owner}({record.config.card_text(cards[-1])})"
    raise RecordError(f"{event[:20]!r}: expected a draw: d(M7), ? or p0")


def _check_unseen(now: Moment, seat: int, event: str) -> None:
    """Refuses a rival's card that lies elsewhere, and says where, which replay could not."""
    view, config = now.view, now.record.config
    if view.mover == seat:
        return
    text = event.removeprefix("x").partition("@")[0]
    card = config.parse_card(text)
    if card not in view.known_hands[view.mover]:
        _refuse_seen(view, card)


def _refuse_seen(view: PlayerView, card: int) -> None:
    """Raises ``RecordError`` where a card lies that the seat knows."""
    text = view.config.card_text(card)
    name = f"{SPECIES_NAMES[text[0]]} {text[1:]}"
    where = ""
    if card in view.hand:
        where = "in your hand"
    for seat in range(view.config.num_players):
        if seat != view.seat and card in view.known_hands[seat]:
            where = f"in seat {seat}'s hand, taken from a pile"
        if card in view.discard_piles[seat]:
            where = f"on seat {seat}'s pile"
        if any(card == planted for _, _, planted in view.arboreta[seat]):
            where = f"in seat {seat}'s arboretum"
    if where:
        raise RecordError(f"{name} is {where}")


def take_back(record: GameRecord) -> GameRecord:
    """The record without its last event.

    Raises:
        RecordError: there is none.
    """
    if not record.turns:
        raise RecordError("nothing has been noted yet")
    *before, turn = record.turns
    deck = record.deck
    if turn.discard is not None:
        turn = replace(turn, discard=None, comment="")
    elif turn.card is not None:
        turn = replace(turn, card=None, cell=None)
    else:
        last = turn.draws[-1]
        if last.pile == DECK and last.seen:
            drawn = sum(d.pile == DECK for t in record.turns for d in t.draws)
            deck = (*deck[: drawn - 1], UNKNOWN, *deck[drawn:])
        turn = replace(turn, draws=turn.draws[:-1])
    turns = (*before, turn) if turn.draws else tuple(before)
    return replace(record, turns=turns, deck=deck, result=None, winners=None, source=None)
