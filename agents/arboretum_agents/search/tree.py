"""The tree of an information-set search, and how to descend in it.

Information Set Monte Carlo Tree Search with one tree, the searching seat's (Cowling, Powley,
Whitehouse: Information Set Monte Carlo Tree Search, IEEE TCIAIG 2012, SO-ISMCTS): every simulation
draws a new world, and nodes are sequences of actions, shared by all worlds in which they are legal.
So an edge counts how often it was available, and the bandit formula uses that instead of the visits
of its node.

Progressive widening (Coulom: Computing Elo Ratings of Move Patterns in the Game of Go, 2007): a
node lets in its second candidate only after ``WIDEN`` visits, the next ones ever later. Until then
it plays as the policy does, so a shallow tree costs and changes nothing.
"""

from collections.abc import Sequence
from math import log, sqrt
from typing import Final

EXPAND: Final = 8  # visits of an edge before a node grows behind it
WIDEN: Final = 12  # visits of a node before it tries a second candidate
EXPLORE: Final = 0.25  # about the standard deviation of what a rollout returns


class Edge:
    """An action below a node.

    Attributes:
        visits: simulations that went through it, those under way included.
        total: what the finished ones were worth to the seat that moves here.
        available: simulations that might have gone through it.
        child: the node behind it, once there is one.
    """

    __slots__ = ("available", "child", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        self.available = 0
        self.child: Node | None = None

    @property
    def mean(self) -> float:
        """What it is worth, as far as is known."""
        return self.total / self.visits

    def enter(self) -> None:
        """Counts a simulation under way, worth nothing until it returns (a virtual loss)."""
        self.visits += 1
        if self.child is None and self.visits > EXPAND:
            self.child = Node()


class Node:
    """A sequence of actions.

    Attributes:
        visits: simulations that came here.
        edges: by action.
    """

    __slots__ = ("edges", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.edges: dict[int, Edge] = {}

    @property
    def width(self) -> int:
        """How many candidates the next simulation may choose from."""
        return 1 + int(sqrt(self.visits / WIDEN))

    def select(self, candidates: Sequence[int]) -> tuple[int, Edge]:
        """Enters an edge; an untried candidate first, else the largest upper bound (UCB1).

        Args:
            candidates: actions that are legal in this world, the policy's choice first, at most
                ``width``.
        """
        self.visits += 1
        edges = [self.edges.setdefault(action, Edge()) for action in candidates]
        for edge in edges:
            edge.available += 1
        chosen, most = 0, -1.0
        for i, edge in enumerate(edges):
            if edge.visits == 0:
                chosen = i
                break
            bound = edge.mean + EXPLORE * sqrt(log(edge.available) / edge.visits)
            if bound > most:
                chosen, most = i, bound
        edges[chosen].enter()
        return candidates[chosen], edges[chosen]
