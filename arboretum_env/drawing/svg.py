"""A whole table as SVG: arboreta at their true coordinates, paths, piles, hands, the score sheet.

The board in words stands in ``<desc>``, for readers who do not see the picture.
"""

from xml.etree import ElementTree as ET

from arboretum_env.drawing import geometry
from arboretum_env.drawing.board import add_board, add_ring
from arboretum_env.drawing.cards import BACK, CARD_HEIGHT, CARD_WIDTH, add_card, add_symbols
from arboretum_env.drawing.geometry import Layout, Panel, lay_out
from arboretum_env.drawing.scene import Scene, SeatScene
from arboretum_env.drawing.svg_parts import add_rect, add_text, mark_class, paint, stroke, xml_text
from arboretum_env.drawing.svg_sheet import add_sheet
from arboretum_env.drawing.text import scene_text
from arboretum_env.drawing.theme import FONT, PALETTES, Palette, Theme
from arboretum_env.phase import Phase

_BOLD_WIDTH = 13  # of a character at size 18, about the widest of a name
_SMALL_HEIGHT = geometry.SMALL_CARD * CARD_HEIGHT // CARD_WIDTH


def scene_svg(scene: Scene, theme: Theme = "light") -> str:
    """The picture as an SVG document.

    Args:
        scene: what it shows.
        theme: its colours.
    """
    palette = PALETTES[theme]
    layout = lay_out(scene)
    svg = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {layout.width} {layout.height}",
            "width": str(layout.width),
            "height": str(layout.height),
            "font-family": FONT,
            "role": "img",
        },
    )
    ET.SubElement(svg, "title").text = f"Arboretum, {scene.status}"
    ET.SubElement(svg, "desc").text = xml_text(scene_text(scene))
    add_symbols(svg, shown_cards(scene), palette, scene.config.species if scene.sheet else "")
    paint(add_rect(svg, 0, 0, layout.width, layout.height, ""), "page", palette)
    _add_title(svg, scene, layout, palette)
    for seat, panel in enumerate(layout.panels):
        _add_panel(svg, scene, seat, panel, palette)
    ET.indent(svg, " ")
    return ET.tostring(svg, encoding="unicode") + "\n"


def shown_cards(scene: Scene) -> list[str]:
    """The cards that a picture shows, as texts, and ``back`` where it shows backs."""
    cards = {
        card
        for seat in scene.seats
        for card in (*seat.hand, *seat.discard_pile, *(card for _, _, card in seat.arboretum))
    }
    texts = [scene.config.card_text(card) for card in sorted(cards)]
    return texts + [BACK] * any(seat.hidden_cards for seat in scene.seats)


def _add_title(svg: ET.Element, scene: Scene, layout: Layout, palette: Palette) -> None:
    y = geometry.MARGIN + 22
    status = scene.status[0].upper() + scene.status[1:]
    left = geometry.MARGIN + 2
    paint(add_text(svg, left, y, status, size=21, weight="bold"), "ink", palette)
    if scene.observer is not None:
        seen, right = f"as seat {scene.observer} sees it", layout.width - geometry.MARGIN
        paint(add_text(svg, right, y, seen, size=15, anchor="end"), "faint", palette)


def _add_panel(svg: ET.Element, scene: Scene, seat: int, panel: Panel, palette: Palette) -> None:
    group = ET.SubElement(svg, "g", {"class": "seat", "data-seat": str(seat)})
    moves = seat == scene.mover and scene.phase is not Phase.GAME_OVER
    won = scene.sheet is not None and seat in scene.sheet.winners
    frame = add_rect(group, panel.x, panel.y, panel.width, panel.height, "", radius=14)
    paint(frame, "panel", palette)
    stroke(frame, *(("mark", palette, 2.5) if moves or won else ("edge", palette, 1.5)))
    _add_name(group, scene, seat, panel, palette)
    _add_arboretum(group, scene, seat, panel, palette)
    y = _add_pile(group, scene, seat, panel, panel.below_grid, palette)
    y = _add_hand(group, scene, scene.seats[seat], panel, y, palette)
    if scene.sheet is not None:
        place = panel.x + geometry.PADDING, y, panel.width - 2 * geometry.PADDING
        add_sheet(group, scene, seat, place, palette)


def _add_name(group: ET.Element, scene: Scene, seat: int, panel: Panel, palette: Palette) -> None:
    """Who sits there, and that the seat is to move, or its points."""
    note, colour = "", "ink"
    if scene.sheet is not None:
        note = f"{scene.sheet.scores[seat]} points"
        if seat in scene.sheet.winners:
            note, colour = f"{note}, wins", "mark"
    elif seat == scene.mover and scene.phase is not Phase.GAME_OVER:
        note, colour = "to move", "mark"
    part = scene.seats[seat]
    name = f"Seat {seat}" + (f"  {part.name}" if part.name else "")
    room = (panel.width - 2 * geometry.PADDING) // _BOLD_WIDTH - len(note) - 2
    name = name if len(name) <= room else f"{name[: room - 1]}…"
    left, right = panel.x + geometry.PADDING, panel.x + panel.width - geometry.PADDING
    y = panel.y + geometry.PADDING + 16
    paint(add_text(group, left, y, name, size=18, weight="bold"), "ink", palette)
    points = add_text(group, right, y, note, size=17, weight="bold", anchor="end")
    paint(points, colour, palette)


def _add_arboretum(
    group: ET.Element, scene: Scene, seat: int, panel: Panel, palette: Palette
) -> None:
    extent, scale = panel.extent, geometry.SCALE
    width, height = extent.columns * geometry.COLUMN, extent.rows * geometry.ROW
    soil = add_rect(group, panel.grid_x, panel.grid_y, width, height, "", radius=10)
    paint(soil, "soil", palette)
    place = "translate({} {}) scale({})".format(*panel.origin, scale)
    board = ET.SubElement(group, "g", {"class": "arboretum", "transform": place})
    add_board(board, scene, seat, extent, palette, cells={}, paths=True, axis_size=12 / scale)


def _add_label(group: ET.Element, panel: Panel, y: int, text: str, palette: Palette) -> None:
    middle = y + _SMALL_HEIGHT // 2 + 5
    label = add_text(group, panel.x + geometry.PADDING, middle, text, size=14)
    paint(label, "faint", palette)


def _small_card_position(panel: Panel, y: int, index: int) -> tuple[int, int]:
    left = panel.x + geometry.PADDING + geometry.LABEL_WIDTH
    column, row = index % panel.per_row, index // panel.per_row
    return left + column * geometry.SMALL_PITCH, y + row * geometry.ROW_HEIGHT


def _add_pile(
    group: ET.Element, scene: Scene, seat: int, panel: Panel, y: int, palette: Palette
) -> int:
    """The discard pile, bottom to top from left to right; returns where the next row begins."""
    pile = scene.seats[seat].discard_pile
    part = ET.SubElement(group, "g", {"class": "discard-pile"})
    _add_label(part, panel, y, "Pile", palette)
    if not pile:
        left, top = _small_card_position(panel, y, 0)
        empty = add_rect(part, left, top, geometry.SMALL_CARD, _SMALL_HEIGHT, "none", radius=5)
        stroke(empty, "edge", palette, 1.5)
        empty.set("stroke-dasharray", "4 3")
    for depth, card in enumerate(pile):
        left, top = _small_card_position(panel, y, depth)
        text = scene.config.card_text(card)
        element = add_card(part, left, top, geometry.SMALL_CARD, text)
        if depth < len(pile) - 1:
            element.set("opacity", "0.5")  # only the top can be taken
        elif scene.last_discarded == seat:
            mark_class(element, "last")
            add_ring(element, left, top, geometry.SMALL_CARD, palette)
    return y + geometry.card_rows(len(pile), panel.per_row) * geometry.ROW_HEIGHT


def _add_hand(
    group: ET.Element, scene: Scene, seat: SeatScene, panel: Panel, y: int, palette: Palette
) -> int:
    """Shown cards, then one back per hidden card; returns where the next row begins."""
    part = ET.SubElement(group, "g", {"class": "hand"})
    _add_label(part, panel, y, "Hand", palette)
    texts = [*map(scene.config.card_text, seat.hand), *[BACK] * seat.hidden_cards]
    for index, text in enumerate(texts):
        left, top = _small_card_position(panel, y, index)
        element = add_card(part, left, top, geometry.SMALL_CARD, text)
        if index < len(seat.hand) and seat.hand[index] == scene.chosen_card:
            mark_class(element, "chosen")
            add_ring(element, left, top, geometry.SMALL_CARD, palette)
    return y + geometry.card_rows(len(texts), panel.per_row) * geometry.ROW_HEIGHT
