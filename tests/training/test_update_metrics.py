"""What an update measures: entropy by phase, belief skill, what the policy's own values explain."""

import math

import numpy as np
import pytest
import torch

from arboretum_agents.neural.encoder import decision_phase, encode
from arboretum_agents.neural.policy import as_tensor
from arboretum_env.config import GameConfig
from arboretum_env.phase import Phase
from arboretum_env.view import redact
from arboretum_training.config import PPOConfig
from arboretum_training.decisions import PHASES, Decisions
from arboretum_training.divergence import minibatch_tensors
from arboretum_training.losses import explained_variance
from arboretum_training.ppo import Batch, Judged, Learner, _add_entropies
from arboretum_training.running_means import RunningMeans
from tests.random_games import random_positions
from tests.training.experiments import experiment

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_phase_is_read_off_the_inputs(players: int) -> None:
    """PLACE is the second half of a placement."""
    seen = set()
    for state, _ in random_positions(GameConfig(num_players=players), 3, seed=8):
        rows = np.flatnonzero(~state.done)
        movers = state.mover.astype(np.int64)
        views = redact(state, movers, np.arange(len(state), dtype=np.uint64))
        phases = decision_phase(as_tensor(encode(views).scalars)).tolist()
        names = {
            Phase.DRAW_FIRST: "draw_first",
            Phase.DRAW_SECOND: "draw_second",
            Phase.PLAY: "placement",
            Phase.PLACE: "placement",
            Phase.DISCARD: "discard",
        }
        for row in rows:
            assert PHASES[phases[row]] == names[Phase(state.phase[row])]
            seen.add(phases[row])
    assert seen == {0, 1, 2, 3}


def batch(kind: str, phases: list[int]) -> Batch:
    scalars = np.zeros((len(phases), 9), np.float32)
    scalars[np.arange(len(phases)), phases] = 1
    scalars[:, 4:] = 5  # whatever else there is
    nothing = np.zeros(len(phases), np.float32)
    return Batch(Decisions(kind, {"scalars": scalars}), nothing, nothing)


def test_entropies_of_both_draws_are_told_apart() -> None:
    means = RunningMeans()
    _add_entropies(means, batch("draw", [0, 1, 1, 0, 0]), torch.tensor([1.0, 4.0, 6.0, 2.0, 3.0]))
    _add_entropies(means, batch("draw", [1]), torch.tensor([8.0]))
    _add_entropies(means, batch("discard", [3, 3]), torch.tensor([0.25, 0.75]))
    assert means.result() == {
        "policy/phase_entropy/draw_first": 2.0,
        "policy/phase_entropy/draw_second": 6.0,
        "policy/phase_entropy/discard": 0.5,
    }


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_iteration_measures_every_phase_and_its_parts_make_up_the_whole(players: int) -> None:
    """With steps of nothing, entropies are those of the first policy: nearly uniform."""
    config = experiment(
        GameConfig(num_players=players),
        games=16,
        turns=6,
        ppo=PPOConfig(learning_rate=1e-12, epochs=1, minibatches=4),
    )
    learner = Learner(config)
    counts = dict.fromkeys(PHASES, 0)
    learn = learner._learn

    def counted(judged: dict[str, Judged], progress: float) -> dict[str, float]:
        batches = {kind: part.batch() for kind, part in judged.items()}
        for part in batches.values():
            for phase in decision_phase(as_tensor(part.decisions.arrays["scalars"])).tolist():
                counts[PHASES[phase]] += 1
        values = np.concatenate([part.decisions.arrays["value"] for part in batches.values()])
        returns = np.concatenate([part.returns for part in batches.values()])
        metrics = learn(judged, progress)
        critic = explained_variance(as_tensor(values), as_tensor(returns))
        assert metrics["value/explained_variance"] == pytest.approx(critic)
        own = [
            learner.model.evaluate(
                part.decisions,
                {name: as_tensor(array) for name, array in part.decisions.arrays.items()},
            ).values.detach()
            for part in batches.values()
        ]
        public = explained_variance(torch.cat(own), as_tensor(returns))
        assert metrics["value/explained_variance_public"] == pytest.approx(public, abs=1e-4)
        assert abs(public - critic) > 1e-3
        return metrics

    learner._learn = counted  # type: ignore[method-assign, assignment]
    metrics = learner.iterate(0.0)
    entropies = {phase: metrics[f"policy/phase_entropy/{phase}"] for phase in PHASES}
    total = sum(counts[phase] * entropies[phase] for phase in PHASES) / sum(counts.values())
    assert metrics["policy/entropy"] == pytest.approx(total, rel=1e-4)
    # A hand of 8 after planting: 8 discards; a deck and at most P piles to draw from.
    assert entropies["discard"] == pytest.approx(math.log(8), abs=0.05)
    assert entropies["draw_first"] < math.log(1 + players) + 1e-6
    assert len(set(entropies.values())) == 4
    # Who has learned nothing knows less than how many cards each rival holds.
    assert metrics["belief/skill"] < 0


def test_what_went_wrong_is_kept_under_names_that_say_what_it_is() -> None:
    decisions = Decisions(
        "play",
        {"chosen": np.array([1, 0]), "count": np.array([2, 1])},
        {"card": np.array([5, 6, 7])},
    )
    tensors = minibatch_tensors(
        decisions, {"returns": torch.tensor([1.0, 2.0])}, {"network.x": torch.zeros(3)}
    )
    assert tensors.keys() == {
        "decisions/chosen",
        "decisions/count",
        "placements/card",
        "returns",
        "weights/network.x",
    }
    assert tensors["placements/card"].tolist() == [5, 6, 7]
