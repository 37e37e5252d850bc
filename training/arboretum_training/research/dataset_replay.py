"""Data sets played again: their games as batches, and a check of every column that follows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal, deal_exact
from arboretum_env.engine.moves import apply_action
from arboretum_env.engine.scoring import Scores, score
from arboretum_env.engine.state import GameState
from arboretum_env.errors import ArboretumError, IllegalActionError
from arboretum_env.forfeit import Forfeit, settle_forfeits
from arboretum_env.phase import Phase
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_training.evaluation.executor import Progress
from arboretum_training.research.dataset_rows import (
    outcome_columns,
    replayed_columns,
    replayed_game_columns,
)
from arboretum_training.research.dataset_schema import DatasetError, config_of, read_description


@dataclass(frozen=True)
class Replayed:
    """The games of one row group.

    Attributes:
        table: its rows.
        initial: the games as they were dealt, [B].
        actions: [T, B] int16 flat action ids, -1 once a game is over.
        final: the games at their end.
        forfeits: by row, who forfeited.
    """

    table: pa.Table
    initial: GameState
    actions: NDArray[np.int16]
    final: GameState
    forfeits: Mapping[int, Forfeit]


@dataclass(frozen=True)
class Verified:
    """How much was compared."""

    rows: int
    games: int


def replay_dataset(path: Path, progress: Progress | None = None) -> Iterator[Replayed]:
    """Plays the games of a data set again, a row group at a time.

    Observations of any seat at any decision, or whatever else a study needs, can be read off the
    states on the way: ``PlayedGames(each.initial, each.actions, each.final).decisions()``.

    Args:
        path: of ``arboretum dataset``.
        progress: called with (row groups done, row groups in all).

    Raises:
        DatasetError: it is no data set, or an action in it is illegal.
    """
    description = read_description(path)
    config = config_of(description)
    by_decision = description["rows"] == "decisions"
    root = root_from_seed(description["seed"], Purpose.DATASET)
    with pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            table = file.read_row_group(group)
            ids, actions = (_of_decisions if by_decision else _of_games)(table)
            initial = deal(config, root, ids)
            seats = _column(table, "outcome_forfeit", -1)
            if by_decision:
                seats = seats[_first_rows(table)]
            forfeits = {int(g): Forfeit(int(seats[g]), "") for g in np.flatnonzero(seats >= 0)}
            final = _play(path, initial, actions)
            yield Replayed(table, initial, actions, final, forfeits)
            if progress is not None:
                progress(group + 1, file.num_row_groups)


def verify_dataset(path: Path, progress: Progress | None = None) -> Verified:
    """Compares every column that follows from deals and actions with a replay of them.

    Raises:
        DatasetError: it is no data set, or a column says something else.
    """
    rows, games = 0, 0
    by_decision = read_description(path)["rows"] == "decisions"
    for played in replay_dataset(path, progress):
        expected = _decision_columns(played) if by_decision else _game_columns(played)
        for name, values in expected.items():
            row = _first_difference(_comparable(played.table, name), values)
            if row is not None:
                raise DatasetError(f"{path}: row {rows + row}, {name}: not what a replay gives")
        rows += len(played.table)
        games += len(played.final)
    return Verified(rows, games)


def _first_rows(table: pa.Table) -> NDArray[np.int64]:
    return np.flatnonzero(table["decision"].to_numpy() == 0)


def _of_decisions(table: pa.Table) -> tuple[NDArray[np.uint64], NDArray[np.int16]]:
    first = _first_rows(table)
    decision = table["decision"].to_numpy().astype(np.int64)
    game = np.cumsum(decision == 0) - 1
    actions = np.full((int(decision.max()) + 1, len(first)), -1, np.int16)
    actions[decision, game] = table["action"].to_numpy()
    return table["deal_id"].to_numpy()[first], actions


def _of_games(table: pa.Table) -> tuple[NDArray[np.uint64], NDArray[np.int16]]:
    lists = table["actions"].to_pylist()
    actions = np.full((max(map(len, lists)), len(lists)), -1, np.int16)
    for game, taken in enumerate(lists):
        actions[: len(taken), game] = taken
    return table["deal_id"].to_numpy(), actions


def _play(path: Path, initial: GameState, actions: NDArray[np.int16]) -> GameState:
    state, stopped = initial.clone(), {}
    try:
        for taken in actions:
            for row in np.flatnonzero((taken < 0) & ~state.done):  # forfeited
                stopped[int(row)] = state.raw[row].copy()
                state.rows["phase"][row] = Phase.GAME_OVER
            apply_action(state, taken.astype(np.int64))
    except IllegalActionError as error:
        raise DatasetError(f"{path}: {error}") from error
    for index, position in stopped.items():
        state.raw[index] = position
    return state


def _decision_columns(played: Replayed) -> dict[str, Any]:
    columns = replayed_columns(played.initial, played.actions)
    game, seat = columns.pop("game"), columns["seat"].astype(np.int64)
    return {**columns, **outcome_columns(_scores(played), game, seat)}


def _game_columns(played: Replayed) -> dict[str, Any]:
    return replayed_game_columns(played.initial, played.final, _scores(played))


def _scores(played: Replayed) -> Scores:
    return settle_forfeits(score(played.final), played.forfeits)


def exact_deals(table: pa.Table, config: GameConfig) -> Iterator[GameState]:
    """The deals of a table of games from its own columns, without the random generator.

    Raises:
        DatasetError: a row is no deal.
    """
    seats = range(config.num_players)
    for row in table.to_pylist():
        opened: list[list[int]] = [[] for _ in seats]
        for seat, card in enumerate(row["starting_discards"], start=1):
            opened[seat] = [card]
        hands = [row[f"privileged_dealt_{seat}"] for seat in seats]
        try:
            yield deal_exact(config, hands, row["privileged_deck"], opened)
        except ArboretumError as error:
            raise DatasetError(f"game {row['game_id']}: {error}") from error


def _column(table: pa.Table, name: str, null: int) -> NDArray[Any]:
    values: NDArray[Any] = table[name].fill_null(null).to_numpy()
    return values


def _first_difference(found: Any, expected: Any) -> int | None:
    """The first row in which two columns differ, or None."""
    if isinstance(expected, list):
        pairs = zip(found, expected, strict=True)
        return next((row for row, (a, b) in enumerate(pairs) if a != b), None)
    differ = (found != expected).reshape(len(found), -1).any(axis=1)
    return int(np.argmax(differ)) if differ.any() else None


def _comparable(table: pa.Table, name: str) -> Any:
    """A column as an array, bit fields as [N, bytes]; or as a list of lists."""
    column = table[name].combine_chunks()
    if isinstance(column, pa.ChunkedArray):
        column = pa.concat_arrays(column.chunks)
    if pa.types.is_list(column.type):
        return column.to_pylist()
    if pa.types.is_fixed_size_binary(column.type):
        width = column.type.byte_width
        start = column.offset * width
        data = np.frombuffer(column.buffers()[1], np.uint8)
        return data[start : start + len(column) * width].reshape(len(column), width)
    return column.to_numpy(zero_copy_only=False)
