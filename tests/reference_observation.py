"""What a seat may know, told from the reference game's own public knowledge.

The list of integers follows the published observation layout: first a row of four numbers per card
(place, order, x, y), card by card, then nine single numbers. Seats are counted from the observer.

place: 0 unseen; 1 own hand; 2 own hand and publicly known; 3, 4, 5 publicly known in the hand of
the next, next but one, ... seat; 6, 7, 8, 9 on the observer's, the next ... seat's discard pile;
10, 11, 12, 13 in the observer's, the next ... seat's arboretum.
order: cards above it in its pile, or cards planted before it in its arboretum; else -1.
x, y: true coordinates in an arboretum; else 0.
Then: the mover counted from the observer, the observer's seat, the phase, the deck's size, the
turns completed, the card chosen but not placed (its chooser alone sees it; else -1), and the rule
options: starting discards, an opponent's 1 cancels the 8, everybody has every right.
"""

from tests.reference import DISCARD, FIRST, OVER, PLACE, PLAY, SECOND, ReferenceGame

PHASES = (FIRST, SECOND, PLAY, PLACE, DISCARD, OVER)
NOWHERE = (0, -1, 0, 0)


def observation(game: ReferenceGame, seat: int) -> list[int]:
    """The observation of an absolute seat."""
    options = game.options
    players = options.num_players
    where: dict[str, tuple[int, int, int, int]] = {}
    for k in range(players):
        other = (seat + k) % players
        # Once the game is over all hands are shown.
        known = set(game.hands[other]) if game.over else game.known[other]
        for card in game.hands[other]:
            if k == 0:
                where[card] = (2 if card in known else 1, -1, 0, 0)
            elif card in known:
                where[card] = (2 + k, -1, 0, 0)
        for depth, card in enumerate(reversed(game.discards[other])):
            where[card] = (6 + k, depth, 0, 0)
        for number, ((x, y), card) in enumerate(game.arboreta[other].items()):
            where[card] = (10 + k, number, x, y)

    cards = options.cards
    numbers = [number for card in cards for number in where.get(card, NOWHERE)]
    chosen_visible = game.chosen is not None and seat == game.mover
    return [
        *numbers,
        (game.mover - seat) % players,
        seat,
        PHASES.index(game.phase),
        len(game.deck),
        game.turn,
        cards.index(game.chosen) if chosen_visible and game.chosen else -1,
        int(options.starting_discards),
        int(options.cancel_eights),
        int(options.rights == "all"),
    ]
