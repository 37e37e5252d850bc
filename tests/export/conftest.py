"""Exported policies: an export takes half a minute, so all workers of a run share its files."""

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from filelock import FileLock

from arboretum_agents.neural.checkpoint_reader import WEIGHTS, Checkpoint
from arboretum_env.config import GameConfig
from arboretum_lab.cli.main import main
from arboretum_training.checkpoint import save_checkpoint
from tests.agents.positions import SMALL, random_network

Export = Callable[[int], Path]


@pytest.fixture(scope="session")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Export:
    """The file of ``random_network`` for so many players; beside it what the command printed."""
    folder = tmp_path_factory.getbasetemp()
    if folder.name.startswith("popen-"):  # a worker of pytest-xdist: its folder's parent is shared
        folder = folder.parent

    def path_of(players: int) -> Path:
        path = folder / f"policy-{players}p.onnx"
        with FileLock(path.with_suffix(".lock")):
            if not path.exists():
                run = saved_run(folder / f"run-{players}p", GameConfig(num_players=players))
                before = torch.get_num_threads()
                torch.set_num_threads(1)
                words = ["export", str(run), "--players", str(players), "--out", str(path)]
                report = path.with_suffix(".json").open("w")
                with report, contextlib.redirect_stdout(report):
                    assert main([*words, "--json"]) == 0
                torch.set_num_threads(before)
        return path

    return path_of


def saved_run(folder: Path, game: GameConfig) -> Path:
    """A run folder with one checkpoint of ``random_network``."""
    (folder / "checkpoints").mkdir(parents=True)
    config = {"game": game.model_dump(), "network": SMALL.model_dump()}
    weights = random_network(game).state_dict()
    save_checkpoint(folder, Checkpoint(7, config, {}, {}, {WEIGHTS: weights}), keep=1)
    return folder
