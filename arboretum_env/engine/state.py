"""A batch of games.

``B`` denotes the batch, ``P`` players, ``C`` cards in play, ``W`` the side of the torus.
"""

from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from arboretum_env.config import GameConfig
from arboretum_env.display import Displayed
from arboretum_env.engine import layout
from arboretum_env.phase import Phase

_GAME_OVER: Final = int(Phase.GAME_OVER)  # numpy takes many times longer to compare with an enum


class GameState(Displayed):
    """B games, one contiguous row of bytes each: the whole truth, hidden cards included.

    No agent is ever given one of these (see ``arboretum_env.view``). A clone is a copy of the rows;
    saving a state is saving ``raw``.

    Attributes:
        config: the game's options, the same for every row.
        rows: [B] structured; its fields are views, e.g. ``rows["place"]`` is [B, C] uint8. The
            fields are described in ``arboretum_env.engine.layout``.
        raw: [B, row bytes] uint8, the same memory; what the kernels take.
    """

    __slots__ = ("config", "raw", "rows")

    def __init__(self, config: GameConfig, raw: NDArray[np.uint8]) -> None:
        """Wraps rows that some kernel filled; ``raw`` is kept, not copied."""
        if raw.ndim != 2 or raw.shape[1] != layout.row_bytes(config) or raw.dtype != np.uint8:
            raise ValueError(
                f"rows of shape {raw.shape} and dtype {raw.dtype}: expected "
                f"[B, {layout.row_bytes(config)}] uint8"
            )
        self.config = config
        self.raw = np.ascontiguousarray(raw)
        self.rows: NDArray[np.void] = self.raw.view(layout.row_dtype(config)).reshape(len(raw))

    def __len__(self) -> int:
        return len(self.raw)

    def __getstate__(self) -> tuple[GameConfig, NDArray[np.uint8]]:
        return self.config, self.raw

    def __setstate__(self, state: tuple[GameConfig, NDArray[np.uint8]]) -> None:
        self.__init__(*state)  # type: ignore[misc]

    def clone(self) -> Self:
        """An independent copy."""
        return type(self)(self.config, self.raw.copy())

    def select(self, index: Any) -> Self:
        """A copy of some rows; ``index`` is any numpy index over the batch that keeps its axis."""
        rows = self.raw[index]  # a copy already, but for a slice
        return type(self)(self.config, rows if rows.flags.owndata else rows.copy())

    @property
    def phase(self) -> NDArray[np.uint8]:
        """[B] ``Phase``."""
        phase: NDArray[np.uint8] = self.rows["phase"]
        return phase

    @property
    def mover(self) -> NDArray[np.uint8]:
        """[B] absolute seat to move; after the end, the seat that would have been next."""
        mover: NDArray[np.uint8] = self.rows["mover"]
        return mover

    @property
    def turn(self) -> NDArray[np.uint8]:
        """[B] completed turns."""
        turn: NDArray[np.uint8] = self.rows["turn"]
        return turn

    @property
    def deck_left(self) -> NDArray[np.int64]:
        """[B] cards left in the deck."""
        left: NDArray[np.int64] = self.rows["deck_length"].astype(np.int64) - self.rows["drawn"]
        return left

    @property
    def chosen_card(self) -> NDArray[np.int64]:
        """[B] card chosen in PLAY and not yet placed, -1 for none."""
        chosen = self.rows["chosen"].astype(np.int64)
        return np.where(chosen == layout.NONE, -1, chosen)

    @property
    def done(self) -> NDArray[np.bool_]:
        """[B] True where the game is over."""
        done: NDArray[np.bool_] = self.rows["phase"] == _GAME_OVER
        return done

    def hand(self, index: int, seat: int) -> list[int]:
        """Card ids in a hand, ascending."""
        place = self.rows["place"][index]
        mask = (place & ~np.uint8(layout.KNOWN_BIT)) == layout.IN_HAND + seat
        return [int(card) for card in np.flatnonzero(mask)]

    def known_in_hand(self, index: int, seat: int) -> list[int]:
        """Card ids publicly known to be in a hand, ascending."""
        place = self.rows["place"][index]
        return [int(card) for card in np.flatnonzero(place == layout.IN_HAND_KNOWN + seat)]

    def deck(self, index: int) -> list[int]:
        """Card ids left in the deck, the next to be drawn first."""
        return [int(card) for card in self.rows["deck"][index][int(self.rows["drawn"][index]) :]]

    def discard_pile(self, index: int, seat: int) -> list[int]:
        """Card ids of a discard pile, bottom to top."""
        return self._ordered(index, layout.IN_PILE + seat)

    def arboretum(self, index: int, seat: int) -> list[tuple[int, int, int]]:
        """(x, y, card id) of an arboretum in planting order; the first card stands at 0, 0."""
        row = self.rows[index]
        cards = self._ordered(index, layout.IN_ARBORETUM + seat)
        return [(int(row["x"][card]), int(row["y"][card]), card) for card in cards]

    def _ordered(self, index: int, place: int) -> list[int]:
        row = self.rows[index]
        cards = np.flatnonzero(row["place"] == place)
        return [int(card) for card in cards[np.argsort(row["order"][cards], kind="stable")]]
