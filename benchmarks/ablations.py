"""What each idea of the trainer is worth: without it, at equal processor time.

    python -m benchmarks.ablations --out DIR [--seconds 240] [--seeds 3] [--deals 800] [--arms ...]
    python -m benchmarks.ablations --out DIR --table

An arm is the default experiment of two players with one idea left out or changed. First every arm's
cost of a decision is measured, all arms in turns on one core, and ``--seconds`` of the default arm
are turned into as many decisions for each arm as cost the same: then others at work on the machine
change how long it takes, but not what comes out. Every arm learns from scratch with every seed, and
plays ``--deals`` duplicate deals against ``planner@1``, sampling its moves.

Results are lines of ``DIR/results.jsonl``, one an arm and seed; what is there already is not done
again, so the command may be stopped and called anew. ``--table`` prints them in Markdown: the mean
over seeds, with the interval of Student's t over them.
"""

import argparse
import json
import math
import statistics
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import torch
from scipy import stats

from arboretum_agents.neural.policy import NeuralAgent
from arboretum_agents.registry import Mode
from arboretum_env.config import GameConfig
from arboretum_training.evaluation.evaluate import evaluate
from arboretum_training.evaluation.summary import summarise
from arboretum_training.ppo import Learner
from benchmarks.ablation_arms import ARMS, Arm

YARDSTICK: Final = "planner@1"
WARM_UP: Final = 4
COST_ROUNDS: Final = 6


def costs(arms: Mapping[str, Arm]) -> dict[str, float]:
    """Seconds of the processor for a decision of each arm, the best of some iterations."""
    learners = {name: Learner(arm.experiment(0)) for name, arm in arms.items()}
    best = dict.fromkeys(arms, math.inf)
    for round_ in range(WARM_UP + COST_ROUNDS):
        for name, arm in arms.items():
            with arm.patch():
                started = time.process_time()
                decisions = learners[name].iterate(0.0)["rollout/decisions"]
                spent = (time.process_time() - started) / decisions
            if round_ >= WARM_UP:
                best[name] = min(best[name], spent)
    return best


def train_and_measure(arm: Arm, seed: int, decisions: int, deals: int) -> dict[str, float]:
    """Learns from so many decisions and plays the yardstick."""
    with arm.patch():
        config = arm.experiment(seed)
        learner = Learner(config)
        while learner.decisions < decisions:
            learner.iterate(learner.decisions / decisions)
        learner.model.eval()

        def trained(game: GameConfig, mode: Mode) -> NeuralAgent:
            return NeuralAgent(game, learner.network, mode)

        summary = summarise(evaluate([trained, YARDSTICK], config.game, deals=deals, seed=seed))
    own = next(iter(summary.agents.values()))
    return {
        "decisions": learner.decisions,
        "win_rate": own.win_rate,
        "margin": summary.margin,
        "parameters": sum(p.numel() for p in learner.network.parameters()),
    }


def table(rows: list[dict[str, Any]]) -> str:
    """Markdown: a line an arm."""
    lines = [
        "| arm | what is different | seeds | decisions | win % against `planner@1` | margin | "
        "against default |",
        "|---|---|---|---|---|---|---|",
    ]
    reference = {row["seed"]: row["win_rate"] for row in rows if row["arm"] == "default"}
    for name, arm in ARMS.items():
        mine = [row for row in rows if row["arm"] == name]
        if not mine:
            continue
        rates = [100 * row["win_rate"] for row in mine]
        paired = [
            100 * (row["win_rate"] - reference[row["seed"]])
            for row in mine
            if row["seed"] in reference
        ]
        margin = statistics.mean(row["margin"] for row in mine)
        change = "" if name == "default" else _with_interval(paired, "+.1f")
        lines.append(
            f"| {name} | {arm.meaning} | {len(mine)} | {mine[0]['decisions'] / 1e6:.2f} M | "
            f"{_with_interval(rates, '.1f')} | {margin:+.2f} | {change} |"
        )
    return "\n".join(lines)


def _with_interval(values: list[float], form: str) -> str:
    """Mean, and half the width of its 95 % interval by Student's t."""
    mean = statistics.mean(values)
    if len(values) < 2:
        return f"{mean:{form}}"
    error = statistics.stdev(values) / math.sqrt(len(values))
    return f"{mean:{form}} ± {stats.t.ppf(0.975, len(values) - 1) * error:.1f}"


def main() -> None:
    """The command; see the module."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ablations")
    parser.add_argument("--out", type=Path, required=True, help="folder of the results")
    parser.add_argument("--seconds", type=float, default=240.0, help="of the default arm")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--deals", type=int, default=800)
    parser.add_argument("--arms", nargs="+", default=list(ARMS), choices=list(ARMS))
    parser.add_argument("--table", action="store_true", help="print what is there, do no more")
    options = parser.parse_args()
    results = options.out / "results.jsonl"
    rows = (
        [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
    )
    if options.table:
        print(table(rows))
        return
    torch.set_num_threads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    costs_file = options.out / "costs.json"
    if not costs_file.exists():
        costs_file.write_text(json.dumps(costs(ARMS), indent=1))
    cost = json.loads(costs_file.read_text())
    done = {(row["arm"], row["seed"]) for row in rows}
    for seed in range(1, options.seeds + 1):
        for name in options.arms:
            if (name, seed) in done:
                continue
            decisions = round(options.seconds / cost[name])
            found = train_and_measure(ARMS[name], seed, decisions, options.deals)
            row = {"arm": name, "seed": seed, "seconds": options.seconds, **found}
            with results.open("a") as file:
                file.write(json.dumps(row) + "\n")
            print(row, flush=True)


if __name__ == "__main__":
    main()
