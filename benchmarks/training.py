"""How fast the trainer learns, against its own mathematics and against Stable-Baselines3.

    python -m benchmarks.training [--players 2] [--rounds 7] [--threads 1] [--precision auto]
                                  [--epochs 1] [--no-sb3] [--json]

- *end to end*: ``Learner.iterate``, all of it: games, features, decisions, advantages, updates.
- *pure maths*: the same network's forward passes of a rollout, and the same epochs of forward and
  backward passes and optimiser steps, on tensors that lie ready, in the same type. Nothing that
  learns in this way can be faster without other mathematics.
- *plain*: end to end without privileged critic and beliefs, which MaskablePPO does not have.
- *MaskablePPO*: sb3-contrib's, always in float32, with the same network, number of games, turns,
  minibatches and epochs, against itself. It learns from one seat of a game and chooses card and
  cell one after the other, five decisions a turn; so that a decision means the same, turns learned
  from are compared as four decisions each.

The parts take turns in one process and the best round of each counts, by the processor's time with
one thread: others may be at work on the machine. The profile says where the time of an iteration
goes.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import torch

from arboretum_agents.neural.categorical import (
    Segments,
    masked_log_softmax,
    segment_log_softmax,
)
from arboretum_agents.neural.policy import as_tensor
from arboretum_env.config import GameConfig
from arboretum_training import choices, rollout
from arboretum_training.actor_critic import ActorCritic
from arboretum_training.config import ExperimentConfig, PPOConfig, Sb3Config, Sb3RolloutConfig
from arboretum_training.decisions import Decisions
from arboretum_training.ppo import Batch, Learner
from arboretum_training.precision import Precision, computing_in, resolved
from benchmarks.machine import described

WARM_UP: Final = 6  # iterations, until games are at different turns
PARTS: Final = {
    rollout: ("redact", "encode_truth", "apply_action", "score", "deal"),
    choices: ("encode", "placements", "pile_tops"),
}
"""What a rollout calls, by the module that it is called from."""


def forward(model: ActorCritic, decisions: Decisions) -> None:
    """What a rollout computes of decisions of one kind: value and probabilities."""
    arrays = {name: as_tensor(array) for name, array in decisions.arrays.items()}
    network = model.network
    z, pooled = network.trunk(arrays["species"], arrays["scalars"])
    model.judge(z, pooled, arrays["truth_species"], arrays["truth_scalars"])
    if decisions.kind == "play":
        segments = Segments.from_lengths(arrays["count"])
        options = {name: as_tensor(array) for name, array in decisions.placements.items()}
        logits = network.placement_logits(
            z, segments, options["card"], options["gain"], options["features"]
        )
        segment_log_softmax(logits, segments)
    elif decisions.kind == "draw":
        masked_log_softmax(network.draw_logits(z, pooled, arrays["tops"]), arrays["legal"])
    else:
        masked_log_softmax(network.discard_logits(z), arrays["legal"])


class Maths:
    """An iteration's forward and backward passes, on decisions that lie ready.

    Args:
        learner: warmed up; its next iteration is collected and repeated for ever.
    """

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        decisions, finished = learner.collector.collect(learner.model)
        games = learner.config.rollout.games
        self.steps = [
            part.select(torch.arange(first, first + games).numpy())
            for part in decisions.values()
            for first in range(0, len(part), games)
        ]
        judged, _ = learner._judge(decisions, finished)
        self.decisions = sum(len(part) for part in judged.values())
        self.minibatches: list[Batch] = [
            part.batch()
            for _ in range(learner.config.ppo.epochs)
            for part in learner._minibatches(judged)
        ]

    def run(self) -> int:
        """Computes it all once; returns for how many decisions."""
        model = self.learner.model
        model.eval()
        with torch.inference_mode(), computing_in(self.learner.config.precision):
            for step in self.steps:
                forward(model, step)
        model.train()
        for minibatch in self.minibatches:
            self.learner._update(minibatch, 0.0)
        return self.decisions


def sb3_learner(config: ExperimentConfig) -> Callable[[], int]:
    """One iteration of MaskablePPO after the other; each returns its decisions, four a turn."""
    from arboretum_training.library_run import Progress, borrowed_randomness
    from arboretum_training.sb3.session import make_model

    same = {name: getattr(config, name) for name in ("name", "game", "network", "ppo", "threads")}
    games = Sb3RolloutConfig(games=config.rollout.games, turns=config.rollout.turns)
    sb3 = Sb3Config(**same, rollout=games)
    with borrowed_randomness():
        model, self_play = make_model(sb3, Progress(sb3))
        _, callback = model._setup_learn(10**9, callback=self_play)

    environment = model.env
    assert environment is not None

    def iterate() -> int:
        with borrowed_randomness():
            model.collect_rollouts(environment, callback, model.rollout_buffer, model.n_steps)
            model.train()
        return sb3.rollout.games * sb3.rollout.turns * rollout.DECISIONS_PER_TURN

    return iterate


def best_speed(run: Callable[[], int], clock: Callable[[], float], best: float) -> float:
    """The better of ``best`` and one more round, in decisions a second."""
    started = clock()
    decisions = run()
    return max(best, decisions / (clock() - started))


@contextmanager
def watched(seconds: dict[str, float]) -> Iterator[None]:
    """Adds up the time spent in ``PARTS`` of a rollout."""
    originals = {
        (module, name): getattr(module, name) for module, names in PARTS.items() for name in names
    }

    def wrapped(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            started = time.perf_counter()
            result = function(*arguments, **options)
            seconds[name] = seconds.get(name, 0.0) + time.perf_counter() - started
            return result

        return call

    for (module, name), function in originals.items():
        setattr(module, name, wrapped(name, function))
    try:
        yield
    finally:
        for (module, name), function in originals.items():
            setattr(module, name, function)


def profile(learner: Learner, rounds: int) -> dict[str, float]:
    """Microseconds a decision of each part of an iteration, the best round."""
    best: dict[str, float] = {}
    for _ in range(rounds):
        seconds: dict[str, float] = {}
        with watched(seconds):
            metrics = learner.iterate(0.0)
        scale = 1e6 / metrics["rollout/decisions"]
        seconds["the network, in games"] = metrics["time/rollout"] - sum(seconds.values())
        seconds["learning"] = metrics["time/update"]
        parts = {name: scale * value for name, value in seconds.items()}
        if not best or sum(parts.values()) < sum(best.values()):
            best = parts
    return best


def measure(
    players: int,
    rounds: int,
    threads: int,
    epochs: int,
    precision: Precision,
    *,
    with_sb3: bool,
) -> dict[str, Any]:
    """Speeds in decisions a second, and the profile."""
    torch.set_num_threads(threads)
    clock = time.process_time if threads == 1 else time.perf_counter
    config = ExperimentConfig(
        name="benchmark",
        game=GameConfig(num_players=players),
        ppo=PPOConfig(epochs=epochs),
        precision=precision,
        threads=threads,
    )
    plain_ppo = PPOConfig(epochs=epochs, critic="public", belief=0.0)
    plain_config = config.model_copy(update={"ppo": plain_ppo})
    learner, plain = Learner(config), Learner(plain_config)
    for _ in range(WARM_UP):
        learner.iterate(0.0)
        plain.iterate(0.0)
    maths = Maths(Learner(config))
    contestants: dict[str, Callable[[], int]] = {
        "end to end": lambda: int(learner.iterate(0.0)["rollout/decisions"]),
        "pure maths": maths.run,
        "plain": lambda: int(plain.iterate(0.0)["rollout/decisions"]),
    }
    if with_sb3:
        contestants["MaskablePPO"] = sb3_learner(plain_config)
    speeds = dict.fromkeys(contestants, 0.0)
    for _ in range(rounds):
        for name, run in contestants.items():
            speeds[name] = best_speed(run, clock, speeds[name])
    return {
        "speeds": speeds,
        "share of pure maths": speeds["end to end"] / speeds["pure maths"],
        "plain over MaskablePPO": speeds["plain"] / speeds["MaskablePPO"] if with_sb3 else None,
        "profile": profile(learner, rounds),
        "epochs": epochs,
        "precision": resolved(precision),
    }


def main() -> None:
    """The command; see the module."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.training")
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=PPOConfig().epochs)
    parser.add_argument("--precision", choices=("auto", "float32", "bfloat16"), default="auto")
    parser.add_argument("--no-sb3", action="store_true", help="leave MaskablePPO out")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    machine = described(("torch", "stable-baselines3"))
    found = measure(
        options.players,
        options.rounds,
        options.threads,
        options.epochs,
        options.precision,
        with_sb3=not options.no_sb3,
    )
    if options.json:
        print(json.dumps(found | {"machine": machine}, indent=1))
        return
    print(
        f"{machine}\n{options.players} players, {found['precision']}, {found['epochs']} epoch(s)\n"
    )
    for name, speed in found["speeds"].items():
        print(f"{name:<24} {speed:>9,.0f} decisions/s")
    for name in ("share of pure maths", "plain over MaskablePPO"):
        if found[name] is not None:
            print(f"{name:<24} {found[name]:>9.2f}")
    print("\nmicroseconds a decision:")
    for name, value in sorted(found["profile"].items(), key=lambda item: -item[1]):
        print(f"{name:<24} {value:>6.1f}")


if __name__ == "__main__":
    main()
