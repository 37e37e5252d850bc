"""``arboretum train`` killed again and again ends with the weights of the run that never was."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from arboretum_agents.neural.checkpoint_reader import find_checkpoint, latest_step, read_checkpoint
from arboretum_training.config import (
    BudgetConfig,
    CheckpointConfig,
    EvaluationConfig,
    dump_experiment,
)
from arboretum_training.dashboard import Dashboard
from arboretum_training.runs import create_run
from arboretum_training.session import Session
from tests.training.experiments import GAMES, experiment

ARBORETUM = Path(sys.executable).parent / "arboretum"
BUDGET = 12_000
CONFIG = experiment(
    GAMES["reduced 3"],
    games=24,
    turns=5,
    seed=6,
    budget=BudgetConfig(decisions=BUDGET),
    evaluation=EvaluationConfig(every=4, deals=1, final_deals=1, opponents=("random",)),
    checkpoint=CheckpointConfig(every=1, keep=2),
)


def rows(run: Path) -> list[dict[str, Any]]:
    """The log, without what the clock decides."""
    lines = (run / "metrics.jsonl").read_text().splitlines()
    return [
        {k: v for k, v in json.loads(line).items() if not k.startswith(("time/", "speed/"))}
        for line in lines
    ]


def kill_after(words: list[str], run: Path, step: int, delay: float) -> None:
    """Starts ``arboretum train`` and kills it a moment after a checkpoint at or beyond a step."""
    process = subprocess.Popen(
        [str(ARBORETUM), "train", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    try:
        while not run.exists() or (latest_step(run) or 0) < step:
            if process.poll() is not None:
                assert process.stderr is not None
                pytest.fail(f"ended with {process.returncode}: {process.stderr.read().decode()}")
            time.sleep(0.001)
        time.sleep(delay)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == -signal.SIGKILL


@pytest.mark.slow
def test_killed_twice_and_resumed(tmp_path: Path, one_thread: None) -> None:
    unbroken = create_run(tmp_path / "unbroken", CONFIG, [])
    with Dashboard("unbroken") as dashboard:
        assert Session(unbroken, CONFIG).train(dashboard)
    expected = read_checkpoint(find_checkpoint(unbroken.path))
    assert expected.step >= BUDGET

    config = tmp_path / "tiny.yaml"
    config.write_text(dump_experiment(CONFIG))
    run = tmp_path / "runs" / "tiny"
    moments = random.Random(7)
    kill_after([str(config), "--runs", str(run.parent)], run, 1, moments.uniform(0, 0.1))
    first = latest_step(run)
    assert first is not None
    kill_after(["--resume", str(run)], run, first + 2000, moments.uniform(0, 0.1))
    second = latest_step(run)
    assert second is not None
    assert 0 < first < second < expected.step

    done = subprocess.run(
        [ARBORETUM, "train", "--resume", run, "--workers", "1"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    resumed = read_checkpoint(find_checkpoint(run))
    assert resumed.step == expected.step
    assert resumed.digest == expected.digest
    for group, tensors in expected.tensors.items():
        assert resumed.tensors[group].keys() == tensors.keys()
        for name, tensor in tensors.items():
            assert resumed.tensors[group][name].equal(tensor), f"{group} {name}"
    assert resumed.state == expected.state
    assert rows(run) == rows(unbroken.path)
    for name in ("games/0*.arb", "past/*/*.safetensors"):
        kept, expected_files = (
            {path.relative_to(folder): path.read_bytes() for path in folder.glob(name)}
            for folder in (run, unbroken.path)
        )
        assert kept == expected_files
        assert len(kept) >= 6
    launches = json.loads((run / "meta.json").read_text())["launches"]
    assert [launch["resumed_step"] for launch in launches] == [None, first, second]
