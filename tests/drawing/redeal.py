"""Other deals of a record that one seat, to the record's end, cannot tell from the true one."""

from collections.abc import Iterator
from dataclasses import replace

from arboretum_env.records.record import DECK, GameRecord

NEVER = 10**6


def other_deals(record: GameRecord, seat: int) -> Iterator[GameRecord]:
    """Records of the same moves, each with two cards exchanged whose places the seat never knew.

    Cards that are both hidden at the end change places, and so do two cards that a rival held
    hidden at the same time: one drew it before the other, and nobody else can say which.
    """
    players = record.config.num_players
    first_seen = _first_seen(record)
    came: dict[int, list[tuple[int, int]]] = {player: [] for player in range(players)}
    for player in range(players):
        came[player] += [(-1, card) for card in record.hands[player]]
    deck = iter(record.deck)
    for number, turn in enumerate(record.turns):
        came[number % players] += [(number, next(deck)) for draw in turn.draws if draw.pile == DECK]
    rest = list(deck)
    for player in range(players):
        if player == seat:
            continue
        held = came[player]
        for index, (_, first) in enumerate(held):
            for when, second in held[index + 1 :]:
                if first_seen.get(first, NEVER) > when and when > -1:
                    yield _exchange(record, first, second)
        unseen = [card for _, card in held if card not in first_seen]
        if not record.turns or not _over(record):
            yield from (_exchange(record, first, second) for first in unseen for second in rest)


def _over(record: GameRecord) -> bool:
    return record.result is not None


def _first_seen(record: GameRecord) -> dict[int, int]:
    """Card -> the turn in which it was first planted or discarded."""
    seen: dict[int, int] = {}
    for number, turn in enumerate(record.turns):
        shown = [turn.card if turn.cell is not None else None, turn.discard]
        for card in shown:
            if card is not None:
                seen.setdefault(card, number)
    return seen


def _exchange(record: GameRecord, first: int, second: int) -> GameRecord:
    """The record with two cards of its deal in each other's places, and the same moves."""
    swap = {first: second, second: first}
    turns = record.turns
    if turns and turns[-1].card is not None and turns[-1].cell is None:  # chosen, and not yet shown
        chosen = turns[-1].card
        turns = (*turns[:-1], replace(turns[-1], card=swap.get(chosen, chosen)))
    return replace(
        record,
        turns=turns,
        hands=tuple(tuple(swap.get(card, card) for card in hand) for hand in record.hands),
        deck=tuple(swap.get(card, card) for card in record.deck),
    )
