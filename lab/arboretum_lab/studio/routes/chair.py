"""A game noted from one chair: stateless, the page keeps the record's text."""

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field

from arboretum_env.config import GameConfig
from arboretum_env.errors import RecordError
from arboretum_env.phase import Phase
from arboretum_env.records.arb_reader import read_arb
from arboretum_env.records.record import GameRecord
from arboretum_lab.studio.chair import begin, chairs, moment, note, take_back
from arboretum_lab.studio.chair_payload import moment_json
from arboretum_lab.studio.errors import RefusedError
from arboretum_lab.studio.forms import Cards, Form, Seat
from arboretum_lab.studio.studio import TheStudio
from arboretum_training.analysis.rights_table import rights_table

router = APIRouter(prefix="/api/chair", tags=["chair"])

Text = Annotated[str, Field(max_length=100_000)]
Name = Annotated[str, Field(max_length=24)]


class NewForm(Form):
    """The table, and the hand that was dealt to the chair."""

    players: Annotated[int, Field(ge=2, le=4)]
    seat: Seat
    species: Annotated[str, Field(max_length=10)]
    hand: Cards
    starting_discards: bool = False
    discards: Annotated[list[Cards], Field(max_length=4)] = Field(default_factory=list)
    names: Annotated[list[Name], Field(max_length=4)] = Field(default_factory=list)


class RecordForm(Form):
    """A record, and the chair; without one, the only seat whose dealt hand it knows."""

    arb: Text
    seat: Seat | None = None


class NoteForm(RecordForm):
    """One more event."""

    event: Annotated[str, Field(max_length=20)]


class AskForm(RecordForm):
    """Whom to ask; the default is the studio's."""

    spec: Annotated[str, Field(max_length=200)] = ""


@router.post("/new")
def new(form: NewForm) -> dict[str, Any]:
    """Begins a record."""
    config = GameConfig(
        num_players=form.players, species=form.species, starting_discards=form.starting_discards
    )
    hand = [config.parse_card(card) for card in form.hand]
    piles = [[config.parse_card(card) for card in pile] for pile in form.discards]
    record = begin(config, form.seat, hand, piles, form.names)
    return moment_json(moment(record, form.seat))


@router.post("/read")
def read(form: RecordForm) -> dict[str, Any]:
    """Where a record stands."""
    record, seat = _opened(form)
    return moment_json(moment(record, seat))


@router.post("/note")
def add(form: NoteForm) -> dict[str, Any]:
    """Notes one event, or says why it cannot have happened."""
    record, seat = _opened(form)
    return moment_json(moment(note(record, seat, form.event), seat))


@router.post("/undo")
def undo(form: RecordForm) -> dict[str, Any]:
    """Strikes the last event out."""
    record, seat = _opened(form)
    return moment_json(moment(take_back(record), seat))


@router.post("/advice")
def advice(form: AskForm, studio: TheStudio) -> dict[str, Any]:
    """What an agent would do in the chair, from what the chair knows."""
    record, seat = _opened(form)
    view = moment(record, seat).view
    if view.phase is Phase.GAME_OVER:
        raise RefusedError("not_now", "the game is over")
    return studio.hints.ask(view, form.spec)


@router.post("/rights")
def rights(form: RecordForm) -> dict[str, Any]:
    """By species letter, every seat's sum and chance of the right to score, as the chair knows."""
    record, seat = _opened(form)
    view = moment(record, seat).view
    if view.phase is Phase.GAME_OVER:
        raise RefusedError("not_now", "the game is over: the score sheet has the rights")
    table = rights_table(view)
    return {letter: [row.to_json() for row in rows] for letter, rows in table.items()}


def _opened(form: RecordForm) -> tuple[GameRecord, int]:
    record = read_arb(form.arb)
    if form.seat is not None:
        return record, form.seat
    known = chairs(record)
    if len(known) != 1:
        if not known:
            raise RecordError("in no seat are all own cards noted: no chair to look from")
        raise RecordError(f"all cards are noted of {len(known)} seats: name the seat to look from")
    return record, known[0]
