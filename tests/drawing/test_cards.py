"""Cards: one symbol each, told apart by emblem, letter and rank, also where they are small."""

import itertools
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from numpy.typing import NDArray

from arboretum_env.cards import SPECIES_LETTERS
from arboretum_env.drawing.cards import (
    CARD_HEIGHT,
    CARD_WIDTH,
    add_card,
    add_symbols,
    card_name,
    card_sprite,
)
from arboretum_env.drawing.emblems import EMBLEMS
from arboretum_env.drawing.raster import svg_to_rgb
from arboretum_env.drawing.theme import FONT, LIGHT, SPECIES_COLOURS, ink_on
from tests.drawing.pictures import elements

CARDS = [f"{letter}{rank}" for letter in SPECIES_LETTERS for rank in range(1, 9)]


def picture(text: str, width: int) -> NDArray[np.uint8]:
    """[H, W, 3] pixels of one card, so many pixels wide."""
    svg = document()
    add_symbols(svg, [text], LIGHT)
    add_card(svg, 0, 0, CARD_WIDTH, text)
    return svg_to_rgb(ET.tostring(svg, encoding="unicode"), width / CARD_WIDTH)


def emblem(letter: str, size: int) -> NDArray[np.bool_]:
    """[size, size] where an emblem has ink."""
    svg = document(40, 40)
    rect = {"x": "-20", "y": "-20", "width": "40", "height": "40", "fill": "#FFFFFF"}
    svg.set("viewBox", "-20 -20 40 40")
    ET.SubElement(svg, "rect", rect)
    for shape in EMBLEMS[letter]:
        for turn in range(shape.turns):
            place = f"rotate({360 * turn / shape.turns})"
            ET.SubElement(svg, "path", {"d": shape.path, "transform": place})
    return svg_to_rgb(ET.tostring(svg, encoding="unicode"), size / 40)[:, :, 0] < 128


def document(width: int = CARD_WIDTH, height: int = CARD_HEIGHT) -> ET.Element:
    attributes = {"width": str(width), "height": str(height), "font-family": FONT}
    return ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg"} | attributes)


def test_the_sprite_has_every_card_once_and_the_back() -> None:
    sprite = card_sprite()
    symbols = [symbol.get("id") for symbol in elements(sprite, "symbol")]
    assert sorted(map(str, symbols)) == sorted([*(f"card-{card}" for card in CARDS), "card-back"])
    for symbol in elements(sprite, "symbol"):
        name = str(symbol.get("id"))
        assert symbol.get("viewBox") == "0 0 60 80"
        if name != "card-back":
            text = ET.tostring(symbol, encoding="unicode")
            assert [e.text for e in elements(text, "text")] == [name[-1]]
            assert [e.get("href") for e in elements(text, "use")] == [f"#face-{name[5]}"]
    faces = {str(e.get("id")): e for e in elements(sprite, "g") if e.get("id")}
    for letter in SPECIES_LETTERS:
        face = ET.tostring(faces[f"face-{letter}"], encoding="unicode")
        assert [e.text for e in elements(face, "text")] == [letter]
        assert [e.get("href") for e in elements(face, "use")] == [f"#emblem-{letter}"]
        assert next(elements(face, "rect")).get("fill") == SPECIES_COLOURS[letter]
        assert faces[f"emblem-{letter}"].get("fill") == ink_on(SPECIES_COLOURS[letter])


def test_a_page_with_a_strict_policy_takes_the_sprite() -> None:
    root = ET.fromstring(card_sprite())
    for element in root.iter():
        assert element.tag.rpartition("}")[2] in {
            "svg", "defs", "symbol", "g", "use", "rect", "path", "text",
        }  # fmt: skip
        assert "style" not in element.attrib
        assert not [name for name in element.attrib if name.startswith("on")]


def test_every_emblem_has_its_own_outline() -> None:
    inks = {letter: emblem(letter, 40) for letter in SPECIES_LETTERS}
    for letter, ink in inks.items():
        assert 0.2 < ink.mean() < 0.6, letter
        # It fills its box, and is not cut off.
        rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
        assert rows[-1] - rows[0] >= 30 and columns[-1] - columns[0] >= 24, letter
    alike = {
        first + second: (inks[first] & inks[second]).sum() / (inks[first] | inks[second]).sum()
        for first, second in itertools.combinations(SPECIES_LETTERS, 2)
    }
    assert {pair: share for pair, share in alike.items() if share > 0.66} == {}


@pytest.mark.parametrize("letter", SPECIES_LETTERS)
def test_ranks_and_letters_stand_apart_and_on_the_card(letter: str) -> None:
    face = np.array([int(SPECIES_COLOURS[letter][at : at + 2], 16) for at in (1, 3, 5)])
    for rank in range(1, 9):
        pixels = picture(f"{letter}{rank}", 240)
        head = pixels[24:132, 16:-16]  # without the outline, above the emblem
        ink = (np.abs(head.astype(int) - face).sum(axis=2) > 30).any(axis=0)
        assert not ink[0] and not ink[-1]
        changes = np.flatnonzero(ink[1:] != ink[:-1])
        assert len(changes) == 4, rank  # two blocks: the rank, and the letter
        assert changes[2] - changes[1] >= 6
        assert changes[1] - changes[0] >= 36  # the rank is large


@pytest.mark.parametrize("letter", SPECIES_LETTERS)
def test_ranks_can_be_told_apart_on_a_card_of_36_pixels(letter: str) -> None:
    heads = [picture(f"{letter}{rank}", 36)[4:22, 2:18].astype(int) for rank in range(1, 9)]
    inks = [abs(head - heads[0][0, 0]).sum(axis=2) > 150 for head in heads]
    for first, second in itertools.combinations(inks, 2):
        assert (first != second).sum() >= 12


def test_names_of_cards() -> None:
    assert [card_name(card) for card in ("M7", "P1", "W8")] == [
        "Maple 7",
        "Royal Poinciana 1",
        "Weeping Willow 8",
    ]
