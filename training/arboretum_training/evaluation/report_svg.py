"""What the pictures of reports are drawn with: marks in the colours of ``report_theme``.

Every mark has its light colour as an attribute, so that a picture stands alone, and a class by
which a page's style sheet gives it the reader's.
"""

from xml.etree import ElementTree as ET

from arboretum_env.drawing import theme
from arboretum_env.drawing.svg_parts import add_rect, add_text, xml_text
from arboretum_training.evaluation.report_theme import LIGHT


def picture(width: float, height: float, label: str) -> ET.Element:
    """An empty picture, with a label for those who do not see it."""
    return ET.Element(
        "svg",
        {
            "viewBox": f"0 0 {width:g} {height:g}",
            "width": f"{width:g}",
            "height": f"{height:g}",
            "font-family": theme.FONT,
            "role": "img",
            "aria-label": xml_text(label),
        },
    )


def add_words(
    parent: ET.Element,
    x: float,
    y: float,
    text: str,
    size: float,
    colour: str,
    *,
    bold: bool = False,
    anchor: str = "start",
) -> None:
    """A line of text; ``y`` is its baseline."""
    element = add_text(parent, x, y, text, size=size, weight="bold" if bold else "normal")
    if anchor != "start":
        element.set("text-anchor", anchor)
    paint(element, colour)


def add_box(
    parent: ET.Element,
    x: float,
    y: float,
    width: float,
    height: float,
    colour: str,
    radius: float = 0,
) -> ET.Element:
    """A filled rectangle."""
    rect = add_rect(parent, x, y, width, height, LIGHT[colour], radius=radius)
    paint(rect, colour)
    return rect


def add_line(
    parent: ET.Element, x1: float, y1: float, x2: float, y2: float, colour: str, width: float
) -> ET.Element:
    """A straight line."""
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    line = ET.SubElement(parent, "line", {key: f"{value:g}" for key, value in ends.items()})
    draw(line, colour, width)
    return line


def add_dot(parent: ET.Element, x: float, y: float, radius: float, colour: str) -> None:
    """A filled circle."""
    dot = ET.SubElement(parent, "circle", {"cx": f"{x:g}", "cy": f"{y:g}", "r": f"{radius:g}"})
    paint(dot, colour)


def add_tooltip(parent: ET.Element, text: str) -> None:
    """What a browser shows where one points at an element."""
    ET.SubElement(parent, "title").text = xml_text(text)


def paint(element: ET.Element, colour: str) -> None:
    """Fills an element."""
    element.set("fill", LIGHT[colour])
    element.set("class", f"f-{colour}")


def draw(element: ET.Element, colour: str, width: float) -> None:
    """Gives an element a stroke."""
    element.set("stroke", LIGHT[colour])
    element.set("stroke-width", f"{width:g}")
    element.set("class", f"s-{colour}")


def standalone(inner: ET.Element, title: str) -> str:
    """A picture as an SVG document of its own, with a title and a background."""
    width, height = int(inner.get("width", "0")), int(inner.get("height", "0"))
    svg = picture(width + 48, height + 84, title)
    svg.set("xmlns", "http://www.w3.org/2000/svg")
    add_box(svg, 0, 0, width + 48, height + 84, "panel")
    add_words(svg, 24, 40, title, 20, "ink", bold=True)
    group = ET.SubElement(svg, "g", {"transform": "translate(24 62)"})
    group.extend(inner)
    return ET.tostring(svg, encoding="unicode") + "\n"
