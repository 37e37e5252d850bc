"""Agents that hang, fail or cheat: the game says so and is not lost."""

import logging
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from arboretum_agents import registry
from arboretum_agents.registry import AgentSpecError
from arboretum_lab.studio.opponents import check_spec, opponents
from arboretum_lab.studio.settings import Limits, Settings
from arboretum_lab.studio.timed import Timed
from arboretum_lab.studio.tokens import token_hash
from tests.studio.bad_bots import BAD_BOTS, LET_GO
from tests.studio.desk import PATIENT, Desk, open_studio
from tests.studio.tiny import TINY, TURNS

QUICK = replace(PATIENT, bot_seconds=0.2, first_seconds=0.2, stray_bots=2)


@pytest.fixture(autouse=True)
def _bad_bots(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(registry, "BUILT_IN", (*registry.BUILT_IN, *BAD_BOTS))
    LET_GO.clear()
    yield
    LET_GO.set()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("hanging", "hanging has not moved: nothing within 0.2 seconds"),
        ("failing", "failing has not moved: it failed (RuntimeError)"),
        ("quitting", "quitting has not moved: it failed (SystemExit)"),
        ("cheating", "cheating has not moved: it failed (IllegalActionError)"),
    ],
)
def test_a_bad_agent_costs_nobody_the_game(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, spec: str, message: str
) -> None:
    with open_studio(tmp_path, QUICK) as client, caplog.at_level(logging.DEBUG):
        desk = Desk(client)
        state = desk.new_game("human", spec, **TINY)
        assert state["fault"] is None
        state = desk.settled(desk.move(state, *TURNS[0]))
        assert state["fault"] == {"seat": 1, "message": message}
        assert state["mover"] == 1 and not state["over"] and state["turn"] == 1
        body = {"state_id": state["state_id"], "seat": 0}
        LET_GO.set()
        again = desk.settled(desk.call("POST", f"/games/{state['id']}/retry", body))
        if spec == "hanging":
            assert again["fault"] is None and again["mover"] == 0 and again["turn"] == 2
            body["state_id"] = again["state_id"]
            where = f"/games/{state['id']}/retry"
            assert desk.refused("POST", where, body) == (409, "not_now", "no agent has failed")
        else:
            assert again["fault"]["message"] == message
            assert desk.undo(again)["phase"] == "discard"  # one can go on from there
        assert "D1" not in caplog.text and "I hold" not in caplog.text


def test_a_move_that_comes_too_late_is_dropped(tmp_path: Path) -> None:
    with open_studio(tmp_path, QUICK) as client:
        desk = Desk(client)
        state = desk.settled(desk.move(desk.new_game("human", "hanging", **TINY), *TURNS[0]))
        assert state["fault"] is not None
        LET_GO.set()
        assert desk.state(state["id"]) == state


def test_how_many_calls_may_be_left_behind() -> None:
    timed = Timed(0.1, stray=2)
    for _ in range(2):
        assert timed.call(LET_GO.wait, "slow").fault == "nothing within 0.1 seconds"
    refused = timed.call(lambda: 1, "quick")
    assert refused.value is None and "too many agents still think" in refused.fault
    LET_GO.set()
    for _ in range(100):
        outcome = timed.call(lambda: 1, "quick")
        if outcome.value == 1:
            break
        time.sleep(0.05)
    assert (outcome.value, outcome.fault) == (1, "")
    failed = timed.call(lambda: 1 // 0, "failing")
    assert isinstance(failed.error, ZeroDivisionError) and failed.value is None


def test_who_answers_in_time_is_not_left_behind() -> None:
    """However many are at work at once: only those count that have run over."""
    timed = Timed(60.0, stray=1)
    with ThreadPoolExecutor(4) as pool:
        calls = [pool.submit(timed.call, LET_GO.wait, "slow") for _ in range(3)]
        assert timed.call(lambda: 1, "quick").value == 1
        LET_GO.set()
        assert [call.result().value for call in calls] == [True] * 3


def test_whoever_still_thinks_is_never_asked_a_second_question(tmp_path: Path) -> None:
    """Its move was taken back meanwhile, and it ran over: another one is asked from then on."""
    with open_studio(tmp_path, QUICK) as client:
        desk = Desk(client)
        state = desk.move(desk.new_game("human", "hanging", **TINY), *TURNS[0])
        game = client.app.state.studio.store.find(  # type: ignore[attr-defined]
            state["id"], token_hash(desk.token)
        )
        [asked] = game.session._agents
        desk.undo(state)
        while game.thinking:
            time.sleep(0.01)
        assert game.fault is None
        assert game.session._agents[0] is not asked


def test_agents_that_cannot_be_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint may be gone: who plays where stays as it was, and the game goes on."""

    def gone(*_: object) -> None:
        raise AgentSpecError("no such folder any more")

    with open_studio(tmp_path, QUICK) as client:
        desk = Desk(client)
        state = desk.new_game("human", "failing", **TINY)
        monkeypatch.setattr("arboretum_lab.play.session.make_agent", gone)
        after = desk.settled(desk.move(state, *TURNS[0]))
        assert after["fault"]["message"] == "failing has not moved: it failed (RuntimeError)"
        assert (after["kinds"], after["mover"]) == (["human", "failing"], 1)
        assert desk.undo(after)["phase"] == "discard"


def test_the_first_call_for_an_agent_may_take_longer() -> None:
    timed = Timed(0.1, stray=4, first_seconds=60.0)
    begun = threading.Event()

    def first() -> int:
        begun.set()
        return int(LET_GO.wait())

    with ThreadPoolExecutor(1) as pool:
        outcome = pool.submit(timed.call, first, "slow:level=1")
        assert begun.wait(20)
        # Somebody else's first call is not held up by it, and is no longer the first after it.
        assert timed.call(lambda: 2, "quick").value == 2
        assert timed.call(LET_GO.wait, "quick").fault == "nothing within 0.1 seconds"
        LET_GO.set()
        assert outcome.result(20).value == 1
    LET_GO.clear()
    assert timed.call(LET_GO.wait, "slow:level=2").fault == "nothing within 0.1 seconds"


def test_a_hint_that_takes_too_long(tmp_path: Path) -> None:
    with open_studio(tmp_path, QUICK) as client:
        desk = Desk(client)
        state = desk.new_game("human", "greedy", **TINY)
        where = f"/games/{state['id']}/hint"
        refused = desk.refused("POST", where, {"seat": 0, "spec": "hanging"})
        assert refused == (409, "not_now", "no hint from hanging: nothing within 0.2 seconds")
        refused = desk.refused("POST", where, {"seat": 0, "spec": "failing"})
        assert refused == (409, "not_now", "no hint from failing: it failed (RuntimeError)")
        assert desk.state(state["id"])["state_id"] == state["state_id"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("process:command=rm", "agent 'process' does not play here"),
        ("human", "agent 'human' does not play here"),
        ("human:name=x", "agent 'human' does not play here"),
        ("runs/demo", "files are named when the studio is started"),
        ("../x", "files are named when the studio is started"),
        ("x.onnx", "files are named when the studio is started"),
        ("tests", "unknown agent 'tests'"),  # a folder that is there
        ("search:policy=league-2p", "policy is chosen when the studio is started"),
        ("search:rollouts=process", "rollouts is chosen when the studio is started"),
        ("search:simulations=1000000", "simulations: expected at most 2048, more than 0"),
        ("search:1000000", "simulations: expected at most 2048, more than 0"),
        ("search:seconds=3600", "seconds: expected at most 10, more than 0"),
        ("search:seconds=nan", "seconds: expected at most 10, more than 0"),
        ("search:threads=0", "threads: expected at most 1, more than 0"),
        ("", "expected NAME"),
    ],
)
def test_what_a_browser_may_not_name(spec: str, message: str) -> None:
    with pytest.raises(AgentSpecError, match=message):
        check_spec(spec, Settings())


def test_what_it_may_name() -> None:
    for spec in ("planner@1:temperature=1", "levels:3", "search:simulations=64,mode=greedy"):
        check_spec(spec, Settings())
    check_spec("runs/demo", Settings(agents=("runs/demo",)))


def test_every_agent_of_the_list_may_be_named(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, agents=("runs/demo/",), limits=Limits())
    listed = opponents(settings)
    for opponent in listed:
        check_spec(opponent.spec, settings)
    names = {opponent.spec: opponent for opponent in listed}
    assert [names[f"levels:{level}"].strength for level in range(1, 9)] == list(range(1, 9))
    assert names["runs/demo/"].name == "demo"
    assert names["league-3p:5"].players == (3,)
    assert len(names) == len(listed), "of an agent with versions the newest alone"
    assert not {"human", "process", "levels"} & set(names)
