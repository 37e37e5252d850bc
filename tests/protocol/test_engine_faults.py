"""Requests and lines that are wrong: one answer each that says what, and never an end."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.properties.strategies import SOME
from tests.protocol.engine_talk import TO_MOVE, Message, answers, fault_of, raw_answers
from tests.protocol.test_view_json import JUNK, VIEW, changed

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
    ({"type": "move", "view": TO_MOVE, "agent": "human:Ann"}, "agent", "agent 'human': a person"),
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
    (
        {"type": "cancel", "target": 1.5},
        "request",
        "target: expected an integer, or a text of up to 100 characters",
    ),
]


@pytest.mark.parametrize(("request_", "kind", "message"), FAULTS)
def test_what_is_wrong_is_told_by_kind(request_: Message, kind: str, message: str) -> None:
    given, said = fault_of(**request_)
    assert given == kind
    assert said.startswith(message)


@pytest.mark.parametrize("name", [True, None, 1.5, [], "x" * 101, 2**53 + 1])
def test_what_is_no_id_is_told(name: object) -> None:
    [answer] = answers({"id": name, "type": "hello"})
    assert answer["id"] is None
    assert answer["error"] == {
        "kind": "request",
        "message": "id: expected an integer, or a text of up to 100 characters",
    }


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
