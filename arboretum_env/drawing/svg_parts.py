"""The pieces that SVG pictures are made of: texts, rectangles, cards."""

import re
from typing import Final, Literal
from xml.etree import ElementTree as ET

from arboretum_env.drawing import theme

_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(text: str) -> str:
    """The text with every character that XML cannot hold replaced; names come from anywhere."""
    return _NOT_XML.sub("\ufffd", text)


def add_rect(
    parent: ET.Element,
    x: float,
    y: float,
    width: float,
    height: float,
    fill: str,
    radius: float = 0,
) -> ET.Element:
    """A rectangle, with round corners when ``radius`` is not 0."""
    rect = ET.SubElement(
        parent,
        "rect",
        {
            "x": f"{x:g}",
            "y": f"{y:g}",
            "width": f"{width:g}",
            "height": f"{height:g}",
            "fill": fill,
        },
    )
    if radius:
        rect.set("rx", f"{radius:g}")
    return rect


def add_text(
    parent: ET.Element,
    x: float,
    y: float,
    text: str,
    *,
    size: float,
    fill: str = theme.INK,
    weight: Literal["normal", "bold"] = "normal",
    anchor: Literal["start", "middle", "end"] = "start",
) -> ET.Element:
    """A line of text; ``y`` is its baseline."""
    element = ET.SubElement(
        parent,
        "text",
        {"x": f"{x:g}", "y": f"{y:g}", "font-size": f"{size:g}", "fill": fill},
    )
    if weight != "normal":
        element.set("font-weight", weight)
    if anchor != "start":
        element.set("text-anchor", anchor)
    element.text = xml_text(text)
    return element


def add_card(parent: ET.Element, x: float, y: float, size: float, text: str) -> ET.Element:
    """A square card: species by colour and letter, and the rank."""
    letter, rank = text[0], text[1:]
    colour = theme.SPECIES_COLOURS[letter]
    card = ET.SubElement(parent, "g", {"class": "card", "data-card": text})
    face = add_rect(card, x, y, size, size, colour, radius=size * 0.16)
    face.set("stroke", theme.INK)
    face.set("stroke-width", "1")
    ink = theme.ink_on(colour)
    add_text(
        card,
        x + size * 0.29,
        y + size * 0.45,
        letter,
        size=size * 0.40,
        fill=ink,
        weight="bold",
        anchor="middle",
    )
    add_text(
        card,
        x + size * 0.66,
        y + size * 0.84,
        rank,
        size=size * 0.60,
        fill=ink,
        weight="bold",
        anchor="middle",
    )
    return card


def add_card_back(parent: ET.Element, x: float, y: float, size: float) -> None:
    """A card whose face is not shown."""
    back = ET.SubElement(parent, "g", {"class": "card-back"})
    face = add_rect(back, x, y, size, size, theme.CARD_BACK, radius=size * 0.16)
    face.set("stroke", theme.INK)
    face.set("stroke-width", "1")
    inset = size * 0.16
    frame = add_rect(
        back, x + inset, y + inset, size - 2 * inset, size - 2 * inset, "none", radius=size * 0.08
    )
    frame.set("stroke", theme.CARD_BACK_LINE)
    frame.set("stroke-width", "1.5")
