"""``arboretum suite --algorithm``: training methods compared over several seeds each."""

import json
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from rich.console import Console

from arboretum_lab.cli.arguments import UsageError
from arboretum_training.algorithm_report import make_report, to_table, write_page
from arboretum_training.algorithm_run import (
    CURVE_DEALS,
    TRACKS,
    AlgorithmSettings,
    curve_matches,
    default_folder,
    make_settings,
    settle,
    shares_of,
    train_seed,
)
from arboretum_training.config import BudgetConfig, load_experiment
from arboretum_training.dashboard import Dashboard
from arboretum_training.evaluation.executor import Workers
from arboretum_training.evaluation.suite import DEALS
from arboretum_training.evaluation.suite_match import SuiteMatch
from arboretum_training.evaluation.suite_run import Report, play_matches
from arboretum_training.files import replace_file

RESULTS_NAME: Final = "results.json"
EXIT_INTERRUPTED: Final = 130


def settings_of(
    files: Sequence[Path], *, track: str, decisions: int | None, seeds: int, deals: int | None
) -> AlgorithmSettings:
    """What the options say is to be compared.

    Args:
        files: the methods.
        track: name of the track.
        decisions: a budget in its place.
        seeds: trainings of each method.
        deals: deals of every measurement in place of the suite's.
    """
    if track not in TRACKS:
        raise UsageError(f"--track {track}: expected one of {', '.join(TRACKS)}")
    if seeds < 1:
        raise UsageError(f"--seeds {seeds}: expected at least 1")
    if decisions is not None and decisions < 1:
        raise UsageError(f"--decisions {decisions}: expected at least 1")
    experiments = [load_experiment(file) for file in files]
    players = experiments[0].game.num_players
    return make_settings(
        experiments,
        track=track if decisions is None else f"{decisions} decisions",
        budget=TRACKS[track] if decisions is None else BudgetConfig(decisions=decisions),
        seeds=seeds,
        final_deals=deals or DEALS[players],
        curve_deals=min(deals or CURVE_DEALS, CURVE_DEALS),
    )


def compare(
    settings: AlgorithmSettings,
    out: Path | None,
    *,
    workers: Callable[[], AbstractContextManager[Workers]],
    progress: Callable[[Path], AbstractContextManager[Report]],
    as_json: bool,
) -> int:
    """Trains what is not trained yet, measures, prints and writes the comparison.

    Args:
        settings: what is compared.
        out: the folder; default: one named by the settings.
        workers: connects to who measures, see ``executor.Workers``.
        progress: shows how the measuring goes on, given the folder that goes on after Ctrl-C.
        as_json: print data instead of a table.
    """
    folder = out or default_folder(settings)
    settle(folder, settings)
    words = ["arboretum", *sys.argv[1:]]
    told = Console(stderr=True)
    for method, config in settings.methods.items():
        for number, seed in enumerate(settings.seeds, start=1):
            title = f"{method}, seed {number} of {len(settings.seeds)}"
            with Dashboard(title, console=told) as dashboard:
                finished = train_seed(folder, config, seed, words, dashboard)
            if not finished:
                told.print(
                    f"{folder} has everything that is finished: the same command goes on from "
                    "there",
                    markup=False,
                    soft_wrap=True,
                )
                return EXIT_INTERRUPTED
    with workers() as measuring, progress(folder) as report:
        measured = {
            method: {
                seed: _measured(curve_matches(folder, settings, method, seed), measuring, report)
                for seed in settings.seeds
            }
            for method in settings.methods
        }
    data = make_report(settings, measured)
    text = json.dumps(data, indent=2, allow_nan=False)
    replace_file(folder / RESULTS_NAME, f"{text}\n".encode())
    page = write_page(folder, data, shlex.join(words))
    if as_json:
        print(text)
        return 0
    console = Console()
    console.print(to_table(data))
    console.print(f"report: {page}", markup=False, highlight=False, soft_wrap=True)
    return 0


def _measured(
    matches: dict[tuple[int, str], SuiteMatch], workers: Workers, report: Report
) -> dict[tuple[int, str], object]:
    play_matches(list(matches.values()), workers=workers, records=False, report=report)
    return {key: shares_of(match) for key, match in matches.items()}
