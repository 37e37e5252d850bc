"""How often an opponent is met: prioritised fictitious self-play, as pure functions.

Source: Vinyals et al. 2019, "Grandmaster level in StarCraft II using multi-agent reinforcement
learning" (Nature 575), Methods, "Prioritized fictitious self-play".

``N`` opponents, ``E`` games, ``P`` players.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arboretum_training.league_config import Priority


@dataclass(frozen=True)
class Tally:
    """What is remembered of the games against an opponent.

    Attributes:
        wins: of the learner, and of a game without a better one half of it.
        games: how many; both count for less the longer ago they were.
    """

    wins: float = 0.0
    games: float = 0.0

    def after(self, wins: float, games: int, memory: int) -> "Tally":
        """The tally after further games.

        A game fades by a factor of 1 - 1 / memory with every further one, so that there are never
        more than ``memory`` of them.

        Args:
            wins: in the further games.
            games: how many these are.
            memory: see above; at least 1.

        >>> Tally(4.0, 8.0).after(1.0, 2, 2)
        Tally(wins=2.0, games=4.0)
        """
        kept = (1 - 1 / memory) ** games
        return Tally(self.wins * kept + wins, self.games * kept + games)

    @property
    def win_rate(self) -> float:
        """The learner's; as if there had been a win and a loss more, so 0.5 before any game.

        Source: Laplace's rule of succession.
        """
        return (self.wins + 1) / (self.games + 2)


def preferences(
    win_rates: NDArray[np.float64], priority: Priority, power: float
) -> NDArray[np.float64]:
    """f(p) of the source: how much each opponent is preferred.

    Args:
        win_rates: [N] p, the learner's win rate against each.
        priority: ``hard``: (1 - p)^power, those that it seldom beats. ``even``: p (1 - p), those
            that are about as good as it is. ``uniform``: 1.
        power: of ``hard``.

    Returns:
        [N] not negative.
    """
    if priority == "hard":
        return np.asarray((1 - win_rates) ** power)
    if priority == "even":
        return win_rates * (1 - win_rates)
    return np.ones(len(win_rates))


def draw_shares(preferred: NDArray[np.float64], floor: float) -> NDArray[np.float64]:
    """How often each opponent is drawn, 1 together.

    Args:
        preferred: [N] of ``preferences``; at least one opponent.
        floor: share of the draws that prefer none. All of them if nobody is preferred.
    """
    equal = np.full(len(preferred), 1 / len(preferred))
    total = preferred.sum()
    if total <= 0:
        return equal
    return np.asarray((1 - floor) * preferred / total + floor * equal)


def effective_number(shares: NDArray[np.float64]) -> float:
    """How many equally frequent opponents would meet twice in a row as often: 1 / sum p^2.

    Source: Simpson 1949, "Measurement of Diversity" (Nature 163), as its reciprocal.
    """
    return float(1 / np.square(shares).sum())


def beaten(
    points: NDArray[np.int64],
    win_shares: NDArray[np.float64],
    own: NDArray[np.int64],
    other: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Whether one seat did better than another.

    With two players that is who won. With more, it also tells seats apart that both lost.

    Args:
        points, win_shares: [E, P] of finished games.
        own, other: [E] the two seats.

    Returns:
        [E] 1 for more points, or as many and more of the win; 0.5 for as many of both; else 0.
    """
    rows = np.arange(len(points))
    more = np.sign(points[rows, own] - points[rows, other])
    won = np.sign(win_shares[rows, own] - win_shares[rows, other])
    return np.asarray(0.5 + 0.5 * np.where(more != 0, more, won))


def superfluous(steps: Sequence[int], size: int) -> int | None:
    """Which snapshot goes when there are too many.

    The newest half stays. Of the older ones goes the one whose neighbours lie closest together
    in time (before the first lies the beginning), of equals the oldest: so the older ones come to
    lie ever further apart, and reach far back.

    Args:
        steps: when each was taken, rising.
        size: how many may stay, at least 1.

    Returns:
        Its place in ``steps``; None if there is room.

    >>> superfluous([10, 20, 30, 40, 50], 4), superfluous([20, 30, 40, 50, 60], 4)
    (0, 1)
    """
    if len(steps) <= size:
        return None
    older = len(steps) - max((size + 1) // 2, 1)
    before = [0, *steps]
    return min(range(older), key=lambda place: steps[place + 1] - before[place])
