"""What an agent would do with one view: the move, its probabilities, and why.

A plant is one move of two decisions. The agent decides twice, as it would in a game; the chance of
a whole plant is that of its card times that of its cell.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.explanation import explain
from arboretum_env.agent import Agent, PolicyAgent, wants_history
from arboretum_env.errors import ForfeitError, IllegalActionError
from arboretum_env.forfeit import FORFEIT, ForfeitingAgent
from arboretum_env.notation import legal_moves
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView, PlayerViews


@dataclass(frozen=True)
class Advice:
    """What an agent would do.

    Attributes:
        move: in notation.
        actions: the flat action ids that the move stands for.
        probabilities: by move, of every legal one; None for an agent that has none.
        value: the return that the agent expects, None likewise.
        explanation: the move in words.
    """

    move: str
    actions: tuple[int, ...]
    probabilities: dict[str, float] | None
    value: float | None
    explanation: str


def advise(
    agent: Agent,
    view: PlayerView,
    game_id: int = 0,
    *,
    probabilities: bool = True,
    explained: bool = True,
) -> Advice:
    """Asks an agent, which has been ``reset``, for the move of a seat that is to move.

    Args:
        agent: any agent for the view's game.
        view: what the seat knows.
        game_id: keys the agent's randomness, together with its seed.
        probabilities: whether to ask for probabilities and the value, too; it thinks once more.
        explained: whether to put the move into words; else the explanation is ``""``.

    Raises:
        IllegalActionError: nothing is to be decided, or the agent's choice is illegal.
        ForfeitError: an outside program failed.
    """
    moves = legal_moves(view)
    if not moves:
        raise IllegalActionError(f"seat {view.seat} is not to move: there is nothing to decide")
    actions = [_act(agent, view, game_id)]
    if view.phase is Phase.PLAY:
        actions.append(_act(agent, _placing(view, actions[0]), game_id))
    names = {ids: move for move, ids in moves.items()}
    chosen = tuple(actions)
    if chosen not in names:
        raise IllegalActionError(f"{type(agent).__name__} chose actions {actions}: illegal here")
    chances, value = None, None
    if probabilities and isinstance(agent, PolicyAgent):
        chances, value = _policy(agent, view, game_id, moves)
    words = explain(agent, view, names[chosen], chosen) if explained else ""
    return Advice(names[chosen], chosen, chances, value, words)


def _as_views(agent: Agent, views: Sequence[PlayerView], game_id: int) -> PlayerViews:
    """A batch, with the past if the agent asks for it and the views tell it."""
    histories = [view.history for view in views if view.history is not None]
    told = wants_history(agent) and len(histories) == len(views)
    return PlayerViews(
        views[0].config,
        np.array([view.to_observation() for view in views]),
        np.full(len(views), game_id, np.uint64),
        histories if told else None,
    )


def _placing(view: PlayerView, play: int) -> PlayerView:
    """The view after the seat has chosen a card."""
    card = play - 1 - view.config.num_players
    if card not in view.hand:
        raise IllegalActionError(f"action {play}: it is no card of the hand")
    return replace(view, phase=Phase.PLACE, chosen_card=card)


def _act(agent: Agent, view: PlayerView, game_id: int) -> int:
    action = int(agent.act(_as_views(agent, [view], game_id))[0])
    if action == FORFEIT and isinstance(agent, ForfeitingAgent):
        raise ForfeitError(agent.forfeit_reason(game_id, view.seat))
    return action


def _policy(
    agent: PolicyAgent, view: PlayerView, game_id: int, moves: dict[str, tuple[int, ...]]
) -> tuple[dict[str, float], float]:
    chances, values = agent.policy(_as_views(agent, [view], game_id))
    cells: dict[int, NDArray[np.float32]] = {}
    if view.phase is Phase.PLAY:
        plays = sorted({ids[0] for ids in moves.values()})
        placing = _as_views(agent, [_placing(view, play) for play in plays], game_id)
        cells = dict(zip(plays, agent.policy(placing)[0], strict=True))
    probabilities = {
        move: float(chances[0, ids[0]]) * (float(cells[ids[0]][ids[1]]) if len(ids) > 1 else 1.0)
        for move, ids in moves.items()
    }
    return probabilities, float(values[0])
