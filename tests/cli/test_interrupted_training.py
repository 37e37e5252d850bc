"""Ctrl-C: a checkpoint, exit code 130, and the words to go on with."""

import sys
from pathlib import Path

import pytest

from arboretum_agents.neural.checkpoint_reader import find_checkpoint, latest_step, read_checkpoint
from arboretum_lab.cli.main import main
from arboretum_training.config import (
    BudgetConfig,
    CheckpointConfig,
    EvaluationConfig,
    dump_experiment,
)
from tests.cli.interrupted import has_rows, interrupted
from tests.training.experiments import GAMES, experiment

ARBORETUM = Path(sys.executable).parent / "arboretum"
ENDLESS = experiment(
    GAMES["reduced 2"],
    games=16,
    turns=4,
    budget=BudgetConfig(decisions=10**9),
    evaluation=EvaluationConfig(final_deals=1, opponents=("random",)),
    checkpoint=CheckpointConfig(every=10**6),
)


def test_ctrl_c_saves_and_says_how_to_go_on(
    tmp_path: Path,
    one_thread: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "tiny.yaml").write_text(dump_experiment(ENDLESS))
    run = tmp_path / "runs" / "tiny"
    done = interrupted(["train", "tiny.yaml"], tmp_path, lambda: has_rows(run / "metrics.jsonl", 3))
    assert "stopping after this iteration, with a checkpoint" in done.stderr
    step = latest_step(run)
    assert step is not None
    assert f"stopped after {step:,} decisions" in done.stdout
    last = (run / "metrics.jsonl").read_text().splitlines()[-1]
    assert last.startswith(f'{{"step": {step},')
    assert read_checkpoint(find_checkpoint(run)).step == step

    [hint] = [line for line in done.stdout.splitlines() if "; go on with: " in line]
    program, *words = hint.partition("; go on with: ")[2].split()
    assert Path(program).name == "arboretum"
    assert words == ["train", "--resume", "runs/tiny"]
    monkeypatch.chdir(tmp_path)
    assert main([*words, "--budget.decisions", str(step + 1), "--workers", "1"]) == 0
    after = latest_step(run)
    assert after is not None
    assert after > step
    assert (run / "MODEL_CARD.md").exists()
    capsys.readouterr()
