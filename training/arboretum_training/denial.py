"""Hand-blocking in final scores: who took whose points away.

A path scores only with the right to score its species, and the right goes to the largest sum in
hand. ``Scores.denied_points`` are the path points that a seat lost for want of it; here is the
other side, the points that a seat's hand made others lose.
"""

import numpy as np
from numpy.typing import NDArray

from arboretum_env.engine.scoring import Scores


def points_taken(scores: Scores) -> NDArray[np.float64]:
    """[B, P] path points that the others lost in species to which the seat has the right.

    Where k seats share the right, each of them counts 1/k of the loss: so what a game's seats took
    and what its seats lost is equally much.
    """
    lost = np.where(scores.right, 0, scores.path_points).sum(axis=1, keepdims=True)  # [B, 1, S]
    shares = scores.right / np.maximum(scores.right.sum(axis=1, keepdims=True), 1)
    taken: NDArray[np.float64] = (shares * lost).sum(axis=2)
    return taken
