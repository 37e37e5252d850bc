"""What it costs to play with 2, 3 and 4 players by one and the same weights.

    python -m benchmarks.one_network --out DIR [--start-from league-2p] [--decisions 30000000]

One set of weights has the right sizes for any number of players, and the networks that ship are
nevertheless three. Here three learners, one for each number of players, share policy, critic and
optimiser and take turns, an iteration each. What comes out plays ``planner@1`` with each number of
players over the deals that the published cards are of, so that the costs are the differences to
those cards.

``DIR`` gets the weights and ``results.jsonl``, a line a measurement.
"""

import argparse
import json
from pathlib import Path
from typing import Any, Final

import torch
from safetensors.torch import save_file

from arboretum_agents.neural.policy import NeuralAgent
from arboretum_agents.registry import Mode
from arboretum_env.config import GameConfig
from arboretum_training.config import ExperimentConfig
from arboretum_training.evaluation.evaluate import evaluate
from arboretum_training.evaluation.summary import summarise
from arboretum_training.ppo import Learner
from arboretum_training.start import read_start

YARDSTICK: Final = "planner@1"
PLAYERS: Final = (2, 3, 4)


def sharing_learners(start_from: Path | None, learning_rate: float) -> list[Learner]:
    """A learner for each number of players, all with the parameters of the one for most."""
    learners = []
    for players in PLAYERS:
        config = ExperimentConfig.model_validate(
            {
                "name": "one-network",
                "game": {"num_players": players},
                "ppo": {"learning_rate": learning_rate},
                "start_from": start_from,
                "precision": "float32",
            }
        )
        learner = Learner(config)
        start = read_start(config)
        if start is not None:
            start.load_into(learner.model)
        learners.append(learner)
    owner = learners[-1]  # its rivals' weights are filled in for all that may come
    for learner in learners[:-1]:
        for own, shared in zip(
            (learner.model.network, learner.model.critic),
            (owner.model.network, owner.model.critic),
            strict=True,
        ):
            assert own is not None and shared is not None
            own._modules.update(shared._modules)
        learner.optimizer = owner.optimizer
    return learners


def measured(learner: Learner, deals: int) -> dict[str, Any]:
    """How the weights play with one number of players."""
    learner.model.eval()

    def trained(game: GameConfig, mode: Mode) -> NeuralAgent:
        return NeuralAgent(game, learner.network, mode)

    game = learner.config.game
    summary = summarise(evaluate([trained, YARDSTICK], game, deals=deals, seed=0))
    own = next(iter(summary.agents.values()))
    low, high = map(float, own.win_rate_ci95)
    return {
        "players": game.num_players,
        "decisions": learner.decisions,
        "win_rate": own.win_rate,
        "win_rate_ci95": [low, high],
    }


def main() -> None:
    """The command; see the module."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.one_network")
    parser.add_argument("--out", type=Path, required=True, help="folder of weights and results")
    parser.add_argument("--start-from", type=Path, help="a run, checkpoint or shipped network")
    parser.add_argument("--decisions", type=int, default=30_000_000, help="of all together")
    parser.add_argument("--learning-rate", type=float, default=1.5e-3)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--every", type=int, default=6_000_000, help="decisions between measures")
    options = parser.parse_args()
    torch.set_num_threads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    learners = sharing_learners(options.start_from, options.learning_rate)
    done, measured_at = 0, 0
    while done < options.decisions:
        for learner in learners:
            learner.iterate(min(1.0, done / options.decisions))
        done = sum(learner.decisions for learner in learners)
        if done - measured_at >= options.every or done >= options.decisions:
            measured_at = done
            save_file(learners[-1].network.state_dict(), options.out / "weights.safetensors")
            for learner in learners:
                row = {"all": done, **measured(learner, options.deals)}
                with (options.out / "results.jsonl").open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
                print(row, flush=True)


if __name__ == "__main__":
    main()
