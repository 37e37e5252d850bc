"""``POST /api/session``: a token for a browser."""

from fastapi import APIRouter
from pydantic import BaseModel

from arboretum_lab.studio.studio import TheStudio

router = APIRouter(prefix="/api", tags=["session"])


class SessionAnswer(BaseModel):
    """What the page keeps, and whether other devices may join games here."""

    token: str
    lan: bool


@router.post("/session")
def new_session(studio: TheStudio) -> SessionAnswer:
    """A new token; the page sends it as ``Authorization: Bearer``."""
    return SessionAnswer(token=studio.tokens.issue(), lan=studio.settings.lan)
