"""``arboretum replay``: the exact JSON of good, false, unfinished and one-chair records."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arboretum_env.records.files import load_record, save_record
from arboretum_lab.cli.main import main

GAMES = Path(__file__).parents[1] / "data" / "games"
ARBORETUM = Path(sys.executable).parent / "arboretum"


def replay_json(path: Path, capsys: pytest.CaptureFixture[str], code: int = 0) -> Any:
    assert main(["replay", str(path), "--json"]) == code
    printed = capsys.readouterr()
    if code == 0:
        assert printed.err == ""
    else:
        [line] = printed.err.splitlines()
        assert line.startswith("arboretum: error: ")
    return json.loads(printed.out)


def species_row(
    hand_sum: int, right: bool, path: str, path_points: int, points: int
) -> dict[str, Any]:
    return {
        "hand_sum": hand_sum,
        "right": right,
        "best_path": path.split(),
        "path_points": path_points,
        "points": points,
    }


PUBLISHED = {
    "valid": True,
    "turns": 33,
    "scores": [6, 16],
    "winners": [1],
    "players": [
        {
            "species": {
                "C": species_row(12, True, "C3 D4 C7 C8", 6, 6),
                "V": species_row(5, False, "", 0, 0),
                "L": species_row(0, False, "", 0, 0),
                "D": species_row(5, False, "D1 V3 D8", 6, 0),
                "J": species_row(4, False, "J3 J5", 2, 0),
                "M": species_row(0, False, "", 0, 0),
            }
        },
        {
            "species": {
                "C": species_row(0, False, "", 0, 0),
                "V": species_row(6, True, "V1 M2 D3 L7 V8", 8, 8),
                "L": species_row(4, True, "L2 D3 L7", 3, 3),
                "D": species_row(7, True, "", 0, 0),
                "J": species_row(15, True, "", 0, 0),
                "M": species_row(5, True, "M3 M4 M8", 5, 5),
            }
        },
    ],
}


def test_published_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert replay_json(GAMES / "anu_game_1.arb", capsys) == PUBLISHED


def test_json_form_of_the_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.json"
    save_record(load_record(GAMES / "anu_game_1.arb"), path)
    assert replay_json(path, capsys) == PUBLISHED


def test_one_chair_says_what_it_concluded(capsys: pytest.CaptureFixture[str]) -> None:
    note = "the last hand of seat 1 follows from all other cards"
    assert replay_json(GAMES / "one_chair.arb", capsys) == {**PUBLISHED, "notes": [note]}


def test_unfinished_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert replay_json(GAMES / "unfinished.arb", capsys) == {
        "valid": True,
        "turns": 10,
        "scores": None,
        "winners": None,
        "players": None,
    }


def changed(name: str, old: str, new: str, tmp_path: Path) -> Path:
    text = (GAMES / f"{name}.arb").read_text(encoding="utf-8")
    assert text.count(old) == 1
    path = tmp_path / "changed.arb"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        (
            '[Result "6-16"]',
            '[Result "6-15"]',
            {
                "line": 10,
                "token": "6-15",
                "message": "false Result: the moves end the game with 6-16",
            },
        ),
        (
            "d D6@0,-1",
            "d D6@1,-1",
            {
                "line": 15,
                "token": "D6@1,-1",
                "message": "turn 3: 1,-1 is not next to any card of seat 0's arboretum",
            },
        ),
        (
            '[Players "2"]',
            '[Players "two"]',
            {
                "line": 2,
                "token": "two",
                "message": "Players: expected a whole number of 0 or more",
            },
        ),
        (
            "xL2\n",
            "xL2 xL2\n",
            {
                "line": 13,
                "token": "xL2",
                "message": "the turn is complete: expected the next turn's number",
            },
        ),
    ],
)
def test_false_records(
    old: str,
    new: str,
    error: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = changed("anu_game_1", old, new, tmp_path)
    assert replay_json(path, capsys, code=2) == {"valid": False, "error": error}
    assert main(["replay", str(path)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    line = f"{path}: line {error['line']}: '{error['token']}': {error['message']}"
    assert printed.err == f"arboretum: error: {line}\n"


def test_forfeit_and_takebacks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    end = '[Takebacks "2"] [Termination "forfeit seat 1: left"] [Result "*"] [Winners "0"]'
    path = changed("unfinished", '[Result "*"]', end, tmp_path)
    assert replay_json(path, capsys) == {
        "valid": True,
        "turns": 10,
        "scores": None,
        "winners": [0],
        "players": None,
        "termination": "forfeit seat 1: left",
        "takebacks": 2,
    }
    assert main(["replay", str(path)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "valid record of 10 turns, unfinished",
        "ended by forfeit seat 1: left",
        "won by seat 0",
        "takebacks across a draw from the deck: 2",
    ]


def test_text_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(GAMES / "three_players_reduced.arb")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:9] == [
        "valid record of 10 turns, finished",
        "",
        "seat 0 (Ann): 6 points, wins",
        "  species          in hand             right  points  best path",
        "  C Cassia         0                   no          0  C1 C4 (denied 3)",
        "  D Dogwood        0                   no          0  -",
        "  J Jacaranda      4                   yes         6  J1 C4 J5",
        "  V Olive          2+(5) = 2           no          0  -",
        "  (in brackets: counts 0, as an opponent holds the 1 of the species)",
    ]
    assert sum("in brackets" in line for line in lines) == 1  # only where there is one


def test_console_script_without_a_traceback(tmp_path: Path) -> None:
    good = subprocess.run(
        [ARBORETUM, "replay", GAMES / "anu_game_1.arb", "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (good.returncode, json.loads(good.stdout), good.stderr) == (0, PUBLISHED, "")
    broken = tmp_path / "broken.arb"
    broken.write_text('[Arboretum "1"]\n\0', encoding="utf-8")
    bad = subprocess.run([ARBORETUM, "replay", broken], capture_output=True, text=True, check=False)
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr == f"arboretum: error: {broken}: 'Players': no [Players ...] header\n"
