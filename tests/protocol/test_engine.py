"""The engine for app developers: one answer a request, moves as the agents play them, no exit."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
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
from arboretum_lab.cli.main import main
from arboretum_lab.engine import advisers, jobs, referee
from arboretum_lab.engine.service import Service
from tests.properties.strategies import SOME
from tests.protocol.bots import command
from tests.protocol.test_view_json import JUNK, VIEW, changed
from tests.random_games import CONFIGS

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "docs" / "examples" / "client.mjs"
ARBORETUM = Path(sys.executable).parent / "arboretum"
NODE = shutil.which("node")
TO_MOVE = {**VIEW, "seat": 1, "hand": ["D3", "J2", "J3"], "history": None}
"""The same position as seat 1 sees it, which is to discard."""

Message = dict[str, Any]


def raw_answers(data: bytes, threads: int = 1) -> list[Message]:
    sink = io.BytesIO()
    Service(io.BytesIO(data), sink, threads).run()
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def answers(*requests: Message) -> list[Message]:
    data = b"".join(json.dumps(request).encode() + b"\n" for request in requests)
    return sorted(raw_answers(data), key=lambda answer: str(answer["id"]))


def answer_to(**request: Any) -> Message:
    [answer] = answers({"id": 1, **request})
    assert answer["id"] == 1
    return answer


def fault_of(**request: Any) -> tuple[str, str]:
    error = answer_to(**request)["error"]
    return error["kind"], error["message"]


class Talk:
    """A source of lines that are made from the answers so far, as a client would."""

    def __init__(self) -> None:
        self.sink = io.BytesIO()
        self.lines: list[Callable[[], bytes]] = []

    def readline(self, size: int) -> bytes:
        return self.lines.pop(0)() if self.lines else b""

    def said(self) -> list[Message]:
        return [json.loads(line) for line in self.sink.getvalue().splitlines()]

    def run(self, *lines: Callable[[], Message]) -> list[Message]:
        self.lines = [lambda make=make: json.dumps(make()).encode() + b"\n" for make in lines]
        Service(self, self.sink, 1).run()  # type: ignore[arg-type]
        return self.said()


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


FAULTS: list[tuple[Message, str, str]] = [
    ({}, "request", "type 'None': expected hello, agents, move"),
    ({"type": "mvoe"}, "request", "type 'mvoe': expected hello, agents"),
    ({"type": ["x"]}, "request", "type "),
    ({"type": "hello", "more": 1}, "request", "more: unknown key"),
    ({"type": "move"}, "request", "view: missing, expected a value"),
    ({"type": "move", "view": 3}, "request", "view: expected keys and values"),
    ({"type": "move", "view": {}}, "view", "view: config: missing, expected a value"),
    ({"type": "move", "view": VIEW}, "view", "view: seat 0 is not to move"),
    ({"type": "move", "view": changed("deck_size", 9)}, "view", "view: deck_size 9: expected 0..5"),
    ({"type": "move", "view": TO_MOVE, "agent": "gredy"}, "agent", "unknown agent 'gredy'; did"),
    ({"type": "move", "view": TO_MOVE, "agent": "x/y"}, "agent", "agent 'x/y': expected a run or"),
    ({"type": "move", "view": TO_MOVE, "agent": "process:no-such"}, "agent", "agent 'process': "),
    ({"type": "move", "view": TO_MOVE, "seed": -1}, "request", "seed: expected at least 0"),
    ({"type": "move", "view": TO_MOVE, "seed": True}, "request", "seed: expected an integer"),
    ({"type": "move", "view": TO_MOVE, "mode": "x"}, "request", "mode: expected 'sample' or"),
    (
        {"type": "move", "view": TO_MOVE, "agent": "greedy", "level": 2},
        "agent",
        "agent and level: expected one of them",
    ),
    ({"type": "move", "view": TO_MOVE, "level": 0}, "request", "level: expected at least 1"),
    (
        {"type": "move", "view": TO_MOVE, "agent": "greedy", "budget": {"seconds": 1.0}},
        "agent",
        "budget: agent 'greedy' has no option 'seconds'",
    ),
    (
        {"type": "move", "view": TO_MOVE, "budget": {"second": 1.0}},
        "request",
        "budget.second: unknown key",
    ),
    (
        {"type": "move", "view": TO_MOVE, "budget": {"seconds": 0.0}},
        "request",
        "budget.seconds: expected more than 0",
    ),
    ({"type": "new_game", "config": {}}, "game", "game options: players: missing"),
    ({"type": "new_game", "config": {"players": 9}}, "game", "game options: num_players 9"),
    ({"type": "view", "game": "game1", "seat": 0}, "game", "game 'game1': expected one that"),
    ({"type": "apply", "game": "x" * 99, "move": "d"}, "game", f"game '{'x' * 40}': expected"),
    ({"type": "end_game", "game": ""}, "game", "game '': expected one that new_game has named"),
    ({"type": "cancel"}, "request", "target: missing, expected a value"),
]


@pytest.mark.parametrize(("request_", "kind", "message"), FAULTS)
def test_what_is_wrong_is_told_by_kind(request_: Message, kind: str, message: str) -> None:
    given, said = fault_of(**request_)
    assert given == kind
    assert said.startswith(message)


def test_agents_by_level_and_budget_are_specs(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = tuple(entry for entry in advisers.list_agents() if entry.name != "levels")
    monkeypatch.setattr(advisers, "list_agents", lambda: entries)
    kind, message = fault_of(type="move", view=TO_MOVE, level=3)
    assert kind == "agent"
    assert message == "level 3: there are no agents by level; expected agent, a spec"

    with_levels = (*entries, advisers.find_entry(advisers.parse_spec("random")))
    renamed = with_levels[-1].__class__(**{**vars(with_levels[-1]), "name": "levels"})
    monkeypatch.setattr(advisers, "list_agents", lambda: (*entries, renamed))
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


LINES = [
    (b"", []),
    (b"\n \n\r\n", []),
    (b"{", ["not JSON: Expecting property name"]),
    (b"[1]\n3\nnull\n", ["expected a JSON object, not list", "expected a JSON object, not int"]),
    (b"\xff\xfe\n", ["not UTF-8: invalid start byte at byte 0"]),
    (b'{"id": NaN}\n', ["not JSON: NaN is no number of JSON"]),
    (b'{"id": 1, "id": 2}\n', ["not JSON: a key stands twice in one object"]),
    (b"[" * 100_000 + b"\n", ["not JSON that fits: nested too deeply"]),
    (b'{"id": ' + b"9" * 5000 + b"}\n", ["not JSON: Exceeds the limit"]),
    (b"x" * (3 << 20) + b'\n{"id":1,"type":"hello"}\n', ["a line of more than 1048576 bytes"]),
]


@pytest.mark.parametrize(("data", "messages"), LINES, ids=range(len(LINES)))
def test_bad_lines(data: bytes, messages: list[str]) -> None:
    said = raw_answers(data)
    faults = [answer["error"]["message"] for answer in said if "error" in answer]
    for fault, message in zip(faults, messages, strict=False):
        assert fault.startswith(message)
    assert len(faults) == len([line for line in data.split(b"\n") if line.strip()]) - (
        b"hello" in data
    )
    assert all(answer["id"] is None for answer in said if "error" in answer)
    if b"hello" in data:
        assert said[-1] == {"id": 1, "type": "hello", "protocol": 1}


REQUESTS: list[Message] = [
    {"id": 1, "type": "hello"},
    {"id": 1, "type": "move", "view": TO_MOVE, "agent": "random"},
    {"id": 1, "type": "new_game", "config": {"players": 2}, "seed": 1},
    {"id": 1, "type": "view", "game": "game1", "seat": 0},
    {"id": 1, "type": "apply", "game": "game1", "move": "d"},
    {"id": 1, "type": "cancel", "target": 1},
]


@st.composite
def damaged_lines(draw: st.DrawFn) -> bytes:
    """A request of which some part, or some bytes, were replaced."""
    request = dict(draw(st.sampled_from(REQUESTS)))
    for _ in range(draw(st.integers(0, 2))):
        request[draw(st.sampled_from([*request, "view", "extra"]))] = draw(JUNK)
    line = json.dumps(request).encode()
    if draw(st.booleans()):
        at = draw(st.integers(0, len(line)))
        line = line[:at] + draw(st.binary(max_size=6)) + line[at + draw(st.integers(0, 3)) :]
    return line.replace(b"\n", b" ")


@SOME
@given(st.lists(damaged_lines() | st.binary(max_size=40), max_size=5))
def test_every_line_has_one_answer_whatever_it_is(lines: list[bytes]) -> None:
    data = b"\n".join(lines)
    said = raw_answers(data)
    expected = [line for line in data.split(b"\n") if line.strip()]
    assert len(said) == len(expected)
    for answer in said:
        assert answer.keys() >= {"id"}
        assert ("error" in answer) != ("type" in answer)


def engine(code: str = "", **options: Any) -> "subprocess.Popen[bytes]":
    program = f"import sys; from arboretum_lab.cli.main import main\n{code}\n"
    return subprocess.Popen(
        [sys.executable, "-c", f"{program}sys.exit(main(['engine']))"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )


def test_stdout_carries_nothing_but_answers() -> None:
    noise = """
import os
from arboretum_lab.engine import advisers
from arboretum_agents.bots.random import RandomAgent
class Noisy(RandomAgent):
    def act(self, views):
        print("thinking")
        os.system("echo and more")
        return super().act(views)
advisers.make_agent = lambda spec, config, mode: Noisy(config)
"""
    request = json.dumps({"id": 1, "type": "move", "view": TO_MOVE}).encode()
    process = engine(noise)
    printed, errors = process.communicate(request + b"\nnonsense\n", timeout=120)
    said = [json.loads(line) for line in printed.splitlines()]
    assert sorted(map(str, (answer["id"] for answer in said))) == ["1", "None"]
    assert b"and more" in errors
    assert process.returncode == 0


def test_a_client_that_went_away() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [ARBORETUM, "engine"],
        input=b'{"id":1,"type":"hello"}\n' * 3,
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_no_threads_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["engine", "--threads", "0"]) == 2
    assert capsys.readouterr().err == "arboretum: error: 0 threads: expected 1..256\n"


def test_the_client_is_short() -> None:
    assert len(CLIENT.read_text(encoding="utf-8").splitlines()) <= 40


@pytest.mark.slow
@pytest.mark.skipif(
    NODE is None, reason="THE EXAMPLE CLIENT WAS NOT RUN: there is no node on this machine"
)
def test_a_foreign_client_completes_a_hundred_games() -> None:
    done = subprocess.run(
        [str(NODE), str(CLIENT), "100", "planner", "greedy"],
        env={**os.environ, "ARBORETUM": str(ARBORETUM)},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [re.fullmatch(r"(\w+) won ([\d.]+) of 100", line) for line in done.stdout.splitlines()]
    wins = {match[1]: float(match[2]) for match in lines if match}
    assert wins.keys() == {"planner", "greedy"}
    assert sum(wins.values()) == 100
    assert wins["planner"] > 75  # 90.5; the games are the same on every machine
    assert done.stderr == ""
