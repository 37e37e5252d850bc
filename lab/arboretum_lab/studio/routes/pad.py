"""The score pad: boards scored while they are entered, and read from files."""

from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Body
from pydantic import Field, ValidationError

from arboretum_env.errors import BoardError
from arboretum_env.option_faults import fault_text
from arboretum_env.records.board_files import board_from_text
from arboretum_env.records.board_json import board_to_json
from arboretum_lab.studio.forms import Form
from arboretum_lab.studio.pad import score_pad

router = APIRouter(prefix="/api/pad", tags=["pad"])


Name = Annotated[str, Field(max_length=24)]


class BoardText(Form):
    """A board as a file holds it: JSON, or a text grid."""

    text: Annotated[str, Field(max_length=100_000)]


class Names(Form):
    """What the players are called."""

    names: Annotated[list[Name], Field(max_length=4)] = Field(default_factory=list)


@router.post("/score")
def score(board: Annotated[dict[str, Any], Body()]) -> dict[str, Any]:
    """Scores a board as far as it is entered, and tells what is wrong or missing.

    The body is a board as ``arboretum score`` takes it; it may also have the players' ``names``.
    """
    given = {key: board[key] for key in board.keys() & {"names"}}
    rest = {key: value for key, value in board.items() if key != "names"}
    try:
        names = Names.model_validate(given).names
    except ValidationError as error:
        raise BoardError(f"board {fault_text(error.errors()[0])}") from error
    return score_pad(rest, names)


@router.post("/read")
def read(form: BoardText) -> dict[str, Any]:
    """A board file as JSON that ``score`` takes."""
    return board_to_json(board_from_text(form.text, Path("the board")))
