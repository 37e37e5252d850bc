"""``arboretum beliefs``: a small measurement as table, JSON and picture; what it refuses."""

import json
from pathlib import Path

import pytest

from arboretum_lab.cli.main import main

SMALL = ["--species", "4", "--ranks", "4", "--hand-size", "2", "--deals", "2"]
QUICK = ["--network", "none", "--particles", "16"]


def test_json_and_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "curves.svg"
    words = ["beliefs", "greedy", "planner", *SMALL, *QUICK, "--json", "--svg", str(picture)]
    assert main(words) == 0
    printed = capsys.readouterr().out
    found = json.loads(printed)
    assert (found["games"], found["deals"]) == (4, 2)
    assert list(found["beliefs"]) == ["uniform", "facts", "particles"]
    assert found["beliefs"]["uniform"]["log_loss"]["gain"] == 0.0
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    assert main(words) == 0
    assert capsys.readouterr().out == printed  # the same seed, the same bytes


def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["beliefs", "greedy", "greedy", "--players", "3", "--network", "none"]
    assert main([*words, *SMALL, "--policy", "none"]) == 0
    text = capsys.readouterr().out
    assert "greedy about greedy, 3 players: 2 deals, 6 games" in text
    assert "uniform" in text
    assert "particles" not in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--deals", "1"], "--deals 1: expected at least 2, for intervals"),
        (["--network", "greedy"], "agent 'greedy': expected a network, which has a belief head"),
        (["--policy", "random"], "agent 'random': expected one with probabilities"),
        (["--particles", "3"], "particles 3: expected at least 16"),
        (["--players", "5"], "5"),
    ],
)
def test_bad_input(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    base = [] if "--network" in arguments else ["--network", "none"]
    assert main(["beliefs", "greedy", "greedy", *base, *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    [line] = printed.err.splitlines()
    assert words in line
