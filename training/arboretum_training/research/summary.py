"""Hand-blocking over many games: means by player, with the game as the unit of intervals."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from arboretum_training.research.account import Account
from arboretum_training.research.figure import Figure, exact, mean_figure


class BlockingSummary:
    """Adds up the figures of accounts, batch by batch."""

    def __init__(self) -> None:
        self._samples: dict[str, dict[str, list[float]]] = {}

    def add(self, account: Account, names: Sequence[Sequence[str]]) -> None:
        """Adds a batch.

        Args:
            account: of B games.
            names: for every game, who sat in each seat; equal names are one player, whose seats of
                a game are averaged, since they are no independent samples.
        """
        figures = account.seat_figures()
        for game, seated in enumerate(names):
            for name in dict.fromkeys(seated):
                seats = [seat for seat, other in enumerate(seated) if other == name]
                samples = self._samples.setdefault(name, {key: [] for key in figures})
                for key, values in figures.items():
                    samples[key].append(float(values[game, seats].mean()))

    def figures(self) -> dict[str, dict[str, Figure]]:
        """By player and name (``Account.seat_figures``): the mean of one seat in one game.

        Games on one deal are no independent samples: where a deal was played several times, the
        intervals are too narrow or too wide. Of a single game a figure is exact.
        """
        return {
            player: {key: _figure(values) for key, values in samples.items()}
            for player, samples in self._samples.items()
        }

    def games(self, player: str) -> int:
        """How many games a player sat in."""
        return len(next(iter(self._samples[player].values())))

    def to_json(self) -> dict[str, Any]:
        """By player: ``games``, and every figure."""
        return {
            player: {
                "games": self.games(player),
                **{key: figure.to_json() for key, figure in figures.items()},
            }
            for player, figures in self.figures().items()
        }


def _figure(values: list[float]) -> Figure:
    return exact(values[0]) if len(values) == 1 else mean_figure(np.array(values))
