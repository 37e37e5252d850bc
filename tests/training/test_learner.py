"""One iteration after the other: what is learned when, from what, and alike whenever repeated."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.errors import TrainingError
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_training.actor_critic import ActorCritic
from arboretum_training.config import BudgetConfig, PPOConfig
from arboretum_training.decisions import KINDS, Decisions
from arboretum_training.league import League
from arboretum_training.metrics import check_name
from arboretum_training.ppo import Batch, Judged, Learner, Update
from arboretum_training.rollout import Finished
from tests.training.experiments import GAMES, experiment

pytestmark = pytest.mark.usefixtures("one_thread")

Key = tuple[int, int]  # trajectory, time: one decision


def keys_of(decisions: Mapping[str, Decisions]) -> list[Key]:
    return [
        (int(trajectory), int(time))
        for part in decisions.values()
        for trajectory, time in zip(part.arrays["trajectory"], part.arrays["time"], strict=True)
    ]


class Watched(Learner):
    """A learner that notes which decisions it collects, learns from and keeps waiting."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.collected: list[Key] = []
        self.learned: list[Key] = []
        self.over: set[int] = set()
        collect = self.collector.collect

        def watched_collect(
            model: ActorCritic, waiting: Mapping[str, Decisions]
        ) -> tuple[dict[str, Decisions], Finished]:
            decisions, finished = collect(model, waiting)
            old, together = Counter(keys_of(waiting)), Counter(keys_of(decisions))
            assert old <= together
            self.collected += (together - old).elements()
            self.over |= set(finished.trajectories.tolist())
            return decisions, finished

        self.collector.collect = watched_collect  # type: ignore[method-assign]

    def _learn(self, judged: Mapping[str, Judged], progress: float) -> dict[str, float]:
        self.learned += keys_of({kind: part.batch().decisions for kind, part in judged.items()})
        return super()._learn(judged, progress)


@pytest.mark.parametrize("turns", [1, 3, 9])
@pytest.mark.parametrize("name", GAMES)
def test_every_decision_is_learned_once_those_that_wait_later(name: str, turns: int) -> None:
    learner = Watched(experiment(GAMES[name], games=4, turns=turns))
    for _ in range(4):
        before = learner.decisions
        metrics = learner.iterate(0.0)
        assert metrics["rollout/decisions"] == learner.decisions - before
        waiting = keys_of(learner.carried)
        assert metrics["rollout/carried"] == len(waiting)
        # A window ends with a turn, a turn with a discard: three of four decisions can be judged.
        assert set(learner.carried) <= {"discard"}
        assert metrics["rollout/decisions"] >= 3 * 4 * turns
        assert len(learner.learned) == learner.decisions
        assert Counter(learner.learned) + Counter(waiting) == Counter(learner.collected)
        # What waits is the last decision of each seat that has moved in a game under way.
        last: dict[int, int] = {}
        for trajectory, time in learner.collected:
            if trajectory not in learner.over:
                last[trajectory] = max(time, last.get(trajectory, 0))
        assert sorted(waiting) == sorted(last.items())
    assert learner.iteration == 4
    assert learner.games * GAMES[name].num_players == len(learner.over)


@pytest.mark.parametrize("name", ["reduced 2", "reduced 3", "few turns"])
def test_with_lambda_1_a_whole_game_is_worth_its_outcome(name: str) -> None:
    game = GAMES[name]
    config = experiment(game, games=8, turns=game.max_turns, reward="win", ppo=PPOConfig(lam=1.0))
    learner = Learner(config)
    decisions, finished = learner.collector.collect(learner.model)
    outcome = dict(zip(finished.trajectories.tolist(), finished.outcomes.tolist(), strict=True))
    first = range(8 * game.num_players)  # the games that began with the window
    assert set(first) <= outcome.keys()
    judged, _ = learner._judge(decisions, finished)
    for kind, of_kind in judged.items():
        batch = of_kind.batch()
        trajectories = [trajectory for trajectory, _ in keys_of({kind: batch.decisions})]
        for trajectory, value in zip(trajectories, batch.returns.tolist(), strict=True):
            assert trajectory not in first or value == pytest.approx(outcome[trajectory], abs=1e-5)


def fake(kind: str, rows: list[tuple[int, int, float]]) -> Decisions:
    """Decisions with a trajectory, a time and a value each, and as many placements as time says."""
    trajectory, time, value = zip(*rows, strict=True) if rows else ((), (), ())
    count = np.array(time, np.int64)
    arrays: dict[str, NDArray[np.generic]] = {
        "trajectory": np.array(trajectory, np.int64),
        "time": count,
        "value": np.array(value, np.float32),
        "chosen": np.zeros(len(rows), np.int64),
    }
    if kind != "play":
        return Decisions(kind, arrays)
    return Decisions(kind, arrays | {"count": count}, {"card": np.repeat(count, count)})


def ended(outcomes: dict[int, float]) -> Finished:
    nothing = np.zeros((0, 2), np.int64)
    return Finished(
        trajectories=np.array(list(outcomes), np.int64),
        outcomes=np.array(list(outcomes.values()), np.float32),
        turns=np.zeros(0, np.int64),
        points=nothing,
        denied_points=nothing,
        win_shares=nothing.astype(np.float64),
        seating=nothing,
    )


def test_advantages_by_hand() -> None:
    """Discount and lambda of a half; trajectory 8 goes on, trajectory 3 ends without a move."""
    learner = Learner(experiment(GameConfig(), ppo=PPOConfig(gamma=0.5, lam=0.5)))
    decisions = {
        "draw": fake("draw", [(4, 1, 0.5), (8, 2, 0.25), (4, 6, 0.5)]),
        "play": fake("play", [(8, 5, -0.5), (4, 4, 0.0)]),
        "discard": fake("discard", [(8, 7, 0.75), (4, 3, 1.0), (9, 8, 0.125)]),
    }
    finished = ended({4: 1.0, 3: -1.0, 9: -0.5})
    judged, waiting = learner._judge(decisions, finished)
    batches = {kind: of_kind.batch() for kind, of_kind in judged.items()}
    # Trajectory 4, from its end: values .5 1 0 .5, outcome 1, factor gamma lambda = 1/4.
    #   A(6) = 1 - .5                        =  .5
    #   A(4) = .5 * .5 - 0    + .5 / 4       =  .375
    #   A(3) = .5 * 0  - 1    + .375 / 4     = -.90625
    #   A(1) = .5 * 1  - .5   - .90625 / 4   = -.2265625
    # Trajectory 8: values .25 -.5 .75, and the last one waits.
    #   A(5) = .5 * .75 + .5                 =  .875
    #   A(2) = .5 * -.5 - .25 + .875 / 4     = -.28125
    # Trajectory 9: A(8) = -.5 - .125        = -.625
    expected = {
        "draw": [(4, 1, -0.2265625, 0.5), (8, 2, -0.28125, 0.25), (4, 6, 0.5, 0.5)],
        "play": [(8, 5, 0.875, -0.5), (4, 4, 0.375, 0.0)],
        "discard": [(4, 3, -0.90625, 1.0), (9, 8, -0.625, 0.125)],
    }
    raw = np.array([advantage for kind in KINDS for _, _, advantage, _ in expected[kind]])
    for kind in KINDS:
        batch = batches[kind]
        trajectories, times, advantages, values = zip(*expected[kind], strict=True)
        assert batch.decisions.kind == kind
        assert batch.decisions.arrays["trajectory"].tolist() == list(trajectories)
        assert batch.decisions.arrays["time"].tolist() == list(times)
        assert batch.returns == pytest.approx(np.add(advantages, values))
        normal = (np.array(advantages) - raw.mean()) / raw.std()
        assert batch.advantages == pytest.approx(normal, abs=1e-6)
    # The placements went with their decisions: 5 of the first play, 4 of the second.
    assert batches["play"].decisions.placements["card"].tolist() == [5] * 5 + [4] * 4
    assert list(waiting) == ["discard"]
    assert keys_of(waiting) == [(8, 7)]


def test_a_waiting_decision_is_judged_by_the_end_or_by_the_next_one() -> None:
    learner = Learner(experiment(GameConfig(), ppo=PPOConfig(gamma=1.0, lam=0.0)))
    nothing = {kind: fake(kind, []) for kind in KINDS}
    _, waiting = learner._judge(
        nothing | {"discard": fake("discard", [(0, 1, 0.5), (1, 2, 0.25)])}, ended({})
    )
    assert keys_of(waiting) == [(0, 1), (1, 2)]
    # Seat 0 moves on, and seat 1's game ends without another move of its own.
    judged, waiting = learner._judge(
        {"draw": fake("draw", [(0, 3, -0.5)]), "play": nothing["play"]} | waiting, ended({1: 1.0})
    )
    assert judged["discard"].returns.tolist() == [-0.5, 1.0]
    assert len(judged["draw"]) == 0
    assert keys_of(waiting) == [(0, 3)]


def state_of(learner: Learner) -> dict[str, torch.Tensor]:
    return {name: tensor.clone() for name, tensor in learner.network.state_dict().items()}


def timeless(metrics: Mapping[str, float]) -> dict[str, float]:
    return {k: v for k, v in metrics.items() if not k.startswith(("time/", "speed/"))}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_seed_decides_everything_and_nothing_global_is_used(players: int) -> None:
    config = experiment(GameConfig(num_players=players), games=4, turns=5, seed=9)
    global_torch = torch.get_rng_state()
    np.random.seed(5)  # noqa: NPY002 - the library's global state is what must stay untouched
    global_numpy = np.random.random()  # noqa: NPY002
    np.random.seed(5)  # noqa: NPY002
    learner = Learner(config)
    rows = [timeless(learner.iterate(0.0)) for _ in range(3)]
    assert torch.equal(torch.get_rng_state(), global_torch)
    assert np.random.random() == global_numpy  # noqa: NPY002

    torch.manual_seed(123)
    again = Learner(config)
    assert [timeless(again.iterate(0.0)) for _ in range(3)] == rows
    assert all(torch.equal(state_of(again)[name], t) for name, t in state_of(learner).items())
    other = Learner(config.model_copy(update={"seed": 10}))
    assert timeless(other.iterate(0.0)) != rows[0]
    # The deals are those of training, never those of evaluation.
    root = root_from_seed(9, Purpose.TRAIN)
    dealt = deal(config.game, root, np.arange(4))
    assert np.array_equal(Learner(config).collector.state.raw, dealt.raw)


@pytest.mark.parametrize("name", GAMES)
def test_metrics_are_defined_and_finite(name: str) -> None:
    learner = Learner(experiment(GAMES[name], games=4, turns=6))
    before = state_of(learner)
    for iteration in range(3):
        metrics = learner.iterate(0.0)
        for metric, value in metrics.items():
            check_name(metric)
            assert np.isfinite(value) or metric == "value/explained_variance", metric
        assert learner.iteration == iteration + 1
        assert metrics["policy/entropy"] >= 0
        assert metrics["policy/approx_kl"] >= 0
        assert 0 <= metrics["policy/clip_fraction"] <= 1
    assert any(not torch.equal(before[key], tensor) for key, tensor in state_of(learner).items())


def test_schedules_follow_the_budget() -> None:
    ppo = PPOConfig(
        learning_rate=1e-3, learning_rate_end=0.1, entropy=0.02, entropy_end=0.01, minibatches=2
    )
    budget = BudgetConfig(decisions=300)
    league = League(experiment(GameConfig(), games=2, turns=4, ppo=ppo, budget=budget))
    assert league.progress == 0
    while (progress := league.progress) < 1:
        metrics = league.iterate()
        assert metrics["schedule/learning_rate"] == pytest.approx(1e-3 - 9e-4 * progress)
        assert metrics["schedule/entropy_weight"] == pytest.approx(0.02 - 0.01 * progress)
        assert league.main.optimizer.param_groups[0]["lr"] == metrics["schedule/learning_rate"]
    assert league.decisions >= 300


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_numbers_that_are_not_finite_end_the_run_and_name_the_batch(
    players: int, kind: str
) -> None:
    config = experiment(GameConfig(num_players=players), games=4, turns=8)
    learner = Learner(config)
    learner.iterate(0.0)
    collect = learner.collector.collect

    def poisoned(
        model: ActorCritic, waiting: Mapping[str, Decisions]
    ) -> tuple[dict[str, Decisions], Finished]:
        decisions, finished = collect(model, waiting)
        decisions[kind].arrays["scalars"][:] = np.nan
        return decisions, finished

    learner.collector.collect = poisoned  # type: ignore[method-assign]
    message = (
        rf"iteration 2, epoch 1, minibatch \d+: loss nan, gradient norm \w+ on \d+ {kind} "
        "decisions: expected finite"
    )
    with pytest.raises(TrainingError, match=message):
        learner.iterate(0.0)
    # The faulty step was not taken.
    assert all(bool(torch.isfinite(tensor).all()) for tensor in state_of(learner).values())
    assert learner.iteration == 1


def test_weights_beyond_all_numbers_end_the_run_although_every_gradient_is_finite() -> None:
    learner = Learner(experiment(GameConfig(), games=4, turns=2))
    update = learner._update

    def overflowing(minibatch: Batch, entropy_weight: float) -> Update:
        metrics = update(minibatch, entropy_weight)
        with torch.no_grad():
            next(learner.network.parameters()).view(-1)[0] = torch.inf
        return metrics

    learner._minibatches = lambda judged: [judged["draw"]]  # type: ignore[method-assign]
    learner.config = learner.config.model_copy(
        update={"ppo": learner.config.ppo.model_copy(update={"epochs": 1})}
    )
    learner._update = overflowing  # type: ignore[method-assign]
    with pytest.raises(
        TrainingError, match=r"iteration 1: weights '.*' after the update: expected"
    ):
        learner.iterate(0.0)
