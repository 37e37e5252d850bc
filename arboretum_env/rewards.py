"""What a finished game is worth to its players: rewards that sum to zero over the seats."""

from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from arboretum_env.engine.scoring import Scores
from arboretum_env.errors import ConfigError

RewardKind = Literal["win", "margin", "mixed"]
"""``win`` looks at the winners alone, ``margin`` at the points, ``mixed`` is half of each."""

REWARD_KINDS: Final[tuple[RewardKind, ...]] = get_args(RewardKind)
ILLEGAL_REWARD: Final = -1.0
"""What a seat gets whose illegal action ended the game, where that is the rule."""

MARGIN_UNIT: Final = 20.0  # points; margins of good play lie mostly within one unit


def final_rewards(scores: Scores, kind: RewardKind) -> NDArray[np.float64]:
    """Rewards of B finished games.

    With ``w = 1/k`` for each of ``k`` winners and 0 for the others, and P players::

        win    = (P * w - 1) / (P - 1)
        margin = (own points - mean of the others' points) / 20, unclipped
        mixed  = (win + margin) / 2

    Args:
        scores: final scores of B games.
        kind: which formula.

    Returns:
        [B, P] float64; every row sums to zero.

    Raises:
        ConfigError: no such kind.
    """
    if kind not in REWARD_KINDS:
        raise ConfigError(f"reward {kind!r}: expected one of {', '.join(REWARD_KINDS)}")
    players = scores.points.shape[1]
    win = (players * scores.win_shares - 1.0) / (players - 1)
    totals = scores.points.sum(axis=1, keepdims=True)
    margin = (scores.points - (totals - scores.points) / (players - 1)) / MARGIN_UNIT
    if kind == "win":
        return np.asarray(win, np.float64)
    if kind == "margin":
        return np.asarray(margin, np.float64)
    return np.asarray((win + margin) / 2, np.float64)
