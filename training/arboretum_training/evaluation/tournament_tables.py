"""Who meets whom in a tournament. ``N`` denotes agents, ``P`` players.

* Round robin: every pair. With more than two seats one of the pair sits alone against copies of the
  other, once each way.
* Mixed: every choice of P different agents, or a balanced sample where there are too many.

At every table each deal is played P times, turned by one seat, see ``duplicate.schedule``; and all
tables play the same deals.
"""

from itertools import combinations, permutations
from math import comb
from typing import Final, Literal

import numpy as np

from arboretum_training.evaluation.errors import EvaluationError

Format = Literal["round-robin", "mixed"]

MAX_TABLES: Final = 60
MAX_AGENTS: Final = 100
_TRIES: Final = 20


def tables(
    form: Format, num_agents: int, num_players: int, max_tables: int, seed: int
) -> list[tuple[int, ...]]:
    """The agents at every table, by index, as ``evaluate.Unit`` takes them.

    Two agents at more than two seats: the first sits alone.

    Args:
        form: see the module.
        num_agents: N.
        num_players: P.
        max_tables: how many tables a mixed tournament may have before a sample is taken.
        seed: of the sample.

    Raises:
        EvaluationError: too few agents or tables, or too many agents.

    >>> tables("round-robin", 3, 2, 60, 0)
    [(0, 1), (0, 2), (1, 2)]
    >>> tables("round-robin", 2, 4, 60, 0)
    [(0, 1), (1, 0)]
    """
    if not 2 <= num_agents <= MAX_AGENTS:
        raise EvaluationError(f"{num_agents} agents: expected 2 to {MAX_AGENTS} for a tournament")
    agents = range(num_agents)
    if form == "round-robin":
        return list((combinations if num_players == 2 else permutations)(agents, 2))
    if num_agents < num_players:
        raise EvaluationError(
            f"{num_agents} agents at mixed tables of {num_players}: expected at least "
            f"{num_players}; or play a round robin"
        )
    if comb(num_agents, num_players) <= max_tables:
        return list(combinations(agents, num_players))
    return balanced_sample(num_agents, num_players, max_tables, seed)


def balanced_sample(
    num_agents: int, num_players: int, max_tables: int, seed: int
) -> list[tuple[int, ...]]:
    """Some tables, at each of which P different agents sit, all of them different.

    The next table takes, seat by seat, of the agents that sat least often one that met those
    already at the table least often. Of a few samples made like that, by luck between equals, the
    most even one is taken.

    Args:
        num_agents: N, at least P.
        num_players: P.
        max_tables: how many tables; they must be enough for everybody to sit once.
        seed: decides between equals.

    Raises:
        EvaluationError: too few tables for every agent to sit once.
    """
    least = -(-num_agents // num_players)
    if max_tables < least:
        raise EvaluationError(
            f"{max_tables} tables: expected at least {least}, for {num_agents} agents to sit once"
        )
    rng = np.random.default_rng(seed)
    samples = [_sample(num_agents, num_players, max_tables, rng) for _ in range(_TRIES)]
    unevenness = [_unevenness(sample, num_agents) for sample in samples]
    return sorted(samples[unevenness.index(min(unevenness))])


def _sample(
    num_agents: int, num_players: int, max_tables: int, rng: np.random.Generator
) -> list[tuple[int, ...]]:
    sat = np.zeros(num_agents, np.int64)
    met = np.zeros((num_agents, num_agents), np.int64)
    sample: set[tuple[int, ...]] = set()
    for _ in range(max_tables):
        table: list[int] = []
        for seat in range(num_players):
            luck = rng.permutation(num_agents)
            order = np.lexsort((luck, met[:, table].sum(axis=1), sat))
            choices = [int(agent) for agent in order if agent not in table]
            if seat == num_players - 1:  # the one that makes a new table of it, if there is one
                choices.sort(key=lambda agent: tuple(sorted((*table, agent))) in sample)
            table.append(choices[0])
        sat[table] += 1
        met[np.ix_(table, table)] += 1
        sample.add(tuple(sorted(table)))
    return list(sample)


def _unevenness(sample: list[tuple[int, ...]], num_agents: int) -> tuple[int, int, int]:
    """What is to be as small as possible: missing tables, then spread of seats, of meetings."""
    seats = np.zeros((len(sample), num_agents), np.int64)
    for row, table in enumerate(sample):
        seats[row, list(table)] = 1
    meetings = (seats.T @ seats)[np.triu_indices(num_agents, 1)]
    return -len(sample), int(np.ptp(seats.sum(axis=0))), int(np.ptp(meetings))
