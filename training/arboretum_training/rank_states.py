"""What the processes of a run do not share, as bytes between them and as parts of a checkpoint.

Weights and optimiser are alike in all of them; the games under way, the decisions that wait and the
random states are each one's own. The first process's stand in a checkpoint as those of a run of one
process do; the others' are the group ``ranks``, by ``RANK/LEARNER/GROUP/NAME``.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import safetensors.torch
import torch
from torch import Tensor

from arboretum_training.distributed import Ranks
from arboretum_training.learner_state import CARRIED, GAMES, LearnerState

RANKS: Final = "ranks"
_OWN: Final = (GAMES, CARRIED)
_STATE: Final = "state"


def gather_states(
    saved: Mapping[str, LearnerState], ranks: Ranks
) -> tuple[dict[str, Tensor], list[dict[str, Any]]]:
    """Collects what the other processes have of their own; every process must call it.

    Args:
        saved: this process's learners by name.
        ranks: the processes.

    Returns:
        In the first process the group of tensors, and for each other process its learners' plain
        data; in the others nothing.
    """
    tensors: dict[str, Tensor] = {}
    states: list[dict[str, Any]] = []
    for rank, data in enumerate(ranks.gather(_packed(saved))[1:], start=1):
        own = safetensors.torch.load(data)
        states.append(json.loads(own.pop(_STATE).numpy().tobytes()))
        tensors |= {f"{rank}/{name}": tensor for name, tensor in own.items()}
    return tensors, states


def state_of_rank(
    name: str, rank: int, tensors: Mapping[str, Tensor], states: Sequence[Mapping[str, Any]],
    shared: LearnerState,
) -> LearnerState:  # fmt: skip
    """One learner of one process.

    Args:
        name: of the learner.
        rank: of the process.
        tensors, states: what ``gather_states`` returned.
        shared: the first process's.
    """
    if rank == 0:
        return shared
    state = states[rank - 1][name]
    own: dict[str, dict[str, Tensor]] = {group: {} for group in _OWN}
    for key, tensor in tensors.items():
        owner, learner, group, part = key.split("/", 3)
        if owner == str(rank) and learner == name:
            own[group][part] = tensor
    return LearnerState(state["counters"], state, {**shared.tensors, **own})


def _packed(saved: Mapping[str, LearnerState]) -> bytes:
    """Tensors of their own and plain data of some learners, as safetensors."""
    tensors = {
        f"{name}/{group}/{key}": tensor.contiguous()
        for name, part in saved.items()
        for group in _OWN
        for key, tensor in part.tensors[group].items()
    }
    plain = {name: {"counters": dict(part.counters), **part.state} for name, part in saved.items()}
    text = bytearray(json.dumps(plain).encode())
    tensors[_STATE] = torch.frombuffer(text, dtype=torch.uint8)
    return safetensors.torch.save(tensors)
