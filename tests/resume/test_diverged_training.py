"""A training that goes wrong says where, keeps what showed it, and loses nothing that was saved."""

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch
from rich.console import Console
from safetensors import safe_open

from arboretum_agents.neural.checkpoint_reader import (
    Checkpoint,
    find_checkpoint,
    latest_step,
    read_checkpoint,
)
from arboretum_env.config import GameConfig
from arboretum_env.errors import TrainingError
from arboretum_lab.cli.main import main
from arboretum_training import ppo
from arboretum_training.config import (
    BudgetConfig,
    CheckpointConfig,
    PPOConfig,
    dump_experiment,
)
from arboretum_training.dashboard import Dashboard
from arboretum_training.divergence import BOUNDS, DivergenceError
from arboretum_training.failed_batch import save_failed_batch
from arboretum_training.gae import Advantages
from arboretum_training.runs import RunFolder, create_run, resume_run
from arboretum_training.session import Session
from tests.training.experiments import experiment

pytestmark = pytest.mark.usefixtures("one_thread")

CONFIG = experiment(
    GameConfig(num_players=2, species=4, num_ranks=5, hand_size=3),
    games=12,
    turns=4,
    seed=2,
    ppo=PPOConfig(epochs=2, minibatches=8),
    budget=BudgetConfig(decisions=900),
    checkpoint=CheckpointConfig(every=1),
)
PLACE = r"iteration (\d+), epoch (\d), minibatch (\d+): (.*) on (\d+) (draw|play|discard) decisions"


def train(run: RunFolder, checkpoint: Checkpoint | None = None) -> None:
    with Dashboard("tiny", console=Console(quiet=True)) as dashboard:
        assert Session(run, CONFIG, checkpoint).train(dashboard)


def spoil_from(
    monkeypatch: pytest.MonkeyPatch, iteration: int, change: Callable[[Advantages], Advantages]
) -> None:
    """Changes what decisions of an iteration and of all after it are judged to be worth."""
    real = ppo.generalised_advantages
    count = iter(range(1, 1000))

    def spoiled(*arguments: Any, **options: Any) -> Advantages:
        judged = real(*arguments, **options)
        return change(judged) if next(count) >= iteration else judged

    monkeypatch.setattr(ppo, "generalised_advantages", spoiled)


def too_large(judged: Advantages) -> Advantages:
    return dataclasses.replace(judged, returns=judged.returns + 100)


def not_finite(judged: Advantages) -> Advantages:
    return dataclasses.replace(judged, returns=judged.returns * float("nan"))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (too_large, r"loss/(value|critic) \S+, above 2 for 8 minibatches in a row \(.*\)"),
        (not_finite, r"loss nan, gradient norm nan"),
    ],
)
def test_the_last_good_checkpoint_stays_and_the_run_goes_on_from_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Advantages], Advantages],
    fault: str,
) -> None:
    unbroken = create_run(tmp_path / "unbroken", CONFIG, [])
    train(unbroken)
    run = create_run(tmp_path / "broken", CONFIG, [])
    with monkeypatch.context() as spoiled:
        spoil_from(spoiled, 3, change)
        with pytest.raises(TrainingError) as info:
            train(run)
    message = str(info.value)
    place = re.match(PLACE, message)
    assert place is not None
    iteration, epoch, minibatch, told, count, kind = place.groups()
    assert (iteration, "\n" in message) == ("3", False)
    assert re.fullmatch(fault, told)
    assert "expected finite numbers within their bounds; resume from the newest" in message
    step = latest_step(run.path)
    file = run.failed / "iteration-3.safetensors"
    assert message.endswith(f"step {step} is intact; the minibatch is in {file}")

    with safe_open(file, "pt") as kept:
        where = kept.metadata()
    assert where.pop("fault") in message
    assert where == {
        "iteration": "3",
        "epoch": epoch,
        "minibatch": minibatch,
        "rows": count,
        "kind": kind,
    }
    tensors = safetensors.torch.load_file(file)
    assert len(tensors["returns"]) == len(tensors["decisions/chosen"]) == int(count)
    assert ("placements/card" in tensors) == (kind == "play")
    spoilt = tensors["returns"]
    assert bool((spoilt > 90).all()) if change is too_large else bool(spoilt.isnan().all())
    saved = read_checkpoint(find_checkpoint(run.path))
    if change is not_finite:
        # At the very first update of the iteration: the weights are those that were saved.
        assert (epoch, minibatch) == ("1", "1")
        for name, tensor in saved.tensors["weights"].items():
            assert tensors[f"weights/network.{name}"].equal(tensor)

    _, checkpoint = resume_run(run.path, CONFIG, [])
    train(run, checkpoint)
    expected, reached = (read_checkpoint(find_checkpoint(each.path)) for each in (unbroken, run))
    assert reached.step == expected.step
    assert reached.digest == expected.digest


def test_a_learning_rate_beyond_reason_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not made up: Adam with steps of 1 does explode."""
    path = tmp_path / "tiny.yaml"
    path.write_text(dump_experiment(CONFIG))
    words = ["train", str(path), "--runs", str(tmp_path), "--ppo.learning-rate", "1"]
    assert main([*words, "--checkpoint.every", "1000"]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert re.match(f"arboretum: error: {PLACE}", line)
    assert "there is no checkpoint yet: begin anew with --overwrite" in line
    [file] = (tmp_path / "tiny" / "failed").iterdir()
    assert str(file) in line
    assert latest_step(tmp_path / "tiny") is None


def test_a_minibatch_that_cannot_be_kept_hides_nothing(tmp_path: Path) -> None:
    run = create_run(tmp_path, CONFIG, [])
    run.failed.write_text("in the way")
    where = {"iteration": "7", "epoch": "1", "minibatch": "2", "rows": "1", "kind": "play"}
    error = DivergenceError("loss nan", where, {"returns": torch.zeros(1)})
    told = save_failed_batch(run, error)
    assert told == (
        "there is no checkpoint yet: begin anew with --overwrite; the minibatch cannot be kept: "
        "File exists"
    )


def test_the_page_names_every_bound() -> None:
    page = (Path(__file__).parents[2] / "docs" / "learning.md").read_text(encoding="utf-8")
    for bound in BOUNDS:
        assert f"| `{bound.metric}` | {bound.highest:g} | {bound.reason} |" in page
