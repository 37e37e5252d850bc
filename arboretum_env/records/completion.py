"""A deal with unknown cards, completed to one that the engine can play.

A game noted from one chair leaves cards unknown: ``?`` in a rival's hand and in the deck. What the
moves reveal (a card planted or discarded must have been in that hand) is put where it can have
been; the rest of the unseen cards fill the rest of the places in an arbitrary order. Whether a move
is legal does not depend on that order, so the engine can judge the record. The cards filled in are
never shown: see ``Position.unknown``.
"""

from dataclasses import dataclass

from arboretum_env.records.record import DECK, UNKNOWN, GameRecord


@dataclass(frozen=True)
class CompleteDeal:
    """A deal without unknown cards.

    Attributes:
        hands: cards per absolute seat.
        deck: in draw order.
        filled: the cards that the record did not place; empty when it knows every card.
    """

    hands: list[list[int]]
    deck: list[int]
    filled: frozenset[int]


def complete_deal(record: GameRecord) -> CompleteDeal:
    """A complete deal in which the record's moves can be judged."""
    hands = [list(hand) for hand in record.hands]
    deck = list(record.deck)
    noted = {card for cards in (*hands, deck, *record.discards) for card in cards}
    filled = frozenset(range(record.config.num_cards)) - noted
    unseen = sorted(filled)
    # Places (list, index) whose card is unknown, by who can have it in hand now.
    in_hand = [
        [(hand, index) for index, card in enumerate(hand) if card == UNKNOWN] for hand in hands
    ]
    drawn = 0
    for number, turn in enumerate(record.turns):
        places = in_hand[number % record.config.num_players]
        for draw in turn.draws:
            if draw.pile == DECK and drawn < len(deck):
                if deck[drawn] == UNKNOWN:
                    places.append((deck, drawn))
                drawn += 1
        for card in (turn.card, turn.discard):
            if card in unseen and places:
                cards, index = places.pop(0)
                cards[index] = card
                unseen.remove(card)
    for cards in (*hands, deck):
        for index, card in enumerate(cards):
            if card == UNKNOWN:
                cards[index] = unseen.pop()
    return CompleteDeal(hands, deck, filled)
