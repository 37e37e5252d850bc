"""A tournament: its settings, its folder, and playing what has not been played yet.

runs/tournaments/2p-1f0c.../
    tournament.json     the settings; others are refused
    units/t0003/b00007.json     64 deals at one table, see ``unit_files``
    results.json, report.html, report.svg     what came out, see ``tournament_report``

A unit's games depend on the settings alone, so a tournament that was killed and goes on ends with
the same bytes as one that was not, whatever the number of workers.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.registry import Mode
from arboretum_env.config import GameConfig
from arboretum_env.layout_hash import layout_hash
from arboretum_env.seeding import Purpose
from arboretum_env.version import RULES_VERSION
from arboretum_training.evaluation.agent_identity import AgentIdentity
from arboretum_training.evaluation.errors import DamagedFileError, EvaluationError
from arboretum_training.evaluation.evaluate import (
    MAX_DEALS,
    Games,
    Unit,
    concatenate,
    make,
    play_unit,
)
from arboretum_training.evaluation.executor import Workers, run_units, split_deals
from arboretum_training.evaluation.saved_games import game_file
from arboretum_training.evaluation.tournament_tables import Format
from arboretum_training.evaluation.unit_files import digest, read_unit, write_unit
from arboretum_training.files import replace_file, working_in

SETTINGS_NAME: Final = "tournament.json"
UNITS_NAME: Final = "units"
FORMAT: Final = 1


@dataclass(frozen=True)
class TournamentSettings:
    """Everything that decides what is played.

    Attributes:
        agents: who plays; their names are all different.
        config: the game.
        form: round robin or mixed.
        tables: agents at every table, by index, see ``tournament_tables``.
        deals: number of deals; every table plays all of them.
        seed: of the deals and of the agents' own randomness.
        mode: see ``registry.Mode``.
        purpose: of the deals.
    """

    agents: tuple[AgentIdentity, ...]
    config: GameConfig
    form: Format
    tables: tuple[tuple[int, ...], ...]
    deals: int
    seed: int
    mode: Mode = "sample"
    purpose: Purpose = Purpose.EVALUATE

    def __post_init__(self) -> None:
        if not 1 <= self.deals <= MAX_DEALS:
            raise EvaluationError(f"{self.deals} deals: expected at least 1, at most {MAX_DEALS:,}")
        if self.seed < 0:
            raise EvaluationError(f"seed {self.seed}: expected a non-negative integer")

    @property
    def names(self) -> tuple[str, ...]:
        """The agents' names."""
        return tuple(agent.name for agent in self.agents)

    def to_json(self) -> dict[str, Any]:
        """The settings as plain data."""
        return {
            "format": FORMAT,
            "agents": [agent.to_json() for agent in self.agents],
            "game": self.config.model_dump(mode="json"),
            "rules_version": RULES_VERSION,
            "layout_hash": layout_hash(self.config),
            "form": self.form,
            "tables": [list(table) for table in self.tables],
            "deals": self.deals,
            "seed": self.seed,
            "mode": self.mode,
            "purpose": self.purpose.name.lower(),
        }


@dataclass(frozen=True)
class UnitPlace:
    """Which unit: deals ``64 * block`` and on, at one table."""

    table: int
    block: int
    deal_ids: NDArray[np.uint64]

    @property
    def path(self) -> Path:
        """Its file in the tournament's folder."""
        return Path(UNITS_NAME) / f"t{self.table:04d}" / f"b{self.block:05d}.json"


Watcher = Callable[["Tournament"], None]
"""Called after each unit, in the main process."""


@dataclass
class Tournament:
    """A tournament in a folder. Made by ``open_tournament``.

    Attributes:
        settings: what is played.
        folder: where it is kept.
        finished: games of the units that are done, by table and block.
        damaged: what was wrong with files that do not count; their units are played again.
    """

    settings: TournamentSettings
    folder: Path
    finished: dict[tuple[int, int], Games] = field(default_factory=dict)
    damaged: list[str] = field(default_factory=list)

    @property
    def places(self) -> list[UnitPlace]:
        """All units: first the first deals at every table, so that unfinished results are fair."""
        return [
            UnitPlace(table, block, ids)
            for block, ids in enumerate(split_deals(self.settings.deals))
            for table in range(len(self.settings.tables))
        ]

    @property
    def units(self) -> int:
        """How many units there are."""
        return len(split_deals(self.settings.deals)) * len(self.settings.tables)

    @property
    def complete(self) -> bool:
        """Whether every unit is done."""
        return len(self.finished) == self.units

    def play(
        self,
        *,
        workers: Workers = 1,
        save_games: Path | None = None,
        watch: Watcher | None = None,
        minutes: float | None = None,
    ) -> bool:
        """Plays what is not done yet.

        Args:
            workers: where units are computed, see ``executor.Workers``.
            save_games: folder that gets one ``.arb`` file a game, a folder a table; units whose
                games are not all there are played again, with the same result.
            watch: see ``Watcher``.
            minutes: stop after so long; units in the making are lost then.

        Returns:
            Whether the tournament is complete.

        Raises:
            EvaluationError: a folder for games that holds those of something else.
            FolderInUseError: another command plays it.
            IllegalActionError: an agent chose an illegal action.
        """
        if save_games is not None:
            self._claim(save_games)
        wanted = [place for place in self.places if not self._done(place, save_games)]
        end = None if minutes is None else time.monotonic() + 60 * minutes

        def keep(index: int, games: Games) -> None:
            place = wanted[index]
            path = self.folder / place.path
            path.parent.mkdir(parents=True, exist_ok=True)
            write_unit(path, self._about(place), games)
            self.finished[place.table, place.block] = games
            if watch is not None:
                watch(self)
            if end is not None and time.monotonic() >= end and not self.complete:
                raise _TimeOver

        try:
            with working_in(self.folder):
                run_units(
                    play_unit,
                    [self._unit(place, save_games) for place in wanted],
                    workers,
                    on_result=keep,
                )
        except _TimeOver:
            return False
        return True

    def games(self) -> tuple[Games, NDArray[np.int64]]:
        """All games so far, by table and deal, seated by agents' indices; and [G] their tables."""
        parts, at = [], []
        for table, block in sorted(self.finished):
            games = self.finished[table, block]
            cast = np.array(self.settings.tables[table])
            parts.append(Games(**{**vars(games), "seating": cast[games.seating]}))
            at.append(np.full(len(games), table))
        return concatenate(parts), np.concatenate(at)

    def load(self) -> None:
        """Reads the units that are done."""
        for place in self.places:
            try:
                games = read_unit(self.folder / place.path, self._about(place))
            except FileNotFoundError:
                continue
            except DamagedFileError as error:
                self.damaged.append(str(error))
                continue
            self.finished[place.table, place.block] = games

    def _about(self, place: UnitPlace) -> dict[str, Any]:
        return {"settings": self._digest, "table": place.table, "block": place.block}

    @property
    def _digest(self) -> str:
        return digest(self.settings.to_json())

    def _unit(self, place: UnitPlace, save_games: Path | None) -> Unit:
        table = self.settings.tables[place.table]
        return Unit(
            agents=tuple(self.settings.agents[index].agent for index in table),
            names=tuple(self.settings.names[index] for index in table),
            config=self.settings.config,
            seed=self.settings.seed,
            mode=self.settings.mode,
            deal_ids=place.deal_ids,
            save_games=None if save_games is None else _table_folder(save_games, place.table),
            purpose=self.settings.purpose,
        )

    def _claim(self, save_games: Path) -> None:
        """Makes the folders for games, and marks them as this tournament's."""
        if save_games.resolve() != self.folder.resolve():
            _settle(save_games, self.settings)
        for table in range(len(self.settings.tables)):
            _table_folder(save_games, table).mkdir(parents=True, exist_ok=True)

    def _done(self, place: UnitPlace, save_games: Path | None) -> bool:
        games = self.finished.get((place.table, place.block))
        if games is None or save_games is None:
            return games is not None
        folder = _table_folder(save_games, place.table)
        ids = zip(games.deal_id, games.game_id, strict=True)
        return all((folder / game_file(int(deal), int(game))).exists() for deal, game in ids)


class _TimeOver(Exception):  # noqa: N818 - a signal, not an error
    """The minutes are over; no error."""


def open_tournament(folder: Path, settings: TournamentSettings) -> Tournament:
    """A new tournament, or one that goes on.

    Args:
        folder: of the tournament; made if need be.
        settings: what is played; an agent that cannot play fails here.

    Raises:
        EvaluationError: the folder is another tournament's, or holds other things.
        AgentSpecError, CheckpointError: an agent that cannot be made.
    """
    for agent in settings.agents:
        make(agent.agent, settings.config, settings.mode)
    _settle(folder, settings)
    tournament = Tournament(settings, folder)
    tournament.load()
    return tournament


def default_folder(settings: TournamentSettings) -> Path:
    """A folder named by the settings, so that the same command goes on where it stopped."""
    name = f"{settings.config.num_players}p-{digest(settings.to_json())[:12]}"
    return Path("runs") / "tournaments" / name


def _settle(folder: Path, settings: TournamentSettings) -> None:
    """Writes the settings into a new or empty folder, or checks that they are the same.

    Raises:
        EvaluationError: other settings, or a folder that holds something else.
    """
    file, data = folder / SETTINGS_NAME, settings.to_json()
    if file.exists():
        try:
            before = json.loads(file.read_bytes())
        except ValueError as error:
            raise EvaluationError(f"{file}: is not JSON: {error}") from error
        if before != data:
            raise EvaluationError(
                f"{folder}: holds a tournament with other settings: {_difference(before, data)}; "
                "choose another folder"
            )
        return
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise EvaluationError(f"{folder}: holds something else: expected a new or empty folder")
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(file, f"{json.dumps(data, indent=1)}\n".encode())


def _difference(before: Any, now: dict[str, Any]) -> str:
    """The first settings that differ, in words."""
    if not isinstance(before, dict):
        return "they are no settings"
    for key in ("agents", *now):
        there, here = before.get(key), now[key]
        if there == here:
            continue
        if key == "agents":
            there, here = (_agents_in_words(agents) for agents in (there, here))
        return f"{key} {there}, not {here}"
    return "settings that this version does not know"


def _agents_in_words(agents: Any) -> str:
    try:
        return ", ".join(f"{agent['name']} ({agent['digest'][:12]})" for agent in agents)
    except (TypeError, KeyError):
        return "none"


def _table_folder(folder: Path, table: int) -> Path:
    return folder / f"t{table:04d}"
