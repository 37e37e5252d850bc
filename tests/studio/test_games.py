"""Games over HTTP: whole ones, moves in every form, and what is refused in words."""

import json

import pytest

from tests.studio.desk import Desk, move_body, some_turn
from tests.studio.tiny import TINY, TURNS


@pytest.mark.parametrize(
    ("seats", "starting_discards"),
    [
        (("human", "greedy"), False),
        (("random", "human", "greedy"), True),
        (("greedy", "random", "blocker", "human"), True),
    ],
)
def test_a_whole_game_against_agents(
    desk: Desk, seats: tuple[str, ...], starting_discards: bool
) -> None:
    state = desk.settled(desk.new_game(*seats, starting_discards=starting_discards, seed=5))
    own = seats.index("human")
    states = {state["state_id"]}
    while not state["over"]:
        assert state["mover"] == own == state["seat"] and state["legal"]
        assert state["sheet"] is None and state["hands"] is None
        moved = desk.move(state, some_turn(state, number=len(states)))
        assert moved["state_id"] not in states
        state = desk.settled(moved)
        states |= {moved["state_id"], state["state_id"]}
    assert state["phase"] == "game_over" and state["legal"] == [] and state["deck"] == 0
    assert state["hands"][own] == state["hand"]
    assert len(state["boards"]) == len(seats) == len(state["sheet"]["players"])
    for score, player in zip(state["sheet"]["scores"], state["sheet"]["players"], strict=True):
        assert score == sum(row["points"] for row in player["species"].values())
    assert len(state["log"]) == 4 * state["turn"]
    status, code, message = desk.no_move(state, "d")
    assert (status, code, message) == (409, "not_now", "the game is over")
    arb = desk.send("GET", f"/games/{state['id']}/record")
    assert f'[Result "{"-".join(map(str, state["sheet"]["scores"]))}"]' in arb.text
    assert arb.headers["content-disposition"].endswith('.arb"')
    data = desk.call("GET", f"/games/{state['id']}/record?format=json")
    assert data["result"] == state["sheet"]["scores"]


def test_every_decision_is_told_as_the_seat_sees_it(desk: Desk) -> None:
    made = desk.new_game("human", "human", names=["Ann", "Bo"], **TINY)
    assert "hand" not in made and made["your_seats"] == [0, 1]
    state = desk.call("POST", f"/games/{made['id']}/handover", {"seat": 0})
    assert (state["hand"], state["deck"], state["hand_sizes"]) == (["C1"], 7, [1, 1])
    assert state["names"] == ["Ann", "Bo"] and state["kinds"] == ["human", "human"]
    assert state["legal"] == [{"action": 0, "kind": "draw_deck"}]
    state = desk.move(state, "d", "d")
    assert state["hand"] == ["C1", "C2", "D3"]
    assert {choice["kind"] for choice in state["legal"]} == {"play"}
    assert [cell["cell"] for cell in state["cells"]] == [[0, 0]]
    state = desk.move(state, *TURNS[0][2:])
    assert state["mover"] == 1 and state["legal"] == [] and state["piles"] == [["D3"], []]
    assert state["arboreta"] == [[[0, 0, "C1"]], []]
    rival = desk.call("POST", f"/games/{made['id']}/handover", {"seat": 1})
    assert rival["last"] == [
        {"turn": 0, "seat": 0, "event": "d", "text": "drew from the deck"},
        {"turn": 0, "seat": 0, "event": "d", "text": "drew from the deck"},
        {"turn": 0, "seat": 0, "event": "C1@0,0", "text": "planted C1 at 0,0"},
        {"turn": 0, "seat": 0, "event": "xD3", "text": "discarded D3"},
    ]
    rival = desk.move(rival, "p0")
    assert rival["known"] == {"0": [], "1": ["D3"]} and rival["hand"] == ["D1", "D3"]
    assert 'data-card="C1"' in rival["boards"][0] and "data-card" not in rival["boards"][1]


def test_a_plant_in_one_request_or_two(desk: Desk) -> None:
    for at_once in (True, False):
        state = desk.move(desk.new_game("human", "greedy", **TINY), "d", "d")
        card = next(choice["action"] for choice in state["legal"] if choice["card"] == "C2")
        [cell] = state["cells"]
        where = f"/games/{state['id']}/moves"
        if at_once:
            both = {"actions": [card, cell["action"]]}
            about = {"state_id": state["state_id"], "seat": 0}
            state = desk.call("POST", where, about | both)
        else:
            state = desk.move(state, card)
            assert state["phase"] == "place" and state["chosen"] == "C2" and state["cells"] == []
            assert f'data-action="{cell["action"]}"' in state["boards"][0]
            state = desk.move(state, state["legal"][0]["action"])
        assert state["arboreta"][0] == [[0, 0, "C2"]] and state["phase"] == "discard"


@pytest.mark.parametrize(
    ("before", "move", "message"),
    [
        ("", "p1", "p1: seat 1's discard pile is empty"),
        ("", "C1@0,0", "'C1@0,0' is no move here: expected a draw: d (deck) or pN"),
        ("", 2, "p1: seat 1's discard pile is empty"),
        ("", 3, "'C1' is no move here: expected a draw"),
        ("", 10**9, "action id 1000000000: expected 0.."),
        ("", -1, "action id -1: expected 0.."),
        ("d d", "D1@0,0", "D1@0,0: D1 is not in seat 0's hand"),
        ("d d", "C1@1,0", "C1@1,0: the first card of an arboretum stands at 0,0"),
        ("d d", 3 + 3, "D1@0,0: D1 is not in seat 0's hand"),
        ("d d", 0, "'d' is no move here: expected a plant"),
        ("d d C1@0,0", "xC1", "xC1: C1 is not in seat 0's hand"),
        ("d d C1@0,0", "xZ9", "xZ9: 'Z9' is not a card in play"),
    ],
)
def test_why_a_move_is_refused(desk: Desk, before: str, move: str | int, message: str) -> None:
    state = desk.new_game("human", "greedy", **TINY)
    state = desk.move(desk.state(state["id"]), *before.split())
    status, code, said = desk.no_move(state, move)
    assert (status, code) == (422, "illegal")
    assert said.startswith(message), said
    assert desk.state(state["id"]) == state


def test_a_taken_cell_is_named(desk: Desk) -> None:
    state = desk.new_game("human", "human", **TINY)
    state = desk.call("POST", f"/games/{state['id']}/handover", {"seat": 0})
    state = desk.move(state, *TURNS[0])
    desk.call("POST", f"/games/{state['id']}/handover", {"seat": 1})
    desk.move(desk.state(state["id"]), *TURNS[1])
    state = desk.call("POST", f"/games/{state['id']}/handover", {"seat": 0})
    state = desk.move(state, "d", "p1")
    occupied = 3 + 9  # action of the cell 0,0, after draws and the nine cards
    card = next(choice["action"] for choice in state["legal"] if choice["card"] == "C2")
    body = {"state_id": state["state_id"], "seat": 0, "actions": [card, occupied]}
    refused = desk.refused("POST", f"/games/{state['id']}/moves", body)
    assert refused == (422, "illegal", "C2@0,0: C1 stands there already")


def test_two_tabs(desk: Desk) -> None:
    state = desk.new_game("human", "greedy", **TINY)
    other = Desk(desk.client, desk.token)
    same = other.state(state["id"])
    assert other.settled(same) == {k: v for k, v in state.items() if k != "invitations"}
    moved = desk.move(state, "d")
    status, code, message = other.no_move(same, "d")
    assert (status, code) == (409, "stale") and message.startswith("the game has gone on since")
    assert other.state(state["id"]) == moved
    assert other.move(moved, "d")["phase"] == "play"
    assert desk.refused("POST", f"/games/{state['id']}/undo", {"state_id": 0, "seat": 0})[1] == (
        "stale"
    )


def test_a_seat_moves_in_turn_and_only_its_own(desk: Desk) -> None:
    state = desk.new_game("human", "greedy", **TINY)
    body = move_body(state, "d") | {"seat": 1}
    assert desk.refused("POST", f"/games/{state['id']}/moves", body)[:2] == (403, "forbidden")
    stranger = Desk(desk.client)
    assert stranger.refused("GET", f"/games/{state['id']}")[:2] == (404, "not_found")
    assert stranger.no_move(state, "d")[:2] == (404, "not_found")
    assert stranger.call("GET", "/games") == {"games": []}
    two = desk.new_game("human", "human", **TINY)
    second = desk.call("POST", f"/games/{two['id']}/handover", {"seat": 1})
    assert desk.no_move(second, "d") == (409, "not_now", "seat 0 is to move, not seat 1")


def test_the_list_shows_where_games_stand(desk: Desk) -> None:
    first = desk.new_game("human", "greedy", practice=True, **TINY)
    desk.new_game("human", "random", "greedy", names=["Ann", "", ""])
    desk.move(first, "d")
    three, two = desk.call("GET", "/games")["games"]
    assert (three["names"], three["players"], three["practice"]) == (
        ["Ann", "random", "greedy"],
        3,
        False,
    )
    assert (two["id"], two["state_id"], two["your_seats"]) == (first["id"], 1, [0])
    assert (two["mover"], two["turn"], two["over"], two["practice"]) == (0, 0, False, True)
    desk.call("DELETE", f"/games/{first['id']}")
    assert [game["id"] for game in desk.call("GET", "/games")["games"]] == [three["id"]]
    assert desk.refused("GET", f"/games/{first['id']}")[:2] == (404, "not_found")


def test_the_record_of_a_game_under_way_makes_it_practice(desk: Desk) -> None:
    state = desk.move(desk.new_game("human", "greedy", **TINY), "d")
    where = f"/games/{state['id']}/record"
    status, code, message = desk.refused("GET", where)
    assert (status, code) == (409, "not_now") and "the record tells the whole deal" in message
    assert not desk.state(state["id"])["practice"]
    data = json.loads(desk.send("GET", f"{where}?whole_deal=true&format=json").content)
    assert data["deck"] == TINY["deal"]["deck"] and data["turns"] == [
        {"moves": ["d"], "comment": ""}
    ]
    assert desk.state(state["id"])["practice"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 3}, "2 seats: expected 3, one a seat"),
        ({"names": ["Ann"]}, "1 names: expected 2, one a seat"),
        ({"names": ['A"', ""]}, "name 'A\"': expected letters, digits, spaces and . ' -"),
        ({"names": ["x=y,z", ""]}, "name 'x=y,z': expected letters"),
        ({"seats": ["greedy", "random"]}, "no person plays: expected at least one seat"),
        ({"seats": ["human", "gredy"]}, "unknown agent 'gredy'; did you mean 'greedy'?"),
        ({"seats": ["human", "levels:99"]}, "levels: level=99: expected 1..8"),
        ({"seats": ["human", "league-3p"]}, "league-3p plays with 3 players, not with 2"),
        ({"species": "CDQ"}, "species 'CDQ': expected different letters"),
        ({"species": 11}, "species"),
        ({"players": 7}, "players: expected at most 4"),
        ({"extra": 1}, "extra: unknown key"),
        (
            {"deal": {"hands": [["C1"], ["C1"]], "deck": []}},
            "hand of seat 0 has 1 cards: expected 7",
        ),
        ({"seed": -1}, "seed: expected at least 0"),
        ({"seed": "x"}, "seed: expected an integer"),
    ],
)
def test_games_that_cannot_be(desk: Desk, options: dict[str, object], message: str) -> None:
    body = {"players": 2, "seats": ["human", "greedy"], **options}
    status, code, said = desk.refused("POST", "/games", body)
    assert (status, code) == (422, "invalid")
    assert message in said and "\n" not in said, said
    assert desk.call("GET", "/games") == {"games": []}


def test_a_hint_is_what_the_agent_would_do(desk: Desk) -> None:
    state = desk.move(desk.new_game("human", "greedy", **TINY), "d", "d")
    hint = desk.call("POST", f"/games/{state['id']}/hint", {"seat": 0, "spec": "greedy"})
    assert hint["state_id"] == state["state_id"] and hint["spec"] == "greedy"
    assert hint["text"].startswith(f"greedy would play {hint['move']}\n")
    body = {"state_id": state["state_id"], "seat": 0, "actions": hint["actions"]}
    moved = desk.call("POST", f"/games/{state['id']}/moves", body)
    assert moved["log"][-1]["event"] == hint["move"]
    assert desk.call("POST", f"/games/{state['id']}/hint", {"seat": 0})["spec"] == "planner"
    for spec, code in (
        ("human", "invalid"),
        ("nobody", "invalid"),
        ("process:command=x", "invalid"),
    ):
        body = {"seat": 0, "spec": spec}
        assert desk.refused("POST", f"/games/{state['id']}/hint", body)[:2] == (422, code)
    two = desk.new_game("human", "human", **TINY)
    desk.call("POST", f"/games/{two['id']}/handover", {"seat": 1})
    refused = desk.refused("POST", f"/games/{two['id']}/hint", {"seat": 1})
    assert refused[:2] == (409, "not_now") and "is not to move" in refused[2]
