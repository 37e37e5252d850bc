"""What planting each card on each legal cell would add (``features.board`` and ``.placements``)."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from arboretum_agents.neural.graph.boards import Board
from arboretum_agents.neural.graph.paths import Ways, pure_points
from arboretum_env.config import GameConfig
from arboretum_env.engine.paths import END_BONUS, PURE_CARD, START_BONUS


class Gains(NamedTuple):
    """Gains of every card of rank r and species s on the legal cells.

    Attributes:
        total, own: [B, P, S, R] float32, the most points that the card could add to that seat's
            paths, all species together or its own alone.
        through: [B, K, R, S] float32, on the observer's board: points that a card of this rank and
            of any other species adds to the best path of species s.
        of_own: [B, K, R, S] float32, points that the card adds to its own species there.
        features: [B, K, R, S, 16] float32, ``PLACEMENT_FEATURES`` there.
    """

    total: Tensor
    own: Tensor
    through: Tensor
    of_own: Tensor
    features: Tensor


class CellGains(nn.Module):
    """Looks at every card on every legal cell of every board.

    Args:
        config: the game.
    """

    ranks: Tensor
    species: Tensor
    number_ranks: Tensor
    number_species: Tensor
    start: Tensor
    end: Tensor

    def __init__(self, config: GameConfig) -> None:
        super().__init__()
        species, ranks = config.num_species, config.num_ranks
        self.config = config
        none = torch.tensor([-1])
        start, end = torch.zeros(2, ranks, 1)
        start[0], end[-1] = START_BONUS, END_BONUS
        for name, constant in (
            ("ranks", torch.arange(ranks).unsqueeze(1)),
            ("species", torch.arange(species)),
            # By card number; 0 is no card.
            ("number_ranks", torch.cat([none, torch.arange(config.num_cards) // species])),
            ("number_species", torch.cat([none, torch.arange(species).repeat(ranks)])),
            ("start", start),
            ("end", end),
        ):
            self.register_buffer(name, constant, persistent=False)

    def forward(self, board: Board, ways: Ways) -> Gains:
        """Boards of B views and the ways on them to ``Gains``."""
        count = self.config.num_species
        near_rank = self.number_ranks[board.around].unsqueeze(3)  # [B, P, K, 1, 4]
        before = _best_near(ways.to, board.around, near_rank < self.ranks)
        after = _best_near(ways.onward, board.around, near_rank > self.ranks)
        before, before_pure = before[..., :count], before[..., count:]  # [B, P, K, R, S]
        after, after_pure = after[..., :count], after[..., count:]
        now = ways.best[:, :, None, None, :]
        connected = (before > 0) & (after > 0)
        through = torch.where(connected, (before + after + 1 - now).relu(), 0.0)
        mixed = torch.maximum(before, self.start) + torch.maximum(after, self.end) + 1
        mixed = torch.where((before > 0) | (after > 0), mixed, 0.0)
        pure = before_pure + after_pure
        own_points = torch.maximum(mixed, pure_points(pure + self.start + self.end + PURE_CARD))
        of_own = (own_points - now).relu()
        total = through.sum(4, keepdim=True) - through + of_own
        features = self._features(
            board, near_rank[:, 0],
            total[:, 0], of_own[:, 0], own_points[:, 0], before[:, 0], after[:, 0], pure[:, 0],
        )  # fmt: skip
        return Gains(
            total=total.amax(2).transpose(2, 3),
            own=of_own.amax(2).transpose(2, 3),
            through=through[:, 0],
            of_own=of_own[:, 0],
            features=features,
        )

    def _features(
        self, board: Board, near_rank: Tensor,
        total: Tensor, of_own: Tensor, own_points: Tensor, before: Tensor, after: Tensor,
        pure: Tensor,
    ) -> Tensor:  # fmt: skip
        """[B, K, R, S, 16] in the order of ``PLACEMENT_FEATURES``."""
        around = board.around[:, 0]
        there = (around > 0).unsqueeze(2)  # [B, K, 1, 4]
        lower, higher = there & (near_rank < self.ranks), near_rank > self.ranks  # [B, K, R, 4]
        same = self.number_species[around].unsqueeze(2) == self.species.unsqueeze(1)
        same = same.unsqueeze(2)  # [B, K, 1, S, 4]
        below = torch.where(lower, self.ranks - near_rank, self.config.num_ranks).amin(3)
        above = torch.where(higher, near_rank - self.ranks, self.config.num_ranks).amin(3)
        by_rank = (
            0.25 * there.expand(-1, -1, self.config.num_ranks, -1).float().sum(3),
            0.25 * board.opens[:, 0].unsqueeze(2).expand_as(below).float(),
            0.25 * lower.float().sum(3),
            0.25 * higher.float().sum(3),
            0.25 * (lower.unsqueeze(3) & same).float().sum(4),
            0.25 * (higher.unsqueeze(3) & same).float().sum(4),
            0.125 * torch.where(lower.any(3), below, 0.0),
            0.125 * torch.where(higher.any(3), above, 0.0),
            0.125 * before,
            0.125 * after,
            0.125 * before.amax(3),
            0.125 * after.amax(3),
            0.125 * (1 + (pure / PURE_CARD).floor()),
        )
        columns = [0.1 * total, 0.1 * of_own, 0.1 * own_points]
        columns += [
            column if column.dim() == 4 else column.unsqueeze(3).expand_as(total)
            for column in by_rank
        ]
        return torch.stack(columns, 4)


def _best_near(ways: Tensor, around: Tensor, counts: Tensor) -> Tensor:
    """[B, P, K, R, 2 * S] the best of the ways at the cards around, of those that count.

    Args:
        ways: [B, 1 + C, 2 * S] by card number.
        around: [B, P, K, 4] card numbers.
        counts: [B, P, K, R, 4] bool.
    """
    index = around.flatten(1).unsqueeze(2).expand(-1, -1, ways.shape[2])
    near = torch.unflatten(ways.gather(1, index), 1, around.shape[1:])  # [B, P, K, 4, 2 * S]
    return torch.where(counts.unsqueeze(5), near.unsqueeze(3), 0.0).amax(4)
