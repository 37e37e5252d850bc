"""How many decisions of a learner the gymnasium environments take a second, on one core.

    python -m benchmarks.learner_envs [OPPONENTS]

Random legal play in ``Arboretum-v0``, two players, next-step autoreset; the opponents' decisions
(as many as the learner's) are played inside and not counted. The ratio is to gymnasium's own loop
over single environments in the same run. Time is the process's own, and the best of several rounds
counts: others may be at work on the machine.
"""

import sys
import time
from typing import Any, Final

import gymnasium
import numpy as np

import arboretum_env  # noqa: F401 - it registers the environments

ROUNDS: Final = 5
SECONDS: Final = 1.0  # of a round


def decisions_per_second(environment: Any, generator: np.random.Generator) -> float:
    """The best round of random legal play."""
    _, infos = environment.reset(seed=0)
    best = 0.0
    for _ in range(ROUNDS + 1):  # the first one compiles
        steps, start = 0, time.process_time()
        while time.process_time() - start < SECONDS:
            mask = infos["action_mask"]
            actions = (mask * generator.random(mask.shape, np.float32)).argmax(axis=1)
            *_, infos = environment.step(actions)
            steps += 1
        best = max(best, steps * environment.num_envs / (time.process_time() - start))
    return best


def main(opponents: str) -> None:
    """Prints the table."""
    generator = np.random.default_rng(0)
    print(f"opponents: {opponents}")
    print(f"{'games':>6} {'native':>12} {'gymnasium loop':>15} {'ratio':>6}")
    for games in (1, 64, 1024):
        speeds = [
            decisions_per_second(
                gymnasium.make_vec(
                    "Arboretum-v0", games, vectorization_mode=mode, opponents=opponents
                ),
                generator,
            )
            for mode in ("vector_entry_point", "sync")
        ]
        print(f"{games:>6} {speeds[0]:>12,.0f} {speeds[1]:>15,.0f} {speeds[0] / speeds[1]:>6.1f}")


if __name__ == "__main__":
    main(*sys.argv[1:] or ["random"])
