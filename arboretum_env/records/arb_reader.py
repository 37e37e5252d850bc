"""Reads ``.arb`` text. An error names its line and token, and reading recovers behind it."""

import math
import re
from dataclasses import dataclass, field, replace

from arboretum_env.config import GameConfig
from arboretum_env.errors import RecordError
from arboretum_env.records.arb_headers import Headers
from arboretum_env.records.arb_lexer import Item, lex
from arboretum_env.records.record import GameRecord, SourceLines, TurnRecord
from arboretum_env.records.tokens import add_token

_TURN_NUMBER = re.compile(r"([0-9]{1,4})\.")


@dataclass(frozen=True)
class ParsedArb:
    """What could be read of a text.

    Attributes:
        record: the game up to the first error in its moves, or None when the headers do not give
            a possible deal.
        errors: every error found, by line; empty for a good text.
    """

    record: GameRecord | None
    errors: tuple[RecordError, ...]


def read_arb(text: str) -> GameRecord:
    """Read a record.

    Raises:
        RecordError: the first error of the text, with its line and token.
    """
    parsed = parse_arb(text)
    if parsed.record is None or parsed.errors:
        raise parsed.errors[0]
    return parsed.record


def parse_arb(text: str) -> ParsedArb:
    """Read as much of a record as possible and collect every error."""
    errors: list[RecordError] = []
    headers = Headers(errors)
    moves: list[Item] = []
    for item in lex(text.removeprefix("\ufeff"), errors):
        if item.kind != "header":
            moves.append(item)
        elif moves:
            errors.append(
                RecordError("a header after the first move", line=item.line, token=item.name)
            )
        else:
            headers.add(item)
    record = None
    config = headers.config()
    if config is not None:
        reader = _TurnReader(config, errors)
        for item in moves:
            reader.add(item)
        record = _build(config, headers, reader)
    return ParsedArb(record, tuple(sorted(errors, key=_line_of)))


def _line_of(error: RecordError) -> float:
    """Where to sort an error: what is missing altogether comes last."""
    return math.inf if error.line is None else error.line


@dataclass
class _TurnReader:
    """Collects turns. After an error it skips to the next turn's number and looks for more errors.

    Attributes:
        kept: how many turns belong to the record once an error has been met; the last of them may
            be incomplete.
    """

    config: GameConfig
    errors: list[RecordError]
    turns: list[TurnRecord] = field(default_factory=list)
    lines: list[list[int]] = field(default_factory=list)
    expected: int = 1
    skipping: bool = False
    closed: bool = False
    kept: int | None = None

    def add(self, item: Item) -> None:
        """Take in the next token or comment."""
        number = _TURN_NUMBER.fullmatch(item.text) if item.kind == "token" else None
        if number is not None:
            self._start_turn(item, int(number.group(1)))
        elif not self.skipping:
            self._continue_turn(item)

    def _start_turn(self, item: Item, number: int) -> None:
        if self.turns and not self.turns[-1].complete and not self.skipping:
            self._fail(
                item, f"turn {self.expected - 1} is not complete: expected draws, plant and discard"
            )
        elif number != self.expected:
            self._fail(item, f"expected turn {self.expected}.")
        self.turns.append(TurnRecord())
        self.lines.append([])
        self.expected = number + 1
        self.skipping = self.closed = False

    def _continue_turn(self, item: Item) -> None:
        if not self.turns:
            self._fail(item, "expected the first turn's number, 1.")
        elif self.closed:
            self._fail(item, "a comment closes its turn: expected the next turn's number")
        elif item.kind == "comment":
            self.turns[-1] = replace(self.turns[-1], comment=item.text)
            self.closed = True
        else:
            try:
                self.turns[-1] = add_token(self.config, self.turns[-1], item.text)
                self.lines[-1].append(item.line)
            except RecordError as error:
                self._fail(item, error.reason)

    def _fail(self, item: Item, reason: str) -> None:
        self.errors.append(RecordError(reason, line=item.line, token=item.text))
        self.skipping = True
        if self.kept is None:
            self.kept = len(self.turns)


def _build(config: GameConfig, headers: Headers, reader: _TurnReader) -> GameRecord | None:
    for seat in range(config.num_players, 4):
        if f"Seat{seat}" in headers.values:
            headers.fail(f"Seat{seat}", "", f"the game has {config.num_players} seats")
    before = len(headers.errors)
    hands = headers.groups("Hands", config)
    deck = headers.cards("Deck", config)
    discards = headers.groups("Discards", config)
    result = headers.result()
    winners = headers.winners()
    takebacks = headers.number("Takebacks", 0)
    if len(headers.errors) > before:
        return None
    try:
        return GameRecord(
            config=config,
            hands=hands,
            deck=deck,
            discards=discards,
            turns=tuple(reader.turns[: reader.kept]),
            seats=tuple(headers.values.get(f"Seat{p}", "") for p in range(config.num_players)),
            deal=headers.values.get("Deal", ""),
            result=result,
            winners=winners,
            termination=headers.values.get("Termination", ""),
            takebacks=takebacks,
            source=SourceLines(headers.lines, tuple(map(tuple, reader.lines[: reader.kept]))),
        )
    except RecordError as error:
        headers.errors.append(error)
        return None
