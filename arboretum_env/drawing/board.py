"""One arboretum as SVG, which grows with its cards: for the page, notebooks and exports.

The picture has one unit a pixel at natural size. The centre of the cell (x, y) stands at
``(x * PITCH_X, -y * PITCH_Y)``, whatever else is planted, and the viewBox is the cards' extent and
one cell more on every side: where the next card may stand. So a page can keep its view while the
arboretum grows. The parts that a page works with::

    <svg class="board" role="group" aria-label="..." data-seat="0" viewBox="...">
      <g class="path" data-species="M" data-right="yes|no|open">  the lines of a best path
      <g class="card last" data-card="M7" data-x="1" data-y="0">  a planted card, the last marked
      <g class="cell" data-cell="1,-1" data-action="206"          a legal cell
         role="button" tabindex="0" aria-label="...">
        <rect class="spot"/><use class="ghost"/>                  and its ghost card

A ghost card is there, but not to be seen (opacity 0), until a page's style shows it; it has a
``href`` where the card to be placed is known to the picture's reader.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree as ET

from arboretum_env.actions import action_slices
from arboretum_env.drawing.cards import (
    CARD_HEIGHT,
    CARD_WIDTH,
    add_card,
    add_symbols,
    add_use,
    card_name,
)
from arboretum_env.drawing.scene import Scene
from arboretum_env.drawing.svg_parts import add_rect, add_text, mark_class, paint, stroke, xml_text
from arboretum_env.drawing.svg_paths import add_paths
from arboretum_env.drawing.theme import FONT, PALETTES, Palette, Theme
from arboretum_env.drawing.words import board_label, board_words, cell_words
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView

GAP: Final[int] = 16
"""Between two cards; the paths show in it."""
AXIS: Final[int] = 24
"""A strip for coordinates at the left and the foot."""
PITCH_X: Final[int] = CARD_WIDTH + GAP
PITCH_Y: Final[int] = CARD_HEIGHT + GAP


@dataclass(frozen=True)
class Extent:
    """The cells that a picture of an arboretum shows, bounds included."""

    left: int
    right: int
    bottom: int
    top: int

    @property
    def columns(self) -> int:
        """Cells from left to right."""
        return self.right - self.left + 1

    @property
    def rows(self) -> int:
        """Cells from bottom to top."""
        return self.top - self.bottom + 1


def board_extent(scene: Scene, seat: int, margin: int = 1) -> Extent:
    """The cards' extent and a margin on every side; an empty arboretum has its first cell."""
    xs = [x for x, _, _ in scene.seats[seat].arboretum] or [0]
    ys = [y for _, y, _ in scene.seats[seat].arboretum] or [0]
    return Extent(min(xs) - margin, max(xs) + margin, min(ys) - margin, max(ys) + margin)


def legal_cells(view: PlayerView) -> dict[tuple[int, int], int]:
    """True cell -> action id of every cell where the view's seat may plant now; {} otherwise."""
    if view.phase is not Phase.PLACE or view.mover != view.seat:
        return {}
    start = action_slices(view.config)["place_cell"].start
    return {view.true_cell(action - start): action for action in view.legal_actions()}


def board_svg(
    scene: Scene,
    seat: int,
    *,
    cells: Mapping[tuple[int, int], int] | None = None,
    paths: bool | None = None,
    extent: Extent | None = None,
    theme: Theme = "light",
    standalone: bool = False,
) -> str:
    """One seat's arboretum.

    Args:
        scene: what the reader may see; made from a view, the picture holds nothing more.
        seat: whose arboretum.
        cells: true cell -> action id of the cells to be lit, see ``legal_cells``.
        paths: draw the best paths; None draws them when the final score is explained.
        extent: the cells shown; None is ``board_extent``.
        theme: colours of the attributes.
        standalone: a document of its own, with the symbols of its cards, a background and a title;
            otherwise a part of a page that holds ``card_sprite()``.
    """
    palette = PALETTES[theme]
    extent = extent or board_extent(scene, seat)
    width, height = extent.columns * PITCH_X, extent.rows * PITCH_Y
    left, top = extent.left * PITCH_X - PITCH_X // 2, -extent.top * PITCH_Y - PITCH_Y // 2
    left, width, height = left - AXIS, width + AXIS, height + AXIS
    label = xml_text(board_label(scene, seat))
    svg = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "class": "board",
            "data-seat": str(seat),
            "viewBox": f"{left} {top} {width} {height}",
            "width": str(width),
            "height": str(height),
            "font-family": FONT,
            "role": "group",  # not img: that would hide the cells' buttons
            "aria-label": label[0].upper() + label[1:],
        },
    )
    if paths is None:
        paths = scene.sheet is not None
    if standalone:
        ET.SubElement(svg, "title").text = svg.get("aria-label")
    ET.SubElement(svg, "desc").text = xml_text(board_words(scene, seat, paths))
    if standalone:
        planted = [scene.config.card_text(card) for _, _, card in scene.seats[seat].arboretum]
        ghost = _ghost(scene, seat) if cells else None
        add_symbols(svg, planted if ghost is None else [*planted, ghost], palette)
        paint(add_rect(svg, left, top, width, height, "", radius=12), "soil", palette)
    add_board(svg, scene, seat, extent, palette, cells=cells or {}, paths=paths)
    return ET.tostring(svg, encoding="unicode")


def add_board(
    parent: ET.Element,
    scene: Scene,
    seat: int,
    extent: Extent,
    palette: Palette,
    *,
    cells: Mapping[tuple[int, int], int],
    paths: bool,
    axis_size: float = 13,
) -> None:
    """Adds dots, coordinates, paths, cards and legal cells in the board's own coordinates.

    Args:
        parent: gets them.
        scene: what the reader may see.
        seat: whose arboretum.
        extent: the cells shown.
        palette: colours of the attributes.
        cells: true cell -> action id of the cells to be lit.
        paths: draw the best paths.
        axis_size: of the coordinates' text.
    """
    part = scene.seats[seat]
    _add_table(parent, extent, axis_size, palette)
    if paths:
        add_paths(parent, scene, part.paths, (PITCH_X, PITCH_Y), palette)
    last = scene.last_planted[1] if scene.last_planted and scene.last_planted[0] == seat else None
    for x, y, card in part.arboretum:
        text = scene.config.card_text(card)
        left, top = x * PITCH_X - CARD_WIDTH / 2, -y * PITCH_Y - CARD_HEIGHT / 2
        group = add_card(
            parent,
            left,
            top,
            CARD_WIDTH,
            text,
            **{
                "data-x": str(x),
                "data-y": str(y),
                "role": "img",
                "aria-label": f"{card_name(text)} at {x},{y}",
            },
        )
        if (x, y) == last:
            mark_class(group, "last")
            add_ring(group, left, top, CARD_WIDTH, palette)
    for cell, action in sorted(cells.items(), key=lambda item: (-item[0][1], item[0][0])):
        _add_cell(parent, scene, seat, cell, action, palette)


def add_ring(
    parent: ET.Element, left: float, top: float, card_width: float, palette: Palette
) -> None:
    """Adds the mark of the last move around a card."""
    height = card_width * CARD_HEIGHT / CARD_WIDTH
    out = 3.0 if card_width >= CARD_WIDTH else 2.0
    ring = add_rect(
        parent,
        left - out,
        top - out,
        card_width + 2 * out,
        height + 2 * out,
        "none",
        radius=card_width * 0.18,
    )
    mark_class(ring, "ring")
    stroke(ring, "mark", palette, out)


def _ghost(scene: Scene, seat: int) -> str | None:
    """The card that the seat is about to plant, where the picture's reader may know it."""
    if scene.chosen_card is None or scene.mover != seat:
        return None
    return scene.config.card_text(scene.chosen_card)


def _add_cell(
    parent: ET.Element,
    scene: Scene,
    seat: int,
    cell: tuple[int, int],
    action: int,
    palette: Palette,
) -> None:
    x, y = cell
    group = ET.SubElement(
        parent,
        "g",
        {
            "class": "cell",
            "data-cell": f"{x},{y}",
            "data-action": str(action),
            "role": "button",
            "tabindex": "0",
            "aria-label": cell_words(scene, seat, cell),
        },
    )
    left, top = x * PITCH_X - CARD_WIDTH / 2, -y * PITCH_Y - CARD_HEIGHT / 2
    spot = add_rect(group, left, top, CARD_WIDTH, CARD_HEIGHT, "", radius=8)
    mark_class(spot, "spot")
    paint(spot, "legal", palette)
    stroke(spot, "legal-edge", palette, 1.5)
    spot.set("stroke-dasharray", "5 4")
    card = _ghost(scene, seat)
    ghost = add_use(group, left, top, CARD_WIDTH, None if card is None else f"card-{card}")
    ghost.set("class", "ghost")
    ghost.set("opacity", "0")


def _add_table(parent: ET.Element, extent: Extent, axis_size: float, palette: Palette) -> None:
    """A faint dot a cell, so that distances can be seen, and coordinates outside two sides."""
    table = ET.SubElement(parent, "g", {"class": "table", "aria-hidden": "true"})
    dots = [
        f"M{x * PITCH_X} {-y * PITCH_Y}h0"
        for y in range(extent.top, extent.bottom - 1, -1)
        for x in range(extent.left, extent.right + 1)
    ]
    path = ET.SubElement(table, "path", {"d": "".join(dots), "stroke-linecap": "round"})
    stroke(path, "dot", palette, 4)
    axis = ET.SubElement(table, "g", {"class": "axis", "font-size": f"{axis_size:g}"})
    paint(axis, "faint", palette)
    foot = -extent.bottom * PITCH_Y + PITCH_Y / 2 + axis_size * 1.2
    side = extent.left * PITCH_X - PITCH_X / 2 - axis_size * 0.5
    for x in range(extent.left, extent.right + 1):
        add_text(axis, x * PITCH_X, foot, str(x), anchor="middle")
    for y in range(extent.bottom, extent.top + 1):
        add_text(axis, side, -y * PITCH_Y + axis_size * 0.36, str(y), anchor="end")
