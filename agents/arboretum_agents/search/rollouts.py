"""Rollouts: sampled worlds played to their end by a policy, many at once.

``N`` denotes worlds, ``P`` players. Every seat is played by the same policy, which is shown what
its seat would see in the sampled world (``redact``) and never the world itself.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.agent import Agent
from arboretum_env.engine.moves import apply_action
from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState
from arboretum_env.view import redact

CHUNK: Final = 512  # worlds in lock step: their tables of placements still fit the cache
MARGIN_UNIT: Final = 15.0  # points ahead that are worth tanh(1)


def worth(state: GameState, margin_share: float) -> NDArray[np.float64]:
    """What finished games are worth to every seat, between 0 and 1.

    A share of the win, and a share of the squashed margin, tanh(margin / 15): wins alone are
    noisier, and a search that is sure to win or to lose would play at random.

    Args:
        state: N finished games.
        margin_share: weight of the margin; the win has the rest.

    Returns:
        [N, P] float64.
    """
    scores = score(state)
    players = state.config.num_players
    own = scores.points.astype(np.float64)
    margins = own - (own.sum(axis=1, keepdims=True) - own) / (players - 1)
    squashed = 0.5 + 0.5 * np.tanh(margins / MARGIN_UNIT)
    mixed: NDArray[np.float64] = (1.0 - margin_share) * scores.win_shares + margin_share * squashed
    return mixed


def play_until(state: GameState, policy: Agent, ids: NDArray[np.uint64], stop_seat: int) -> None:
    """Lets a policy move in every game until it is over or ``stop_seat`` is to move.

    Args:
        state: N games; mutated.
        policy: plays all other seats; it has been reset.
        ids: [N] what the policy's randomness is keyed by.
        stop_seat: absolute seat; -1 for nobody: the games are played to their end.
    """
    rows = np.arange(len(state))
    games = state
    while True:
        waiting = games.done | (games.mover == stop_seat)
        if waiting.any():
            if games is not state:
                state.raw[rows[waiting]] = games.raw[waiting]
            going = np.flatnonzero(~waiting)
            games, rows = games.select(going), rows[going]
            if not len(rows):
                return
        apply_action(games, policy.act(redact(games, games.mover.astype(np.int64), ids[rows])))


class Rollouts:
    """Plays worlds out with a policy, in chunks of a fixed size, on one core or on several.

    Args:
        policy: plays all seats.
        margin_share: see ``worth``.
        threads: chunks that run at once. Kernels run without the interpreter's lock, so that bots
            gain most of a core a thread. What comes out is the same for any number.
    """

    def __init__(self, policy: Agent, margin_share: float, threads: int = 1) -> None:
        self.policy = policy
        self.margin_share = margin_share
        self.threads = threads

    def values(self, worlds: GameState, ids: NDArray[np.uint64]) -> NDArray[np.float64]:
        """[N, P] what the end of every world is worth to every seat.

        Args:
            worlds: N games, over or not; not changed.
            ids: [N] what the policy's randomness is keyed by.
        """
        chunks = [slice(first, first + CHUNK) for first in range(0, len(worlds), CHUNK)]

        def run(chunk: slice) -> NDArray[np.float64]:
            games = worlds.select(chunk)
            play_until(games, self.policy, ids[chunk], -1)
            return worth(games, self.margin_share)

        if self.threads > 1 and len(chunks) > 1:
            with ThreadPoolExecutor(self.threads) as pool:
                parts = list(pool.map(run, chunks))
        else:
            parts = [run(chunk) for chunk in chunks]
        return np.concatenate(parts)
