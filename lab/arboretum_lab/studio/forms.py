"""What requests bring: one strict model a body; anything else is refused with its place."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

CardText = Annotated[str, Field(max_length=2)]
Cards = Annotated[list[CardText], Field(max_length=80)]
Seat = Annotated[int, Field(ge=0, le=3)]


class Form(BaseModel):
    """A body."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class DealForm(Form):
    """An exact deal: every card of the game once; with ``fill``, what is left open is shuffled."""

    hands: Annotated[list[Cards], Field(max_length=4)]
    deck: Cards
    discards: Annotated[list[Cards], Field(max_length=4)] | None = None
    fill: bool = False


class NewGameForm(Form):
    """A new game; only ``players`` and ``seats`` have to be named."""

    players: Annotated[int, Field(ge=2, le=4)]
    seats: Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=4)]
    names: Annotated[list[Annotated[str, Field(max_length=24)]], Field(max_length=4)] | None = None
    species: Annotated[str, Field(max_length=10)] | Annotated[int, Field(ge=2, le=10)] | None = None
    ranks: Annotated[int, Field(ge=3, le=8)] = 8
    hand_size: Annotated[int, Field(ge=1, le=7)] = 7
    starting_discards: bool = False
    cancel_eights: bool = True
    rights: Literal["highest", "all"] = "highest"
    seed: Annotated[int, Field(ge=0, lt=2**53)] | None = None
    deal: DealForm | None = None
    practice: bool = False


class SeatForm(Form):
    """A seat of the game as the page shows it."""

    state_id: int
    seat: Seat


class MoveForm(SeatForm):
    """A move: one action id, the two of a plant, or its notation."""

    action: int | None = None
    actions: Annotated[list[int], Field(min_length=1, max_length=2)] | None = None
    move: Annotated[str, Field(max_length=20)] | None = None


class NamedSeatForm(Form):
    """The seat that the screen is handed over to, or whose guest is invited again."""

    seat: Seat


class HintForm(Form):
    """A seat to move, and who is asked."""

    seat: Seat
    spec: Annotated[str, Field(max_length=200)] = ""


class JoinForm(Form):
    """An invitation."""

    token: Annotated[str, Field(min_length=1, max_length=200)]
