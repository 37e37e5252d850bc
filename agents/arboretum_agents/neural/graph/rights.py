"""Chances of the right to score (``features.rights`` as tensor operations).

Where the kernel counts subsets of unseen cards by a recurrence, here all subsets of a species'
ranks (256 at most) stand in one table: a subset counts if all of it is unseen, weighed by the ways
to fill up the hand with other cards. All numbers are counts and their ratios, no logarithms, so
float32 is enough.
"""

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn

from arboretum_agents.neural.graph.table import Table
from arboretum_env.config import GameConfig
from arboretum_env.features.rights import SUMS
from arboretum_env.observation import Place
from arboretum_env.phase import DECISIONS_PER_TURN, Phase

_DRAWN = {Phase.DRAW_SECOND: 1, Phase.PLAY: 2, Phase.PLACE: 2, Phase.DISCARD: 1}


class Rights(NamedTuple):
    """Chances of rights; seats count from the observer.

    Attributes:
        hand_sum: [B, S] int64, the observer's rank sum of every species, nothing cancelled.
        chances: [B, P, S, SUMS] float32, each seat's chance of the right if the observer's sum
            were x.
        cancelled: [B, S] float32, the chance that a rival's 1 cancels the observer's top rank.
    """

    hand_sum: Tensor
    chances: Tensor
    cancelled: Tensor


class HandRights(nn.Module):
    """Computes the chances of rights.

    Args:
        config: the game.
    """

    drawn: Tensor
    values: Tensor
    members: Tensor
    sizes: Tensor
    of_sum: Tensor
    of_sum_cancelled: Tensor
    binomial: Tensor
    sums: Tensor
    up_to: Tensor

    def __init__(self, config: GameConfig) -> None:
        super().__init__()
        self.config = config
        ranks = config.num_ranks
        members = torch.arange(2**ranks).unsqueeze(1) >> torch.arange(ranks) & 1  # [2^R, R]
        sums = (members * torch.arange(1, ranks + 1)).sum(1)
        without_top = sums - ranks * members[:, -1]
        drawn = [_DRAWN.get(Phase(phase), 0) for phase in range(DECISIONS_PER_TURN + 1)]
        # A row a number of other cards, a column a number of them to choose, from -R on.
        most = config.hand_size + max(drawn)
        binomial = [
            [float(math.comb(n, size)) if size >= 0 else 0.0 for size in range(-ranks, most + 1)]
            for n in range(config.num_cards + 1)
        ]
        for name, constant in (
            ("drawn", torch.tensor(drawn)),
            ("values", torch.arange(1, ranks + 1)),
            ("members", members.float().T),
            ("sizes", members.sum(1)),
            ("of_sum", nn.functional.one_hot(sums, SUMS).float()),
            ("of_sum_cancelled", nn.functional.one_hot(without_top, SUMS).float()),
            ("binomial", torch.tensor(binomial)),
            ("sums", torch.arange(SUMS)),
            ("up_to", torch.ones(SUMS, SUMS).triu()),
        ):
            self.register_buffer(name, constant, persistent=False)

    def forward(self, table: Table) -> Rights:
        """[B] observations to ``Rights``."""
        place = table.place
        unseen = place == Place.UNSEEN
        num_unseen = unseen.long().sum((1, 2)).unsqueeze(1)  # [B, 1]
        hand_sum = (table.in_hand * self.values).sum(2)
        hidden = self._hidden(table)  # [B, P - 1]

        # The observer's own 1 cancels a rival's top rank.
        cancels = (table.cancel_eights == 1) & table.in_hand[:, :, 0]  # [B, S]
        top_only = torch.zeros_like(self.values)
        top_only[-1] = self.config.num_ranks
        values = torch.where(cancels.unsqueeze(2), self.values - top_only, self.values)  # [B, S, R]
        hidden_sums = self._hidden_sums(unseen, num_unseen, hidden, cancels)

        of_rival, at_most = [], []
        for k in range(1, self.config.num_players):
            known = ((place == Place.RIVAL_HAND + k) * values).sum(2, keepdim=True)  # [B, S, 1]
            shifted = self.sums - known
            of_hidden = hidden_sums[:, k - 1].gather(2, shifted.clamp(min=0))
            of_sum = torch.where(shifted >= 0, of_hidden, 0.0)  # [B, S, SUMS]
            of_rival.append(of_sum)
            at_most.append(of_sum @ self.up_to)
        chances = [_product(at_most)]
        for k, of_sum in enumerate(of_rival):
            # The rival has the right if its sum is at least the observer's and the others'.
            highest = _product([of_sum, *at_most[:k], *at_most[k + 1 :]])
            chances.append(highest @ self.up_to.T)
        everybody = (table.rights_all == 1)[:, :, None, None]
        return Rights(
            hand_sum,
            torch.where(everybody, 1.0, torch.stack(chances, 1)),
            self._cancelled(table, num_unseen, hidden),
        )

    def _hidden(self, table: Table) -> Tensor:
        """[B, P - 1] how many hand cards of each rival are not publicly known."""
        hidden = []
        for k in range(1, self.config.num_players):
            known = (table.place == Place.RIVAL_HAND + k).long().sum((1, 2)).unsqueeze(1)
            more = torch.where(table.mover == k, self.drawn[table.phase], 0)
            hidden.append(self.config.hand_size + more - known)
        return torch.cat(hidden, 1)

    def _hidden_sums(
        self, unseen: Tensor, num_unseen: Tensor, hidden: Tensor, cancels: Tensor
    ) -> Tensor:
        """[B, P - 1, S, SUMS] chance of every rank sum of each rival's hidden cards."""
        possible = unseen.float() @ self.members == self.sizes  # [B, S, 2^R]
        others = num_unseen - unseen.long().sum(2)  # [B, S]
        ways = self.binomial[others]  # [B, S, columns]
        rest = hidden.unsqueeze(2) - self.sizes + self.config.num_ranks  # [B, P - 1, 2^R]
        species = others.shape[1]
        weights = (
            ways.unsqueeze(1)
            .expand(-1, rest.shape[1], -1, -1)
            .gather(3, rest.unsqueeze(2).expand(-1, -1, species, -1))
        )
        weights = torch.where(possible.unsqueeze(1), weights, 0.0)
        weights = weights / weights.sum(3, keepdim=True)
        return torch.where(
            cancels[:, None, :, None], weights @ self.of_sum_cancelled, weights @ self.of_sum
        )

    def _cancelled(self, table: Table, num_unseen: Tensor, hidden: Tensor) -> Tensor:
        """[B, S] chance that a rival holds the 1 in hand, if that cancels the top rank."""
        ace = table.place[:, :, 0]
        in_rival_hand = (ace > Place.OWN_KNOWN) & (ace < Place.PILE)
        share = hidden.sum(1, keepdim=True) / num_unseen.clamp(min=1)
        chance = torch.where(in_rival_hand, 1.0, torch.where(ace == Place.UNSEEN, share, 0.0))
        return torch.where(table.cancel_eights == 1, chance, 0.0)


def _product(factors: list[Tensor]) -> Tensor:
    result = factors[0]
    for factor in factors[1:]:
        result = result * factor
    return result
