"""The lesson: its steps, and the check of an answer; nothing is kept."""

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field

from arboretum_lab.studio.errors import RefusedError
from arboretum_lab.studio.forms import Form
from arboretum_lab.studio.lesson import check, find_step, step_json
from arboretum_lab.studio.lesson_steps import STEPS

router = APIRouter(prefix="/api/lesson", tags=["lesson"])


class AnswerForm(Form):
    """Moves, cards, letters, seats or a number, as texts."""

    answer: Annotated[list[Annotated[str, Field(max_length=12)]], Field(max_length=20)]


@router.get("")
def lesson() -> dict[str, Any]:
    """All steps."""
    return {"steps": [step_json(step) for step in STEPS]}


@router.post("/{step_id}")
def answer(step_id: str, form: AnswerForm) -> dict[str, Any]:
    """Whether an answer is right, in words."""
    step = find_step(step_id)
    if step is None:
        raise RefusedError("not_found", f"the lesson has no step {step_id[:20]!r}")
    return check(step, form.answer)
