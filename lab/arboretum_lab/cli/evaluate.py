"""``arboretum evaluate``: agents against each other over duplicate deals."""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro
from rich.console import Console
from tyro.conf import Positional

from arboretum_lab.cli.game_options import GameOptions
from arboretum_lab.cli.progress import progress_bar
from arboretum_lab.cli.workers import RayOption, workers_of
from arboretum_training.evaluation.control_variate import controlled_text, evaluate_with_luck
from arboretum_training.evaluation.errors import EvaluationError
from arboretum_training.evaluation.evaluate import EvaluationResult, evaluate
from arboretum_training.evaluation.executor import Workers
from arboretum_training.evaluation.power import plan_evaluation, power_text
from arboretum_training.evaluation.report import to_json, to_table
from arboretum_training.evaluation.sequential import evaluate_sequentially
from arboretum_training.evaluation.sequential_report import sequential_json, sequential_text
from arboretum_training.evaluation.sprt import SprtSettings, parse_sprt
from arboretum_training.evaluation.summary import Summary, summarise

_EXIT_INTERRUPTED = 130  # as `cli.main` has it for commands that had nothing to print yet


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

    ray: RayOption = None
    """Compute by Ray instead of by processes, last of all options: one of its own with so many
    workers on this machine, or the one at ADDRESS (HOST:PORT, or auto) with all its nodes. The
    result is the same."""

    control_variate: bool = False
    """Also print the first of two agents' figures with the luck of the draws taken out."""

    sprt: Annotated[tuple[str, ...] | None, tyro.conf.arg(metavar="elo0=X elo1=Y ...")] = None
    """Stop as soon as it is clear that the lead of the first of two agents is more than X Elo, or
    that it is less than Y. Also alpha=0.05 and beta=0.05, how often either may be wrong."""

    max_deals: int = 100_000
    """Where --sprt ends undecided; it plays 64 deals at a time, and --deals counts for nothing."""

    detect: float | None = None
    """Play a pilot alone, and say how many deals it takes to see that the first of two agents wins
    more or less than its fair share by this much, e.g. 0.03."""

    power: float = 0.8
    """How likely --detect is to see it."""

    pilot_deals: int = 128
    """Deals of the pilot of --detect."""

    save_games: Path | None = None
    """A new or empty folder that gets one .arb file a game."""

    json: bool = False
    """Print the result as JSON."""

    game: Annotated[GameOptions, tyro.conf.arg(name="")] = field(default_factory=GameOptions)
    """Which game."""


def run(command: Command) -> int:
    """Plays, and prints the result."""
    _check_combination(command)
    sprt = None if command.sprt is None else parse_sprt(command.sprt)
    with workers_of(command.workers, command.ray) as workers:
        if command.detect is not None:
            return _print_deals_needed(command, command.detect, workers)
        if sprt is not None:
            return _run_sequentially(command, sprt, workers)
        if command.control_variate:
            return _run_with_control_variate(command, workers)
        return _print(command, summarise(_evaluate_with_progress(command, workers)))


def _check_combination(command: Command) -> None:
    """Refuses options that do not go together, before anything is played."""
    given = {
        "--detect": command.detect is not None,
        "--sprt": command.sprt is not None,
        "--control-variate": command.control_variate,
    }
    chosen = [name for name, is_given in given.items() if is_given]
    if len(chosen) > 1:
        raise EvaluationError(f"{' and '.join(chosen)} do not go together: expected one of them")
    if chosen and command.save_games is not None:
        raise EvaluationError(
            f"--save-games does not go with {chosen[0]}: without it, --deals N and the same --seed "
            "play the same games again"
        )


def _run_with_control_variate(command: Command, workers: Workers) -> int:
    with progress_bar("playing") as progress:
        result, controlled = evaluate_with_luck(
            command.agents,
            command.game.config(command.players),
            deals=command.deals,
            seed=command.seed,
            mode=command.mode,
            workers=workers,
            progress=progress,
        )
    return _print(
        command,
        summarise(result),
        {"control_variate": controlled.to_json()},
        controlled_text(result.names[0], controlled),
    )


def _run_sequentially(command: Command, settings: SprtSettings, workers: Workers) -> int:
    low, high = settings.bounds
    with progress_bar("LLR") as progress:

        def watch(deals: int, llr: float) -> None:
            progress(deals, command.max_deals, f"LLR {llr:+.2f} ({low:+.2f}..{high:+.2f})")

        ended = evaluate_sequentially(
            command.agents,
            command.game.config(command.players),
            settings,
            max_deals=command.max_deals,
            seed=command.seed,
            mode=command.mode,
            workers=workers,
            watch=watch,
        )
    _print(
        command,
        summarise(ended.result),
        {"sprt": sequential_json(ended)},
        sequential_text(ended),
    )
    return _EXIT_INTERRUPTED if ended.interrupted else 0


def _print_deals_needed(command: Command, detect: float, workers: Workers) -> int:
    with progress_bar("pilot") as progress:
        needed = plan_evaluation(
            command.agents,
            command.game.config(command.players),
            detect=detect,
            power=command.power,
            pilot_deals=command.pilot_deals,
            seed=command.seed,
            mode=command.mode,
            workers=workers,
            progress=progress,
        )
    if command.json:
        print(json.dumps(needed.to_json(), indent=2))
    else:
        Console().print(power_text(needed), markup=False, highlight=False, soft_wrap=True)
    return 0


def _print(
    command: Command, summary: Summary, more: dict[str, Any] | None = None, text: str = ""
) -> int:
    """Prints a report, and what more there is to it."""
    if command.json:
        print(json.dumps({**to_json(summary), **(more or {})}, indent=2))
        return 0
    console = Console()
    console.print(to_table(summary))
    if text:
        console.print(text, markup=False, highlight=False, soft_wrap=True)
    return 0


def _evaluate_with_progress(command: Command, workers: Workers) -> EvaluationResult:
    with progress_bar("playing") as progress:
        return evaluate(
            command.agents,
            command.game.config(command.players),
            deals=command.deals,
            seed=command.seed,
            mode=command.mode,
            workers=workers,
            save_games=command.save_games,
            progress=progress,
        )
