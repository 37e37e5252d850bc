"""The runner: plays a batch of games between agents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from arboretum_env.actions import checked_action_ids, num_actions
from arboretum_env.agent import Agent, wants_history
from arboretum_env.engine.moves import legal_action_mask, step
from arboretum_env.engine.scoring import Scores, score
from arboretum_env.engine.state import GameState
from arboretum_env.errors import ForfeitError, IllegalActionError
from arboretum_env.forfeit import FORFEIT, Forfeit, ForfeitingAgent, settle_forfeits
from arboretum_env.history import HistoryKeeper
from arboretum_env.observation import observe
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerViews


@dataclass(frozen=True)
class MatchResult:
    """B finished games.

    Attributes:
        initial: the games as they were dealt.
        final: the games at their end; those that were forfeited as they stood then.
        scores: their scores, see ``arboretum_env.forfeit`` for games that were forfeited.
        seating: [B, P] which agent sat where.
        actions: [T, B] int16 flat action ids, -1 where a game was over already; T decisions of the
            longest game. None unless asked for.
        forfeits: games that a seat could not go on with, by row.
    """

    initial: GameState
    final: GameState
    scores: Scores
    seating: NDArray[np.int64]
    actions: NDArray[np.int16] | None
    forfeits: Mapping[int, Forfeit] = field(default_factory=dict)

    def game_actions(self, index: int) -> list[int]:
        """The actions of one game, in order.

        Raises:
            ValueError: the match was played without ``keep_actions``.
        """
        if self.actions is None:
            raise ValueError("the match kept no actions: play it with keep_actions=True")
        column = self.actions[:, index]
        return [int(action) for action in column[column >= 0]]


def play_match(
    state: GameState,
    agents: Sequence[Agent],
    seating: NDArray[np.integer],
    game_ids: NDArray[np.uint64],
    *,
    keep_actions: bool = False,
) -> MatchResult:
    """Plays games to their end.

    Every agent decides for all its seats of all games in one call a decision. It gets views, never
    the state, and their histories if it asks for them (``wants_history``). The caller has reset
    the agents.

    Args:
        state: B games, freshly dealt or under way; not changed.
        agents: the agents at the tables.
        seating: [B, P] index into ``agents`` of who sits where.
        game_ids: [B] ids that key the agents' randomness.
        keep_actions: keep every action, for records.

    Raises:
        IllegalActionError: an agent chose an illegal action; the message names the agent.
    """
    if seating.shape != (len(state), state.config.num_players):
        raise ValueError(
            f"seating of shape {seating.shape}: expected [{len(state)}, {state.config.num_players}]"
        )
    initial, games = state, state.clone()
    ids = np.ascontiguousarray(game_ids, np.uint64)
    masks = np.empty((len(games), num_actions(games.config)), np.bool_)
    legal_action_mask(games, masks)
    kept: list[NDArray[np.int16]] = []
    forfeits: dict[int, Forfeit] = {}
    stopped: dict[int, NDArray[np.uint8]] = {}
    keeper = HistoryKeeper(games) if any(wants_history(agent) for agent in agents) else None
    while not games.done.all():
        actions = decide(games, agents, np.asarray(seating, np.int64), ids, masks, keeper, forfeits)
        if len(forfeits) > len(stopped):
            _stop(games, forfeits, stopped)
        before = games.clone() if keeper is not None else games
        step(games, actions, masks)
        if keeper is not None:
            keeper.note(before, games, actions)
        if keep_actions:
            kept.append(actions.astype(np.int16))
    for row, position in stopped.items():
        games.raw[row] = position
    return MatchResult(
        initial=initial,
        final=games,
        scores=settle_forfeits(score(games), forfeits),
        seating=np.asarray(seating, np.int64),
        actions=np.array(kept, np.int16).reshape(-1, len(games)) if keep_actions else None,
        forfeits=forfeits,
    )


def _stop(
    games: GameState, forfeits: Mapping[int, Forfeit], stopped: dict[int, NDArray[np.uint8]]
) -> None:
    """Ends games that were just forfeited, for the batch to go on; keeps their positions."""
    for row in forfeits.keys() - stopped.keys():
        stopped[row] = games.raw[row].copy()
        games.rows["phase"][row] = Phase.GAME_OVER


def decide(
    games: GameState,
    agents: Sequence[Agent],
    seating: NDArray[np.int64],
    game_ids: NDArray[np.uint64],
    masks: NDArray[np.bool_],
    keeper: HistoryKeeper | None,
    forfeits: dict[int, Forfeit] | None = None,
) -> NDArray[np.int64]:
    """Asks the agents for one decision of every game.

    Args:
        games: B games; not changed.
        agents: the agents at the tables; each is asked once, for all the seats it has to move.
        seating: [B, P] index into ``agents`` of who sits where; -1 for a seat that somebody else
            plays.
        game_ids: [B] ids that key the agents' randomness.
        masks: [B, A] legal actions of the movers.
        keeper: what histories are read from, if an agent wants them.
        forfeits: gets the games that an agent could not go on with, by row.

    Returns:
        [B] actions; -1 where the game is over or just forfeited, or somebody else is to move.

    Raises:
        ActionError: an agent's answer is not one integer a view.
        IllegalActionError: an agent chose an illegal action; the message names the agent.
        ForfeitError: an agent could not go on, and there is no ``forfeits`` to note it in.
    """
    mover = games.mover.astype(np.int64)
    deciding = np.where(games.done, -1, seating[np.arange(len(games)), mover])
    actions = np.full(len(games), -1, np.int64)
    # All seats to move look at once: handing rows of views on is cheaper than copying whole games.
    seen = observe(games, mover)
    for index, agent in enumerate(agents):
        (rows,) = (deciding == index).nonzero()
        if not len(rows):
            continue
        histories = None
        if keeper is not None and wants_history(agent):
            histories = keeper.histories(rows, mover[rows])
        views = PlayerViews(games.config, seen[rows], game_ids[rows], histories)
        name = f"agent {index} ({type(agent).__name__})"
        chosen = checked_action_ids(agent.act(views), len(rows), f"{name} returned actions")
        in_range = (chosen >= 0) & (chosen < masks.shape[1])
        legal = in_range & masks[rows, np.where(in_range, chosen, 0)]
        if not legal.all() and isinstance(agent, ForfeitingAgent):
            for row in rows[chosen == FORFEIT]:
                reason = agent.forfeit_reason(int(game_ids[row]), int(mover[row]))
                forfeit = Forfeit(int(mover[row]), reason)
                if forfeits is None:
                    raise ForfeitError(f"{name}: game {int(game_ids[row])}: {forfeit.termination}")
                forfeits[int(row)] = forfeit
            legal |= chosen == FORFEIT
        if not legal.all():
            bad = int(np.flatnonzero(~legal)[0])
            raise IllegalActionError(
                f"{name} chose action {int(chosen[bad])} for seat "
                f"{int(mover[rows[bad]])} of game {int(game_ids[rows[bad]])}: it is illegal there"
            )
        actions[rows] = chosen
    return actions
