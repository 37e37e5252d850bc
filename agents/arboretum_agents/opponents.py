"""Who sits at the learner's tables: opponents by spec or as objects, table by table.

``B`` denotes tables (games), ``P`` players. Seats are counted from the learner's: opponent ``k``
sits k + 1 seats after it, wherever it sits.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.registry import make_agent
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.errors import ConfigError

Opponent = str | Agent
"""A spec of ``arboretum_agents.registry`` or an agent."""

Opponents = Opponent | Sequence[Opponent]
"""One opponent for all P - 1 seats, or P - 1 of them in turn order from the learner."""


class Lineups:
    """The opponents of B tables: those of the games under way and those of the next.

    A spec that is named several times in one call is one agent, which is asked once a decision for
    all its tables and seats.

    Attributes:
        agents: every agent that sits or will sit somewhere.
        seating: [B, P] index into ``agents`` by absolute seat, -1 for the learner: the games under
            way. All -1 before the first game.
    """

    def __init__(self, config: GameConfig, opponents: Opponents, num_tables: int) -> None:
        self._config = config
        self.agents: list[Agent] = []
        self.seating = np.full((num_tables, config.num_players), -1, np.int64)
        self._next = np.full((num_tables, config.num_players - 1), -1, np.int64)
        self.invite(opponents, np.arange(num_tables))

    def invite(self, opponents: Opponents, rows: NDArray[np.int64]) -> None:
        """Sets who sits at some tables from their next games on; games under way go on as they are.

        Raises:
            ConfigError: neither one opponent nor P - 1, or something that does not play.
            ArboretumError: a spec that makes no agent. Nothing was changed.
        """
        made = self._make(opponents)
        # An agent is itself, whatever it compares equal to.
        known = {id(agent): agent for agent in (*self.agents, *made)}
        indices = {key: index for index, key in enumerate(known)}
        self.agents = list(known.values())
        self._next[rows] = [indices[id(agent)] for agent in made]
        self._dismiss_unused()

    def seat(self, rows: NDArray[np.int64], learner: NDArray[np.int64]) -> None:
        """Seats the next opponents of some tables.

        Args:
            rows: [N] tables that begin a game.
            learner: [N] the learner's seat there.
        """
        players = self._config.num_players
        self.seating[rows, learner] = -1
        for k in range(players - 1):
            self.seating[rows, (learner + 1 + k) % players] = self._next[rows, k]

    def reset_agents(
        self, rows: NDArray[np.int64], game_ids: NDArray[np.uint64], seed: int
    ) -> None:
        """Tells the agents at some tables that new games begin there.

        Args:
            rows: [N] tables.
            game_ids: [B] ids of all tables' games.
            seed: of the agents' randomness.
        """
        for index, agent in enumerate(self.agents):
            own = rows[(self.seating[rows] == index).any(axis=1)]
            if len(own):
                agent.reset(game_ids[own], seed)

    def clone(self) -> "Lineups":
        """An independent copy with the same agents."""
        other = object.__new__(Lineups)
        other._config = self._config
        other.agents = self.agents
        other.seating = self.seating.copy()
        other._next = self._next.copy()
        return other

    def _make(self, opponents: Opponents) -> list[Agent]:
        wanted = self._config.num_players - 1
        if isinstance(opponents, str) or not isinstance(opponents, Sequence):
            given: list[Opponent] = [opponents] * wanted
        else:
            given = list(opponents)
        if len(given) != wanted:
            raise ConfigError(
                f"{len(given)} opponents: expected one for all seats, or {wanted} of them"
            )
        by_spec: dict[str, Agent] = {}
        agents: list[Agent] = []
        for opponent in given:
            if isinstance(opponent, str):
                if opponent not in by_spec:
                    by_spec[opponent] = make_agent(opponent, self._config)
                agents.append(by_spec[opponent])
            else:
                _check_plays(opponent)
                agents.append(opponent)
        return agents

    def _dismiss_unused(self) -> None:
        """Lets go of agents that sit nowhere and are not invited: pools of snapshots change."""
        used = np.union1d(self.seating[self.seating >= 0], self._next)
        renumbered = np.full(len(self.agents) + 1, -1, np.int64)  # the last one is for -1
        renumbered[used] = np.arange(len(used))
        self.agents = [self.agents[index] for index in used]
        self.seating = renumbered[self.seating]
        self._next = renumbered[self._next]


def _check_plays(opponent: Any) -> None:
    # A class has the methods too, but plays nothing.
    if not isinstance(opponent, Agent) or isinstance(opponent, type):
        raise ConfigError(
            f"opponent {opponent!r}: expected a spec such as 'greedy', or an agent with reset and "
            "act"
        )
