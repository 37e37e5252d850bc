"""A learner as a checkpoint, and back: everything that the next iteration depends on."""

from collections.abc import Mapping

from torch import Tensor

from arboretum_agents.neural.checkpoint_reader import WEIGHTS, Checkpoint
from arboretum_agents.neural.policy import as_tensor
from arboretum_env.errors import CheckpointError
from arboretum_env.saved_games import restore_games
from arboretum_training.config import ExperimentConfig
from arboretum_training.decisions import Decisions
from arboretum_training.optimizer_state import optimizer_state, restore_optimizer
from arboretum_training.ppo import Learner
from arboretum_training.random_state import numpy_states, restore_numpy
from arboretum_training.runs import check_unchanged

CRITIC = "critic"
OPTIMIZER = "optimizer"
GAMES = "games"
CARRIED = "carried"


def to_checkpoint(learner: Learner) -> Checkpoint:
    """All of a learner's state; later changes of the learner do not show in it once it is saved."""
    tensors, groups = optimizer_state(learner.optimizer, learner.model)
    collector = learner.collector
    return Checkpoint(
        step=learner.decisions,
        config=learner.config.model_dump(mode="json"),
        counters={
            "iteration": learner.iteration,
            "games": learner.games,
            "seconds": learner.seconds,
            "next_game_id": collector.next_game_id,
            "time": collector.time,
        },
        state={"random": numpy_states({"learner": learner.rng}), "optimizer_groups": groups},
        tensors={
            WEIGHTS: learner.network.state_dict(),
            CRITIC: learner.model.critic_state(),
            OPTIMIZER: tensors,
            GAMES: {
                "rows": as_tensor(collector.state.raw),
                "game_ids": as_tensor(collector.game_ids),
            },
            CARRIED: _carried_tensors(learner.carried),
        },
    )


def from_checkpoint(config: ExperimentConfig, checkpoint: Checkpoint) -> Learner:
    """A learner that goes on exactly where the checkpoint's stopped.

    Args:
        config: the experiment; game, network and rollout as in the checkpoint, the rest may differ.
        checkpoint: what ``to_checkpoint`` gave.

    Raises:
        RunError: game, network, rollout or seed were changed.
        CheckpointError: something is missing, or does not fit the experiment.
    """
    check_unchanged(config, checkpoint)
    learner = Learner(config)
    try:
        learner.network.load_state_dict(dict(checkpoint.tensors[WEIGHTS]))
        learner.model.load_critic_state(checkpoint.tensors[CRITIC])
        restore_optimizer(
            learner.optimizer,
            learner.model,
            checkpoint.tensors[OPTIMIZER],
            checkpoint.state["optimizer_groups"],
        )
        restore_numpy(checkpoint.state["random"], {"learner": learner.rng})
        _restore_games(learner, checkpoint)
        learner.carried = _carried_decisions(checkpoint.tensors[CARRIED])
        learner.iteration = int(checkpoint.counters["iteration"])
        learner.games = int(checkpoint.counters["games"])
        learner.seconds = float(checkpoint.counters["seconds"])
    except (KeyError, RuntimeError, ValueError) as error:
        message = " ".join(str(error).split())
        raise CheckpointError(f"the checkpoint cannot be resumed from: {message}") from error
    learner.decisions = checkpoint.step
    return learner


def _restore_games(learner: Learner, checkpoint: Checkpoint) -> None:
    collector = learner.collector
    rows = checkpoint.tensors[GAMES]["rows"].numpy()
    game_ids = checkpoint.tensors[GAMES]["game_ids"].numpy()
    if rows.shape != collector.state.raw.shape or game_ids.shape != collector.game_ids.shape:
        raise CheckpointError(f"games of shape {rows.shape}: expected {collector.state.raw.shape}")
    collector.state = restore_games(learner.config.game, rows)
    collector.game_ids = game_ids.copy()
    collector.next_game_id = int(checkpoint.counters["next_game_id"])
    collector.time = int(checkpoint.counters["time"])


def _carried_tensors(carried: Mapping[str, Decisions]) -> dict[str, Tensor]:
    """``kind/name``; a window ends with a turn, so what waits are discards, without placements."""
    return {
        f"{kind}/{name}": as_tensor(array)
        for kind, decisions in carried.items()
        for name, array in decisions.arrays.items()
    }


def _carried_decisions(tensors: Mapping[str, Tensor]) -> dict[str, Decisions]:
    carried: dict[str, Decisions] = {}
    for key, tensor in tensors.items():
        kind, _, name = key.partition("/")
        carried.setdefault(kind, Decisions(kind, {})).arrays[name] = tensor.numpy().copy()
    return carried
