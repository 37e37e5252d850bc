"""Who sits where: duplicate deals with every seat rotation.

Every deal is played several times, each time with the agents in other seats, so that neither the
luck of the cards nor that of the seat favours anybody. The table is a pure function of the number
of agents, the number of players and the deal's id. ``P`` denotes players, ``G`` games.
"""

from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arboretum_training.evaluation.errors import EvaluationError


@dataclass(frozen=True)
class Schedule:
    """The games of some deals, ordered by deal.

    Attributes:
        deal_id: [G] uint64, which deal a game is played on.
        game_id: [G] uint64, unique over the whole evaluation: ``deal_id * games_per_deal + k``.
        seating: [G, P] int64, ``seating[g, s]`` is the index of the agent in seat s.
    """

    deal_id: NDArray[np.uint64]
    game_id: NDArray[np.uint64]
    seating: NDArray[np.int64]


def casts(num_agents: int, num_players: int) -> list[tuple[int, ...]]:
    """Every choice of agents, by index, that sits down at one table.

    Two agents: the first takes one seat, the second all the others. More: every choice of P
    different agents; when they are fewer than the seats, every way to seat all of them, some twice.

    Raises:
        EvaluationError: fewer than two agents.

    >>> casts(2, 4), casts(3, 2), casts(3, 4)
    ([(0, 1, 1, 1)], [(0, 1), (0, 2), (1, 2)], [(0, 1, 2, 0), (0, 1, 2, 1), (0, 1, 2, 2)])
    """
    agents = tuple(range(num_agents))
    if num_agents < 2:
        raise EvaluationError(f"{num_agents} agents: expected at least 2 to compare")
    if num_agents == 2:
        return [(0,) + (1,) * (num_players - 1)]
    if num_agents >= num_players:
        return list(combinations(agents, num_players))
    spare = num_players - num_agents
    return [agents + extra for extra in combinations_with_replacement(agents, spare)]


def circular_orders(cast: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The different orders of a cast around the table, rotations counted as one.

    >>> circular_orders((0, 1, 2))
    [(0, 1, 2), (0, 2, 1)]
    """
    orders: dict[tuple[int, ...], tuple[int, ...]] = {}
    for tail in permutations(cast[1:]):
        order = (cast[0], *tail)
        canonical = min(order[k:] + order[:k] for k in range(len(order)))
        orders.setdefault(canonical, order)
    return list(orders.values())


def games_per_deal(num_agents: int, num_players: int) -> int:
    """Games played on every deal: P rotations of every cast."""
    return num_players * len(casts(num_agents, num_players))


def schedule(num_agents: int, num_players: int, deal_ids: ArrayLike) -> Schedule:
    """All games of some deals.

    On one deal every cast plays P games, the table turned by one seat each time: every agent has
    held every seat equally often. Who sits next to whom matters too with three agents and more:
    a cast's circular orders take turns from deal to deal.

    Args:
        num_agents: agents that are compared, at least 2.
        num_players: P.
        deal_ids: [D] ids of deals; a deal's seatings do not depend on the others.
    """
    ids = np.asarray(deal_ids, np.uint64)
    orders = [circular_orders(cast) for cast in casts(num_agents, num_players)]
    seatings = [
        [
            order[k:] + order[:k]
            for choices in orders
            for order in (choices[int(deal) % len(choices)],)
            for k in range(num_players)
        ]
        for deal in ids
    ]
    games = games_per_deal(num_agents, num_players)
    deal_id = np.repeat(ids, games)
    index = np.tile(np.arange(games, dtype=np.uint64), len(ids))
    return Schedule(
        deal_id=deal_id,
        game_id=deal_id * np.uint64(games) + index,
        seating=np.array(seatings, np.int64).reshape(-1, num_players),
    )
