"""Whatever is sent to any address of the interface, the answer is no fault of the server's.

Schemathesis makes requests from the OpenAPI description, valid ones and broken ones. Half of those
to a game go to one that is there, so that they play it, take back, hand over and delete.
"""

import contextlib
import json
from pathlib import Path
from typing import Any, Final

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core import NOT_SET

from tests.studio.desk import PATIENT, Desk, open_studio
from tests.studio.tiny import TINY

EXAMPLES: Final = 10
"""Requests of each kind for every address and method."""


class Prober:
    """Sends what Schemathesis has made up."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._game = ""
        self.statuses: dict[int, int] = {}

    def send(self, case: Any, number: int) -> None:
        parameters = dict(case.path_parameters or {})
        if "game_id" in parameters and number % 2:
            parameters["game_id"] = self._some_game()
        path = case.path
        for name, value in parameters.items():
            path = path.replace(f"{{{name}}}", str(value).replace("/", "%2F").replace("?", "%3F"))
        answer = self._desk.client.request(
            case.method,
            path.encode("utf-8", "replace").decode().replace("#", "%23"),
            params={key: str(value) for key, value in dict(case.query or {}).items()},
            content=b"" if case.body is NOT_SET else _body(case.body),
            headers={
                "Authorization": f"Bearer {self._desk.token}",
                "Content-Type": "application/json",
            },
        )
        self.statuses[answer.status_code] = self.statuses.get(answer.status_code, 0) + 1
        assert answer.status_code < 500, f"{case.method} {path}: {answer.text}"
        if answer.status_code >= 400:
            message = answer.json()["error"]["message"]
            assert message and "\n" not in message, answer.text

    def _some_game(self) -> str:
        """A game that is there; a new one if the last one was deleted."""
        listed = [game["id"] for game in self._desk.call("GET", "/games")["games"]]
        if self._game not in listed:
            self._game = self._desk.new_game("human", "greedy", practice=True, **TINY)["id"]
        return self._game


def _body(body: Any) -> bytes:
    return body if isinstance(body, bytes) else json.dumps(body).encode()


@pytest.mark.slow
def test_no_fault_of_the_server(tmp_path: Path) -> None:

    with open_studio(tmp_path, PATIENT, lan=True) as client:
        prober = Prober(Desk(client))
        schema = schemathesis.openapi.from_dict(client.get("/api/openapi.json").json())
        operations = [found.ok() for found in schema.get_all_operations()]
        assert len(operations) > 15
        for operation in operations:
            for mode in GenerationMode:
                _probe(operation, mode, prober)
    assert prober.statuses[200] > 15 and prober.statuses[422] > 50, prober.statuses


def _probe(operation: Any, mode: GenerationMode, prober: Prober) -> None:
    count = 0

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def probe(case: Any) -> None:
        nonlocal count
        count += 1
        prober.send(case, count)

    with contextlib.suppress(Unsatisfiable):  # nothing can be broken where nothing is sent
        probe()
