"""``arboretum evaluate``: agents against each other over duplicate deals."""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import tyro
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from tyro.conf import Positional

from arboretum_env.config import GameConfig
from arboretum_training.evaluation.evaluate import EvaluationResult, evaluate
from arboretum_training.evaluation.report import to_json, to_table
from arboretum_training.evaluation.summary import summarise


@dataclass(frozen=True)
class Command:
    """Measures agents against each other over duplicate deals.

    Every deal is played with the agents in every seat. Two agents: the first sits in one seat,
    the second in all the others. More agents: every choice of them meets equally often.
    """

    agents: Annotated[
        Positional[tuple[str, ...]],
        tyro.conf.arg(metavar="A B ...", help_behavior_hint="(required)"),
    ]
    """Two or more of: a name that `arboretum agents` lists, with options as in
    NAME:KEY=VALUE,...; a run or checkpoint folder."""

    players: int = 2
    """Seats at the table, 2 to 4."""

    deals: int = 500
    """Deals; each is played several times, with the seats turned."""

    seed: int = 0
    """Of the deals and of the agents' own randomness."""

    mode: Literal["sample", "greedy"] = "sample"
    """Whether agents with probabilities draw from them or take the likeliest move. An agent named
    as NAME:mode=greedy, or RUN:mode=greedy, goes by its own."""

    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Processes; the result is the same for any number."""

    save_games: Path | None = None
    """A new or empty folder that gets one .arb file a game."""

    json: bool = False
    """Print the result as JSON."""

    species: str | None = None
    """Species in play: their letters, or how many. Default: as the rules say for the players."""

    ranks: int = 8
    """Ranks of every species, 3 to 8 (fewer: a reduced game)."""

    hand_size: int = 7
    """Cards in hand, 1 to 7 (fewer: a reduced game)."""

    starting_discards: bool = False
    """Every player but the first begins with one face-up card (the 2015/16 printing)."""

    keep_eights: bool = False
    """A held 1 does not cancel an opponent's held 8 (research switch)."""

    rights: Literal["highest", "all"] = "highest"
    """Who may score a species; "all" switches hand-blocking off (research switch)."""


def run(command: Command) -> int:
    """Plays, and prints the result."""
    result = _evaluate_with_progress(command)
    summary = summarise(result)
    if command.json:
        print(json.dumps(to_json(summary), indent=2))
    else:
        Console().print(to_table(summary))
    return 0


def game_config(command: Command) -> GameConfig:
    """The game that the options describe."""
    return GameConfig(
        num_players=command.players,
        num_ranks=command.ranks,
        hand_size=command.hand_size,
        starting_discards=command.starting_discards,
        cancel_eights=not command.keep_eights,
        rights=command.rights,
        species=command.species,
    )


def _evaluate_with_progress(command: Command) -> EvaluationResult:
    """Evaluates under a bar on stderr, which is drawn on terminals only and then wiped."""
    columns = (TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        task = progress.add_task("playing", total=None)
        return evaluate(
            command.agents,
            game_config(command),
            deals=command.deals,
            seed=command.seed,
            mode=command.mode,
            workers=command.workers,
            save_games=command.save_games,
            progress=lambda done, total: progress.update(task, completed=done, total=total),
        )
