"""The best paths of an arboretum as lines behind its cards, side by side like metro lines."""

from collections.abc import Sequence
from typing import Final
from xml.etree import ElementTree as ET

from arboretum_env.drawing.scene import Scene, SpeciesPath
from arboretum_env.drawing.svg_parts import mark_class, stroke
from arboretum_env.drawing.theme import SPECIES_COLOURS, Palette

_WIDTH: Final = 6.0
_LANE: Final = 10.0
_REACH: Final = 44.0
"""All lanes of an edge stay behind the cards' straight sides."""


def add_paths(
    parent: ET.Element,
    scene: Scene,
    paths: Sequence[SpeciesPath],
    pitch: tuple[int, int],
    palette: Palette,
) -> None:
    """Adds a group a path, where the cell (x, y) stands at (x, -y) times the pitch."""
    step = min(_LANE, _REACH / max(len(paths) - 1, 1))
    for lane, path in enumerate(paths):
        # The same shift to the right and down keeps two lines apart on straights and in turns.
        shift = (lane - (len(paths) - 1) / 2) * step
        points = " ".join(
            f"{x * pitch[0] + shift:g},{-y * pitch[1] + shift:g}" for x, y in path.cells
        )
        _add_path(parent, scene, path, points, palette)


def _add_path(
    parent: ET.Element, scene: Scene, path: SpeciesPath, points: str, palette: Palette
) -> None:
    letter = scene.config.species[path.species]
    group = ET.SubElement(
        parent,
        "g",
        {
            "class": "path",
            "data-species": letter,
            "data-cards": " ".join(map(scene.config.card_text, path.cards)),
            "data-right": {None: "open", True: "yes", False: "no"}[path.right],
            "fill": "none",
            "stroke-linejoin": "round",
        },
    )
    if path.right is False:
        group.set("stroke-dasharray", "4 3")  # denied for want of the right to score
    outline = ET.SubElement(group, "polyline", {"points": points})
    stroke(outline, "path-edge", palette, _WIDTH + 2.5)  # for colours near the table's
    line = ET.SubElement(group, "polyline", {"points": points, "stroke": SPECIES_COLOURS[letter]})
    line.set("stroke-width", f"{_WIDTH:g}")
    mark_class(line, f"s-{letter}")
