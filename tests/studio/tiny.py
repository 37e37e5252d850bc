"""A tiny game with a deal by hand, so that every position of it is known."""

from typing import Any, Final

TINY: Final[dict[str, Any]] = {
    "species": "CDJ",
    "ranks": 3,
    "hand_size": 1,
    "deal": {"hands": [["C1"], ["D1"]], "deck": ["C2", "D3", "C3", "D2", "J1", "J2", "J3"]},
}
"""Options of the game: seat 0 holds C1, seat 1 holds D1, and the deck is in draw order."""

TURNS: Final = (
    ("d", "d", "C1@0,0", "xD3"),
    ("p0", "d", "D1@0,0", "xC3"),
    ("d", "p1", "C2@1,0", "xD2"),
    ("p0", "d", "D2@0,1", "xJ1"),
)
"""A line of play from there; one card, J3, is left in the deck after it."""
