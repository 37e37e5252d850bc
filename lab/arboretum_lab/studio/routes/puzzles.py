"""Puzzles from recorded games; an answer is told only after one has been tried."""

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field

from arboretum_lab.puzzles.puzzle import Puzzle, shipped_puzzles
from arboretum_lab.studio.errors import RefusedError
from arboretum_lab.studio.forms import Form
from arboretum_lab.studio.puzzles import judge, puzzle_json, puzzle_line

router = APIRouter(prefix="/api/puzzles", tags=["puzzles"])


class TryForm(Form):
    """A move, or the seats that may score."""

    answer: Annotated[list[Annotated[str, Field(max_length=12)]], Field(max_length=4)]


@router.get("")
def puzzles() -> dict[str, Any]:
    """The list."""
    return {"puzzles": [puzzle_line(puzzle) for puzzle in shipped_puzzles().values()]}


@router.get("/{puzzle_id}")
def puzzle(puzzle_id: str) -> dict[str, Any]:
    """One question."""
    return puzzle_json(_find(puzzle_id))


@router.post("/{puzzle_id}")
def answer(puzzle_id: str, form: TryForm) -> dict[str, Any]:
    """The answer, now that one has been tried."""
    return judge(_find(puzzle_id), form.answer)


def _find(puzzle_id: str) -> Puzzle:
    found = shipped_puzzles().get(puzzle_id)
    if found is None:
        raise RefusedError("not_found", f"there is no puzzle {puzzle_id[:40]!r}")
    return found
