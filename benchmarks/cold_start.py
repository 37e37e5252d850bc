"""How long from starting Python to the end of the first game.

``python -m benchmarks.cold_start [--repeats N] [--json]``, or ``make bench-cold-start``. Every
measurement is a process of its own: the time from before its start to its end, interpreter and
imports included, as whoever starts a script waits for it. Each plays one two-player game of random
legal actions to its end and its scores, through

- ``raw_env()``, PettingZoo's loop with observations, or
- the batched interface with a batch of one: deal, mask, observe, step, score.

*cold*: with an empty folder for compiled kernels, made for this process by ``NUMBA_CACHE_DIR``.
*warm*: with the folder that the process before it filled. In both the bytecode of Python's modules
is there, as after an installation. Other programs can only make a start slower, so the least of all
repeats is reported and judged, and the median beside it; the processor's time, least of all as
well, shows what an idle machine would do.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.machine import described

BARS: Final = {"cold": 20.0, "warm": 1.5}  # seconds

RAW_ENV: Final = """
import random
import numpy as np
import arboretum_env
env = arboretum_env.raw_env()
env.reset(seed=1)
rng = random.Random(0)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        env.step(None)
        continue
    legal = np.flatnonzero(observation["action_mask"])
    env.step(int(legal[int(rng.random() * len(legal))]))
"""

BATCHED: Final = """
import random
import numpy as np
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import legal_action_mask, step
from arboretum_env.engine.scoring import score
from arboretum_env.observation import observe
state = deal(GameConfig(), 1, [0])
mask = legal_action_mask(state)
rng = random.Random(0)
while not state.done.all():
    observe(state, state.mover)
    legal = np.flatnonzero(mask[0])
    step(state, legal[[int(rng.random() * len(legal))]], mask)
score(state)
"""

PROGRAMS: Final = {"raw_env()": RAW_ENV, "batched": BATCHED}


class Taken(NamedTuple):
    """Seconds of one process.

    Attributes:
        wall: from before its start to its end.
        processor: of the cores, its own and the system's on its behalf.
    """

    wall: float
    processor: float


Times = dict[str, dict[str, list[Taken]]]
"""By program and state of the cache, all repeats."""


def start(program: str, cache: Path, package_root: Path) -> Taken:
    """Runs one process that plays a game with the package below a folder."""
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(cache),
        "PYTHONPATH": str(package_root),
        "PYTHONDONTWRITEBYTECODE": "",
    }
    before, begun = _processor_seconds(), time.perf_counter()
    # The working directory comes first in the search for modules.
    subprocess.run([sys.executable, "-c", program], env=environment, check=True, cwd=package_root)
    return Taken(time.perf_counter() - begun, _processor_seconds() - before)


def _processor_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def copy_of_package(folder: Path) -> Path:
    """Copies the package without what lies compiled beside it, which would be found there."""
    spec = find_spec("arboretum_env")
    assert spec is not None and spec.origin is not None
    source = Path(spec.origin).parent
    skip = shutil.ignore_patterns("__pycache__")
    shutil.copytree(source, folder / source.name, ignore=skip)
    return folder


def measure(repeats: int) -> Times:
    """Starts every program from an empty cache and from a full one, again and again."""
    taken: Times = {title: {state: [] for state in BARS} for title in PROGRAMS}
    with tempfile.TemporaryDirectory(prefix="arboretum-cold-start-") as name:
        root = copy_of_package(Path(name) / "packages")
        subprocess.run([sys.executable, "-m", "compileall", "-q", str(root)], check=True)
        for repeat in range(repeats):
            for title, program in PROGRAMS.items():
                cache = Path(name) / f"cache-{title}-{repeat}"
                cache.mkdir()
                for state in ("cold", "warm"):
                    taken[title][state].append(start(program, cache, root))
    return taken


def table(taken: Times) -> list[str]:
    """Markdown: least and median times beside their bars."""
    lines = [
        "| first game through | kernels | s | median s | processor s | bar |",
        "|---|---|---|---|---|---|",
    ]
    for title, times in taken.items():
        for state, bar in BARS.items():
            wall = [each.wall for each in times[state]]
            processor = min(each.processor for each in times[state])
            verdict = "met" if min(wall) < bar else "MISSED"
            lines.append(
                f"| {title} | {state} | {min(wall):.2f} | {statistics.median(wall):.2f} "
                f"| {processor:.2f} | < {bar:g}: {verdict} |"
            )
    return lines


def main(words: Sequence[str] | None = None) -> int:
    """Measures and prints; the exit code is 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5, help="of every measurement")
    parser.add_argument("--json", action="store_true", help="print all times as JSON")
    options = parser.parse_args(words)
    machine = described(("numba", "numpy", "gymnasium", "pettingzoo", "pydantic", "scipy"))
    taken = measure(options.repeats)
    met = all(
        min(each.wall for each in times[state]) < bar
        for times in taken.values()
        for state, bar in BARS.items()
    )
    if options.json:
        seconds = {
            title: {state: [each._asdict() for each in repeats] for state, repeats in times.items()}
            for title, times in taken.items()
        }
        content = {"machine": machine, "seconds": seconds, "bars": BARS, "met": met}
        print(json.dumps(content, indent=2))
    else:
        print("\n".join([machine, "", *table(taken)]))
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
