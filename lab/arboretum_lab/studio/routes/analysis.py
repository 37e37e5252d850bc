"""Analyses: begun, looked at, stopped; and mistakes tried again."""

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field

from arboretum_lab.studio.analysis.jobs import Job
from arboretum_lab.studio.analysis.subject import Subject, subject_of_game, subject_of_record
from arboretum_lab.studio.analysis.work import Exercises, Kind, Method, work_on
from arboretum_lab.studio.errors import RefusedError
from arboretum_lab.studio.forms import Form, Seat
from arboretum_lab.studio.opponents import check_spec
from arboretum_lab.studio.records import MOST_CHARACTERS
from arboretum_lab.studio.settings import DEFAULT_AGENT
from arboretum_lab.studio.studio import Owner, Studio, TheStudio
from arboretum_training.research.playouts import MAX_WORLDS, MIN_WORLDS

router = APIRouter(prefix="/api/analysis", tags=["analysis"])

Spec = Annotated[str, Field(min_length=1, max_length=200)]


class AnalysisForm(Form):
    """What to analyse: a game of the studio or a record, from whose standpoint, and how.

    ``position`` looks at one position, by default the last one; ``game`` at a seat's whole game;
    ``open`` at the game with open cards; ``mistakes`` finds what a seat may try again.
    """

    kind: Kind
    game: Annotated[str, Field(max_length=64)] | None = None
    arb: Annotated[str, Field(max_length=MOST_CHARACTERS)] | None = None
    seat: Seat | None = None
    at: Annotated[int, Field(ge=0, le=2_000)] | None = None
    agent: Spec = DEFAULT_AGENT
    reference: Spec = DEFAULT_AGENT
    worlds: Annotated[int, Field(ge=MIN_WORLDS, le=MAX_WORLDS)] = 64


class TryForm(Form):
    """An answer to a mistake: which one, and the move in notation."""

    index: Annotated[int, Field(ge=0, le=1_000)]
    move: Annotated[str, Field(max_length=20)]


@router.post("")
def begin(form: AnalysisForm, studio: TheStudio, owner: Owner) -> dict[str, Any]:
    """Begins an analysis; ``GET`` of its id says how far it is."""
    for spec in (form.agent, form.reference):
        check_spec(spec, studio.settings)
    subject = _subject(form, studio, owner)
    method = Method(form.agent, form.reference, form.worlds)
    work = work_on(form.kind, subject, method, form.seat, form.at)
    curtain = None
    if form.game is not None and form.seat is not None and not subject.open:
        curtain = form.game, form.seat
    return studio.analyses.begin(owner, work, curtain).to_json()


@router.get("/{job_id}")
def look(job_id: str, studio: TheStudio, owner: Owner) -> dict[str, Any]:
    """How far an analysis is, and what it found."""
    return _find(job_id, studio, owner).to_json()


@router.delete("/{job_id}")
def cancel(job_id: str, studio: TheStudio, owner: Owner) -> dict[str, Any]:
    """Stops an analysis and forgets it."""
    job = studio.analyses.find(job_id, owner)
    studio.analyses.cancel(job)
    return {"id": job.id, "cancelled": True}


@router.post("/{job_id}/try")
def try_again(job_id: str, form: TryForm, studio: TheStudio, owner: Owner) -> dict[str, Any]:
    """Tries a mistake again: what the answer is worth, and only now what was played."""
    exercises = _exercises(_find(job_id, studio, owner))
    told = studio.analyses.ask(lambda pulse: exercises.answer(form.index, form.move, pulse))
    _find(job_id, studio, owner)  # the screen may have been handed over meanwhile
    return told


def _find(job_id: str, studio: Studio, owner: str) -> Job:
    """A browser's own job, unless it tells of a seat that the screen was handed over from."""
    job = studio.analyses.find(job_id, owner)
    if job.curtain is not None:
        name, seat = job.curtain
        game = studio.store.find(name, owner)
        with game.lock:
            if not game.session.done:
                game.check_seat(owner, seat)
    return job


def _subject(form: AnalysisForm, studio: Studio, owner: str) -> Subject:
    if (form.game is None) == (form.arb is None):
        raise RefusedError("invalid", "expected one of game and arb")
    if form.game is not None:
        seat = None if form.kind == "open" else form.seat
        return subject_of_game(studio, owner, form.game, seat)
    assert form.arb is not None
    return subject_of_record(form.arb)


def _exercises(job: Job) -> Exercises:
    if job.answer is None or not isinstance(job.answer.kept, Exercises):
        raise RefusedError("not_now", "this analysis has no mistakes to try again")
    return job.answer.kept
