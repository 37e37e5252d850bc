"""The JSON form: its shape, and clear errors for documents that are no record."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from arboretum_env.errors import RecordError
from arboretum_env.records.files import load_record
from arboretum_env.records.json_form import record_from_json, record_to_json

GAMES = Path(__file__).parents[1] / "data" / "games"


def document() -> dict[str, Any]:
    return record_to_json(load_record(GAMES / "three_players_reduced.arb"))


def test_shape() -> None:
    data = document()
    turns = data.pop("turns")
    assert data == {
        "arboretum": 1,
        "players": 3,
        "species": "CDJV",
        "ranks": 5,
        "starting_discards": True,
        "cancel_eights": True,
        "rights": "highest",
        "deal": "random play, cells chosen for points",
        "hands": [["C4", "J3", "J5"], ["C2", "C5", "V4"], ["D4", "D5", "V1"]],
        "discards": [[], ["D2"], ["J1"]],
        "deck": ["C3", "J2", "D3", "V3", "C1", "V5", "V2", "D1", "J4"],
        "takebacks": 0,
        "seats": ["Ann", "Bo", "Cy"],
        "termination": "",
        "result": [6, 0, 0],
        "winners": [0],
    }
    assert len(turns) == 10
    assert turns[0] == {"moves": ["p1(D2)", "p2(J1)", "C4@0,0", "xJ3"], "comment": ""}


def test_unfinished_and_unknown() -> None:
    unfinished = record_to_json(load_record(GAMES / "unfinished.arb"))
    assert (unfinished["result"], unfinished["winners"]) == (None, None)
    assert unfinished["turns"][-1]["moves"] == ["p1(J5)", "d", "D1@"]
    chair = record_to_json(load_record(GAMES / "one_chair.arb"))
    assert chair["hands"][1] == ["?"] * 7
    assert chair["deck"][:4] == ["D1", "C6", "?", "V4"]
    assert chair["turns"][1]["moves"][:2] == ["p0(L2)", "?"]


@pytest.mark.parametrize(
    ("where", "value", "token", "reason"),
    [
        (["arboretum"], 2, "2", "arboretum: expected 1"),
        (["players"], "3", "3", "players: expected an integer"),
        (["players"], True, "true", "players: expected an integer"),
        (["players"], 9, "", "num_players 9: expected at most 4"),
        (["ranks"], 0, "", "num_ranks 0: expected at least 3"),
        (["species"], "", "", "species: expected at least 2 characters"),
        (["hands"], None, "null", "hands: expected a list"),
        (["hands", 0, 0], "X1", "X1", "hands: 'X1' is not a card in play"),
        (["hands", 0, 0], "C2", "C2", "Hands: the card stands twice in the deal"),
        (["hands", 0, 0], 7, "7", "hands.0.0: expected a text"),
        (["discards"], [], "", "seat 1 starts with 0 cards, expected 1"),
        (["discards", 1], ["?"], "?", "a starting discard lies face up"),
        (["deck", 0], "C33", "C33", "deck: 'C33' is not a card in play"),
        (["result"], [6, 0], "6-0", "expected 3 scores"),
        (["winners"], [3], "3", "expected seats of 0..2"),
        (["seats", 0], 'a"b', "'a\"b'", "no double quote"),
        (["turns", 0, "moves", 2], "C4@9", "C4@9", "turn 1: expected a plant"),
        (["turns", 0, "moves", 3], "d", "d", "turn 1: expected a discard"),
        (["turns", 0, "comment"], "}", "}", "turn 1: the comment holds"),
        (["extra"], 1, "1", "extra: unknown key"),
    ],
)
def test_faults(where: list[Any], value: Any, token: str, reason: str) -> None:
    data = copy.deepcopy(document())
    parent: Any = data
    for step in where[:-1]:
        parent = parent[step]
    parent[where[-1]] = value
    with pytest.raises(RecordError) as caught:
        record_from_json(data)
    assert (caught.value.line, caught.value.token) == (None, token)
    assert reason in caught.value.reason


@pytest.mark.parametrize("data", [None, [], "record", 3, {}])
def test_documents_of_another_kind(data: Any) -> None:
    with pytest.raises(RecordError):
        record_from_json(data)


@pytest.mark.parametrize(
    "text", ["", "{", '{"arboretum": 1,}', "[" * 100_000, '{"players": ' + "9" * 5000 + "}"]
)
def test_files_that_are_no_json(tmp_path: Path, text: str) -> None:
    path = tmp_path / "game.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecordError, match=r"game\.json: not JSON"):
        load_record(path)


def test_the_form_survives_json_itself() -> None:
    data = document()
    assert json.loads(json.dumps(data)) == data
