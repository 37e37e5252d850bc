"""A scene as SVG: arboreta at their true coordinates, paths, piles, hands, the score sheet.

The board in words stands in ``<desc>``, for readers who do not see the picture.
"""

from xml.etree import ElementTree as ET

from arboretum_env.drawing import geometry, theme
from arboretum_env.drawing.geometry import Layout, Panel, lay_out
from arboretum_env.drawing.scene import Scene, SeatScene, SpeciesPath
from arboretum_env.drawing.svg_parts import add_card, add_card_back, add_rect, add_text, xml_text
from arboretum_env.drawing.svg_sheet import add_sheet
from arboretum_env.drawing.text import scene_text

_BOLD_WIDTH = 13  # of a character at size 18, about the widest of a name
_PATH_WIDTH = 6.0
_LANE_WIDTH = 10.0
_LANES_REACH = 40.0  # all lanes of an edge stay behind the cards' straight sides


def scene_svg(scene: Scene) -> str:
    """The picture as an SVG document."""
    layout = lay_out(scene)
    svg = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {layout.width} {layout.height}",
            "width": str(layout.width),
            "height": str(layout.height),
            "font-family": theme.FONT,
            "role": "img",
        },
    )
    ET.SubElement(svg, "title").text = f"Arboretum, {scene.status}"
    ET.SubElement(svg, "desc").text = xml_text(scene_text(scene))
    add_rect(svg, 0, 0, layout.width, layout.height, theme.BACKGROUND)
    _add_title(svg, scene, layout)
    for seat, panel in enumerate(layout.panels):
        _add_panel(svg, scene, seat, panel)
    ET.indent(svg)
    return ET.tostring(svg, encoding="unicode") + "\n"


def _add_title(svg: ET.Element, scene: Scene, layout: Layout) -> None:
    y = geometry.MARGIN + 22
    status = scene.status[0].upper() + scene.status[1:]
    add_text(svg, geometry.MARGIN + 2, y, status, size=21, weight="bold")
    if scene.observer is not None:
        seen, right = f"as seat {scene.observer} sees it", layout.width - geometry.MARGIN
        add_text(svg, right, y, seen, size=15, fill=theme.FAINT_INK, anchor="end")


def _add_panel(svg: ET.Element, scene: Scene, seat: int, panel: Panel) -> None:
    group = ET.SubElement(svg, "g", {"class": "seat", "data-seat": str(seat)})
    moves = seat == scene.mover and scene.sheet is None and scene.phase.name != "GAME_OVER"
    won = scene.sheet is not None and seat in scene.sheet.winners
    edge = theme.MARK if moves or won else theme.PANEL_EDGE
    frame = add_rect(group, panel.x, panel.y, panel.width, panel.height, theme.PANEL, radius=12)
    frame.set("stroke", edge)
    frame.set("stroke-width", "2.5" if moves or won else "1.5")
    part = scene.seats[seat]
    baseline = panel.y + geometry.PADDING + 16
    note = ""
    if scene.sheet is not None:
        note = f"{scene.sheet.scores[seat]} points" + (", wins" if won else "")
    elif moves:
        note = "to move"
    name = f"Seat {seat}" + (f"  {part.name}" if part.name else "")
    room = (panel.width - 2 * geometry.PADDING) // _BOLD_WIDTH - len(note) - 2
    name = name if len(name) <= room else f"{name[: room - 1]}…"
    add_text(group, panel.x + geometry.PADDING, baseline, name, size=18, weight="bold")
    fill = theme.MARK if moves or won else theme.INK
    right = panel.x + panel.width - geometry.PADDING
    add_text(group, right, baseline, note, size=17, weight="bold", fill=fill, anchor="end")
    _add_arboretum(group, scene, seat, panel)
    y = _add_pile(group, scene, seat, panel, panel.below_grid)
    y = _add_hand(group, scene, part, panel, y)
    if scene.sheet is not None:
        add_sheet(
            group, scene, seat, panel.x + geometry.PADDING, y, panel.width - 2 * geometry.PADDING
        )


def _add_arboretum(group: ET.Element, scene: Scene, seat: int, panel: Panel) -> None:
    part, extent = scene.seats[seat], panel.extent
    pitch, tile = geometry.PITCH, geometry.TILE
    add_rect(
        group,
        panel.grid_x,
        panel.grid_y,
        extent.columns * pitch,
        extent.rows * pitch,
        theme.SOIL,
        radius=8,
    )
    for x in range(extent.left, extent.right + 1):
        centre, _ = panel.cell_centre(x, extent.bottom)
        y = panel.grid_y + extent.rows * pitch + 15
        add_text(group, centre, y, str(x), size=12, fill=theme.FAINT_INK, anchor="middle")
    for y in range(extent.bottom, extent.top + 1):
        _, centre = panel.cell_centre(extent.left, y)
        x = panel.grid_x - 7
        add_text(group, x, centre + 4, str(y), size=12, fill=theme.FAINT_INK, anchor="end")
    _add_dots(group, panel)
    paths = ET.SubElement(group, "g", {"class": "paths"})
    for lane, path in enumerate(part.paths):
        _add_path(paths, scene, path, panel, _lane_offset(lane, len(part.paths)))
    for x, y, card in part.arboretum:
        column, row = panel.cell_centre(x, y)
        element = add_card(
            group, column - tile // 2, row - tile // 2, tile, scene.config.card_text(card)
        )
        element.set("data-x", str(x))
        element.set("data-y", str(y))
    if scene.last_planted is not None and scene.last_planted[0] == seat:
        column, row = panel.cell_centre(*scene.last_planted[1])
        _add_mark(group, column - tile // 2, row - tile // 2, tile)


def _add_dots(group: ET.Element, panel: Panel) -> None:
    """A faint dot a cell, so that distances can be seen on the empty table."""
    extent = panel.extent
    dots = ET.SubElement(group, "g", {"fill": theme.PANEL_EDGE})
    for x in range(extent.left, extent.right + 1):
        for y in range(extent.bottom, extent.top + 1):
            column, row = panel.cell_centre(x, y)
            ET.SubElement(dots, "circle", {"cx": str(column), "cy": str(row), "r": "2.5"})


def _lane_offset(lane: int, lanes: int) -> float:
    """Distance of a path from the cells' centres: paths run side by side, like metro lines."""
    step = min(_LANE_WIDTH, _LANES_REACH / max(lanes - 1, 1))
    return (lane - (lanes - 1) / 2) * step


def _add_path(
    group: ET.Element, scene: Scene, path: SpeciesPath, panel: Panel, offset: float
) -> None:
    """A line behind the cards; it shows in the gaps between them."""
    letter = scene.config.species[path.species]
    centres = [panel.cell_centre(x, y) for x, y in path.cells]
    # The same shift to the right and down keeps two lines apart on straights and in turns.
    points = " ".join(f"{x + offset:g},{y + offset:g}" for x, y in centres)
    outline = _add_line(group, points, theme.INK, _PATH_WIDTH + 2.5)  # for pale species
    line = _add_line(group, points, theme.SPECIES_COLOURS[letter], _PATH_WIDTH)
    if path.right is False:
        for part in (outline, line):
            part.set("stroke-dasharray", "4 3")  # denied for want of the right to score
    line.set("class", "path")
    line.set("data-species", letter)
    line.set("data-cards", " ".join(map(scene.config.card_text, path.cards)))


def _add_line(group: ET.Element, points: str, stroke: str, width: float) -> ET.Element:
    return ET.SubElement(
        group,
        "polyline",
        {
            "points": points,
            "fill": "none",
            "stroke": stroke,
            "stroke-width": f"{width:g}",
            "stroke-linejoin": "round",
        },
    )


def _add_mark(group: ET.Element, x: int, y: int, size: int) -> None:
    ring = add_rect(group, x - 3, y - 3, size + 6, size + 6, "none", radius=10)
    ring.set("class", "last-move")
    ring.set("stroke", theme.MARK)
    ring.set("stroke-width", "3")


def _add_label(group: ET.Element, panel: Panel, y: int, text: str) -> None:
    middle = y + geometry.SMALL_TILE // 2 + 5
    add_text(group, panel.x + geometry.PADDING, middle, text, size=14, fill=theme.FAINT_INK)


def _small_card_position(panel: Panel, y: int, index: int) -> tuple[int, int]:
    left = panel.x + geometry.PADDING + geometry.LABEL_WIDTH
    column, row = index % panel.per_row, index // panel.per_row
    return left + column * geometry.SMALL_PITCH, y + row * geometry.ROW_HEIGHT


def _add_pile(group: ET.Element, scene: Scene, seat: int, panel: Panel, y: int) -> int:
    """The discard pile, bottom to top from left to right; returns where the next row begins."""
    pile = scene.seats[seat].discard_pile
    part = ET.SubElement(group, "g", {"class": "discard-pile"})
    _add_label(part, panel, y, "Pile")
    if not pile:
        empty = add_rect(
            part,
            *_small_card_position(panel, y, 0),
            geometry.SMALL_TILE,
            geometry.SMALL_TILE,
            "none",
            radius=5,
        )
        empty.set("stroke", theme.PANEL_EDGE)
        empty.set("stroke-dasharray", "4 3")
    for depth, card in enumerate(pile):
        column, row = _small_card_position(panel, y, depth)
        element = add_card(part, column, row, geometry.SMALL_TILE, scene.config.card_text(card))
        if depth < len(pile) - 1:
            element.set("opacity", "0.5")  # only the top can be taken
    if scene.last_discarded == seat:
        _add_mark(part, *_small_card_position(panel, y, len(pile) - 1), geometry.SMALL_TILE)
    return y + geometry.card_rows(len(pile), panel.per_row) * geometry.ROW_HEIGHT


def _add_hand(group: ET.Element, scene: Scene, seat: SeatScene, panel: Panel, y: int) -> int:
    """Shown cards, then one back per hidden card; returns where the next row begins."""
    part = ET.SubElement(group, "g", {"class": "hand"})
    _add_label(part, panel, y, "Hand")
    for index, card in enumerate(seat.hand):
        column, row = _small_card_position(panel, y, index)
        add_card(part, column, row, geometry.SMALL_TILE, scene.config.card_text(card))
    for index in range(seat.hidden_cards):
        column, row = _small_card_position(panel, y, len(seat.hand) + index)
        add_card_back(part, column, row, geometry.SMALL_TILE)
    if scene.chosen_card in seat.hand:
        chosen = seat.hand.index(scene.chosen_card)
        _add_mark(part, *_small_card_position(panel, y, chosen), geometry.SMALL_TILE)
    count = len(seat.hand) + seat.hidden_cards
    return y + geometry.card_rows(count, panel.per_row) * geometry.ROW_HEIGHT
