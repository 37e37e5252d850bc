"""A game under way: moves, taking back, hints, and waiting for what others do."""

import contextlib
from collections.abc import Iterator
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse

from arboretum_lab.studio.errors import RefusedError
from arboretum_lab.studio.forms import HintForm, MoveForm, SeatForm
from arboretum_lab.studio.game import StudioGame
from arboretum_lab.studio.payload import state_answer
from arboretum_lab.studio.studio import Game, Owner, Studio, TheStudio

_TOGETHER_SECONDS: Final = 0.15

router = APIRouter(prefix="/api/games/{game_id}", tags=["play"])


@router.post("/moves")
def move(game: Game, form: MoveForm, studio: TheStudio, owner: Owner) -> JSONResponse:
    """Plays one action, both of a plant, or a move in notation."""
    given = [form.action, form.actions, form.move]
    if sum(each is not None for each in given) != 1:
        raise RefusedError("invalid", "expected one of action, actions and move")
    with _change(game, form, studio, owner):
        if form.move is not None:
            game.play_text(form.seat, form.move)
        else:
            actions = form.actions if form.action is None else [form.action]
            assert actions is not None
            game.play(form.seat, actions)
        return state_answer(game, owner, form.seat)


@router.post("/undo")
def undo(game: Game, form: SeatForm, studio: TheStudio, owner: Owner) -> JSONResponse:
    """Takes the seat's last move back, with what agents did since."""
    with _change(game, form, studio, owner):
        game.take_back(form.seat)
        return state_answer(game, owner, form.seat)


@router.post("/retry")
def retry(game: Game, form: SeatForm, studio: TheStudio, owner: Owner) -> JSONResponse:
    """Lets an agent that failed, or thought too long, try again."""
    with _change(game, form, studio, owner):
        game.try_again()
        return state_answer(game, owner, form.seat)


@router.post("/hint")
def hint(game: Game, form: HintForm, studio: TheStudio, owner: Owner) -> dict[str, Any]:
    """What an agent would do in the place of a seat that is to move."""
    with game.lock:
        game.check_seat(owner, form.seat)
        view, state_id = game.view(form.seat), game.state_id
    hint = studio.hints.ask(view, form.spec)
    with game.lock:
        game.check_seat(owner, form.seat)  # the screen may have been handed over meanwhile
    return {"state_id": state_id, **hint}


@router.get("/events")
async def events(
    game: Game,
    studio: TheStudio,
    owner: Owner,
    after: Annotated[int, Query()],
    seat: Annotated[int | None, Query(ge=0, le=3)] = None,
) -> JSONResponse:
    """What the seat sees once it differs from ``after``, or as it is after some seconds."""
    shown = await run_in_threadpool(_seat, game, studio, owner, seat)

    def changed() -> bool:
        return game.state_id != after or game.stopped or not game.shows(owner, shown)

    def settled() -> bool:
        return game.stopped or not game.agent_is_due or not game.shows(owner, shown)

    with studio.waiting():
        await game.bell.wait(changed, studio.settings.limits.wait_seconds)
        # An agent's turn is five decisions, often within a moment: they are told together.
        await game.bell.wait(settled, _TOGETHER_SECONDS)
    return await run_in_threadpool(_look, game, owner, shown)


@contextlib.contextmanager
def _change(game: StudioGame, form: SeatForm, studio: Studio, owner: str) -> Iterator[None]:
    """Has a person change the game as their page shows it; agents go on from there."""
    with game.lock:
        game.check_seat(owner, form.seat)
        game.check_current(form.state_id)
        yield
        studio.bots.wake(game)


def _seat(game: StudioGame, studio: Studio, owner: str, seat: int | None) -> int:
    with game.lock:
        shown = game.seat_shown(owner) if seat is None else seat
        game.check_seat(owner, shown)
    studio.bots.wake(game)
    return shown


def _look(game: StudioGame, owner: str, seat: int) -> JSONResponse:
    with game.lock:
        if game.deleted:
            raise RefusedError("not_found", "the game has been deleted")
        game.check_seat(owner, seat)
        return state_answer(game, owner, seat)
