"""Cards as SVG symbols: colour, emblem and letter of the species, and a large rank.

A card is 60 wide and 80 high::

    +--------+
    | 7    M |   rank, letter
    |   **   |
    |  ****  |   emblem
    |   **   |
    +--------+

Every card is one ``<use>`` of a symbol, ``card-M7`` or ``card-back``, so a picture with many cards
stays small. A card's symbol uses its species' face, ``face-M``, and that the ``emblem-M``.
"""

from collections.abc import Iterable
from typing import Final
from xml.etree import ElementTree as ET

from arboretum_env.cards import MAX_RANKS, SPECIES_LETTERS, SPECIES_NAMES
from arboretum_env.drawing.emblems import EMBLEMS
from arboretum_env.drawing.svg_parts import add_rect, add_text, mark_class, paint, stroke
from arboretum_env.drawing.theme import FONT, LIGHT, SPECIES_COLOURS, Palette, ink_on

CARD_WIDTH: Final[int] = 60
CARD_HEIGHT: Final[int] = 80
_RADIUS: Final = 8
BACK: Final[str] = "back"
"""In place of a card's text: one whose face is not shown."""


def card_name(text: str) -> str:
    """A card in words.

    >>> card_name("M7")
    'Maple 7'
    """
    return f"{SPECIES_NAMES[text[0]]} {text[1:]}"


def card_sprite() -> str:
    """One hidden ``<svg>`` with a symbol of all 80 cards and of the back, to be put in a page once.

    Cards are then ``<svg viewBox="0 0 60 80"><use href="#card-M7"/></svg>``. It has no style of its
    own: colours are attributes, which the rules of ``drawing.style`` override.
    """
    texts = [f"{letter}{rank}" for letter in SPECIES_LETTERS for rank in range(1, MAX_RANKS + 1)]
    return ET.tostring(sprite([*texts, BACK]), encoding="unicode")


def sprite(texts: Iterable[str], species: Iterable[str] = ()) -> ET.Element:
    """The hidden ``<svg>`` of some cards, and of the emblems of some more species."""
    svg = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": "0",
            "height": "0",
            "aria-hidden": "true",
            "class": "card-sprite",
        },
    )
    add_symbols(svg, texts, LIGHT, species)
    return svg


def add_symbols(
    svg: ET.Element, texts: Iterable[str], palette: Palette, species: Iterable[str] = ()
) -> None:
    """Adds ``<defs>`` with the symbols of some cards.

    Args:
        svg: gets the definitions.
        texts: the cards (``M7``, or ``back``).
        palette: colours of the attributes.
        species: letters whose emblems are wanted beyond those of the cards.
    """
    wanted = sorted(set(texts))
    letters = {text[0] for text in wanted if text != BACK}
    defs = ET.SubElement(svg, "defs")
    for letter in sorted(letters.union(species)):
        defs.append(_emblem(letter))
    for letter in sorted(letters):
        defs.append(_face(letter, palette))
    for text in wanted:
        defs.append(_back(palette) if text == BACK else _card(text))


def add_card(
    parent: ET.Element, x: float, y: float, width: float, text: str, **attributes: str
) -> ET.Element:
    """Adds ``<g class="card" data-card="M7">`` with a use of the card's symbol.

    Args:
        parent: gets the group.
        x, y: the top left corner.
        width: of the card; its height follows.
        text: the card, or ``back`` for one whose face is not shown.
        attributes: more of the group's attributes.
    """
    hidden = text == BACK
    own = {"class": "card-back"} if hidden else {"class": "card", "data-card": text}
    group = ET.SubElement(parent, "g", own | attributes)
    add_use(group, x, y, width, f"card-{text}")
    return group


def add_use(parent: ET.Element, x: float, y: float, width: float, symbol: str | None) -> ET.Element:
    """Adds a use of a card's symbol, or of none yet, with its top left corner at (x, y)."""
    place = {"x": x, "y": y, "width": width, "height": width * CARD_HEIGHT / CARD_WIDTH}
    use = ET.SubElement(parent, "use", {key: f"{at:g}" for key, at in place.items()})
    if symbol is not None:
        use.set("href", f"#{symbol}")
    return use


def add_swatch(
    parent: ET.Element, x: float, y: float, size: float, letter: str, palette: Palette
) -> None:
    """Adds a small square with a species' colour and emblem."""
    place = {"class": "swatch", "transform": f"translate({x:g} {y:g}) scale({size / 48:g})"}
    group = ET.SubElement(parent, "g", place)
    square = add_rect(group, 0.5, 0.5, 47, 47, SPECIES_COLOURS[letter], radius=9)
    mark_class(square, f"f-{letter}")
    stroke(square, "card-edge", palette, 1.5)
    ET.SubElement(group, "use", {"href": f"#emblem-{letter}", "transform": "translate(24 24)"})


def _symbol(name: str) -> ET.Element:
    return ET.Element("symbol", {"id": name, "viewBox": f"0 0 {CARD_WIDTH} {CARD_HEIGHT}"})


def _emblem(letter: str) -> ET.Element:
    group = ET.Element("g", {"id": f"emblem-{letter}", "fill": ink_on(SPECIES_COLOURS[letter])})
    mark_class(group, f"f-{letter}-ink")
    for shape in EMBLEMS[letter]:
        for turn in range(shape.turns):
            path = ET.SubElement(group, "path", {"d": shape.path})
            if turn:
                path.set("transform", f"rotate({360 * turn / shape.turns:g})")
    return group


def _face(letter: str, palette: Palette) -> ET.Element:
    """What the cards of a species share: the colour, the emblem and the letter."""
    colour = SPECIES_COLOURS[letter]
    group = ET.Element("g", {"id": f"face-{letter}"})
    face = add_rect(group, 0.5, 0.5, CARD_WIDTH - 1, CARD_HEIGHT - 1, colour, radius=_RADIUS)
    mark_class(face, f"f-{letter}")
    stroke(face, "card-edge", palette, 1)
    ET.SubElement(group, "use", {"href": f"#emblem-{letter}", "transform": "translate(30 55)"})
    text = add_text(
        group, 53, 23, letter, size=19, weight="bold", anchor="end", fill=ink_on(colour)
    )
    mark_class(text, f"f-{letter}-ink")
    return group


def _card(text: str) -> ET.Element:
    letter, rank = text[0], text[1:]
    symbol = _symbol(f"card-{text}")
    symbol.set("font-family", FONT)
    ET.SubElement(symbol, "use", {"href": f"#face-{letter}"})
    ink = add_text(
        symbol, 6, 31, rank, size=33, weight="bold", fill=ink_on(SPECIES_COLOURS[letter])
    )
    mark_class(ink, f"f-{letter}-ink")
    return symbol


def _back(palette: Palette) -> ET.Element:
    """A trellis."""
    symbol = _symbol(f"card-{BACK}")
    face = add_rect(symbol, 0.5, 0.5, CARD_WIDTH - 1, CARD_HEIGHT - 1, "", radius=_RADIUS)
    paint(face, "back", palette)
    stroke(face, "card-edge", palette, 1)
    frame = add_rect(symbol, 7, 7, CARD_WIDTH - 14, CARD_HEIGHT - 14, "none", radius=4)
    stroke(frame, "back-line", palette, 1.5)
    lines = ET.SubElement(symbol, "path", {"d": _TRELLIS, "fill": "none"})
    stroke(lines, "back-line", palette, 1.2)
    return symbol


_TRELLIS: Final = (
    "M30 20L45 40L30 60L15 40zM30 30L37.5 40L30 50L22.5 40zM30 7V20M30 60V73M7 40H15M45 40H53"
)
