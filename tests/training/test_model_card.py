"""The model card says what the run's files say."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from arboretum_agents.neural.checkpoint_reader import find_checkpoint, read_checkpoint
from arboretum_env.config import GameConfig
from arboretum_training.checkpoint import save_checkpoint
from arboretum_training.config import BudgetConfig, ExperimentConfig
from arboretum_training.model_card import model_card, write_model_card
from arboretum_training.runs import RunFolder, create_run, resume_run
from tests.resume.tiny_run import make_checkpoint

COMMAND = ["arboretum", "train", "configs/a b.yaml"]


def make_run(root: Path, players: int = 2, **budget: Any) -> RunFolder:
    config = ExperimentConfig(
        name="tiny",
        seed=3,
        game=GameConfig(num_players=players),
        budget=BudgetConfig(**(budget or {"decisions": 5000})),
    )
    return create_run(root, config, COMMAND)


def report(opponent: str, win_rate: float, margin_interval: list[float] | None) -> dict[str, Any]:
    """As ``arboretum evaluate --json`` prints it, cut to what the card reads."""
    return {
        "deals": 400,
        "games": 800,
        "agents": {
            "runs/tiny": {
                "win_rate": win_rate,
                "win_rate_ci95": [win_rate - 0.03, win_rate + 0.02],
                "mean_score": 15.25,
            },
            opponent: {"win_rate": 0.2, "win_rate_ci95": [0.1, 0.3], "mean_score": 12.5},
        },
        "margin": 2.75,
        "margin_ci95": margin_interval,
    }


def test_a_trained_run(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    config = run.load_config().model_dump(mode="json")
    save_checkpoint(run.path, dataclasses.replace(make_checkpoint(1234), config=config), keep=1)
    resume_run(run.path, run.load_config(), [*COMMAND, "--resume", "runs/tiny"])
    run.save_evaluation(1000, [report("greedy", 0.4, [0.0, 1.0])])
    run.save_evaluation(1234, [report("greedy", 0.75, [2.0, 3.5]), report("random", 0.99, None)])
    path = write_model_card(run)
    assert path == run.path / "MODEL_CARD.md"
    text = path.read_text()
    assert text.startswith("# tiny\n\nA policy for Arboretum with 2 players")
    digest = read_checkpoint(find_checkpoint(run.path)).digest
    assert digest is not None
    assert f"- weights: 15 numbers, SHA-256 `{digest[:12]}`" in text
    assert "- learned from: 1,234 decisions" in text
    assert "After 1,234 decisions, sampling its moves" in text
    assert "a fair share is 0.500" in text
    assert (
        "| `greedy` | 400 | 800 | 0.750 | 0.720 .. 0.770 | +2.75 | +2.00 .. +3.50 | 15.25 | 12.50 |"
        in text
    )
    assert (
        "| `random` | 400 | 800 | 0.990 | 0.960 .. 1.010 | +2.75 | none | 15.25 | 12.50 |" in text
    )
    assert "0.400" not in text  # the older measurement
    assert "- budget: 5,000 decisions" in text
    assert "  - `arboretum train 'configs/a b.yaml'`\n" in text
    assert "--resume runs/tiny`, resumed at 1,234 decisions" in text
    assert "- versions: python 3." in text
    assert "against `random`, `greedy` only" in text
    assert "budget is in minutes" not in text


@pytest.mark.parametrize(("players", "fair"), [(3, "0.333"), (4, "0.250")])
def test_three_and_four_players(tmp_path: Path, players: int, fair: str) -> None:
    run = make_run(tmp_path, players, minutes=10)
    run.save_evaluation(5, [report("greedy", 0.5, [1.0, 2.0])])
    text = write_model_card(run).read_text()
    assert f"Arboretum with {players} players" in text
    assert f"a fair share is {fair}" in text
    assert "- budget: 10 minutes" in text
    assert "Its budget is in minutes" in text


def test_a_run_that_has_nothing_yet_says_so(tmp_path: Path) -> None:
    text = write_model_card(make_run(tmp_path)).read_text()
    assert "- weights: none saved yet" in text
    assert "Not measured yet." in text


@pytest.mark.parametrize(
    ("changes", "method"),
    [
        ({}, "learned by self-play (PPO) from its own games alone."),
        (
            {"pool": {"latest": 0.75}},
            "learned by PPO in games against itself, 25 % against earlier versions of itself.",
        ),
        (
            {"pool": {"latest": 0.9, "bots": ("greedy", "planner"), "bot_share": 0.1}},
            "learned by PPO in games against itself, 10 % against `greedy`, `planner`.",
        ),
        (
            {
                "pool": {"latest": 0.5},
                "league": {"mains": 2, "exploiters": 3, "exploiter_share": 0.2},
                "start_from": "old/two",
            },
            "learned by PPO in games against itself, 50 % against earlier versions of itself, of 1 "
            "others that learned likewise, of 3 that learned to beat it; it began with the weights "
            "of `two`.",
        ),
    ],
)
def test_it_says_against_whom_it_learned(changes: dict[str, Any], method: str) -> None:
    config = ExperimentConfig.model_validate({"name": "tiny", **changes})
    launch = {
        "command": COMMAND,
        "started": "now",
        "resumed_step": None,
        "versions": {},
        "machine": {},
    }
    text = model_card(config, [launch], None, {})
    assert f"A policy for Arboretum with 2 players, {method}" in text
