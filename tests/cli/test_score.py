"""``arboretum score``: the published boards' values, every form of input, and clean refusals."""

import io
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arboretum_lab.cli.main import main
from tests import cases

BOARD = {
    "species": "CM",
    "players": [
        {"hand": ["M7"], "arboretum": [[0, 0, "C1"], [1, 0, "M2"], [2, 0, "C8"]]},
        {"hand": ["M8", "C2"], "arboretum": [[0, 0, "M3"], [0, -1, "M4"]]},
    ],
}

# By hand: C1 M2 C8 is 3 + 1 + 2, denied by the C2 in the rival's hand; M is held 7 against 8.
ANSWER = {
    "scores": [0, 2],
    "winners": [1],
    "players": [
        {
            "species": {
                "C": {
                    "hand_sum": 0,
                    "right": False,
                    "best_path": ["C1", "M2", "C8"],
                    "path_points": 6,
                    "points": 0,
                },
                "M": {
                    "hand_sum": 7,
                    "right": False,
                    "best_path": [],
                    "path_points": 0,
                    "points": 0,
                },
            }
        },
        {
            "species": {
                "C": {
                    "hand_sum": 2,
                    "right": True,
                    "best_path": [],
                    "path_points": 0,
                    "points": 0,
                },
                "M": {
                    "hand_sum": 8,
                    "right": True,
                    "best_path": ["M3", "M4"],
                    "path_points": 2,
                    "points": 2,
                },
            }
        },
    ],
}


@pytest.fixture
def board_file(tmp_path: Path) -> Path:
    path = tmp_path / "board.json"
    path.write_text(json.dumps(BOARD), encoding="utf-8")
    return path


def test_json_answer(board_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(board_file), "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out) == ANSWER
    assert printed.err == ""


def test_text_answer(board_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(board_file)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "seat 0: 0 points",
        "  species          in hand             right  points  best path",
        "  C Cassia         0                   no          0  C1 M2 C8 (denied 6)",
        "  M Maple          7                   no          0  -",
        "  species planted (tie-break): 2",
        "",
        "seat 1: 2 points, wins",
        "  species          in hand             right  points  best path",
        "  C Cassia         2                   yes         0  -",
        "  M Maple          8                   yes         2  M3 M4",
        "  species planted (tie-break): 1",
    ]


def test_standard_input_and_grid(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    grid = "Species CM\nPlayer\nHand M7\nC1 M2 C8\nPlayer\nHand M8 C2\nM3\nM4\n"
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(grid.encode())))
    assert main(["score", "-", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == ANSWER


@pytest.mark.parametrize(
    "case", cases.scored_examples("full_board"), ids=lambda case: str(case["id"])
)
def test_published_boards(
    case: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, players = tmp_path / "board.json", list(case["layout"])
    letters = "".join(cases.LETTERS[name] for name in case["species"])
    document = {
        "species": letters,
        "players": [
            {
                "hand": cases.cards(case["hands"][player]),
                "arboretum": [
                    [x, y, cases.card([name, rank])] for x, y, name, rank in case["layout"][player]
                ],
            }
            for player in players
        ],
    }
    path.write_text(json.dumps(document), encoding="utf-8")
    assert main(["score", str(path), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    expected = case["expected"]
    assert answer["scores"] == [expected["totals"][player] for player in players]
    assert answer["winners"] == [players.index(player) for player in expected["winners"]]
    for player, part in zip(players, answer["players"], strict=True):
        assert "".join(part["species"]) == letters
        for name, entry in expected["per_species"][player].items():
            row = part["species"][cases.LETTERS[name]]
            assert set(row) == {"hand_sum", "right", "best_path", "path_points", "points"}
            assert (row["right"], row["points"]) == (entry["right"], entry["points"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (json.dumps({**BOARD, "species": "CD"}), "'M7' is not a card in play"),
        (json.dumps(BOARD).replace("M4", "M3"), "M3 is there twice"),
        (json.dumps(BOARD).replace("[1, 0", "[0, 0"), "player 0 has two cards at 0,0"),
        (json.dumps(BOARD).replace("[1, 0", "[1, 7"), "in several pieces"),
        (json.dumps(BOARD)[:-1], "not JSON"),
        ('{"a":' * 100_000, "not JSON"),
        ("Player\nC1 oops\n", "card 'oops'"),
        ("", "the board is empty"),
    ],
)
def test_refusals(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "board"
    path.write_text(text, encoding="utf-8")
    for options in ([], ["--json"]):
        assert main(["score", str(path), *options]) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        [line] = printed.err.splitlines()
        assert line.startswith(f"arboretum: error: {path}: ")
        assert line.count(str(path)) == 1
        assert message in line


def test_a_fault_on_standard_input_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for data, message in ((b"Player\nC1 oops\n", "card 'oops'"), (b"\xff", "not UTF-8 text")):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert main(["score", "-"]) == 2
        [line] = capsys.readouterr().err.splitlines()
        assert line.startswith("arboretum: error: standard input: ")
        assert message in line


def test_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    for path, message in (
        (tmp_path / "nothing", "No such file"),
        (tmp_path, "Is a directory"),
        (binary, "not UTF-8 text"),
    ):
        assert main(["score", str(path)]) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        [line] = printed.err.splitlines()
        assert message in line
