"""All games: in memory as long as they are played, on disk always."""

import logging
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self
from weakref import WeakValueDictionary

from arboretum_env.errors import ArboretumError
from arboretum_lab.play.session import Session
from arboretum_lab.studio.errors import RefusedError
from arboretum_lab.studio.files import (
    GameFile,
    SummaryFile,
    content_of,
    read_content,
    read_game,
    write_content,
)
from arboretum_lab.studio.game import Chair, StudioGame
from arboretum_lab.studio.safe import SafeKeeper, forget
from arboretum_lab.studio.settings import Limits

log = logging.getLogger("arboretum.studio")

_ID_BYTES: Final = 12
_LETTERS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


@dataclass(frozen=True)
class Kept:
    """What the list of games shows of one.

    Attributes:
        id: of the game.
        creator: hash of the token that made it.
        owners: hash of the holder of each seat; None for an agent and an absent guest.
        created: seconds since 1970.
        practice: whether it is a practice game.
        state_id: as the game's.
        summary: where it stands.
    """

    id: str
    creator: str
    owners: tuple[str | None, ...]
    created: float
    practice: bool
    state_id: int
    summary: SummaryFile

    @classmethod
    def of(cls, content: GameFile) -> Self:
        """What is shown of a file."""
        return cls(
            content.id,
            content.creator,
            tuple(chair.owner for chair in content.chairs),
            content.created,
            content.practice,
            content.state_id,
            content.summary,
        )

    def is_for(self, owner: str) -> bool:
        """Whether the game is in a browser's list."""
        return owner == self.creator or owner in self.owners

    def to_json(self, owner: str) -> dict[str, Any]:
        """A line of a browser's list."""
        return {
            "id": self.id,
            "state_id": self.state_id,
            "created": self.created,
            "practice": self.practice,
            "players": len(self.owners),
            "your_seats": [seat for seat, each in enumerate(self.owners) if each == owner],
            **self.summary.model_dump(),
        }


class Store:
    """The games of one data folder.

    Args:
        folder: where the files are; it exists.
        limits: how many games there may be.
    """

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._folder, self._limits = folder, limits
        self._lock = threading.Lock()
        self._safe = SafeKeeper()
        self._open: OrderedDict[str, StudioGame] = OrderedDict()
        # Whoever still works with a game that was let go gets the same one again, never a second.
        self._alive: WeakValueDictionary[str, StudioGame] = WeakValueDictionary()
        self._kept: dict[str, Kept] = {}
        for path in sorted(folder.glob("[!.]*.json")):  # a dot: cut short while it was written
            try:
                content = read_content(path)
                self._kept[content.id] = Kept.of(content)
            except (ArboretumError, OSError):
                log.warning("%s is no game of the studio; it is left alone", path)

    def add(
        self, session: Session, chairs: Sequence[Chair], creator: str, *, practice: bool
    ) -> StudioGame:
        """Keeps a new game.

        Raises:
            RefusedError: ``too_many``, or ``not_kept``.
        """
        game = StudioGame(
            secrets.token_urlsafe(_ID_BYTES),
            session,
            list(chairs),
            creator,
            practice,
            created=round(time.time(), 3),
            keep=self._write,
        )
        with self._lock:
            if len(self._kept) >= self._limits.games:
                raise RefusedError("too_many", "too many games are kept here: delete some")
            own = sum(kept.creator == creator for kept in self._kept.values())
            if own >= self._limits.games_a_session:
                raise RefusedError("too_many", f"{own} games are kept for you: delete some")
            self._kept[game.id] = Kept.of(content_of(game))
            self._hold(game)
        try:
            self._write(game)
        except OSError as error:
            self._forget(game.id)
            raise RefusedError(
                "not_kept", f"the game cannot be kept on disk: {error.strerror}"
            ) from error
        return game

    def find(self, game_id: str, owner: str) -> StudioGame:
        """A game that a browser has to do with; anybody else learns not even that it exists.

        Raises:
            RefusedError: ``not_found``.
        """
        game = self._find(game_id)
        if game is None or not game.seen_by(owner):
            raise RefusedError("not_found", "there is no such game, or it is not yours")
        return game

    def find_to_join(self, game_id: str) -> StudioGame:
        """A game that somebody wants to join, with an invitation that is still to be checked.

        Raises:
            RefusedError: ``not_found``.
        """
        game = self._find(game_id)
        if game is None:
            raise RefusedError("not_found", "there is no such game, or the invitation is wrong")
        return game

    def games_of(self, owner: str) -> list[dict[str, Any]]:
        """A browser's games, newest first, for a list."""
        with self._lock:
            kept = [each for each in self._kept.values() if each.is_for(owner)]
        return [each.to_json(owner) for each in sorted(kept, key=lambda each: -each.created)]

    def delete(self, game: StudioGame) -> None:
        """Forgets a game for good."""
        with game.lock:
            game.stopped = game.deleted = True
            forget(self._path(game.id))
            self._forget(game.id)
            game.state_id += 1
            game.bell.ring()

    def close(self) -> None:
        """Lets nobody wait any more and no agent move; every game is on disk already."""
        with self._lock:
            games = list(self._alive.values())
        for game in games:
            game.stopped = True
            game.bell.ring()
        self._safe.close()

    def _find(self, game_id: str) -> StudioGame | None:
        with self._lock:
            if game_id not in self._kept:
                return None
            game = self._alive.get(game_id)
            if game is None:
                try:
                    game = read_game(self._path(game_id))
                except (ArboretumError, OSError) as error:
                    log.error("game %s cannot be read: %s", game_id, type(error).__name__)
                    return None
                game.keep = self._write
            self._hold(game)
            return game

    def _hold(self, game: StudioGame) -> None:
        """Keeps a game in memory, and lets the one that nobody has asked for longest go."""
        self._alive[game.id] = self._open[game.id] = game
        self._open.move_to_end(game.id)
        while len(self._open) > self._limits.open_games:
            self._open.popitem(last=False)

    def _forget(self, game_id: str) -> None:
        with self._lock:
            self._open.pop(game_id, None)
            self._alive.pop(game_id, None)
            self._kept.pop(game_id, None)

    def _write(self, game: StudioGame) -> None:
        if game.deleted:
            return
        content = content_of(game)
        path = self._path(game.id)
        write_content(content, path)
        self._safe.note(path)
        with self._lock:
            self._kept[game.id] = Kept.of(content)

    def _path(self, game_id: str) -> Path:
        assert _LETTERS.issuperset(game_id)  # it was found, so it is one of ours
        return self._folder / f"{game_id}.json"
