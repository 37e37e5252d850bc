"""Tempo: who draws from the deck, which ends the game, and who from the piles, which does not.

``T`` denotes turns of the longest game, ``B`` games, ``P`` players.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.phase import DECISIONS_PER_TURN
from arboretum_training.research.games import PlayedGames

SOURCES: Final = ("deck", "own_pile", "rival_pile")
"""Where a card may be drawn from, by the index that arrays use."""

_NONE: Final = -1


@dataclass(frozen=True)
class Tempo:
    """Every draw of B games.

    Attributes:
        source: [T, 2, B] int8, index into ``SOURCES`` of both draws of every turn; -1 once the game
            is over. Turn t is that of seat t mod P.
        turns: [B] int64, turns played.
        draws: [B, P, 3] int64, draws of every seat from every source.
        closer: [B] int64, the seat that drew the deck's last card and so ended the game.
    """

    source: NDArray[np.int8]
    turns: NDArray[np.int64]
    draws: NDArray[np.int64]
    closer: NDArray[np.int64]

    def deck_share(self) -> NDArray[np.float64]:
        """[T, 2] share of the games under way at a turn in which that draw came from the deck."""
        under_way = (self.source != _NONE).sum(axis=2)
        share: NDArray[np.float64] = (self.source == 0).sum(axis=2) / np.maximum(under_way, 1)
        return share


def tempo(games: PlayedGames) -> Tempo:
    """Reads every draw off the actions."""
    config, actions = games.final.config, games.actions
    batch = len(games)
    # draw_deck is action 0, draw_discard 1 + k the pile of the k-th seat from the mover.
    drawn = actions.reshape(-1, DECISIONS_PER_TURN, batch)[:, :2]
    source = np.minimum(drawn, 2).astype(np.int8)
    draws = np.zeros((batch, config.num_players, len(SOURCES)), np.int64)
    for turn, both in enumerate(source):
        for index in range(len(SOURCES)):
            draws[:, turn % config.num_players, index] += (both == index).sum(axis=0)
    turns = (drawn[:, 0] != _NONE).sum(axis=0)
    return Tempo(source, turns, draws, (turns - 1) % config.num_players)
