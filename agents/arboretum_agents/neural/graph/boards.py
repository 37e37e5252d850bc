"""The arboreta of all seats: who stands next to whom, and where the next card may go."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from arboretum_agents.neural.graph.table import Table
from arboretum_env.config import GameConfig
from arboretum_env.engine.paths import neighbour_table
from arboretum_env.observation import Place

_OPPOSITE = (1, 0, 3, 2)  # of west, east, south, north


class Board(NamedTuple):
    """The arboreta of B views; seats count from the observer.

    Attributes:
        planted: [B, C] bool, by card number - 1: whether it stands in any arboretum.
        next_to: [B, C, 4] int64, the card numbers around each planted card, 0 for none.
        legal: [B, P, K] bool, whether this place of the list holds a legal cell.
        cells: [B, P, K] int64, the legal cells first, in the order of ``features.placements``.
        around: [B, P, K, 4] int64, the card numbers around each legal cell, 0 for none.
        opens: [B, P, K] int64, how many cells next to it are neither planted nor legal yet.
    """

    planted: Tensor
    next_to: Tensor
    legal: Tensor
    cells: Tensor
    around: Tensor
    opens: Tensor


class Boards(nn.Module):
    """Reads the arboreta from the card table.

    Args:
        config: the game.
    """

    numbers: Tensor
    neighbours: Tensor
    opposite: Tensor
    cell_numbers: Tensor

    def __init__(self, config: GameConfig) -> None:
        super().__init__()
        self.config = config
        cells = config.side**2
        # A connected set of n cells has at most 2n + 2 cells around it.
        self.most_legal = min(2 * config.max_plants + 2, cells)
        around = torch.from_numpy(neighbour_table(config.side).astype("int64"))
        for name, values in (
            ("numbers", torch.arange(1, config.num_cards + 1)),
            ("neighbours", around),
            ("opposite", torch.tensor(_OPPOSITE)),
            ("cell_numbers", torch.arange(cells)),
        ):
            self.register_buffer(name, values, persistent=False)

    def forward(self, table: Table) -> Board:
        """[B] observations to ``Board``."""
        config = self.config
        side, cells, num_cards = config.side, config.side**2, config.num_cards
        place, x, y = (
            piece.transpose(1, 2).flatten(1) for piece in (table.place, table.x, table.y)
        )
        planted = place >= Place.ARBORETUM
        x, y = torch.where(x < 0, x + side, x), torch.where(y < 0, y + side, y)
        first = (place - Place.ARBORETUM) * cells  # of the seat's cells, where planted
        # What is not planted gets a place behind all cells, one of its own.
        behind = config.num_players * cells
        at = torch.where(planted, first + y * side + x, behind + self.numbers - 1)
        grid = torch.zeros_like(at[:, :1]).repeat(1, behind + num_cards)
        grid = grid.scatter(1, at, self.numbers.expand_as(at))

        cell = torch.where(planted, y * side + x, 0)
        next_cells = self.neighbours[cell] + torch.where(planted, first, 0).unsqueeze(2)
        next_to = torch.unflatten(grid.gather(1, next_cells.flatten(1)), 1, (num_cards, 4))

        on_board = torch.unflatten(grid[:, :behind], 1, (config.num_players, cells))
        near = torch.unflatten(on_board[:, :, self.neighbours.flatten()], 2, (cells, 4))
        order = self._order(on_board, near)
        key, chosen = order.topk(self.most_legal, dim=2, largest=False, sorted=True)
        legal = key < self._never
        beside = self.neighbours[chosen].flatten(2)
        of_four = (self.most_legal, 4)
        around = torch.unflatten(on_board.gather(2, beside), 2, of_four)
        fresh = (on_board == 0) & (order == self._never)
        opens = torch.unflatten(fresh.long().gather(2, beside), 2, of_four).sum(3)
        return Board(
            planted, next_to, legal, chosen, torch.where(legal.unsqueeze(3), around, 0), opens
        )

    @property
    def _never(self) -> int:
        """Larger than any legal cell's place in the order."""
        return 4 * (self.config.num_cards + 2)

    def _order(self, on_board: Tensor, near: Tensor) -> Tensor:
        """[B, P, W * W] sorts the legal cells as the kernels list them.

        They go through the planted cards, and from each one to all sides.
        """
        reached = torch.where(near > 0, 4 * near + self.opposite, self._never).amin(3)
        order = torch.where(on_board == 0, reached, self._never)
        empty = on_board.amax(2, keepdim=True) == 0
        return torch.where(empty & (self.cell_numbers == 0), 0, order)
