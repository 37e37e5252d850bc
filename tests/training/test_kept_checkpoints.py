"""The checkpoints to train on from: small, whole, and among them what the shipped networks are."""

from collections.abc import Mapping
from pathlib import Path

import pytest
import torch
from torch import Tensor

from arboretum_agents.neural.checkpoint_reader import (
    WEIGHTS,
    read_checkpoint,
)
from arboretum_agents.shipped import WEIGHTS_FOLDER
from arboretum_training.config import ExperimentConfig
from arboretum_training.league import League
from arboretum_training.start import CRITIC

FOLDER = Path(__file__).resolve().parents[2] / "training" / "checkpoints"
SHIPPED = sorted(path.name for path in WEIGHTS_FOLDER.iterdir() if path.is_dir())
KEPT = sorted(path for path in FOLDER.glob("*/*") if path.is_dir())
MAX_BYTES = 10_000_000  # of each


def equal(one: Mapping[str, Tensor], other: Mapping[str, Tensor]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_network_came_from_one(name: str) -> None:
    published = read_checkpoint(WEIGHTS_FOLDER / name).tensors
    assert published.keys() == {WEIGHTS, CRITIC}
    bare = name.partition("@")[0]
    kept = [read_checkpoint(folder).tensors for folder in KEPT if folder.parent.name == bare]
    same = [
        equal(tensors[WEIGHTS], published[WEIGHTS]) and equal(tensors[CRITIC], published[CRITIC])
        for tensors in kept
    ]
    assert same.count(True) == 1


@pytest.mark.parametrize("folder", KEPT, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_training_goes_on_from_it(folder: Path) -> None:
    assert f"{folder.parent.name}@1" in SHIPPED
    assert sum(path.stat().st_size for path in folder.iterdir()) <= MAX_BYTES
    checkpoint = read_checkpoint(folder)
    config = ExperimentConfig(name="on", game=checkpoint.game, start_from=folder)
    main = League(config).main.model
    assert equal(main.network.state_dict(), checkpoint.tensors[WEIGHTS])
    assert equal(main.critic_state(), checkpoint.tensors[CRITIC])
    page = (FOLDER / "README.md").read_text()
    assert f"`{folder.parent.name}/{folder.name}`" in page
