"""What a decision of each bot costs: processor microseconds, in batches.

Every bot sits in one seat of B games, greedy in the others; only its own ``act`` is timed, views
ready made. The least of several rounds, and how many of greedy's decisions fit into one::

    python -m benchmarks.agents
    python -m benchmarks.agents --agents planner "search:simulations=8" --games 64 --rounds 1
"""

import time
from dataclasses import dataclass

import numpy as np
import tyro
from numpy.typing import NDArray

from arboretum_agents.registry import make_agent
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.match import play_match
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_env.view import PlayerViews


@dataclass(frozen=True)
class Command:
    """Measures bots.

    Attributes:
        agents: specs; greedy comes first in any case.
        players: which numbers of players.
        games: side by side, B.
        rounds: of which the least counts.
    """

    agents: tuple[str, ...] = ("random", "blocker", "planner", "planner:temperature=1")
    players: tuple[int, ...] = (2, 3, 4)
    games: int = 512
    rounds: int = 5


class Timed:
    """An agent with a stopwatch.

    Attributes:
        seconds: processor time within ``act``.
        decisions: made.
    """

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.seconds = 0.0
        self.decisions = 0

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        """Resets the agent."""
        self.agent.reset(game_ids, seed)

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        """Lets the agent act, and looks at the clock."""
        start = time.process_time()
        actions = self.agent.act(views)
        self.seconds += time.process_time() - start
        self.decisions += len(views)
        return actions


def microseconds(spec: str, players: int, games: int, rounds: int) -> float:
    """Processor microseconds a decision, the least of some rounds."""
    config = GameConfig(num_players=players)
    ids = np.arange(games, dtype=np.uint64)
    seating = np.ones((games, players), np.int64)
    seating[np.arange(games), np.arange(games) % players] = 0
    least = np.inf
    for _ in range(rounds + 1):  # the first one compiles
        timed, others = Timed(make_agent(spec, config)), make_agent("greedy", config)
        for agent in (timed, others):
            agent.reset(ids, 0)
        games_dealt = deal(config, root_from_seed(0, Purpose.BENCHMARK), ids)
        play_match(games_dealt, [timed, others], seating, ids)
        least = min(least, timed.seconds / timed.decisions)
    return 1e6 * float(least)


def main(command: Command) -> None:
    """Prints the table, in Markdown."""
    print("| players | agent | microseconds a decision | greedy's decisions |")
    print("|---|---|---|---|")
    for players in command.players:
        greedy = microseconds("greedy", players, command.games, command.rounds)
        print(f"| {players} | `greedy` | {greedy:.1f} | 1.0 |")
        for spec in command.agents:
            cost = microseconds(spec, players, command.games, command.rounds)
            print(f"| {players} | `{spec}` | {cost:.1f} | {cost / greedy:.1f} |", flush=True)


if __name__ == "__main__":
    main(tyro.cli(Command))
