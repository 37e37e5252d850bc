"""Every way to fill places with cards, where there are few."""

from itertools import combinations
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray


def count_assignments(rooms: NDArray[np.int64]) -> int:
    """How many assignments fill places of such rooms.

    >>> count_assignments(np.array([2, 1, 1]))
    12
    """
    return factorial(int(rooms.sum())) // prod(factorial(int(room)) for room in rooms)


def every_assignment(rooms: NDArray[np.int64]) -> NDArray[np.int8]:
    """[n, U] all of them, see ``belief``.

    >>> every_assignment(np.array([1, 2])).tolist()
    [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    """
    cards = int(rooms.sum())
    found = np.full((1, cards), len(rooms) - 1, np.int8)
    for place, room in enumerate(rooms[:-1]):
        rows = []
        for row in found:
            free = np.flatnonzero(row == len(rooms) - 1)
            for chosen in combinations(free, int(room)):
                filled = row.copy()
                filled[list(chosen)] = place
                rows.append(filled)
        found = np.array(rows, np.int8).reshape(-1, cards)
    return found
