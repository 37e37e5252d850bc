"""Species are told apart by colour, by everybody, and texts on cards can be read."""

import itertools

import pytest

from arboretum_env.cards import SPECIES_LETTERS
from arboretum_env.drawing.theme import SPECIES_COLOURS, ink_on
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
    assert {pair: d for pair, d in distances.items() if d < 15} == {}


@pytest.mark.parametrize("letter", SPECIES_LETTERS)
def test_letters_and_ranks_can_be_read(letter: str) -> None:
    colour = SPECIES_COLOURS[letter]
    # WCAG 2.1 asks for 3:1 of large bold text, which all text on cards is.
    assert contrast(colour, ink_on(colour)) >= 3.5
    other = "#FFFFFF" if ink_on(colour) != "#FFFFFF" else "#2B2A26"
    assert contrast(colour, ink_on(colour)) >= contrast(colour, other)
