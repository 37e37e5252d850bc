"""What opponents cost a learner: collecting games with a pool, next to self-play alone.

    python -m benchmarks.league

Prints, for several numbers of snapshots that are met at a time, how long a window of games takes
compared with self-play in the same run, per decision played and per decision learned from, and how
large a checkpoint is. The fastest of several windows counts, since other work only slows them down.
"""

import argparse
import tempfile
import time
from pathlib import Path
from typing import Final

import torch

from arboretum_env.config import GameConfig
from arboretum_training.checkpoint import save_checkpoint
from arboretum_training.config import ExperimentConfig, PPOConfig
from arboretum_training.league import League
from arboretum_training.league_config import HousePoolConfig, LeagueConfig
from arboretum_training.rollout import DECISIONS_PER_TURN
from arboretum_training.snapshot import to_checkpoint

CONCURRENT: Final = (1, 2, 4, 8)
LATEST: Final = 0.75
SNAPSHOTS: Final = 8


def league(players: int, pool: HousePoolConfig) -> League:
    """A league at its beginning, with a full pool."""
    config = ExperimentConfig(name="bench", game=GameConfig(num_players=players), pool=pool)
    made = League(config)
    for step in range(1, SNAPSHOTS + 1):
        made.pool.take_snapshot("main", step, made.network, SNAPSHOTS)
    return made


def seconds(leagues: list[League], windows: int) -> list[tuple[float, float]]:
    """(seconds a decision played, a decision learned from) of each, of its fastest window."""
    best = [(float("inf"), float("inf"))] * len(leagues)
    for window in range(windows):
        for index, made in enumerate(leagues):
            collector = made.main.collector
            begun = time.perf_counter()
            decisions, _ = collector.collect(made.main.model)
            taken = time.perf_counter() - begun
            if window < 2:
                continue  # games that began before there were snapshots
            played = collector.config.games * collector.config.turns * DECISIONS_PER_TURN
            learned = sum(len(part) for part in decisions.values())
            best[index] = min(best[index], (taken / played, taken / learned))
    return best


def megabytes(players: int) -> float:
    """Size of a checkpoint of a league with an exploiter and a full pool."""
    config = ExperimentConfig(
        name="bench",
        game=GameConfig(num_players=players),
        ppo=PPOConfig(epochs=1),
        pool=HousePoolConfig(latest=LATEST, every=1, size=SNAPSHOTS),
        league=LeagueConfig(exploiters=1, exploiter_share=0.4, burst=1, timeout=1, size=2),
    )
    made = League(config)
    for _ in range(4):
        made.iterate()
    # It has just begun anew: with an optimiser and decisions that wait, too.
    made.roles["exploiter1"].learner.iterate(0.0)
    while len(made.pool.snapshots("main")) < SNAPSHOTS:
        made.pool.take_snapshot("main", made.decisions, made.network, SNAPSHOTS)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "checkpoints").mkdir()
        saved = save_checkpoint(Path(folder), to_checkpoint(made), keep=1)
        return sum(file.stat().st_size for file in saved.iterdir()) / 1e6


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--windows", type=int, default=12)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    pools = {"self-play": HousePoolConfig()}
    for number in CONCURRENT:
        pools[f"{number} at a time"] = HousePoolConfig(latest=LATEST, concurrent=number)
    pools["4 and 2 bots"] = HousePoolConfig(
        latest=LATEST, concurrent=4, bots=("planner@1", "blocker@1"), bot_share=0.05
    )
    found = seconds([league(arguments.players, pool) for pool in pools.values()], arguments.windows)
    print(f"{arguments.players} players, {LATEST:.0%} of the games self-play")
    print("opponents        us/played   ratio   us/learned   ratio")
    for name, (played, learned) in zip(pools, found, strict=True):
        print(
            f"{name:14} {1e6 * played:11.1f} {played / found[0][0]:7.2f}"
            f" {1e6 * learned:12.1f} {learned / found[0][1]:7.2f}"
        )
    print(f"checkpoint with {SNAPSHOTS} + 2 snapshots: {megabytes(arguments.players):.1f} MB")


if __name__ == "__main__":
    main()
