"""What positions are worth by a network: played on a little, then judged.

``N`` denotes worlds, ``P`` players. A network judges best what it learned to judge: a decision, by
the seat whose decision it is. So every seat's value is the one that it has in mind at its last
decision before the lookahead ends, and costs nothing: it comes with the move.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from arboretum_agents.search.rollouts import CHUNK
from arboretum_agents.search.steady import SteadyNetwork
from arboretum_env.engine.moves import apply_action
from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState
from arboretum_env.rewards import RewardKind, final_rewards
from arboretum_env.view import redact


def returns(state: GameState, reward: RewardKind) -> NDArray[np.float64]:
    """[N, P] what a network expects on average of finished games, -1..1.

    As it is trained, with the margin squashed by tanh.
    """
    scores = score(state)
    win = final_rewards(scores, "win")
    margin = np.tanh(final_rewards(scores, "margin"))
    share = {"win": 1.0, "margin": 0.0, "mixed": 0.5}[reward]
    return np.asarray(share * win + (1.0 - share) * margin, np.float64)


class Lookahead:
    """Plays worlds on with a network and judges them by it.

    Args:
        network: plays all seats.
        rounds: of the table that are played first. 1: until the seat that searches begins its
            next turn; 0: the very next decision judges.
        threads: chunks at once; what comes out is the same for any number.
    """

    def __init__(self, network: SteadyNetwork, rounds: int, threads: int = 1) -> None:
        self._network = network
        self._rounds = rounds
        self._threads = threads

    def values(
        self, worlds: GameState, ids: NDArray[np.uint64], turns: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """[N, P] what every world is worth to every seat, 0..1: (1 + expected return) / 2.

        Args:
            worlds: N games, over or not; not changed.
            ids: [N] what the network's randomness is keyed by.
            turns: [N] the turn in which the search began.
        """
        chunks = [slice(first, first + CHUNK) for first in range(0, len(worlds), CHUNK)]

        def run(chunk: slice) -> NDArray[np.float64]:
            return self._judged(worlds.select(chunk), ids[chunk], turns[chunk])

        if self._threads > 1 and len(chunks) > 1:
            with ThreadPoolExecutor(self._threads) as pool:
                parts = list(pool.map(run, chunks))
        else:
            parts = [run(chunk) for chunk in chunks]
        return 0.5 + 0.5 * np.concatenate(parts)

    def _judged(
        self, games: GameState, ids: NDArray[np.uint64], turns: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """[N, P] expected returns; the games are played on."""
        players = games.config.num_players
        until = turns + self._rounds * players
        expected = np.full((len(games), players), np.nan)
        rows = np.arange(len(games))
        while True:
            over = games.done
            if over.any():
                expected[rows[over]] = returns(games.select(over), self._network.reward)
                games, rows = games.select(~over), rows[~over]
            if not len(rows):
                return _completed(expected)
            movers = games.mover.astype(np.int64)
            actions, values = self._network.decide(redact(games, movers, ids[rows]))
            expected[rows, movers] = values
            going = games.turn < until[rows]
            if not going.all():
                games, rows, actions = games.select(going), rows[going], actions[going]
                if not len(rows):
                    return _completed(expected)
            apply_action(games, actions)


def _completed(expected: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns sum to zero: seats that had nothing to decide share what the others leave."""
    silent = np.isnan(expected)
    left = -np.nansum(expected, axis=1) / np.maximum(silent.sum(axis=1), 1)
    return np.where(silent, left[:, None], expected)
