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
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import torch
from scipy import stats

from arboretum_agents.neural import encoder, policy
from arboretum_agents.neural.encoder import EncodedViews
from arboretum_agents.neural.policy import NeuralAgent
from arboretum_agents.registry import Mode
from arboretum_env.config import GameConfig
from arboretum_env.features.placements import PLACEMENT_FEATURES, Placements
from arboretum_env.view import PlayerViews
from arboretum_training import choices
from arboretum_training.config import ExperimentConfig
from arboretum_training.evaluation.evaluate import evaluate
from arboretum_training.evaluation.summary import summarise
from arboretum_training.ppo import Learner

YARDSTICK: Final = "planner@1"
WARM_UP: Final = 4
COST_ROUNDS: Final = 6

Patch = Callable[[], AbstractContextManager[None]]


@dataclass(frozen=True)
class Arm:
    """A variant of the trainer.

    Attributes:
        meaning: what is different, for the table.
        sections: keys of the experiment that are, by section.
        patch: what is put in place of the product's own code, in this process.
    """

    meaning: str
    sections: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    patch: Patch = nullcontext

    def experiment(self, seed: int) -> ExperimentConfig:
        """The experiment of one seed."""
        return ExperimentConfig.model_validate({"name": "arm", "seed": seed, **self.sections})


@contextmanager
def patched(name: str, wrap: Callable[[Any], Any]) -> Iterator[None]:
    """Wraps a function wherever networks get their inputs from: in games and at play."""
    modules = (choices, policy)
    originals = [getattr(module, name) for module in modules]
    for module, original in zip(modules, originals, strict=True):
        setattr(module, name, wrap(original))
    try:
        yield
    finally:
        for module, original in zip(modules, originals, strict=True):
            setattr(module, name, original)


def _columns(
    own_card: list[int], rival_card: list[int], sums: list[int], rival_sums: list[int]
) -> list[int]:
    """Columns of a species of a game of two, by their places within a card and within the sums."""
    ranks = 8
    own = encoder._OWN_CARD * ranks + encoder._OWN_SPECIES
    found = [encoder._OWN_CARD * rank + place for rank in range(ranks) for place in own_card]
    found += [encoder._OWN_CARD * ranks + place for place in sums]
    found += [own + encoder._RIVAL_CARD * r + place for r in range(ranks) for place in rival_card]
    return found + [own + encoder._RIVAL_CARD * ranks + place for place in rival_sums]


def without_columns(columns: list[int], scalars: list[int]) -> Patch:
    """The encoder with some of its numbers always 0."""

    def wrap(
        encode: Callable[[PlayerViews], EncodedViews],
    ) -> Callable[[PlayerViews], EncodedViews]:
        def fewer(views: PlayerViews) -> EncodedViews:
            encoded = encode(views)
            encoded.species[:, :, columns] = 0.0
            encoded.scalars[:, scalars] = 0.0
            return encoded

        return fewer

    return lambda: patched("encode", wrap)


def without_path_gains() -> AbstractContextManager[None]:
    """Placements whose gains and paths are not seen, only what lies next to them."""
    local = (
        "neighbours",
        "new_cells",
        "lower",
        "higher",
        "same_lower",
        "same_higher",
        "gap_below",
        "gap_above",
    )
    hidden = [i for i, name in enumerate(PLACEMENT_FEATURES) if name not in local]

    def wrap(
        placements: Callable[[PlayerViews], Placements],
    ) -> Callable[[PlayerViews], Placements]:
        def fewer(views: PlayerViews) -> Placements:
            found = placements(views)
            found.gain[:] = 0.0
            found.features[:, hidden] = 0.0
            return found

        return fewer

    return patched("placements", wrap)


_RIGHTS: Final = _columns([8, 9], [5, 6], [6, 7, 8], [4, 5])
_CARD_GAINS: Final = _columns([6, 7], [4], [], [])
_EXPECTED_POINTS: Final = [21, 24, 25]  # of the scalars: own, the rival's, the difference

ARMS: Final[dict[str, Arm]] = {
    "default": Arm("everything as it is"),
    "no rights": Arm(
        "no chances of rights among the inputs", patch=without_columns(_RIGHTS, _EXPECTED_POINTS)
    ),
    "no card gains": Arm(
        "cards do not say what planting them would gain", patch=without_columns(_CARD_GAINS, [])
    ),
    "no placement gains": Arm("placements do not say what they gain", patch=without_path_gains),
    "public critic": Arm(
        "moves are judged by the policy's own value head", {"ppo": {"critic": "public"}}
    ),
    "no beliefs": Arm("no belief head", {"ppo": {"belief": 0.0}}),
    "two epochs": Arm("two passes over the decisions", {"ppo": {"epochs": 2}}),
    "lambda .9": Arm("advantages over fewer decisions", {"ppo": {"lam": 0.9}}),
    "lambda .98": Arm("advantages over more decisions", {"ppo": {"lam": 0.98}}),
    "width 64": Arm("narrower layers", {"network": {"species_width": 64, "global_width": 64}}),
    "width 144": Arm("wider layers", {"network": {"species_width": 144, "global_width": 144}}),
    "win only": Arm("the reward is the win alone", {"rollout": {"reward": "win"}}),
}


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
