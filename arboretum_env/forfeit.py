"""A seat that cannot go on, such as an outside program that crashed: it loses, the others share.

An agent that can fail returns ``FORFEIT`` in place of an action and says why when it is asked. The
game stops there. The seat that forfeited loses with 0 points; the win is shared by all others
alike, and they keep the points that the position gives them. Such a game counts: leaving it out
would reward a program for failing in lost positions.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol, runtime_checkable

from arboretum_env.agent import Agent
from arboretum_env.engine.scoring import Scores

FORFEIT: Final = -1
"""What an agent that cannot go on with a game returns instead of an action."""


@runtime_checkable
class ForfeitingAgent(Agent, Protocol):
    """An agent that may return ``FORFEIT``."""

    def forfeit_reason(self, game_id: int, seat: int) -> str:
        """Why it cannot go on with a game; called right after it returned ``FORFEIT`` there."""
        ...


@dataclass(frozen=True)
class Forfeit:
    """Who forfeited a game, and why.

    Attributes:
        seat: absolute seat.
        reason: one line that a record can hold.
    """

    seat: int
    reason: str

    @property
    def termination(self) -> str:
        """As a record's ``Termination`` says it."""
        return f"forfeit seat {self.seat}: {self.reason}"


def settle_forfeits(scores: Scores, forfeits: Mapping[int, Forfeit]) -> Scores:
    """The scores with those of forfeited games as the module says.

    Args:
        scores: of B positions; not changed.
        forfeits: by row.
    """
    if not forfeits:
        return scores
    points, winners = scores.points.copy(), scores.winners.copy()
    for row, forfeit in forfeits.items():
        points[row, forfeit.seat] = 0
        winners[row] = True
        winners[row, forfeit.seat] = False
    return replace(scores, points=points, winners=winners)
