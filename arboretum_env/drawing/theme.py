"""Colours and sizes of the pictures.

The ten species colours are Paul Tol's "muted" scheme, which stays distinct for the common kinds of
colour blindness; every card also carries its letter, so no reading depends on colour. Source:
P. Tol, "Colour Schemes", SRON technical note SRON/EPS/TN/09-002, issue 3.2, 2021.
"""

from typing import Final

SPECIES_COLOURS: Final[dict[str, str]] = {
    "C": "#DDCC77",  # Cassia: sand
    "D": "#88CCEE",  # Dogwood: cyan
    "J": "#332288",  # Jacaranda: indigo
    "V": "#999933",  # Olive: olive
    "L": "#AA4499",  # Lilac: purple
    "G": "#DDDDDD",  # Magnolia: pale grey
    "M": "#882255",  # Maple: wine
    "P": "#CC6677",  # Royal Poinciana: rose
    "O": "#117733",  # Oak: green
    "W": "#44AA99",  # Weeping Willow: teal
}
"""Species letter -> fill of its cards."""

BACKGROUND: Final[str] = "#F6F3EA"
PANEL: Final[str] = "#FFFDF7"
PANEL_EDGE: Final[str] = "#D9D2BF"
SOIL: Final[str] = "#EFEADB"
INK: Final[str] = "#2B2A26"
FAINT_INK: Final[str] = "#8A8474"
CARD_BACK: Final[str] = "#6F7F6A"
CARD_BACK_LINE: Final[str] = "#8C9A86"
MARK: Final[str] = "#E1492B"
"""The last move, and the seat to move."""

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
    return INK if luminance(colour) > 0.22 else "#FFFFFF"
