"""Two nodes train one run, as docs/scaling.md says; one is killed, and the run goes on."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import yaml

from arboretum_agents.neural.checkpoint_reader import latest_step
from arboretum_training.config import dump_experiment
from tests.distributed import worker

PATIENCE = 500.0  # seconds, on a busy machine
TOTAL = 6000


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def nodes(folder: Path, *words: str) -> list[subprocess.Popen[str]]:
    """A ``torchrun`` for each of two nodes, of one process each, which meet at the first."""
    command = [
        sys.executable, "-m", "torch.distributed.run", "--nnodes", "2", "--nproc-per-node", "1",
        "--rdzv-backend", "c10d", "--rdzv-endpoint", f"127.0.0.1:{free_port()}",
        "--rdzv-id", "two", "-m", "arboretum_lab", "train", *words, "--workers", "1",
    ]  # fmt: skip
    return [
        subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True,
        )
        for _ in range(2)
    ]  # fmt: skip


def finish(started: list[subprocess.Popen[str]]) -> list[str]:
    """What each printed, when both have ended."""
    try:
        return [process.communicate(timeout=PATIENCE)[0] for process in started]
    finally:
        for process in started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def children(process: subprocess.Popen[str]) -> list[int]:
    text = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(word) for word in text.split()]


def test_a_rank_that_is_killed_ends_the_run_and_it_goes_on_from_its_checkpoint(
    tmp_path: Path,
) -> None:
    experiment = yaml.safe_load(dump_experiment(worker.config()))
    experiment |= {"name": "two", "budget": {"decisions": TOTAL}}
    experiment["checkpoint"] = {"every": 1, "keep": 2}
    experiment["evaluation"] |= {"final_deals": 2, "opponents": ["random"]}
    (tmp_path / "two.yaml").write_text(yaml.safe_dump(experiment))
    run = tmp_path / "runs" / "two"

    started = nodes(tmp_path, "two.yaml")
    try:
        deadline = time.monotonic() + PATIENCE
        while not (run.exists() and latest_step(run)) and time.monotonic() < deadline:
            assert all(process.poll() is None for process in started)
            time.sleep(0.02)
        [rank] = children(started[1])
        os.kill(rank, signal.SIGKILL)
    finally:
        printed = finish(started)
    assert all(process.returncode != 0 for process in started)
    assert any("Signal 9 (SIGKILL)" in text for text in printed)
    saved = latest_step(run)
    assert saved is not None and 0 < saved < TOTAL

    resumed = nodes(tmp_path, "--resume", "runs/two")
    printed = finish(resumed)
    assert [process.returncode for process in resumed] == [0, 0], printed
    assert sum("run folder: runs/two" in text for text in printed) == 1
    rows = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    steps = [row["step"] for row in rows if "progress/iteration" in row]
    assert steps == sorted(set(steps)) and steps[-1] >= TOTAL, "no iteration twice, none left out"
    iterations = [row["progress/iteration"] for row in rows if "progress/iteration" in row]
    assert iterations == list(range(1, len(iterations) + 1))
    launches = json.loads((run / "meta.json").read_text())["launches"]
    assert [launch["resumed_step"] for launch in launches] == [None, saved]
