"""A process that is killed while it saves leaves a run that can be read and goes on."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from arboretum_agents.neural.checkpoint_reader import find_checkpoint, latest_step, read_checkpoint
from arboretum_training.checkpoint import save_checkpoint
from tests.resume.tiny_run import make_checkpoint

ROOT = Path(__file__).parents[2]
SAVE_FOREVER = """
import sys
from itertools import count
from pathlib import Path
from arboretum_training.checkpoint import save_checkpoint
from tests.resume.tiny_run import make_checkpoint

for step in count(1):
    save_checkpoint(Path(sys.argv[1]), make_checkpoint(step), keep=2)
"""


def test_killed_at_any_moment(run_folder: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", SAVE_FOREVER, str(run_folder)], cwd=ROOT)
    try:
        while (latest_step(run_folder) or 0) < 20:
            if process.poll() is not None:
                pytest.fail(f"the saving process ended with {process.returncode}")
            time.sleep(0.001)
    finally:
        process.kill()
        process.wait()
    step = latest_step(run_folder)
    assert step is not None
    assert step >= 20
    read = read_checkpoint(find_checkpoint(run_folder))
    assert read.step == step
    expected = make_checkpoint(step).tensors["weights"]
    assert all(torch.equal(read.tensors["weights"][name], expected[name]) for name in expected)
    save_checkpoint(run_folder, make_checkpoint(step + 1), keep=2)
    assert latest_step(run_folder) == step + 1
    assert not list((run_folder / "checkpoints").glob(".tmp-*"))
