"""Two processes train one run: alike in what they share, exact after a crash of one of them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from arboretum_agents.neural.checkpoint_reader import find_checkpoint, read_checkpoint
from arboretum_lab.cli.train import launch_facts
from arboretum_training.checkpoint import save_checkpoint
from arboretum_training.config import dump_experiment
from arboretum_training.league import League
from arboretum_training.snapshot import to_checkpoint
from tests.distributed import worker

ROOT = Path(__file__).resolve().parents[2]
TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]


def run(words: list[str], cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=cwd, capture_output=True, text=True, timeout=500, check=False)


def launch(folder: Path, mode: str) -> subprocess.CompletedProcess[str]:
    return run([*TORCHRUN, "-m", "tests.distributed.worker", str(folder), mode])


def outcomes(folder: Path, mode: str) -> list[dict[str, Any]]:
    return [json.loads((folder / f"{mode}-{rank}.json").read_text()) for rank in range(2)]


def test_processes_agree_and_a_crash_of_one_loses_nothing(tmp_path: Path) -> None:
    done = launch(tmp_path, "unbroken")
    assert done.returncode == 0, done.stderr
    unbroken = outcomes(tmp_path, "unbroken")
    own = [state.pop("own") for state in unbroken]
    assert unbroken[0] == unbroken[1]  # weights, counts, pool and what is remembered of it
    assert own[0] != own[1]  # and games of its own
    assert unbroken[0]["turns"] == [6, 4]
    # Two processes of 5 games x 4 turns x 4 decisions a learner's turn; some wait for later, and
    # opponents make some.
    most = 2 * 5 * 4 * 4 * sum(unbroken[0]["turns"])
    assert 0.4 * most < unbroken[0]["decisions"] < most

    crashed = launch(tmp_path, "crash")
    assert crashed.returncode != 0
    assert "Signal 9 (SIGKILL)" in crashed.stderr
    resumed = launch(tmp_path, "resume")
    assert resumed.returncode == 0, resumed.stderr
    again = outcomes(tmp_path, "resume")
    assert [state.pop("own") for state in again] == own
    assert again == unbroken


def test_the_command_line_trains_by_two_processes_and_refuses_to_resume_by_one(
    tmp_path: Path,
) -> None:
    config = worker.config()
    experiment = yaml.safe_load(dump_experiment(config))
    experiment |= {"name": "two", "budget": {"decisions": 1500}}
    experiment["evaluation"] |= {"final_deals": 2, "opponents": ["random"]}
    (tmp_path / "two.yaml").write_text(yaml.safe_dump(experiment))
    words = ["-m", "arboretum_lab", "train", "two.yaml", "--workers", "1"]
    done = run([*TORCHRUN, *words], tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("run folder: runs/two") == 1  # one of them speaks
    rows = [
        json.loads(line) for line in (tmp_path / "runs/two/metrics.jsonl").read_text().splitlines()
    ]
    assert all(row["step"] < 1500 for row in rows[:-2])
    checkpoint = read_checkpoint(find_checkpoint(tmp_path / "runs/two"))
    assert checkpoint.step == rows[-1]["step"] >= 1500
    assert {key.split("/")[0] for key in checkpoint.tensors["ranks"]} == {"1"}
    alone = run(
        [sys.executable, "-m", "arboretum_lab", "train", "--resume", "runs/two",
         "--budget.decisions", "3000"],
        tmp_path,
    )  # fmt: skip
    assert alone.returncode == 2
    assert (
        "a run of 2 processes, resumed by 1: expected torchrun --nproc-per-node 2" in alone.stderr
    )
    assert "Traceback" not in alone.stderr


EACH_ITS_OWN = """
import os
import sys

from arboretum_lab.cli.main import main

words = sys.argv[1:]
sys.exit(main([word.replace("RANK", os.environ["RANK"]) for word in words]))
"""


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["two.yaml", "--seed", "RANK"], "process 1 of 2 has seed 1, not 0 as process 0 has"),
        (
            ["two.yaml", "--ppo.learning-rate", "0.00RANK1"],
            "process 1 of 2 has ppo.learning_rate 0.0011, not 0.0001 as process 0 has",
        ),
        (["sb3.yaml"], "trainer sb3: expected one process, without torchrun"),
    ],
)
def test_processes_that_would_learn_different_networks_begin_nothing(
    words: list[str], complaint: str, tmp_path: Path
) -> None:
    experiment = yaml.safe_load(dump_experiment(worker.config())) | {"name": "two"}
    (tmp_path / "two.yaml").write_text(yaml.safe_dump(experiment))
    (tmp_path / "sb3.yaml").write_text("name: three\ntrainer: sb3\n")
    (tmp_path / "own.py").write_text(EACH_ITS_OWN)
    done = run([*TORCHRUN, "own.py", "train", *words, "--workers", "1"], tmp_path)
    assert done.returncode != 0
    assert f"arboretum: error: {complaint}" in done.stderr
    assert not (tmp_path / "runs").exists()


def test_processes_that_read_different_checkpoints_differ(tmp_path: Path) -> None:
    """As on a node with an old copy of the run."""
    config = worker.config()
    facts = []
    for name in ("new", "old"):
        run_folder = tmp_path / name
        league = League(config.model_copy(update={"seed": len(facts)}))
        (run_folder / "checkpoints").mkdir(parents=True)
        save_checkpoint(run_folder, to_checkpoint(league), keep=1)
        facts.append(launch_facts(config, run_folder))
    assert {name for name in facts[0] if facts[0][name] != facts[1][name]} == {"checkpoint"}
    assert facts[0] == launch_facts(config, tmp_path / "new")


@pytest.mark.parametrize("rank", [0, 1, 5])
def test_seeds_of_processes_differ_and_the_first_has_the_runs_own(rank: int) -> None:
    from arboretum_training.distributed import Ranks

    seeds = {Ranks(other, 8).seed(11) for other in range(8)}
    assert len(seeds) == 8
    assert (Ranks(rank, 8).seed(11) == 11) == (rank == 0)
    assert all(0 <= seed < 2**63 for seed in seeds)
