"""One number a deal, from the games: what every interval and test of an evaluation starts from.

``D`` denotes deals, ``G`` games, ``P`` players. Games are ordered by deal, and every deal has
equally many of each kind (see ``duplicate``).
"""

import numpy as np
from numpy.typing import NDArray

from arboretum_training.evaluation.evaluate import Games


def deal_means(values: NDArray[np.float64], deals: int) -> NDArray[np.float64]:
    """[D] mean of every deal's games.

    Args:
        values: [G] a number a game; equally many games of every deal.
        deals: D.
    """
    means: NDArray[np.float64] = values.reshape(deals, -1).mean(axis=1)
    return means


def win_shares_of(games: Games, agent: int, deals: int) -> NDArray[np.float64]:
    """[D] share of the win that went to an agent's seats together, mean of the games it played."""
    seated = games.seating == agent
    played = seated.any(axis=1)
    return deal_means(np.where(seated, games.win_shares, 0.0).sum(axis=1)[played], deals)


def margins(games: Games, deals: int) -> NDArray[np.float64]:
    """[D] the first agent's score minus the mean of the other seats', in the games it played."""
    own = games.seating == 0
    played = own.any(axis=1)
    own, points = own[played], games.points[played]
    return deal_means(_per_seat(points, own) - _per_seat(points, ~own), deals)


def differences(
    games: Games, first: int, second: int, deals: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How much one agent did better than another in the games that both played.

    Returns:
        [D] difference of their wins per seat, and [D] of their scores per seat.
    """
    mine, theirs = games.seating == first, games.seating == second
    both = mine.any(axis=1) & theirs.any(axis=1)
    mine, theirs = mine[both], theirs[both]
    wins, points = games.win_shares[both], games.points[both]
    return (
        deal_means(_per_seat(wins, mine) - _per_seat(wins, theirs), deals),
        deal_means(_per_seat(points, mine) - _per_seat(points, theirs), deals),
    )


def _per_seat(values: NDArray[np.generic], seats: NDArray[np.bool_]) -> NDArray[np.float64]:
    """[G] mean of [G, P] values over some seats of every game, at least one."""
    means: NDArray[np.float64] = np.where(seats, values, 0).sum(axis=1) / seats.sum(axis=1)
    return means
