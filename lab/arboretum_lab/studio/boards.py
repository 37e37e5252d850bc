"""A picture of every arboretum as a seat sees it, with the cells where it may plant."""

from collections.abc import Sequence
from html import escape
from typing import Final

from arboretum_env.drawing.theme import SPECIES_COLOURS, ink_on
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView
from arboretum_lab.studio.moves import cells_to_come, choices

_PITCH: Final = 60
_TILE: Final = 52


def board_pictures(view: PlayerView, names: Sequence[str] = ()) -> list[str]:
    """SVG text per seat."""
    return [_board(view, seat) for seat in range(view.config.num_players)]


def _board(view: PlayerView, seat: int) -> str:
    planted = view.arboreta[seat]
    cells = []
    if seat == view.seat and view.phase in (Phase.PLAY, Phase.PLACE):
        cells = [c for c in choices(view) if c["kind"] == "place"] or cells_to_come(view)
    spots = [(x, y) for x, y, _ in planted] + [tuple(c["cell"]) for c in cells] or [(0, 0)]
    left, right = min(x for x, _ in spots), max(x for x, _ in spots)
    low, high = min(y for _, y in spots), max(y for _, y in spots)
    width, height = (right - left + 1) * _PITCH, (high - low + 1) * _PITCH
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">']
    for cell in cells:
        x, y = cell["cell"]
        parts.append(
            f'<g class="cell" data-cell="{x},{y}" data-action="{cell["action"]}">'
            f'<rect x="{(x - left) * _PITCH}" y="{(high - y) * _PITCH}" width="{_TILE}" '
            f'height="{_TILE}" fill="none" stroke="#888"/></g>'
        )
    for x, y, card in planted:
        text = view.config.card_text(card)
        fill = SPECIES_COLOURS[text[0]]
        cx, cy = (x - left) * _PITCH, (high - y) * _PITCH
        parts.append(
            f'<g class="card" data-card="{text}" data-x="{x}" data-y="{y}">'
            f'<rect x="{cx}" y="{cy}" width="{_TILE}" height="{_TILE}" fill="{fill}"/>'
            f'<text x="{cx + 10}" y="{cy + 32}" fill="{ink_on(fill)}">{escape(text)}</text></g>'
        )
    return "".join([*parts, "</svg>"])
