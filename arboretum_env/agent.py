"""The protocol of everything that plays.

An agent sees ``PlayerViews`` and nothing else. It serves any number of games and seats at once, so
it keeps nothing from one view to the next that is not keyed by game and seat, and its randomness
depends on (seed, game, seat, decision), never on the row that a view stands in. (A network's
probabilities may differ in their last bit with the size of the batch; evaluation therefore plays in
units of a fixed size.)
"""

from typing import Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from arboretum_env.phase import Phase
from arboretum_env.seeding import uniforms
from arboretum_env.view import PlayerViews

_GAME_OVER: Final = int(Phase.GAME_OVER)  # numpy takes many times longer to compare with an enum


@runtime_checkable
class Agent(Protocol):
    """A policy that plays."""

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        """Begins new games.

        Args:
            game_ids: [B] ids of the games about to be played.
            seed: keys all randomness of the agent in these games.
        """
        ...

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        """Chooses an action for every view.

        Args:
            views: B views of seats that are to move; phases and seats may be mixed.

        Returns:
            [B] legal flat action ids.
        """
        ...


def wants_history(agent: Agent) -> bool:
    """Whether an agent asks for ``PlayerViews.histories``: its attribute ``wants_history`` is True.

    Keeping them costs more than the game, so the runner does it only for agents that ask.
    """
    return bool(getattr(agent, "wants_history", False))


def is_deterministic(agent: Agent) -> bool:
    """Whether an agent's choice follows from the view alone: its attribute ``deterministic``.

    An agent that does not say so may draw its moves from its keyed randomness.
    """
    return bool(getattr(agent, "deterministic", False))


@runtime_checkable
class PolicyAgent(Agent, Protocol):
    """An agent that can also say how likely it is to take each action."""

    def policy(self, views: PlayerViews) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Action probabilities and values.

        Args:
            views: B views of seats that are to move.

        Returns:
            ([B, A] probabilities, 0 for illegal actions; [B] expected return of the view's seat).
        """
        ...


def decision_uniforms(seed: int, views: PlayerViews) -> NDArray[np.float64]:
    """[B] uniform numbers in [0, 1) keyed by (seed, game, seat, decision), never by row."""
    return uniforms(seed, views.game_id, views.seat, views.decision)


def check_movers(views: PlayerViews) -> None:
    """Refuse views that have nothing to decide.

    Raises:
        ValueError: a view of an idle seat or a finished game.
    """
    idle = np.flatnonzero((views.mover != 0) | (views.phase == _GAME_OVER))
    if len(idle):
        raise ValueError(
            f"view {int(idle[0])} is of an idle seat or a finished game: expected movers"
        )


def sample_rows(weights: NDArray[np.floating], uniform: NDArray[np.float64]) -> NDArray[np.int64]:
    """Samples a column of every row in proportion to its weight, by inversion.

    Args:
        weights: [B, A] non-negative, with a positive sum in every row.
        uniform: [B] in [0, 1).

    Returns:
        [B] column indices; a column of weight 0 is never chosen.
    """
    cumulative = np.cumsum(weights, axis=1, dtype=np.float64)
    thresholds = uniform * cumulative[:, -1]
    return np.asarray((cumulative > thresholds[:, None]).argmax(axis=1), np.int64)
