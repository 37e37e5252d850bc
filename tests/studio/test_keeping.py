"""No game is lost: not by a restart, a full disk, a torn file or too little memory."""

import errno
import json
import logging
from dataclasses import replace
from pathlib import Path

import pytest

from arboretum_lab.studio import store
from arboretum_lab.studio.tokens import token_hash
from tests.studio.desk import PATIENT, Desk, open_studio, some_turn
from tests.studio.tiny import TINY, TURNS

SMALL = {"species": "CDJ", "hand_size": 3}


@pytest.mark.parametrize("seats", [("human", "random"), ("greedy", "human", "random")])
def test_a_restart_at_any_decision_changes_nothing(tmp_path: Path, seats: tuple[str, ...]) -> None:
    """A game that is broken off again and again ends as the one that is played in one go."""
    ends = []
    for often in (1, 10**9):
        folder = tmp_path / str(often)
        with open_studio(folder) as client:
            desk = Desk(client)
            begun = desk.new_game(*seats, seed=9, **SMALL)
            state = desk.settled(desk.state(begun["id"]))
        while not state["over"]:
            with open_studio(folder) as client:
                desk = Desk(client, desk.token)
                for _ in range(often):
                    assert desk.settled(desk.state(state["id"])) == state
                    state = desk.settled(desk.move(state, some_turn(state, state["state_id"])))
                    if state["over"]:
                        break
        with open_studio(folder) as client:
            assert Desk(client, desk.token).state(state["id"]) == state
        ends.append({key: value for key, value in state.items() if key != "id"})
    assert ends[0] == ends[1]


def test_an_agent_that_was_due_moves_after_the_restart(tmp_path: Path) -> None:
    with open_studio(tmp_path) as client:
        desk = Desk(client)
        state = desk.move(desk.new_game("human", "greedy", **TINY), *TURNS[0][:3])
        kept = next((tmp_path / "games").glob("*.json")).read_bytes()
        state = desk.settled(desk.move(state, TURNS[0][3]))
    [path] = (tmp_path / "games").glob("*.json")
    data = json.loads(kept)  # as if the server had been killed before the agent's first move
    data["record"]["turns"][0]["moves"].append("xD3")
    path.write_text(json.dumps(data))
    with open_studio(tmp_path) as client:
        desk = Desk(client, desk.token)
        assert desk.settled(desk.state(state["id"]))["log"] == state["log"]


def test_a_chosen_card_is_kept(tmp_path: Path) -> None:
    with open_studio(tmp_path) as client:
        desk = Desk(client)
        state = desk.move(desk.new_game("human", "greedy", **TINY), "d", "d")
        state = desk.move(state, some_turn(state))
        assert state["phase"] == "place"
    with open_studio(tmp_path) as client:
        assert Desk(client, desk.token).state(state["id"]) == state


def test_files_that_are_none_of_ours_are_left_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with open_studio(tmp_path) as client:
        desk = Desk(client)
        good = desk.new_game("human", "greedy", **TINY)
        torn = desk.new_game("human", "greedy", **TINY)
        changed = desk.new_game("human", "greedy", **TINY)
    games = tmp_path / "games"
    (games / f"{torn['id']}.json").write_bytes(b'{"studio": 1')
    (games / "other.json").write_bytes(b"\xff\x00")
    (games / ".part.json").write_bytes(b"")
    path = games / f"{changed['id']}.json"
    path.write_text(path.read_text().replace('"C1"', '"D1"'))  # a card twice
    before = {path: path.read_bytes() for path in games.iterdir()}
    with caplog.at_level(logging.WARNING), open_studio(tmp_path) as client:
        again = Desk(client, desk.token)
        assert again.state(good["id"])["hand"] == ["C1"]
        assert again.refused("GET", f"/games/{torn['id']}")[:2] == (404, "not_found")
        assert again.refused("GET", f"/games/{changed['id']}")[:2] == (404, "not_found")
    assert "is no game of the studio; it is left alone" in caplog.text
    assert {path: path.read_bytes() for path in games.iterdir()} == before


def test_a_copy_under_another_name_is_no_second_game(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with open_studio(tmp_path) as client:
        desk = Desk(client)
        state = desk.new_game("human", "greedy", **TINY)
    path = tmp_path / "games" / f"{state['id']}.json"
    for name in (f"{state['id']}-copy.json", "zzz.json"):
        path.with_name(name).write_bytes(path.read_bytes())
    with open_studio(tmp_path) as client:
        state = Desk(client, desk.token).move(state, "d")
    caplog.clear()
    with caplog.at_level(logging.WARNING), open_studio(tmp_path) as client:
        again = Desk(client, desk.token)
        assert [game["state_id"] for game in again.call("GET", "/games")["games"]] == [1]
        assert again.state(state["id"]) == state
    assert caplog.text.count("is no game of the studio; it is left alone") == 2


def test_a_file_that_the_power_took_has_a_copy(tmp_path: Path) -> None:
    """The copy is of a moment before; without it the file would be reported as none of ours."""
    with open_studio(tmp_path) as client:
        desk = Desk(client)
        first = desk.new_game("human", "greedy", **TINY)
        second = desk.move(desk.new_game("human", "greedy", **TINY), "d")
        desk.call("DELETE", f"/games/{first['id']}")
    names = sorted(path.name for path in (tmp_path / "games").iterdir())
    assert names == [f"{second['id']}.json", f"{second['id']}.safe"]
    path = tmp_path / "games" / names[0]
    assert not path.samefile(path.with_suffix(".safe")) or path.stat().st_nlink == 2
    for torn in (b"", b"{", path.read_bytes()[:-20]):
        part = path.with_name("part")
        part.write_bytes(torn)
        part.replace(path)
        with open_studio(tmp_path) as client:
            assert Desk(client, desk.token).state(second["id"]) == second


def test_nothing_is_done_that_cannot_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with open_studio(tmp_path, lan=True) as client:
        desk, guest = Desk(client), Desk(client)
        state = desk.move(
            desk.new_game("human", "greedy", "guest", species="CDJ", hand_size=1), "d"
        )
        [invitation] = desk.new_game("human", "guest", **TINY)["invitations"]
        other = desk.call("GET", "/games")["games"][0]["id"]
        with monkeypatch.context() as patch:
            patch.setattr(store, "write_content", full)
            status, code, message = desk.no_move(state, "d")
            assert (status, code) == (409, "not_kept")
            assert message.endswith("so nothing is done: No space left on device")
            assert desk.state(state["id"]) == state
            join = f"/games/{other}/join", {"token": invitation["token"]}
            assert guest.refused("POST", *join)[1] == "not_kept"
            assert guest.refused("GET", f"/games/{other}")[1] == "not_found"
            assert desk.refused("POST", f"/games/{other}/invite", {"seat": 1})[1] == "not_kept"
            body = {"players": 2, "seats": ["human", "greedy"]}
            assert desk.refused("POST", "/games", body)[1] == "not_kept"
            assert len(desk.call("GET", "/games")["games"]) == 2
        assert desk.move(state, "d")["phase"] == "play"
        assert guest.call("POST", *join)["seat"] == 1


def test_an_agents_move_that_cannot_be_kept_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = store.write_content

    def full(content: store.GameFile, path: Path) -> None:
        if content.summary.turn == 1 and len(content.record["turns"]) > 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(content, path)

    with open_studio(tmp_path) as client:
        desk = Desk(client)
        state = desk.new_game("human", "greedy", **TINY)
        with monkeypatch.context() as patch:
            patch.setattr(store, "write_content", full)
            state = desk.settled(desk.move(state, *TURNS[0]))
            assert "cannot be kept on disk" in state["fault"]["message"]
            assert len(state["log"]) == 4
        body = {"state_id": state["state_id"], "seat": 0}
        again = desk.settled(desk.call("POST", f"/games/{state['id']}/retry", body))
        assert again["fault"] is None and again["mover"] == 0 and len(again["log"]) == 8


def test_games_beyond_memory_wait_on_disk(tmp_path: Path) -> None:
    with open_studio(tmp_path, replace(PATIENT, open_games=2)) as client:
        desk = Desk(client)
        games = [desk.move(desk.new_game("human", "greedy", **TINY), "d") for _ in range(5)]
        for state in games:
            assert desk.state(state["id"]) == state
            assert desk.move(state, "d")["phase"] == "play"
        assert len(desk.call("GET", "/games")["games"]) == 5


def test_a_game_that_somebody_works_with_is_never_there_twice(tmp_path: Path) -> None:
    with open_studio(tmp_path, replace(PATIENT, open_games=1)) as client:
        desk = Desk(client)
        first = desk.new_game("human", "greedy", **TINY)
        games = client.app.state.studio.store  # type: ignore[attr-defined]
        owner = token_hash(desk.token)
        held = games.find(first["id"], owner)
        desk.new_game("human", "greedy", **TINY)  # memory has no room for the first any more
        assert games.find(first["id"], owner) is held


def test_how_many_games_are_kept(tmp_path: Path) -> None:
    limits = replace(PATIENT, games=3, games_a_session=2)
    body = {"players": 2, "seats": ["human", "greedy"]}
    with open_studio(tmp_path, limits) as client:
        desk, other = Desk(client), Desk(client)
        first = desk.new_game("human", "greedy")
        desk.new_game("human", "greedy")
        refused = desk.refused("POST", "/games", body)
        assert refused == (429, "too_many", "2 games are kept for you: delete some")
        other.new_game("human", "greedy")
        refused = other.refused("POST", "/games", body)
        assert refused == (429, "too_many", "too many games are kept here: delete some")
        desk.call("DELETE", f"/games/{first['id']}")
        other.new_game("human", "greedy")
        assert len(list((tmp_path / "games").glob("*.json"))) == 3
