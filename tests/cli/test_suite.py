"""``arboretum suite`` as a user calls it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from arboretum_lab.cli.main import main
from arboretum_training.evaluation.suite import LADDER

ARBORETUM = Path(sys.executable).parent / "arboretum"
SMALL = ["--deals", "2", "--players", "2", "--workers", "1"]


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["suite", *words]) == 0
    output = capsys.readouterr()
    assert output.err == ""
    return output.out


def test_card_result_and_verification(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "out"
    text = printed(capsys, "greedy", *SMALL, "--out", str(folder))
    assert text.startswith("Arboretum suite 1: greedy@1   UNOFFICIAL")
    assert f"result file: {folder / 'result.zip'}" in text
    again: Any = json.loads(printed(capsys, "greedy", *SMALL, "--out", str(folder), "--json"))
    assert again["official"] is False and list(again["players"]) == ["2"]
    assert again["missing"] == [3, 4]
    file = str(folder / "result.zip")
    verified = printed(capsys, "--verify", file, "--workers", "1")
    games = len(LADDER) * 2 * 2
    assert f"verified: {games} of {games} games replayed" in verified
    report = json.loads(printed(capsys, "--verify", file, "--all", "--workers", "1", "--json"))
    assert report == {"valid": True, "games": games, "replayed": games, "card": again}


def test_an_altered_result_is_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed(capsys, "random", *SMALL, "--out", str(tmp_path))
    file = tmp_path / "result.zip"
    data = bytearray(file.read_bytes())
    data[200] ^= 1
    file.write_bytes(data)
    assert main(["suite", "--verify", str(file)]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    [line] = output.err.splitlines()
    assert line.startswith(f"arboretum: error: {file}")


def test_without_a_folder_the_agent_names_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    printed(capsys, "random", *SMALL)
    [folder] = (tmp_path / "runs" / "suite").iterdir()
    assert folder.name.startswith("v1-") and folder.name.endswith("-sample-2deals")


def test_the_ladder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "--ladder", "--deals", "2", "--workers", "1", "--out", str(tmp_path))
    assert text.startswith("UNOFFICIAL")
    data = json.loads((tmp_path / "ladder.json").read_text())
    assert data["official"] is False and list(data["players"]) == ["2", "3", "4"]
    for players, part in data["players"].items():
        assert part["ratings"]["greedy@1"]["rating"] == 1000
        pairs = {(row["agent"], row["against"]): row["win_rate"] for row in part["win_rates"]}
        rungs = len(LADDER)
        assert len(pairs) == rungs * (rungs - 1)
        if players == "2":
            for (one, other), rate in pairs.items():
                assert rate + pairs[other, one] == pytest.approx(1)
    assert "| `greedy@1` | 1000 (the anchor) |" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "expected one of: AGENT, --verify RESULT, --ladder"),
        (["greedy", "--ladder"], "expected one of: AGENT, --verify RESULT"),
        (["grady"], "unknown agent 'grady'; did you mean 'greedy'?"),
        (["greedy", "--deals", "0"], "--deals 0: expected at least 1"),
        (["greedy", "--workers", "0"], "0 workers: expected at least 1"),
        (["--verify", "no/such/file"], "no/such/file: No such file or directory"),
    ],
)
def test_bad_input(
    words: list[str],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["suite", *words]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    [line] = output.err.splitlines()
    assert line.startswith(f"arboretum: error: {message}")
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_keeps_what_is_finished(tmp_path: Path) -> None:
    words = ["suite", "greedy", "--deals", "64000", "--players", "2", "--workers", "1"]
    process = subprocess.Popen(
        [ARBORETUM, *words, "--out", tmp_path],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    try:
        while not list(tmp_path.glob("*/units/*/b*.json")):
            if process.poll() is not None:
                pytest.fail(f"ended with {process.returncode}")
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 130
    assert "the same command goes on from there" in " ".join(errors.split())
    assert "Traceback" not in errors
