"""What a seat knows as text: its whole past for perfect recall, or the present alone."""

from collections.abc import Iterable
from typing import Final

from arboretum_env.config import GameConfig
from arboretum_env.engine.layout import CHOSEN
from arboretum_env.openspiel.table import NOBODY, Table
from arboretum_env.view import PlayerView, redact

UNKNOWN_CHOICE: Final = "?@"
"""A rival has chosen a card and not yet placed it."""


def cards_text(config: GameConfig, cards: Iterable[int | None]) -> str:
    """Card texts with spaces between; ``-`` for none."""
    return " ".join("-" if card is None else config.card_text(card) for card in cards) or "-"


def information_text(table: Table, seat: int | None) -> str:
    """A seat's information state: its deal and everything that it has seen since.

    The tokens are a history's (``arboretum_env.history``), four a turn from seat 0 on. A card that
    is chosen and not yet placed is ``M7@`` to its holder and ``?@`` to the others. After the end
    all hands are public and follow.

    Args:
        table: the game.
        seat: the observer; None for a spectator, who sees what is public.
    """
    config = table.config
    parts = ["spectator" if seat is None else f"seat {seat}"]
    if seat is not None:
        parts.append(f"hand {cards_text(config, table.dealt_hand(seat))}")
    if table.dealing:
        return " | ".join(parts)
    if config.starting_discards:
        parts.append(f"discards {cards_text(config, table.dealt_discards())}")
    events = table.seen[-1 if seat is None else seat]
    if table.choosing:
        own = seat == table.to_move
        events += (f"{config.card_text(int(table.row[CHOSEN]))}@" if own else UNKNOWN_CHOICE,)
    parts.append(" ".join(events))
    if table.to_move == NOBODY:
        game = table.game
        hands = (cards_text(config, game.hand(0, p)) for p in range(config.num_players))
        parts.append(f"hands {' / '.join(hands)}")
    return " | ".join(parts)


def present_text(table: Table, seat: int | None) -> str:
    """What is true now and known to a seat, or to a spectator."""
    config = table.config
    view = redact(table.game, seat or 0)[0]
    parts = [
        "spectator" if seat is None else f"seat {seat}",
        f"to move {view.mover} {view.phase.name} turn {view.turn} deck {view.deck_size}",
    ]
    if seat is not None:
        parts.append(private_text(view))
    known = (cards_text(config, sorted(cards)) for cards in view.known_hands)
    piles = (cards_text(config, pile) for pile in view.discard_piles)
    arboreta = (
        " ".join(f"{config.card_text(card)}@{x},{y}" for x, y, card in arboretum) or "-"
        for arboretum in view.arboreta
    )
    parts += [
        f"known {' / '.join(known)}",
        f"piles {' / '.join(piles)}",
        f"arboreta {' / '.join(arboreta)}",
    ]
    return " | ".join(parts)


def private_text(view: PlayerView) -> str:
    """What a seat alone knows now: its hand, and its chosen card."""
    hand = f"hand {cards_text(view.config, view.hand)}"
    if view.chosen_card is None:
        return hand
    return f"{hand} chosen {view.config.card_text(view.chosen_card)}"
