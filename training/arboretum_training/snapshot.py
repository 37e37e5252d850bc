"""A run's learners and their pool as a checkpoint, and back: all that the next iteration needs.

Main's tensors are groups of their own, so that whoever plays the checkpoint finds ``weights``. The
group ``others`` has those of the other learners, ``pool`` the weights of its members: one copy
each, without an optimiser.
"""

from collections.abc import Mapping
from typing import Any, Final

from torch import Tensor

from arboretum_agents.neural.checkpoint_reader import WEIGHTS, Checkpoint
from arboretum_env.errors import CheckpointError, RunError
from arboretum_training.config import ExperimentConfig
from arboretum_training.distributed import ALONE, Ranks
from arboretum_training.league import MAIN, League
from arboretum_training.learner_state import (
    CARRIED,
    GAMES,
    OPTIMIZER,
    LearnerState,
    restore_learner,
    save_learner,
)
from arboretum_training.opponents.saved_pool import pool_state, pool_tensors, restore_pool
from arboretum_training.rank_states import RANKS, gather_states, state_of_rank
from arboretum_training.runs import check_unchanged
from arboretum_training.start import CRITIC

OTHERS: Final = "others"
POOL: Final = "pool"
_GROUPS: Final = (WEIGHTS, CRITIC, OPTIMIZER, GAMES, CARRIED)


def to_checkpoint(league: League) -> Checkpoint:
    """All of a run's state; later changes of it do not show in it once it is saved.

    With several processes all of them must call it, and the first one's is whole.
    """
    saved = {
        name: save_learner(role.learner, role.opponents) for name, role in league.roles.items()
    }
    rank_tensors, rank_states = gather_states(saved, league.ranks)
    main = saved.pop(MAIN)
    return Checkpoint(
        step=league.decisions,
        config=league.config.model_dump(mode="json"),
        counters=main.counters,
        state={
            **main.state,
            "turns": {name: role.turns for name, role in league.roles.items()},
            OTHERS: {
                name: {"counters": dict(part.counters), **part.state}
                for name, part in saved.items()
            },
            POOL: pool_state(league.pool),
            **({RANKS: rank_states} if rank_states else {}),
        },
        tensors={
            **main.tensors,
            OTHERS: {
                f"{name}/{group}/{key}": tensor
                for name, part in saved.items()
                for group, tensors in part.tensors.items()
                for key, tensor in tensors.items()
            },
            POOL: pool_tensors(league.pool),
            **({RANKS: rank_tensors} if rank_tensors else {}),
        },
    )


def from_checkpoint(
    config: ExperimentConfig, checkpoint: Checkpoint, ranks: Ranks = ALONE
) -> League:
    """A run that goes on exactly where the checkpoint's stopped.

    Args:
        config: the experiment; game, network, rollout, seed and the number of learners as in the
            checkpoint, the rest may differ.
        checkpoint: what ``to_checkpoint`` gave.
        ranks: the processes, as many as it was saved by.

    Raises:
        RunError: what may not differ does.
        CheckpointError: something is missing, or does not fit the experiment.
    """
    check_unchanged(config, checkpoint)
    processes = 1 + len(checkpoint.state.get(RANKS, ()))
    if processes != ranks.size:
        raise RunError(
            f"a run of {processes} processes, resumed by {ranks.size}: expected "
            f"{'torchrun --nproc-per-node ' if processes > 1 else ''}{processes}"
        )
    try:
        pool = restore_pool(
            config.game, config.seed, checkpoint.state[POOL], checkpoint.tensors[POOL]
        )
        league = League(config, pool, ranks)
        turns = checkpoint.state["turns"]
        if turns.keys() != league.roles.keys():
            raise RunError(
                f"league of {', '.join(league.roles)}: was changed since the run began, expected "
                f"{', '.join(turns)}; start a new run to change it"
            )
        for name, role in league.roles.items():
            role.turns = int(turns[name])
            saved = state_of_rank(
                name,
                ranks.rank,
                checkpoint.tensors.get(RANKS, {}),
                checkpoint.state.get(RANKS, ()),
                _saved(name, checkpoint),
            )
            restore_learner(role.learner, role.opponents, saved)
    except (AttributeError, KeyError, RuntimeError, TypeError, ValueError) as error:
        if isinstance(error, RunError):
            raise
        message = " ".join(str(error).split())
        raise CheckpointError(f"the checkpoint cannot be resumed from: {message}") from error
    return league


def _saved(name: str, checkpoint: Checkpoint) -> LearnerState:
    """One learner's part of a checkpoint."""
    if name == MAIN:
        return LearnerState(checkpoint.counters, checkpoint.state, checkpoint.tensors)
    state: Mapping[str, Any] = checkpoint.state[OTHERS][name]
    tensors: dict[str, dict[str, Tensor]] = {group: {} for group in _GROUPS}
    for key, tensor in checkpoint.tensors[OTHERS].items():
        owner, _, rest = key.partition("/")
        group, _, own = rest.partition("/")
        if owner == name:
            tensors[group][own] = tensor
    return LearnerState(state["counters"], state, tensors)
