"""What a run says and keeps when the system refuses: full disks, missing folders, files in the way.

A limit on the size of files stands for a full disk: the system refuses the write that would go
beyond it, in the middle of a row or of a checkpoint.
"""

import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from arboretum_agents.neural.checkpoint_reader import find_checkpoint, latest_step, read_checkpoint
from arboretum_env.config import GameConfig
from arboretum_env.errors import CheckpointError
from arboretum_lab.cli.main import main
from arboretum_training.config import (
    BudgetConfig,
    CheckpointConfig,
    EvaluationConfig,
    dump_experiment,
)
from arboretum_training.dashboard import Dashboard
from arboretum_training.files import GrowingFile
from arboretum_training.runs import RunFolder, create_run
from arboretum_training.session import Session
from tests.training.experiments import experiment

pytestmark = pytest.mark.usefixtures("one_thread")

CONFIG = experiment(
    GameConfig(num_players=2, species=4, num_ranks=5, hand_size=3),
    games=12,
    turns=4,
    seed=2,
    budget=BudgetConfig(decisions=600),
    evaluation=EvaluationConfig(final_deals=1, opponents=("random",), deals=1),
    checkpoint=CheckpointConfig(every=1),
)
LIMITED = """
import resource, sys
from arboretum_lab.cli.main import main

limit = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
sys.exit(main(sys.argv[2:]))
"""
NO_ROOM_FOR_KERNELS = "ignore:compiled kernels cannot be kept"
"""Machine code that no process has kept yet finds no room either, which is said in a warning."""


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that is over; to be copied."""
    folder = tmp_path_factory.mktemp("work")
    run = create_run(folder, CONFIG, [])
    with Dashboard("tiny", console=Console(quiet=True)) as dashboard:
        Session(run, CONFIG).train(dashboard)
    return run.path


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished, tmp_path / "tiny"))


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def resume_with(limit: int, run: Path, *words: str) -> str:
    """Resumes a run that may not make a file larger than ``limit`` bytes; returns its complaint."""
    command = ["train", "--resume", str(run), "--workers", "1", "--budget.decisions", "6000"]
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(limit), *command, *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": NO_ROOM_FOR_KERNELS},
    )
    assert done.returncode == 2, done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith("arboretum: error: ")
    return done.stderr.rstrip()


def go_on(run: Path) -> Mapping[str, Any]:
    """Resumes without a limit, to a budget that is soon used; returns the weights."""
    step = latest_step(run)
    assert step is not None
    words = ["--workers", "1", "--budget.decisions", str(step + 600), "--checkpoint.every", "1"]
    assert main(["train", "--resume", str(run), *words]) == 0
    lines = (run / "metrics.jsonl").read_text().splitlines()
    steps = [json.loads(line)["step"] for line in lines if "loss/policy" in line]
    assert steps == sorted(set(steps))
    saved = read_checkpoint(find_checkpoint(run))
    assert saved.step == steps[-1] >= step + 600
    return saved.tensors["weights"]


@pytest.mark.slow
def test_a_log_that_has_no_room_loses_nothing(
    run: Path, finished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    step, log = latest_step(run), run / "metrics.jsonl"
    before = log.read_bytes()
    line = resume_with(len(before) + 3000, run, "--checkpoint.every", "1000")
    assert f"{log}: File too large: the run stops here, and its newest checkpoint is intact" in line
    assert "then go on with --resume" in line
    assert latest_step(run) == step
    # The rows that did fit are whole; the one that did not has left nothing.
    after = log.read_bytes()
    assert after.startswith(before)
    assert len(before) < len(after) <= len(before) + 3000
    assert all(json.loads(row)["step"] > 0 for row in after.splitlines())

    # And what was done is done again, alike.
    unbroken = Path(shutil.copytree(finished, run.parent / "unbroken"))
    expected, weights = go_on(unbroken), go_on(run)
    assert all(weights[name].equal(tensor) for name, tensor in expected.items())
    capsys.readouterr()


def test_a_checkpoint_that_has_no_room_leaves_the_last_one(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    step = latest_step(run)
    digest = read_checkpoint(find_checkpoint(run)).digest
    line = resume_with(20_000, run)
    assert f"cannot be saved: File too large (step {step} is intact)" in line
    assert latest_step(run) == step
    assert read_checkpoint(find_checkpoint(run)).digest == digest
    assert not list((run / "checkpoints").glob(".tmp-*"))
    go_on(run)
    capsys.readouterr()


def test_a_past_policy_that_has_no_room_stops_the_run(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = resume_with(20_000, run, "--checkpoint.every", "1000", "--evaluation.every", "1")
    assert "weights.safetensors: File too large: the run stops here, and its newest" in line
    assert "/past/" in line
    assert list((run / "past").iterdir()) == []
    go_on(run)
    capsys.readouterr()


def test_a_run_that_cannot_be_resumed_for_want_of_room_is_as_it_was(run: Path) -> None:
    with (run / "metrics.jsonl").open("a") as log:
        log.write('{"step": 99999}\n')  # beyond the checkpoint
    before = contents(run)
    line = resume_with(100, run)
    assert ".tmp-config.yaml: File too large: the run cannot go on, and is as its check" in line
    left = contents(run)
    left.pop(run / ".tmp-config.yaml", None)
    assert left == before


class Saboteur(Dashboard):
    """A dashboard that does something to the run between its second and third iteration."""

    def __init__(self, run: Path, name: str) -> None:
        super().__init__("tiny", console=Console(quiet=True))
        self._target = run / name
        self._updates = 0

    def update(self, step: int, progress: float, metrics: Mapping[str, float]) -> None:
        self._updates += 1
        if self._updates == 2:
            shutil.rmtree(self._target)
        super().update(step, progress, metrics)


def train_sabotaged(folder: Path, name: str, **changes: Any) -> RunFolder:
    run = create_run(folder, CONFIG, [])
    config = CONFIG.model_copy(update=changes)
    with Saboteur(run.path, name) as dashboard:
        Session(run, config).train(dashboard)
    return run


def test_a_folder_of_checkpoints_that_vanishes_is_told(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="cannot be saved: No such file or directory") as info:
        train_sabotaged(tmp_path, "checkpoints")
    assert "\n" not in str(info.value)


@pytest.mark.parametrize("name", ["games", "eval"])
def test_folders_that_can_be_made_again_are(tmp_path: Path, name: str) -> None:
    run = train_sabotaged(tmp_path, name, evaluation=EvaluationConfig(every=1, deals=1))
    assert latest_step(run.path) is not None
    assert list(run.games.glob("*.arb"))


@pytest.mark.parametrize("name", ["games", "eval"])
def test_folders_that_are_gone_are_made_again_when_resumed(
    run: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(run / name)
    go_on(run)
    assert list((run / name).iterdir())
    capsys.readouterr()


@pytest.mark.parametrize("name", ["metrics.jsonl", "tb", "eval", "past"])
def test_something_else_in_the_way_is_one_line(
    run: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = run / name
    if path.is_dir():
        shutil.rmtree(path)
        path.write_text("in the way")
    else:
        path.unlink(missing_ok=True)
        path.mkdir() if name == "metrics.jsonl" else path.write_text("in the way")
    step = latest_step(run)
    words = ["--budget.decisions", "5000", "--evaluation.every", "1", "--workers", "1"]
    assert main(["train", "--resume", str(run), *words]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"arboretum: error: {path}")
    assert latest_step(run) == step


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--ppo.critic", "public"], "ppo.critic public: was changed since the run began"),
        (["--league.mains", "2", "--pool.latest", "0.5"], "league of main, main2: was changed"),
        (["--seed", "77"], "seed 77: was changed since the run began, expected 2"),
    ],
)
def test_another_experiment_is_refused_before_anything_is_changed(
    run: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with (run / "metrics.jsonl").open("a") as log:
        log.write('{"step": 99999}\n')
    before = contents(run)
    assert main(["train", "--resume", str(run), *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    [line] = printed.err.splitlines()
    assert line.startswith(f"arboretum: error: {message}")
    assert contents(run) == before


def test_a_newer_schema_is_refused_before_anything_is_changed(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = find_checkpoint(run) / "manifest.json"
    data = json.loads(manifest.read_text())
    manifest.write_text(json.dumps(data | {"schema_version": data["schema_version"] + 1}))
    before = contents(run)
    assert main(["train", "--resume", str(run), "--budget.decisions", "5000"]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "is newer than this program's" in line
    assert "use a newer arboretum-lab" in line
    assert contents(run) == before


def test_a_name_that_is_taken_is_refused_with_advice(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "tiny.yaml"
    config.write_text(dump_experiment(CONFIG))
    before = contents(run)
    assert main(["train", str(config), "--runs", str(run.parent)]) == 2
    [line] = capsys.readouterr().err.splitlines()
    for part in ("exists already", "another --name", f"--resume {run}", "--overwrite"):
        assert part in line
    assert contents(run) == before


def test_a_finished_run_says_that_it_is(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    step = latest_step(run)
    assert main(["train", "--resume", str(run), "--workers", "1"]) == 0
    assert "its budget is used: a larger --budget.decisions or --budget.minutes trains it" in (
        capsys.readouterr().out
    )
    assert latest_step(run) == step
    go_on(run)
    assert "its budget is used" not in capsys.readouterr().out


def test_a_piece_that_does_not_fit_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"one\n")
    real = os.write
    with closing(GrowingFile(path)) as file:
        file.append(b"two\n")

        def full(descriptor: int, data: memoryview) -> int:
            if len(data) < 5:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return real(descriptor, data[:5])  # part of it, then no more

        with monkeypatch.context() as patched:
            patched.setattr(os, "write", full)
            with pytest.raises(OSError, match="No space left on device") as info:
                file.append(b"three\n")
        assert info.value.filename == str(path)
        assert path.read_bytes() == b"one\ntwo\n"
        file.append(b"four\n")
    assert path.read_bytes() == b"one\ntwo\nfour\n"


def test_what_is_written_in_parts_is_written_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write
    with monkeypatch.context() as patched, closing(GrowingFile(tmp_path / "log")) as file:
        patched.setattr(os, "write", lambda descriptor, data: real(descriptor, data[:3]))
        file.append(b"seven letters\n")
    assert (tmp_path / "log").read_bytes() == b"seven letters\n"
