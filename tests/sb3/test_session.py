"""A run of MaskablePPO: it learns, its numbers add up, and what it exports is what it learned."""

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest
import torch
from rich.console import Console

from arboretum_agents.neural.checkpoint_reader import (
    find_checkpoint,
    latest_step,
    read_checkpoint,
)
from arboretum_agents.neural.policy import NeuralAgent, load_agent
from arboretum_agents.registry import make_agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.errors import CheckpointError, RunError, TrainingError
from arboretum_env.match import play_match
from arboretum_training.config import (
    BudgetConfig,
    CheckpointConfig,
    EvaluationConfig,
    PPOConfig,
    Sb3Config,
)
from arboretum_training.dashboard import Dashboard
from arboretum_training.league_config import PoolConfig
from arboretum_training.library_run import Progress, game_metrics
from arboretum_training.metrics import check_name
from arboretum_training.runs import create_run, resume_run
from arboretum_training.sb3 import iterations
from arboretum_training.sb3.export import export_policy
from arboretum_training.sb3.policy import ArboretumPolicy
from arboretum_training.sb3.session import Sb3Session, borrowed_randomness, make_model
from arboretum_training.sb3.vec_env import ArboretumVecEnv
from tests.agents.positions import mover_views
from tests.sb3.experiments import TINY, experiment

pytestmark = pytest.mark.usefixtures("one_thread")


def launch(folder: Path, config: Sb3Config) -> tuple[Path, bool]:
    """The folder of a run that was trained, and whether its budget was used."""
    run = create_run(folder, config, ["arboretum", "train"])
    finished = Sb3Session(run, config).train(Dashboard("test", console=Console(quiet=True)))
    return run.path, finished


def rows(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]


def share_against_random(agent: NeuralAgent) -> float:
    """Wins of an agent against random play, 300 deals from either seat."""
    ids = np.repeat(np.arange(300, dtype=np.uint64), 2)
    seats = np.tile([0, 1], 300)
    seating = np.ones((len(ids), 2), np.int64)
    seating[np.arange(len(ids)), seats] = 0
    agents = [agent, make_agent("random", agent.config)]
    for each in agents:
        each.reset(ids, 3)
    shares = play_match(deal(agent.config, 4242, ids), agents, seating, ids).scores.win_shares
    return float(shares[np.arange(len(ids)), seats].mean())


@pytest.mark.slow
def test_it_learns_to_beat_random(tmp_path: Path) -> None:
    """The game of Arboretum-Mini-v0, seconds of self-play; three seeds gave .84 and more."""
    config = experiment(
        games=32,
        turns=8,
        seed=1,
        ppo=PPOConfig(learning_rate=4e-3, minibatches=8),
        pool=PoolConfig(every=3),
        budget=BudgetConfig(decisions=30_000),
    )
    with borrowed_randomness():
        first, _ = make_model(config, Progress(config))
    assert isinstance(first.policy, ArboretumPolicy)
    before = share_against_random(NeuralAgent(config.game, first.policy.network))
    run, finished = launch(tmp_path, config)
    assert finished
    assert before == pytest.approx(0.5, abs=0.05)
    assert share_against_random(load_agent(run, config.game)) > 0.75


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Sb3Config]:
    """A tiny run of three iterations, measured after the second, saved after each second one."""
    torch.set_num_threads(1)
    config = experiment(
        evaluation=EvaluationConfig(every=2, deals=2, final_deals=2),
        checkpoint=CheckpointConfig(every=2, keep=2),
        pool=PoolConfig(every=1, size=2, bots=("greedy",), bot_share=0.2),
    )
    run, finished = launch(tmp_path_factory.mktemp("runs"), config)
    assert finished
    return run, config


def test_its_log(trained: tuple[Path, Sb3Config]) -> None:
    run, config = trained
    logged = rows(run)
    for row in logged:
        for name in row.keys() - {"step"}:
            check_name(name)
    whole = [row for row in logged if "progress/iteration" in row]
    assert [row["step"] for row in whole] == [240, 480, 720]
    assert [row["progress/iteration"] for row in whole] == [1, 2, 3]
    assert [row["progress/budget"] for row in whole] == pytest.approx(
        [240 / 700, 480 / 700, 720 / 700]
    )
    assert [row["rollout/decisions"] for row in whole] == [240] * 3
    assert [row["pool/snapshots"] for row in whole] == [0, 1, 2]
    # The schedules look at the budget that was used before the iteration.
    for used, row in zip((0, 240 / 700, 480 / 700), whole, strict=True):
        assert row["schedule/learning_rate"] == pytest.approx(2.5e-3 * (1 - 0.95 * used))
        assert row["schedule/entropy_weight"] == pytest.approx(0.01 - 0.004 * used)
    for row in whole:
        assert row["policy/entropy"] > 0 and row["loss/value"] > 0
        assert row["policy/approx_kl"] >= 0
        parts = row["time/rollout"] + row["time/update"]
        assert row["speed/decisions"] == pytest.approx(240 / parts)
    measured = [row for row in logged if "evaluation/win_rate/greedy" in row]
    assert [row["step"] for row in measured] == [480]
    assert config.decisions_per_iteration == 240


def test_what_was_exported_is_what_was_learned(
    trained: tuple[Path, Sb3Config], tmp_path: Path
) -> None:
    """Trained again in one go by the library alone, the policy has the exported probabilities."""
    run, config = trained
    progress = Progress(config)
    with borrowed_randomness():
        model, self_play = make_model(config, progress)
        log = _Counting(config, progress)
        model.learn(700, callback=[log, self_play], log_interval=10**9)
    assert isinstance(model.policy, ArboretumPolicy)
    views = mover_views(config.game, 4, seed=5)
    agent = load_agent(run, config.game)
    probabilities, values = agent.policy(views)
    with torch.no_grad():
        log_probs, legal, learned = model.policy.judge(torch.from_numpy(views.observation))
    found = np.where(legal.numpy(), log_probs.exp().numpy(), 0)
    assert np.abs(found - probabilities).max() < 1e-5
    assert learned.numpy() == pytest.approx(values, abs=1e-5)
    for name, weight in model.policy.network.state_dict().items():
        assert torch.equal(weight, agent.network.state_dict()[name]), name


def test_any_policy_can_be_exported(tmp_path: Path) -> None:
    """What a user trained with the library's own loop plays by the path of a folder."""
    environment = ArboretumVecEnv(2, config=TINY)
    policy = ArboretumPolicy(
        environment.observation_space, environment.action_space, lambda _: 1e-3, TINY
    )
    with torch.no_grad():
        for weight in policy.network.parameters():
            weight.mul_(3.0)  # far from indifferent
    folder = tmp_path / "mine"
    assert export_policy(policy, folder, 100) == folder / "checkpoints" / "000000000100"
    views = mover_views(TINY, 4, seed=6)
    agent = make_agent(str(folder), TINY)
    assert isinstance(agent, NeuralAgent)
    with torch.no_grad():
        log_probs, legal, _ = policy.judge(torch.from_numpy(views.observation))
    found = np.where(legal.numpy(), log_probs.exp().numpy(), 0)
    assert np.abs(found - agent.policy(views)[0]).max() < 1e-5
    export_policy(policy, folder, 200)
    assert read_checkpoint(find_checkpoint(folder)).step == 200
    with torch.no_grad():
        policy.network.play_gain.bias[:] = torch.inf
    with pytest.raises(CheckpointError, match=r"'play_gain.bias': 1 of 1 numbers are NaN or inf"):
        export_policy(policy, folder, 300)
    assert read_checkpoint(find_checkpoint(folder)).step == 200


class _Counting(iterations.BaseCallback):
    """What ``Iterations`` does for the schedules, and no more."""

    def __init__(self, config: Sb3Config, progress: Progress) -> None:
        super().__init__()
        self.config = config
        self.progress = progress

    def _on_rollout_start(self) -> None:
        self.progress.decisions = self.num_timesteps
        self.model.ent_coef = self.progress.entropy_weight()  # type: ignore[attr-defined]

    def _on_step(self) -> bool:
        return True


def test_its_checkpoints_are_data(trained: tuple[Path, Sb3Config]) -> None:
    run, config = trained
    assert latest_step(run) == 720
    assert sorted(int(path.name) for path in (run / "checkpoints").iterdir()) == [480, 720]
    checkpoint = read_checkpoint(find_checkpoint(run))
    assert set(checkpoint.tensors) == {"weights"}
    assert checkpoint.game == config.game
    assert checkpoint.counters["iteration"] == 3
    assert checkpoint.counters["games"] == rows(run)[-1]["progress/games"]
    for path in run.rglob("*"):
        if path.is_file():
            start = path.read_bytes()[:4]
            assert not start.startswith((b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05", b"PK"))
            assert path.suffix != ".zip"
    [opened] = json.loads((run / "meta.json").read_text())["launches"]
    assert {"stable-baselines3", "sb3-contrib"} <= opened["versions"].keys()


def test_what_the_librarys_zip_is_made_with_is_never_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numba pickles in its own cache; so it is these that are watched."""

    def refused(*_: Any, **__: Any) -> None:
        raise AssertionError("a pickle")

    for module, name in [
        (torch, "save"),
        (torch, "load"),
        (cloudpickle, "dumps"),
        (cloudpickle, "loads"),
    ]:
        monkeypatch.setattr(module, name, refused)
    config = experiment(
        budget=BudgetConfig(decisions=240),
        evaluation=EvaluationConfig(every=1, deals=1, opponents=("random",)),
    )
    run, _ = launch(tmp_path, config)
    load_agent(run, config.game)


def test_it_cannot_be_resumed_and_says_why(trained: tuple[Path, Sb3Config]) -> None:
    run, config = trained
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    with pytest.raises(RunError, match=r"was trained with sb3, and cannot be resumed: .* pickle"):
        resume_run(run, config, ["arboretum"])
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


def test_the_same_seed_the_same_weights_and_nobodys_randomness_is_touched(tmp_path: Path) -> None:
    def globals_now() -> tuple[Any, ...]:
        numpy_state = np.random.get_state()  # noqa: NPY002 - the library seeds it
        return random.getstate(), numpy_state[1].tolist(), torch.get_rng_state().tolist()

    def weights(name: str, seed: int) -> Mapping[str, torch.Tensor]:
        run, _ = launch(tmp_path, experiment(seed=seed).model_copy(update={"name": name}))
        return read_checkpoint(find_checkpoint(run)).tensors["weights"]

    before = globals_now()
    first = weights("first", 3)
    assert globals_now() == before
    random.random()
    torch.rand(3)
    again, other = weights("again", 3), weights("other", 4)
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not any(torch.equal(first[name], other[name]) for name in first if "weight" in name)


@pytest.mark.parametrize("players", [3, 4])
def test_other_numbers_of_players(tmp_path: Path, players: int) -> None:
    game = GameConfig(num_players=players, species=4, num_ranks=6, hand_size=2)
    run, finished = launch(tmp_path, experiment(game, budget=BudgetConfig(decisions=400)))
    assert finished
    last = rows(run)[-1]
    assert f"games/win_rate/{players - 1}" in last
    load_agent(run, game)


def test_a_budget_in_minutes_ends_by_the_clock(tmp_path: Path) -> None:
    run, finished = launch(tmp_path, experiment(budget=BudgetConfig(minutes=1e-4)))
    assert finished
    assert len(rows(run)) == 1 and latest_step(run) == 240


def test_numbers_that_are_not_finite_end_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, _ = launch(tmp_path, experiment(budget=BudgetConfig(decisions=240)))
    kept = (run / "LATEST").read_bytes()

    def poisoned(network: Any, z: torch.Tensor, pooled: torch.Tensor) -> torch.Tensor:
        return z.mean(dim=(1, 2)) * torch.nan

    monkeypatch.setattr("arboretum_agents.neural.network.PolicyNetwork.value", poisoned)
    config = experiment().model_copy(update={"name": "poisoned"})
    with pytest.raises(TrainingError, match=r"iteration 1: loss nan, or weights that are not"):
        launch(tmp_path, config)
    assert latest_step(tmp_path / "poisoned") is None
    assert (run / "LATEST").read_bytes() == kept


def test_the_metrics_of_games_by_hand() -> None:
    ended = [
        {"seat": 0, "turns": 20, "scores": (10, 4), "winners": (0,)},
        {"seat": 1, "turns": 22, "scores": (8, 6), "winners": (0,)},
        {"seat": 1, "turns": 24, "scores": (5, 5), "winners": (0, 1)},
        {"seat": 0, "turns": 18, "scores": (0, 2), "winners": (1,)},
    ]
    assert game_metrics(ended, 2) == {
        "games/turns": 21.0,
        "games/score": 5.0,
        "games/ties": 0.25,
        "games/win_rate/0": 0.625,
        "games/win_rate/1": 0.375,
        "pool/win_rate/all": 0.375,
    }
    assert game_metrics([], 2) == {}


def test_the_experiment_in_the_librarys_words() -> None:
    config = experiment(
        games=6,
        turns=4,
        ppo=PPOConfig(
            learning_rate=1e-3, learning_rate_end=0.5, entropy=0.02, entropy_end=0.01, value=0.8,
            clip=0.1, value_clip=0.3, gamma=0.9, lam=0.8, epochs=3, minibatches=5,
            max_grad_norm=0.7,
        ),
        budget=BudgetConfig(decisions=1000),
    )  # fmt: skip
    progress = Progress(config)
    with borrowed_randomness():
        model, _ = make_model(config, progress)
    assert (model.n_envs, model.n_steps, model.batch_size, model.n_epochs) == (6, 20, 24, 3)
    assert (model.gamma, model.gae_lambda, model.max_grad_norm) == (0.9, 0.8, 0.7)
    assert (model.vf_coef, model.ent_coef) == (0.4, 0.02)
    assert (model.clip_range(0.5), model.clip_range_vf(0.5)) == (0.1, 0.3)  # type: ignore[operator]
    progress.decisions = 500  # whatever the library thinks of its own progress
    assert model.lr_schedule(0.0) == pytest.approx(0.75e-3)
    assert progress.entropy_weight() == pytest.approx(0.015)
    assert len(list(model.policy.parameters())) == len(
        model.policy.optimizer.param_groups[0]["params"]
    )


def test_training_deals_are_not_those_of_others() -> None:
    """The run's games come from the training stream of its seed."""
    config = experiment(seed=5)
    with borrowed_randomness():
        model, _ = make_model(config, Progress(config))
    environment = model.get_env()
    assert isinstance(environment, ArboretumVecEnv)
    ours = environment.reset()
    users = ArboretumVecEnv(12, config=TINY)
    users.seed(5)
    assert not any(np.array_equal(a, b) for a, b in zip(ours, users.reset(), strict=True))
