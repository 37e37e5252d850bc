"""Taking back: never over a draw from the deck, unless the game is marked practice."""

import time

import pytest

from tests.studio.desk import Desk, some_turn
from tests.studio.tiny import TINY

DRAWN = "a card was drawn from the deck: only a practice game takes that back"


def test_nothing_over_a_draw_from_the_deck(desk: Desk) -> None:
    begun = desk.new_game("human", "human", **TINY)
    state = desk.call("POST", f"/games/{begun['id']}/handover", {"seat": 0})
    assert state["undo"] == {"possible": False, "reason": "there is nothing to take back"}
    drawn = desk.move(state, "d")
    where = f"/games/{state['id']}/undo"
    assert drawn["undo"] == {"possible": False, "reason": DRAWN}
    body = {"state_id": drawn["state_id"], "seat": 0}
    assert desk.refused("POST", where, body) == (409, "not_now", DRAWN)
    planted = desk.move(drawn, "d", "C1@0,0")
    assert planted["undo"] == {"possible": True, "reason": ""}
    back = desk.undo(planted)
    assert back["phase"] == "play" and back["hand"] == ["C1", "C2", "D3"]
    assert back["arboreta"] == [[], []] and back["takebacks"] == 0
    assert back["state_id"] == planted["state_id"] + 1
    assert back["undo"]["reason"] == DRAWN


def test_a_practice_game_takes_draws_back_and_counts_it(desk: Desk) -> None:
    state = desk.move(desk.new_game("human", "greedy", practice=True, **TINY), "d", "d")
    back = desk.undo(desk.undo(state))
    assert (back["hand"], back["deck"], back["takebacks"]) == (["C1"], 7, 2)
    assert desk.move(back, "d")["hand"] == ["C1", "C2"]  # the same card again


def test_what_agents_did_since_is_taken_back_too(desk: Desk) -> None:
    state = desk.new_game("human", "greedy", practice=True, seed=3)
    while state["turn"] < 2 or state["phase"] != "discard":
        state = desk.settled(desk.move(state, some_turn(state, 1)))
    rival = state["log"][4:8]
    assert [event["seat"] for event in rival] == [1] * 4
    after = desk.settled(desk.move(state, some_turn(state)))
    assert after["mover"] == 0 and after["turn"] == 4
    back = desk.undo(after)
    assert (back["log"], back["hand"]) == (state["log"], state["hand"])
    again = desk.settled(desk.move(back, some_turn(back)))
    assert again["log"] == after["log"]  # the agent does what it did


@pytest.mark.parametrize("practice", [True, False])
def test_a_finished_game(desk: Desk, practice: bool) -> None:
    state = desk.new_game("human", "random", practice=practice, **TINY)
    while not state["over"]:
        state = desk.settled(desk.move(state, some_turn(state)))
    assert state["undo"]["possible"] is practice
    if practice:
        assert not desk.undo(state)["over"]
    else:
        assert "all hands have been shown" in state["undo"]["reason"]


def test_taking_back_while_an_agent_thinks(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answer is dropped: it was about a position that is no more."""
    from arboretum_agents.bots.greedy import GreedyAgent

    act = GreedyAgent.act

    def slowly(self: GreedyAgent, views: object) -> object:
        time.sleep(0.5)
        return act(self, views)  # type: ignore[arg-type]

    state = desk.move(desk.new_game("human", "greedy", **TINY), "d", "d", "C1@0,0")
    monkeypatch.setattr(GreedyAgent, "act", slowly)
    thinking = desk.move(state, "xD3")
    assert thinking["thinking"]
    back = desk.undo(thinking)
    assert back["phase"] == "discard" and not back["thinking"]
    time.sleep(1.0)
    assert desk.state(state["id"]) == back


def test_nobody_takes_another_persons_move_back(desk: Desk) -> None:
    begun = desk.new_game("human", "human", practice=True, **TINY)
    state = desk.call("POST", f"/games/{begun['id']}/handover", {"seat": 0})
    desk.move(state, "d", "d", "C1@0,0", "xD3")
    second = desk.call("POST", f"/games/{begun['id']}/handover", {"seat": 1})
    moved = desk.move(second, "p0")
    state = desk.call("POST", f"/games/{begun['id']}/handover", {"seat": 0})
    assert state["undo"]["reason"] == "another person has moved since: nothing can be taken back"
    assert state["state_id"] == moved["state_id"]
