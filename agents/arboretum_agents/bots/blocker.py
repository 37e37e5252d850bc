"""The blocker: plays to deny.

The planner's way of choosing, with other values: rivals' points that a held rank takes away count
several times its own, and what a discard would give a rival as much as what it would give itself.
So it holds rivals' species, and 1s against their top ranks.
"""

from typing import Final

from arboretum_agents.bots.planner import PlannerAgent
from arboretum_agents.bots.planner_weights import UNTUNED, PlannerWeights
from arboretum_agents.registry import Mode
from arboretum_env.config import GameConfig

BLOCKER: Final[PlannerWeights] = UNTUNED._replace(
    deny=2.0, hold=0.7, guard=0.6, offer=1.0, offer_hold=0.15, take=1.0
)
"""Chosen by hand, not tuned."""


class BlockerAgent(PlannerAgent):
    """Plays the blocker, alike in either mode; see the module."""

    def __init__(self, config: GameConfig, mode: Mode = "sample") -> None:
        self._set_up(config, BLOCKER)
