"""Tables at which one agent holds every seat, to see how it plays among equals."""

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from arboretum_agents.registry import make_agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.match import play_match
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_training.evaluation.evaluate import AgentFactory
from arboretum_training.evaluation.executor import DEALS_PER_UNIT, one_torch_thread
from arboretum_training.research.games import PlayedGames
from arboretum_training.research.studies.study import Row, Setting, Study

_BOTS: Final = ("random@1", "greedy@1", "blocker@1", "planner@1")


def agents_of(players: int) -> tuple[str, ...]:
    """The ladder's bots and the network of a number of players, weakest first."""
    return (*_BOTS, f"league-{players}p@1")


def study_of_agents(
    name: str, setting: Setting, measure: Callable[[int, str, int], Row], seed: int
) -> Study:
    """A study of which a row is an agent at tables of its own, with 2, 3 and 4 players.

    Args:
        name: of the study.
        setting: how large it is.
        measure: of (players, agent, deals).
        seed: that the rows depend on.
    """
    agents = {players: agents_of(players) for players in (2, 3, 4)}
    parts = {
        f"{players} players, {agent}": partial(measure, players, agent, setting.deals)
        for players, names in agents.items()
        for agent in names
    }
    given = {"agents": {str(key): list(names) for key, names in agents.items()}, "seed": seed}
    return Study(name, setting, parts, given)


def games_among_equals(
    agent: str | AgentFactory, config: GameConfig, deals: int, seed: int
) -> PlayedGames:
    """One game a deal, with one agent in all seats; it samples its moves.

    Args:
        agent: a spec, or what makes the agent.
        config: the game.
        deals: number of games; deal i of a seed is the same for every agent.
        seed: of the deals and the agent's randomness.
    """
    made = make_agent(agent, config) if isinstance(agent, str) else agent(config, "sample")
    root = root_from_seed(seed, Purpose.EVALUATE)
    parts = []
    for first in range(0, deals, DEALS_PER_UNIT):
        ids = np.arange(first, min(first + DEALS_PER_UNIT, deals), dtype=np.uint64)
        made.reset(ids, seed)
        seating = np.zeros((len(ids), config.num_players), np.int64)
        with one_torch_thread():
            match = play_match(deal(config, root, ids), [made], seating, ids, keep_actions=True)
        parts.append(PlayedGames.of_match(match))
    return PlayedGames.joined(parts)
