"""Reads requests, answers each with one line, and never ends before its input does."""

import threading
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO, Final

from arboretum_agents.protocol.lines import (
    MAX_LINE_BYTES,
    LineError,
    dump_line,
    one_line,
    parse_line,
)
from arboretum_agents.registry import list_agents
from arboretum_lab.cli.agents import to_json
from arboretum_lab.engine.advisers import Advisers
from arboretum_lab.engine.jobs import Jobs
from arboretum_lab.engine.referee import Referee
from arboretum_lab.engine.requests import (
    AgentsRequest,
    ApplyRequest,
    CancelRequest,
    EndGameRequest,
    FaultKind,
    HelloRequest,
    MoveRequest,
    NewGameRequest,
    RecordRequest,
    Request,
    RequestError,
    ViewRequest,
    read_request,
    request_id,
)

PROTOCOL: Final = 1

Message = dict[str, Any]


class Service:
    """Serves one client.

    Args:
        source: where lines come from.
        sink: where answers go, one line each; nothing else is written there.
        threads: moves that are thought about at once.
    """

    def __init__(self, source: BinaryIO, sink: BinaryIO, threads: int) -> None:
        self._source, self._sink = source, sink
        self._writing = threading.Lock()
        self._broken: OSError | None = None
        self._jobs = Jobs(threads)
        self._advisers = Advisers()
        self._referee = Referee()

    def run(self) -> None:
        """Serves until the input ends and everything is answered.

        Raises:
            OSError: the client no longer reads.
        """
        while self._broken is None and (line := self._next_line()) is not None:
            if line.strip():
                self._take(line)
        self._jobs.wait()
        if self._broken is not None:
            raise self._broken

    def _next_line(self) -> bytes | None:
        """The next line, None at the end; one that is too long loses its rest."""
        line = self._source.readline(MAX_LINE_BYTES + 2)
        rest = line
        while len(rest) > MAX_LINE_BYTES and not rest.endswith(b"\n"):
            rest = self._source.readline(MAX_LINE_BYTES + 2)
        return line or None

    def _take(self, line: bytes) -> None:
        name = None
        try:
            message = parse_line(line)
            name = request_id(message)
            request = read_request(message)
            if isinstance(request, MoveRequest):
                self._jobs.add(request.id, lambda: self._guarded(request, self._move), self._say)
                return
        except LineError as error:
            self._say(_fault(name, "line", str(error)))
        except RequestError as error:
            self._say(_fault(name, error.kind, str(error)))
        else:
            self._say(self._guarded(request, self._at_once))

    def _guarded(self, request: Request, serve: Callable[[Any], Message]) -> bytes:
        """The answer to a request as a line, whatever happens."""
        try:
            # An agent may say what is no JSON: that is one of the faults below, too.
            return dump_line({"id": request.id, "type": request.type, **serve(request)})
        except RequestError as error:
            return _fault(request.id, error.kind, str(error))
        except Exception as error:  # noqa: BLE001 - a fault of an agent or ours must not end us
            traceback.print_exc()
            return _fault(request.id, "internal", f"{type(error).__name__}: {error}")

    def _at_once(self, request: Request) -> Message:
        """What takes no time to speak of, in the order in which it was asked."""
        match request:
            case HelloRequest():
                return {"protocol": PROTOCOL}
            case AgentsRequest():
                return {"agents": [to_json(entry) for entry in list_agents()]}
            case CancelRequest():
                return self._cancel(request)
            case NewGameRequest():
                return self._referee.new_game(request)
            case ViewRequest():
                return self._referee.view(request)
            case ApplyRequest():
                return self._referee.apply(request)
            case RecordRequest():
                return self._referee.record(request)
            case EndGameRequest():
                return self._referee.end_game(request)
            case MoveRequest():
                return self._move(request)

    def _move(self, request: MoveRequest) -> Message:
        advice = self._advisers.advise(request)
        return {
            "move": advice.move,
            "actions": list(advice.actions),
            "probabilities": advice.probabilities,
            "value": advice.value,
            "explanation": advice.explanation if request.explain else None,
        }

    def _cancel(self, request: CancelRequest) -> Message:
        cancelled = self._jobs.cancel(request.target)
        if cancelled:
            self._say(_fault(request.target, "cancelled", "cancelled by the client"))
        return {"target": request.target, "cancelled": cancelled}

    def _say(self, line: bytes) -> None:
        with self._writing:
            if self._broken is not None:
                return
            try:
                self._sink.write(line)
                self._sink.flush()
            except OSError as error:
                self._broken = error


def _fault(name: str | int | None, kind: FaultKind, message: str) -> bytes:
    return dump_line({"id": name, "error": {"kind": kind, "message": one_line(message)}})
