"""One run by several processes, on one machine or on many, as ``torchrun`` starts them.

::

    torchrun --nproc-per-node 2 -m arboretum_lab train configs/selfplay_2p.yaml

Every process (*rank*) plays games of its own, from seeds of its own, and all of them learn the same
network: the gradients of every minibatch are averaged before the step. What all must agree on, such
as whether to stop, is asked here. A process alone asks nobody, and the loop is the same.

Processes talk over gloo in plain tensors; nothing is pickled. When one of them dies, the others'
next question fails and they end with an error; the run goes on from its newest checkpoint.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import numpy as np
import torch
import torch.distributed as dist
from torch import Tensor

from arboretum_env.errors import TrainingError
from arboretum_training.code_versions import differences

PATIENCE: Final = timedelta(minutes=30)
"""How long a process waits for the others, who may be measuring the policy meanwhile."""

_RANK_TAG: Final = 0x4A4B


@dataclass(frozen=True)
class Ranks:
    """The processes of a run, seen from one of them.

    Attributes:
        rank: this process, from 0.
        size: how many there are.
    """

    rank: int = 0
    size: int = 1

    @property
    def is_first(self) -> bool:
        """Whether this process writes the run's files and shows its progress."""
        return self.rank == 0

    def seed(self, seed: int) -> int:
        """A seed of this process's own; the first one's is the run's."""
        if self.rank == 0:
            return seed
        sequence = np.random.SeedSequence((seed, _RANK_TAG, self.rank))
        return int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(1))

    def total(self, numbers: Iterable[float]) -> list[float]:
        """Sums over all processes of as many numbers in each."""
        return self._reduced(numbers, dist.ReduceOp.SUM)

    def least(self, numbers: Iterable[float]) -> list[float]:
        """The smallest over all processes, number by number."""
        return self._reduced(numbers, dist.ReduceOp.MIN)

    def agree(self, wish: bool) -> bool:
        """Whether any process wishes it."""
        return self.total([float(wish)])[0] > 0

    def of_first(self, number: float) -> float:
        """The first process's number."""
        return self.total([number if self.is_first else 0.0])[0]

    def average(self, gradients: Iterable[Tensor], others: Mapping[str, float]) -> dict[str, float]:
        """Averages gradients over all processes, in place, and other numbers with them.

        Args:
            gradients: of the same shapes in every process; mutated.
            others: numbers of the same names in every process.

        Returns:
            Their means.
        """
        if self.size == 1:
            return dict(others)
        parts = list(gradients)
        numbers = torch.tensor(list(others.values()), dtype=torch.float32)
        together = torch.cat([*(part.flatten() for part in parts), numbers])
        self._all_reduce(together, dist.ReduceOp.SUM)
        together /= self.size
        first = 0
        for part in parts:
            part.copy_(together[first : first + part.numel()].view_as(part))
            first += part.numel()
        return dict(zip(others, together[first:].tolist(), strict=True))

    def gather(self, data: bytes) -> list[bytes]:
        """Every process's bytes, by rank; in the first process only, the others get none."""
        if self.size == 1:
            return [data]
        lengths = [torch.zeros(1, dtype=torch.int64) for _ in range(self.size)]
        self._ask(lambda: dist.all_gather(lengths, torch.tensor([len(data)])))
        longest = max(int(length) for length in lengths)
        padded = torch.zeros(longest, dtype=torch.uint8)
        padded[: len(data)] = torch.frombuffer(bytearray(data), dtype=torch.uint8)
        parts = [torch.zeros_like(padded) for _ in range(self.size)] if self.is_first else None
        self._ask(lambda: dist.gather(padded, parts, dst=0))
        return [
            part[: int(length)].numpy().tobytes()
            for part, length in zip(parts or (), lengths, strict=False)
        ]

    def check_alike(self, facts: Mapping[str, str]) -> None:
        """Refuses processes that would not learn the same network; every process must call it.

        Args:
            facts: what has to be the same in all of them, by name.

        Raises:
            TrainingError: it is not; the first process says where, and the others that it does.
        """
        if self.size == 1:
            return
        theirs = [json.loads(data) for data in self.gather(json.dumps(dict(facts)).encode())]
        other = next((rank for rank, its in enumerate(theirs) if its != facts), None)
        if not self.agree(other is not None):
            return
        if other is None:
            raise TrainingError(f"process {self.rank} of {self.size}: see what process 0 says")
        raise TrainingError(
            f"process {other} of {self.size} has {differences(theirs[other], facts)} as process 0 "
            "has: expected the same command, files and versions on every node"
        )

    def _reduced(self, numbers: Iterable[float], operation: dist.ReduceOp.RedOpType) -> list[float]:
        values = list(numbers)
        if self.size == 1:
            return values
        together = torch.tensor(values, dtype=torch.float64)
        self._all_reduce(together, operation)
        return together.tolist()

    def _all_reduce(self, tensor: Tensor, operation: dist.ReduceOp.RedOpType) -> None:
        self._ask(lambda: dist.all_reduce(tensor, operation))

    def _ask(self, question: Callable[[], object]) -> None:
        try:
            question()
        except RuntimeError as error:
            reason = str(error).splitlines()[0]
            raise TrainingError(
                f"process {self.rank} of {self.size} lost the others ({reason}): resume from the "
                "newest checkpoint"
            ) from error


ALONE: Final = Ranks()


@contextmanager
def joined() -> Iterator[Ranks]:
    """The processes that ``torchrun`` started, or this one alone.

    Raises:
        TrainingError: the others cannot be reached.
    """
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        yield ALONE
        return
    try:
        dist.init_process_group("gloo", timeout=PATIENCE)
    except (RuntimeError, ValueError) as error:
        raise TrainingError(
            f"cannot join the other processes: {str(error).splitlines()[0]}: expected the "
            "environment that torchrun sets"
        ) from error
    try:
        yield Ranks(dist.get_rank(), size)
    finally:
        dist.destroy_process_group()
