"""Ways to and on from every planted card, and best paths (``engine.paths`` as tensor operations).

A step a rank: the cards of one rank look at those of lower ranks, which are done. Ways on are ways
to in the mirror, where the highest rank comes first: both go through one pass.
"""

from typing import Final, NamedTuple

import torch
from torch import Tensor, nn

from arboretum_agents.neural.graph.boards import Board
from arboretum_agents.neural.graph.table import Table
from arboretum_env.config import GameConfig
from arboretum_env.engine.paths import (
    END_BONUS,
    MIN_CARDS,
    PURE_CARD,
    PURE_MINIMUM,
    START_BONUS,
)
from arboretum_env.observation import Place

_NONE: Final = -1000.0  # no way: stays below 0 whatever is added along a path


class Ways(NamedTuple):
    """Ways of all planted cards and the best paths of all seats.

    Attributes:
        to: [B, 1 + C, 2 * S] float32, by card number: ``arrive`` and ``arrive_pure`` of
            ``engine.paths`` side by side; zeros for number 0 and for cards that are not planted.
        onward: [B, 1 + C, 2 * S] float32, ``leave`` and ``leave_pure`` likewise.
        best: [B, P, S] float32, points of the best path of every species, rights aside.
    """

    to: Tensor
    onward: Tensor
    best: Tensor


class Paths(nn.Module):
    """Finds ways and best paths.

    Args:
        config: the game.
    """

    base: Tensor
    step: Tensor
    own: Tensor
    first_rank: Tensor
    end_bonus: Tensor

    def __init__(self, config: GameConfig) -> None:
        super().__init__()
        species, ranks = config.num_species, config.num_ranks
        self.config = config
        own = torch.eye(species).repeat(ranks, 1)  # [C, S] by number - 1
        first = torch.zeros(ranks, 1).index_fill_(0, torch.tensor(0), 1.0)
        first = first.repeat_interleave(species, 0)  # [C, 1] cards of the lowest rank
        directions = []
        for bonus, mine in ((START_BONUS, own), (END_BONUS, own.flip(0))):
            alone = torch.cat([1 + bonus * first, PURE_CARD + bonus * first], 1)
            values = alone.repeat_interleave(species, 1)
            mine_twice = torch.cat([mine, mine], 1)
            base = torch.where(mine_twice > 0, values, _NONE)
            longer = torch.full_like(mine, 1.0)
            longer_pure = torch.where(mine > 0, float(PURE_CARD), _NONE)
            directions.append((base, torch.cat([longer, longer_pure], 1)))
        for name, constant in (
            ("base", torch.stack([base for base, _ in directions]).unsqueeze(1)),
            ("step", torch.stack([step for _, step in directions]).unsqueeze(1)),
            ("own", own),
            ("first_rank", first.squeeze(1)),
            ("end_bonus", END_BONUS * first.squeeze(1).flip(0)),
        ):
            self.register_buffer(name, constant, persistent=False)

    def forward(self, table: Table, board: Board) -> Ways:
        """Boards of B views to ``Ways``."""
        species, num_cards = self.config.num_species, self.config.num_cards
        mirrored = board.next_to.flip(1)
        mirrored = torch.where(mirrored > 0, num_cards + 1 - mirrored, 0)
        next_to = torch.stack([board.next_to, mirrored])  # [2, B, C, 4]
        planted = torch.stack([board.planted, board.planted.flip(1)]).unsqueeze(3)
        base = torch.where(planted, self.base, _NONE)  # [2, B, C, 2 * S]
        step = torch.where(planted, self.step, _NONE)
        ways = torch.cat([torch.full_like(base[:, :, :1], _NONE), base[:, :, :species]], 2)
        for rank in range(1, self.config.num_ranks):
            block = slice(rank * species, (rank + 1) * species)
            lower = next_to[:, :, block]
            lower = torch.where(lower <= rank * species, lower, 0)
            index = lower.flatten(2).unsqueeze(3).expand(-1, -1, -1, 2 * species)
            before = torch.unflatten(ways.gather(2, index), 2, (species, 4)).amax(3)
            here = torch.maximum(before + step[:, :, block], base[:, :, block])
            ways = torch.cat([ways, here], 2)
        ways = ways.relu()
        to, mirror = ways[0], ways[1]
        onward = torch.cat([mirror[:, :1], mirror[:, 1:].flip(1)], 1)
        return Ways(to, onward, self._best(table, to[:, 1:]))

    def _best(self, table: Table, to: Tensor) -> Tensor:
        """[B, P, S] from the ways to every planted card, [B, C, 2 * S]."""
        species = self.config.num_species
        mixed, pure = ((part * self.own).sum(2) for part in (to[..., :species], to[..., species:]))
        # A way of one card is the card itself, but for the lowest rank, which has a bonus.
        points = torch.where(
            (mixed >= MIN_CARDS) & (self.first_rank == 0), mixed + self.end_bonus, 0.0
        )
        points = torch.maximum(points, pure_points(pure + self.end_bonus))
        place = table.place.transpose(1, 2).flatten(1)
        by_rank = (self.config.num_ranks, species)
        best = [
            torch.unflatten(torch.where(place == Place.ARBORETUM + k, points, 0.0), 1, by_rank)
            for k in range(self.config.num_players)
        ]
        return torch.stack([points.amax(1) for points in best], 1)


def pure_points(pure: Tensor) -> Tensor:
    """Points of paths all of their own species that count double, else 0.

    Args:
        pure: PURE_CARD * cards + bonus.
    """
    cards = (pure / PURE_CARD).floor()
    return torch.where(cards >= PURE_MINIMUM, pure - (PURE_CARD - 2) * cards, 0.0)
