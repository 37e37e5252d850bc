"""Colours of the pictures, by daylight and in the dark.

Ten species colours that stay apart for people with each of the common kinds of colour blindness,
each with an ink that reads on it; the tests measure both. They are alike in both themes, so that a
card is the same card everywhere. No reading depends on colour: every card has its emblem and its
letter.

Everything else has a name in ``LIGHT`` and ``DARK``. A picture carries one theme's colours as
attributes, so that it stands alone, and classes by which a page's style sheet gives it the reader's
(``arboretum_env.drawing.style``).
"""

from collections.abc import Mapping
from typing import Final, Literal

DARK_INK: Final[str] = "#201E1A"
WHITE_INK: Final[str] = "#FFFFFF"

SPECIES_COLOURS: Final[dict[str, str]] = {
    "C": "#F7D052",  # Cassia: golden
    "D": "#F5F0E2",  # Dogwood: ivory
    "J": "#3B3C99",  # Jacaranda: indigo
    "V": "#A3AC65",  # Olive: olive
    "L": "#AB6EC3",  # Lilac: lilac
    "G": "#EE9FB4",  # Magnolia: pink
    "M": "#7F183C",  # Maple: wine
    "P": "#DF5C33",  # Royal Poinciana: flame
    "O": "#6E4823",  # Oak: brown
    "W": "#1E8170",  # Weeping Willow: deep green
}
"""Species letter -> fill of its cards."""

Theme = Literal["light", "dark"]
Palette = Mapping[str, str]

LIGHT: Final[dict[str, str]] = {
    "page": "#F6F3EA",
    "panel": "#FFFDF7",
    "edge": "#D9D2BF",
    "soil": "#EFEADB",
    "dot": "#CFC7B1",
    "ink": "#2B2A26",
    "faint": "#6B6558",
    "card-edge": "#4A463C",
    "back": "#5E7260",
    "back-line": "#A9B7A2",
    "mark": "#BC3118",
    "legal": "#DDE7CF",
    "legal-edge": "#5C7A3E",
    "path-edge": "#2B2A26",
}
DARK: Final[dict[str, str]] = {
    "page": "#191B18",
    "panel": "#22251F",
    "edge": "#3A3E35",
    "soil": "#2A2E27",
    "dot": "#4B5146",
    "ink": "#ECE8DC",
    "faint": "#A8A393",
    "card-edge": "#8D8878",
    "back": "#46584A",
    "back-line": "#7F917F",
    "mark": "#FF8A66",
    "legal": "#37442D",
    "legal-edge": "#9CBF74",
    "path-edge": "#ECE8DC",
}
"""Name -> colour. ``mark`` is the last move and the seat to move, ``legal`` a cell to plant on."""

PALETTES: Final[Mapping[Theme, Palette]] = {"light": LIGHT, "dark": DARK}

FONT: Final[str] = "Arboretum Sans, DejaVu Sans, Verdana, sans-serif"


def luminance(colour: str) -> float:
    """Relative luminance of ``#RRGGBB``, 0 black to 1 white (WCAG 2.1).

    >>> round(luminance("#FFFFFF"), 3)
    1.0
    """
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ink_on(colour: str) -> str:
    """The better readable of dark and white ink on a fill."""
    # Contrast is (lighter + 0.05) / (darker + 0.05); at this luminance both inks contrast alike.
    return DARK_INK if luminance(colour) > 0.20 else WHITE_INK
