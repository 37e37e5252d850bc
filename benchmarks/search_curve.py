"""How ``search`` grows with its budget: against the planner, over duplicate deals, with intervals.

    python -m benchmarks.search_curve --players 2 --simulations 8 32 128 --deals 64

Every row is one evaluation in this process, on one core, so the games of a work unit run side by
side. *CPU* is processor time of the search divided by its decisions. The table is small by default;
``docs/tree-search.md`` says what it was made with.
"""

import argparse
import time

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.registry import Mode, make_agent
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.view import PlayerViews
from arboretum_training.evaluation.evaluate import evaluate
from arboretum_training.evaluation.summary import summarise
from benchmarks.machine import described


class Timed:
    """An agent that counts its decisions and their processor time.

    Attributes:
        decisions: so far.
        seconds: so far.
    """

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.decisions = 0
        self.seconds = 0.0

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        """Begins new games."""
        self._agent.reset(game_ids, seed)

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        """What the agent chooses."""
        begun = time.process_time()
        actions = self._agent.act(views)
        self.seconds += time.process_time() - begun
        self.decisions += len(views)
        return actions


def row(spec: str, against: str, config: GameConfig, deals: int, seed: int) -> str:
    """One line of the table."""
    made: list[Timed] = []

    def search(config: GameConfig, mode: Mode) -> Agent:
        made.append(Timed(make_agent(spec, config, mode=mode)))
        return made[-1]

    result = evaluate([search, against], config, deals=deals, seed=seed)
    summary = summarise(result)
    agent = summary.agents[result.names[0]]
    low, high = agent.win_rate_ci95
    cost = sum(timed.seconds for timed in made) / sum(timed.decisions for timed in made)
    margin = f"{summary.margin:+.2f}"
    if summary.margin_ci95 is not None:  # None: a single deal
        margin += " ({:+.2f}..{:+.2f})".format(*summary.margin_ci95)
    return (
        f"| `{spec}` | {deals} | {100 * agent.win_rate:.1f} ({100 * low:.1f}..{100 * high:.1f}) "
        f"| {margin} | {1000 * cost:.1f} |"
    )


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--simulations", type=int, nargs="+", default=[8, 32])
    parser.add_argument(
        "--deals", type=int, nargs="+", default=[8], help="one number, or one a row"
    )
    parser.add_argument("--against", default="planner")
    parser.add_argument("--options", default="", help="more options of search, e.g. ,beliefs=false")
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    config = GameConfig(num_players=arguments.players)
    where = described(("numpy", "numba"))
    print(f"{arguments.players} players, against {arguments.against}; {where}", flush=True)
    print("| agent | deals | win % (95 %) | margin | CPU ms a decision |")
    print("|---|---|---|---|---|", flush=True)
    deals = arguments.deals * (len(arguments.simulations) if len(arguments.deals) == 1 else 1)
    for simulations, count in zip(arguments.simulations, deals, strict=True):
        spec = f"search:simulations={simulations}{arguments.options}"
        print(row(spec, arguments.against, config, count, arguments.seed), flush=True)


if __name__ == "__main__":
    main()
