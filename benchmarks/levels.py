"""Plays every level against the next lower one, for 2, 3 and 4 players.

One seat of the level against the lower level in all others, every deal with every seat rotation.
``win rate`` is the share of games won in that one seat, fair is 1 / P. ``pairs won`` compares it
with each single rival instead: the share of rivals that it finished ahead of, ties counted half,
fair is 1/2 whatever the number of players. Both with 95 % intervals over deals::

    python -m benchmarks.levels --deals 400
    python -m benchmarks.levels --players 2 --levels 7 8 --deals 200 --workers 2
"""

import os
from dataclasses import dataclass, field

import numpy as np
import tyro
from numpy.typing import NDArray

from arboretum_agents.levels import LEVELS
from arboretum_env.config import GameConfig
from arboretum_training.evaluation.evaluate import EvaluationResult, evaluate
from arboretum_training.evaluation.statistics import Interval, bootstrap_interval
from arboretum_training.evaluation.summary import summarise


@dataclass(frozen=True)
class Command:
    """Measures the levels.

    Attributes:
        players: which numbers of players.
        levels: which levels; each plays the one below it. None: all from 2.
        deals: of every comparison.
        seed: of the deals and of chance moves.
        workers: processes.
    """

    players: tuple[int, ...] = (2, 3, 4)
    levels: tuple[int, ...] | None = None
    deals: int = 400
    seed: int = 0
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)


def pairs_won(result: EvaluationResult) -> NDArray[np.float64]:
    """[D] share of rivals that the first agent finished ahead of, mean over a deal's games."""
    games = result.games
    own = games.seating == 0
    mine = np.where(own, games.points, 0).sum(axis=1, keepdims=True)
    ahead = (mine > games.points) + 0.5 * (mine == games.points)
    shares = np.where(own, 0.0, ahead).sum(axis=1) / (games.points.shape[1] - 1)
    means: NDArray[np.float64] = shares.reshape(result.deals, -1).mean(axis=1)
    return means


def row(players: int, level: int, command: Command) -> str:
    """One line of the table, in Markdown."""
    config = GameConfig(num_players=players)
    result = evaluate(
        [f"levels:{level}", f"levels:{level - 1}"],
        config,
        deals=command.deals,
        seed=command.seed,
        workers=command.workers,
    )
    rate = next(iter(summarise(result).agents.values()))
    pairs = pairs_won(result)
    interval = bootstrap_interval(pairs, command.seed)
    assert interval is not None
    return (
        f"| {players} | {level} | `{LEVELS[players][level - 1]}` | {_percent(rate.win_rate)} "
        f"({_range(rate.win_rate_ci95)}) | {_percent(float(pairs.mean()))} ({_range(interval)}) |"
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _range(interval: Interval) -> str:
    return f"{100 * interval.low:.1f}..{100 * interval.high:.1f}"


def main(command: Command) -> None:
    """Prints the table."""
    print("| players | level | plays | win rate against the next lower | pairs won |")
    print("|---|---|---|---|---|")
    for players in command.players:
        for level in command.levels or range(2, len(LEVELS[players]) + 1):
            print(row(players, level, command), flush=True)


if __name__ == "__main__":
    main(tyro.cli(Command, config=(tyro.conf.FlagCreatePairsOff,)))
