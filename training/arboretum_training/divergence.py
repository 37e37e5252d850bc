"""When an update has gone wrong: the bounds that it has to keep, and the error that ends a run.

A number that is not finite ends the run at once. A number beyond its bound may be an accident of
one small minibatch: it ends the run when it stays there for ``PATIENCE`` minibatches in a row (or
for a whole iteration that has fewer), since nothing leads back from there; or when it was so far
off that the mean of its iteration is beyond ``FAR`` bounds: losses may then be small again, of a
network that no longer says anything. Counting begins anew with every iteration, so a resumed run
stops where an unbroken one does.
"""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from torch import Tensor

from arboretum_agents.neural.policy import as_tensor
from arboretum_env.errors import TrainingError
from arboretum_training.decisions import Decisions

PATIENCE: Final = 8
FAR: Final = 10


@dataclass(frozen=True)
class Bound:
    """How large a metric may be.

    Attributes:
        metric: its name in ``metrics.METRICS``.
        highest: the largest value that is still sound.
        reason: why it is none beyond that.
    """

    metric: str
    highest: float
    reason: str


BOUNDS: Final[tuple[Bound, ...]] = (
    Bound("loss/value", 2.0, "off by more than the best and the worst return are apart"),
    Bound("loss/critic", 2.0, "likewise"),
    Bound("policy/approx_kl", 1.0, "a policy that has little to do with the one that played"),
    Bound("loss/belief", 10.0, "sure of hands that are not so; knowing nothing costs at most 1.4"),
)

ADVICE: Final = "resume from the newest checkpoint with a smaller learning rate"


class DivergenceError(TrainingError):
    """An update that went wrong, with the minibatch that showed it.

    Attributes:
        where: ``iteration``, ``epoch`` and ``minibatch``, from 1, and ``rows`` and ``kind``.
        tensors: the minibatch, and the weights when it was noticed, by name.
    """

    def __init__(self, message: str, where: Mapping[str, str], tensors: Mapping[str, Tensor]):
        super().__init__(message)
        self.where = dict(where)
        self.tensors = dict(tensors)


class Watch:
    """Follows the updates of one iteration.

    Args:
        updates: how many there will be.
    """

    def __init__(self, updates: int) -> None:
        self._patience = min(PATIENCE, max(updates, 1))
        self._beyond: Counter[str] = Counter()
        self._worst = -math.inf

    def fault(self, metrics: Mapping[str, float]) -> str | None:
        """What is wrong after one more update; None as long as there may be nothing.

        Args:
            metrics: of its minibatch, by name.
        """
        for bound in BOUNDS:
            value = metrics[bound.metric]
            if value <= bound.highest:
                self._beyond[bound.metric] = 0
                continue
            self._beyond[bound.metric] += 1
            if self._beyond[bound.metric] >= self._patience:
                return (
                    f"{bound.metric} {value:.4g}, above {bound.highest:g} for {self._patience} "
                    f"minibatches in a row ({bound.reason})"
                )
        return None

    def is_worst(self, metrics: Mapping[str, float]) -> bool:
        """Whether a minibatch is further beyond its bounds than all before it."""
        excess = max(metrics[bound.metric] / bound.highest for bound in BOUNDS)
        if excess <= self._worst:
            return False
        self._worst = excess
        return True

    @staticmethod
    def fault_of_iteration(means: Mapping[str, float]) -> str | None:
        """What is wrong with the means of a whole iteration; None if nothing is."""
        for bound in BOUNDS:
            mean = means[bound.metric]
            if not mean <= FAR * bound.highest:
                return (
                    f"{bound.metric} {mean:.4g} in the mean of the iteration, above "
                    f"{FAR * bound.highest:g} ({bound.reason}), worst"
                )
        return None


def minibatch_tensors(
    decisions: Decisions,
    judged: Mapping[str, Tensor],
    weights: Mapping[str, Tensor],
) -> dict[str, Tensor]:
    """Everything that an update depends on, under names that say what it is.

    Args:
        decisions: of the minibatch.
        judged: ``advantages`` and ``returns``.
        weights: of the whole model.
    """
    return (
        {f"decisions/{name}": as_tensor(array) for name, array in decisions.arrays.items()}
        | {f"placements/{name}": as_tensor(array) for name, array in decisions.placements.items()}
        | dict(judged)
        | {f"weights/{name}": tensor.detach() for name, tensor in weights.items()}
    )
