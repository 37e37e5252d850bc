"""The checkpoints to train on from: small, whole, and what the shipped networks are."""

from pathlib import Path

import pytest
import torch

from arboretum_agents.neural.checkpoint_reader import WEIGHTS, read_checkpoint
from arboretum_agents.shipped import WEIGHTS_FOLDER
from arboretum_training.config import ExperimentConfig
from arboretum_training.league import League
from arboretum_training.start import CRITIC

FOLDER = Path(__file__).resolve().parents[2] / "training" / "checkpoints"
KEPT = sorted(path for path in FOLDER.glob("*/*") if path.is_dir())
MAX_BYTES = 10_000_000  # of each


def test_there_is_one_for_every_shipped_network() -> None:
    shipped = {path.name for path in WEIGHTS_FOLDER.iterdir() if path.is_dir()}
    assert {path.parent.name for path in KEPT} == shipped


@pytest.mark.parametrize("folder", KEPT, ids=lambda path: path.parent.name)
def test_training_goes_on_from_it(folder: Path) -> None:
    assert sum(path.stat().st_size for path in folder.iterdir()) <= MAX_BYTES
    checkpoint = read_checkpoint(folder)
    config = ExperimentConfig(name="on", game=checkpoint.game, start_from=folder)
    begun = League(config).network.state_dict()
    published = read_checkpoint(WEIGHTS_FOLDER / folder.parent.name).tensors
    assert published.keys() == {WEIGHTS, CRITIC}
    assert begun.keys() == published[WEIGHTS].keys()
    assert all(torch.equal(begun[name], tensor) for name, tensor in published[WEIGHTS].items())
    critic = checkpoint.tensors[CRITIC]
    assert critic.keys() == published[CRITIC].keys()
    assert all(torch.equal(critic[name], tensor) for name, tensor in published[CRITIC].items())
    page = (FOLDER / "README.md").read_text()
    assert f"`{folder.parent.name}/{folder.name}`" in page
