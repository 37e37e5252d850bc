"""The score sheet of one seat in an SVG picture: a row per species."""

from typing import Final
from xml.etree import ElementTree as ET

from arboretum_env.cards import SPECIES_NAMES
from arboretum_env.drawing import theme
from arboretum_env.drawing.geometry import SHEET_LINE
from arboretum_env.drawing.scene import Scene
from arboretum_env.drawing.svg_parts import add_rect, add_text
from arboretum_env.records.scoresheet import SpeciesRow

_NAME: Final = 22
_SUM: Final = 158
_RIGHT: Final = 312
_PATH: Final = 354
_SIZE: Final = 13.5


def add_sheet(parent: ET.Element, scene: Scene, seat: int, x: int, y: int, width: int) -> None:
    """Draw a seat's sheet with its top left corner at ``x``, ``y``."""
    assert scene.sheet is not None
    sheet = scene.sheet.players[seat]
    group = ET.SubElement(parent, "g", {"class": "score-sheet"})
    baseline = y + 16
    for at, text in ((_NAME, "species"), (_SUM, "in hand"), (_RIGHT, "right"), (_PATH, "path")):
        add_text(group, x + at, baseline, text, size=12, fill=theme.FAINT_INK)
    add_text(group, x + width, baseline, "points", size=12, fill=theme.FAINT_INK, anchor="end")
    for number, row in enumerate(sheet.rows, start=1):
        _add_row(group, row, x, y + number * SHEET_LINE, width)
    foot = y + (len(sheet.rows) + 1) * SHEET_LINE
    line = add_rect(group, x, foot, width, 1, theme.PANEL_EDGE)
    line.set("class", "rule")
    notes = [f"{sheet.distinct_species} species planted (breaks ties)"]
    if any(row.cancelled or _is_denied(row) for row in sheet.rows):
        notes.append("in brackets: counts nothing")
    add_text(group, x + _NAME, foot + 17, "; ".join(notes), size=12, fill=theme.FAINT_INK)
    add_text(group, x + width, foot + 18, str(sheet.score), size=16, weight="bold", anchor="end")


def _add_row(group: ET.Element, row: SpeciesRow, x: int, y: int, width: int) -> None:
    element = ET.SubElement(group, "g", {"data-species": row.species})
    swatch = add_rect(element, x, y + 4, 14, 14, theme.SPECIES_COLOURS[row.species], radius=3)
    swatch.set("stroke", theme.INK)
    swatch.set("stroke-width", "1")
    ink = theme.INK if row.right else theme.FAINT_INK
    baseline = y + 16
    name = f"{row.species} {SPECIES_NAMES[row.species]}"
    add_text(element, x + _NAME, baseline, name, size=_SIZE, fill=ink)
    add_text(element, x + _SUM, baseline, row.sum_text, size=_SIZE, fill=ink)
    add_text(element, x + _RIGHT, baseline, "yes" if row.right else "no", size=_SIZE, fill=ink)
    path = " ".join(row.best_path) or "–"
    add_text(element, x + _PATH, baseline, path, size=_SIZE, fill=ink)
    points = add_text(
        element, x + width, baseline, str(row.points), size=_SIZE, weight="bold", anchor="end"
    )
    if _is_denied(row):
        points.text = f"({row.path_points}) 0"
        points.set("fill", theme.FAINT_INK)


def _is_denied(row: SpeciesRow) -> bool:
    return row.path_points > 0 and not row.right
