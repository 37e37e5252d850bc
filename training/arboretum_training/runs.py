"""The folder of a run, and how a run begins or goes on.

A folder holds::

  runs/demo/
    config.yaml      the experiment, resolved
    meta.json        command, versions and machine of every launch
    metrics.jsonl    see metrics.py
    tb/              the same for TensorBoard
    checkpoints/     see checkpoint.py
    LATEST           step of the newest checkpoint
    eval/            STEP.json, the reports of one measurement
    games/           *.arb, see sample_games.py
    past/            policies to be played against, see past.py
    failed/          a minibatch at which training went wrong, see failed_batch.py
    MODEL_CARD.md    see model_card.py
"""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from arboretum_agents.neural.checkpoint_reader import (
    CHECKPOINTS_NAME,
    Checkpoint,
    find_checkpoint,
    latest_step,
    read_checkpoint,
    step_name,
)
from arboretum_env.errors import RunError
from arboretum_training.config import (
    Experiment,
    ExperimentConfig,
    dump_experiment,
    load_experiment,
)
from arboretum_training.files import replace_file, working_in
from arboretum_training.machine import machine, versions
from arboretum_training.past import forget_past
from arboretum_training.sample_games import forget_games
from arboretum_training.start import read_start

Report = dict[str, Any]
"""One evaluation as plain data: what ``arboretum evaluate --json`` prints."""


@dataclass(frozen=True)
class RunFolder:
    """Where the parts of a run lie. Made by ``create_run``, ``open_run`` or ``resume_run``."""

    path: Path

    @property
    def config_file(self) -> Path:
        """The experiment."""
        return self.path / "config.yaml"

    @property
    def meta_file(self) -> Path:
        """How it was launched."""
        return self.path / "meta.json"

    @property
    def metrics_file(self) -> Path:
        """Rows of the log."""
        return self.path / "metrics.jsonl"

    @property
    def tensorboard(self) -> Path:
        """The log for TensorBoard."""
        return self.path / "tb"

    @property
    def checkpoints(self) -> Path:
        """A folder a checkpoint."""
        return self.path / CHECKPOINTS_NAME

    @property
    def evaluations(self) -> Path:
        """A file of reports a measurement."""
        return self.path / "eval"

    @property
    def games(self) -> Path:
        """Game records."""
        return self.path / "games"

    @property
    def past(self) -> Path:
        """Policies of the run's past, a checkpoint folder each; made by the first measurement."""
        return self.path / "past"

    @property
    def failed(self) -> Path:
        """What training went wrong at; not there in most runs."""
        return self.path / "failed"

    @property
    def model_card(self) -> Path:
        """What the trained model is."""
        return self.path / "MODEL_CARD.md"

    def load_config(self) -> Experiment:
        """The experiment of this run; raises ``ConfigError``."""
        return load_experiment(self.config_file)

    def load_launches(self) -> list[dict[str, Any]]:
        """Command, versions and machine of every launch, the first one first."""
        launches: list[dict[str, Any]] = _load_json(self.meta_file)["launches"]
        return launches

    def save_evaluation(self, step: int, reports: Sequence[Report]) -> None:
        """Keep the reports of a measurement of the policy after ``step`` decisions."""
        data = json.dumps(list(reports), indent=1, allow_nan=False)
        replace_file(self.evaluations / f"{step_name(step)}.json", f"{data}\n".encode())

    def load_evaluations(self) -> dict[int, list[Report]]:
        """Reports by step, ascending."""
        return {step: _load_json(path) for step, path in self._evaluation_files()}

    def _evaluation_files(self) -> Iterator[tuple[int, Path]]:
        for path in sorted(self.evaluations.glob("*.json")):
            if path.stem.isdecimal():
                yield int(path.stem), path


def create_run(
    root: Path, config: Experiment, command: Sequence[str], *, overwrite: bool = False
) -> RunFolder:
    """Make the folder ``root/NAME`` of a new run.

    Args:
        root: folder of all runs; made if need be.
        config: the experiment; its name names the folder.
        command: the words of the command line, for the record.
        overwrite: delete a run that has this name.

    Raises:
        RunError: the folder exists, holds anything, and is not to be overwritten or is no run; or
            it is to be overwritten, and holds the weights that the run is to start from.
        FolderInUseError: it is to be overwritten, and another command is at work in it.
        CheckpointError: the weights to start from cannot be read or do not fit.
    """
    run = RunFolder(root / config.name)
    start = _start(config, run)
    try:
        _make_way(run, overwrite, resumable=config.trainer == "house")
        for folder in (run.tensorboard, run.checkpoints, run.evaluations, run.games):
            folder.mkdir(parents=True)
        replace_file(run.config_file, dump_experiment(config).encode())
        _save_launches(run, [_launch(command, config.trainer, None) | start])
    except OSError as error:
        raise RunError(f"{run.path}: cannot be made: {error.strerror or error}") from error
    return run


def open_run(path: Path) -> RunFolder:
    """The run in a folder.

    Raises:
        RunError: the folder is no run.
    """
    run = RunFolder(path)
    for file in (run.config_file, run.meta_file):
        if not file.is_file():
            raise RunError(f"{path}: is no run folder: expected {file.name} in it")
    return run


def resume_run(
    path: Path,
    config: Experiment,
    command: Sequence[str],
    *,
    check: Callable[[Checkpoint], object] | None = None,
) -> tuple[RunFolder, Checkpoint]:
    """Open a run and its newest checkpoint, and take back what was logged after it.

    Rows, reports, games and policies beyond the checkpoint come from work that is lost and will be
    done again; without this they would stand in the log twice, or belong to another run.

    Args:
        path: the run's folder.
        config: the experiment to go on with: the run's own, but for what ``check_unchanged`` lets
            change. Becomes the run's own.
        command: the words of the command line, for the record.
        check: gets the checkpoint before anything is changed, and raises where it cannot be gone on
            from.

    Raises:
        RunError: no run, no checkpoint yet, a log that cannot be read, or an experiment that cannot
            go on from the checkpoint.
        CheckpointError: the checkpoint is not whole.
        ArboretumError: whatever ``check`` raises.
    """
    run = open_run(path)
    if config.trainer != "house":
        raise RunError(
            f"{path}: was trained with {config.trainer}, and cannot be resumed: that library keeps "
            "the state of a training in a pickle, which is neither written nor read here, and the "
            "checkpoint holds the policy alone. It plays as it is; to learn more, begin a new run "
            "with a larger budget"
        )
    if latest_step(path) is None:
        raise RunError(f"{path}: has no checkpoint to resume from: expected LATEST; start it anew")
    checkpoint = read_checkpoint(find_checkpoint(path))
    check_unchanged(config, checkpoint)
    if check is not None:
        check(checkpoint)
    launches = [*run.load_launches(), _launch(command, config.trainer, checkpoint.step)]
    try:
        for folder in (run.evaluations, run.games):
            folder.mkdir(exist_ok=True)
        # First what may be refused for want of room, then what is taken back.
        replace_file(run.config_file, dump_experiment(config).encode())
        _save_launches(run, launches)
        truncate_metrics(run.metrics_file, checkpoint.step)
        for step, file in run._evaluation_files():
            if step > checkpoint.step:
                file.unlink()
        forget_games(run.games, checkpoint.step)
        forget_past(run.past, checkpoint.step)
    except OSError as error:
        raise RunError(
            f"{error.filename}: {error.strerror or error}: the run cannot go on, and is as its "
            f"checkpoint of step {checkpoint.step} left it"
        ) from error
    return run, checkpoint


def check_unchanged(config: Experiment, checkpoint: Checkpoint) -> None:
    """Refuse an experiment that is another one than the checkpoint's.

    Budget, measuring, hyperparameters and the like may change: they are read anew each iteration.

    Raises:
        RunError: another game, network, rollout, seed or kind of critic.
    """
    wanted = config.model_dump(mode="json")
    for part in ("game", "network", "rollout", "seed", "ppo.critic"):
        given, expected = _part(wanted, part), _part(checkpoint.config, part)
        if given != expected:
            raise RunError(
                f"{part} {given}: was changed since the run began, expected {expected}; start a "
                "new run to change it"
            )


def _part(config: Mapping[str, Any], name: str) -> Any:
    """What an experiment says under a dotted name; None if it says nothing."""
    part: Any = config
    for key in name.split("."):
        part = part.get(key) if isinstance(part, Mapping) else None
    return part


def truncate_metrics(path: Path, step: int) -> None:
    """Remove the rows of a log after ``step``, and a last line that a kill cut short.

    Args:
        path: ``metrics.jsonl``; may be missing. Replaced in one step.
        step: last step that stays.

    Raises:
        RunError: a line before the last that is no row.
    """
    if not path.exists():
        return
    lines = path.read_bytes().split(b"\n")
    kept = []
    # What stands after the last newline is empty, or a line that was cut short.
    for number, line in enumerate(lines[:-1], start=1):
        if _row_step(path, number, line) <= step:
            kept.append(line + b"\n")
    replace_file(path, b"".join(kept))


def _row_step(path: Path, number: int, line: bytes) -> int:
    try:
        row = json.loads(line)
    except ValueError:  # also when it is not UTF-8
        row = None
    match row:
        case {"step": int(step)}:
            return step
    raise RunError(f"{path}: line {number}: expected a JSON object with its step")


def _make_way(run: RunFolder, overwrite: bool, *, resumable: bool) -> None:
    if not run.path.exists() or (run.path.is_dir() and not any(run.path.iterdir())):
        return
    if not overwrite:
        going_on = f", go on with --resume {run.path}," if resumable else ""
        raise RunError(
            f"{run.path}: exists already: choose another --name{going_on} or replace it with "
            "--overwrite"
        )
    open_run(run.path)  # whatever else has this name is never deleted
    with working_in(run.path):
        shutil.rmtree(run.path)


def _start(config: Experiment, run: RunFolder) -> dict[str, Any]:
    """What the first launch notes of the weights that a run starts from; read before all else."""
    if not isinstance(config, ExperimentConfig) or config.start_from is None:
        return {}
    if config.start_from.resolve().is_relative_to(run.path.resolve()):
        raise RunError(
            f"{run.path}: cannot start from {config.start_from}, which lies in it: choose another "
            "--name"
        )
    start = read_start(config)
    assert start is not None  # there is a folder to start from
    return {"start_from": {"path": str(config.start_from), "weights": start.digest}}


def _launch(command: Sequence[str], trainer: str, resumed_step: int | None) -> dict[str, Any]:
    return {
        "command": list(command),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "resumed_step": resumed_step,
        "versions": versions(trainer),
        "machine": machine(),
    }


def _save_launches(run: RunFolder, launches: list[dict[str, Any]]) -> None:
    data = json.dumps({"launches": launches}, indent=1)
    replace_file(run.meta_file, f"{data}\n".encode())


def _load_json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise RunError(f"{path}: cannot be read as JSON: {error}") from error
