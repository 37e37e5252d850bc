"""What can be asked of the engine, one class a type of request; and faults by kind."""

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from arboretum_agents.protocol.lines import one_line
from arboretum_env.errors import ArboretumError
from arboretum_env.option_faults import fault_place, fault_reason

FaultKind = Literal[
    "line", "request", "view", "game", "move", "agent", "cancelled", "busy", "internal"
]

MAX_ID_LENGTH: Final = 100
_MAX_NUMBER: Final = 2**53  # what every language can hold exactly
_MAX_SEED: Final = 2**63

RequestId = (
    Annotated[str, Field(max_length=MAX_ID_LENGTH)]
    | Annotated[int, Field(ge=-_MAX_NUMBER, le=_MAX_NUMBER)]
)
Seed = Annotated[int, Field(ge=0, lt=_MAX_SEED)]


class RequestError(ArboretumError):
    """A request that cannot be served; the client is told the kind and the message."""

    def __init__(self, kind: FaultKind, message: str) -> None:
        super().__init__(message)
        self.kind: FaultKind = kind


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    id: RequestId


class HelloRequest(_Strict):
    """Which version this is."""

    type: Literal["hello"]


class AgentsRequest(_Strict):
    """Which agents there are."""

    type: Literal["agents"]


class Budget(BaseModel):
    """What a move may cost, for agents that have such an option."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    seconds: Annotated[float, Field(gt=0, le=3600)] | None = None
    simulations: Annotated[int, Field(gt=0, le=10**9)] | None = None


class MoveRequest(_Strict):
    """What an agent would do with a view."""

    type: Literal["move"]
    view: dict[str, Any]
    agent: str | None = Field(None, max_length=1000)
    level: Annotated[int, Field(ge=1, le=100)] | None = None
    mode: Literal["sample", "greedy"] = "sample"
    seed: Seed = 0
    game: Annotated[int, Field(ge=0, lt=_MAX_SEED)] = 0
    budget: Budget = Budget()
    probabilities: bool = False
    explain: bool = False


class CancelRequest(_Strict):
    """No answer to an earlier request is wanted any more."""

    type: Literal["cancel"]
    target: RequestId


class NewGameRequest(_Strict):
    """A game that the engine referees."""

    type: Literal["new_game"]
    config: dict[str, Any]
    seed: Seed = 0
    number: Annotated[int, Field(ge=0, lt=_MAX_SEED)] = 0


class ViewRequest(_Strict):
    """What a seat of a refereed game sees."""

    type: Literal["view"]
    game: str
    seat: Annotated[int, Field(ge=0, le=3)]


class ApplyRequest(_Strict):
    """The next move of a refereed game."""

    type: Literal["apply"]
    game: str
    move: str


class RecordRequest(_Strict):
    """The record of a refereed game that is over."""

    type: Literal["record"]
    game: str


class EndGameRequest(_Strict):
    """A refereed game is not needed any more."""

    type: Literal["end_game"]
    game: str


Request = (
    HelloRequest
    | AgentsRequest
    | MoveRequest
    | CancelRequest
    | NewGameRequest
    | ViewRequest
    | ApplyRequest
    | RecordRequest
    | EndGameRequest
)

_ADAPTER: Final[TypeAdapter[Request]] = TypeAdapter(Annotated[Request, Field(discriminator="type")])


def read_request(message: dict[str, Any]) -> Request:
    """The request of a message.

    Raises:
        RequestError: of kind ``request``; the message says what was expected.
    """
    try:
        return _ADAPTER.validate_python(message)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        # The first step is the type, which the union was told apart by.
        steps = fault["loc"][1:]
        if steps[:1] in (("id",), ("target",)) and len(steps) > 1:  # it is neither of the two
            text = f"{steps[0]}: expected an integer, or a text of up to {MAX_ID_LENGTH} characters"
            raise RequestError("request", text) from None
        place = fault_place({**fault, "loc": steps})
        reason = fault_reason(fault) if place else _type_fault(message)
        raise RequestError("request", one_line(f"{place}: {reason}" if place else reason)) from None


def request_id(message: dict[str, Any]) -> str | int | None:
    """The id to answer with, whatever else is wrong with a message."""
    given = message.get("id")
    if isinstance(given, str) and len(given) <= MAX_ID_LENGTH:
        return given
    if type(given) is int and abs(given) <= _MAX_NUMBER:
        return given
    return None


def _type_fault(message: dict[str, Any]) -> str:
    known = "hello, agents, move, cancel, new_game, view, apply, record or end_game"
    return f"type {str(message.get('type'))[:40]!r}: expected {known}"
