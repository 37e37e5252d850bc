"""What a seat is told, made from its ``PlayerView`` alone, in which no hidden card is."""

from typing import Any, Final

from fastapi.responses import JSONResponse

from arboretum_env.drawing.board import board_svg
from arboretum_env.drawing.scene import Scene, scene_of_view
from arboretum_env.drawing.text import scene_text
from arboretum_env.history import HIDDEN_DRAW
from arboretum_env.phase import DECISIONS_PER_TURN, Phase
from arboretum_env.view import PlayerView
from arboretum_env.view_json import view_to_json
from arboretum_lab.studio.game import StudioGame
from arboretum_lab.studio.moves import cells_now, cells_to_come, choices
from arboretum_lab.studio.sheet import sheet_json

EVENTS_PER_TURN: Final = DECISIONS_PER_TURN - 1  # card and cell are one event


def state_answer(game: StudioGame, owner: str, seat: int, **more: Any) -> JSONResponse:
    """STATE as an answer; FastAPI need not look through it for what is no JSON."""
    return JSONResponse(state_json(game, owner, seat) | more)


def state_json(game: StudioGame, owner: str, seat: int) -> dict[str, Any]:
    """STATE: everything that the page shows of a game to the person in a seat."""
    session = game.session
    view = session.view(seat)
    scene = scene_of_view(view, session.names)
    data = view_to_json(view)
    log = events(view)
    return {
        "id": game.id,
        "state_id": game.state_id,
        "players": view.config.num_players,
        "config": data["config"],
        "seat": seat,
        "your_seats": list(game.seats_of(owner)),
        "mover": view.mover,
        "phase": data["phase"],
        "turn": view.turn,
        "deck": view.deck_size,
        "over": session.done,
        "practice": game.practice,
        "undo": undo_json(game, seat),
        "takebacks": session.takebacks,
        "names": list(session.names),
        "kinds": game.kinds(),
        "awaited": game.awaited(),
        "host": owner == game.creator,
        "thinking": game.agent_is_due,
        "fault": None
        if game.fault is None
        else {"seat": game.fault.seat, "message": game.fault.message},
        "termination": "" if session.forfeit is None else session.forfeit.termination,
        "hand": data["hand"],
        "known": {str(k): cards for k, cards in enumerate(data["known_hands"])},
        "hand_sizes": [len(part.hand) + part.hidden_cards for part in scene.seats],
        "hands": [[view.config.card_text(card) for card in part.hand] for part in scene.seats]
        if view.phase is Phase.GAME_OVER
        else None,
        "piles": data["discard_piles"],
        "arboreta": data["arboreta"],
        "chosen": data["chosen_card"],
        "legal": [] if session.done else choices(view),
        "cells": [] if session.done else cells_to_come(view),
        "last": since_own_move(log, seat),
        "log": log,
        "boards": boards(view, scene),
        "text": scene_text(scene),
        "sheet": None if scene.sheet is None else sheet_json(scene.sheet, view.config),
    }


def undo_json(game: StudioGame, seat: int) -> dict[str, Any]:
    """Whether the seat's last move can be taken back, and if not, why."""
    reason = game.why_no_take_back(seat)
    return {"possible": not reason, "reason": reason}


def boards(view: PlayerView, scene: Scene) -> list[str]:
    """A picture of every arboretum, with the cells where the view's seat may plant."""
    cells = cells_now(view) or None
    return [
        board_svg(scene, seat, cells=cells if seat == view.seat else None)
        for seat in range(view.config.num_players)
    ]


def events(view: PlayerView) -> list[dict[str, Any]]:
    """The past as the seat saw it: ``{"turn", "seat", "event", "text"}``, oldest first."""
    players = view.config.num_players
    return [
        {
            "turn": number // EVENTS_PER_TURN,
            "seat": number // EVENTS_PER_TURN % players,
            "event": "d" if event == HIDDEN_DRAW else event,
            "text": event_text(event),
        }
        for number, event in enumerate(view.history or ())
    ]


def since_own_move(log: list[dict[str, Any]], seat: int) -> list[dict[str, Any]]:
    """The events after the seat's own last one."""
    own = [number for number, event in enumerate(log) if event["seat"] == seat]
    return log[own[-1] + 1 :] if own else log


def event_text(event: str) -> str:
    """An event in words.

    >>> [event_text(event) for event in ("?", "d(M7)", "p1(O3)", "M7@0,-1", "xG2")]
    ['drew from the deck', 'drew M7 from the deck', "took O3 from seat 1's pile", \
'planted M7 at 0,-1', 'discarded G2']
    """
    if event == HIDDEN_DRAW:
        return "drew from the deck"
    if event.startswith("d("):
        return f"drew {event[2:4]} from the deck"
    if event.startswith("p"):
        return f"took {event[3:5]} from seat {event[1]}'s pile"
    if event.startswith("x"):
        return f"discarded {event[1:]}"
    card, _, cell = event.partition("@")
    return f"planted {card} at {cell}"
