"""A board that was noted by hand or by another program: hands and arboreta, to be scored.

Boards need not come from a game: any hand size, any connected layout, one to four players.
``board_json`` and ``board_grid`` read them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from arboretum_env.cards import MAX_RANKS, SPECIES_LETTERS, parse_card
from arboretum_env.config import MAX_PLAYERS, GameConfig
from arboretum_env.engine.scoring import score_board
from arboretum_env.errors import BoardError, CardError, ConfigError
from arboretum_env.records.scoresheet import ScoreSheet, score_sheet
from arboretum_env.records.species_names import SpeciesReader

_CARD: Final = re.compile(r"(.*?)[\s_-]*([0-9]{1,2})")
_FEWEST_SEATS: Final[int] = 2
_FEWEST_SPECIES: Final[int] = 2


@dataclass(frozen=True)
class Board:
    """Hands and arboreta of one to four players.

    Attributes:
        config: species, ranks and rule switches. A ``GameConfig`` has at least two seats and two
            species; where the board has fewer, empty ones are added, which change nothing.
        species: letters of the species in play, without those added.
        hands: card ids per player.
        arboreta: (x, y, card id) per player.
    """

    config: GameConfig
    species: str
    hands: tuple[tuple[int, ...], ...]
    arboreta: tuple[tuple[tuple[int, int, int], ...], ...]

    def score(self) -> ScoreSheet:
        """The score sheet.

        Raises:
            BoardError: a card twice, a cell twice, or an arboretum in several pieces.
        """
        empty = [()] * (self.config.num_players - len(self.hands))
        scores = score_board(self.config, [*self.hands, *empty], [*self.arboreta, *empty])
        sheet = score_sheet(self.config, scores, self.hands, self.arboreta)
        return replace(
            sheet,
            players=tuple(
                replace(player, rows=player.rows[: len(self.species)]) for player in sheet.players
            ),
        )


@dataclass
class PlayerNotes:
    """One player's cards as texts, by letter or name: ``M7``, ``Maple 7``, ``Blue_Spruce7``."""

    hand: list[str] = field(default_factory=list)
    arboretum: list[tuple[int, int, str]] = field(default_factory=list)


def make_board(
    players: Sequence[PlayerNotes],
    species: Sequence[str] | None = None,
    *,
    num_ranks: int = MAX_RANKS,
    cancel_eights: bool = True,
    rights: Literal["highest", "all"] = "highest",
) -> Board:
    """The board of some notes.

    Args:
        players: one to four players' cards.
        species: letters or names of the species in play. None: those that are on the board, which
            scores the same, since a species that nobody has gives no points.
        num_ranks: R.
        cancel_eights: as in ``GameConfig``.
        rights: as in ``GameConfig``.

    Raises:
        BoardError: a text that is no card in play, a wrong number of players or species.
    """
    if not 1 <= len(players) <= MAX_PLAYERS:
        raise BoardError(f"{len(players)} players: expected 1..{MAX_PLAYERS}")
    reader = SpeciesReader()
    hands = [[_parse(text, reader) for text in notes.hand] for notes in players]
    arboreta = [
        [(x, y, _parse(text, reader)) for x, y, text in notes.arboretum] for notes in players
    ]
    if species is not None:
        letters = "".join(reader.letter(name) for name in species)
    else:
        letters = _letters_on_board(hands, arboreta)
    try:
        config = GameConfig(
            num_players=max(len(players), _FEWEST_SEATS),
            species=letters + _padding(letters),
            num_ranks=num_ranks,
            hand_size=1,  # unused: hands on a board have any size
            cancel_eights=cancel_eights,
            rights=rights,
        )
        # Not config.parse_card, which would also take the species that were added.
        return Board(
            config,
            letters,
            tuple(tuple(parse_card(card, letters, num_ranks) for card in hand) for hand in hands),
            tuple(
                tuple((x, y, parse_card(card, letters, num_ranks)) for x, y, card in arboretum)
                for arboretum in arboreta
            ),
        )
    except (CardError, ConfigError) as error:
        raise BoardError(str(error)) from error


def _parse(text: str, reader: SpeciesReader) -> str:
    """Letter and rank of a card given by letter or name."""
    match = _CARD.fullmatch(text.strip())
    if match is None:
        raise BoardError(f"card {text!r}: expected species and rank, such as M7 or Maple 7")
    return f"{reader.letter(match.group(1))}{int(match.group(2))}"


def _letters_on_board(
    hands: Sequence[Sequence[str]], arboreta: Sequence[Sequence[tuple[int, int, str]]]
) -> str:
    cards = [card for hand in hands for card in hand]
    cards += [card for arboretum in arboreta for _, _, card in arboretum]
    return "".join(letter for letter in SPECIES_LETTERS if any(card[0] == letter for card in cards))


def _padding(letters: str) -> str:
    absent = [letter for letter in SPECIES_LETTERS if letter not in letters]
    return "".join(absent[: max(_FEWEST_SPECIES - len(letters), 0)])
