"""Publishing a trained policy: weights that ship with the package, and their model card.

::

    python -m arboretum_training.publishing runs/NAME league-2p@3 --deals 1000

What only its own run needs is left out: optimiser, games under way, opponents. The critic stays,
for training that begins from these weights. The policy is measured as it will be played, through
the registry, before the card is written.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from arboretum_agents.neural.checkpoint_reader import (
    WEIGHTS,
    Checkpoint,
    find_checkpoint,
    read_checkpoint,
)
from arboretum_agents.shipped import WEIGHTS_FOLDER
from arboretum_env.config import GameConfig
from arboretum_env.errors import ArboretumError
from arboretum_training.checkpoint import write_folder
from arboretum_training.config import Experiment
from arboretum_training.evaluation.evaluate import evaluate
from arboretum_training.evaluation.report import to_json
from arboretum_training.evaluation.summary import summarise
from arboretum_training.files import replace_file
from arboretum_training.model_card import model_card
from arboretum_training.runs import Report, RunFolder, open_run
from arboretum_training.start import CRITIC

OPPONENTS: Final = ("planner@1", "greedy")


def without_training(checkpoint: Checkpoint, *groups: str) -> Checkpoint:
    """What is needed to play: the weights, the experiment and how much was learned.

    Args:
        checkpoint: of a run.
        groups: of tensors that are kept as well, if they are there.
    """
    tensors = {
        name: checkpoint.tensors[name] for name in (WEIGHTS, *groups) if name in checkpoint.tensors
    }
    return Checkpoint(
        step=checkpoint.step,
        config=checkpoint.config,
        counters={},
        state={},
        tensors=tensors,
    )


def publish(run: RunFolder, name: str, *, into: Path = WEIGHTS_FOLDER) -> Path:
    """Write the newest policy of a run as a published one; one of that name is replaced.

    Args:
        run: a run of this project's trainer.
        name: what the policy will be called.
        into: the folder to write it in; made if it is missing.

    Returns:
        Its folder.

    Raises:
        CheckpointError: the run has no checkpoint that can be read.
        OSError: what the system refuses.
    """
    into.mkdir(parents=True, exist_ok=True)
    folder = into / name
    write_folder(folder, without_training(read_checkpoint(find_checkpoint(run.path)), CRITIC))
    return folder


def measure(spec: str, game: GameConfig, opponents: Sequence[str], *, deals: int) -> list[Report]:
    """Reports of a spec against each opponent, on deals of the seed 0 that no training sees."""
    return [
        to_json(summarise(evaluate([spec, opponent], game, deals=deals, seed=0)))
        for opponent in opponents
    ]


def write_card(run: RunFolder, folder: Path, reports: list[Report]) -> Path:
    """Write the model card beside a published policy.

    Args:
        run: where it was trained: its experiment and launches are told.
        folder: the published policy.
        reports: how it was measured.
    """
    checkpoint = read_checkpoint(folder)
    config: Experiment = run.load_config().model_copy(update={"name": folder.name})
    card = folder.with_suffix(".md")
    text = model_card(
        config,
        run.load_launches(),
        checkpoint,
        {checkpoint.step: reports},
        config_file=f"`config` in `{folder.name}/state.json`",
    )
    replace_file(card, text.encode())
    return card


def main(arguments: Sequence[str] | None = None) -> int:
    """The command of the module; see ``--help``."""
    parser = argparse.ArgumentParser(
        prog="python -m arboretum_training.publishing",
        description="Publish a run's newest policy with the package, measured, with its card.",
    )
    parser.add_argument("run", type=Path, help="the run's folder")
    parser.add_argument("name", help="what it will be called, e.g. league-2p@3")
    parser.add_argument("--deals", type=int, default=1000, help="duplicate deals a measurement")
    parser.add_argument("--opponents", nargs="+", default=list(OPPONENTS), help="measured against")
    parser.add_argument("--into", type=Path, default=WEIGHTS_FOLDER, help="folder of the weights")
    options = parser.parse_args(arguments)
    try:
        card = _publish_measured(options)
    except ArboretumError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    sys.stdout.write(f"{card}\n")
    return 0


def _publish_measured(options: argparse.Namespace) -> Path:
    run = open_run(options.run)
    folder = publish(run, options.name, into=options.into)
    game = read_checkpoint(folder).game
    # By its folder: the registry learns of a new version when the weights are there.
    reports = measure(str(folder), game, options.opponents, deals=options.deals)
    return write_card(run, folder, reports)


if __name__ == "__main__":
    sys.exit(main())
