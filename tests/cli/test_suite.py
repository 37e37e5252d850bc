"""``arboretum suite`` as a user calls it."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from arboretum_lab.cli.main import main
from arboretum_training.evaluation import suite
from arboretum_training.evaluation.suite import rungs_of
from tests.cli.interrupted import interrupted

ARBORETUM = Path(sys.executable).parent / "arboretum"
SMALL = ["--deals", "2", "--players", "2", "--workers", "1"]
RUNGS = rungs_of(3)


@pytest.fixture(autouse=True)
def _quick_rungs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two players too meet the rungs of three alone: the slow one would take minutes."""
    monkeypatch.setattr(suite, "LADDER", RUNGS)


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
    games = len(RUNGS) * 2 * 2
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
        rungs = len(RUNGS)
        assert len(pairs) == rungs * (rungs - 1)
        if players == "2":
            for (one, other), rate in pairs.items():
                assert rate + pairs[other, one] == pytest.approx(1)
    assert "| `greedy@1` | 1000 (the anchor) |" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "expected one of: AGENT, --verify RESULT, --ladder, --algorithm CONFIG"),
        (["greedy", "--ladder"], "expected one of: AGENT, --verify RESULT"),
        (["grady"], "unknown agent 'grady'; did you mean 'greedy'?"),
        (["greedy", "--deals", "0"], "--deals 0: expected at least 1"),
        (["greedy", "--workers", "0"], "--workers 0: expected at least 1"),
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
    done = interrupted(
        [*words, "--out", "."], tmp_path, lambda: any(tmp_path.glob("*/units/*/b*.json"))
    )
    assert "the same command goes on from there" in " ".join(done.stderr.split())


def tiny_method(folder: Path, name: str, *lines: str) -> str:
    path = folder / f"{name}.yaml"
    text = ["rollout: {games: 8, turns: 4}", "network: {species_width: 16, global_width: 16}"]
    path.write_text("\n".join([f"name: {name}", *text, *lines]))
    return str(path)


@pytest.mark.slow
def test_training_methods_are_compared_and_not_trained_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    methods = [
        tiny_method(tmp_path, "one"),
        tiny_method(tmp_path, "two", "ppo: {learning_rate: 0.01}"),
    ]
    words = ["suite", "--algorithm", *methods, "--decisions", "200", "--seeds", "2"]
    words += ["--deals", "2", "--workers", "1", "--out", str(tmp_path / "out")]
    assert main([*words, "--json"]) == 0
    first = capsys.readouterr().out
    report = json.loads(first)
    assert report["official"] is False and report["track"] == "200 decisions"
    assert list(report["methods"]) == ["one", "two"]
    for rungs in report["methods"].values():
        assert [len(figures["by_seed"]) for figures in rungs.values()] == [2, 2]
    weights = sorted((tmp_path / "out").rglob("weights.safetensors"))
    before = [path.stat().st_mtime_ns for path in weights]
    assert main([*words, "--json"]) == 0
    assert capsys.readouterr().out == first
    assert sorted((tmp_path / "out").rglob("weights.safetensors")) == weights
    assert [path.stat().st_mtime_ns for path in weights] == before
    assert (tmp_path / "out" / "report.html").read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--track", "forever"], "--track forever: expected one of decisions-1m, decisions-5m"),
        (["--seeds", "0"], "--seeds 0: expected at least 1"),
        (["--decisions", "0"], "--decisions 0: expected at least 1"),
    ],
)
def test_bad_comparisons(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    method = tiny_method(tmp_path, "one")
    assert main(["suite", "--algorithm", method, *words, "--out", str(tmp_path / "o")]) == 2
    assert capsys.readouterr().err.startswith(f"arboretum: error: {message}")
    assert not (tmp_path / "o").exists()
