"""Species, ranks and card ids.

A card id is ``species_index * R + rank - 1``, where ``species_index`` counts the species *in play*
(docs/rules.md, Setup) and ``R`` is the number of ranks (8, but in reduced games). A card's text is
its species letter and its rank: ``M7`` is the seven of Maple.
"""

from typing import Final

from arboretum_env.errors import CardError

SPECIES_NAMES: Final[dict[str, str]] = {
    "C": "Cassia",
    "D": "Dogwood",
    "J": "Jacaranda",
    "V": "Olive",
    "L": "Lilac",
    "G": "Magnolia",
    "M": "Maple",
    "P": "Royal Poinciana",
    "O": "Oak",
    "W": "Weeping Willow",
}
"""Species letter -> name in the order of the notation table; the first S are in play by default."""

SPECIES_LETTERS: Final[str] = "".join(SPECIES_NAMES)

MAX_RANKS: Final[int] = 8
MAX_SPECIES: Final[int] = len(SPECIES_NAMES)


def card_text(card_id: int, species: str, num_ranks: int = MAX_RANKS) -> str:
    """Text of a card id, e.g. ``M7``.

    Args:
        card_id: 0 <= id < len(species) * num_ranks.
        species: letters of the species in play, in order.
        num_ranks: ranks per species (R).

    Raises:
        CardError: the id is out of range.

    >>> card_text(6, "CDJVLG")
    'C7'
    """
    if not 0 <= card_id < len(species) * num_ranks:
        raise CardError(
            f"card id {card_id} is not in play: expected 0..{len(species) * num_ranks - 1}"
        )
    return f"{species[card_id // num_ranks]}{card_id % num_ranks + 1}"


def parse_card(text: str, species: str, num_ranks: int = MAX_RANKS) -> int:
    """Card id of a text such as ``M7``.

    Raises:
        CardError: not a species in play followed by a rank 1..R.

    >>> parse_card("C7", "CDJVLG")
    6
    """
    rank_text = text[1:]
    if (
        len(text) != 2
        or text[0] not in species
        or rank_text not in "12345678"
        or not 1 <= int(rank_text) <= num_ranks
    ):
        raise CardError(
            f"{text!r} is not a card in play: expected one letter of {species} "
            f"and a rank 1..{num_ranks}"
        )
    return species.index(text[0]) * num_ranks + int(rank_text) - 1
