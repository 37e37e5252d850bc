"""What the derived features cost: best paths, and the gain of every placement, a view.

    python -m benchmarks.features [GAMES]

Plays GAMES games side by side, random and greedy, for 2, 3 and 4 players, and times at every
decision the kernels that learners and bots wait for: ``outlook`` (best paths of all seats and what
each card would add), ``placements`` (every card on every legal cell, when a card is to be planted),
``rights`` (chances of the right to score). Each call counts with the least time of three, since
other programs can only make it slower. *A decision* is the mean over the four decisions of a turn
(two draws, card with cell, discard), ``outlook`` and ``placements`` together.
"""

import sys
import time
from collections import defaultdict
from collections.abc import Callable

import numpy as np

from arboretum_agents.registry import make_agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import apply_action
from arboretum_env.features.outlook import outlook
from arboretum_env.features.placements import placements
from arboretum_env.features.rights import rights
from arboretum_env.phase import Phase
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_env.view import PlayerViews, redact
from benchmarks.machine import described

FEATURES: dict[str, Callable[[PlayerViews], object]] = {
    "outlook": outlook,
    "placements": placements,
    "rights": rights,
}


def least_time(feature: Callable[[PlayerViews], object], views: PlayerViews) -> float:
    """Seconds of the quickest of three calls."""
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        feature(views)
        times.append(time.perf_counter() - begun)
    return min(times)


def microseconds(config: GameConfig, player: str, games: int) -> dict[str, float]:
    """Mean cost a view of every feature, over the phases in which it is asked for."""
    ids = np.arange(games, dtype=np.uint64)
    state = deal(config, root_from_seed(0, Purpose.BENCHMARK), ids)
    agent = make_agent(player, config)
    agent.reset(ids, 0)
    spent: dict[str, list[float]] = defaultdict(list)
    for feature in FEATURES.values():  # compiles
        feature(redact(state, state.mover))
    while not state.done.any():
        views = redact(state, state.mover, ids)
        phase = int(state.phase[0])  # all games are in the same one
        if phase != Phase.PLACE:  # decided together with PLAY
            for name, feature in FEATURES.items():
                if name != "placements" or phase == Phase.PLAY:
                    spent[name].append(least_time(feature, views) / games * 1e6)
        apply_action(state, agent.act(views))
    return {name: float(np.mean(values)) for name, values in spent.items()}


def main(games: int) -> None:
    """Prints the table, in microseconds."""
    print(f"{described(('numba', 'numpy'))}; {games} games side by side\n")
    print("| players | play | outlook | placements | rights | a decision |")
    print("|---|---|---|---|---|---|")
    for players in (2, 3, 4):
        for player in ("random", "greedy"):
            cost = microseconds(GameConfig(num_players=players), player, games)
            decision = cost["outlook"] + cost["placements"] / 4
            figures = " | ".join(f"{cost[name]:.1f}" for name in FEATURES)
            print(f"| {players} | {player} | {figures} | {decision:.1f} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 256)
