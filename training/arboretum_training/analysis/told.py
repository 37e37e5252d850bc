"""What a seat's moves told the seat that moved next, in bits: see ``research.exposure``.

The observer is taken as it was, with its own hand, which its posterior depends on. So this is for
finished games and for records, where every hand may be looked at.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from arboretum_agents.registry import AgentSpecError, make_agent
from arboretum_env.agent import PolicyAgent
from arboretum_env.config import GameConfig
from arboretum_training.analysis.story import Course, Step, Story
from arboretum_training.research.exposure import Exposure, exposure
from arboretum_training.research.likelihood import Likelihood
from arboretum_training.research.odds_belief import UniformModel
from arboretum_training.research.particles import SLIP

DEFAULT_POLICY: Final = "planner:temperature=0.5"


@dataclass(frozen=True)
class Told:
    """What one move told.

    Attributes:
        step: the move.
        exposure: to the next seat, which thought every deal alike before.
    """

    step: Step
    exposure: Exposure

    def to_json(self) -> dict[str, Any]:
        """For the page and the command."""
        at = {"at": self.step.at, "turn": self.step.view.turn, "move": self.step.move}
        return {**at, **self.exposure.to_json()}


def make_likelihood(config: GameConfig, spec: str = DEFAULT_POLICY) -> Likelihood:
    """How observers think that everybody plays.

    Raises:
        AgentSpecError: no such agent, or one without probabilities.
    """
    policy = make_agent(spec, config)
    if not isinstance(policy, PolicyAgent):
        raise AgentSpecError(f"agent {spec!r}: expected one with probabilities, such as a planner")
    policy.reset(np.zeros(1, np.uint64), 0)
    return Likelihood(policy, SLIP)


def told(game: Course, story: Story, likelihood: Likelihood) -> list[Told]:
    """What every move of a seat told the next one.

    Args:
        game: the whole truth, of which the next seat's views are taken.
        story: the seat's part of it.
        likelihood: how the observer thinks that the seat plays.
    """
    observer = (story.seat + 1) % story.last.config.num_players
    model = UniformModel()
    return [
        Told(step, exposure(model.believe(game.view(step.at, observer)), step.actions, likelihood))
        for step in story.steps
    ]
