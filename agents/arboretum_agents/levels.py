"""Levels of play: one dial from easy to hard for people and programs.

No level blunders on purpose. The lower ones see less clearly: they draw their moves with chances in
proportion to exp(value / temperature), so that moves of about the same worth are about as likely
and bad ones rare. Then comes the planner as it was chosen by hand, and as it was tuned; the top
one searches. ``python -m benchmarks.levels`` plays each level against the next lower one;
docs/agents.md has the table.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from arboretum_agents.registry import AgentSpecError, Mode, make_agent
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig

_SHARED: Final[tuple[str, ...]] = (
    "planner@1:tuned=false,temperature=4",
    "planner@1:tuned=false,temperature=2",
    "planner@1:tuned=false,temperature=1.4",
    "planner@1:tuned=false,temperature=1",
    "planner@1:tuned=false,temperature=0.5",
    "planner@1:tuned=false",
    "planner@1",
    "search@1:simulations=8",
)

LEVELS: Final[Mapping[int, tuple[str, ...]]] = MappingProxyType(dict.fromkeys((2, 3, 4), _SHARED))
"""By number of players: the specs of levels 1, 2, ..."""


def make_level(config: GameConfig, level: int = 5, mode: Mode = "sample") -> Agent:
    """The agent of a level.

    Args:
        config: the game.
        level: 1 (easy) to 8.
        mode: the likeliest moves of a level with a temperature are those of a higher one.

    Raises:
        AgentSpecError: no such level.
    """
    specs = LEVELS[config.num_players]
    if not 1 <= level <= len(specs):
        raise AgentSpecError(f"levels: level={level}: expected 1..{len(specs)}")
    return make_agent(specs[level - 1], config, mode=mode)
