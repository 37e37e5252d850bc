"""What playing an exported policy costs: installation, the first move, and every further one.

``python -m benchmarks.onnx_policy [--keep FOLDER] [--install] [--json]``. It first exports fresh
networks of the default sizes for 2, 3 and 4 players, half a minute each; what a decision costs does
not depend on the weights.

- *first move*: a process of its own from before its start to its end, which makes one decision;
  ``onnxruntime alone`` needs numpy beside it, ``agent`` goes through ``make_agent``, and ``torch``
  does so with such a network in a checkpoint folder. Everything was started once before.
- *decisions*: one view at a time, one thread, on one core, in processor time.
- *install* (``--install``): a fresh virtual environment with the wheel and the extra ``onnx``, and
  another with ``train``, in MiB. Flags for pip come from PIP_FLAGS.

Other programs can only make it slower: the least of the repeats is reported, for a quantile too,
and of a first move the processor's time beside the time waited.
"""

import json
import os
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
import tyro
from numpy.typing import NDArray

from arboretum_agents.neural.checkpoint_reader import WEIGHTS, Checkpoint
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_agents.neural.network_config import NetworkConfig
from arboretum_agents.neural.policy import NeuralAgent
from arboretum_agents.onnx_policy import load_onnx_agent
from arboretum_agents.registry import make_agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import apply_action
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_env.view import PlayerViews, redact
from arboretum_training.checkpoint import save_checkpoint
from arboretum_training.export import export_policy
from benchmarks.machine import described, one_core

CHECKOUT: Final = Path(__file__).resolve().parent.parent

ALONE: Final = """
import sys
import numpy, onnxruntime
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
session = onnxruntime.InferenceSession(sys.argv[1], options)
session.run(["greedy"], {"observation": numpy.load(sys.argv[2])})
"""

AGENT: Final = """
import sys
import numpy
from arboretum_agents.registry import make_agent
from arboretum_env.config import GameConfig
from arboretum_env.view import PlayerViews
config = GameConfig(num_players=int(sys.argv[3]))
make_agent(sys.argv[1], config).act(PlayerViews(config, numpy.load(sys.argv[2])))
"""


@dataclass(frozen=True)
class Command:
    """Measures exported policies.

    Attributes:
        keep: folder for the exported files; those that it has already are taken.
        decisions: single ones a round.
        rounds: of which the least counts.
        install: measure installations too, which takes minutes.
        json: print all numbers as JSON.
    """

    keep: Path | None = None
    decisions: int = 400
    rounds: int = 5
    install: bool = False
    json: bool = False


def positions(config: GameConfig, count: int) -> PlayerViews:
    """Views of movers in games of ``greedy``, every phase in turn."""
    agent = make_agent("greedy", config)
    seen: list[NDArray[np.int8]] = []
    root = root_from_seed(1, Purpose.BENCHMARK)
    game = 0
    while len(seen) < count:
        state = deal(config, root, [game])
        while not state.done.all():
            views = redact(state, state.mover)
            seen.append(views.observation)
            apply_action(state, agent.act(views))
        game += 1
    return PlayerViews(config, np.concatenate(seen[:count]))


def fresh(folder: Path, players: int) -> Path:
    """A policy's file of a new network."""
    path = folder / f"policy-{players}p.onnx"
    if not path.exists():
        config = GameConfig(num_players=players)
        torch.manual_seed(0)
        export_policy(NeuralAgent(config, PolicyNetwork(config, NetworkConfig()).eval()), path)
    return path


def saved(folder: Path, config: GameConfig) -> Path:
    """A run folder with a network of the default sizes."""
    (folder / "checkpoints").mkdir(parents=True)
    sizes = NetworkConfig()
    weights = PolicyNetwork(config, sizes).state_dict()
    experiment = {"game": config.model_dump(), "network": sizes.model_dump()}
    save_checkpoint(folder, Checkpoint(0, experiment, {}, {}, {WEIGHTS: weights}), keep=1)
    return folder


def first_move(program: str, *arguments: str, repeats: int) -> dict[str, float]:
    """Least seconds of processes that make one decision; one more goes before."""
    waited, processor = [], []
    for _ in range(repeats + 1):
        used, begun = _processor_seconds(), time.perf_counter()
        subprocess.run([sys.executable, "-c", program, *arguments], check=True, cwd=CHECKOUT)
        waited.append(time.perf_counter() - begun)
        processor.append(_processor_seconds() - used)
    return {"waited": min(waited[1:]), "processor": min(processor[1:])}


def _processor_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def each_decision(
    act: Callable[[PlayerViews], object], views: PlayerViews, rounds: int
) -> tuple[float, float]:
    """Processor milliseconds of a single decision: median and 95th percentile, least of rounds."""
    single = [views.select([row]) for row in range(len(views))]
    medians, highs = [], []
    for _ in range(rounds):
        taken = []
        for view in single:
            begun = time.process_time()
            act(view)
            taken.append(1e3 * (time.process_time() - begun))
        medians.append(float(np.median(taken)))
        highs.append(float(np.quantile(taken, 0.95)))
    return min(medians), min(highs)


def measure(players: int, folder: Path, command: Command) -> dict[str, Any]:
    """All numbers of one policy."""
    path = fresh(command.keep or folder, players)
    config = GameConfig(num_players=players)
    views = positions(config, command.decisions)
    observation = folder / f"observation-{players}p.npy"
    np.save(observation, views.observation[:1])
    run = saved(folder / f"run-{players}p", config)
    onnx_agent, torch_agent = load_onnx_agent(path, config), make_agent(str(run), config)
    for agent in (onnx_agent, torch_agent):
        agent.reset(views.game_id[:1], 1)
    with one_core():
        onnx_p50, onnx_p95 = each_decision(onnx_agent.act, views, command.rounds)
        torch_p50, torch_p95 = each_decision(torch_agent.act, views, command.rounds)
    shared = (str(observation), str(players))
    repeats = command.rounds
    return {
        "players": players,
        "bytes": path.stat().st_size,
        "first_alone_s": first_move(ALONE, str(path), *shared, repeats=repeats),
        "first_agent_s": first_move(AGENT, str(path), *shared, repeats=repeats),
        "first_torch_s": first_move(AGENT, str(run), *shared, repeats=repeats),
        "onnx_p50_ms": onnx_p50,
        "onnx_p95_ms": onnx_p95,
        "torch_p50_ms": torch_p50,
        "torch_p95_ms": torch_p95,
    }


def installed_mib(extra: str, folder: Path) -> float:
    """Size of a fresh environment with the distribution and one extra, pip itself left out."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    before = _mib(folder)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "-qq", "--no-compile"]
    flags = shlex.split(os.environ.get("PIP_FLAGS", ""))
    constraints = ["--constraint", str(CHECKOUT / "constraints.txt")]
    subprocess.run([*pip, *flags, *constraints, f"{CHECKOUT}[{extra}]"], check=True)
    return _mib(folder) - before


def _mib(folder: Path) -> float:
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files) / 2**20


def table(rows: list[dict[str, Any]]) -> list[str]:
    """Markdown."""
    head = [
        "| players | file kB | first move s (processor s): onnxruntime alone | agent | torch "
        "| decision ms: p50 | p95 | torch p50 | torch p95 |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    return head + [_line(row) for row in rows]


def _line(row: dict[str, Any]) -> str:
    first = (row[f"first_{way}_s"] for way in ("alone", "agent", "torch"))
    each = (row[f"{way}_ms"] for way in ("onnx_p50", "onnx_p95", "torch_p50", "torch_p95"))
    cells = [
        f"{row['players']}",
        f"{row['bytes'] / 1000:.0f}",
        *(f"{taken['waited']:.2f} ({taken['processor']:.2f})" for taken in first),
        *(f"{taken:.2f}" for taken in each),
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Measures and prints."""
    command = tyro.cli(Command)
    torch.set_num_threads(1)
    machine = described(("onnxruntime", "torch", "numpy"))
    with tempfile.TemporaryDirectory(prefix="arboretum-onnx-") as name:
        folder = Path(name)
        rows = [measure(players, folder, command) for players in (2, 3, 4)]
        install = {}
        if command.install:
            install = {each: installed_mib(each, folder / each) for each in ("onnx", "train")}
    if command.json:
        print(json.dumps({"machine": machine, "policies": rows, "mib": install}, indent=2))
        return
    print("\n".join([machine, "", *table(rows)]))
    for extra, size in install.items():
        print(f"arboretum-lab[{extra}]: {size:.0f} MiB")


if __name__ == "__main__":
    main()
