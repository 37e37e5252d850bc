"""The replay page: every position, one file, a strict policy, and no hidden card for a seat."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from arboretum_env.drawing.board import board_extent, board_svg
from arboretum_env.drawing.replay_frames import SLOTS
from arboretum_env.drawing.replay_page import replay_page
from arboretum_env.records.record import GameRecord, TurnRecord
from tests.drawing.pictures import position, scene
from tests.drawing.redeal import other_deals

NAMES = ["anu_game_1", "three_players_reduced", "four_players", "one_chair", "unfinished"]


def record_of(name: str) -> GameRecord:
    return position(name).record


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script id="replay" type="application/json">(.*?)</script>', page, re.S)
    assert found is not None
    data: dict[str, Any] = json.loads(found.group(1))
    return data


def fragment(data: dict[str, Any], frame: int, seat: int, slot: str) -> str:
    number = data["frames"][frame]["slots"][seat * len(SLOTS) + SLOTS.index(slot)]
    return str(data["fragments"][number])


@pytest.mark.parametrize("name", NAMES)
def test_every_position_is_there(name: str) -> None:
    record = record_of(name)
    data = data_of(replay_page(record))
    assert len(data["frames"]) == record.num_decisions + 1
    assert data["turns"][0] == 0 and data["turns"][-1] == record.num_decisions
    last = scene(name)
    for decisions in (0, 7, record.num_decisions):
        shown = scene(name, decisions)
        frame = data["frames"][decisions]
        assert frame["status"].casefold() == shown.status.casefold()
        for seat in range(len(shown.seats)):
            extent = board_extent(last, seat, margin=0)
            board = board_svg(shown, seat, paths=True, extent=extent)
            assert fragment(data, decisions, seat, "board") == board
            hand = fragment(data, decisions, seat, "hand")
            texts = [shown.config.card_text(card) for card in shown.seats[seat].hand]
            texts += ["back"] * shown.seats[seat].hidden_cards
            assert re.findall(r"#card-(\w+)", hand) == texts


def test_marks_of_a_position() -> None:
    data = data_of(replay_page(record_of("anu_game_1")))
    assert [frame["moving"] for frame in data["frames"][:11]] == [0] * 5 + [1] * 5 + [0]
    assert data["turns"][:4] == [0, 5, 10, 15]
    assert fragment(data, 3, 0, "note") == "to move" and fragment(data, 3, 1, "note") == ""
    hand = fragment(data, 3, 0, "hand")
    assert re.findall(r'aria-label="([^"]*)" class="mini chosen"', hand) == ["Cassia 6"]
    assert 'class="mini last"' in fragment(data, 5, 0, "pile")
    assert 'class="mini last"' not in fragment(data, 6, 0, "pile")
    end = data["frames"][-1]
    assert (end["moving"], end["winners"]) == (-1, [1])
    assert data["frames"][-2]["winners"] == []
    assert fragment(data, -1, 1, "note") == "16 points, wins"
    assert "V1 M2 D3 L7 V8" in fragment(data, -1, 1, "sheet")
    assert fragment(data, -2, 1, "sheet") == ""


def test_the_move_list_leads_to_the_position_after_each_move() -> None:
    page = replay_page(record_of("anu_game_1"))
    buttons = re.findall(r'data-at="(\d+)">([^<]*)</button>', page)
    assert buttons[:9] == [
        ("1", "d"), ("2", "d"), ("4", "C6@0,0"), ("5", "xL2"),
        ("6", "p0(L2)"), ("7", "d"), ("9", "L7@0,0"), ("10", "xV1"),
        ("11", "p1(V1)"),
    ]  # fmt: skip
    assert buttons[-1] == ("165", "xJ1")


@pytest.mark.parametrize("name", NAMES)
def test_one_file_that_loads_nothing_and_runs_nothing_else(name: str) -> None:
    page = replay_page(record_of(name))
    assert len(page.encode()) < 1_000_000
    without_names = re.sub(r'xmlns=\\?"http://www.w3.org/2000/svg\\?"', "", page)
    assert not re.search(r"https?:|//[a-z]|@import|url\(|<link|<img|<iframe", without_names)
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert found is not None
    policy = dict(part.strip().split(" ", 1) for part in found.group(1).split(";"))
    [style] = re.findall(r"<style>(.*?)</style>", page, re.S)
    [script] = re.findall(r"<script>(.*?)</script>", page, re.S)
    hashed = [
        "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"
        for text in (script, style)
    ]
    assert policy == {
        "default-src": "'none'",
        "script-src": hashed[0],
        "style-src": hashed[1],
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    # The policy stands before anything that it is about.
    assert page.index("Content-Security-Policy") < min(page.index("<style"), page.index("<script"))
    markup = page.replace(script, "").replace(style, "") + "".join(data_of(page)["fragments"])
    assert not re.search(r"<[^>]*\s(style|on\w+)=", markup)
    used, there = (
        set(re.findall(r'href="#([^"]+)"', markup)),
        set(re.findall(r' id="([^"]+)"', page)),
    )
    assert used <= there


def test_texts_of_anybody_stay_texts() -> None:
    evil = "</script><img src=x onerror=alert(1)>'&<!--"
    record = record_of("anu_game_1")
    first, *others = record.turns
    record = replace(
        record,
        seats=(evil, evil),
        deal=evil,
        turns=(replace(first, comment=evil), *others),
    )
    page = replay_page(record)
    assert "<img" not in page and "<!--" not in page
    assert page.count("</script>") == 2
    assert "&lt;img src=x onerror=alert(1)&gt;" in page


def test_a_page_of_everything_tells_the_deal_and_comments() -> None:
    record = record_of("anu_game_1")
    page = replay_page(record)
    assert record.deal and record.deal in page
    assert "<q>6-16. Seat 0: right to C" in page
    for secret in (replay_page(record, 0), replay_page(record, show_hands=False)):
        assert record.deal not in secret and "<q>" not in secret
    assert "as seat 0, Student A saw it" in replay_page(record, 0)
    assert "hands hidden" in replay_page(record, show_hands=False)


def cut(record: GameRecord, decisions: int) -> GameRecord:
    """The record up to a decision, unfinished."""
    turns: list[TurnRecord] = []
    left = decisions
    for turn in record.turns:
        if left <= 0:
            break
        parts: dict[str, Any] = {"draws": turn.draws[:left], "comment": ""}
        for index, name in enumerate(("card", "cell", "discard"), start=3):
            parts[name] = getattr(turn, name) if left >= index else None
        turns.append(replace(turn, **parts))
        left -= turn.num_decisions
    return replace(record, turns=tuple(turns), result=None, winners=None)


@pytest.mark.parametrize("name", ["anu_game_1", "three_players_reduced", "four_players"])
@pytest.mark.parametrize("decisions", [0, 58, None])
def test_no_byte_of_a_seats_page_tells_of_a_hidden_card(name: str, decisions: int | None) -> None:
    record = record_of(name)
    if decisions is not None:
        record = cut(record, decisions)
    whole = replay_page(record)
    for seat in range(record.config.num_players):
        page = replay_page(record, seat)
        others = list(other_deals(record, seat))
        assert len(others) > 3
        for other in islice(others, 0, None, max(1, len(others) // 2)):
            assert replay_page(other, seat) == page
            assert replay_page(other) != whole


def test_a_chosen_card_is_the_movers_secret() -> None:
    record = cut(record_of("anu_game_1"), 3)  # seat 0 has chosen C6 and not planted it
    assert ">C6@</button>" in replay_page(record) and ">C6@</button>" in replay_page(record, 0)
    for page in (replay_page(record, 1), replay_page(record, show_hands=False)):
        assert ">?@</button>" in page
        assert not re.search(r"-C6|>C6|Cassia 6", page)


def test_a_forfeit_says_no_more_than_whose_it_is() -> None:
    reason = "forfeit seat 1: illegal discard of G8"
    record = replace(cut(record_of("anu_game_1"), 20), termination=reason)
    assert reason in replay_page(record)
    assert "forfeited by seat 1" in replay_page(record, 0)
    assert "G8" not in replay_page(record, 0)


def test_cards_that_nobody_noted_stay_unknown() -> None:
    data = data_of(replay_page(record_of("one_chair")))
    assert re.findall(r"#card-(\w+)", fragment(data, 0, 1, "hand")) == ["back"] * 7
