"""How many games duplicate deals save, and how many a control variate saves on top.

    python -m benchmarks.pairing [DEALS]

Plays pairs of bots over DEALS duplicate deals each, for 2, 3 and 4 players, and compares variances:

* *paired*: of the mean over one deal's P games, the seats turned, as ``arboretum evaluate`` plays;
* *unpaired*: of the mean over P games that have a deal each, the first agent in every seat once.
  That is the variance of the games in each seat, added up and divided by P squared, and can be
  taken from the same games.

*Games saved* is 1 - paired / unpaired: with pairing, that share fewer games do for the same
interval; below zero, pairing costs games. *Luck* is the share of the paired variance that
``--control-variate`` takes away. Each for the share of the wins and for the margin in points.
"""

import sys
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.config import GameConfig
from arboretum_training.evaluation.control_variate import Controlled, evaluate_with_luck
from arboretum_training.evaluation.deal_values import margins, win_shares_of
from arboretum_training.evaluation.evaluate import Games
from benchmarks.machine import described

PAIRS: Final = (
    ("random", "random"),
    ("greedy", "random"),
    ("blocker", "greedy"),
    ("planner", "greedy"),
    ("planner", "planner:tempo=0.5"),
)


def unpaired_variance(per_game: NDArray[np.float64]) -> float:
    """Of the mean over games on deals of their own, one in each seat; [D, P] values of games."""
    players = per_game.shape[1]
    variance: float = per_game.var(axis=0, ddof=1).sum() / players**2
    return variance


def game_values(games: Games, deals: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """[D, P] share of the win and [D, P] margin of the first agent in every game of every deal."""
    return (
        win_shares_of(games, 0, len(games)).reshape(deals, -1),
        margins(games, len(games)).reshape(deals, -1),
    )


def figures(per_game: NDArray[np.float64], controlled: Controlled) -> str:
    """Paired and unpaired variance, games saved, and what the control variate takes away."""
    paired = float(per_game.mean(axis=1).var(ddof=1))
    unpaired = unpaired_variance(per_game)
    return (
        f"{paired:.4f} | {unpaired:.4f} | {100 * (1 - paired / unpaired):.0f} % | "
        f"{100 * controlled.variance_reduction:.0f} %"
    )


def main(deals: int) -> None:
    """Prints the table."""
    print(f"{described(('numba', 'numpy'))}; {deals} deals of seed 0\n")
    print(
        "| players | agents | wins: paired | unpaired | games saved | luck "
        "| margin: paired | unpaired | games saved | luck |"
    )
    print("|---" * 10 + "|")
    for players in (2, 3, 4):
        for pair in PAIRS:
            config = GameConfig(num_players=players)
            result, controlled = evaluate_with_luck(pair, config, deals=deals, seed=0)
            wins, points = game_values(result.games, deals)
            print(
                f"| {players} | {pair[0]}, {pair[1]} | {figures(wins, controlled.win_rate)} | "
                f"{figures(points, controlled.margin)} |",
                flush=True,
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1280)
