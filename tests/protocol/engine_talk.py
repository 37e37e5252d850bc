"""What tests ask the engine for apps, in one process."""

import io
import json
from collections.abc import Callable
from typing import Any

from arboretum_lab.engine.service import Service
from tests.protocol.test_view_json import VIEW

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
