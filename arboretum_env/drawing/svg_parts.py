"""The pieces that SVG pictures are made of: texts, rectangles, colours of a theme."""

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
    size: float | None = None,
    fill: str | None = None,
    weight: Literal["normal", "bold"] = "normal",
    anchor: Literal["start", "middle", "end"] = "start",
) -> ET.Element:
    """A line of text; ``y`` is its baseline, and its size and fill the parent's where None."""
    element = ET.SubElement(
        parent,
        "text",
        {"x": f"{x:g}", "y": f"{y:g}"},
    )
    if fill is not None:
        element.set("fill", fill)
    if size is not None:
        element.set("font-size", f"{size:g}")
    if weight != "normal":
        element.set("font-weight", weight)
    if anchor != "start":
        element.set("text-anchor", anchor)
    element.text = xml_text(text)
    return element


def mark_class(element: ET.Element, name: str) -> None:
    """Adds a class to those that the element has."""
    element.set("class", f"{element.get('class', '')} {name}".strip())


def paint(element: ET.Element, name: str, palette: theme.Palette) -> None:
    """Fills an element with a colour of the theme, and classes it so that a page may change it."""
    element.set("fill", palette[name])
    mark_class(element, f"f-{name}")


def stroke(element: ET.Element, name: str, palette: theme.Palette, width: float) -> None:
    """Gives an element an outline in a colour of the theme, likewise."""
    element.set("stroke", palette[name])
    element.set("stroke-width", f"{width:g}")
    mark_class(element, f"s-{name}")
