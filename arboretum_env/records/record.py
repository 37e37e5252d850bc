"""A game as data: the deal, who sat where, the moves, and how it ended.

A record replays without our random generator, since it holds the hands and the deck in draw order.
It may be unfinished (the last turn may stop after any token), and a card that nobody noted may be
unknown (``UNKNOWN``) in the hands and the deck: a real game written down from one chair. Everything
else in a game of Arboretum is public, so no other card can be missing.

Whether the *moves* are legal is not decided here but by ``replay``; a ``GameRecord`` only promises
that its deal is a possible deal and that it can be written down.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from arboretum_env.config import GameConfig
from arboretum_env.display import Displayed
from arboretum_env.errors import RecordError

UNKNOWN: Final[int] = -1
"""A card that nobody noted; written ``?``."""

DECK: Final[int] = -1
"""``Draw.pile`` of a draw from the deck (piles are numbered by absolute seat)."""

MAX_COORDINATE: Final[int] = 99
"""No arboretum of any ``GameConfig`` reaches further, so the text of a cell stays short."""

_FORFEIT = re.compile(r"forfeit seat ([0-3])\b")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True)
class Draw:
    """One draw.

    Attributes:
        pile: ``DECK``, or the absolute seat whose discard pile the card was taken from.
        card: the card taken from a pile, as its id; ``UNKNOWN`` for a draw from the deck, whose
            card stands in ``GameRecord.deck``.
        seen: False for a draw from the deck that the note-taker wrote as ``?``.
    """

    pile: int = DECK
    card: int = UNKNOWN
    seen: bool = True


@dataclass(frozen=True)
class TurnRecord:
    """One turn, possibly the unfinished last one.

    Attributes:
        draws: none, one or two.
        card: the card chosen to be planted, or None.
        cell: its true coordinates (x to the right, y up), or None when chosen but not yet placed.
        discard: the card discarded, or None.
        comment: free text, ``""`` for none.
    """

    draws: tuple[Draw, ...] = ()
    card: int | None = None
    cell: tuple[int, int] | None = None
    discard: int | None = None
    comment: str = ""

    @property
    def num_decisions(self) -> int:
        """How many of the turn's five decisions are noted."""
        later = (self.card, self.cell, self.discard)
        return len(self.draws) + sum(part is not None for part in later)

    @property
    def complete(self) -> bool:
        """Whether the turn is noted to its end."""
        return self.discard is not None


@dataclass(frozen=True)
class SourceLines:
    """Where the parts of a record stand in the text it was read from, for error messages.

    Attributes:
        headers: header name -> 1-based line.
        tokens: turn index -> the line of each token after the turn's number.
    """

    headers: dict[str, int] = field(default_factory=dict)
    tokens: tuple[tuple[int, ...], ...] = ()

    def of_token(self, turn: int, token: int) -> int | None:
        """Line of a token of a turn, or None when there is no such token."""
        if turn < len(self.tokens) and token < len(self.tokens[turn]):
            return self.tokens[turn][token]
        return None


@dataclass(frozen=True)
class GameRecord(Displayed):
    """One game.

    Attributes:
        config: the game's options; ``hand_size`` follows from ``hands``.
        hands: dealt cards per absolute seat, as ids or ``UNKNOWN``.
        deck: what is left after hands and starting discards, next drawn first; ids or ``UNKNOWN``.
        discards: starting discards per absolute seat, bottom to top.
        turns: the moves; seats move in turn from seat 0.
        seats: names of those who played, per absolute seat; ``""`` where unknown.
        deal: free text on where the deal comes from; ``""`` for none.
        result: points per absolute seat, or None while unfinished.
        winners: seats that won (several share a win), or None when not stated.
        termination: why the game ended if not by the rules, e.g. ``forfeit seat 1: illegal move``.
        takebacks: moves taken back after something hidden had been seen; it counts nowhere.
        source: lines of the text it was read from; no part of the record's value.

    Raises:
        RecordError: the deal is impossible, or the parts contradict each other.
    """

    config: GameConfig
    hands: tuple[tuple[int, ...], ...]
    deck: tuple[int, ...]
    discards: tuple[tuple[int, ...], ...] = ()
    turns: tuple[TurnRecord, ...] = ()
    seats: tuple[str, ...] = ()
    deal: str = ""
    result: tuple[int, ...] | None = None
    winners: tuple[int, ...] | None = None
    termination: str = ""
    takebacks: int = 0
    source: SourceLines | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        players = self.config.num_players
        # Frozen: the two defaults that depend on the number of players are filled in here.
        object.__setattr__(self, "seats", self.seats or ("",) * players)
        object.__setattr__(self, "discards", self.discards or ((),) * players)
        self._check_sizes()
        self._check_deal()
        self._check_turns()
        self._check_end()
        self._check_texts()

    def _fail(self, header: str, token: str, reason: str) -> RecordError:
        line = self.source.headers.get(header) if self.source else None
        return RecordError(f"{header}: {reason}", line=line, token=token)

    def _check_sizes(self) -> None:
        config = self.config
        for header, given in (
            ("Hands", len(self.hands)),
            ("Discards", len(self.discards)),
            ("Seat", len(self.seats)),
        ):
            if given != config.num_players:
                raise self._fail(header, "", f"{given} seats given, expected {config.num_players}")
        for seat, hand in enumerate(self.hands):
            if len(hand) != config.hand_size:
                raise self._fail(
                    "Hands", "", f"seat {seat} has {len(hand)} cards, expected {config.hand_size}"
                )
        for seat, pile in enumerate(self.discards):
            expected = 1 if config.starting_discards and seat > 0 else 0
            if len(pile) != expected:
                raise self._fail(
                    "Discards",
                    "",
                    f"seat {seat} starts with {len(pile)} cards, expected {expected} "
                    f"(StartingDiscards {int(config.starting_discards)})",
                )
        if len(self.deck) != config.deck_size:
            raise self._fail(
                "Deck", "", f"{len(self.deck)} cards, expected the {config.deck_size} left"
            )

    def _check_deal(self) -> None:
        seen: set[int] = set()
        for header, card in self._dealt():
            if card == UNKNOWN:
                if header == "Discards":
                    raise self._fail(header, "?", "a starting discard lies face up: give its card")
                continue
            text = self.config.card_text(card)  # raises CardError when out of range
            if card in seen:
                raise self._fail(header, text, "the card stands twice in the deal")
            seen.add(card)

    def _dealt(self) -> Iterator[tuple[str, int]]:
        for hand in self.hands:
            yield from (("Hands", card) for card in hand)
        for pile in self.discards:
            yield from (("Discards", card) for card in pile)
        yield from (("Deck", card) for card in self.deck)

    def _check_turns(self) -> None:
        for index, turn in enumerate(self.turns):
            parts = (len(turn.draws) == 2, turn.card is not None, turn.cell is not None)
            later = (turn.card is not None, turn.cell is not None, turn.discard is not None)
            if len(turn.draws) > 2 or any(
                after and not before for before, after in zip(parts, later, strict=True)
            ):
                raise RecordError(
                    f"turn {index + 1}: expected two draws, a plant and a discard, in that order"
                )
            if not turn.complete and index < len(self.turns) - 1:
                raise RecordError(f"turn {index + 1} is not complete, but another turn follows")
            self._check_moves(index, turn)

    def _check_moves(self, index: int, turn: TurnRecord) -> None:
        for draw in turn.draws:
            if not draw.seen and draw.pile != DECK:
                raise RecordError(f"turn {index + 1}: a card taken from a pile is seen by all")
            if draw.pile == DECK:
                if draw.card != UNKNOWN:
                    raise RecordError(
                        f"turn {index + 1}: the card of a draw from the deck stands in the deck"
                    )
            elif not 0 <= draw.pile < self.config.num_players:
                raise RecordError(
                    f"turn {index + 1}: pile {draw.pile}, expected a seat "
                    f"0..{self.config.num_players - 1}"
                )
        moved = [draw.card for draw in turn.draws if draw.pile != DECK]
        moved += [card for card in (turn.card, turn.discard) if card is not None]
        for card in moved:
            self.config.card_text(card)
        if turn.cell is not None and max(map(abs, turn.cell)) > MAX_COORDINATE:
            raise RecordError(
                f"turn {index + 1}: cell {turn.cell[0]},{turn.cell[1]}: expected coordinates "
                f"within +-{MAX_COORDINATE}"
            )

    def _check_end(self) -> None:
        players = self.config.num_players
        if self.result is not None:
            if len(self.result) != players or not all(0 <= p < 1000 for p in self.result):
                raise self._fail(
                    "Result", self.result_text, f"expected {players} scores of 0 or more"
                )
        elif self.winners is not None and not self.termination:
            raise self._fail(
                "Winners", self.winners_text, "an unfinished game has no winners (Result is *)"
            )
        if self.winners is not None:
            ascending = tuple(sorted(set(self.winners)))
            if (
                not ascending
                or self.winners != ascending
                or not 0 <= min(ascending) <= max(ascending) < players
            ):
                raise self._fail(
                    "Winners", self.winners_text, f"expected seats of 0..{players - 1}, ascending"
                )
            if self.forfeited_by in self.winners:
                raise self._fail("Winners", self.winners_text, "a seat that forfeited cannot win")
        if self.takebacks < 0:
            raise self._fail("Takebacks", str(self.takebacks), "expected 0 or more")

    def _check_texts(self) -> None:
        headers = [("Deal", self.deal), ("Termination", self.termination)]
        headers += [(f"Seat{seat}", name) for seat, name in enumerate(self.seats)]
        for header, value in headers:
            if '"' in value or _CONTROL.search(value) or _SURROGATE.search(value):
                raise self._fail(
                    header, repr(value), "no double quote or control character can be written"
                )
        for index, turn in enumerate(self.turns):
            if "}" in turn.comment or _SURROGATE.search(turn.comment):
                raise RecordError(
                    f"turn {index + 1}: the comment holds a character that cannot be written (}} "
                    "or half a surrogate pair)",
                    token=turn.comment,
                )

    @property
    def forfeited_by(self) -> int | None:
        """The seat that forfeited, read from ``termination``, or None."""
        match = _FORFEIT.match(self.termination)
        return int(match.group(1)) if match else None

    @property
    def result_text(self) -> str:
        """``31-28``, or ``*`` while unfinished."""
        return "*" if self.result is None else "-".join(map(str, self.result))

    @property
    def winners_text(self) -> str:
        """Winning seats, ``0 2``; ``""`` when not stated."""
        return " ".join(map(str, self.winners or ()))

    @property
    def has_unknown_cards(self) -> bool:
        """Whether some card of the deal was not noted."""
        return UNKNOWN in self.deck or any(UNKNOWN in hand for hand in self.hands)

    @property
    def num_decisions(self) -> int:
        """Decisions noted, over all turns."""
        return sum(turn.num_decisions for turn in self.turns)
