"""Games: new ones, the list, one of them, its record; who sits where."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse, Response

from arboretum_lab.studio.downloads import record_file
from arboretum_lab.studio.errors import RefusedError, log
from arboretum_lab.studio.forms import JoinForm, NamedSeatForm, NewGameForm
from arboretum_lab.studio.new_game import (
    begin,
    invitation_hash,
    invitation_json,
    new_invitation,
)
from arboretum_lab.studio.payload import state_answer
from arboretum_lab.studio.studio import Game, Owner, TheStudio

router = APIRouter(prefix="/api/games", tags=["games"])

SeatQuery = Annotated[int | None, Query(ge=0, le=3)]


@router.post("")
def new_game(form: NewGameForm, studio: TheStudio, owner: Owner) -> JSONResponse:
    """Deals a game; what the first person sees, or that the screen is to be handed over."""
    new = begin(studio, owner, form)
    game = new.game
    studio.bots.wake(game)
    invitations = new.invitations_json(studio.settings.network)
    for invitation in invitations:
        log.info("seat %d joins at %s", invitation["seat"], invitation["link"])
    with game.lock:
        seats = game.seats_of(owner)
        if len(seats) == 1:
            return state_answer(game, owner, seats[0], invitations=invitations)
        about = {"id": game.id, "state_id": game.state_id, "your_seats": list(seats)}
    return JSONResponse({**about, "invitations": invitations})


@router.get("")
def my_games(studio: TheStudio, owner: Owner) -> dict[str, Any]:
    """The games of this browser, newest first."""
    return {"games": studio.store.games_of(owner)}


@router.get("/{game_id}")
def one_game(game: Game, studio: TheStudio, owner: Owner, seat: SeatQuery = None) -> JSONResponse:
    """What a seat sees now; without one, the seat that the screen was handed over to."""
    studio.bots.wake(game)  # after a restart nobody has
    with game.lock:
        shown = game.seat_shown(owner) if seat is None else seat
        game.check_seat(owner, shown)
        return state_answer(game, owner, shown)


@router.delete("/{game_id}")
def delete_game(game: Game, studio: TheStudio, owner: Owner) -> dict[str, Any]:
    """Forgets a game for good; only who made it may."""
    if owner != game.creator:
        raise RefusedError("forbidden", "only who made the game may delete it")
    studio.store.delete(game)
    return {"id": game.id, "deleted": True}


@router.post("/{game_id}/handover")
def hand_over(game: Game, form: NamedSeatForm, owner: Owner) -> JSONResponse:
    """Lifts the curtain for one seat, and lets it down for the others at this screen."""
    with game.lock:
        if form.seat not in game.seats_of(owner):
            raise RefusedError("forbidden", f"seat {form.seat} is not yours to see")
        game.at_screen[owner] = form.seat
        game.bell.ring()
        return state_answer(game, owner, form.seat)


@router.post("/{game_id}/join")
def join(game_id: str, form: JoinForm, studio: TheStudio, owner: Owner) -> JSONResponse:
    """Takes the seat of an invitation; from then on it is this device's alone."""
    game = studio.store.find_to_join(game_id)
    with game.lock:
        seat = game.sit_down(owner, invitation_hash(form.token))
        return state_answer(game, owner, seat)


@router.post("/{game_id}/invite")
def invite(game: Game, form: NamedSeatForm, studio: TheStudio, owner: Owner) -> dict[str, Any]:
    """Gives a guest's seat again, with a new invitation; the old one and its device have none."""
    if owner != game.creator:
        raise RefusedError("forbidden", "only who made the game may invite")
    token = new_invitation()
    with game.lock:
        game.invite_again(form.seat, invitation_hash(token))
    invitation = invitation_json(game, form.seat, token, studio.settings.network)
    log.info("seat %d joins at %s", form.seat, invitation["link"])
    return invitation


@router.get("/{game_id}/record")
def record(
    game: Game,
    owner: Owner,
    format: Annotated[Literal["arb", "json"], Query()] = "arb",  # noqa: A002 - a word of the address
    whole_deal: Annotated[bool, Query()] = False,
) -> Response:
    """The game as a file. Before the end it tells the whole deal: that makes it a practice game."""
    with game.lock:
        if not game.session.done:
            game.look_at_the_deal(owner, agreed=whole_deal)
        return record_file(game.session.record(), game.id, format)
