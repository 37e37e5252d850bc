"""Everything that one server holds, and what routes ask for: who asks, and for which game."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

from fastapi import Depends, Request

from arboretum_env.errors import ConfigError
from arboretum_lab.studio.analysis.jobs import Analyses
from arboretum_lab.studio.bots import Bots
from arboretum_lab.studio.errors import RefusedError
from arboretum_lab.studio.game import StudioGame
from arboretum_lab.studio.hints import Hints
from arboretum_lab.studio.settings import Settings
from arboretum_lab.studio.store import Store
from arboretum_lab.studio.timed import Timed
from arboretum_lab.studio.tokens import Tokens, token_hash

_BEARER: Final = "Bearer "


class Studio:
    """One studio at work.

    Args:
        settings: what it was started with; the data folder is made.

    Raises:
        ConfigError: the data folder cannot be used.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        try:
            folder = _make_folder(settings.data)
            self.tokens = Tokens(folder)
            self.store = Store(_make_folder(folder / "games"), settings.limits)
        except OSError as error:
            reason = f"no folder to keep games in: {error.strerror}"
            raise ConfigError(f"{settings.data}: {reason}") from error
        limits = settings.limits
        self.timed = Timed(limits.bot_seconds, limits.stray_bots, limits.first_seconds)
        self.bots = Bots(settings.limits, self.timed)
        self.hints = Hints(settings, self.timed)
        self.analyses = Analyses(settings.limits)
        self._waiting = 0

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """Counts a request that waits; of the event loop's thread alone.

        Raises:
            RefusedError: ``too_many``.
        """
        if self._waiting >= self.settings.limits.waiting:
            raise RefusedError("too_many", "too many pages wait for moves: try again in a moment")
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Ends what waits and what thinks."""
        self.store.close()
        self.analyses.close()


def _make_folder(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    return path


async def get_studio(request: Request) -> Studio:
    """The studio that answers a request; async, so that no thread is asked for it."""
    studio = request.app.state.studio
    assert isinstance(studio, Studio)
    return studio


TheStudio = Annotated[Studio, Depends(get_studio)]


async def get_owner(request: Request, studio: TheStudio) -> str:
    """Hash of the token that the request brings.

    Raises:
        RefusedError: ``no_session``.
    """
    header = request.headers.get("authorization", "")
    token = header.removeprefix(_BEARER)
    if not header.startswith(_BEARER) or not studio.tokens.knows(token):
        raise RefusedError("no_session", "no session: POST /api/session gives one")
    return token_hash(token)


Owner = Annotated[str, Depends(get_owner)]


def get_game(game_id: str, studio: TheStudio, owner: Owner) -> StudioGame:
    """The game that the address names.

    Raises:
        RefusedError: ``not_found``.
    """
    return studio.store.find(game_id, owner)


Game = Annotated[StudioGame, Depends(get_game)]
