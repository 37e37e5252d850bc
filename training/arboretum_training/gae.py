"""Generalised advantage estimation over each seat's OWN decisions.

A *trajectory* is what one seat decides in one game, in time order. Between two of its decisions the
other seats play; for the learner that is the environment moving. So the only values in the
equation are those of the seat's own decisions, the number of players does not matter, and no
rival's value is ever used (docs/promises.md, fault 1).

    seat 0:  a0 ------- a1 ------- a2 ------- ...        delta(a0) = gamma V(a1) - V(a0)
    seat 1:       b0 ------- b1 ------- b2 -- ...        delta(b0) = gamma V(b1) - V(b0)

The end of a game reaches every seat at its own last decision, whoever made the last move, so the
outcome is given once a trajectory and cannot be lost or credited to another seat (fault 6).

A trajectory that the window cuts has no value to follow its last decision. Nothing is invented for
it: that decision is not ``ready`` and the trainer carries it into the next window, where it comes
first in its trajectory.

Letters: ``N`` decisions, ``G`` trajectories, all flattened. ``offsets`` [G + 1] int64: trajectory g
is ``offsets[g]:offsets[g + 1]``.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arboretum_env.compile import kernel


@dataclass(frozen=True)
class Advantages:
    """What ``generalised_advantages`` returns."""

    advantages: NDArray[np.float32]  # [N]; 0 where not ready
    returns: NDArray[np.float32]  # [N]; advantage + value, the target of the value head
    ready: NDArray[np.bool_]  # [N]; False: the last decision of an unfinished trajectory


def group_by_trajectory(
    trajectory: NDArray[np.integer], num_trajectories: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Sort decisions recorded in time order, seats interleaved, into trajectories.

    Args:
        trajectory: [N] trajectory of each decision, 0..G-1, e.g. ``game * P + seat``.
        num_trajectories: G; a trajectory without a decision gets an empty segment.

    Returns:
        ``order`` [N], so that ``values[order]`` is grouped and in time order within a group, and
        ``offsets`` [G + 1].

    >>> order, offsets = group_by_trajectory(np.array([0, 1, 0, 1, 1]), 2)
    >>> order.tolist(), offsets.tolist()
    ([0, 2, 1, 3, 4], [0, 2, 5])
    """
    order = np.argsort(trajectory, kind="stable")
    offsets = np.zeros(num_trajectories + 1, np.int64)
    np.cumsum(np.bincount(trajectory, minlength=num_trajectories), out=offsets[1:])
    return order.astype(np.int64, copy=False), offsets


def generalised_advantages(
    values: NDArray[np.floating],
    offsets: NDArray[np.integer],
    outcomes: NDArray[np.floating],
    finished: NDArray[np.bool_],
    *,
    gamma: float,
    lam: float,
) -> Advantages:
    """Advantages and value targets of a batch of trajectories.

    With ``delta(t) = r(t) + gamma V(t+1) - V(t)``, where ``r`` is 0 but at the last decision of a
    finished trajectory, whose next value is 0:

        A(t) = delta(t) + gamma lam A(t+1)

    In an unfinished trajectory the sum ends before the last decision, which is not ready.

    Args:
        values: [N] value of each decision, seen from its own seat.
        offsets: [G + 1] trajectory bounds.
        outcomes: [G] reward of the whole game for the trajectory's seat; read where finished only.
        finished: [G] the game is over, so the trajectory's last decision was the seat's last.
        gamma: discount from one own decision to the next, 0..1.
        lam: lambda of the estimator, 0..1.

    Returns:
        Advantages in the order of ``values``. Inputs are not changed.

    Raises:
        ValueError: shapes that do not fit, or gamma or lam outside 0..1.

    Source: Schulman et al. 2016, "High-Dimensional Continuous Control Using Generalized Advantage
    Estimation" (arXiv:1506.02438), eq. 11-16.
    """
    if not (0 <= gamma <= 1 and 0 <= lam <= 1):
        raise ValueError(f"gamma {gamma}, lam {lam}: expected both in 0..1")
    _check_offsets(offsets, len(values))
    num_trajectories = len(offsets) - 1
    if outcomes.shape != (num_trajectories,) or finished.shape != (num_trajectories,):
        raise ValueError(
            f"outcomes {outcomes.shape} and finished {finished.shape}: expected one a trajectory, "
            f"({num_trajectories},)"
        )
    # Sums of up to a hundred terms: in double precision, so that the result does not depend on
    # where a window cut the trajectory by more than the estimator itself says.
    value = values.astype(np.float64)
    advantage = np.zeros(len(values), np.float64)
    ready = np.ones(len(values), np.bool_)
    _accumulate(
        value,
        offsets.astype(np.int64),
        outcomes.astype(np.float64),
        finished,
        float(gamma),
        float(lam),
        advantage,
        ready,
    )
    return Advantages(
        advantages=advantage.astype(np.float32),
        returns=(advantage + value).astype(np.float32),
        ready=ready,
    )


def _check_offsets(offsets: NDArray[np.integer], num_decisions: int) -> None:
    if (
        offsets.ndim != 1
        or len(offsets) == 0
        or offsets[0] != 0
        or offsets[-1] != num_decisions
        or bool(np.any(np.diff(offsets) < 0))
    ):
        raise ValueError(
            f"offsets of shape {offsets.shape}: expected [G + 1] bounds that rise from 0 to "
            f"{num_decisions}, the number of values"
        )


@kernel
def _accumulate(
    value: NDArray[np.float64],
    offsets: NDArray[np.int64],
    outcomes: NDArray[np.float64],
    finished: NDArray[np.bool_],
    gamma: float,
    lam: float,
    advantage: NDArray[np.float64],
    ready: NDArray[np.bool_],
) -> None:
    """Fill ``advantage`` and ``ready`` in place, each trajectory from its end backwards."""
    for g in range(len(offsets) - 1):
        first, last = offsets[g], offsets[g + 1] - 1
        if last < first:
            continue
        if finished[g]:
            advantage[last] = outcomes[g] - value[last]
        else:
            ready[last] = False  # stays 0, so that the sum before it ends here
        for t in range(last - 1, first - 1, -1):
            delta = gamma * value[t + 1] - value[t]
            advantage[t] = delta + gamma * lam * advantage[t + 1]
