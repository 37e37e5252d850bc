"""A game record as ``.arb`` text. Reading what was written gives the same record."""

from collections.abc import Sequence

from arboretum_env.records.record import GameRecord
from arboretum_env.records.tokens import card_or_unknown_text, turn_tokens

VERSION = "1"


def write_arb(record: GameRecord) -> str:
    """Text of a record, ending in a newline.

    Everything that cannot be written (a double quote in a name, a ``}`` in a comment) was refused
    when the ``GameRecord`` was made.
    """
    headers = "\n".join(f'[{name} "{value}"]' for name, value in _headers(record))
    turns = "\n".join(_turn_line(record, index) for index in range(len(record.turns)))
    return f"{headers}\n\n{turns}\n" if turns else f"{headers}\n"


def _headers(record: GameRecord) -> list[tuple[str, str]]:
    config = record.config
    headers = [
        ("Arboretum", VERSION),
        ("Players", str(config.num_players)),
        ("Species", config.species),
    ]
    if config.num_ranks != 8:
        headers.append(("Ranks", str(config.num_ranks)))
    headers.append(("StartingDiscards", str(int(config.starting_discards))))
    if not config.cancel_eights:
        headers.append(("CancelEights", "0"))
    if config.rights != "highest":
        headers.append(("Rights", config.rights))
    if record.deal:
        headers.append(("Deal", record.deal))
    headers.append(("Hands", _groups(record, record.hands)))
    if config.starting_discards:
        headers.append(("Discards", _groups(record, record.discards)))
    headers.append(("Deck", _cards(record, record.deck)))
    if record.takebacks:
        headers.append(("Takebacks", str(record.takebacks)))
    headers += [(f"Seat{seat}", name) for seat, name in enumerate(record.seats) if name]
    if record.termination:
        headers.append(("Termination", record.termination))
    headers.append(("Result", record.result_text))
    if record.winners is not None:
        headers.append(("Winners", record.winners_text))
    return headers


def _cards(record: GameRecord, cards: Sequence[int]) -> str:
    return " ".join(card_or_unknown_text(record.config, card) for card in cards) or "-"


def _groups(record: GameRecord, groups: Sequence[Sequence[int]]) -> str:
    return " / ".join(_cards(record, cards) for cards in groups)


def _turn_line(record: GameRecord, index: int) -> str:
    turn = record.turns[index]
    parts = [f"{index + 1}.", *turn_tokens(record.config, turn)]
    if turn.comment:
        parts.append(f"{{{turn.comment}}}")
    return " ".join(parts)
