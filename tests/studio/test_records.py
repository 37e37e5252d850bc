"""Records over HTTP: read, looked at, played on and saved; and what is refused."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arboretum_env.engine.state import GameState
from arboretum_env.records.arb_reader import read_arb
from arboretum_env.records.arb_writer import write_arb
from arboretum_env.records.json_form import record_to_json
from arboretum_env.records.record import GameRecord
from arboretum_env.records.replay import positions
from arboretum_lab.studio.records import MOST_CHARACTERS
from tests.studio.desk import Desk, open_studio

GAMES = Path(__file__).parent.parent / "data" / "games"
WHOLE = [GAMES / f"{name}.arb" for name in ("anu_game_1", "four_players", "three_players_reduced")]
CHAIR = (GAMES / "one_chair.arb").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A browser at a studio that keeps nothing between tests but games."""
    with open_studio(tmp_path_factory.mktemp("studio")) as client:
        yield Desk(client)


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_a_record_is_summed_up(path: Path, desk: Desk) -> None:
    text = path.read_text(encoding="utf-8")
    record = read_arb(text)
    told = desk.call("POST", "/records/read", {"text": text})
    assert told["decisions"] == record.num_decisions == len(told["moves"])
    assert [move["at"] for move in told["moves"]] == list(range(1, record.num_decisions + 1))
    assert read_arb(told["arb"]) == record
    assert told["result"] == (None if record.result is None else list(record.result))
    # The JSON form says the same.
    as_json = json.dumps(record_to_json(record))
    assert desk.call("POST", "/records/read", {"text": as_json}) == told


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_positions_are_those_of_the_replay(path: Path, desk: Desk) -> None:
    record = read_arb(path.read_text(encoding="utf-8"))
    arb = write_arb(record)
    for number, position in enumerate(positions(record)):
        if number % 7 and number < record.num_decisions:
            continue
        told = desk.call("POST", "/records/position", {"arb": arb, "at": number})
        assert told["hands"] == _hands(record, position.state)
        assert told["deck"] == int(position.state.deck_left[0])
        assert [len(pile) for pile in told["piles"]] == [
            len(position.state.discard_pile(0, seat)) for seat in range(told["players"])
        ]
    assert told["over"] and told["sheet"]["scores"] == list(record.result or ())


def _hands(record: GameRecord, state: GameState) -> list[list[str]]:
    text = record.config.card_text
    return [
        [text(card) for card in state.hand(0, seat)] for seat in range(record.config.num_players)
    ]


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_a_seat_sees_nothing_of_cards_that_it_did_not_know(path: Path, desk: Desk) -> None:
    record = read_arb(path.read_text(encoding="utf-8"))
    steps = list(positions(record))
    checked = 0
    for turns in range(1, len(record.turns), 2):
        part = replace(record, turns=record.turns[:turns], result=None, winners=None, source=None)
        at = part.num_decisions
        state = steps[at].state
        # Where the cards come from that a rival still holds from the deal, and those of the deck.
        rest = record.deck[len(record.deck) - int(state.deck_left[0]) :]
        for seat in range(record.config.num_players):
            for rival in range(record.config.num_players):
                held = set(record.hands[rival]) & set(state.hand(0, rival))
                held -= set(state.known_in_hand(0, rival))
                if rival == seat or not held or not rest:
                    continue
                swap = {min(held): rest[0], rest[0]: min(held)}
                other = replace(
                    part,
                    hands=tuple(tuple(swap.get(c, c) for c in hand) for hand in record.hands),
                    deck=tuple(swap.get(c, c) for c in record.deck),
                )
                told = [
                    desk.call("POST", "/records/position", {"arb": arb, "at": at, "seat": seat})
                    for arb in (write_arb(part), write_arb(other))
                ]
                assert json.dumps(told[0]) == json.dumps(told[1])
                checked += 1
    assert checked > 10


def test_cards_that_nobody_noted_are_shown_to_nobody(desk: Desk) -> None:
    record = read_arb(CHAIR)
    told = desk.call("POST", "/records/read", {"text": CHAIR})
    assert told["unknown"] and told["notes"]
    for number, position in enumerate(positions(record)):
        shown = desk.call("POST", "/records/position", {"arb": told["arb"], "at": number})
        unknown = {record.config.card_text(card) for card in position.unknown}
        assert not unknown.intersection(card for hand in shown["hands"] for card in hand)
    code = desk.refused(
        "POST", "/records/continue", {"arb": told["arb"], "at": 5, "seats": ["human", "greedy"]}
    )
    assert code[:2] == (422, "invalid") and "unknown" in code[2]


def test_a_game_goes_on_from_any_position(desk: Desk) -> None:
    record = read_arb(WHOLE[0].read_text(encoding="utf-8"))
    arb = write_arb(record)
    for at in (0, 12, record.num_decisions - 3):
        there = desk.call("POST", "/records/position", {"arb": arb, "at": at})
        seats = ["greedy", "greedy"]
        seats[there["mover"]] = "human"
        state = desk.call("POST", "/records/continue", {"arb": arb, "at": at, "seats": seats})
        assert state["practice"] and state["your_seats"] == [there["mover"]]
        for field in ("mover", "phase", "turn", "deck", "piles", "chosen"):
            assert state[field] == there[field]
        assert state["hand"] == there["hands"][there["mover"]]
        action = state["legal"][0]["action"]
        assert desk.move(state, action)["state_id"] != state["state_id"]


def test_a_finished_game_does_not_go_on(desk: Desk) -> None:
    record = read_arb(WHOLE[0].read_text(encoding="utf-8"))
    body = {"arb": write_arb(record), "at": record.num_decisions, "seats": ["human", "greedy"]}
    assert desk.refused("POST", "/records/continue", body)[:2] == (409, "not_now")
    body = {"arb": write_arb(record), "at": 0, "seats": ["human", "process:command=true"]}
    assert desk.refused("POST", "/records/continue", body)[:2] == (422, "invalid")


@pytest.mark.parametrize("form", ["arb", "json", "svg", "html"])
def test_a_record_is_saved(form: str, desk: Desk) -> None:
    record = read_arb(WHOLE[0].read_text(encoding="utf-8"))
    body = {"arb": write_arb(record), "at": 20, "seat": 1, "format": form}
    headers = {"Authorization": f"Bearer {desk.token}"}
    answer = desk.client.post("/api/records/export", json=body, headers=headers)
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].startswith("attachment")
    start = {"arb": "[Arboretum", "json": "{", "svg": "<svg", "html": "<!doctype html>"}[form]
    assert answer.text.lower().startswith(start.lower())


MALFORMED = {
    "empty": (" \n", "nothing to read: expected a record, .arb text or its JSON form"),
    "no record": ("hello", "no record: expected .arb text"),
    "no JSON": ("{]", "not JSON"),
    "illegal": (
        WHOLE[0].read_text(encoding="utf-8").replace("1. d", "1. p1(C1)", 1),
        "line 13: 'p1(C1)'",
    ),
    "unfinished JSON": ('{"arboretum": 1}', "players"),
    "a header missing": ('[Arboretum "1"]\n[Players "2"]', "Species"),
    "false result": (
        WHOLE[0].read_text(encoding="utf-8").replace('[Result "', '[Result "1', 1),
        "Result",
    ),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_record_gives_one_clear_line(name: str, desk: Desk) -> None:
    text, part = MALFORMED[name]
    status, code, message = desk.refused("POST", "/records/read", {"text": text})
    assert (status, code) == (422, "invalid")
    assert part in message and "\n" not in message and "Traceback" not in message


def test_caps(desk: Desk) -> None:
    long = "x" * (MOST_CHARACTERS + 1)
    assert desk.refused("POST", "/records/read", {"text": long})[0] in (413, 422)
    nested = "[" * 100_000
    assert desk.refused("POST", "/records/read", {"text": "{" + nested})[:2] == (422, "invalid")
    arb = WHOLE[0].read_text(encoding="utf-8")
    for body in ({"arb": arb, "at": 400}, {"arb": arb, "at": 0, "seat": 3}, {"arb": arb, "at": -1}):
        assert desk.refused("POST", "/records/position", body)[:2] == (422, "invalid")
