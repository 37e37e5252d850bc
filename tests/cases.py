"""Published boards and games of ``tests/data/cases``, in this project's notation.

The sources use species names of both printings; the files keep them, and this module maps each
name to a letter. No case uses two names that share a letter.
"""

import json
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent / "data" / "cases"

LETTERS = {
    "Cassia": "C",
    "Dogwood": "D",
    "Jacaranda": "J",
    "Olive": "V",
    "Lilac": "L",
    "Magnolia": "G",
    "Maple": "M",
    "Royal Poinciana": "P",
    "Oak": "O",
    "Willow": "W",
    # The other printing's species.
    "Blue Spruce": "V",
    "Cherry Blossom": "L",
    "Tulip Poplar": "G",
}


def scored_examples(kind: str) -> list[dict[str, Any]]:
    """The scored examples of one kind, in the file's order."""
    text = (CASES / "scored_examples.json").read_text(encoding="utf-8")
    return [case for case in json.loads(text)["cases"] if case["kind"] == kind]


def recorded_games() -> list[dict[str, Any]]:
    """The whole recorded games."""
    text = (CASES / "recorded_games.json").read_text(encoding="utf-8")
    games: list[dict[str, Any]] = json.loads(text)["games"]
    return games


def card(pair: list[Any]) -> str:
    """``["Maple", 7]`` -> ``"M7"``."""
    name, rank = pair
    return f"{LETTERS[name]}{rank}"


def cards(pairs: list[list[Any]]) -> list[str]:
    """A list of cards."""
    return [card(pair) for pair in pairs]


def arboretum(entries: list[list[Any]]) -> dict[tuple[int, int], str]:
    """``[[0, 1, "Maple", 7]]`` -> ``{(0, 1): "M7"}``, in the listed (planting) order."""
    return {(x, y): card([name, rank]) for x, y, name, rank in entries}
