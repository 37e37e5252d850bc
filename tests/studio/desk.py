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


def open_studio(folder: Path, limits: Limits = PATIENT, **settings: Any) -> TestClient:
    """A studio on a data folder."""
    app = create_app(Settings(data=folder, limits=limits, **settings))
    return TestClient(app, base_url=HOST, raise_server_exceptions=True)


@dataclass
class Desk:
    """One browser.

    Attributes:
        client: the studio.
        token: its session; a new one by default.
    """

    client: TestClient
    token: str = ""
    traffic: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.token:
            self.token = self.client.post("/api/session").json()["token"]

    def call(self, method: str, path: str, body: Any = None, status: int = 200) -> Any:
        """Sends a request and expects a status; the answer's JSON."""
        headers = {"Authorization": f"Bearer {self.token}"}
        answer = self.client.request(method, f"/api{path}", json=body, headers=headers)
        assert answer.status_code == status, answer.text
        self.traffic.append(answer.content)
        return answer.json()

    def refused(self, method: str, path: str, body: Any = None) -> tuple[int, str, str]:
        """Sends a request that is refused: status, code and message."""
        headers = {"Authorization": f"Bearer {self.token}"}
        answer = self.client.request(method, f"/api{path}", json=body, headers=headers)
        error = answer.json()["error"]
        assert set(answer.json()) == {"error"} and set(error) == {"code", "message"}
        self.traffic.append(answer.content)
        return answer.status_code, error["code"], error["message"]

    def new_game(self, *seats: str, **options: Any) -> Any:
        """Begins a game."""
        body = {"players": len(seats), "seats": list(seats), **options}
        return self.call("POST", "/games", body)

    def state(self, game: str, seat: int | None = None) -> Any:
        """What a seat sees."""
        return self.call("GET", f"/games/{game}" + ("" if seat is None else f"?seat={seat}"))

    def move(self, state: Any, move: str | int) -> Any:
        """Plays a move in notation, or an action."""
        how = {"move": move} if isinstance(move, str) else {"action": move}
        body = {"state_id": state["state_id"], "seat": state["seat"], **how}
        return self.call("POST", f"/games/{state['id']}/moves", body)

    def settled(self, state: Any) -> Any:
        """Waits until agents have moved."""
        end = time.monotonic() + 60
        while state["thinking"] and time.monotonic() < end:
            after = state["state_id"]
            state = self.call(
                "GET", f"/games/{state['id']}/events?after={after}&seat={state['seat']}"
            )
        assert not state["thinking"]
        return state
