"""Cancelled 8s: top ranks that count nothing in hand because a rival holds the 1.

Source: docs/rules.md, Scoring, "the 1 cancels the 8". In reduced games the top rank is the 8.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arboretum_env.engine.layout import OPTION_CANCEL_EIGHTS
from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState
from arboretum_training.research.hands import by_species, held_cards


@dataclass(frozen=True)
class Cancelled:
    """Cancelled top ranks of B games; ``P`` players, ``S`` species.

    Attributes:
        by: [B, P, S] int64, the seat whose 1 cancels this seat's top rank; -1 where none does.
        points: [B, P] int64, points that the seat makes more (or less) than it would if no 1
            cancelled anything, all hands and arboreta as they are.
    """

    by: NDArray[np.int64]
    points: NDArray[np.int64]


def cancelled(state: GameState) -> Cancelled:
    """Finds every cancelled top rank, and what the cancelling changed."""
    held = by_species(held_cards(state), state.config.num_species)  # [B, P, S, R]
    ones, tops = held[..., 0], held[..., -1]
    owner = np.where(ones.any(axis=1), ones.argmax(axis=1), -1)[:, None, :]  # [B, 1, S] of the 1
    seats = np.arange(state.config.num_players)[None, :, None]
    rival = tops & (owner >= 0) & (owner != seats) & state.config.cancel_eights
    uncancelled = state.clone()
    uncancelled.rows["options"] &= 0xFF - OPTION_CANCEL_EIGHTS
    return Cancelled(
        by=np.where(rival, owner, -1),
        points=score(state).points - score(uncancelled).points,
    )
