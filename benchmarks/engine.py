"""The engine's speed for every number of players and four batch sizes, as a table.

    python -m benchmarks.engine [SECONDS]

What ``arboretum bench`` measures, one line a kind: SECONDS is how long each rate is measured at
least. All of a line comes from one run.
"""

import sys

from arboretum_env.config import GameConfig
from arboretum_lab.speed import measure
from benchmarks.machine import described

BATCHES = (1, 64, 1024, 8192)


def main(seconds: float) -> None:
    """Prints the table, rates in millions of decisions a second."""
    print(f"{described(('numba', 'numpy'))}\n")
    print("| players | B | step + mask | with observation | floor | ratio | with observation |")
    print("|---|---|---|---|---|---|---|")
    for players in (2, 3, 4):
        for batch in BATCHES:
            speed = measure(GameConfig(num_players=players), batch, seconds)
            print(
                f"| {players} | {batch:,} | {speed.step_mask_per_s / 1e6:.2f} M "
                f"| {speed.step_mask_observation_per_s / 1e6:.2f} M "
                f"| {speed.floor_per_s / 1e6:.1f} M "
                f"| {speed.step_mask_per_s / speed.floor_per_s:.3f} "
                f"| {speed.step_mask_observation_per_s / speed.floor_per_s:.3f} |"
            )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.5)
