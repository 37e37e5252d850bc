"""Species by name, in the words of every printing of the game.

The first printing has three species that the later ones replaced. What is printed on a card has no
effect on the rules, so each of the three shares a letter with one of those that replaced it: Blue
Spruce with Olive (both evergreen), Cherry Blossom with Lilac (both bloom in spring), Tulip Poplar
with Magnolia (one botanical family). A board that calls on both names of a pair is refused.
"""

from typing import Final

from arboretum_env.cards import SPECIES_LETTERS, SPECIES_NAMES
from arboretum_env.errors import BoardError

OTHER_PRINTING: Final[dict[str, str]] = {
    "Blue Spruce": "V",
    "Cherry Blossom": "L",
    "Tulip Poplar": "G",
}
"""Names that only the first printing has -> the letter they share."""

_SHORT_NAMES: Final[dict[str, str]] = {
    "Spruce": "Blue Spruce",
    "Cherry": "Cherry Blossom",
    "Poplar": "Tulip Poplar",
    "Poinciana": "Royal Poinciana",
    "Willow": "Weeping Willow",
}

_LETTER_OF_NAME: Final[dict[str, str]] = {
    **{name: letter for letter, name in SPECIES_NAMES.items()},
    **OTHER_PRINTING,
}


def _key(name: str) -> str:
    """Letters only, lower case: ``Blue_Spruce`` and ``blue spruce`` are one name."""
    return "".join(character for character in name if character.isalpha()).casefold()


_NAME_OF_KEY: Final[dict[str, str]] = {
    **{_key(name): name for name in _LETTER_OF_NAME},
    **{_key(short): name for short, name in _SHORT_NAMES.items()},
}


class SpeciesReader:
    """Letters of the species of one board, which may call them by letter or by name."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}  # letter -> the full name that the board uses

    def letter(self, name: str) -> str:
        """Letter of a species.

        Raises:
            BoardError: no species of any printing, or the second name of one letter.

        >>> reader = SpeciesReader()
        >>> [reader.letter(name) for name in ("M", "Maple", "blue spruce")]
        ['M', 'M', 'V']
        """
        if len(name) == 1 and name in SPECIES_LETTERS:
            return name
        full = _NAME_OF_KEY.get(_key(name))
        if full is None:
            raise BoardError(
                f"species {name!r}: expected one letter of {SPECIES_LETTERS} or a name such as "
                "Maple or Blue Spruce"
            )
        letter = _LETTER_OF_NAME[full]
        other = self._names.setdefault(letter, full)
        if other != full:
            raise BoardError(
                f"{other} and {full} on one board: two printings' names of species {letter}; call "
                "one of them by the letter of a species that the board lacks"
            )
        return letter
