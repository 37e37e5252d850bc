"""Species are told apart by colour, by everybody, and texts on cards can be read."""

import itertools

import pytest

from arboretum_env.cards import SPECIES_LETTERS
from arboretum_env.drawing.theme import (
    DARK_INK,
    LIGHT,
    PALETTES,
    SPECIES_COLOURS,
    WHITE_INK,
    Theme,
    ink_on,
)
from tests.drawing.colours import DEFICIENCIES, contrast, lab


def test_every_species_has_its_own_colour() -> None:
    assert "".join(SPECIES_COLOURS) == SPECIES_LETTERS
    assert len(set(SPECIES_COLOURS.values())) == len(SPECIES_LETTERS)


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_colours_are_apart_for_every_kind_of_sight(deficiency: str) -> None:
    distances = {
        first + second: float(
            sum(
                (lab(SPECIES_COLOURS[first], deficiency) - lab(SPECIES_COLOURS[second], deficiency))
                ** 2
            )
            ** 0.5
        )
        for first, second in itertools.combinations(SPECIES_LETTERS, 2)
    }
    # A difference of 2.3 can just be noticed side by side.
    assert {pair: d for pair, d in distances.items() if d < 19} == {}


@pytest.mark.parametrize("letter", SPECIES_LETTERS)
def test_letters_and_ranks_can_be_read(letter: str) -> None:
    colour = SPECIES_COLOURS[letter]
    # WCAG 2.1 asks for 4.5:1 of text of any size.
    assert contrast(colour, ink_on(colour)) >= 4.5
    other = WHITE_INK if ink_on(colour) == DARK_INK else DARK_INK
    assert contrast(colour, ink_on(colour)) >= contrast(colour, other)


@pytest.mark.parametrize("theme", PALETTES)
def test_texts_and_marks_can_be_seen_in_both_themes(theme: Theme) -> None:
    palette = PALETTES[theme]
    assert set(palette) == set(LIGHT)
    for ground in ("page", "panel", "soil"):
        for ink in ("ink", "faint", "mark"):
            assert contrast(palette[ink], palette[ground]) >= 4.5, (ink, ground)
    # WCAG 2.1 asks for 3:1 of what is no text but has to be seen.
    assert contrast(palette["legal-edge"], palette["soil"]) >= 3
    assert contrast(palette["legal-edge"], palette["legal"]) >= 3
    assert contrast(palette["back-line"], palette["back"]) >= 1.8
    for colour in SPECIES_COLOURS.values():
        edge = palette["card-edge"]
        seen = max(contrast(colour, palette["soil"]), contrast(edge, palette["soil"]))
        assert seen >= 3  # by its own colour or by its outline
