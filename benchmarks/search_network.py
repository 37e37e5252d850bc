"""What search adds to a network, by budget, and what each part of it adds.

    python -m benchmarks.search_network RUN --deals 200

The search sits in one seat and the bare network, which takes its likeliest moves, in the others,
over duplicate deals. Every row is one evaluation in this process, on one core. *CPU* is processor
time of the search divided by its decisions; *alone* is that of single decisions, without a batch.
"""

import argparse
import time

import numpy as np
import torch

from arboretum_agents.registry import make_agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import apply_action
from arboretum_env.view import redact
from benchmarks.machine import described
from benchmarks.search_curve import row

PARTS = {
    "judged at once": ",depth=0",
    "two rounds": ",depth=2",
    "to the end": ",depth=100",
    "no prior": ",prior=0",
    "every card alike": ",beliefs=false",
    "no exact endgame": ",endgame=0",
}
"""Options that leave something out, or do more of it."""


def alone(spec: str, config: GameConfig, games: int) -> tuple[float, float]:
    """(mean, 99th percentile) milliseconds of single decisions in games of the agent with itself.

    Args:
        spec: the agent.
        config: the game.
        games: how many are played.
    """
    agent = make_agent(spec, config)
    taken = []
    for number in range(games):
        state = deal(config, 5, np.array([number], np.uint64))
        agent.reset(np.array([number], np.uint64), 1)
        while not state.done[0]:
            views = redact(state, state.mover, np.array([number], np.uint64))
            begun = time.process_time()
            actions = agent.act(views)
            taken.append(1000.0 * (time.process_time() - begun))
            apply_action(state, actions)
    taken = taken[1:]  # the first one loads kernels
    return float(np.mean(taken)), float(np.quantile(taken, 0.99))


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("network", help="an agent that is a network: a run's folder, for example")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--simulations", type=int, nargs="+", default=[8, 16, 32, 64, 128])
    parser.add_argument("--parts", type=int, nargs="*", default=[], help="and these, part by part")
    parser.add_argument("--deals", type=int, default=8)
    parser.add_argument("--options", default="", help="more options of search, e.g. ,prior=0.02")
    parser.add_argument("--against", help="another agent than the network with mode=greedy")
    parser.add_argument("--games", type=int, default=1, help="that are timed decision by decision")
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    config = GameConfig(num_players=arguments.players)
    against = arguments.against or f"{arguments.network}:mode=greedy"
    where = described(("numpy", "numba", "torch"))
    print(f"{arguments.players} players, against {against}; {where}", flush=True)
    print("| agent | deals | win % (95 %) | margin | CPU ms a decision | alone, 99 % |")
    print("|---|---|---|---|---|---|", flush=True)
    for simulations in dict.fromkeys([*arguments.simulations, *arguments.parts]):
        wanted = [""] if simulations in arguments.simulations else []
        wanted += PARTS.values() if simulations in arguments.parts else []
        for part in wanted:
            options = part + arguments.options
            spec = f"search:policy={arguments.network},simulations={simulations}{options}"
            line = row(spec, against, config, arguments.deals, arguments.seed)
            mean, slow = alone(spec, config, arguments.games)
            print(f"{line} {mean:.1f}, {slow:.1f} |", flush=True)


if __name__ == "__main__":
    main()
