"""``arboretum dataset AGENTS --games N --out FILE``: games as a Parquet file."""

import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro
from tyro.conf import Positional

from arboretum_lab.cli.arguments import UsageError
from arboretum_lab.cli.game_options import GameOptions
from arboretum_lab.cli.progress import progress_bar
from arboretum_lab.cli.workers import RayOption, workers_of


@dataclass(frozen=True)
class Command:
    """Lets agents play, and writes every decision, or every game, as a row of a Parquet file.

    Every game is a deal of its own; the agents take turns in the seats. Ctrl-C loses at most the
    games under way: the same command goes on. docs/datasets.md describes the columns.
    """

    agents: Annotated[Positional[tuple[str, ...]], tyro.conf.arg(metavar="A B ...")] = ()
    """One agent for all seats, or several: names that `arboretum agents` lists, with options as in
    NAME:KEY=VALUE,...; run or checkpoint folders."""

    out: Path | None = None
    """The file to write, e.g. games.parquet."""

    games: int = 1000
    """How many games."""

    players: int = 2
    """Seats at the table, 2 to 4."""

    rows: Literal["decisions", "games"] = "decisions"
    """One row a decision, or one a game."""

    seed: int = 0
    """Of the deals and of the agents' own randomness. The deals are those of no training and no
    evaluation."""

    mode: Literal["sample", "greedy"] = "sample"
    """Whether agents with probabilities draw from them or take the likeliest move."""

    duplicate: bool = False
    """Play every deal with the agents in every seat, instead of a new deal every game."""

    verify: Path | None = None
    """Instead of writing: play the games of this file again, and compare every column that follows
    from them."""

    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Processes; the file is the same for any number."""

    ray: RayOption = None
    """Play by Ray instead of by processes, last of all options: one of its own with so many workers
    on this machine, or the one at ADDRESS; all of its nodes have to see the file's folder."""

    json: bool = False
    """Print the result as JSON."""

    game: Annotated[GameOptions, tyro.conf.arg(name="")] = field(default_factory=GameOptions)
    """Which game."""


def run(command: Command) -> int:
    """Writes the file, or verifies one.

    Raises:
        UsageError: neither or both of them.
        DatasetError: a file that is there already, or is none.
        AgentSpecError, ConfigError: no such agent, or no such game.
    """
    if command.verify is not None:
        if command.agents or command.out is not None:
            raise UsageError("--verify FILE stands alone: it takes no agents and no --out")
        return _verify(command, command.verify)
    if command.out is None:
        raise UsageError("expected --out FILE, the Parquet file to write")
    return _write(command, command.out)


def _write(command: Command, out: Path) -> int:
    # Lazily: `--help` needs no pyarrow.
    from arboretum_training.research.dataset import plan_dataset, write_dataset

    plan = plan_dataset(
        out,
        command.agents,
        command.game.config(command.players),
        games=command.games,
        rows=command.rows,
        seed=command.seed,
        mode=command.mode,
        duplicate=command.duplicate,
    )
    try:
        with workers_of(command.workers, command.ray) as workers, progress_bar("parts") as report:
            written = write_dataset(plan, workers, report)
    except KeyboardInterrupt:
        kept = len(list(plan.parts_folder.glob("part*.parquet")))
        print(
            f"\n{kept} of {plan.parts} parts are kept in {plan.parts_folder}: the same command "
            "goes on with them",
            file=sys.stderr,
        )
        raise
    size = written.path.stat().st_size
    answer = {
        "file": str(written.path),
        "rows": written.rows,
        "games": written.games,
        "bytes": size,
        "resumed_parts": written.resumed,
    }
    _print(
        command,
        answer,
        f"{written.path}: {written.rows:,} {command.rows} of {written.games:,} games, "
        f"{size / 2**20:.1f} MiB",
    )
    return 0


def _verify(command: Command, path: Path) -> int:
    from arboretum_training.research.dataset_replay import verify_dataset

    with progress_bar("replaying") as report:
        found = verify_dataset(path, report)
    _print(
        command,
        {"file": str(path), "valid": True, "rows": found.rows, "games": found.games},
        f"{path}: {found.rows:,} rows of {found.games:,} games are what a replay gives",
    )
    return 0


def _print(command: Command, answer: dict[str, Any], text: str) -> None:
    print(json.dumps(answer) if command.json else text)
