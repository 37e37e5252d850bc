"""The score pad: published boards, half-entered ones, and what is told about both."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arboretum_lab.studio.pad import largest_piece, score_pad
from tests import cases
from tests.studio.desk import Desk, open_studio

FULL_BOARDS = cases.scored_examples("full_board")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with open_studio(tmp_path_factory.mktemp("studio")) as client:
        yield Desk(client)


def as_board(case: dict[str, Any]) -> dict[str, Any]:
    """A published board as ``arboretum score`` takes it."""
    return {
        "species": "".join(cases.LETTERS[name] for name in case["species"]),
        "players": [
            {
                "hand": cases.cards(case["hands"][player]),
                "arboretum": [
                    [x, y, card] for (x, y), card in cases.arboretum(case["layout"][player]).items()
                ],
            }
            for player in case["layout"]
        ],
    }


def levels(answer: dict[str, Any]) -> list[tuple[str, int | None]]:
    return [(remark["level"], remark["seat"]) for remark in answer["remarks"]]


@pytest.mark.parametrize("case", FULL_BOARDS, ids=[case["id"] for case in FULL_BOARDS])
def test_published_boards_give_the_published_totals(case: dict[str, Any], desk: Desk) -> None:
    answer = desk.call("POST", "/pad/score", as_board(case))
    players = list(case["layout"])
    expected = case["expected"]
    assert dict(zip(players, answer["sheet"]["scores"], strict=True)) == expected["totals"]
    assert [players[seat] for seat in answer["sheet"]["winners"]] == expected["winners"]
    assert not any(level == "wrong" for level, _ in levels(answer))
    assert len(answer["pictures"]) == len(players)


def test_every_half_entered_board_is_scored() -> None:
    whole = as_board(FULL_BOARDS[0])
    board: dict[str, Any] = {
        "species": whole["species"],
        "players": [{"hand": [], "arboretum": []}, {"hand": [], "arboretum": []}],
    }
    for seat, player in enumerate(whole["players"]):
        for kind in ("arboretum", "hand"):
            for card in player[kind]:
                board["players"][seat][kind].append(card)
                answer = score_pad(board)
                assert answer["board"] == board
    assert answer["sheet"]["scores"] == score_pad(whole)["sheet"]["scores"]


def test_what_cannot_be_is_left_out_and_told() -> None:
    answer = score_pad(
        {
            "players": [
                {"hand": ["M8"], "arboretum": [[0, 0, "M1"], [1, 0, "M3"], [4, 4, "M6"]]},
                {"hand": ["M1", "C2"], "arboretum": [[0, 0, "C5"], [0, 0, "C6"]]},
            ]
        },
        ["Ann", ""],
    )
    row = answer["sheet"]["players"][0]["species"]["M"]
    # The second Maple 1 is a slip: it neither counts nor cancels the 8. The 6 stands apart.
    assert (row["hand_sum"], row["best_path"], row["points"]) == (8, ["M1", "M3"], 3)
    texts = [remark["text"] for remark in answer["remarks"] if remark["level"] == "wrong"]
    assert texts == [
        "M6 stands apart: not counted until joined to the other cards",
        "C6 lies on C5 at 0,0: a card is never covered",
        "There is one Maple 1 only: planted by Ann already, it is not counted here",
    ]
    assert (
        "no right to score, Ann holds 8"
        in (answer["sheet"]["players"][1]["species"]["M"]["explanation"])
    )
    assert not answer["complete"]


def test_what_is_missing_or_odd_is_told() -> None:
    eight = [f"C{rank}" for rank in range(1, 9)]
    line = [[x, 0, f"D{x + 1}"] for x in range(3)]
    answer = score_pad(
        {
            "players": [
                {"hand": eight, "arboretum": line},
                {"hand": ["M1"], "arboretum": [[0, 0, "M2"]]},
                {"hand": [], "arboretum": []},
            ]
        }
    )
    assert levels(answer) == [("odd", 0), ("missing", 1), ("missing", 2), ("missing", 2)]
    two = {"players": [{"arboretum": line}, {"arboretum": [[0, 0, "M2"]]}]}
    assert ("odd", None) in levels(score_pad(two))  # three cards planted, and one
    assert score_pad({"species": "CDJVLGM", "players": [{}, {}]})["remarks"][0]["text"] == (
        "7 species: with 2 players 6 are in play"
    )


def test_the_largest_piece_counts() -> None:
    assert largest_piece([]) == frozenset()
    assert largest_piece([(0, 0), (5, 5), (5, 6)]) == {(5, 5), (5, 6)}
    assert largest_piece([(0, 0), (1, 1)]) == {(0, 0)}  # corners do not join


def test_paths_are_drawn_only_where_they_count() -> None:
    board = {"players": [{"arboretum": [[0, 0, "M1"], [1, 0, "M3"]]}, {"hand": ["M2"]}]}
    [own, _] = score_pad(board)["pictures"]
    assert 'data-cards="M1 M3"' in own and 'data-right="no"' in own


def test_files_are_read_in_either_form(desk: Desk) -> None:
    grid = "Player\nHand Blue_Spruce8\nC1 D2\nPlayer\nHand\nD4\n"
    expected = {
        "species": "CDV",
        "players": [
            {"hand": ["V8"], "arboretum": [[0, 0, "C1"], [1, 0, "D2"]]},
            {"hand": [], "arboretum": [[0, 0, "D4"]]},
        ],
    }
    assert desk.call("POST", "/pad/read", {"text": grid}) == expected
    assert desk.call("POST", "/pad/score", expected)["board"] == expected


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("score", {"players": [{}]}, "1 player: expected 2 to 4"),
        ("score", {"players": [{"hand": ["Q9"]}, {}]}, "'Q'"),
        ("score", {"players": [{"arboretum": [[999, 0, "M1"]]}, {}]}, "within +-99"),
        ("score", {"players": [{}, {}], "names": "Ann"}, "names"),
        ("score", {"players": [{}, {}], "seats": 2}, "seats"),
        ("score", [], "expected keys and values"),
        ("read", {"text": "{"}, "not JSON"),
        ("read", {"text": ""}, "the board is empty"),
    ],
)
def test_what_is_no_board_is_refused(path: str, body: Any, words: str, desk: Desk) -> None:
    status, code, message = desk.refused("POST", f"/pad/{path}", body)
    assert (status, code) == (422, "invalid") and words in message, message


def test_the_page_may_be_asked_without_a_session(tmp_path: Path) -> None:
    with open_studio(tmp_path) as client:
        assert client.post("/api/pad/score", json={"players": [{}, {}]}).status_code == 200
