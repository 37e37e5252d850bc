"""The pictures of the cards, once for all pages, and their colours."""

from functools import lru_cache

from fastapi import APIRouter
from fastapi.responses import Response

from arboretum_env.drawing.cards import card_sprite
from arboretum_env.drawing.style import style_sheet

router = APIRouter(tags=["cards"])

_KEEP = {"Cache-Control": "max-age=600"}


@router.get("/api/cards.svg", response_class=Response)
def cards() -> Response:
    """All cards as symbols: ``<use href="#card-M7"/>`` shows one."""
    return Response(_sprite(), media_type="image/svg+xml", headers=_KEEP)


@router.get("/drawing.css", response_class=Response)
def colours() -> Response:
    """The colours of cards and boards, light and dark."""
    return Response(style_sheet(), media_type="text/css", headers=_KEEP)


@lru_cache(maxsize=1)
def _sprite() -> str:
    return card_sprite()
