"""A browser's side of the studio: a client with a token, and shorthands for what a page does."""

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from arboretum_lab.studio.app import create_app
from arboretum_lab.studio.settings import Limits, Settings

HOST = "http://127.0.0.1:8000"
PATIENT = Limits(burst=10**9, requests_a_second=1e9, wait_seconds=5.0)

Refused = tuple[int, str, str]
"""Status, code and message of a refusal."""


def open_studio(folder: Path, limits: Limits = PATIENT, **settings: Any) -> TestClient:
    """A studio on a data folder."""
    app = create_app(Settings(data=folder, limits=limits, **settings))
    return TestClient(app, base_url=HOST)


@dataclass
class Desk:
    """One browser.

    Attributes:
        client: the studio.
        token: its session; a new one by default.
        traffic: everything that was sent back to it, but for the session itself.
    """

    client: TestClient
    token: str = ""
    traffic: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.token:
            self.token = self.client.post("/api/session").json()["token"]

    def send(self, method: str, path: str, body: Any = None) -> Any:
        """Sends a request; the answer as it is."""
        headers = {"Authorization": f"Bearer {self.token}"}
        answer = self.client.request(method, f"/api{path}", json=body, headers=headers)
        head = "".join(f"{name}: {value}\n" for name, value in answer.headers.items())
        self.traffic.append(f"{answer.status_code}\n{head}\n".encode() + answer.content)
        return answer

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Sends a request that succeeds; the answer's JSON."""
        answer = self.send(method, path, body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def refused(self, method: str, path: str, body: Any = None) -> Refused:
        """Sends a request that is refused."""
        answer = self.send(method, path, body)
        error = answer.json()["error"]
        assert set(answer.json()) == {"error"} and set(error) == {"code", "message"}
        return answer.status_code, error["code"], error["message"]

    def new_game(self, *seats: str, **options: Any) -> Any:
        """Begins a game."""
        body = {"players": len(seats), "seats": list(seats), **options}
        return self.call("POST", "/games", body)

    def state(self, game: str, seat: int | None = None) -> Any:
        """What a seat sees."""
        return self.call("GET", f"/games/{game}" + ("" if seat is None else f"?seat={seat}"))

    def move(self, state: Any, *moves: str | int) -> Any:
        """Plays moves in notation, or actions, one after the other."""
        for move in moves:
            state = self.call("POST", f"/games/{state['id']}/moves", move_body(state, move))
        return state

    def no_move(self, state: Any, move: str | int) -> Refused:
        """Tries a move that is refused."""
        return self.refused("POST", f"/games/{state['id']}/moves", move_body(state, move))

    def undo(self, state: Any) -> Any:
        """Takes the last move back."""
        body = {"state_id": state["state_id"], "seat": state["seat"]}
        return self.call("POST", f"/games/{state['id']}/undo", body)

    def settled(self, state: Any) -> Any:
        """Waits until no agent is to move."""
        end = time.monotonic() + 100
        while state["thinking"] and time.monotonic() < end:
            query = f"after={state['state_id']}&seat={state['seat']}"
            state = self.call("GET", f"/games/{state['id']}/events?{query}")
        assert not state["thinking"]
        return state


def move_body(state: Any, move: str | int) -> dict[str, Any]:
    """The body of a move in a position that a page shows."""
    how = {"move": move} if isinstance(move, str) else {"action": move}
    return {"state_id": state["state_id"], "seat": state["seat"], **how}


def some_turn(state: Any, number: int = 0) -> int:
    """One of the legal actions."""
    legal = state["legal"]
    return int(legal[number % len(legal)]["action"])
