"""Analyses over HTTP: what they answer, what they hide, and what is refused."""

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_env.records.arb_reader import read_arb
from arboretum_env.records.arb_writer import write_arb
from arboretum_env.records.from_game import record_from_match
from arboretum_lab.studio.settings import Limits
from tests.analysis.games import LAST_DISCARD, THROWN_AWAY, bots_course
from tests.analysis.test_secrecy import redealt
from tests.studio.desk import Desk, open_studio

ABOUT = {"arb": THROWN_AWAY, "worlds": 32}


def finished(desk: Desk, body: dict[str, Any]) -> dict[str, Any]:
    """Begins an analysis and waits for its end."""
    job = desk.call("POST", "/analysis", body)
    end = time.monotonic() + 120
    while job["state"] in ("waiting", "running") and time.monotonic() < end:
        time.sleep(0.02)
        job = desk.call("GET", f"/analysis/{job['id']}")
    return job


def result(desk: Desk, **body: Any) -> dict[str, Any]:
    job = finished(desk, body)
    assert (job["state"], job["fault"], job["progress"]) == ("done", "", 1.0)
    found: dict[str, Any] = job["result"]
    return found


def test_a_position_of_a_record(tmp_path: Path) -> None:
    with open_studio(tmp_path) as client:
        found = result(Desk(client), kind="position", seat=0, at=LAST_DISCARD, **ABOUT)
        assert found["method"] == {"agent": "planner", "reference": "planner", "worlds": 32}
        assert found["margin"] == {"value": 3.0, "source": "exact"}
        assert found["chances"]["best"] == "xD7"
        assert found["chances"]["cards"]["D7"] == {"value": 1.0, "source": "exact"}
        assert [row["species"] for row in found["rights"]] == ["C", "D"]
        assert found["beliefs"]["uniform"] == {"1": {"C4": {"value": 1.0, "source": "exact"}}}
        assert found["beliefs"]["network"] is None
        assert [(card["card"], card["rivals"]["value"]) for card in found["denied"]] == [
            ("C8", 2.0),
            ("D7", 0.0),
        ]
        assert found["moves"] == ["xC8", "xD7"]
        assert len(found["boards"]) == 2 and found["boards"][0].startswith("<svg")


def test_a_seats_game_and_open_cards(tmp_path: Path) -> None:
    with open_studio(tmp_path) as client:
        desk = Desk(client)
        game = result(desk, kind="game", seat=0, **ABOUT)
        assert game["split"]["last"] == {"value": 1.0, "source": "exact"}
        assert game["split"]["swings"][-1]["decision"] == {"value": -2.0, "source": "exact"}
        assert len(game["split"]["swings"]) == 16
        cards = result(desk, kind="open", **ABOUT)
        last = cards["points"][-1]
        assert [figure["value"] for figure in last["margins"]] == [1.0, -1.0]
        # 35 decisions with 7 plants of two each, and the deal.
        assert len(cards["points"]) == 35 - 7 + 1


def test_mistakes_are_told_after_a_try_and_not_before(tmp_path: Path) -> None:
    with open_studio(tmp_path) as client:
        desk = Desk(client)
        job = finished(desk, {"kind": "mistakes", "seat": 0, **ABOUT})
        shown = job["result"]["mistakes"]
        assert [each["at"] for each in shown][-1] == LAST_DISCARD
        # The move of the game, what it lost and the reference's move: nothing of it is sent.
        last = shown[-1]
        assert set(last) == {
            *("at", "players", "config", "seat", "mover", "phase", "turn", "deck", "names"),
            *("hand", "known", "piles", "chosen", "boards", "text", "moves"),
        }
        assert last["moves"] == ["xC8", "xD7"]
        path, index = f"/analysis/{job['id']}/try", len(shown) - 1
        answer = desk.call("POST", path, {"index": index, "move": "xD7"})
        assert (answer["played"], answer["reference"]) == ("xC8", "xD7")
        assert answer["better"] == {"value": 2.0, "source": "exact"}
        assert desk.refused("POST", path, {"index": index, "move": "xC4"}) == (
            *(422, "invalid"),
            "move 'xC4': not legal there",
        )
        assert desk.refused("POST", path, {"index": 99, "move": "xD7"})[0] == 422
        position = finished(desk, {"kind": "position", "seat": 0, **ABOUT})
        path = f"/analysis/{position['id']}/try"
        assert desk.refused("POST", path, {"index": 0, "move": "d"})[1] == "not_now"


def test_a_game_under_way_is_seen_from_ones_own_seat_alone(tmp_path: Path) -> None:
    with open_studio(tmp_path) as client:
        desk, stranger = Desk(client), Desk(client)
        state = desk.new_game("human", "greedy", seed=5)
        for _ in range(6):
            state = desk.settled(desk.move(state, state["legal"][0]["action"]))
        body = {"kind": "position", "game": state["id"], "worlds": 16}
        assert desk.refused("POST", "/analysis", {**body, "seat": 1})[1] == "forbidden"
        assert desk.refused("POST", "/analysis", {**body, "kind": "open"})[1] == "not_now"
        assert stranger.refused("POST", "/analysis", {**body, "seat": 0})[1] == "not_found"
        found = result(desk, **body, seat=0)
        assert found["hand"] == state["hand"] and found["boards"] == state["boards"]
        job = desk.call("POST", "/analysis", {**body, "seat": 0})
        assert stranger.refused("GET", f"/analysis/{job['id']}")[1] == "not_found"
        assert stranger.refused("DELETE", f"/analysis/{job['id']}")[1] == "not_found"


def test_behind_the_curtain_an_analysis_is_told_to_nobody(tmp_path: Path) -> None:
    """Two people at one screen: what one seat was told of is not for the other."""
    with open_studio(tmp_path) as client:
        desk = Desk(client)
        game = desk.new_game("human", "human", seed=5)["id"]
        desk.call("POST", f"/games/{game}/handover", {"seat": 0})
        body = {"kind": "position", "game": game, "seat": 0, "worlds": 16}
        path = f"/analysis/{finished(desk, body)['id']}"
        assert desk.call("GET", path)["state"] == "done"
        desk.call("POST", f"/games/{game}/handover", {"seat": 1})
        assert desk.refused("GET", path)[1] == "curtain"
        assert desk.refused("POST", f"{path}/try", {"index": 0, "move": "d"})[1] == "curtain"
        desk.call("POST", f"/games/{game}/handover", {"seat": 0})
        assert desk.call("GET", path)["state"] == "done"


def test_what_a_game_under_way_answers_holds_no_hidden_card(tmp_path: Path) -> None:
    """The same game with other cards where the seat sees none: every byte is the same."""
    game = bots_course(read_arb(THROWN_AWAY).config, 4, ("greedy", "random"))
    rng = np.random.default_rng(3)
    seat, until = 0, 21
    answers = []
    for number, course in enumerate([game, *(redealt(game, seat, until, rng) for _ in range(2))]):
        with open_studio(tmp_path / str(number)) as client:
            desk = Desk(client)
            record = record_from_match(course.states[0], course.actions[:until])
            hands = [[record.config.card_text(card) for card in hand] for hand in record.hands]
            deck = [record.config.card_text(card) for card in record.deck]
            state = desk.new_game(
                *("human", "human"),
                species="CD",
                hand_size=1,
                deal={"hands": hands, "deck": deck},
            )
            for action in course.actions[:until]:
                mover = state.get("mover", 0)
                state = desk.call("POST", f"/games/{state['id']}/handover", {"seat": mover})
                state = desk.move(state, int(action))
            desk.call("POST", f"/games/{state['id']}/handover", {"seat": seat})
            body = {"game": state["id"], "seat": seat, "worlds": 16, "reference": "greedy"}
            kinds = ("position", "game", "mistakes")
            answers.append([json.dumps(result(desk, **body, kind=kind)) for kind in kinds])
    assert answers[0] == answers[1] == answers[2]


def test_a_record_from_one_chair(tmp_path: Path) -> None:
    """Seat 1's hand is unknown: seat 0 can be advised, seat 1 and open cards cannot."""
    arb = THROWN_AWAY.replace('"C8 / C4"', '"C8 / ?"')
    with open_studio(tmp_path) as client:
        desk = Desk(client)
        found = result(desk, kind="position", seat=0, at=20, arb=arb, worlds=16)
        assert found["hand"] == ["C8"]
        other = finished(desk, {"kind": "position", "seat": 1, "at": 20, "arb": arb, "worlds": 16})
        assert other["state"] == "failed"
        assert other["fault"] == "seat 1: the record does not say which cards it held"
        cards = finished(desk, {"kind": "open", "arb": arb, "worlds": 16})
        assert cards["fault"].startswith("the record holds unknown cards")


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ({"arb": None}, "invalid", "expected one of game and arb"),
        ({"seat": None}, "invalid", "seat: expected whose standpoint it is"),
        ({"seat": 3}, "invalid", "seat 3: expected 0..1"),
        ({"worlds": 8}, "invalid", "worlds: expected at least 16"),
        ({"agent": "process:true"}, "invalid", "does not play here"),
        ({"reference": "runs/demo"}, "invalid", "files are named when the studio is started"),
        ({"arb": "nonsense"}, "invalid", "no record: expected .arb text"),
        ({"kind": "fortune"}, "invalid", "kind"),
    ],
)
def test_bad_questions(tmp_path: Path, change: dict[str, Any], code: str, words: str) -> None:
    with open_studio(tmp_path) as client:
        status, given, message = Desk(client).refused(
            "POST", "/analysis", {"kind": "position", "seat": 0, **ABOUT, **change}
        )
        assert (status, given) == (422, code)
        assert words in message


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"at": 36}, "position 36: expected 0..35 in this game"),
        ({"reference": "search:simulations=8"}, "takes too long"),
        ({"arb": THROWN_AWAY.replace("xC8", "xC4")}, "C4 is not in seat 0's hand"),
    ],
)
def test_what_only_the_work_finds_out(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    with open_studio(tmp_path) as client:
        job = finished(Desk(client), {"kind": "position", "seat": 0, **ABOUT, **change})
        assert job["state"] == "failed" and words in job["fault"]
        assert job["result"] is None


def test_it_can_be_stopped_and_waits_its_turn(tmp_path: Path) -> None:
    limits = Limits(burst=10**9, requests_a_second=1e9, analysing=1)
    with open_studio(tmp_path, limits) as client:
        desk, other = Desk(client), Desk(client)
        game = bots_course(GameConfig(), 3)
        arb = write_arb(record_from_match(game.states[0], game.actions))
        body = {"kind": "game", "seat": 0, "arb": arb, "worlds": 4096}
        first, second = (desk.call("POST", "/analysis", body) for _ in range(2))
        assert desk.refused("POST", "/analysis", body)[1] == "too_many"
        other_job = other.call("POST", "/analysis", {**body, "worlds": 16})
        for job in (first, second):
            desk.call("DELETE", f"/analysis/{job['id']}")
        # Those that are being stopped leave room for others at once.
        third = desk.call("POST", "/analysis", body)
        desk.call("DELETE", f"/analysis/{third['id']}")
        end = time.monotonic() + 60
        while time.monotonic() < end:
            states = [
                desk.call("GET", f"/analysis/{job['id']}")["state"] for job in (first, second)
            ]
            if states == ["cancelled"] * 2:
                break
            time.sleep(0.02)
        assert states == ["cancelled"] * 2
        # Its turn has come now.
        while other_job["state"] in ("waiting", "running") and time.monotonic() < end + 60:
            time.sleep(0.05)
            other_job = other.call("GET", f"/analysis/{other_job['id']}")
        assert other_job["state"] == "done"


def test_it_ends_when_its_time_is_up(tmp_path: Path) -> None:
    limits = Limits(burst=10**9, requests_a_second=1e9, analysis_seconds=0.0)
    with open_studio(tmp_path, limits) as client:
        job = finished(Desk(client), {"kind": "game", "seat": 0, **ABOUT})
        assert job["state"] == "failed"
        assert job["fault"] == "not done in 0 seconds: use fewer worlds"
