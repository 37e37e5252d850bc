"""Whether a search agrees: there every seat may find better replies than the rollouts' policy.

A choice may look best only because the policy answers it badly. So several independent searches of
one decision have to agree on the best choice, with a lead beyond the interval of their mean.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy import stats

from arboretum_agents.search.agent import SearchAgent
from arboretum_env.view import PlayerView, PlayerViews
from arboretum_lab.puzzles.measure import Estimate

RUNS: Final = 8


@dataclass(frozen=True)
class Lead:
    """What the searches found.

    Attributes:
        action: the best on average.
        gap: how much more it is worth than the second, with a 95 % interval of Student's t over
            the searches; none in an endgame that is solved exactly.
    """

    action: int
    gap: Estimate

    @property
    def clear(self) -> bool:
        """Whether the lead is beyond its interval."""
        return self.gap.low > 0


def search_lead(agent: SearchAgent, view: PlayerView) -> Lead:
    """Searches a decision ``RUNS`` times over other worlds; the agent has been reset."""
    observations = np.repeat(view.to_observation()[None, :], RUNS, axis=0)
    views = PlayerViews(view.config, observations, np.arange(RUNS, dtype=np.uint64))
    found: list[dict[int, float]] = [
        dict(zip(map(int, decision.actions), map(float, decision.values), strict=True))
        for decision in agent.decide(views)
    ]
    common = sorted(set.intersection(*(set(values) for values in found)))
    table = np.array([[values[action] for action in common] for values in found])
    first, second = np.argsort(-table.mean(axis=0), kind="stable")[:2]
    return Lead(common[first], _mean(table[:, first] - table[:, second]))


def _mean(leads: np.ndarray[Any, np.dtype[np.float64]]) -> Estimate:
    """The mean of a few independent leads."""
    error = float(leads.std(ddof=1)) / len(leads) ** 0.5
    return Estimate(float(leads.mean()), float(stats.t.ppf(0.975, len(leads) - 1)) * error)
