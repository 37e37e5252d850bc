"""The engine for app developers: one answer a request, moves as the agents play them, no exit."""

import json
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from arboretum_agents.bots.random import RandomAgent
from arboretum_agents.registry import make_agent
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.match import play_match
from arboretum_env.records.arb_reader import read_arb
from arboretum_env.records.from_game import record_from_match
from arboretum_env.records.replay import replay
from arboretum_env.records.tokens import turn_tokens
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_env.view import PlayerViews
from arboretum_env.view_json import config_to_json
from arboretum_lab.engine import advisers, jobs, referee
from arboretum_lab.engine.requests import RequestError
from arboretum_lab.engine.service import Service
from tests.protocol.bots import command
from tests.protocol.engine_talk import TO_MOVE, Message, Talk, answer_to, answers, fault_of
from tests.random_games import CONFIGS


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("spec", ["greedy", "random"])
def test_a_refereed_game_is_the_game_of_the_runner(name: str, spec: str) -> None:
    """Deal, moves, end and record are those of ``play_match`` with the same seeds."""
    config, seed, number = CONFIGS[name], 7, 3
    talk, moves = Talk(), []

    def next_request() -> bytes:
        said = talk.said()
        last = said[-1] if said else None
        if last is None:
            request = {
                "type": "new_game",
                "config": config_to_json(config),
                "seed": seed,
                "number": number,
            }
        elif last["type"] == "move":
            moves.append(last["move"])
            request = {"type": "apply", "game": "game1", "move": last["move"]}
        elif last["type"] == "record":
            return b""
        elif last["done"]:
            request = {"type": "record", "game": "game1"}
        else:
            request = {
                "type": "move",
                "view": last["view"],
                "agent": spec,
                "seed": 11,
                "game": number,
            }
        talk.lines.append(next_request)
        return json.dumps({"id": len(said), **request}).encode() + b"\n"

    # One request at a time: a move is answered before the next line is asked for.
    talk.lines = [next_request]
    service = Service(talk, talk.sink, 1)  # type: ignore[arg-type]
    service._jobs.add = lambda name, work, answer: answer(work())  # type: ignore[method-assign]
    service.run()

    ids = np.array([number], np.uint64)
    agent = make_agent(spec, config)
    agent.reset(ids, 11)
    match = play_match(
        deal(config, root_from_seed(seed, Purpose.USER), ids),
        [agent],
        np.zeros((1, config.num_players), np.int64),
        ids,
        keep_actions=True,
    )
    record = record_from_match(
        match.initial, match.game_actions(0), deal=f"user seed {seed} game {number}"
    )
    assert [token for turn in record.turns for token in turn_tokens(config, turn)] == moves
    *_, end, last = talk.said()
    assert read_arb(last["arb"]) == record
    assert replay(record).sheet is not None
    assert end["done"] is True
    assert tuple(end["scores"]) == record.result
    assert tuple(end["winners"]) == record.winners


def test_a_move_by_hand() -> None:
    answer = answer_to(type="move", view=TO_MOVE, agent="planner", explain=True, probabilities=True)
    assert answer["type"] == "move"
    assert answer["move"] in ("xD3", "xJ2", "xJ3")
    assert answer["probabilities"] == {
        move: float(move == answer["move"]) for move in ("xD3", "xJ2", "xJ3")
    }
    assert -1 < answer["value"] < 1
    assert answer["explanation"].startswith(f"Discards {answer['move'][1:]}, which could add ")
    plain = answer_to(type="move", view=TO_MOVE)  # the planner, and nothing that costs more
    assert plain == {
        **answer,
        "probabilities": None,
        "value": None,
        "explanation": None,
    }


def test_the_probability_of_a_plant_is_that_of_its_card_times_that_of_its_cell() -> None:
    view = {
        **TO_MOVE,
        "phase": "play",
        "arboreta": [[[0, 0, "C1"]], []],
        "hand": ["D1", "D3", "J2", "J3"],
    }
    answer = answer_to(
        type="move", view=view, agent="planner:temperature=2", probabilities=True, seed=4
    )
    chances = answer["probabilities"]
    assert list(chances) == ["D1@0,0", "D3@0,0", "J2@0,0", "J3@0,0"]
    assert sum(chances.values()) == pytest.approx(1, abs=1e-6)
    assert min(chances.values()) > 0
    assert len(set(chances.values())) > 1


def test_the_seed_decides_and_nothing_else() -> None:
    def moves(seed: int, game: int) -> str:
        request = {"type": "move", "view": TO_MOVE, "agent": "random", "seed": seed, "game": game}
        several = answers(*({"id": number, **request} for number in range(4)))
        assert len({answer["move"] for answer in several}) == 1
        return str(several[0]["move"])

    assert len({moves(seed, 0) for seed in range(20)}) == 3
    assert len({moves(0, game) for game in range(20)}) == 3


def test_agents_by_level_and_budget_are_specs(monkeypatch: pytest.MonkeyPatch) -> None:
    kind, message = fault_of(type="move", view=TO_MOVE, level=9)
    assert (kind, message) == ("agent", "levels: level=9: expected 1..8")
    kind, message = fault_of(type="move", view=TO_MOVE, level=2, budget={"seconds": 1})
    assert (kind, message) == ("agent", "budget: agent 'levels:2' has no option 'seconds'")
    assert answer_to(type="move", view=TO_MOVE, level=7)["move"]

    seen: list[str] = []

    def make(spec: str, config: GameConfig, *, mode: str) -> Agent:
        seen.append(f"{spec} {mode}")
        return RandomAgent(config)

    options = {"seconds": "float", "simulations": "int"}
    monkeypatch.setattr(advisers, "make_agent", make)
    monkeypatch.setattr(advisers, "describe_options", lambda entry: options)
    answer_to(type="move", view=TO_MOVE, level=3, mode="greedy")
    answer_to(type="move", view=TO_MOVE, agent="random", budget={"seconds": 0.5})
    answer_to(type="move", view=TO_MOVE, agent="random:a=b", budget={"simulations": 8})
    assert seen == [
        "levels:3 greedy",
        "random:seconds=0.5 sample",
        "random:a=b,simulations=8 sample",
    ]


def test_a_program_that_fails_is_an_error(tmp_path: Path) -> None:
    spec = f"process:{command(tmp_path, 'illegal')}"
    view = {**TO_MOVE}
    assert answer_to(type="move", view=view, agent=spec)["move"] == "xD3"
    kind, message = fault_of(type="move", view=view, agent=f"process:{sys.executable} -c pass")
    assert kind == "agent"
    assert message == "ended with exit code 0"


def test_agents_and_version_are_told() -> None:
    assert answer_to(type="hello") == {"id": 1, "type": "hello", "protocol": 1}
    agents = {agent["name"]: agent for agent in answer_to(type="agents")["agents"]}
    assert agents["planner"]["defaults"]["denial"] == 1.0
    assert agents["process"]["options"]["command"] == "str"


def test_the_referee_shows_each_seat_its_view_and_refuses_what_is_illegal() -> None:
    config = {"players": 3, "starting_discards": True}
    said = answers(
        {"id": "a", "type": "new_game", "config": config},
        {"id": "b", "type": "apply", "game": "game1", "move": "p0"},
        {"id": "c", "type": "view", "game": "game1", "seat": 2},
        {"id": "d", "type": "view", "game": "game1", "seat": 3},
        {"id": "e", "type": "record", "game": "game1"},
        {"id": "f", "type": "apply", "game": "game1", "move": "p1"},
        {"id": "g", "type": "view", "game": "game1", "seat": 2},
        {"id": "h", "type": "end_game", "game": "game1"},
        {"id": "i", "type": "view", "game": "game1", "seat": 0},
    )
    begun, illegal, third, nobody, early, drawn, after, ended, gone = said
    assert (begun["mover"], begun["done"], begun["view"]["seat"]) == (0, False, 0)
    assert illegal["error"] == {
        "kind": "move",
        "message": "p0: seat 0's discard pile is empty",
    }
    assert third["view"]["seat"] == 2
    assert third["view"]["hand"] != begun["view"]["hand"]
    assert third["legal"] == []
    assert nobody["error"]["message"] == "seat 3: expected 0..2"
    assert early["error"] == {"kind": "game", "message": "game 'game1' is not over"}
    [card] = begun["view"]["discard_piles"][1]
    assert drawn["view"]["history"] == [f"p1({card})"]
    assert after["view"]["known_hands"] == [[card], [], []]
    assert ended == {"id": "h", "type": "end_game", "game": "game1"}
    assert gone["error"]["kind"] == "game"


def test_too_many_games_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "MAX_GAMES", 2)
    new = {"type": "new_game", "config": {"players": 2}}
    said = answers(*({"id": number, **new} for number in range(3)))
    assert [answer.get("game") for answer in said] == ["game1", "game2", None]
    assert said[2]["error"] == {
        "kind": "game",
        "message": "2 games are kept: end_game some of them",
    }


class Slow(RandomAgent):
    """Thinks until it is allowed to stop."""

    begun, allowed, stopped = (threading.Event() for _ in range(3))

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        Slow.begun.set()
        assert Slow.allowed.wait(60)
        Slow.stopped.set()
        return super().act(views)


def test_cancel_while_an_agent_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one thread for moves: others are answered while the cancelled one still thinks."""
    for event in (Slow.begun, Slow.allowed, Slow.stopped):
        event.clear()

    def make(spec: str, config: GameConfig, *, mode: str) -> Agent:
        return Slow(config) if spec == "slow" else RandomAgent(config)

    monkeypatch.setattr(advisers, "make_agent", make)
    talk = Talk()

    def once_begun(request: Message) -> Callable[[], Message]:
        def wait() -> Message:
            assert Slow.begun.wait(60)
            return request

        return wait

    move = {"type": "move", "view": TO_MOVE}
    said = talk.run(
        lambda: {"id": "slow", **move, "agent": "slow"},
        once_begun({"id": "slow", **move}),
        lambda: {"id": "waiting", **move, "agent": "slow"},
        lambda: {"id": 1, "type": "cancel", "target": "waiting"},
        lambda: {"id": 2, "type": "cancel", "target": "slow"},
        lambda: {"id": 3, "type": "cancel", "target": "slow"},
        lambda: {"id": "quick", **move, "agent": "quick"},
    )
    assert not Slow.stopped.is_set()  # the service has ended, and it thinks still
    cancelled = {"kind": "cancelled", "message": "cancelled by the client"}
    assert said[:-1] == [
        {
            "id": "slow",
            "error": {"kind": "request", "message": "id 'slow': an open request has it"},
        },
        {"id": "waiting", "error": cancelled},
        {"id": 1, "type": "cancel", "target": "waiting", "cancelled": True},
        {"id": "slow", "error": cancelled},
        {"id": 2, "type": "cancel", "target": "slow", "cancelled": True},
        {"id": 3, "type": "cancel", "target": "slow", "cancelled": False},
    ]
    assert said[-1]["id"] == "quick"
    assert said[-1]["move"] in ("xD3", "xJ2", "xJ3")
    Slow.allowed.set()
    assert Slow.stopped.wait(60)
    assert talk.said() == said  # what it found is dropped


def test_too_many_requests_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MAX_WAITING", 1)
    Slow.allowed.clear()
    monkeypatch.setattr(advisers, "make_agent", lambda spec, config, mode: Slow(config))
    talk = Talk()

    def release() -> Message:
        Slow.allowed.set()
        return {"id": 3, "type": "hello"}

    move = {"type": "move", "view": TO_MOVE}
    said = talk.run(lambda: {"id": 1, **move}, lambda: {"id": 2, **move}, release)
    assert said[0] == {"id": 2, "error": {"kind": "busy", "message": "1 requests wait already"}}
    assert {answer["id"] for answer in said} == {1, 2, 3}


@pytest.mark.parametrize("chance", [np.nan, np.inf])
def test_what_is_no_json_is_an_answer_too(
    chance: float, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever an agent says of its chances, the client is answered and the engine ends."""

    class Boundless(RandomAgent):
        def policy(self, views: PlayerViews) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
            chances = np.full(views.legal_action_mask().shape, chance, np.float32)
            return chances, np.zeros(len(views), np.float32)

    monkeypatch.setattr(advisers, "make_agent", lambda spec, config, mode: Boundless(config))
    kind, message = fault_of(type="move", view=TO_MOVE, probabilities=True)
    assert kind == "internal"
    assert message.startswith("ValueError: Out of range float values are not JSON compliant")
    assert capsys.readouterr().out == ""


def test_the_list_of_agents_is_json_whatever_others_register(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "arboretum_lab.cli.agents.describe_defaults", lambda entry: {"depth": np.inf, "x": b"y"}
    )
    assert answer_to(type="agents")["agents"][0]["defaults"] == {"depth": "inf", "x": "b'y'"}


def test_an_id_is_free_again_once_its_answer_is_out() -> None:
    """A client that has the answer may send its next request under the same id."""
    work = jobs.Jobs(1)
    said: list[bytes | RequestError] = []

    def answer(line: bytes) -> None:
        said.append(line)
        try:  # as fast as a client could be
            if len(said) < 5:
                work.add("always", lambda: b"%d" % len(said), answer)
        except RequestError as error:
            said.append(error)

    work.add("always", lambda: b"0", answer)
    work.wait()
    assert said == [b"0", b"1", b"2", b"3", b"4"]
    assert not work.cancel("always")


def test_an_agents_own_fault_is_an_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Broken(RandomAgent):
        def act(self, views: PlayerViews) -> NDArray[np.int64]:
            raise KeyError("seat")

    monkeypatch.setattr(advisers, "make_agent", lambda spec, config, mode: Broken(config))
    assert fault_of(type="move", view=TO_MOVE) == ("internal", "KeyError: 'seat'")
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "KeyError" in printed.err
