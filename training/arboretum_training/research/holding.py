"""The price of holding: what the cards left in hand did, and what planting them would have made.

Every card left in hand is tried in other places, everything else as it is, and the position is
scored anew with all rights: exact, and a statement about this end of the game alone. What another
seat would have done then is not asked. ``M`` denotes held cards of all games, ``P`` players.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.engine.layout import FRONTIER, IN_ARBORETUM, IN_DECK, IN_HAND
from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState
from arboretum_training.research.hands import held_cards

_AT_ONCE: Final = 1 << 14  # positions scored at once: some 20 MB


@dataclass(frozen=True)
class Holding:
    """All cards held in B games, by game, seat and card. Unit of changes: points.

    Attributes:
        game: [M] int64, row of the game.
        seat: [M] int64, who holds it.
        card: [M] int64, its id.
        without: [M, P] int64, change of every seat's points if the card were in no hand.
        tempo: [M, P] int64, the same if its holder had one more plant, for this card, on the cell
            that is best for it.
        exchange: [M, P] float64, the same if its holder had planted it in its last turn, on the
            best cell, and kept the card that it planted then instead; NaN if it never planted.
    """

    game: NDArray[np.int64]
    seat: NDArray[np.int64]
    card: NDArray[np.int64]
    without: NDArray[np.int64]
    tempo: NDArray[np.int64]
    exchange: NDArray[np.float64]

    @property
    def idle(self) -> NDArray[np.bool_]:
        """[M] whether holding the card changes nobody's points."""
        idle: NDArray[np.bool_] = (self.without == 0).all(axis=1)
        return idle

    @property
    def own_tempo(self) -> NDArray[np.int64]:
        """[M] the holder's change in ``tempo``: what one more turn would have made of the card."""
        own: NDArray[np.int64] = self.tempo[np.arange(len(self.game)), self.seat]
        return own

    @property
    def own_exchange(self) -> NDArray[np.float64]:
        """[M] the holder's change in ``exchange``: the price of holding it at the last plant."""
        own: NDArray[np.float64] = self.exchange[np.arange(len(self.game)), self.seat]
        return own


def holding(state: GameState) -> Holding:
    """What every held card did, and would have made elsewhere.

    Args:
        state: B games at their end, or anywhere: then as if they ended there; not changed.
    """
    game, seat, card = (index.astype(np.int64) for index in np.nonzero(held_cards(state)))
    before = score(state).points[game]
    alone = state.select(game)
    alone.rows["place"][np.arange(len(game)), card] = IN_DECK
    last = _last_planted(state)[game, seat]
    exchange = np.full(before.shape, np.nan)
    changed = np.flatnonzero(last >= 0)
    exchange[changed] = (
        _planted(state, game[changed], seat[changed], card[changed], last[changed])
        - (before[changed])
    )
    return Holding(
        game=game,
        seat=seat,
        card=card,
        without=score(alone).points - before,
        tempo=_planted(state, game, seat, card, None) - before,
        exchange=exchange,
    )


def wasted_points(state: GameState, held: Holding) -> NDArray[np.int64]:
    """[B, P, S] the most that planting one idle card of the species would have added.

    Points that were left in the hand for nothing: an idle card gives no right that scores and takes
    nothing from anybody. 0 where every held card of the species did something.
    """
    config = state.config
    wasted = np.zeros((len(state), config.num_players, config.num_species), np.int64)
    idle = held.idle
    where = (held.game[idle], held.seat[idle], held.card[idle] // config.num_ranks)
    np.maximum.at(wasted, where, held.own_tempo[idle])
    return wasted


def _last_planted(state: GameState) -> NDArray[np.int64]:
    """[B, P] the card that every seat planted last, or -1."""
    place, order = state.rows["place"], state.rows["order"].astype(np.int64)
    seats = np.arange(state.config.num_players, dtype=np.uint8) + IN_ARBORETUM
    mine = place[:, None, :] == seats[None, :, None]
    last: NDArray[np.int64] = np.where(mine, order[:, None, :], -1).argmax(axis=2)
    return np.where(mine.any(axis=2), last, -1)


def _planted(
    state: GameState,
    game: NDArray[np.int64],
    seat: NDArray[np.int64],
    card: NDArray[np.int64],
    back: NDArray[np.int64] | None,
) -> NDArray[np.int64]:
    """[M, P] points with every card planted on its holder's best cell.

    Args:
        state: B games.
        game, seat, card: [M] the held cards.
        back: [M] cards that the holders take back into the hand first, or None.
    """
    best = np.full((len(game), state.config.num_players), np.iinfo(np.int64).min)
    for which, line, column in _cells(state, game, seat, back):
        tried = state.select(game[which])
        rows, row = tried.rows, np.arange(len(which))
        if back is not None:
            rows["place"][row, back[which]] = IN_HAND + seat[which]
        rows["place"][row, card[which]] = IN_ARBORETUM + seat[which]
        # Cells of the torus serve as true coordinates: scoring looks at neighbours alone.
        rows["x"][row, card[which]] = column
        rows["y"][row, card[which]] = line
        # The hands are the same on every cell, so only the holder's points differ between them.
        np.maximum.at(best, which, score(tried).points)
    return best


def _cells(
    state: GameState,
    game: NDArray[np.int64],
    seat: NDArray[np.int64],
    back: NDArray[np.int64] | None,
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]:
    """Legal cells of every held card, some at a time: (held card 0..M-1, line, column)."""
    side = state.config.side
    for start in range(0, len(game), _AT_ONCE // (2 * side)):
        part = slice(start, start + _AT_ONCE // (2 * side))
        grid = state.rows["grid"][game[part], seat[part]]
        legal = grid == FRONTIER
        if back is not None:
            row = np.arange(len(grid))
            x = state.rows["x"][game[part], back[part]].astype(np.int64) % side
            y = state.rows["y"][game[part], back[part]].astype(np.int64) % side
            there = (grid != 0) & ~legal
            there[row, y, x] = False
            legal = _frontier(there)
        which, line, column = np.nonzero(legal)
        for first in range(0, len(which), _AT_ONCE):
            few = slice(first, first + _AT_ONCE)
            yield which[few] + start, line[few], column[few]


def _frontier(there: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """[N, W, W] free cells next to a card, from where cards stand; the origin of an empty table."""
    near = np.zeros_like(there)
    for axis in (1, 2):
        near |= np.roll(there, 1, axis) | np.roll(there, -1, axis)
    near[~there.any(axis=(1, 2)), 0, 0] = True
    frontier: NDArray[np.bool_] = near & ~there
    return frontier
