"""Whether a view from somebody's hands can be a seat's view of a position of its game.

Counts follow from docs/rules.md: every completed turn plants one card and discards one, hands have
their size, and every card is somewhere. So what passes has a completion (``determinize``), a seat
to move has a legal action, and no kernel reads beyond its tables.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from arboretum_env.config import GameConfig
from arboretum_env.errors import CardError, ViewError
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView

_EXTRA: Final = {
    Phase.DRAW_FIRST: 0,
    Phase.DRAW_SECOND: 1,
    Phase.PLAY: 2,
    Phase.PLACE: 2,
    Phase.DISCARD: 1,
    Phase.GAME_OVER: 0,
}
"""Cards that the mover holds beyond the hand size."""

_DRAWN: Final = {Phase.DRAW_FIRST: 0, Phase.DRAW_SECOND: 1, Phase.GAME_OVER: 0}
"""Draws of the turn under way; two in the later phases."""

_EVENTS: Final = {
    Phase.DRAW_FIRST: 0,
    Phase.DRAW_SECOND: 1,
    Phase.PLAY: 2,
    Phase.PLACE: 2,
    Phase.DISCARD: 3,
    Phase.GAME_OVER: 0,
}
"""Events of the turn under way (``arboretum_env.history``)."""

_EVENTS_PER_TURN: Final = 4
_DECK_DRAW = re.compile(r"d\((..)\)")
_PILE_DRAW = re.compile(r"p([0-9])\((..)\)", re.ASCII)
_PLANT = re.compile(r"(..)@-?[0-9]{1,2},-?[0-9]{1,2}", re.ASCII)
_DISCARD = re.compile(r"x(..)")


def check_view(view: PlayerView) -> None:
    """Refuses a view that contradicts itself or its game.

    Raises:
        ViewError: the message says which part, what it is and what was expected.
    """
    _check_clock(view)
    _check_seats(view)
    _check_hands(view)
    for seat in range(view.config.num_players):
        _check_arboretum(view, seat)
    _check_cards(view)
    _check_moves(view)
    if view.history is not None:
        _check_history(view)


def _fail(message: str) -> ViewError:
    return ViewError(f"view: {message}")


def _check_clock(view: PlayerView) -> None:
    config, over = view.config, view.phase is Phase.GAME_OVER
    if not 0 <= view.seat < config.num_players:
        raise _fail(f"seat {view.seat}: expected 0..{config.num_players - 1}")
    latest = config.max_turns - (0 if over else 1)
    earliest = config.min_turns if over else 0
    if not earliest <= view.turn <= latest:
        raise _fail(f"turn {view.turn}: expected {earliest}..{latest}")
    if view.mover != view.turn % config.num_players:
        raise _fail(
            f"mover {view.mover}: expected {view.turn % config.num_players}, the seat of turn "
            f"{view.turn}"
        )
    if not 0 <= view.deck_size <= config.deck_size:
        raise _fail(f"deck_size {view.deck_size}: expected 0..{config.deck_size}")
    if over and view.deck_size:
        raise _fail(f"deck_size {view.deck_size}: the game is over, expected 0")
    if view.phase is Phase.DRAW_FIRST and not view.deck_size:
        raise _fail("deck_size 0: expected the game to be over")
    draws = 2 * view.turn + _DRAWN.get(view.phase, 2)
    if config.deck_size - view.deck_size > draws:
        raise _fail(
            f"deck_size {view.deck_size}: {draws} draws cannot have taken "
            f"{config.deck_size - view.deck_size} cards"
        )


def _check_seats(view: PlayerView) -> None:
    for name in ("known_hands", "discard_piles", "arboreta"):
        given = len(getattr(view, name))
        if given != view.config.num_players:
            raise _fail(f"{name}: {given} seats, expected {view.config.num_players}")


def _hand_size(view: PlayerView, seat: int) -> int:
    return view.config.hand_size + (_EXTRA[view.phase] if seat == view.mover else 0)


def _check_hands(view: PlayerView) -> None:
    if len(view.hand) != _hand_size(view, view.seat):
        raise _fail(f"hand: {len(view.hand)} cards, expected {_hand_size(view, view.seat)}")
    over = view.phase is Phase.GAME_OVER
    for seat, known in enumerate(view.known_hands):
        size = _hand_size(view, seat)
        if len(known) > size or (over and len(known) < size):
            raise _fail(
                f"known_hands: {len(known)} cards of seat {seat}, expected "
                f"{size if over else f'at most {size}'}"
            )
    if not view.known_hands[view.seat] <= set(view.hand):
        raise _fail("known_hands: the observer's own known cards are not all in its hand")
    own_choice = view.phase is Phase.PLACE and view.mover == view.seat
    if (view.chosen_card is not None) != own_choice:
        expected = "the card about to be placed" if own_choice else "null"
        raise _fail(f"chosen_card: expected {expected}")
    if view.chosen_card is not None and view.chosen_card not in view.hand:
        raise _fail(f"chosen_card {view.config.card_text(view.chosen_card)}: not in the hand")


def _check_arboretum(view: PlayerView, seat: int) -> None:
    config, planted = view.config, view.arboreta[seat]
    turns = (view.turn - seat + config.num_players - 1) // config.num_players
    expected = turns + (view.phase is Phase.DISCARD and seat == view.mover)
    if len(planted) != expected:
        raise _fail(f"arboreta: {len(planted)} cards of seat {seat}, expected {expected}")
    taken: set[tuple[int, int]] = set()
    for x, y, card in planted:
        near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}
        if (x, y) in taken or not (near & taken if taken else (x, y) == (0, 0)):
            raise _fail(
                f"arboreta: {config.card_text(card)} of seat {seat} at {_short(x)},{_short(y)}: "
                "expected the first card at 0,0, each later one on a free cell next to an "
                "earlier one"
            )
        taken.add((x, y))


def _short(number: int) -> str:
    """Python refuses to print integers of thousands of digits."""
    return str(number) if abs(number) < 10**6 else "..."


def _shown_cards(view: PlayerView) -> Iterator[int]:
    yield from view.hand
    for seat, known in enumerate(view.known_hands):
        if seat != view.seat:
            yield from known
    for pile in view.discard_piles:
        yield from pile
    for planted in view.arboreta:
        yield from (card for _, _, card in planted)


def _check_cards(view: PlayerView) -> None:
    config = view.config
    seen: set[int] = set()
    for card in _shown_cards(view):
        if card in seen:
            raise _fail(f"{config.card_text(card)} stands in two places")
        seen.add(card)
    hidden = sum(
        _hand_size(view, seat) - len(known)
        for seat, known in enumerate(view.known_hands)
        if seat != view.seat
    )
    if config.num_cards - len(seen) != hidden + view.deck_size:
        raise _fail(
            f"{config.num_cards - len(seen)} cards are not shown, expected "
            f"{hidden + view.deck_size}: {hidden} in rivals' hands and {view.deck_size} in the deck"
        )


def _check_moves(view: PlayerView) -> None:
    previous = (view.mover - 1) % view.config.num_players
    if view.phase is Phase.DRAW_FIRST and view.turn and not view.discard_piles[previous]:
        raise _fail(f"discard_piles: seat {previous} has just discarded, expected a card there")
    if view.phase is Phase.DRAW_SECOND and not (view.deck_size or any(view.discard_piles)):
        raise _fail("discard_piles: no card left to draw, expected one")


def _check_history(view: PlayerView) -> None:
    """Events are of the right kinds, from the last one backwards; their content is believed."""
    assert view.history is not None
    config = view.config
    whole = _EVENTS_PER_TURN * view.turn + _EVENTS[view.phase]
    if len(view.history) > whole:
        raise _fail(f"history: {len(view.history)} events, expected at most {whole}")
    first = whole - len(view.history)
    for number, event in enumerate(view.history, start=first):
        turn, part = divmod(number, _EVENTS_PER_TURN)
        own = turn % config.num_players == view.seat
        if not _PARTS[part](config, event, own):
            raise _fail(f"history: event {number - first}, {event[:40]!r}, cannot stand there")


def _is_card(config: GameConfig, text: str) -> bool:
    try:
        config.parse_card(text)
    except CardError:
        return False
    return True


def _is_draw(config: GameConfig, event: str, own: bool) -> bool:
    if pile := _PILE_DRAW.fullmatch(event):
        return int(pile[1]) < config.num_players and _is_card(config, pile[2])
    deck = _DECK_DRAW.fullmatch(event)
    return deck is not None and _is_card(config, deck[1]) if own else event == "?"


def _is_plant(config: GameConfig, event: str, own: bool) -> bool:
    match = _PLANT.fullmatch(event)
    return match is not None and _is_card(config, match[1])


def _is_discard(config: GameConfig, event: str, own: bool) -> bool:
    match = _DISCARD.fullmatch(event)
    return match is not None and _is_card(config, match[1])


_PARTS: Final[tuple[Callable[[GameConfig, str, bool], bool], ...]] = (
    _is_draw,
    _is_draw,
    _is_plant,
    _is_discard,
)
