"""``GET /api/agents``: whom one can play against."""

from typing import Any

from fastapi import APIRouter

from arboretum_lab.studio.opponents import opponents_json
from arboretum_lab.studio.studio import TheStudio

router = APIRouter(prefix="/api", tags=["agents"])


@router.get("/agents")
def agents(studio: TheStudio) -> dict[str, Any]:
    """The agents, those with a strength in its order."""
    return opponents_json(studio.settings)
