"""Two deals of which a seat cannot tell which one it plays, although all play the same moves.

Cards that the seat never sees drawn change places: in rivals' hands and in the deck. A swap is
kept if every move of a given game stays legal, so a rival's card is still drawn before it is
played; all that the seat sees of the game stays the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal, deal_exact, initial_deal
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.errors import IllegalActionError


@dataclass(frozen=True)
class Script:
    """A whole game: its deal, and every decision."""

    config: GameConfig
    hands: tuple[tuple[int, ...], ...]
    deck: tuple[int, ...]
    discards: tuple[tuple[int, ...], ...]
    actions: tuple[int, ...]

    def form(self) -> dict[str, object]:
        """The deal as a new game's form takes it."""
        text = self.config.card_text
        deal: dict[str, object] = {
            "hands": [[text(card) for card in hand] for hand in self.hands],
            "deck": [text(card) for card in self.deck],
        }
        if any(self.discards):
            deal["discards"] = [[text(card) for card in pile] for pile in self.discards]
        return deal


def random_script(config: GameConfig, rng: np.random.Generator) -> Script:
    """A game of random moves, mostly draws from the deck so that much stays hidden."""
    state = deal(config, int(rng.integers(2**31)), [0])
    hands, deck, discards = initial_deal(state, 0)
    actions = []
    while not state.done[0]:
        legal = np.flatnonzero(legal_action_mask(state)[0])
        action = 0 if legal[0] == 0 and rng.random() < 0.7 else int(rng.choice(legal))
        actions.append(action)
        apply_action(state, np.array([action]))
    return Script(
        config, tuple(map(tuple, hands)), tuple(deck), tuple(map(tuple, discards)), tuple(actions)
    )


def twin(script: Script, seat: int, rng: np.random.Generator, swaps: int) -> Script:
    """The same game with hidden cards redistributed, as far as that many tries do it."""
    seats = range(script.config.num_players)
    slots = [(k, i) for k in seats if k != seat for i in range(len(script.hands[k]))]
    slots += [(-1, i) for i in set(range(len(script.deck))) - _drawn_by(script, seat)]
    best = script
    for _ in range(swaps):
        one, two = rng.choice(len(slots), 2, replace=False)
        tried = _swapped(best, slots[one], slots[two])
        if _legal(tried):
            best = tried
    return best


def _drawn_by(script: Script, seat: int) -> set[int]:
    """The deck positions of the cards that a seat draws."""
    drawn, position = set(), 0
    decisions = 5  # of a turn
    for number, action in enumerate(script.actions):
        if number % decisions < 2 and action == 0:
            if number // decisions % script.config.num_players == seat:
                drawn.add(position)
            position += 1
    return drawn


def _swapped(script: Script, one: tuple[int, int], two: tuple[int, int]) -> Script:
    places = [list(hand) for hand in script.hands] + [list(script.deck)]  # -1 is the deck
    (a, i), (b, j) = one, two
    places[a][i], places[b][j] = places[b][j], places[a][i]
    *hands, deck = places
    return Script(
        script.config, tuple(map(tuple, hands)), tuple(deck), script.discards, script.actions
    )


def _legal(script: Script) -> bool:
    state = deal_exact(script.config, _lists(script.hands), list(script.deck), _piles(script))
    try:
        for action in script.actions:
            apply_action(state, np.array([action]))
    except IllegalActionError:
        return False
    return bool(state.done[0])


def _lists(cards: Sequence[Sequence[int]]) -> list[list[int | str]]:
    return [list(each) for each in cards]


def _piles(script: Script) -> list[list[int | str]] | None:
    return _lists(script.discards) if any(script.discards) else None
