"""The headers of an ``.arb`` record: names, values, and what they say about the game."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from arboretum_env.cards import MAX_RANKS
from arboretum_env.config import GameConfig
from arboretum_env.errors import CardError, ConfigError, RecordError
from arboretum_env.records.arb_lexer import Item
from arboretum_env.records.arb_writer import VERSION
from arboretum_env.records.tokens import parse_card_or_unknown

REQUIRED_HEADERS: Final = ("Arboretum", "Players", "Species", "Hands", "Deck", "Result")
OPTIONAL_HEADERS: Final = (
    "Ranks",
    "StartingDiscards",
    "CancelEights",
    "Rights",
    "Deal",
    "Discards",
    "Takebacks",
    "Seat0",
    "Seat1",
    "Seat2",
    "Seat3",
    "Winners",
    "Termination",
)

_NUMBER = re.compile(r"[0-9]{1,6}", re.ASCII)
_POINTS = re.compile(r"[0-9]{1,3}(?:-[0-9]{1,3})*", re.ASCII)


@dataclass
class Headers:
    """Headers as read, by name, and the errors found among them.

    Attributes:
        values: header name -> value.
        lines: header name -> 1-based line.
        errors: every error found so far; shared with the reader.
    """

    errors: list[RecordError]
    values: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)

    def add(self, item: Item) -> None:
        """Take a header in; an unknown or repeated one is an error."""
        if item.name not in REQUIRED_HEADERS + OPTIONAL_HEADERS:
            known = ", ".join(REQUIRED_HEADERS + OPTIONAL_HEADERS)
            reason = f"unknown header, expected one of {known}"
            self.errors.append(RecordError(reason, line=item.line, token=item.name))
        elif item.name in self.values:
            self.errors.append(
                RecordError(
                    f"the header stands twice, first on line {self.lines[item.name]}",
                    line=item.line,
                    token=item.name,
                )
            )
        else:
            self.values[item.name] = item.text
            self.lines[item.name] = item.line

    def fail(self, name: str, token: str, reason: str) -> None:
        """Note an error in the value of a header."""
        self.errors.append(RecordError(f"{name}: {reason}", line=self.lines.get(name), token=token))

    def number(self, name: str, default: int) -> int:
        """The value of a header that holds a whole number."""
        text = self.values.get(name)
        if text is None:
            return default
        if not _NUMBER.fullmatch(text):
            self.fail(name, text, "expected a whole number of 0 or more")
            return default
        return int(text)

    def flag(self, name: str, default: bool) -> bool:
        """The value of a header that holds 0 or 1."""
        text = self.values.get(name)
        if text not in (None, "0", "1"):
            self.fail(name, str(text), "expected 0 or 1")
        return default if text not in ("0", "1") else text == "1"

    def config(self) -> GameConfig | None:
        """The game's options, or None after an error."""
        before = len(self.errors)
        for name in REQUIRED_HEADERS:
            if name not in self.values:
                self.errors.append(RecordError(f"no [{name} ...] header", token=name))
        if self.values.get("Arboretum", VERSION) != VERSION:
            self.fail("Arboretum", self.values["Arboretum"], f"expected version {VERSION}")
        options: dict[str, Any] = {
            "num_players": self.number("Players", 2),
            "species": self.values.get("Species", ""),
            "num_ranks": self.number("Ranks", MAX_RANKS),
            "hand_size": len(self.values.get("Hands", "").split("/")[0].split()),
            "starting_discards": self.flag("StartingDiscards", False),
            "cancel_eights": self.flag("CancelEights", True),
            "rights": self.values.get("Rights", "highest"),
        }
        if "Species" in self.values and not options["species"]:
            self.fail("Species", "", "expected the letters of the species in play")
        if len(self.errors) > before:
            return None
        try:
            return GameConfig(**options)
        except ConfigError as error:
            name = _HEADER_OF_OPTION.get(error.option, "Species")
            self.fail(name, self.values.get(name, ""), str(error))
            return None

    def groups(self, name: str, config: GameConfig) -> tuple[tuple[int, ...], ...]:
        """Cards of every seat, ``C8 D3 / - / V6``."""
        parts = self.values[name].split("/") if name in self.values else []
        return tuple(self._cards(name, part, config) for part in parts)

    def cards(self, name: str, config: GameConfig) -> tuple[int, ...]:
        """Cards of a header such as ``Deck``."""
        return self._cards(name, self.values.get(name, ""), config)

    def _cards(self, name: str, text: str, config: GameConfig) -> tuple[int, ...]:
        cards = []
        for token in [] if text.strip() == "-" else text.split():
            try:
                cards.append(parse_card_or_unknown(config, token))
            except CardError as error:
                self.fail(name, token, str(error))
        return tuple(cards)

    def result(self) -> tuple[int, ...] | None:
        """Points per seat, or None for ``*``."""
        text = self.values.get("Result", "*")
        if text == "*":
            return None
        if not _POINTS.fullmatch(text):
            self.fail("Result", text, "expected points such as 31-28, or * while unfinished")
            return None
        return tuple(map(int, text.split("-")))

    def winners(self) -> tuple[int, ...] | None:
        """Winning seats, or None when not stated."""
        text = self.values.get("Winners")
        if text is None:
            return None
        seats: Sequence[str] = text.replace(",", " ").split()
        if not seats or not all(_NUMBER.fullmatch(seat) for seat in seats):
            self.fail("Winners", text, "expected seats such as 0 or 0 2")
            return None
        return tuple(sorted(map(int, seats)))


_HEADER_OF_OPTION: Final = {
    "num_players": "Players",
    "species": "Species",
    "num_ranks": "Ranks",
    "hand_size": "Hands",
    "rights": "Rights",
}
