"""Hand-blocking in scores: what paths could score, what they did, and who took the rest away.

A path scores only with the right to score its species, and the right goes to the largest sum in
hand (docs/rules.md, Scoring). All of this is read off final positions, or off any other as if the
game ended there. ``B`` denotes games, ``P`` players, ``S`` species. Unit: points.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arboretum_env.engine.scoring import Scores


@dataclass(frozen=True)
class Blocking:
    """Where the points of B games went.

    ``potential = scored + denied``, by seat and species; summed over the blockers, ``denials`` is
    ``denied``.

    Attributes:
        potential: [B, P, S] int64, points of the best path, whatever the right.
        scored: [B, P, S] int64, those that it made.
        denied: [B, P, S] int64, those that it lost for want of the right.
        denials: [B, P, P, S] float64, points that the hand of the first seat took from the second;
            where k seats share a right, 1/k each.
        spite: [B, P, P, S] float64, the part of ``denials`` for which the blocker had no path of
            its own in the species: it held the cards for nothing but the denial.
    """

    potential: NDArray[np.int64]
    scored: NDArray[np.int64]
    denied: NDArray[np.int64]
    denials: NDArray[np.float64]
    spite: NDArray[np.float64]

    @property
    def blocks(self) -> NDArray[np.bool_]:
        """[B, P, S] whether the seat's hand takes points from somebody in the species."""
        blocks: NDArray[np.bool_] = self.denials.sum(axis=2) > 0
        return blocks

    @property
    def spite_holds(self) -> NDArray[np.bool_]:
        """[B, P, S] blocks without an own path."""
        holds: NDArray[np.bool_] = self.spite.sum(axis=2) > 0
        return holds


def blocking(scores: Scores) -> Blocking:
    """Splits the path points of every seat and species."""
    right, potential = scores.right, scores.path_points
    denied = np.where(right, 0, potential)
    shares = right / np.maximum(right.sum(axis=1, keepdims=True), 1)  # [B, P, S]
    denials = shares[:, :, None, :] * denied[:, None, :, :]
    pathless = (potential == 0)[:, :, None, :]
    return Blocking(
        potential=potential,
        scored=np.where(right, potential, 0),
        denied=denied,
        denials=denials,
        spite=np.where(pathless, denials, 0.0),
    )


def points_taken(scores: Scores) -> NDArray[np.float64]:
    """[B, P] points that a seat's hand took from all others together.

    What a game's seats took and what they lost (``Scores.denied_points``) is equally much.
    """
    taken: NDArray[np.float64] = blocking(scores).denials.sum(axis=(2, 3))
    return taken
