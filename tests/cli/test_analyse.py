"""``arboretum analyse``: the game of which everything is known, as text and as JSON."""

import json
from pathlib import Path

import pytest

from arboretum_lab.cli.main import main
from tests.analysis.games import LAST_DISCARD, THROWN_AWAY


@pytest.fixture
def record(tmp_path: Path) -> str:
    path = tmp_path / "game.arb"
    path.write_text(THROWN_AWAY, encoding="utf-8")
    return str(path)


def error_line(capsys: pytest.CaptureFixture[str]) -> str:
    printed = capsys.readouterr()
    assert printed.out == ""
    [line] = printed.err.splitlines()
    return line.removeprefix("arboretum: error: ")


def test_a_game_as_json(record: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", record, "--json", "--worlds", "32"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["method"] == {"reference": "planner", "worlds": 32}
    assert [seat["last"]["value"] for seat in found["seats"]] == [1.0, -1.0]
    first = found["seats"][0]
    assert first["swings"][-1]["decision"] == {"value": -2.0, "source": "exact"}
    *_, thrown = (m for m in first["moments"]["decisive"] if m["kind"] == "let go")
    assert (thrown["card"], thrown["other"], thrown["margin"]["value"]) == ("C8", "D7", -2.0)
    parts = [first[part]["value"] for part in ("start", "decisions", "draws", "rivals")]
    assert sum(parts) == first["last"]["value"]


def test_a_game_as_text(record: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", record, "--seat", "0", "--worlds", "32"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("seat 0: margin in points\n  at the start ")
    assert "  at the end     +1.0 (exact)\n" in text
    assert "    turn 7  xC8        -2.0  decision -2.0 (exact)  rivals +0.0\n" in text
    assert "    turn 7  let go C8, not D7       margin -2.0 (exact)\n" in text
    assert "  told seat 1 most, besides the card\n" in text
    assert "\nseat 1" not in text


def test_a_game_as_a_page(record: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "game.html"
    assert main(["analyse", record, "--worlds", "32", "--seat", "0", "--html", str(page)]) == 0
    assert capsys.readouterr().out.startswith("seat 0: ")
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert "<h1>Arboretum: game.arb</h1>" in text
    assert text.count("<svg") == 3


def test_a_position(record: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", record, "--move", str(LAST_DISCARD)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "turn 7, discard: as seat 0 sees it"
    assert lines[1] == "  expected margin  +3.0 (exact)"
    assert "    xD7       100% (exact)" in lines
    rights = "    C Cassia          seat 0: 8/8.0 100%  0 points  seat 1: 0/4.0   0%  2 points"
    assert rights in lines
    assert "    C8  rivals +2.0 (exact)  own +0.0 (exact)" in lines
    assert main(["analyse", record, "--move", "34", "--seat", "1", "--json"]) == 0
    other = json.loads(capsys.readouterr().out)
    assert (other["seat"], other["mover"], other["chances"]) == (1, 0, None)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--seat", "2"], "--seat 2: expected 0..1"),
        (["--move", "36"], "--move 36: expected 0..35 in this game"),
        (["--move", "3", "--html", "x.html"], "--html is of a whole game: expected no --move"),
        (["--worlds", "3"], "worlds 3: expected 16..4096"),
        (["--agent", "search"], "a search in every seat of every world takes too long"),
        (["--agent", "planer"], "unknown agent 'planer'"),
    ],
)
def test_bad_input(
    record: str, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyse", record, *arguments]) == 2
    assert words in error_line(capsys)
