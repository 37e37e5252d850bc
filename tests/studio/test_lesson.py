"""The lesson: every step can be done, and every number in its words is the engine's."""

import re
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from arboretum_env.records.board_json import board_from_json
from arboretum_lab.studio.lesson import check, find_step, path_fault, step_json, without
from arboretum_lab.studio.lesson_steps import STEPS, Step
from tests import cases
from tests.reference import scoring_paths
from tests.studio.desk import Desk, open_studio

DONE = {
    "draw": ["d", "p1"],
    "plant": ["M4@0,-1", "xO7"],
    "path": ["M2", "C3", "C5", "M7"],
    "ends": ["O", "M"],
    "worth": ["13"],
    "best": ["O2", "O4", "O5", "O8"],
    "right": ["0"],
    "cancel": ["2"],
    "nobody": ["0", "1", "2"],
    "twist": ["C3"],
    "end": ["p1", "d", "M8@2,0", "xM3"],
}
NOT_DONE = {
    "draw": [([], "One more"), (["d"], "One more"), (["d", "d"], "Both came from the deck")],
    "plant": [
        ([], "Now plant"),
        (["M4@1,1"], "not next to"),
        (["M4@1,0"], "Now discard"),
        (["O2@1,0", "xM4"], "without a path of Maple"),
    ],
    "path": [
        (["M2", "M7"], "not next to"),
        (["O4", "O6"], "begins with O4"),
        (["M2", "O4", "C5"], "ends with C5"),
        (["M7", "C5", "C3", "M2"], "not higher"),
        (["M2"], "at least two"),
        (["M9", "M2"], "not planted"),
    ],
    "ends": [(["C"], "no path of Cassia"), (["M"], "not all"), ([], "at least one")],
    "worth": [(["10"], "more"), (["5"], "more")],
    "best": [(["O2", "O4", "O5", "O7"], "a better one")],
    "right": [(["1"], "3+4 = 7"), (["0", "1"], "Add up"), ([], "Add up")],
    "cancel": [(["0"], "(8) = 0")],
    "nobody": [(["0"], "Add up")],
    "twist": [(["O7"], "Your rival wins"), (["M2"], "shared"), (["M5"], "shared")],
    "end": [(["d", "p1", "M6@2,0", "xM3"], "shared"), (["d", "p1", "M8@2,0"], "Now discard")],
}


@pytest.mark.parametrize("step", STEPS, ids=[step.id for step in STEPS])
def test_a_step_can_be_done_and_missed(step: Step) -> None:
    done = check(step, DONE[step.id])
    assert done["right"] and done["feedback"].startswith(step.praise), done["feedback"]
    for answer, words in NOT_DONE[step.id]:
        missed = check(step, answer)
        assert not missed["right"] and words in missed["feedback"], missed["feedback"]


def test_steps_do_not_show_their_answer() -> None:
    for step in STEPS:
        shown = str(step_json(step))
        assert step.praise not in shown and 'class="path"' not in shown
    found = check(STEPS[3], DONE["ends"])
    assert 'class="path"' in str(found["pictures"])


def test_numbers_in_the_words() -> None:
    by_id = {step.id: step for step in STEPS}
    # Each claim of the praises, computed.
    worth = by_id["worth"].board
    assert worth is not None
    rows = board_from_json(worth.to_json()).score().players[0].rows
    assert rows[0].path_points == 13 in by_id["worth"].numbers
    twist = by_id["twist"].board
    assert twist is not None
    whole = board_from_json(twist.to_json())
    wins = [card for card in twist.hands[0] if without(whole, card).score().winners == (0,)]
    assert wins == ["C3"]
    after = without(whole, "C3").score()
    [maple, oak, cassia] = after.players[1].rows
    assert (oak.right, oak.path_points, cassia.right, after.scores) == (False, 11, True, (5, 2))
    assert maple.hand_sum == 6


def test_two_cards_left_and_one() -> None:
    end = find_step("end")
    assert end is not None
    assert step_json(end)["table"]["deck"] == 1
    after_deck = check(end, ["d"])["table"]
    assert after_deck["moves"] == ["p1(M6)"]  # the deck is empty: the second comes from a pile


@pytest.mark.parametrize("case", cases.scored_examples("board")[:3], ids=lambda case: case["id"])
def test_paths_are_those_of_the_reference(case: dict[str, Any]) -> None:
    (entries,) = case["layout"].values()
    arboretum = cases.arboretum(entries)
    board = board_from_json(
        {"players": [{"arboretum": [[x, y, card] for (x, y), card in arboretum.items()]}, {}]}
    )
    for species in sorted({card[0] for card in arboretum.values()}):
        expected = {tuple(path) for path in scoring_paths(arboretum, species)}
        tried = {
            cards
            for length in (2, 3)
            for cards in permutations(arboretum.values(), length)
            if not path_fault(board, cards, species)
        }
        assert tried == {path for path in expected if len(path) <= 3}
        assert not any(path_fault(board, path, species) for path in expected)


def test_over_http(tmp_path: Path) -> None:
    with open_studio(tmp_path) as client:
        desk = Desk(client)
        steps = desk.call("GET", "/lesson")["steps"]
        assert [step["id"] for step in steps] == [step.id for step in STEPS]
        assert desk.call("POST", "/lesson/worth", {"answer": ["13"]})["right"]
        for step_id, answer, words in (
            ("worth", ["12"], "expected one of"),
            ("right", ["7"], "expected seats"),
            ("twist", ["M8"], "expected one card"),
            ("ends", ["Q"], "expected letters"),
        ):
            status, _, message = desk.refused("POST", f"/lesson/{step_id}", {"answer": answer})
            assert status == 422 and words in message
        assert desk.refused("POST", "/lesson/none", {"answer": []})[0] == 404


def test_texts_are_short() -> None:
    for step in STEPS:
        assert all(len(re.findall(r"\w+", paragraph)) < 65 for paragraph in step.text)


def test_an_equal_rank_is_no_step() -> None:
    line = [[0, 0, "M3"], [1, 0, "C3"], [2, 0, "M5"]]
    board = board_from_json({"players": [{"arboretum": line}, {}]})
    assert path_fault(board, ["M3", "C3", "M5"], "M") == "C3 is not higher than M3."
