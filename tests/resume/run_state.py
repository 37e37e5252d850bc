"""All that a run depends on, to be compared, and its way through the disk."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arboretum_agents.neural.checkpoint_reader import Checkpoint, read_checkpoint
from arboretum_training.checkpoint import save_checkpoint
from arboretum_training.league import League
from arboretum_training.opponents.saved_pool import pool_state, pool_tensors
from arboretum_training.opponents.seating import Opponents
from arboretum_training.optimizer_state import optimizer_state
from arboretum_training.ppo import Learner
from arboretum_training.random_state import numpy_states
from arboretum_training.snapshot import to_checkpoint


def everything(league: League) -> dict[str, Any]:
    """All state by name, as bytes and plain data."""
    state: dict[str, Any] = {
        "decisions": league.decisions,
        "pool": pool_state(league.pool),
        "members": {
            name: tensor.numpy().tobytes() for name, tensor in pool_tensors(league.pool).items()
        },
    }
    for name, role in league.roles.items():
        parts = state_of_learner(role.learner, role.opponents)
        state |= {f"{name} {part}": value for part, value in parts.items()}
        state[f"{name} turns"] = role.turns
    return state


def state_of_learner(learner: Learner, opponents: Opponents) -> dict[str, Any]:
    """Likewise, of one learner."""
    tensors, groups = optimizer_state(learner.optimizer, learner.model)
    state: dict[str, Any] = {
        f"weights {name}": tensor.numpy().tobytes()
        for name, tensor in learner.model.state_dict().items()
    }
    state |= {f"optimizer {name}": tensor.numpy().tobytes() for name, tensor in tensors.items()}
    for kind, decisions in learner.carried.items():
        for name, array in (decisions.arrays | decisions.placements).items():
            state[f"carried {kind} {name}"] = (array.dtype, array.shape, array.tobytes())
    collector = learner.collector
    return state | {
        "groups": groups,
        "random": numpy_states(
            {"learner": learner.rng, "collector": collector.rng, "opponents": opponents.rng}
        ),
        "games": collector.state.raw.tobytes(),
        "game ids": collector.game_ids.tolist(),
        "seating": collector.seating.tolist(),
        "tallies": opponents.tallies,
        "slots": opponents.slots,
        "counters": (
            learner.iteration,
            learner.decisions,
            learner.games,
            collector.next_game_id,
            collector.time,
        ),
    }


def timeless(metrics: Mapping[str, float]) -> dict[str, float]:
    return {k: v for k, v in metrics.items() if not k.startswith(("time/", "speed/"))}


def through_the_disk(league: League, folder: Path) -> Checkpoint:
    (folder / "checkpoints").mkdir(parents=True, exist_ok=True)
    return read_checkpoint(save_checkpoint(folder, to_checkpoint(league), keep=1))
