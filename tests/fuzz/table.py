"""A batch of games as plain numpy tables, told from ``full_information`` alone.

``B`` games, ``P`` players, ``C`` cards, ``W`` side of the torus, ``n`` most cards of a player.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arboretum_env.config import GameConfig
from arboretum_env.engine.state import GameState
from arboretum_env.full_information import full_information

Ints = NDArray[np.signedinteger[Any]]
DECK, HAND, KNOWN, PILE, ARBORETUM, NOWHERE = range(6)
"""Kinds of places: in the deck, in a hand (publicly known to be there or not), and so on."""


@dataclass(frozen=True)
class Table:
    """Where everything is.

    Attributes:
        kind, owner: [B, C] of every card; owners are absolute seats, 0 for the deck.
        order: [B, C] place in the deck (0 = next), depth in the pile, planting number, or -1.
        x, y: [B, C] true coordinates in an arboretum; else 0.
        mover, phase, deck_size, turn, chosen: [B].
    """

    config: GameConfig
    kind: Ints
    owner: Ints
    order: Ints
    x: Ints
    y: Ints
    mover: Ints
    phase: Ints
    deck_size: Ints
    turn: Ints
    chosen: Ints

    @classmethod
    def of(cls, state: GameState) -> "Table":
        """The table of a state.

        The codes are those of ``docs/environment.md``: place 1 and 2 in the hand of seat 0, 2 + k
        known in the hand of seat k, 6 + k on its pile, 10 + k in its arboretum, 13 + k hidden in
        its hand.
        """
        config = state.config
        places = np.full(128, NOWHERE, np.int16)
        owners = np.zeros(128, np.int16)
        places[0], places[1] = DECK, HAND
        for k in range(config.num_players):
            places[[2 + k, 6 + k, 10 + k]] = KNOWN, PILE, ARBORETUM
            owners[[2 + k, 6 + k, 10 + k]] = k
            if k:
                places[13 + k], owners[13 + k] = HAND, k
        vectors = full_information(state).astype(np.int16)
        cards = vectors[:, : 4 * config.num_cards].reshape(len(state), -1, 4)
        place, order, x, y = np.ascontiguousarray(cards.transpose(2, 0, 1))
        mover, _seat, phase, deck_size, turn, chosen = vectors[:, 4 * config.num_cards :].T[:6]
        return cls(
            config, places[place], owners[place], order, x, y,
            mover, phase, deck_size, turn, chosen,
        )  # fmt: skip

    @cached_property
    def held(self) -> NDArray[np.bool_]:
        """[B, C] whether the card is in a hand."""
        return (self.kind == HAND) | (self.kind == KNOWN)

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """[B, kind, P] cards of every kind and owner."""
        players = self.config.num_players
        rows = np.arange(len(self.phase), dtype=np.int64)[:, None] * (NOWHERE + 1) * players
        place = rows + self.kind * players + self.owner
        counted = np.bincount(place.ravel(), minlength=rows.size * (NOWHERE + 1) * players)
        return counted.reshape(-1, NOWHERE + 1, players)

    def boards(self, seats: Ints) -> NDArray[np.int8]:
        """[B, 2n + 3, 2n + 3] planting numbers on the true table of one seat a game, -1 = empty.

        The first card stands in the middle; no card reaches the outermost cells.
        """
        reach = self.config.max_plants + 1
        board = np.full((len(self.phase), 2 * reach + 1, 2 * reach + 1), -1, np.int8)
        mine = (self.kind == ARBORETUM) & (self.owner == seats[:, None])
        game, card = np.nonzero(mine)
        board[game, self.x[game, card] + reach, self.y[game, card] + reach] = self.order[game, card]
        return board

    def open_cells(self) -> tuple[Ints, Ints, Ints]:
        """(game, x, y) of every cell where a game's mover may plant, on the true table."""
        reach = self.config.max_plants + 1
        board = self.boards(self.mover)
        planted = board >= 0
        near = np.zeros_like(planted)
        near[:, 1:] |= planted[:, :-1]
        near[:, :-1] |= planted[:, 1:]
        near[:, :, 1:] |= planted[:, :, :-1]
        near[:, :, :-1] |= planted[:, :, 1:]
        near &= ~planted
        near[:, reach, reach] |= ~planted.any(axis=(1, 2))  # the first card stands at 0, 0
        game, x, y = np.nonzero(near)
        return game, x - reach, y - reach
