"""Game options, and every size and bound that follows (docs/rules.md, Setup and The end)."""

from functools import cached_property
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from arboretum_env import cards
from arboretum_env.errors import ConfigError
from arboretum_env.option_faults import fault_place, fault_text, unknown_key

MAX_PLAYERS: Final[int] = 4

_DEFAULT_SPECIES: Final[dict[int, int]] = {2: 6, 3: 8, 4: 10}


class GameConfig(BaseModel):
    """Options of one game of Arboretum.

    The defaults are the game of docs/rules.md for the given number of players. Fewer species, ranks
    or hand cards give reduced games for exact methods; the top rank then takes the 8's part.

    Attributes:
        num_players: players (P), 2 to 4.
        species: letters of the species in play, in card-id order. Default: the first 6 / 8 / 10
            letters of the notation table for 2 / 3 / 4 players. An integer means "the first n".
        num_ranks: ranks of every species (R), 3 to 8; the highest takes the 8's part.
        hand_size: cards in hand between turns, 1 to 7.
        starting_discards: every player but the first begins with one face-up card on the own
            discard pile (the 2015/16 printing).
        cancel_eights: an opponent's held 1 cancels a held top rank (docs/rules.md, Scoring).
        rights: ``"highest"`` as in the rules, or ``"all"``: everybody may score everything.

    Raises:
        ConfigError: the options do not describe a playable game.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    num_players: Annotated[int, Field(ge=2, le=MAX_PLAYERS)] = 2
    species: str = ""
    num_ranks: Annotated[int, Field(ge=3, le=cards.MAX_RANKS)] = cards.MAX_RANKS
    hand_size: Annotated[int, Field(ge=1, le=7)] = 7
    starting_discards: bool = False
    cancel_eights: bool = True
    rights: Literal["highest", "all"] = "highest"

    def __init__(self, **options: Any) -> None:
        try:
            super().__init__(**options)
        except ValidationError as error:
            faults = error.errors(include_url=False)
            raise ConfigError(
                f"game options: {'; '.join(map(_explain, faults))}", fault_place(faults[0])
            ) from error

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Tables are looked up by config at every step, and pydantic would hash all fields anew each
        # time. Of numbers alone: a string's hash would differ in the process that unpickles it.
        options = (self.starting_discards, self.cancel_eights, self.rights == "all")
        sizes = (self.num_players, self.num_ranks, self.hand_size)
        return hash((*self.species.encode(), *sizes, *options))

    @model_validator(mode="before")
    @classmethod
    def _fill_species(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        species = data.get("species")
        if species is None or species == "":
            species = _DEFAULT_SPECIES.get(data.get("num_players", 2), cards.MAX_SPECIES)
        if isinstance(species, str) and species.isdecimal():
            species = int(species)  # as a command line hands it over
        if isinstance(species, int) and not isinstance(species, bool):
            if not 2 <= species <= cards.MAX_SPECIES:
                raise ValueError(f"{species} species: expected 2..{cards.MAX_SPECIES}")
            species = cards.SPECIES_LETTERS[:species]
        return {**data, "species": species}

    @model_validator(mode="after")
    def _check(self) -> Self:
        unknown = [letter for letter in self.species if letter not in cards.SPECIES_LETTERS]
        if unknown or len(set(self.species)) != len(self.species):
            raise ValueError(
                f"species {self.species!r}: expected different letters of {cards.SPECIES_LETTERS}"
            )
        if not 2 <= len(self.species) <= cards.MAX_SPECIES:
            raise ValueError(f"{len(self.species)} species: expected 2..{cards.MAX_SPECIES}")
        if self.deck_size < 2:
            # A deck of 1 would leave no legal second draw on the first turn.
            raise ValueError(
                f"{self.num_cards} cards leave a deck of {self.deck_size} after the deal: expected "
                "at least 2; use more species or ranks, or smaller hands"
            )
        return self

    @property
    def num_species(self) -> int:
        """S, the species in play."""
        return len(self.species)

    @property
    def num_cards(self) -> int:
        """C = S * R, the cards in play."""
        return self.num_species * self.num_ranks

    @property
    def deck_size(self) -> int:
        """Cards in the deck when play begins (after hands and starting discards)."""
        starting = self.num_players - 1 if self.starting_discards else 0
        return self._cards_after_hands - starting

    @property
    def _cards_after_hands(self) -> int:
        return self.num_cards - self.num_players * self.hand_size

    @property
    def max_turns(self) -> int:
        """Every turn takes one card out of deck and discards for good (docs/rules.md, The end)."""
        return self._cards_after_hands - 1

    @property
    def min_turns(self) -> int:
        """The fewest turns: every draw from the deck."""
        return -(-self.deck_size // 2)

    @cached_property
    def max_plants(self) -> int:
        """n, the most cards that one player can plant."""
        return -(-self.max_turns // self.num_players)

    @cached_property
    def side(self) -> int:
        """W = n + 2, side of the torus that represents the borderless table exactly.

        A connected set of n - 1 cells with its frontier spans at most n + 1 rows or columns, so on
        a torus of side n + 2 no two different true cells that matter coincide or falsely touch.
        """
        return self.max_plants + 2

    def card_text(self, card_id: int) -> str:
        """Text of a card id, e.g. ``M7``."""
        return cards.card_text(card_id, self.species, self.num_ranks)

    def parse_card(self, text: str) -> int:
        """Card id of a text such as ``M7``; raises ``CardError``."""
        return cards.parse_card(text, self.species, self.num_ranks)


def _explain(fault: Any) -> str:
    if fault["type"] == "extra_forbidden":
        return unknown_key(fault_place(fault), GameConfig.model_fields)
    return fault_text(fault)


def check_choice(name: str, given: Any, choices: tuple[Any, ...]) -> None:
    """Refuses an option that is none of its choices.

    Raises:
        ConfigError: the message names the option and the choices.
    """
    if given not in choices:
        raise ConfigError(f"{name} {given!r}: expected one of {', '.join(map(repr, choices))}")
