"""``arboretum tournament``: many agents, every pair or mixed tables, ratings and a report."""

import json
import os
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, Literal

import tyro
from rich.console import Console
from tyro.conf import Positional

from arboretum_env.seeding import Purpose
from arboretum_lab.cli.arguments import UsageError
from arboretum_lab.cli.game_options import GameOptions
from arboretum_lab.cli.tournament_watch import watching
from arboretum_lab.cli.workers import RayOption, check_workers, workers_of
from arboretum_training.evaluation.agent_identity import identify
from arboretum_training.evaluation.evaluate import unique_names
from arboretum_training.evaluation.standings import standings
from arboretum_training.evaluation.tournament import (
    TournamentSettings,
    default_folder,
    open_tournament,
)
from arboretum_training.evaluation.tournament_page import write_page
from arboretum_training.evaluation.tournament_report import to_json, to_table
from arboretum_training.evaluation.tournament_tables import MAX_TABLES, tables
from arboretum_training.files import replace_file

RESULTS_NAME: Final = "results.json"


@dataclass(frozen=True)
class Command:
    """Plays a tournament: ratings with intervals, the payoff matrix, a page to look at.

    Every finished piece is kept in the tournament's folder: the same command goes on where a kill
    or Ctrl-C stopped it, and ends with the same bytes.
    """

    agents: Annotated[
        Positional[tuple[str, ...]],
        tyro.conf.arg(metavar="A B C ...", help_behavior_hint="(required)"),
    ]
    """Two or more of: a name that `arboretum agents` lists, with options as in
    NAME:KEY=VALUE,...; a run or checkpoint folder."""

    players: int = 2
    """Seats at the table, 2 to 4."""

    format: Literal["round-robin", "mixed"] = "round-robin"
    """round-robin: every pair; with 3 or 4 seats one sits alone against copies of the other, once
    each way. mixed: every choice of different agents, or a balanced sample of them."""

    deals: int = 200
    """Deals; every table plays all of them, each with the seats turned all the way round."""

    seed: int = 0
    """Of the deals, of the agents' own randomness and of what is resampled."""

    mode: Literal["sample", "greedy"] = "sample"
    """Whether agents with probabilities draw from them or take the likeliest move. An agent named
    as NAME:mode=greedy, or RUN:mode=greedy, goes by its own."""

    tables: int = MAX_TABLES
    """Tables of a mixed tournament at most; where there would be more, a balanced sample plays."""

    anchor: str | None = None
    """The agent whose rating is 1000. Default: the mean of all is."""

    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Processes; the result is the same for any number."""

    ray: RayOption = None
    """Compute by Ray instead of by processes, last of all options: one of its own with so many
    workers on this machine, or the one at ADDRESS (HOST:PORT, or auto) with all its nodes. The
    result is the same."""

    out: Path | None = None
    """The tournament's folder. Default: one under runs/tournaments, named by the settings."""

    save_games: Path | None = None
    """A folder that gets one .arb file a game, in a folder a table."""

    max_minutes: float | None = None
    """Stop after so long; the same command goes on."""

    json: bool = False
    """Print the result as JSON."""

    game: Annotated[GameOptions, tyro.conf.arg(name="")] = field(default_factory=GameOptions)
    """Which game."""


def run(command: Command) -> int:
    """Plays what is not played yet, then prints and writes the report."""
    settings = make_settings(command)
    if command.anchor is not None and command.anchor not in settings.names:
        raise UsageError(
            f"--anchor {command.anchor}: expected one of the agents, {', '.join(settings.names)}"
        )
    check_workers(command.workers, command.ray)
    if command.max_minutes is not None and not command.max_minutes > 0:
        raise UsageError(f"--max-minutes {command.max_minutes:g}: expected more than 0")
    tournament = open_tournament(command.out or default_folder(settings), settings)
    console = Console(stderr=True)
    for fault in tournament.damaged:
        console.print(f"{fault}; its games are played again", markup=False, soft_wrap=True)
    try:
        with (
            workers_of(command.workers, command.ray) as workers,
            watching(tournament, command.anchor, console) as watch,
        ):
            tournament.play(
                workers=workers,
                save_games=command.save_games,
                watch=watch,
                minutes=command.max_minutes,
            )
    except KeyboardInterrupt:
        _tell_how_to_go_on(console, tournament.folder)
        raise
    result = standings(tournament, command.anchor)
    report = json.dumps(to_json(result), indent=2, allow_nan=False)
    replace_file(tournament.folder / RESULTS_NAME, f"{report}\n".encode())
    files = write_page(tournament.folder, result, command_line())
    if command.json:
        print(report)
        return 0
    out = Console()
    out.print(to_table(result))
    out.print(f"report: {files[0]}", markup=False, highlight=False, soft_wrap=True)
    if not tournament.complete:
        _tell_how_to_go_on(console, tournament.folder)
    return 0


def make_settings(command: Command) -> TournamentSettings:
    """What the options say is to be played."""
    config = command.game.config(command.players)
    names = unique_names(command.agents)
    return TournamentSettings(
        agents=tuple(map(identify, command.agents, names)),
        config=config,
        form=command.format,
        tables=tuple(
            tables(command.format, len(names), command.players, command.tables, command.seed)
        ),
        deals=command.deals,
        seed=command.seed,
        mode=command.mode,
        purpose=Purpose.EVALUATE,
    )


def command_line() -> str:
    """The words of this command line, to be copied."""
    return shlex.join(["arboretum", *sys.argv[1:]])


def _tell_how_to_go_on(console: Console, folder: Path) -> None:
    console.print(
        f"{folder} has everything that is finished: the same command goes on from there",
        markup=False,
        soft_wrap=True,
    )
