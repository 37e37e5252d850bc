"""What a test needs of a picture: scenes of golden games, and the SVG's parts."""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

from arboretum_env.drawing.scene import Scene, scene_of_position
from arboretum_env.records.files import load_record
from arboretum_env.records.replay import Position, positions

GAMES = Path(__file__).parents[1] / "data" / "games"
_SVG = "{http://www.w3.org/2000/svg}"


def position(name: str, decisions: int | None = None) -> Position:
    """A golden game after some decisions, by default at its end."""
    every = list(positions(load_record(GAMES / f"{name}.arb")))
    return every[-1 if decisions is None else decisions]


def scene(name: str, decisions: int | None = None, seat: int | None = None) -> Scene:
    """The scene of a golden game's position, for a spectator or a seat."""
    return scene_of_position(position(name, decisions), seat)


def elements(svg: str, tag: str, kind: str | None = None) -> Iterator[ET.Element]:
    """The elements of a tag, and of a class if one is given."""
    for element in ET.fromstring(svg).iter(_SVG + tag):
        if kind is None or kind in element.get("class", "").split():
            yield element


def seat_part(svg: str, seat: int) -> str:
    """The part of a picture that belongs to a seat, as XML."""
    [part] = [e for e in elements(svg, "g", "seat") if e.get("data-seat") == str(seat)]
    return ET.tostring(part, encoding="unicode")


def box_of(element: ET.Element, tag: str = "use") -> tuple[float, float, float]:
    """(x, y, width) of an element's first use of a symbol or other box."""
    [box, *_] = element.iter(_SVG + tag)
    return tuple(float(box.get(name, "")) for name in ("x", "y", "width"))  # type: ignore[return-value]


def board_origin(svg: str, seat: int) -> tuple[float, float, float]:
    """Where a table's picture has the cell 0,0 of a seat's arboretum, and the arboretum's scale."""
    [board] = elements(seat_part(svg, seat), "g", "arboretum")
    match = re.fullmatch(r"translate\((\S+) (\S+)\) scale\((\S+)\)", board.get("transform", ""))
    assert match is not None
    return float(match[1]), float(match[2]), float(match[3])
