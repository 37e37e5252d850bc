"""The score sheet of one seat in an SVG picture: a row per species."""

from typing import Final
from xml.etree import ElementTree as ET

from arboretum_env.cards import SPECIES_NAMES
from arboretum_env.drawing.cards import add_swatch
from arboretum_env.drawing.geometry import SHEET_LINE
from arboretum_env.drawing.scene import Scene
from arboretum_env.drawing.svg_parts import add_rect, add_text, mark_class, paint
from arboretum_env.drawing.theme import Palette
from arboretum_env.records.scoresheet import SpeciesRow

_NAME: Final = 27
_SUM: Final = 166
_RIGHT: Final = 316
_PATH: Final = 358
_SIZE: Final = 13.5
_HEAD: Final = 12


def add_sheet(
    parent: ET.Element, scene: Scene, seat: int, place: tuple[int, int, int], palette: Palette
) -> None:
    """Draw a seat's sheet; ``place`` is the x and y of its top left corner and its width."""
    assert scene.sheet is not None
    x, y, width = place
    sheet = scene.sheet.players[seat]
    group = ET.SubElement(parent, "g", {"class": "score-sheet"})
    for at, text in ((_NAME, "species"), (_SUM, "in hand"), (_RIGHT, "right"), (_PATH, "path")):
        paint(add_text(group, x + at, y + 16, text, size=_HEAD), "faint", palette)
    points = add_text(group, x + width, y + 16, "points", size=_HEAD, anchor="end")
    paint(points, "faint", palette)
    for number, row in enumerate(sheet.rows, start=1):
        _add_row(group, row, (x, y + number * SHEET_LINE, width), palette)
    foot = y + (len(sheet.rows) + 1) * SHEET_LINE
    line = add_rect(group, x, foot, width, 1, "")
    mark_class(line, "rule")
    paint(line, "edge", palette)
    notes = [f"{sheet.distinct_species} species planted (breaks ties)"]
    if any(row.cancelled or _is_denied(row) for row in sheet.rows):
        notes.append("in brackets: counts nothing")
    note = add_text(group, x + _NAME, foot + 19, "; ".join(notes), size=_HEAD)
    paint(note, "faint", palette)
    total = add_text(
        group, x + width, foot + 20, str(sheet.score), size=17, weight="bold", anchor="end"
    )
    paint(total, "ink", palette)


def _add_row(
    parent: ET.Element, row: SpeciesRow, place: tuple[int, int, int], palette: Palette
) -> None:
    x, y, width = place
    element = ET.SubElement(parent, "g", {"data-species": row.species})
    add_swatch(element, x, y + 2, 18, row.species, palette)
    ink = "ink" if row.right else "faint"
    name = f"{row.species} {SPECIES_NAMES[row.species]}"
    path = " ".join(row.best_path) or "–"
    texts = (
        (_NAME, name),
        (_SUM, row.sum_text),
        (_RIGHT, "yes" if row.right else "no"),
        (_PATH, path),
    )
    for at, text in texts:
        paint(add_text(element, x + at, y + 16, text, size=_SIZE), ink, palette)
    denied = _is_denied(row)
    text = f"({row.path_points}) 0" if denied else str(row.points)
    points = add_text(element, x + width, y + 16, text, size=_SIZE, weight="bold", anchor="end")
    paint(points, "faint" if denied else "ink", palette)


def _is_denied(row: SpeciesRow) -> bool:
    return row.path_points > 0 and not row.right
