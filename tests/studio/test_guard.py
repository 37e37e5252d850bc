"""What stands before every request: names, sizes, rates, headers."""

import logging
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from arboretum_lab.studio.errors import RefusedError
from arboretum_lab.studio.guard import CONTENT_SECURITY_POLICY, Rate
from tests.studio.desk import HOST, PATIENT, Desk, open_studio


@pytest.mark.parametrize("path", ["/", "/api/agents", "/api/nothing", "/nothing", "/api/session"])
@pytest.mark.parametrize(
    ("host", "lan", "ours"),
    [
        ("127.0.0.1:8000", False, True),
        ("localhost:8000", False, True),
        ("LOCALHOST", False, True),
        ("[::1]:8000", False, True),
        ("evil.example", False, False),
        ("evil.example:8000", True, False),
        ("127.0.0.1.evil.example", False, False),
        ("127.0.0.1:8000@evil.example", False, False),
        ("10.0.0.7:8000", False, False),
        ("10.0.0.7:8000", True, True),
        ("", True, False),
        ("[::1]x", True, False),
    ],
)
def test_who_is_asked_for(tmp_path: Path, path: str, host: str, lan: bool, ours: bool) -> None:
    client = open_studio(tmp_path, lan=lan)
    answer = client.get(path, headers={"Host": host})
    assert (answer.status_code == 403) is not ours
    if not ours:
        assert answer.json()["error"]["code"] == "forbidden"


def test_which_pages_may_ask(client: TestClient) -> None:
    for origin, status in (
        (HOST, 200),
        ("http://localhost:8000", 403),  # another origin than the one that is asked
        ("https://127.0.0.1:8000", 403),
        ("http://evil.example", 403),
        ("null", 403),
        ("", 403),
    ):
        for send in (client.post, client.get):
            path = "/api/session" if send == client.post else "/api/agents"
            assert send(path, headers={"Origin": origin}).status_code == status, origin


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/"), ("GET", "/nothing"), ("GET", "/api/agents"), ("PUT", "/api/games")],
)
def test_headers_of_every_answer(client: TestClient, method: str, path: str) -> None:
    headers = client.request(method, path).headers
    assert headers["content-security-policy"] == CONTENT_SECURITY_POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == ("no-store" if path.startswith("/api/") else "no-cache")
    assert "set-cookie" not in headers and "access-control-allow-origin" not in headers
    refused = client.request(method, path, headers={"Host": "evil.example"}).headers
    assert refused["content-security-policy"] == CONTENT_SECURITY_POLICY


def test_a_fault_of_our_own_tells_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither the answer nor the log has the message, which may name cards; headers are there."""

    def fail(*_: object) -> None:
        raise RuntimeError("seat 1 holds M7")

    state = desk.new_game("human", "greedy")
    monkeypatch.setattr("arboretum_lab.studio.routes.games.state_answer", fail)
    with caplog.at_level(logging.DEBUG):
        answer = desk.send("GET", f"/games/{state['id']}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal")
    assert answer.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
    assert f"GET /api/games/{state['id']} failed: RuntimeError" in caplog.text
    assert "M7" not in caplog.text + answer.text


def test_there_are_no_sockets(client: TestClient) -> None:
    for path in ("/", "/api/games"):
        with pytest.raises(WebSocketDisconnect) as refused, client.websocket_connect(path):
            pass
        assert refused.value.code == 1008


def test_the_policy_allows_nothing_inline_and_nobody_else() -> None:
    policy = dict(part.strip().split(" ", 1) for part in CONTENT_SECURITY_POLICY.split(";"))
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data: blob:",
        "connect-src": "'self'",
        "font-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }


def test_no_page_loads_scripts_from_elsewhere(client: TestClient) -> None:
    for path in ("/docs", "/redoc"):
        assert client.get(path).status_code == 404
    paths = client.get("/api/openapi.json").json()["paths"]
    assert "/api/games/{game_id}/moves" in paths


def test_large_bodies(tmp_path: Path) -> None:
    client = open_studio(tmp_path, replace(PATIENT, body_bytes=1000))
    token = client.post("/api/session").json()["token"]
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    message = "the body is too large: expected at most 1000 bytes"
    for body in (b" " * 1001, iter([b" " * 600, b" " * 600])):
        answer = client.post("/api/games", content=body, headers=headers)
        assert answer.status_code == 413 and answer.json()["error"]["message"] == message
    lied = {**headers, "Content-Length": "99999999999999999999999"}
    assert client.post("/api/games", content=b"{}", headers=lied).status_code == 413
    fits = client.post("/api/games", content=iter([b" " * 500, b"{}"]), headers=headers)
    assert fits.status_code == 422


@pytest.mark.parametrize(
    ("content", "kind", "message"),
    [
        (b"{", "application/json", "the body is not JSON: Expecting property name"),
        (b"", "application/json", "the body: missing, expected a value"),
        (b"[]", "application/json", "the body: expected"),
        (b"\xff\xfe", "application/json", ""),
        (b"{}", "text/plain", "the body: expected"),
        (b"[" * 100_000, "application/json", ""),
        (b'{"players": 1e400}', "application/json", "players: expected"),
        (b'{"players": 2, "players": "x", "seats": 3}', "application/json", "players: expected"),
        (b'{"players": 2, "seats": [1, null]}', "application/json", "seats"),
        (b'{"players": NaN}', "application/json", ""),
        (b'{"players": 2, "seats": ["\\ud800", "human"]}', "application/json", ""),
        (b'{"players": 2, "seats": ["\\u0000", "human"]}', "application/json", "agent"),
        (b'{"players": 2, "seats": ["human", "greedy"], "seed": 1e15}', "application/json", "seed"),
    ],
)
def test_malformed_bodies_give_one_clear_message(
    desk: Desk, content: bytes, kind: str, message: str
) -> None:
    headers = {"Authorization": f"Bearer {desk.token}", "Content-Type": kind}
    answer = desk.client.post("/api/games", content=content, headers=headers)
    assert answer.status_code in (400, 422), answer.text
    said = answer.json()["error"]["message"]
    assert message.lower() in said.lower() and said and "\n" not in said and len(said) < 400, said


def test_too_many_requests(tmp_path: Path) -> None:
    client = open_studio(tmp_path, replace(PATIENT, burst=3, requests_a_second=0.001))
    first, other = Desk(client), Desk(client)
    for _ in range(3):
        first.call("GET", "/agents")
    assert first.refused("GET", "/agents")[:2] == (429, "too_many")
    other.call("GET", "/agents")  # every browser has its own measure
    assert client.get("/").status_code == 200
    client.post("/api/session")
    assert client.post("/api/session").status_code == 429


def test_the_measure_fills_again() -> None:
    now = 0.0
    rate = Rate(2, 4.0, lambda: now)
    rate.take("a")
    rate.take("a")
    with pytest.raises(RefusedError, match="too many requests"):
        rate.take("a")
    now = 0.25
    rate.take("a")
    with pytest.raises(RefusedError, match="too many requests"):
        rate.take("a")
    now = 1000.0
    for _ in range(2):
        rate.take("a")
    with pytest.raises(RefusedError, match="too many requests"):
        rate.take("a")


def test_how_many_may_wait(tmp_path: Path) -> None:
    with open_studio(tmp_path, replace(PATIENT, waiting=0)) as client:
        desk = Desk(client)
        state = desk.new_game("human", "greedy")
        assert desk.refused("GET", f"/games/{state['id']}/events?after=0")[:2] == (429, "too_many")


def test_ways_out_of_the_static_files(client: TestClient) -> None:
    for path in (
        "/../app.py",
        "/%2e%2e/app.py",
        "/..%2fapp.py",
        "/js/..%5c..%5capp.py",
        "//etc/passwd",
    ):
        assert client.get(path).status_code == 404, path
