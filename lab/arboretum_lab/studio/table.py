"""A position as one seat knows it, for pages that show one without a game on the server."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from arboretum_env.drawing.board import board_svg
from arboretum_env.drawing.scene import Scene, scene_of_view
from arboretum_env.drawing.text import scene_text
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView
from arboretum_env.view_json import view_to_json


def table_json(
    view: PlayerView,
    names: Sequence[str] = (),
    *,
    cells: Mapping[tuple[int, int], int] | None = None,
    unknown: Collection[int] = frozenset(),
) -> dict[str, Any]:
    """Everything that lies on the table, from the seat's view alone.

    Args:
        view: what the seat knows.
        names: who plays, per seat.
        cells: cell -> action id of the cells of the mover's arboretum to be lit.
        unknown: cards that a record with unknown cards does not place: never shown in a hand.

    Returns:
        ``players``, ``species``, ``seat``, ``names``, ``mover``, ``phase``, ``turn``, ``deck``,
        ``over``, ``hand``, ``known`` and ``hidden`` (per seat, hand cards shown and how many are
        not), ``piles`` (bottom to top), ``arboreta``, ``log``, ``boards`` (SVG) and ``text``.
    """
    data = view_to_json(view)
    scene = scene_of_view(view, names, unknown)
    text = view.config.card_text
    return {
        "players": view.config.num_players,
        "species": view.config.species,
        "seat": view.seat,
        "names": list(names),
        "mover": view.mover,
        "phase": data["phase"],
        "turn": view.turn,
        "deck": view.deck_size,
        "over": view.phase is Phase.GAME_OVER,
        "hand": data["hand"],
        "known": [[text(card) for card in part.hand] for part in scene.seats],
        "hidden": [part.hidden_cards for part in scene.seats],
        "piles": data["discard_piles"],
        "arboreta": data["arboreta"],
        "log": data["history"],
        "boards": boards(scene, cells),
        "text": scene_text(scene),
    }


def boards(scene: Scene, cells: Mapping[tuple[int, int], int] | None = None) -> list[str]:
    """SVG of every arboretum; ``cells`` are lit in the mover's."""
    return [
        board_svg(scene, seat, cells=cells if seat == scene.mover else None)
        for seat in range(len(scene.seats))
    ]
