"""Boards as JSON.

``{"species": "CDJVLG", "players": [{"hand": ["M7"], "arboretum": [[0, 0, "M7"], [1, 0, "D8"]]}]}``

``species`` may also be a list of letters or names, or be left out. A card is its letter and rank,
or a species' name and its rank, ``"Blue Spruce 3"``, or the two apart, ``["Blue Spruce", 3]``.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from arboretum_env.cards import MAX_RANKS
from arboretum_env.errors import BoardError
from arboretum_env.option_faults import fault_text
from arboretum_env.records.board import Board, PlayerNotes, make_board


def _join_name_and_rank(value: Any) -> Any:
    """``["Maple", 7]`` -> ``"Maple 7"``; everything else is left to the type."""
    match value:
        case [str(name), int(rank)]:
            return f"{name} {rank}"
        case _:
            return value


def _join_planted(value: Any) -> Any:
    """``[0, 1, "Maple", 7]`` -> ``[0, 1, "Maple 7"]``."""
    match value:
        case [x, y, *card] if len(card) == 2:
            return (x, y, _join_name_and_rank(card))
        case [x, y, card]:
            return (x, y, card)
        case _:
            return value


CardText = Annotated[str, BeforeValidator(_join_name_and_rank)]
Planted = Annotated[tuple[int, int, CardText], BeforeValidator(_join_planted)]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class PlayerJson(_Strict):
    """One player's hand and arboretum; what is left out is empty."""

    hand: list[CardText] = Field(default_factory=list)
    arboretum: list[Planted] = Field(default_factory=list)


class BoardJson(_Strict):
    """The whole document."""

    species: str | list[str] | None = None
    ranks: int = MAX_RANKS
    cancel_eights: bool = True
    rights: Literal["highest", "all"] = "highest"
    players: list[PlayerJson]


def board_from_json(data: Any) -> Board:
    """The board of a parsed JSON document.

    Raises:
        BoardError: a field is missing, unknown or wrong; the message names it.
    """
    try:
        form = BoardJson.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        text = fault_text(first)
        raise BoardError(f"board {text}" if first["loc"] else f"board: {text}") from error
    return make_board(
        [PlayerNotes(list(player.hand), list(player.arboretum)) for player in form.players],
        form.species,
        num_ranks=form.ranks,
        cancel_eights=form.cancel_eights,
        rights=form.rights,
    )


def board_to_json(board: Board) -> dict[str, Any]:
    """The board as such a document, in letters; rule options only where they are not the usual."""
    config = board.config
    options = {
        "ranks": config.num_ranks,
        "cancel_eights": config.cancel_eights,
        "rights": config.rights,
    }
    usual = BoardJson(players=[]).model_dump()
    return {
        "species": board.species,
        **{key: value for key, value in options.items() if value != usual[key]},
        "players": [
            {
                "hand": [config.card_text(card) for card in hand],
                "arboretum": [[x, y, config.card_text(card)] for x, y, card in arboretum],
            }
            for hand, arboretum in zip(board.hands, board.arboreta, strict=True)
        ],
    }
