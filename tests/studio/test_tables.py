"""Several people: a curtain at one screen, invitations for other devices."""

import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.studio.desk import Desk, move_body, open_studio
from tests.studio.tiny import TINY, TURNS


def test_a_seat_is_seen_only_after_it_was_handed_over(desk: Desk) -> None:
    game = desk.new_game("human", "human", **TINY)
    where = f"/games/{game['id']}"
    closed = (409, "curtain", "hand the screen over to seat 0 first")
    assert desk.refused("GET", f"{where}?seat=0") == closed
    assert desk.refused("GET", where)[1] == "curtain"
    assert desk.refused("GET", f"{where}/events?after=-1")[1] == "curtain"
    assert desk.refused("POST", f"{where}/hint", {"seat": 0})[1] == "curtain"
    assert (
        desk.refused("POST", f"{where}/moves", {"state_id": 0, "seat": 0, "move": "d"})[:2]
        == (closed[:2])
    )
    first = desk.call("POST", f"{where}/handover", {"seat": 0})
    assert first["hand"] == ["C1"] and desk.state(game["id"]) == first
    assert desk.refused("GET", f"{where}?seat=1")[1] == "curtain"
    second = desk.call("POST", f"{where}/handover", {"seat": 1})
    assert second["hand"] == ["D1"]
    assert desk.refused("GET", f"{where}?seat=0") == closed
    assert desk.refused("POST", f"{where}/handover", {"seat": 2})[:2] == (403, "forbidden")


def test_handing_over_ends_the_waiting_of_the_seat_before(desk: Desk) -> None:
    game = desk.new_game("human", "human", **TINY)
    state = desk.call("POST", f"/games/{game['id']}/handover", {"seat": 0})
    waiting = f"/games/{game['id']}/events?after={state['state_id']}&seat=0"
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(Desk(desk.client, desk.token).refused, "GET", waiting)
        desk.call("POST", f"/games/{game['id']}/handover", {"seat": 1})
        assert answer.result(20)[:2] == (409, "curtain")


def test_the_curtain_is_down_after_a_restart(tmp_path: Path) -> None:
    with open_studio(tmp_path) as client:
        desk = Desk(client)
        game = desk.new_game("human", "human", **TINY)
        desk.call("POST", f"/games/{game['id']}/handover", {"seat": 0})
    with open_studio(tmp_path) as client:
        again = Desk(client, desk.token)
        assert again.refused("GET", f"/games/{game['id']}")[1] == "curtain"
        assert again.call("GET", "/games")["games"][0]["your_seats"] == [0, 1]


def test_a_person_alone_needs_no_handover(desk: Desk) -> None:
    game = desk.new_game("human", "greedy", **TINY)
    assert game["hand"] == ["C1"]
    assert desk.state(game["id"], 0)["hand"] == ["C1"]
    assert desk.refused("GET", f"/games/{game['id']}?seat=1")[:2] == (403, "forbidden")


def test_a_guest_joins_by_invitation_and_holds_the_seat_alone(desk: Desk) -> None:
    game = desk.new_game("human", "guest", **TINY)
    [invitation] = game["invitations"]
    assert invitation["seat"] == 1 and game["your_seats"] == [0] and game["hand"] == ["C1"]
    where = f"/games/{game['id']}"
    for body in ({"seat": 1}, {"seat": 0}):
        expected = 200 if body["seat"] == 0 else 403
        assert desk.send("POST", f"{where}/handover", body).status_code == expected
    guest, stranger = Desk(desk.client), Desk(desk.client)
    assert guest.refused("GET", where)[:2] == (404, "not_found")
    wrong = (404, "not_found", "there is no such game, or the invitation is wrong")
    assert guest.refused("POST", f"{where}/join", {"token": "guess"}) == wrong
    assert guest.refused("POST", "/games/nothing/join", invitation_body(invitation)) == wrong
    joined = guest.call("POST", f"{where}/join", invitation_body(invitation))
    assert (joined["seat"], joined["your_seats"], joined["hand"]) == (1, [1], ["D1"])
    assert guest.call("POST", f"{where}/join", invitation_body(invitation)) == joined
    taken = stranger.refused("POST", f"{where}/join", invitation_body(invitation))
    assert taken == (409, "taken", "seat 1 is taken by another device")
    assert desk.refused("GET", f"{where}?seat=1")[:2] == (403, "forbidden")
    assert guest.refused("GET", f"{where}?seat=0")[:2] == (403, "forbidden")
    assert guest.refused("GET", f"{where}/record?whole_deal=true")[2].startswith("others play here")
    assert desk.refused("GET", f"{where}/record?whole_deal=true")[2].startswith("others play here")
    assert guest.refused("DELETE", where)[:2] == (403, "forbidden")
    state = desk.move(desk.state(game["id"]), *TURNS[0])
    assert state["mover"] == 1 and not state["thinking"]
    assert guest.move(guest.state(game["id"]), "p0")["hand"] == ["D1", "D3"]
    assert [each["id"] for each in guest.call("GET", "/games")["games"]] == [game["id"]]


def test_a_link_for_other_devices_is_shown_and_printed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    network = "http://192.0.2.7:8000/"
    with caplog.at_level(logging.INFO), open_studio(tmp_path, lan=True, network=network) as client:
        game = Desk(client).new_game("human", "greedy", "guest")
    [invitation] = game["invitations"]
    assert invitation["link"] == f"{network}#/join/{game['id']}/{invitation['token']}"
    assert f"seat 2 joins at {invitation['link']}" in caplog.text


def invitation_body(invitation: dict[str, object]) -> dict[str, object]:
    return {"token": invitation["token"]}


def test_a_seat_that_is_taken_from_a_device_makes_it_practice(desk: Desk) -> None:
    """Else whoever began a game could look into a guest's hand, and nobody would know."""
    game = desk.new_game("human", "guest", **TINY)
    where = f"/games/{game['id']}"
    unheld = desk.call("POST", f"{where}/invite", {"seat": 1})
    guest = Desk(desk.client)
    assert guest.call("POST", f"{where}/join", {"token": unheld["token"]})["practice"] is False
    taken = desk.call("POST", f"{where}/invite", {"seat": 1})
    assert desk.state(game["id"])["practice"] is True
    other = Desk(desk.client)
    assert other.call("POST", f"{where}/join", {"token": taken["token"]})["practice"] is True


def test_a_guest_is_told_what_happens(desk: Desk) -> None:
    game = desk.new_game("human", "guest", **TINY)
    guest = Desk(desk.client)
    where = f"/games/{game['id']}"
    state = guest.call("POST", f"{where}/join", invitation_body(game["invitations"][0]))
    with ThreadPoolExecutor(1) as pool:
        news = pool.submit(guest.call, "GET", f"{where}/events?after={state['state_id']}")
        desk.call("POST", f"{where}/moves", move_body(desk.state(game["id"]), "d"))
        assert news.result(20)["log"] == [
            {"turn": 0, "seat": 0, "event": "d", "text": "drew from the deck"}
        ]


def test_guests_need_the_network(tmp_path: Path) -> None:
    with open_studio(tmp_path) as client:
        desk = Desk(client)
        body = {"players": 2, "seats": ["human", "guest"]}
        status, _, message = desk.refused("POST", "/games", body)
        assert status == 422 and message.endswith("start the studio with --lan")
        assert client.get("/api/agents").json()["lan"] is False


def test_nothing_secret_is_kept_in_the_clear(tmp_path: Path, client: TestClient) -> None:
    with open_studio(tmp_path, lan=True) as there:
        desk = Desk(there)
        game = desk.new_game("human", "guest", **TINY)
        token = game["invitations"][0]["token"]
        Desk(there).call("POST", f"/games/{game['id']}/join", {"token": token})
        kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
        assert game["id"].encode() in kept
        assert desk.token.encode() not in kept and token.encode() not in kept
        assert (tmp_path / "session.key").stat().st_mode & 0o077 == 0
    forged = desk.token[:-1] + ("A" if desk.token[-1] != "A" else "B")
    for wrong in (forged, "x", "", "é", "A" * 76, desk.token):  # the last is another studio's
        headers = {"Authorization": f"Bearer {wrong}".encode()}
        answer = client.get("/api/games", headers=headers)  # type: ignore[arg-type]
        assert answer.status_code == 401, wrong


def test_a_lost_seat_is_given_again(desk: Desk) -> None:
    game = desk.new_game("human", "guest", **TINY)
    where, [first] = f"/games/{game['id']}", game["invitations"]
    assert (game["awaited"], game["host"]) == ([1], True)
    lost, found = Desk(desk.client), Desk(desk.client)
    state = lost.call("POST", f"{where}/join", invitation_body(first))
    assert (state["awaited"], state["host"]) == ([], False)
    with ThreadPoolExecutor(1) as pool:
        path = f"{where}/events?after={state['state_id']}"
        waiting = pool.submit(lost.refused, "GET", path)
        second = desk.call("POST", f"{where}/invite", {"seat": 1})
        # Whether it waited already, or asked a moment later.
        ended = (403, "forbidden", "seat 1 is not yours to see")
        between = (403, "forbidden", "no seat of this game is yours")
        gone = (404, "not_found", "there is no such game, or it is not yours")
        assert waiting.result(60) in (ended, between, gone)
    assert second["seat"] == 1 and second["token"] != first["token"]
    assert desk.state(game["id"])["awaited"] == [1]
    # The device that had the seat has nothing to do with the game any more.
    for method, path, body in (
        ("GET", where, None),
        ("GET", f"{where}?seat=1", None),
        ("GET", f"{where}/events?after=0&seat=1", None),
        ("GET", f"{where}/record", None),
        ("POST", f"{where}/moves", move_body(state, "d")),
        ("POST", f"{where}/hint", {"seat": 1}),
        ("POST", f"{where}/invite", {"seat": 1}),
    ):
        assert lost.refused(method, path, body) == gone
    assert lost.call("GET", "/games")["games"] == []
    wrong = (404, "not_found", "there is no such game, or the invitation is wrong")
    for late in (lost, found):
        assert late.refused("POST", f"{where}/join", invitation_body(first)) == wrong
    # Who gives it cannot take it: their browser sits at the table already.
    taken = (409, "taken", "you sit at this table already")
    assert desk.refused("POST", f"{where}/join", invitation_body(second)) == taken
    assert desk.refused("GET", f"{where}?seat=1")[:2] == (403, "forbidden")
    joined = found.call("POST", f"{where}/join", invitation_body(second))
    assert (joined["seat"], joined["hand"], joined["awaited"]) == (1, ["D1"], [])
    told = b"".join(desk.traffic)
    assert b'"hand":["D1"]' not in told


def test_who_may_invite_and_whom(desk: Desk) -> None:
    game = desk.new_game("human", "guest", **TINY)
    where = f"/games/{game['id']}"
    guest = Desk(desk.client)
    guest.call("POST", f"{where}/join", invitation_body(game["invitations"][0]))
    refusal = (403, "forbidden", "only who made the game may invite")
    assert guest.refused("POST", f"{where}/invite", {"seat": 1}) == refusal
    for seat in (0, 3):
        answer = desk.refused("POST", f"{where}/invite", {"seat": seat})
        assert answer[1:] == (
            "invalid",
            f"seat {seat} is no guest's: there is nobody to invite",
        )
    assert guest.state(game["id"])["hand"] == ["D1"]


def test_a_new_invitation_outlasts_the_server(tmp_path: Path) -> None:
    with open_studio(tmp_path, lan=True) as client:
        desk = Desk(client)
        game = desk.new_game("human", "guest", **TINY)
        second = desk.call("POST", f"/games/{game['id']}/invite", {"seat": 1})
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert second["token"].encode() not in kept
    with open_studio(tmp_path, lan=True) as client:
        guest, where = Desk(client), f"/games/{game['id']}/join"
        assert guest.refused("POST", where, invitation_body(game["invitations"][0]))[0] == 404
        assert guest.call("POST", where, invitation_body(second))["hand"] == ["D1"]
