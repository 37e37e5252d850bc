"""Several trainings of one method, each with its own seed, and how strong they become.

runs/suite/algorithms-1f0c.../
    algorithms.json             the settings; others are refused selfplay_2p/seed1001/       a run
    folder as ``arboretum train`` makes it, with its curve's checkpoints selfplay_2p/seed1001.json
    written when that training is over games/                      what was played, resumable like a
    tournament

A seed that was interrupted goes on from its newest checkpoint; one that is over is not begun again.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.neural.checkpoint_reader import CHECKPOINTS_NAME, latest_step, step_name
from arboretum_env.errors import ConfigError, RunError
from arboretum_env.version import RULES_VERSION
from arboretum_training.config import (
    BudgetConfig,
    CheckpointConfig,
    EvaluationConfig,
    Experiment,
    ExperimentConfig,
    LibraryConfig,
    RllibConfig,
    Sb3Config,
)
from arboretum_training.dashboard import Dashboard
from arboretum_training.evaluation.agent_identity import identify
from arboretum_training.evaluation.suite import SUITE_VERSION, game_of
from arboretum_training.evaluation.suite_match import SuiteMatch, lone_shares
from arboretum_training.evaluation.unit_files import digest
from arboretum_training.files import replace_file
from arboretum_training.runs import RunFolder, create_run, resume_run
from arboretum_training.session import Session

if TYPE_CHECKING:
    from arboretum_training.ray.session import RllibSession
    from arboretum_training.sb3.session import Sb3Session

TRACKS: Final[dict[str, BudgetConfig]] = {
    "decisions-1m": BudgetConfig(decisions=1_000_000),
    "decisions-5m": BudgetConfig(decisions=5_000_000),
    "minutes-10": BudgetConfig(minutes=10),
    "minutes-60": BudgetConfig(minutes=60),
}
"""The fixed budgets. Minutes are of training on one thread, with a core to itself."""

FIRST_SEED: Final = 1001
YARDSTICKS: Final = ("greedy@1", "planner@1")
"""Rungs that policies are measured against."""

CURVE_POINTS: Final = 8
CURVE_DEALS: Final = 64
SETTINGS_NAME: Final = "algorithms.json"
_DECISIONS_PER_TURN: Final = 4  # of a learner: a card and its cell are one


@dataclass(frozen=True)
class AlgorithmSettings:
    """What is compared.

    Attributes:
        methods: experiments with the track's budget, by name; their seeds are replaced.
        track: its name in ``TRACKS``, or how much was asked for in its place.
        seeds: seeds of the trainings.
        final_deals: deals of the suite at the end.
        curve_deals: likewise, for each point of the curve before.
    """

    methods: dict[str, Experiment]
    track: str
    seeds: tuple[int, ...]
    final_deals: int
    curve_deals: int

    @property
    def players(self) -> int:
        """Players of the game that is learned."""
        return next(iter(self.methods.values())).game.num_players

    def to_json(self) -> dict[str, Any]:
        """The settings as plain data."""
        methods = {name: config.model_dump(mode="json") for name, config in self.methods.items()}
        return {
            "suite": SUITE_VERSION,
            "rules_version": RULES_VERSION,
            "track": self.track,
            "seeds": list(self.seeds),
            "final_deals": self.final_deals,
            "curve_deals": self.curve_deals,
            "methods": methods,
        }


def make_settings(
    experiments: Sequence[Experiment],
    *,
    track: str,
    budget: BudgetConfig,
    seeds: int,
    final_deals: int,
    curve_deals: int,
) -> AlgorithmSettings:
    """Puts experiments onto one track.

    Args:
        experiments: the methods, as their files say.
        track: see ``AlgorithmSettings``.
        budget: of every training, in place of the file's own.
        seeds: how many trainings of each method.
        final_deals: see ``AlgorithmSettings``.
        curve_deals: likewise.

    Raises:
        ConfigError: methods that cannot be compared: one name twice, other games, another game
            than the suite's.
    """
    methods: dict[str, Experiment] = {}
    for experiment in experiments:
        if experiment.name in methods:
            raise ConfigError(f"method {experiment.name!r}: given twice, expected different names")
        game = experiment.game
        if game != game_of(game.num_players):
            raise ConfigError(f"method {experiment.name!r}: another game than the suite's")
        if game != experiments[0].game:
            raise ConfigError(
                f"method {experiment.name!r}: {game.num_players} players, expected "
                f"{experiments[0].game.num_players} as in {experiments[0].name!r}"
            )
        if isinstance(experiment, RllibConfig) and budget.decisions is None:
            raise ConfigError(
                f"method {experiment.name!r}: trainer rllib has a budget in decisions, expected a "
                "track of decisions"
            )
        methods[experiment.name] = experiment.model_copy(
            update={
                "budget": budget,
                "threads": 1,
                "checkpoint": CheckpointConfig(every=_every(experiment, budget), keep=1_000),
                "evaluation": EvaluationConfig(every=0),
            }
        )
    numbers = tuple(range(FIRST_SEED, FIRST_SEED + seeds))
    return AlgorithmSettings(methods, track, numbers, final_deals, curve_deals)


def default_folder(settings: AlgorithmSettings) -> Path:
    """A folder named by the settings, so that the same command goes on where it stopped."""
    return Path("runs") / "suite" / f"algorithms-{digest(settings.to_json())[:12]}"


def settle(folder: Path, settings: AlgorithmSettings) -> None:
    """Writes the settings into a new folder, or checks that they are the same.

    Raises:
        RunError: the folder has other settings, or holds something else.
    """
    file, data = folder / SETTINGS_NAME, settings.to_json()
    if file.exists():
        if json.loads(file.read_bytes()) != data:
            raise RunError(
                f"{folder}: holds a comparison with other settings: choose another --out"
            )
        return
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise RunError(f"{folder}: holds something else: expected a new or empty folder")
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(file, f"{json.dumps(data, indent=1)}\n".encode())


def train_seed(
    folder: Path, config: Experiment, seed: int, command: Sequence[str], dashboard: Dashboard
) -> bool:
    """One training to its end, from its newest checkpoint if it was begun.

    Must run in the main thread, see ``Session.train``.

    Returns:
        False if Ctrl-C stopped it before.
    """
    run, done = _run_folder(folder, config, seed), _done_file(folder, config, seed)
    if done.exists():
        return True
    named = config.model_copy(update={"name": run.path.name, "seed": seed})
    begun = run.path.exists()
    if isinstance(named, LibraryConfig):
        # Those libraries' trainings cannot be resumed: what was begun is lost.
        fresh = create_run(run.path.parent, named, command, overwrite=begun)
        finished = _library_session(fresh, named).train(dashboard)
    else:
        assert isinstance(named, ExperimentConfig)  # the only other kind
        if begun and latest_step(run.path) is not None:
            finished = Session(*_reopened(run, named, command)).train(dashboard)
        else:
            fresh = create_run(run.path.parent, named, command, overwrite=begun)
            finished = Session(fresh, named).train(dashboard)
    if finished:
        step = latest_step(run.path)
        replace_file(done, f"{json.dumps({'seed': seed, 'step': step})}\n".encode())
    return finished


def _library_session(run: RunFolder, config: LibraryConfig) -> "Sb3Session | RllibSession":
    # Lazily: other experiments need not have the extras "sb3" and "ray".
    if isinstance(config, Sb3Config):
        from arboretum_training.sb3.session import Sb3Session

        return Sb3Session(run, config)
    assert isinstance(config, RllibConfig)  # the only other library
    from arboretum_training.ray.session import RllibSession

    return RllibSession(run, config)


def curve_matches(
    folder: Path, settings: AlgorithmSettings, method: str, seed: int
) -> dict[tuple[int, str], SuiteMatch]:
    """What measures a finished training: by decisions learned from and yardstick.

    Some checkpoints on the way, evenly spread, and the last one over more deals.
    """
    config = settings.methods[method]
    checkpoints = _run_folder(folder, config, seed).path / CHECKPOINTS_NAME
    steps = sorted(int(path.name) for path in checkpoints.iterdir() if path.name.isdecimal())
    chosen = np.unique(np.linspace(0, len(steps) - 1, CURVE_POINTS).round().astype(int))
    return {
        (steps[index], rung): SuiteMatch(
            identify(str(checkpoints / step_name(steps[index]))),
            identify(rung),
            settings.players,
            settings.final_deals if steps[index] == steps[-1] else settings.curve_deals,
            folder / "games",
            config.evaluation.mode,
        )
        for index in chosen
        for rung in YARDSTICKS
    }


def shares_of(match: SuiteMatch) -> NDArray[np.float64]:
    """[D] the policy's share of the win, deal by deal."""
    return lone_shares(match.games())


def _every(experiment: Experiment, budget: BudgetConfig) -> int:
    """Iterations between two checkpoints, for a curve of about ``CURVE_POINTS``."""
    if budget.decisions is None:
        return experiment.checkpoint.every  # how many iterations there will be, the clock decides
    rollout = experiment.rollout
    iterations = budget.decisions / (rollout.games * rollout.turns * _DECISIONS_PER_TURN)
    return max(1, int(iterations / CURVE_POINTS))


def _run_folder(folder: Path, config: Experiment, seed: int) -> RunFolder:
    return RunFolder(folder / config.name / f"seed{seed}")


def _done_file(folder: Path, config: Experiment, seed: int) -> Path:
    return folder / config.name / f"seed{seed}.json"


def _reopened(
    run: RunFolder, config: ExperimentConfig, command: Sequence[str]
) -> tuple[RunFolder, ExperimentConfig, Any]:
    opened, checkpoint = resume_run(run.path, config, command)
    return opened, config, checkpoint
