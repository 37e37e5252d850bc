"""The whole truth as one vector, for privileged critics and for debugging; never for a player.

It has the layout of an observation (``OBSERVATION_LAYOUT``) as seat 0 sees it, with nothing hidden:

* a card in the deck has place 0 and ``order`` = its place in the deck, 0 = drawn next;
* a card in the hand of seat k = 1..3 that is not publicly known has place ``HIDDEN_HAND + k``;
* ``chosen_card`` is filled in whoever the mover is.

Relative seats of an observer in seat 0 are absolute seats.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.engine import layout
from arboretum_env.engine.state import GameState
from arboretum_env.observation import observation_slices, observe

HIDDEN_HAND: Final = 13
"""+ k, k = 1..3: in the hand of seat k, known to it alone. Follows the observation's places."""


def full_information(state: GameState) -> NDArray[np.int8]:
    """[B, L] int8, everything there is to know of every game but its past.

    Args:
        state: B games; not changed.
    """
    config = state.config
    vectors = observe(state, 0)
    slices = observation_slices(config)
    vectors[:, slices["chosen_card"].start] = state.chosen_card
    cards = vectors[:, slices["cards"]].reshape(len(state), config.num_cards, -1)
    place, drawn, deck = state.rows["place"], state.rows["drawn"], state.rows["deck"]
    running = ~state.done[:, None]  # after the end all hands are public
    for seat in range(1, config.num_players):
        hidden = (place == layout.IN_HAND + seat) & running
        cards[..., 0][hidden] = HIDDEN_HAND + seat
    position = np.arange(config.deck_size)[None, :] - drawn.astype(np.int64)[:, None]
    games, slots = np.nonzero(position >= 0)
    cards[games, deck[games, slots], 1] = position[games, slots]
    return vectors
