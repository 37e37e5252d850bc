"""``arboretum blocking``: the game of which everything is known, and folders of games."""

import json
from pathlib import Path

import pytest

from arboretum_env.records.files import load_record
from arboretum_lab.cli.main import main
from tests.analysis.games import THROWN_AWAY

GAMES = Path(__file__).parents[1] / "data" / "games"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.arb"
    path.write_text(THROWN_AWAY, encoding="utf-8")
    return path


def test_one_game_as_text(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Seat 0 ends with D7, seat 1 with C4; nobody denies anything.

    D7 is idle, and behind C5 it would have made D1 D4 C5 D7, 5 points for 3.
    """
    assert main(["blocking", str(record)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "seat 0: 3 points; 0 denied to it, 0 taken from others (0 in spite), 2 wasted"
    )
    assert lines[3] == (
        "  D Dogwood            7     +7     3      3      0     0      2"
        "  D7 from seat 0's hand to seat 1's"
    )
    assert lines[5].split() == ["D7", "idle", "+2", "+2"]
    assert lines[7] == "  draws: 8 deck, 0 own pile, 0 rivals' piles, the deck's last"


def test_one_game_as_json(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["blocking", str(record), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    [game] = answer["games"]
    assert (game["scores"], game["turns"], game["closer"]) == ([3, 2], 7, 0)
    assert game["draw_sources"] == [["deck", "deck"]] * 7
    cassia = game["seats"][1]["species"]["C"]
    assert (cassia["potential"], cassia["scored"], cassia["denied"]) == (2, 2, 0)
    assert (cassia["hand_sum"], cassia["margin"], cassia["right"]) == (4, 4, True)
    [held] = game["seats"][1]["held"]
    # C4 alone in hand: without it everybody may score C; seat 0 has no path of C.
    assert (held["card"], held["idle"], held["without"]) == ("C4", True, [0, 0])
    assert game["seats"][0]["discards"][-1]["right_gain"] == [[0, -2], [0, 0]]
    assert answer["players"]["seat 0"]["scored"] == {"value": 3.0, "source": "exact"}
    assert answer["players"]["seat 0"]["games"] == 1


def test_several_games_are_summed_and_others_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["blocking", str(GAMES), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    names = {Path(game["file"]).name for game in answer["games"]}
    assert names == {"anu_game_1.arb", "four_players.arb", "three_players_reduced.arb"}
    for game in answer["games"]:
        record = load_record(Path(game["file"]))
        assert record.result is not None
        assert game["scores"] == list(record.result)
        lost = sum(row["denied"] for seat in game["seats"] for row in seat["species"].values())
        took = sum(row["took"] for seat in game["seats"] for row in seat["species"].values())
        assert lost == pytest.approx(took)
    assert {Path(left["file"]).name: left["reason"] for left in answer["left_out"]} == {
        "one_chair.arb": "some of its cards are unknown",
        "unfinished.arb": "the game is not finished",
    }
    assert main(["blocking", str(GAMES)]) == 0
    assert "hand-blocking in 3 games" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{}"], "{}: no .arb or .json files in this folder"),
        ([str(GAMES / "unfinished.arb")], "the game is not finished: expected a finished game"),
        (["{}/absent.arb"], "absent.arb: No such file or directory"),
        ([], "no games given: expected records (.arb or .json), or folders of them"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["blocking", *(word.format(tmp_path) for word in arguments)]) == 2
    printed = capsys.readouterr()
    [line] = printed.err.splitlines()
    assert message.format(tmp_path) in line and printed.out == ""


def test_a_false_record_names_its_file(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record.write_text(THROWN_AWAY.replace('"3-2"', '"4-2"'), encoding="utf-8")
    assert main(["blocking", str(record)]) == 2
    assert f"error: {record}: line " in capsys.readouterr().err
