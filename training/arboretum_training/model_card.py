"""``MODEL_CARD.md``: what a trained policy is, from the data of its run and nothing else."""

import json
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from arboretum_agents.neural.checkpoint_reader import (
    Checkpoint,
    find_checkpoint,
    latest_step,
    read_checkpoint,
)
from arboretum_training.config import Experiment, ExperimentConfig, LibraryConfig
from arboretum_training.files import replace_file
from arboretum_training.runs import Report, RunFolder


def write_model_card(run: RunFolder) -> Path:
    """Write the card of a run from its experiment, launches, newest checkpoint and measurements.

    Raises:
        RunError, ConfigError, CheckpointError: the run's data cannot be read.
    """
    checkpoint = None
    if latest_step(run.path) is not None:
        checkpoint = read_checkpoint(find_checkpoint(run.path))
    text = model_card(run.load_config(), run.load_launches(), checkpoint, run.load_evaluations())
    replace_file(run.model_card, text.encode())
    return run.model_card


def model_card(
    config: Experiment,
    launches: Sequence[dict[str, Any]],
    checkpoint: Checkpoint | None,
    evaluations: dict[int, list[Report]],
    *,
    config_file: str = "`config.yaml` beside this card",
) -> str:
    """The card as Markdown.

    Args:
        config: the experiment.
        launches: command, versions and machine of every launch.
        checkpoint: the newest one, None if there is none yet.
        evaluations: reports by step; the last step's are shown.
        config_file: where the whole experiment is.
    """
    sections = [
        _section(f"# {config.name}", _summary(config, checkpoint)),
        _section("## Results", _results(config, evaluations)),
        _section("## Training", _training(config, launches, checkpoint, config_file)),
        _section("## Made with", _made_with(launches[-1])),
        _section("## Limits", _limits(config)),
    ]
    return "\n".join(sections)


def _section(title: str, lines: Iterable[str]) -> str:
    return "\n".join([title, "", *lines, ""])


def _summary(config: Experiment, checkpoint: Checkpoint | None) -> list[str]:
    game = config.game
    lines = [
        f"A policy for Arboretum with {game.num_players} players, learned by {_method(config)}.",
        "",
        f"- game: {game.num_species} species `{game.species}`, {game.num_ranks} ranks, hands of "
        f"{game.hand_size}, starting discards {'on' if game.starting_discards else 'off'}, "
        f"cancelled eights {'on' if game.cancel_eights else 'off'}, rights `{game.rights}`",
    ]
    if checkpoint is None:
        return [*lines, "- weights: none saved yet"]
    parameters = sum(tensor.numel() for tensor in checkpoint.tensors["weights"].values())
    assert checkpoint.digest is not None  # it was read from a file
    return [
        *lines,
        f"- weights: {parameters:,} numbers, SHA-256 `{checkpoint.digest[:12]}`",
        f"- learned from: {checkpoint.step:,} decisions",
    ]


def _method(config: Experiment) -> str:
    if not isinstance(config, LibraryConfig):
        assert isinstance(config, ExperimentConfig)  # the only other kind
        return _house_method(config)
    pool = config.pool
    opponents = "itself and earlier versions of itself"
    if pool.bots:
        bots = ", ".join(f"`{name}`" for name in pool.bots)
        opponents += f", and {100 * pool.bot_share:g} % against {bots}"
    learner = {"sb3": "sb3-contrib's MaskablePPO", "rllib": "RLlib's PPO"}[config.trainer]
    return f"{learner} in games against {opponents}"


def _house_method(config: ExperimentConfig) -> str:
    pool, league = config.pool, config.league
    rivals = []
    if pool.snapshot_share > 0:
        whose = "itself"
        if league.mains > 1:
            whose += f", of {league.mains - 1} others that learned likewise"
        if league.exploiters:
            whose += f", of {league.exploiters} that learned to beat it"
        rivals.append(f"{100 * pool.snapshot_share:g} % against earlier versions of {whose}")
    if pool.bots:
        bots = ", ".join(f"`{name}`" for name in pool.bots)
        rivals.append(f"{100 * pool.bot_share:g} % against {bots}")
    method = "self-play (PPO) from its own games alone"
    if rivals:
        method = f"PPO in games against itself, {', '.join(rivals)}"
    if config.start_from is not None:
        method += f"; it began with the weights of `{config.start_from.name}`"
    return method


def _results(config: Experiment, evaluations: dict[int, list[Report]]) -> list[str]:
    if not evaluations:
        return ["Not measured yet."]
    step, reports = max(evaluations.items())
    rows = [row for report in reports for row in _result_rows(report)]
    mode = "sampling its moves" if config.evaluation.mode == "sample" else "by likeliest moves"
    return [
        f"After {step:,} decisions, {mode}. Duplicate deals, every seat rotation; win rate per "
        f"seat held (a fair share is {1 / config.game.num_players:.3f}), intervals of 95 % with "
        "the deal as the unit.",
        "",
        "| against | deals | games | win rate | interval | margin | interval | points | theirs |",
        "|---|---|---|---|---|---|---|---|---|",
        *rows,
    ]


def _result_rows(report: Report) -> Iterable[str]:
    (_, own), *others = report["agents"].items()
    opponents = ", ".join(f"`{name}`" for name, _ in others)
    theirs = ", ".join(f"{agent['mean_score']:.2f}" for _, agent in others)
    yield (
        f"| {opponents} | {report['deals']} | {report['games']} | {own['win_rate']:.3f} | "
        f"{_interval(own['win_rate_ci95'], '.3f')} | {report['margin']:+.2f} | "
        f"{_interval(report['margin_ci95'], '+.2f')} | {own['mean_score']:.2f} | {theirs} |"
    )


def _interval(interval: Sequence[float] | None, form: str) -> str:
    if interval is None:
        return "none"
    return f"{interval[0]:{form}} .. {interval[1]:{form}}"


def _training(
    config: Experiment,
    launches: Sequence[dict[str, Any]],
    checkpoint: Checkpoint | None,
    config_file: str,
) -> list[str]:
    budget = config.budget
    asked = f"{budget.decisions:,} decisions" if budget.decisions else f"{budget.minutes:g} minutes"
    lines = [f"- budget: {asked}", f"- seed: {config.seed}, threads: {config.threads}"]
    if checkpoint is not None and checkpoint.counters:  # published weights have none
        counters = json.dumps(dict(checkpoint.counters))
        lines.append(f"- counters at the end: `{counters}`")
    lines.append("- commands, one a launch:")
    lines += [f"  - `{shlex.join(launch['command'])}`{_since(launch)}" for launch in launches]
    return [*lines, f"- everything else: {config_file}"]


def _since(launch: dict[str, Any]) -> str:
    step = launch["resumed_step"]
    return "" if step is None else f", resumed at {step:,} decisions"


def _made_with(launch: dict[str, Any]) -> list[str]:
    versions = ", ".join(f"{name} {number}" for name, number in launch["versions"].items())
    machine = ", ".join(f"{name} {value}" for name, value in launch["machine"].items())
    return [f"- versions: {versions}", f"- machine: {machine}", f"- started: {launch['started']}"]


def _limits(config: Experiment) -> list[str]:
    opponents = ", ".join(f"`{name}`" for name in config.evaluation.opponents)
    lines = [
        f"- It was measured against {opponents} only; how it does against other agents or people "
        "is not known.",
        "- It learned against itself: a rival that finds a habit of its own may exploit it.",
        "- It was trained for this game's options and number of players, and one seed: another "
        "seed gives another policy, somewhat better or worse.",
    ]
    if config.budget.minutes is not None:
        lines.append(
            "- Its budget is in minutes: the same command on another machine learns from more or "
            "fewer decisions."
        )
    return lines
