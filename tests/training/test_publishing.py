"""Published weights play as the run does, without what only training needs."""

from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from arboretum_agents.neural.checkpoint_reader import read_checkpoint
from arboretum_agents.registry import make_agent
from arboretum_env.config import GameConfig
from arboretum_training.dashboard import Dashboard
from arboretum_training.publishing import main
from arboretum_training.runs import create_run
from arboretum_training.session import Session
from tests.agents.positions import mover_views
from tests.training.experiments import experiment

pytestmark = pytest.mark.usefixtures("one_thread")


def test_a_published_run_is_the_run_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = GameConfig(num_players=3)
    config = experiment(game, games=4, turns=3)
    config = config.model_copy(
        update={"budget": config.budget.model_copy(update={"decisions": 60})}
    )
    run = create_run(
        tmp_path / "runs", config, ["arboretum", "train", "tiny.yaml"], overwrite=False
    )
    assert Session(run, config).train(Dashboard("tiny", console=Console(quiet=True)))
    words = [str(run.path), "mini", "--into", str(tmp_path / "weights"), "--deals", "2"]
    assert main([*words, "--opponents", "random"]) == 0
    card = tmp_path / "weights" / "mini.md"
    assert capsys.readouterr().out == f"{card}\n"
    text = card.read_text()
    published = read_checkpoint(tmp_path / "weights" / "mini")
    assert published.tensors.keys() == {"weights", "critic"}
    assert published.digest is not None
    for part in (
        "# mini\n",
        published.digest[:12],
        "`arboretum train tiny.yaml`",
        "`random` | 2 |",
    ):
        assert part in text
    assert "counters" not in text
    views = mover_views(game, 2, seed=3)
    own, theirs = (
        make_agent(str(path), game).policy(views)[0]  # type: ignore[attr-defined]
        for path in (tmp_path / "weights" / "mini", run.path)
    )
    assert np.array_equal(own, theirs)


def test_what_is_no_run_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([str(tmp_path), "mini", "--into", str(tmp_path / "weights")])
    assert stopped.value.code == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert str(tmp_path) in error
    assert not (tmp_path / "weights").exists()
