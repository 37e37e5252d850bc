"""Recorded games: read one, look at its positions, save them, and play on from any of them."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import Field

from arboretum_env.drawing.replay_page import replay_page
from arboretum_env.drawing.svg import scene_svg
from arboretum_lab.studio.downloads import record_file
from arboretum_lab.studio.forms import Form, Seat
from arboretum_lab.studio.new_game import begin_from_record
from arboretum_lab.studio.payload import state_json
from arboretum_lab.studio.records import (
    MOST_CHARACTERS,
    open_record,
    position_json,
    scene_at,
    summary_json,
)
from arboretum_lab.studio.studio import Owner, TheStudio

router = APIRouter(prefix="/api/records", tags=["records"])

_MOST_DECISIONS = 500
RecordText = Annotated[str, Field(max_length=MOST_CHARACTERS)]
Decision = Annotated[int, Field(ge=0, le=_MOST_DECISIONS)]


class ReadForm(Form):
    """A record, as ``.arb`` text or its JSON form."""

    text: RecordText


class PositionForm(Form):
    """A position of a record: after so many decisions, as a seat knew it or open."""

    arb: RecordText
    at: Decision
    seat: Seat | None = None
    paths: bool = False


class ContinueForm(Form):
    """Who plays on from a position."""

    arb: RecordText
    at: Decision
    seats: Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=4)]
    names: Annotated[list[Annotated[str, Field(max_length=24)]], Field(max_length=4)] | None = None


class ExportForm(Form):
    """A file of a record: the whole game, or the picture of one position."""

    arb: RecordText
    format: Literal["arb", "json", "html", "svg"]
    at: Decision = 0
    seat: Seat | None = None
    theme: Literal["light", "dark"] = "light"


@router.post("/read")
def read(form: ReadForm, owner: Owner) -> dict[str, Any]:
    """Checks a record move by move; its players, result and moves."""
    return summary_json(open_record(form.text))


@router.post("/position")
def position(form: PositionForm, owner: Owner) -> dict[str, Any]:
    """One position."""
    return position_json(open_record(form.arb), form.at, form.seat, paths=form.paths)


@router.post("/continue")
def play_on(form: ContinueForm, studio: TheStudio, owner: Owner) -> dict[str, Any]:
    """Begins a practice game from a position; its deal is known, so it counts nowhere."""
    opened = open_record(form.arb)
    names = form.names or [""] * len(form.seats)
    start = opened.at(0)
    game = begin_from_record(studio, owner, start, opened.at(form.at), form.seats, names)
    studio.bots.wake(game)
    with game.lock:
        seats = game.seats_of(owner)
        answer = {"id": game.id, "state_id": game.state_id, "your_seats": list(seats)}
        return answer | (state_json(game, owner, seats[0]) if len(seats) == 1 else {})


@router.post("/export")
def export(form: ExportForm, owner: Owner) -> Response:
    """A file to keep."""
    opened = open_record(form.arb)
    if form.format in ("arb", "json"):
        return record_file(opened.record, "game", form.format)
    if form.format == "html":
        return _file(replay_page(opened.record, form.seat), "text/html", "arboretum-game.html")
    picture = scene_svg(scene_at(opened, form.at, form.seat), theme=form.theme)
    return _file(picture, "image/svg+xml", f"arboretum-game-{form.at}.svg")


def _file(text: str, media_type: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text.encode(), media_type=f"{media_type}; charset=utf-8", headers=headers)
