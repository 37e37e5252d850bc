"""Pictures in words, for readers who do not see them: sentences for screen readers."""

from typing import Final

from arboretum_env.cards import SPECIES_NAMES
from arboretum_env.drawing.cards import card_name
from arboretum_env.drawing.scene import Scene, SpeciesPath

_SIDES: Final[tuple[tuple[int, int, str], ...]] = (
    (-1, 0, "right of"),
    (1, 0, "left of"),
    (0, -1, "above"),
    (0, 1, "below"),
)
"""Where a neighbour lies, and what the cell is to it."""


def seat_title(scene: Scene, seat: int) -> str:
    """``seat 0, planner``."""
    name = scene.seats[seat].name
    return f"seat {seat}, {name}" if name else f"seat {seat}"


def board_label(scene: Scene, seat: int) -> str:
    """What an arboretum's picture is, in a few words."""
    count = len(scene.seats[seat].arboretum)
    cards = {0: "nothing planted", 1: "1 card"}.get(count, f"{count} cards")
    return f"arboretum of {seat_title(scene, seat)}: {cards}"


def board_words(scene: Scene, seat: int, paths: bool = True) -> str:
    """An arboretum row by row from the top, its last card and, if wanted, its best paths."""
    part = scene.seats[seat]
    rows: dict[int, list[tuple[int, str]]] = {}
    for x, y, card in part.arboretum:
        rows.setdefault(y, []).append((x, card_name(scene.config.card_text(card))))
    sentences = [f"{board_label(scene, seat)[0].upper()}{board_label(scene, seat)[1:]}."]
    sentences += [
        f"Row {y}: " + ", ".join(f"{name} at {x}" for x, name in sorted(rows[y])) + "."
        for y in sorted(rows, reverse=True)
    ]
    if scene.last_planted is not None and scene.last_planted[0] == seat:
        sentences.append("Planted last: {},{}.".format(*scene.last_planted[1]))
    if paths:
        sentences += [path_words(scene, path) for path in part.paths]
    return " ".join(sentences)


def path_words(scene: Scene, path: SpeciesPath) -> str:
    """A best path, and whether it scores."""
    cards = ", ".join(map(scene.config.card_text, path.cards))
    verdict = {None: "", True: ", scored", False: ", denied for want of the right to score"}
    name = SPECIES_NAMES[scene.config.species[path.species]]
    return f"Best path of {name}: {cards}{verdict[path.right]}."


def cell_words(scene: Scene, seat: int, cell: tuple[int, int]) -> str:
    """What choosing a cell does: ``Plant Maple 7 at 1,0, right of Cassia 6``."""
    x, y = cell
    card = scene.chosen_card if scene.mover == seat else None
    what = "" if card is None else f" {card_name(scene.config.card_text(card))}"
    planted = {(x, y): card for x, y, card in scene.seats[seat].arboretum}
    sides = [
        f"{side} {card_name(scene.config.card_text(planted[x + dx, y + dy]))}"
        for dx, dy, side in _SIDES
        if (x + dx, y + dy) in planted
    ]
    return ", ".join([f"Plant{what} at {x},{y}", *sides])
