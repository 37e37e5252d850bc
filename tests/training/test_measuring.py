"""Measuring on the way: right figures, and a training that does not notice."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from rich.console import Console

from arboretum_agents.neural.checkpoint_reader import find_checkpoint, read_checkpoint
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_agents.neural.policy import NeuralAgent
from arboretum_env.config import GameConfig
from arboretum_training.config import BudgetConfig, CheckpointConfig, EvaluationConfig
from arboretum_training.dashboard import Dashboard
from arboretum_training.evaluation.evaluate import evaluate
from arboretum_training.evaluation.summary import summarise
from arboretum_training.measuring import evaluation_metrics, measure
from arboretum_training.metrics import check_name
from arboretum_training.past import past_policies
from arboretum_training.runs import RunFolder, create_run
from arboretum_training.session import Session
from tests.training.experiments import NETWORK, experiment

pytestmark = pytest.mark.usefixtures("one_thread")

REDUCED = {
    players: GameConfig(num_players=players, species=4, num_ranks=5, hand_size=2)
    for players in (2, 3, 4)
}


def make_network(game: GameConfig) -> PolicyNetwork:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        return PolicyNetwork(game, NETWORK).eval()


@pytest.mark.parametrize("players", REDUCED)
def test_the_figures_are_those_of_an_evaluation(players: int) -> None:
    game = REDUCED[players]
    config = experiment(game, seed=5)
    network = make_network(game)
    measured = measure(network, "greedy", config, deals=70)  # two work units
    metrics = evaluation_metrics(measured, "greedy")

    def policy(config: GameConfig, mode: Any) -> NeuralAgent:
        return NeuralAgent(config, network, mode)

    result = evaluate([policy, "greedy"], game, deals=70, seed=5)
    summary = summarise(result)
    own, rival = summary.agents.values()
    assert metrics["evaluation/win_rate/greedy"] == own.win_rate
    assert metrics["evaluation/win_rate_low/greedy"] == own.win_rate_ci95.low
    assert metrics["evaluation/win_rate_high/greedy"] == own.win_rate_ci95.high
    assert metrics["evaluation/margin/greedy"] == summary.margin
    assert metrics["evaluation/lost/greedy"] == own.denied_points
    assert metrics["evaluation/turns/greedy"] == result.games.turns.mean()
    if players == 2:  # what one seat loses, the other one takes
        assert metrics["evaluation/denied/greedy"] == pytest.approx(rival.denied_points)
    else:  # several rivals lose points, some of them to each other
        lost = (players - 1) * rival.denied_points
        assert 0 < metrics["evaluation/denied/greedy"] < lost
    for name in metrics:
        check_name(name)
    assert len(measured.match.initial) == 64 * players


def launch(folder: Path, name: str, **evaluation: Any) -> RunFolder:
    config = experiment(
        REDUCED[2],
        games=8,
        turns=4,
        seed=6,
        budget=BudgetConfig(decisions=700),
        checkpoint=CheckpointConfig(every=2),
        evaluation=EvaluationConfig(deals=1, opponents=("random",), **evaluation),
    ).model_copy(update={"name": name})
    run = create_run(folder, config, [])
    with Dashboard(name, console=Console(quiet=True)) as dashboard:
        assert Session(run, config).train(dashboard)
    return run


def rows(run: RunFolder) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run.metrics_file.read_text().splitlines()]


def learned(run: RunFolder) -> list[dict[str, Any]]:
    """Rows of iterations, without what the clock decides."""
    return [
        {k: v for k, v in row.items() if not k.startswith(("time/", "speed/"))}
        for row in rows(run)
        if "loss/policy" in row
    ]


def test_a_training_that_is_measured_is_the_same_to_the_bit(tmp_path: Path) -> None:
    never = launch(tmp_path, "never", every=0)
    often = launch(tmp_path, "often", every=1, past=(0.5, 0.25), games=3)
    assert learned(often) == learned(never)
    assert len(rows(often)) == 2 * len(rows(never))
    saved, unmeasured = (read_checkpoint(find_checkpoint(run.path)) for run in (often, never))
    assert saved.step == unmeasured.step
    assert saved.digest == unmeasured.digest
    assert saved.state == unmeasured.state
    for group, tensors in unmeasured.tensors.items():
        for name, tensor in tensors.items():
            assert saved.tensors[group][name].equal(tensor), f"{group} {name}"


def test_the_past_is_an_opponent(tmp_path: Path) -> None:
    run = launch(tmp_path, "tiny", every=1, past=(0.5,), games=1, keep_games=3)
    measured = [row for row in rows(run) if "evaluation/rating" in row]
    steps = [row["step"] for row in measured]
    assert len(steps) >= 5
    met = [row.get("evaluation/past_decisions/past-0.5") for row in measured]
    assert met == [None] + [
        min(steps[:index], key=lambda step: abs(step - steps[index] / 2))
        for index in range(1, len(steps))
    ]
    for row in measured[1:]:
        assert 0 <= row["evaluation/win_rate_low/past-0.5"] <= row["evaluation/win_rate/past-0.5"]
        assert "evaluation/lost/past-0.5" in row
    assert "evaluation/win_rate/past-0.5" not in measured[0]
    kept = [(policy.number, policy.step) for policy in past_policies(run.past)]
    assert kept == list(enumerate(steps, start=1))
    # They are agents: the newest of them is the policy as it was saved.
    newest = read_checkpoint(past_policies(run.past)[-1].path)
    assert newest.digest == read_checkpoint(find_checkpoint(run.path)).digest
    assert sorted(path.name for path in run.games.iterdir()) == [
        f"{step:012d}-1.arb" for step in steps[-3:]
    ]


def test_without_a_past_nothing_is_kept(tmp_path: Path) -> None:
    run = launch(tmp_path, "tiny", every=2, past=(), games=0)
    assert not run.past.exists()
    assert list(run.games.iterdir()) == []
    assert not [name for row in rows(run) for name in row if "past" in name]
