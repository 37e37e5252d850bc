"""Who holds which card, of a whole batch at once."""

import numpy as np
from numpy.typing import NDArray

from arboretum_env.engine.layout import IN_HAND, KNOWN_BIT
from arboretum_env.engine.state import GameState


def held_cards(state: GameState) -> NDArray[np.bool_]:
    """[B, P, C] whether the seat holds the card; the whole truth, known to nobody at the table."""
    where = state.rows["place"] & ~np.uint8(KNOWN_BIT)
    seats = np.arange(state.config.num_players, dtype=np.uint8) + IN_HAND
    held: NDArray[np.bool_] = where[:, None, :] == seats[None, :, None]
    return held


def by_species(cards: NDArray[np.bool_], num_species: int) -> NDArray[np.bool_]:
    """[..., S, R] a table by card, [..., C], by species and rank."""
    return cards.reshape(*cards.shape[:-1], num_species, -1)
