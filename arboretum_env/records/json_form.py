"""A game record as JSON: the content of the ``.arb`` text under snake_case names.

The moves of a turn are the same tokens as in the text (``records/tokens.py``), so there is one
grammar for both forms.
"""

import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arboretum_env.cards import MAX_RANKS
from arboretum_env.config import GameConfig
from arboretum_env.errors import CardError, ConfigError, RecordError
from arboretum_env.option_faults import fault_place, fault_reason
from arboretum_env.records.record import GameRecord, TurnRecord
from arboretum_env.records.tokens import (
    add_token,
    card_or_unknown_text,
    parse_card_or_unknown,
    turn_tokens,
)


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class TurnJson(_Strict):
    """One turn: its tokens, and a comment."""

    moves: list[str]
    comment: str = ""


class RecordJson(_Strict):
    """The JSON form of a record, field by field. ``result`` and ``winners`` are null while open."""

    arboretum: Literal[1]
    players: int
    species: str = Field(min_length=2)
    ranks: int = MAX_RANKS
    starting_discards: bool = False
    cancel_eights: bool = True
    rights: Literal["highest", "all"] = "highest"
    deal: str = ""
    hands: list[list[str]]
    discards: list[list[str]] = Field(default_factory=list)
    deck: list[str]
    takebacks: int = 0
    seats: list[str] = Field(default_factory=list)
    termination: str = ""
    result: list[int] | None
    winners: list[int] | None = None
    turns: list[TurnJson] = Field(default_factory=list)


def record_to_json(record: GameRecord) -> dict[str, Any]:
    """The record as a plain dictionary, ready for ``json.dumps``."""
    config = record.config

    def texts(cards: tuple[int, ...]) -> list[str]:
        return [card_or_unknown_text(config, card) for card in cards]

    return RecordJson(
        arboretum=1,
        players=config.num_players,
        species=config.species,
        ranks=config.num_ranks,
        starting_discards=config.starting_discards,
        cancel_eights=config.cancel_eights,
        rights=config.rights,
        deal=record.deal,
        hands=[texts(hand) for hand in record.hands],
        discards=[texts(pile) for pile in record.discards],
        deck=texts(record.deck),
        takebacks=record.takebacks,
        seats=list(record.seats),
        termination=record.termination,
        result=None if record.result is None else list(record.result),
        winners=None if record.winners is None else list(record.winners),
        turns=[
            TurnJson(moves=turn_tokens(config, turn), comment=turn.comment) for turn in record.turns
        ],
    ).model_dump()


def record_from_json(data: Any) -> GameRecord:
    """The record of a parsed JSON document.

    Raises:
        RecordError: a field is missing, unknown or wrong, or the deal is impossible; the token is
            the offending piece of text.
    """
    try:
        form = RecordJson.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = fault_place(first) or "document"
        raise RecordError(
            f"{where}: {fault_reason(first)}", token=_short(first["input"])
        ) from error
    try:
        config = GameConfig(
            num_players=form.players,
            species=form.species,
            num_ranks=form.ranks,
            hand_size=len(form.hands[0]) if form.hands else 0,
            starting_discards=form.starting_discards,
            cancel_eights=form.cancel_eights,
            rights=form.rights,
        )
    except ConfigError as error:
        raise RecordError(str(error)) from error
    return GameRecord(
        config=config,
        hands=tuple(_cards(config, "hands", hand) for hand in form.hands),
        deck=_cards(config, "deck", form.deck),
        discards=tuple(_cards(config, "discards", pile) for pile in form.discards),
        turns=tuple(_turn(config, index, turn) for index, turn in enumerate(form.turns)),
        seats=tuple(form.seats),
        deal=form.deal,
        result=None if form.result is None else tuple(form.result),
        winners=None if form.winners is None else tuple(form.winners),
        termination=form.termination,
        takebacks=form.takebacks,
    )


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return text if len(text) <= 40 else f"{text[:40]}..."


def _cards(config: GameConfig, name: str, texts: list[str]) -> tuple[int, ...]:
    cards = []
    for text in texts:
        try:
            cards.append(parse_card_or_unknown(config, text))
        except CardError as error:
            raise RecordError(f"{name}: {error}", token=text) from error
    return tuple(cards)


def _turn(config: GameConfig, index: int, form: TurnJson) -> TurnRecord:
    turn = TurnRecord(comment=form.comment)
    for token in form.moves:
        try:
            turn = add_token(config, turn, token)
        except RecordError as error:
            raise RecordError(f"turn {index + 1}: {error.reason}", token=token) from error
    return turn
