"""What every choice of one decision is worth, over sampled worlds that all choices meet.

The worlds are those of the search: hidden cards dealt as the seat may believe them to lie, and the
games played on to their end by the search's policy. Since all choices meet the same worlds, the
luck of the cards drops out of their differences. ``K`` denotes choices, ``N`` worlds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.search.agent import MARGIN_SHARE, SearchAgent
from arboretum_agents.search.beliefs import redeal
from arboretum_agents.search.rollouts import CHUNK, play_until, worth
from arboretum_env.determinize import determinize
from arboretum_env.engine.moves import apply_action
from arboretum_env.view import PlayerView, PlayerViews

Z95: Final = 1.959963984540054
"""Half the width of a 95 % interval, in standard errors."""


@dataclass(frozen=True)
class Estimate:
    """A mean and how far its 95 % interval reaches to either side."""

    mean: float
    half: float

    @property
    def low(self) -> float:
        """The interval's lower end."""
        return self.mean - self.half


@dataclass(frozen=True)
class Measured:
    """K choices in N worlds.

    Attributes:
        worths: [K, N] what the end is worth to the seat, 0..1: half the win, half the squashed
            margin, as the search counts it.
        wins: [K, N] the seat's share of the win, 0..1.
    """

    worths: NDArray[np.float64]
    wins: NDArray[np.float64]

    @property
    def worlds(self) -> int:
        """N."""
        return int(self.worths.shape[1])

    @property
    def ranking(self) -> list[int]:
        """The choices, best first."""
        return [int(k) for k in np.argsort(-self.worths.mean(axis=1), kind="stable")]

    @property
    def gap(self) -> Estimate:
        """How much more the best is worth than the second, world by world."""
        first, second, *_ = self.ranking
        return estimate(self.worths[first] - self.worths[second])


def estimate(samples: NDArray[np.float64]) -> Estimate:
    """The mean of independent samples [N], N > 1."""
    spread = float(samples.std(ddof=1)) / len(samples) ** 0.5
    return Estimate(float(samples.mean()), Z95 * spread)


def measure(
    agent: SearchAgent,
    view: PlayerView,
    actions: Sequence[int],
    worlds: int,
    rng: np.random.Generator,
) -> Measured:
    """Sends every choice through the same sampled worlds.

    Args:
        agent: a search that has been reset; its beliefs and its policy are used.
        view: of the seat to move.
        actions: K legal actions.
        worlds: N.
        rng: draws the worlds' keys; advanced by N draws.
    """
    views = PlayerViews(view.config, view.to_observation()[None, :])
    odds = agent.guide.draw_odds(agent.guide.log_odds(views))
    keys = rng.integers(0, 2**64, size=worlds, dtype=np.uint64)
    worths, wins = np.empty((len(actions), worlds)), np.empty((len(actions), worlds))
    for start in range(0, worlds, CHUNK):
        part = slice(start, start + CHUNK)
        ids = keys[part]
        rows = np.zeros(len(ids), np.int64)
        sampled = determinize(views.select(rows), ids)
        redeal(sampled, np.full(len(ids), view.seat, np.int64), ids, odds[rows])
        for k, action in enumerate(actions):
            games = sampled.clone()
            apply_action(games, np.full(len(ids), action, np.int64))
            play_until(games, agent.guide.policy, ids, -1)
            worths[k, part] = worth(games, MARGIN_SHARE)[:, view.seat]
            wins[k, part] = worth(games, 0.0)[:, view.seat]
    return Measured(worths, wins)
