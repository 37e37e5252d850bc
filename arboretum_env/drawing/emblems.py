"""A drawn emblem a species: ten silhouettes that differ in outline, not only in colour.

Every shape is an SVG path in a box of 40 by 40 around 0,0, to be filled. ``turns`` copies of it
stand in a ring, as petals do.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Shape:
    """One path of an emblem.

    Attributes:
        path: its ``d``.
        turns: how many copies, turned by equal angles around 0,0.
    """

    path: str
    turns: int = 1


def _dot(x: float, y: float, radius: float) -> str:
    """A disc as a path."""
    half = f"a{radius:g} {radius:g} 0 1 0"
    return f"M{x - radius:g} {y:g}{half} {2 * radius:g} 0{half} {-2 * radius:g} 0z"


_PANICLE: Final = (  # rows of florets, narrowest at the top
    (-16, (0,)),
    (-9.6, (-3.8, 3.8)),
    (-3.2, (-7.6, 0, 7.6)),
    (3.2, (-11.4, -3.8, 3.8, 11.4)),
    (9.6, (-6.2, 6.2)),
)

EMBLEMS: Final[dict[str, tuple[Shape, ...]]] = {
    # Five round petals around an open heart.
    "C": (Shape("M-1.5 -4.5C-11 -9 -9 -19 0 -19S11 -9 1.5 -4.5z", 5), Shape(_dot(0, 0, 2.6))),
    # Four broad bracts, notched at their ends, as a cross.
    "D": (
        Shape(
            "M0 -3C-10 -7 -11 -17 -5.5 -19C-3 -19.6 -1 -18 0 -15"
            "C1 -18 3 -19.6 5.5 -19C11 -17 10 -7 0 -3z",
            4,
        ),
    ),
    # A hanging trumpet with a frilled rim.
    "J": (
        Shape(
            "M-1.6 -20H1.6V-15.4C9 -14.8 10 -7 10.4 -1C10.8 4 13.4 7 18.6 8.4"
            "C19.4 14.4 13 17.6 7.4 14C6.4 20.6 -6.4 20.6 -7.4 14C-13 17.6 -19.4 14.4 -18.6 8.4"
            "C-13.4 7 -10.8 4 -10.4 -1C-10 -7 -9 -14.8 -1.6 -15.4z"
        ),
    ),
    # Slender leaves on a twig, and one fruit.
    "V": (
        Shape("M-17 18C-8 6 2 -4 18 -17L19 -15.5C5 -3 -5 8 -15 19.5z"),
        Shape("M-3 2C-13 1 -17 -6 -18 -13C-9 -13 -3 -8 -3 2z"),
        Shape("M6 -6C-2 -9 -4 -14 -3 -19.5C4 -17.5 8 -13 6 -6z"),
        Shape("M4 3C3 -3 12 -6 18 0C22 9 15 18 9 17C3 15 1 9 4 3z"),
    ),
    # A panicle of florets.
    "L": (
        *(Shape(_dot(x, y, 3.5)) for y, row in _PANICLE for x in row),
        Shape("M-1.2 5h2.4v15h-2.4z"),
    ),
    # A cup of three upright petals.
    "G": (
        Shape("M0 12C-7 4 -7 -11 0 -19.5C7 -11 7 4 0 12z"),
        Shape("M-3.5 13C-16 11 -20 -1 -17 -13C-11 -9 -8.6 -4 -8.3 1C-8 6 -6 10 -3.5 13z"),
        Shape("M3.5 13C16 11 20 -1 17 -13C11 -9 8.6 -4 8.3 1C8 6 6 10 3.5 13z"),
        Shape("M-1.3 13.5h2.6v6.5h-2.6z"),
    ),
    # The leaf of five points.
    "M": (
        Shape(
            "M0 -19.5L3.6 -12.4L7.6 -14.4L6.2 -5.2L11.6 -10.4L13 -7.2L18.8 -8L16.8 -2.2L19 -0.4"
            "L10.4 6.6L11.8 10L1.2 8.6V19.5H-1.2V8.6L-11.8 10L-10.4 6.6L-19 -0.4L-16.8 -2.2"
            "L-18.8 -8L-13 -7.2L-11.6 -10.4L-6.2 -5.2L-7.6 -14.4L-3.6 -12.4z"
        ),
    ),
    # Five spoons on thin stalks, with stamens between them.
    "P": (
        Shape("M-1 0L-1.6 -9C-6 -12 -6 -18 0 -19.8C6 -18 6 -12 1.6 -9L1 0z", 5),
        Shape("M-0.8 2L-0.8 12.5A1.9 1.9 0 1 0 0.8 12.5L0.8 2z", 5),
    ),
    # An acorn.
    "O": (
        Shape("M-1.6 -13.5C-1.6 -16 -0.4 -18 1.2 -20L4 -18.6C2.6 -17 1.8 -15.4 1.8 -13.5z"),
        Shape(
            "M-15 -4C-16 -10 -9 -13.5 0 -13.5S16 -10 15 -4"
            "C15 -2.6 14 -2 12.8 -2H-12.8C-14 -2 -15 -2.6 -15 -4z"
        ),
        Shape("M-12 0.4H12C12.6 9 7 14.6 1.6 17L0 20L-1.6 17C-7 14.6 -12.6 9 -12 0.4z"),
    ),
    # Strands that hang from a bough.
    "W": (
        Shape("M-19.5 -11C-14 -19.5 14 -19.5 19.5 -11L17.6 -9.6C12 -15.4 -12 -15.4 -17.6 -9.6z"),
        Shape("M-17 -10.5C-12.6 -4 -13 6 -17 12C-20.4 6 -20.6 -4 -17 -10.5z"),
        Shape("M-8.6 -13C-4 -4 -4.4 9 -8.6 17C-12.6 9 -12.8 -4 -8.6 -13z"),
        Shape("M0 -14C4.4 -4 4.2 11 0 20C-4.2 11 -4.4 -4 0 -14z"),
        Shape("M8.6 -13C12.8 -4 12.6 9 8.6 17C4.4 9 4 -4 8.6 -13z"),
        Shape("M17 -10.5C20.6 -4 20.4 6 17 12C13 6 12.6 -4 17 -10.5z"),
    ),
}
"""Species letter -> its emblem."""
