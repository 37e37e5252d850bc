"""``arboretum train CONFIG``: trains a policy by self-play and measures it."""

import hashlib
import json
import os
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import tyro
from rich.console import Console
from tyro.conf import Positional

from arboretum_agents.neural.checkpoint_reader import (
    MANIFEST_NAME,
    Checkpoint,
    find_checkpoint,
    latest_step,
    read_checkpoint,
)
from arboretum_agents.registry import make_agent
from arboretum_lab.cli.arguments import UsageError
from arboretum_lab.cli.closing import close_run
from arboretum_lab.cli.program import program
from arboretum_lab.cli.workers import (
    RayOption,
    check_workers,
    ray_address,
    try_workers,
    workers_of,
)
from arboretum_training.code_versions import code_versions
from arboretum_training.config import (
    AnyExperiment,
    BudgetConfig,
    Experiment,
    ExperimentConfig,
    LibraryConfig,
    RllibConfig,
    Sb3Config,
    follow_players,
    load_experiment,
)
from arboretum_training.dashboard import Dashboard
from arboretum_training.distributed import Ranks, joined
from arboretum_training.files import working_in
from arboretum_training.opponents.pool import make_bot
from arboretum_training.runs import RunFolder, create_run, open_run, resume_run
from arboretum_training.session import Session
from arboretum_training.snapshot import from_checkpoint
from arboretum_training.start import read_start

if TYPE_CHECKING:
    from arboretum_training.ray.session import RllibSession
    from arboretum_training.sb3.session import Sb3Session

AnyLaunch = TypeVar("AnyLaunch", bound="_Launch")
_TEMPLATE = ExperimentConfig(name="run")
_SB3_TEMPLATE = Sb3Config(name="run")
_RLLIB_TEMPLATE = RllibConfig(name="run")
EXIT_INTERRUPTED = 130


@dataclass(frozen=True)
class _Launch:
    """What can be said of a launch, whatever trains."""

    config: Annotated[
        Positional[Path | None],
        tyro.conf.arg(metavar="CONFIG", help_behavior_hint="(this or --resume)"),
    ] = None
    """Experiment file (.yaml); comes first. The options below then show its values."""

    resume: Path | None = None
    """Folder of a run to go on with, instead of CONFIG."""

    runs: Path = Path("runs")
    """Folder in which a folder NAME is made for the run."""

    overwrite: tyro.conf.FlagCreatePairsOff[bool] = False
    """Delete an earlier run of the same name."""

    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Processes that measure at the end."""

    ray: RayOption = None
    """Measure by Ray instead of by processes, last of all options: one of its own with so many
    workers on this machine, or the one at ADDRESS (HOST:PORT, or auto) with all its nodes. The
    result is the same. Where RLlib trains, it does so there too."""


@dataclass(frozen=True)
class Command(_Launch):
    """Trains a policy by self-play, then measures it against bots.

    Everything that a configuration file says can be changed by an option, e.g.
    `arboretum train configs/demo.yaml --ppo.learning-rate 3e-4 --budget.minutes 10`. Ctrl-C saves a
    checkpoint; `arboretum train --resume RUN` goes on from there, bit by bit as if it had never
    stopped (with the same number of threads and a budget in decisions). A run that is over goes on
    with a larger budget: `--resume RUN --budget.decisions N`, N counted from its beginning. Curves:
    `tensorboard --logdir RUN/tb`. Several processes train one run together by
    `torchrun --nproc-per-node 2 -m arboretum_lab train ...`. Files that say `trainer: sb3` or
    `trainer: rllib` have other options: `arboretum train configs/sb3_2p.yaml --help`.
    """

    experiment: Annotated[ExperimentConfig, tyro.conf.arg(name="")] = _TEMPLATE
    """The experiment."""


@dataclass(frozen=True)
class Sb3Command(_Launch):
    """Trains a policy with Stable-Baselines3's MaskablePPO, then measures it against bots.

    Everything that the configuration file says can be changed by an option. Ctrl-C saves the policy
    and ends the run; `--resume` cannot go on with it, since the library keeps the state of a
    training in a pickle.
    """

    experiment: Annotated[Sb3Config, tyro.conf.arg(name="")] = _SB3_TEMPLATE
    """The experiment."""


@dataclass(frozen=True)
class RllibCommand(_Launch):
    """Trains a policy with RLlib's PPO, then measures it against bots.

    Everything that the configuration file says can be changed by an option. Ctrl-C saves the policy
    and ends the run; `--resume` cannot go on with it, since the library keeps the state of a
    training in a pickle.
    """

    experiment: Annotated[RllibConfig, tyro.conf.arg(name="")] = _RLLIB_TEMPLATE
    """The experiment."""


LibraryCommand = Sb3Command | RllibCommand
"""What trains with another library."""

AnyCommand = Command | LibraryCommand


def parse(arguments: list[str]) -> AnyCommand:
    """Reads the arguments on top of the configuration file, or of the resumed run's, they name.

    Raises:
        UsageError: neither a file nor a run to resume, or both, or no run behind ``--resume``.
        ConfigError, RunError: what they name cannot be read.
    """
    asks_help = any(word in ("-h", "--help") for word in arguments)
    config = Path(arguments[0]) if arguments and not arguments[0].startswith("-") else None
    resume = _value_of("--resume", arguments)
    if resume is not None and (not resume or resume.startswith("-")):
        raise UsageError("--resume: expected the folder of a run")
    if not asks_help and (config is None) == (resume is None):
        raise UsageError(
            "expected either a configuration file, first of all, or --resume RUN: try "
            "`arboretum train configs/demo.yaml`"
        )
    before: Experiment = _TEMPLATE
    if config is not None:
        before = load_experiment(config)
    elif resume is not None:
        before = open_run(Path(resume)).load_config()
    if isinstance(before, Sb3Config):
        sb3 = _parse_on_top(Sb3Command(experiment=_give_way(before, arguments)), arguments)
        return replace(sb3, experiment=follow_players(before, sb3.experiment))
    if isinstance(before, RllibConfig):
        rllib = _parse_on_top(RllibCommand(experiment=_give_way(before, arguments)), arguments)
        return replace(rllib, experiment=follow_players(before, rllib.experiment))
    assert isinstance(before, ExperimentConfig)
    house = _parse_on_top(Command(experiment=_give_way(before, arguments)), arguments)
    return replace(house, experiment=follow_players(before, house.experiment))


def _parse_on_top(default: AnyLaunch, arguments: list[str]) -> AnyLaunch:
    return tyro.cli(type(default), prog="arboretum train", args=arguments, default=default)


def _value_of(option: str, arguments: list[str]) -> str | None:
    """The value given to an option, in either of its two forms, before all options are read.

    Empty if the option is there without one; None if it is not there.
    """
    for index, word in enumerate(arguments):
        if word == option:
            return arguments[index + 1] if index + 1 < len(arguments) else ""
        if word.startswith(f"{option}="):
            return word.partition("=")[2]
    return None


def _give_way(experiment: AnyExperiment, arguments: list[str]) -> AnyExperiment:
    """Lets a budget of one kind on the command line replace one of the other kind in the file."""
    given = [kind for kind in ("decisions", "minutes") if _value_of(f"--budget.{kind}", arguments)]
    if len(given) != 1:
        return experiment
    # Not a valid budget by itself: tyro fills in the kind that is given.
    empty = BudgetConfig.model_construct(decisions=None, minutes=None)
    return experiment.model_copy(update={"budget": empty})


def run(command: AnyCommand) -> int:
    """Trains, measures, and leaves a run folder.

    Returns:
        0, or 130 when Ctrl-C ended it before its budget was used.
    """
    _check_agents(command)
    with joined() as ranks:
        if isinstance(command, LibraryCommand):
            if ranks.size > 1:
                trainer = command.experiment.trainer
                raise UsageError(f"trainer {trainer}: expected one process, without torchrun")
        elif ranks.size > 1:
            ranks.check_alike(launch_facts(command.experiment, command.resume))
        if ranks.is_first:
            # Also while it is read: another launch would take rows out of the log and add its own.
            with nullcontext() if command.resume is None else working_in(command.resume):
                return _lead(command, ranks)
        assert isinstance(command, Command)
        return _follow(command, ranks)


def _lead(command: AnyCommand, ranks: Ranks) -> int:
    console = Console()
    if not isinstance(command, RllibCommand):  # which asks for more of its Ray
        try_workers(command.workers, command.ray)
    session = _session(command, ranks)
    run_folder = session.run
    title = f"{command.experiment.name}, {command.experiment.game.num_players} players"
    if _budget_is_used(session):
        console.print(
            "its budget is used: a larger --budget.decisions or --budget.minutes trains it further",
            markup=False,
            soft_wrap=True,
        )
    with (
        working_in(run_folder.path) if command.resume is None else nullcontext(),
        Dashboard(title, console=console) as dashboard,
    ):
        finished = session.train(dashboard)
    step = latest_step(run_folder.path)
    assert step is not None  # the session saves a checkpoint at its end
    if not finished:
        what_now = (
            f"go on with: {program()} train --resume {run_folder.path}"
            if isinstance(command, Command)
            else f"measure it with: {program()} evaluate {run_folder.path} greedy"
        )
        console.print(f"stopped after {step:,} decisions; {what_now}", markup=False, soft_wrap=True)
        return EXIT_INTERRUPTED
    with workers_of(command.workers, command.ray) as workers:
        close_run(run_folder, command.experiment, step, console, workers=workers)
    return 0


def launch_facts(experiment: ExperimentConfig, resume: Path | None) -> dict[str, str]:
    """What has to be the same in all processes of a run, by name: see ``Ranks.check_alike``.

    Args:
        experiment: what is trained.
        resume: the run to go on with.
    """
    facts = dict(code_versions())
    for name, part in experiment.model_dump(mode="json").items():
        fields = part if isinstance(part, dict) else {"": part}
        facts |= {f"{name}.{key}".rstrip("."): json.dumps(value) for key, value in fields.items()}
    if resume is not None:
        manifest = find_checkpoint(resume) / MANIFEST_NAME
        digest = hashlib.sha256(manifest.read_bytes()).hexdigest()[:12]
        facts["checkpoint"] = f"{manifest.parent.name} ({digest})"
    elif (start := read_start(experiment)) is not None:
        facts["start_from"] = start.digest[:12]
    return facts


def _follow(command: Command, ranks: Ranks) -> int:
    """Trains with the first process, which alone writes and shows anything."""
    experiment, checkpoint = command.experiment, None
    if command.resume is not None:
        checkpoint = read_checkpoint(find_checkpoint(command.resume))
    session = Session(RunFolder(command.runs / experiment.name), experiment, checkpoint, ranks)
    finished = session.train(Dashboard(experiment.name, console=Console(quiet=True)))
    return 0 if finished else EXIT_INTERRUPTED


def _check_agents(command: AnyCommand) -> None:
    """Finds agents that do not exist, and no workers, now and not after hours of training."""
    check_workers(command.workers, command.ray)
    experiment = command.experiment
    for spec in experiment.evaluation.opponents:
        make_agent(spec, experiment.game)
    if command.resume is None:  # else the run has its bots, with the weights that they came with
        make = make_agent if isinstance(experiment, LibraryConfig) else make_bot
        for spec in experiment.pool.bots:
            make(spec, experiment.game)


def _session(command: AnyCommand, ranks: Ranks) -> "Session | Sb3Session | RllibSession":
    """What trains, with the folder of its run; the folder is made last of all."""
    if isinstance(command, Sb3Command):
        # Lazily: other experiments need not have the extra "sb3".
        from arboretum_training.sb3.session import Sb3Session

        return Sb3Session(_open(command)[0], command.experiment)
    if isinstance(command, RllibCommand):
        from arboretum_training.ray.session import (
            RllibSession,
            check_room,
        )  # likewise the extra "ray"

        check_workers(command.workers, command.ray or ())
        address = ray_address(command.ray or ())
        check_room(command.experiment, address)
        return RllibSession(_open(command)[0], command.experiment, address)
    experiment = command.experiment
    if command.resume is None:
        read_start(experiment)
    run_folder, checkpoint = _open(command, lambda saved: from_checkpoint(experiment, saved, ranks))
    return Session(run_folder, experiment, checkpoint, ranks)


def _open(
    command: AnyCommand, check: Callable[[Checkpoint], object] | None = None
) -> tuple[RunFolder, Checkpoint | None]:
    words = ["arboretum", *sys.argv[1:]]
    if command.resume is not None:
        return resume_run(command.resume, command.experiment, words, check=check)
    return create_run(command.runs, command.experiment, words, overwrite=command.overwrite), None


def _budget_is_used(session: "Session | Sb3Session | RllibSession") -> bool:
    """Whether a run is resumed that is over already."""
    if not isinstance(session, Session) or session.checkpoint is None:
        return False
    saved = session.checkpoint
    return session.config.budget.progress(saved.step, saved.counters["seconds"]) >= 1
