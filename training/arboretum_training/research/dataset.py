"""Data sets of games: played in parts by any number of processes, written as one Parquet file.

Every part is a file of its own beside the data set until all are there. So memory holds one part a
process, a run that is stopped or killed goes on where it was, and nothing half-written ever has the
data set's name. Same arguments, same bytes, whatever the number of workers.
"""

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from arboretum_agents.registry import Mode
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.layout_hash import layout_hash
from arboretum_env.match import play_match
from arboretum_env.seeding import Purpose, checked_seed, root_from_seed
from arboretum_env.version import RULES_VERSION
from arboretum_training.evaluation.agent_identity import AgentIdentity, identify
from arboretum_training.evaluation.duplicate import games_per_deal, schedule
from arboretum_training.evaluation.evaluate import AgentFactory, make, unique_names
from arboretum_training.evaluation.executor import (
    DEALS_PER_UNIT,
    Progress,
    Workers,
    one_torch_thread,
    run_units,
)
from arboretum_training.evaluation.unit_files import canonical
from arboretum_training.files import naming, replace_file, sync_file, sync_folder
from arboretum_training.research.dataset_rows import Cast, decision_table, game_table
from arboretum_training.research.dataset_schema import (
    FORMAT,
    DatasetError,
    RowKind,
    project_version,
    schema_of,
)

GAMES_PER_PART: Final = 4 * DEALS_PER_UNIT
MAX_GAMES: Final = 100_000_000

_ABOUT: Final = "about.json"
_WRITING: Final[dict[str, Any]] = {"compression": "zstd", "compression_level": 1}


@dataclass(frozen=True)
class DatasetPlan:
    """What a data set is to hold.

    Attributes:
        path: the file.
        config: the game.
        agents: who plays, pinned; all names different. A single one plays every seat.
        games: how many games.
        rows: one row a decision, or one a game.
        seed: of the deals and of the agents' own randomness.
        mode: see ``registry.Mode``.
        duplicate: play every deal with the agents in every seat, instead of a new deal a game.
    """

    path: Path
    config: GameConfig
    agents: tuple[AgentIdentity, ...]
    games: int
    rows: RowKind
    seed: int
    mode: Mode
    duplicate: bool

    @property
    def parts_folder(self) -> Path:
        """Where finished parts wait."""
        return self.path.with_name(f"{self.path.name}.parts")

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return -(-self.games // GAMES_PER_PART)

    def part(self, index: int) -> Path:
        """The file of a part."""
        return self.parts_folder / f"part{index:07d}.parquet"

    def description(self) -> dict[str, Any]:
        """What the file says of itself."""
        return {
            "format": FORMAT,
            "rows": self.rows,
            "version": project_version(),
            "rules_version": RULES_VERSION,
            "layout_hash": layout_hash(self.config),
            "game": self.config.model_dump(),
            "cards": [self.config.card_text(card) for card in range(self.config.num_cards)],
            "agents": [agent.to_json() for agent in self.agents],
            "games": self.games,
            "seed": self.seed,
            "purpose": Purpose.DATASET.name.lower(),
            "mode": self.mode,
            "duplicate": self.duplicate,
        }

    def schema(self) -> pa.Schema:
        """The columns."""
        return schema_of(self.config, self.rows, self.description())


@dataclass(frozen=True)
class _Part:
    plan: DatasetPlan
    index: int


@dataclass(frozen=True)
class Written:
    """A data set that is there.

    Attributes:
        path: the file.
        games, rows: how many it holds.
        resumed: parts that an earlier run had left.
    """

    path: Path
    games: int
    rows: int
    resumed: int


def plan_dataset(
    path: Path,
    agents: Sequence[str | AgentFactory],
    config: GameConfig,
    *,
    games: int,
    rows: RowKind = "decisions",
    seed: int = 0,
    mode: Mode = "sample",
    duplicate: bool = False,
) -> DatasetPlan:
    """Checks everything before anything is played; see ``DatasetPlan``.

    Raises:
        DatasetError: no agents, a number of games out of range, or a file that is there already.
        AgentSpecError, CheckpointError: what names no agent, or one that does not play this game.
        DealError: a seed that is no non-negative integer.
    """
    if not agents:
        raise DatasetError("no agents: expected at least one")
    if not 1 <= games <= MAX_GAMES:
        raise DatasetError(f"{games} games: expected at least 1 and at most {MAX_GAMES:,}")
    if path.exists():
        raise DatasetError(f"{path} is there already: expected a new file")
    if not path.parent.is_dir():
        raise DatasetError(f"{path}: there is no folder {path.parent}")
    identities = tuple(
        identify(agent, name) for agent, name in zip(agents, unique_names(agents), strict=True)
    )
    for identity in identities:
        make(identity.agent, config, mode)
    return DatasetPlan(path, config, identities, games, rows, checked_seed(seed), mode, duplicate)


def write_dataset(
    plan: DatasetPlan, workers: Workers = 1, progress: Progress | None = None
) -> Written:
    """Plays what is missing and writes the file; ``progress`` counts parts.

    Raises:
        DatasetError: parts of another data set wait beside the file, or one of them is damaged.
        OSError: something cannot be written.
    """
    _prepare(plan)
    missing = [index for index in range(plan.parts) if not plan.part(index).exists()]
    resumed = plan.parts - len(missing)
    run_units(
        write_part,
        [_Part(plan, index) for index in missing],
        workers,
        None if progress is None else lambda now, _: progress(resumed + now, plan.parts),
    )
    rows = _join(plan)
    shutil.rmtree(plan.parts_folder)
    return Written(plan.path, plan.games, rows, resumed)


def _prepare(plan: DatasetPlan) -> None:
    """Makes the folder of the parts, or makes sure that it is this data set's."""
    about, folder = canonical(plan.description()), plan.parts_folder
    folder.mkdir(exist_ok=True)
    kept = folder / _ABOUT
    if not kept.exists():
        if any(folder.glob("part*.parquet")):
            raise DatasetError(f"{folder}: no {_ABOUT} beside the parts: expected to go on with it")
        replace_file(kept, about)
    elif kept.read_bytes() != about:
        raise DatasetError(
            f"{folder} holds parts of another data set: expected the same command as before; "
            "remove the folder to begin anew"
        )


def write_part(part: _Part) -> int:
    """Plays the games of a part and keeps their rows; returns how many there are."""
    plan, first = part.plan, part.index * GAMES_PER_PART
    schema = plan.schema()
    ids = np.arange(first, min(first + GAMES_PER_PART, plan.games), dtype=np.uint64)
    cast = Cast(
        agents=[make(identity.agent, plan.config, plan.mode) for identity in plan.agents],
        names=[identity.name for identity in plan.agents],
        hashes=[identity.digest for identity in plan.agents],
        deal_id=ids,
        game_id=ids,
    )
    with one_torch_thread():
        tables = [
            _play(plan, replace(cast, game_id=ids[start : start + DEALS_PER_UNIT]), schema)
            for start in range(0, len(ids), DEALS_PER_UNIT)
        ]
    table = pa.concat_tables(tables).combine_chunks()
    path = plan.part(part.index)
    _write(path, schema, [table])
    return len(table)


def _play(plan: DatasetPlan, cast: Cast, schema: pa.Schema) -> pa.Table:
    """The rows of some games, those of ``cast.game_id``."""
    deal_id, seating = seats_of(
        len(cast.agents), plan.config.num_players, cast.game_id, duplicate=plan.duplicate
    )
    cast = replace(cast, deal_id=deal_id)
    for agent in cast.agents:
        agent.reset(cast.game_id, plan.seed)
    root = root_from_seed(plan.seed, Purpose.DATASET)
    match = play_match(
        deal(plan.config, root, deal_id), cast.agents, seating, cast.game_id, keep_actions=True
    )
    table = decision_table if plan.rows == "decisions" else game_table
    return table(match, cast, schema)


def seats_of(
    num_agents: int, num_players: int, game_ids: NDArray[np.uint64], *, duplicate: bool
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """([B] deals, [B, P] who sits where) of games.

    Agents take turns in the seats as in ``duplicate.schedule``, game by game, so that all of them
    sit in every seat equally often. With ``duplicate`` the games of one such round share their
    deal.
    """
    if num_agents == 1:
        return game_ids, np.zeros((len(game_ids), num_players), np.int64)
    per_round = np.uint64(games_per_deal(num_agents, num_players))
    rounds = game_ids // per_round
    first = int(rounds[0])
    plan = schedule(num_agents, num_players, np.arange(first, int(rounds[-1]) + 1))
    rows = (game_ids - np.uint64(first) * per_round).astype(np.int64)
    return rounds if duplicate else game_ids, plan.seating[rows]


def _join(plan: DatasetPlan) -> int:
    """Writes the data set from its parts, a row group each; returns its rows."""
    return _write(
        plan.path, plan.schema(), (_read(plan.part(index)) for index in range(plan.parts))
    )


def _read(path: Path) -> pa.Table:
    try:
        return pq.ParquetFile(path).read()
    except (pa.ArrowInvalid, OSError) as error:
        raise DatasetError(
            f"{path}: damaged: remove it, and the same command plays it again: {error}"
        ) from error


def _write(path: Path, schema: pa.Schema, tables: Iterable[pa.Table]) -> int:
    """Writes a Parquet file in one step, a row group a table; returns the rows."""
    temporary, rows = path.with_name(f".tmp-{path.name}"), 0
    with naming(path):
        with pq.ParquetWriter(temporary, schema, **_WRITING) as writer:
            for table in tables:
                writer.write_table(table, row_group_size=len(table))
                rows += len(table)
        sync_file(temporary)
        temporary.replace(path)
    sync_folder(path.parent)
    return rows
