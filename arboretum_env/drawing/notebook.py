"""What notebooks show of views, positions, records and score sheets."""

from functools import singledispatch

from arboretum_env.drawing.html import element, to_text
from arboretum_env.drawing.html_sheet import player_table
from arboretum_env.drawing.scene import scene_of_position, scene_of_state, scene_of_view
from arboretum_env.drawing.svg import scene_svg
from arboretum_env.engine.state import GameState
from arboretum_env.errors import RecordError
from arboretum_env.records.record import GameRecord
from arboretum_env.records.replay import Position, Replay, positions
from arboretum_env.records.scoresheet import ScoreSheet
from arboretum_env.view import PlayerView


@singledispatch
def svg_of(thing: object) -> str | None:
    """The SVG document of a thing, None where it has no picture."""
    return None


@svg_of.register
def _view(thing: PlayerView) -> str:
    """What the seat knows."""
    return scene_svg(scene_of_view(thing))


@svg_of.register
def _state(thing: GameState) -> str | None:
    """The whole truth of a single game; a batch of several has no picture."""
    return scene_svg(scene_of_state(thing)) if len(thing) == 1 else None


@svg_of.register
def _position(thing: Position) -> str:
    return scene_svg(scene_of_position(thing))


@svg_of.register
def _replay(thing: Replay) -> str:
    """Where the record stops."""
    return scene_svg(scene_of_position(thing.position))


@svg_of.register
def _record(thing: GameRecord) -> str | None:
    """The last position; None when a move is illegal, which ``replay`` explains."""
    try:
        *_, last = positions(thing)
    except RecordError:
        return None
    return scene_svg(scene_of_position(last))


@singledispatch
def html_of(thing: object) -> str | None:
    """A thing as a piece of HTML, None where a picture or its text has to do."""
    return None


@html_of.register
def _sheet(thing: ScoreSheet) -> str:
    """A table a player."""
    parts = []
    for seat, player in enumerate(thing.players):
        won = ", wins" if len(thing.winners) == 1 else ", shares the win"
        title = f"Seat {seat}: {player.score} points{won if seat in thing.winners else ''}"
        parts += [element("h4", title), player_table(thing, seat)]
    return to_text(element("div", *parts))
