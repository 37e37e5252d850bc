"""``arboretum suite``: the fixed public benchmark, its verification, and its ladder."""

import json
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, Literal

import tyro
from rich.console import Console
from tyro.conf import Positional

from arboretum_env.seeding import random_seed
from arboretum_lab.cli.arguments import UsageError
from arboretum_lab.cli.progress import progress_bar
from arboretum_lab.cli.workers import RayOption, check_workers, workers_of
from arboretum_training.evaluation.agent_identity import identify
from arboretum_training.evaluation.executor import Workers
from arboretum_training.evaluation.ladder import LADDER_NAME, ladder_text, ladder_to_json
from arboretum_training.evaluation.suite import PLAYERS
from arboretum_training.evaluation.suite_card import card_text
from arboretum_training.evaluation.suite_result import read_result
from arboretum_training.evaluation.suite_run import (
    Report,
    default_folder,
    finish_suite,
    play_ladder,
    play_matches,
    playable,
    suite_matches,
)
from arboretum_training.evaluation.suite_verify import verify
from arboretum_training.files import replace_file

LADDER_FOLDER: Final = Path("runs") / "suite" / "ladder"


@dataclass(frozen=True)
class Command:
    """Measures an agent against the fixed ladder on the published deals, and prints its card.

    The same command goes on where Ctrl-C or a kill stopped it. It leaves a result file with every
    game, which `arboretum suite --verify FILE` checks against the rungs themselves.
    """

    agent: Annotated[
        Positional[str | None],
        tyro.conf.arg(
            metavar="AGENT",
            help_behavior_hint="(this, or one of --verify, --ladder and --algorithm)",
        ),
    ] = None
    """A name that `arboretum agents` lists, with options as in NAME:KEY=VALUE,...; a run or
    checkpoint folder."""

    verify: Path | None = None
    """A result file to check instead. A sample of its games is replayed."""

    all: bool = False
    """With --verify: replay every game."""

    ladder: bool = False
    """Play the rungs against each other instead: the scale on which ratings stand."""

    algorithm: tuple[Path, ...] = ()
    """Experiment files (.yaml) of training methods to compare instead: each is trained with several
    seeds on the same track, and measured against greedy@1 and planner@1."""

    track: str = "decisions-1m"
    """With --algorithm, the budget of every training: decisions-1m, decisions-5m, minutes-10 or
    minutes-60 (of one thread)."""

    seeds: int = 5
    """With --algorithm: trainings of each method. Fewer than 5 are not official."""

    decisions: int | None = None
    """With --algorithm: a budget in place of the track's, to try it out; not official."""

    players: tuple[Literal[2, 3, 4], ...] = ()
    """Numbers of players. Default: all that the agent can play."""

    deals: int | None = None
    """Deals of every match, to try it out: the card then says that it is not official."""

    mode: Literal["sample", "greedy"] = "sample"
    """Whether an agent with probabilities draws from them or takes the likeliest move."""

    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Processes; the result is the same for any number."""

    ray: RayOption = None
    """Compute by Ray instead of by processes, last of all options: one of its own with so many
    workers on this machine, or the one at ADDRESS (HOST:PORT, or auto) with all its nodes. The
    result is the same."""

    out: Path | None = None
    """Folder of the measurement. Default: one under runs/suite, named by the agent."""

    json: bool = False
    """Print the result as JSON."""


def run(command: Command) -> int:
    """Does the one of its four things that was asked for."""
    asked = (command.agent, command.verify, command.ladder or None, command.algorithm or None)
    if sum(thing is not None for thing in asked) != 1:
        raise UsageError("expected one of: AGENT, --verify RESULT, --ladder, --algorithm CONFIG")
    check_workers(command.workers, command.ray)
    if command.deals is not None and command.deals < 1:
        raise UsageError(f"--deals {command.deals}: expected at least 1")
    if command.verify is not None:
        return _verify(command, command.verify)
    if command.ladder:
        return _ladder(command)
    if command.algorithm:
        return _algorithm(command)
    assert command.agent is not None  # the one of the four that is left
    return _measure(command, command.agent)


def _measure(command: Command, spec: str) -> int:
    agent = identify(spec)
    players = playable(agent, command.players or PLAYERS, command.mode)
    folder = command.out or default_folder(agent, command.mode, command.deals)
    matches = suite_matches(agent, players, folder, command.mode, command.deals)
    with _workers(command) as workers, _progress(folder) as report:
        play_matches(list(matches.values()), workers=workers, records=True, report=report)
    card, file = finish_suite(agent, matches, folder)
    if command.json:
        print(json.dumps(card, indent=2, allow_nan=False))
        return 0
    print(card_text(card))
    print(f"result file: {file}")
    return 0


def _verify(command: Command, path: Path) -> int:
    result = read_result(path)
    with _workers(command) as workers, _progress(None) as report:
        games = verify(
            result,
            sample=None if command.all else 1,
            seed=random_seed(),
            workers=workers,
            progress=lambda done, total: report(done, total, "replaying"),
        )
    everything = sum(len(match.games) for match in result.matches)
    if command.json:
        found = {"valid": True, "games": everything, "replayed": games, "card": result.card}
        print(json.dumps(found, indent=2, allow_nan=False))
        return 0
    print(card_text(result.card))
    print(f"verified: {games:,} of {everything:,} games replayed against the rungs; card and")
    print("hashes follow from the games")
    return 0


def _ladder(command: Command) -> int:
    folder = command.out or LADDER_FOLDER
    with _workers(command) as workers, _progress(folder) as report:
        ladders = play_ladder(folder, deals=command.deals, workers=workers, report=report)
    data = ladder_to_json(ladders, official=command.deals is None)
    text = json.dumps(data, indent=1, allow_nan=False)
    replace_file(folder / LADDER_NAME, f"{text}\n".encode())
    print(text if command.json else f"{ladder_text(data)}\nladder: {folder / LADDER_NAME}")
    return 0


def _algorithm(command: Command) -> int:
    # Lazily: nothing else here trains.
    from arboretum_lab.cli import suite_algorithm

    settings = suite_algorithm.settings_of(
        command.algorithm,
        track=command.track,
        decisions=command.decisions,
        seeds=command.seeds,
        deals=command.deals,
    )
    return suite_algorithm.compare(
        settings,
        command.out,
        workers=lambda: _workers(command),
        progress=_progress,
        as_json=command.json,
    )


def _workers(command: Command) -> AbstractContextManager[Workers]:
    return workers_of(command.workers, command.ray)


@contextmanager
def _progress(folder: Path | None) -> Iterator[Report]:
    """The bar; after Ctrl-C, where what is finished lies."""
    try:
        with progress_bar("playing") as report:
            yield report
    except KeyboardInterrupt:
        if folder is not None:
            Console(stderr=True).print(
                f"{folder} has everything that is finished: the same command goes on from there",
                markup=False,
                soft_wrap=True,
            )
        raise
