"""Redraws what a seat, or a spectator, cannot know, straight in the rows of the real state.

Independent of ``determinize``: nothing is rebuilt from a view; hidden cards of the true position
change places, and whatever the position remembers of the past is scrambled.
"""

import numpy as np

from arboretum_env.config import GameConfig
from arboretum_env.engine.state import GameState
from arboretum_env.phase import Phase

IN_DECK, HIDDEN_IN_HAND, KNOWN_IN_HAND, NO_CARD = 0, 8, 12, 255


def reshuffle_hidden(state: GameState, seats: np.ndarray, rng: np.random.Generator) -> GameState:
    """A copy of every game in which the cards that ``seats[i]`` cannot see have changed places.

    Args:
        state: B games that are not over.
        seats: [B] observers; -1 is a spectator, who sees no hidden card of any hand.
        rng: where the new places come from.
    """
    shuffled = state.clone()
    for i in range(len(state)):
        _reshuffle_row(shuffled.rows[i], state.config, int(seats[i]), rng)
    return shuffled


def _reshuffle_row(
    row: np.void, config: GameConfig, observer: int, rng: np.random.Generator
) -> None:
    place, deck, drawn = row["place"], row["deck"], int(row["drawn"])
    rivals = [seat for seat in range(config.num_players) if seat != observer]
    in_hands = [np.flatnonzero(place == HIDDEN_IN_HAND + seat) for seat in rivals]
    hidden = rng.permutation(np.concatenate([deck[drawn:], *in_hands]))
    for seat, cards in zip(rivals, in_hands, strict=True):
        place[hidden[: len(cards)]] = HIDDEN_IN_HAND + seat
        hidden = hidden[len(cards) :]
    place[hidden] = IN_DECK
    deck[drawn:] = hidden
    # What was drawn before is past: no seat is shown it.
    deck[:drawn] = rng.integers(0, config.num_cards, drawn)
    mover = int(row["mover"])
    if row["phase"] == Phase.PLACE and mover != observer:
        held = np.flatnonzero(np.isin(place, (HIDDEN_IN_HAND + mover, KNOWN_IN_HAND + mover)))
        row["chosen"] = rng.choice(held)
