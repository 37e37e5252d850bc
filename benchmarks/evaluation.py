"""How many games an evaluation plays a second.

    python -m benchmarks.evaluation [UNITS]

Plays UNITS work units of 64 deals in this process, after one that loads the machine code, and takes
processor time, the least of the units: other programs can only make a unit slower. A second column
has the part of the runner alone, with agents that repeat what the same agents chose before.
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.registry import Mode
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.view import PlayerViews
from arboretum_training.evaluation.evaluate import Unit, make, plan_units, play_unit
from benchmarks.machine import described

PAIRS: Final = (("greedy", "random"), ("planner", "greedy"))


class Recorder:
    """Plays as another agent and notes its choices."""

    def __init__(self, agent: Agent, notes: list[NDArray[np.int64]]) -> None:
        self._agent, self._notes = agent, notes

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        """Passes it on."""
        self._agent.reset(game_ids, seed)

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        """The other agent's choice."""
        self._notes.append(self._agent.act(views))
        return self._notes[-1]


class Repeater:
    """Repeats what was noted, in the order in which it was."""

    def __init__(self, notes: Iterator[NDArray[np.int64]]) -> None:
        self._notes = notes

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        """Nothing to begin."""

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        """The next choice."""
        return next(self._notes)


def seconds(unit: Unit) -> float:
    """Processor time of a unit."""
    begun = time.process_time()
    play_unit(unit)
    return time.process_time() - begun


def seconds_of_runner(unit: Unit) -> float:
    """Processor time of the same games with choices that cost nothing."""
    notes: list[list[NDArray[np.int64]]] = [[] for _ in unit.agents]

    def recorder(index: int, config: GameConfig, mode: Mode) -> Agent:
        return Recorder(make(unit.agents[index], config, mode), notes[index])

    def repeater(index: int, config: GameConfig, mode: Mode) -> Agent:
        return Repeater(iter(notes[index]))

    indices = range(len(unit.agents))
    play_unit(replace(unit, agents=tuple(partial(recorder, index) for index in indices)))
    return seconds(replace(unit, agents=tuple(partial(repeater, index) for index in indices)))


def main(units: int) -> None:
    """Prints the table."""
    print(f"{described(('numba', 'numpy'))}; least of {units} units of 64 deals\n")
    print("| players | agents | ms a game, one core | games a second and core | ms, runner alone |")
    print("|---|---|---|---|---|")
    for players in (2, 3, 4):
        for pair in PAIRS:
            config = GameConfig(num_players=players)
            first, *others = plan_units(pair, config, deals=64 * (units + 1), seed=0)
            play_unit(first)
            games = 64 * players
            least = min(seconds(unit) for unit in others) / games
            runner = min(seconds_of_runner(unit) for unit in others) / games
            print(
                f"| {players} | {pair[0]}, {pair[1]} | {1e3 * least:.2f} | {1 / least:,.0f} | "
                f"{1e3 * runner:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 16)
