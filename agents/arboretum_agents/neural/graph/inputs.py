"""The network's inputs, in the order of ``neural.encoder`` (``encode`` as tensor operations)."""

import torch
from torch import Tensor, nn

from arboretum_agents.neural.graph.gains import Gains
from arboretum_agents.neural.graph.rights import Rights
from arboretum_agents.neural.graph.table import Table
from arboretum_env.config import MAX_PLAYERS, GameConfig
from arboretum_env.observation import Place
from arboretum_env.phase import Phase

_LAST_TURNS = 6  # of the deck, told apart
_HEADS = 4  # first draw, second draw, plant, discard


class Inputs(nn.Module):
    """Lays out what a network sees.

    Args:
        config: the game.
    """

    rank_values: Tensor
    is_top: Tensor
    heads: Tensor
    seats: Tensor
    deck_steps: Tensor
    players: Tensor

    def __init__(self, config: GameConfig) -> None:
        super().__init__()
        self.config = config
        heads = torch.zeros(Phase.GAME_OVER + 1, _HEADS)
        for phase in Phase:
            # PLACE is the second half of the joint decision made in PLAY: the same inputs.
            heads[phase, 3 if phase == Phase.DISCARD else min(phase, Phase.PLAY)] = 1
        for name, constant in (
            ("rank_values", torch.arange(1, config.num_ranks + 1)),
            ("is_top", torch.arange(config.num_ranks) == config.num_ranks - 1),
            ("heads", heads),
            ("seats", torch.arange(MAX_PLAYERS)),
            ("deck_steps", 2 * torch.arange(_LAST_TURNS) + 1),
            ("players", (torch.arange(2, MAX_PLAYERS + 1) == config.num_players).float()),
        ):
            self.register_buffer(name, constant, persistent=False)

    def forward(
        self, table: Table, best: Tensor, gains: Gains, rights: Rights
    ) -> tuple[Tensor, Tensor]:
        """Features to the trunk's inputs.

        Args:
            best: [B, P, S] float32 points of best paths.

        Returns:
            species [B, S, F] and scalars [B, G].
        """
        now, change = self._chances(table, rights)
        own = self._own(table, best[:, 0], gains, rights, now[:, 0], change[:, 0])
        rivals = [
            self._rival(table, k, best[:, k], gains.total[:, k], now[:, k], change[:, k])
            for k in range(1, self.config.num_players)
        ]
        return torch.cat([own, *rivals], 2), self._scalars(table, best, now)

    def _chances(self, table: Table, rights: Rights) -> tuple[Tensor, Tensor]:
        """Chances of rights.

        Returns:
            [B, P, S] of the hands of now, and [B, P, S, R] what holding each card, or no longer
            holding it, would change; 0 for planted cards.
        """
        held = table.in_hand
        total = rights.hand_sum.unsqueeze(2)
        other = torch.where(held, total - self.rank_values, total + self.rank_values)
        totals = torch.cat([total, other], 2)  # [B, S, 1 + R]
        holds_top = held[:, :, -1:]
        with_top = torch.cat([holds_top, holds_top ^ self.is_top], 2)
        without_top = (totals - self.config.num_ranks).clamp(min=0)
        whole, cancelled = (
            rights.chances.gather(3, at.unsqueeze(1).expand(-1, self.config.num_players, -1, -1))
            for at in (totals, without_top)
        )
        share = torch.where(with_top, rights.cancelled.unsqueeze(2), 0.0).unsqueeze(1)
        chance = (1 - share) * whole + share * cancelled
        now, then = chance[..., 0], chance[..., 1:]
        movable = (table.place < Place.ARBORETUM).unsqueeze(1)
        return now, torch.where(movable, then - now.unsqueeze(3), 0.0)

    def _own(
        self, table: Table, best: Tensor, gains: Gains, rights: Rights, now: Tensor, change: Tensor
    ) -> Tensor:
        """[B, S, ...] what a species is to the observer itself."""
        place, held = table.place, table.in_hand
        unseen = place == Place.UNSEEN
        in_pile, on_top = place == Place.PILE, table.order == 0
        planted = place == Place.ARBORETUM
        cards = [
            unseen, place == Place.OWN_HAND, place == Place.OWN_KNOWN,
            in_pile & on_top, in_pile & ~on_top, planted,
            0.2 * gains.own[:, 0], 0.2 * gains.total[:, 0],
            change, 0.2 * change * best.unsqueeze(2),
        ]  # fmt: skip
        whole = [
            0.1 * rights.hand_sum, 0.25 * held.float().sum(2),
            0.05 * (unseen * self.rank_values).sum(2), 0.125 * unseen.float().sum(2),
            0.125 * planted.float().sum(2), 0.1 * best,
            now, 0.1 * now * best, rights.cancelled,
        ]  # fmt: skip
        return _together(cards, whole)

    def _rival(
        self, table: Table, k: int, best: Tensor, total_gain: Tensor, now: Tensor, change: Tensor
    ) -> Tensor:
        """[B, S, ...] what a species is to the k-th rival."""
        place = table.place
        unseen, known = place == Place.UNSEEN, place == Place.RIVAL_HAND + k
        in_pile, on_top = place == Place.PILE + k, table.order == 0
        planted = place == Place.ARBORETUM + k
        hidden = self.config.hand_size - known.long().sum((1, 2))
        share = (hidden / unseen.long().sum((1, 2)).clamp(min=1)).unsqueeze(1)
        known_sum, unseen_sum = (
            (which * self.rank_values).sum(2).float() for which in (known, unseen)
        )
        cards = [
            known, in_pile & on_top, in_pile & ~on_top, planted,
            0.2 * total_gain, change, 0.2 * change * best.unsqueeze(2),
        ]  # fmt: skip
        whole = [
            0.1 * best, 0.125 * planted.float().sum(2), 0.1 * known_sum,
            0.1 * (known_sum + share * unseen_sum), now, 0.1 * now * best,
        ]  # fmt: skip
        return _together(cards, whole)

    def _scalars(self, table: Table, best: Tensor, now: Tensor) -> Tensor:
        """[B, G] what belongs to no species."""
        config = self.config
        # From the observation, like every rule option: one graph serves them all.
        undealt = config.num_cards - config.num_players * config.hand_size
        deck_size = undealt - (config.num_players - 1) * table.starting_discards
        points, expected = best.sum(2), (now * best).sum(2)  # [B, P]
        planted = [
            (table.place == Place.ARBORETUM + k).float().sum((1, 2))
            for k in range(config.num_players)
        ]
        columns = [
            self.heads[table.phase[:, 0]],
            table.deck_size / deck_size,
            0.1 * table.turn.div(config.num_players, rounding_mode="floor"),
            table.deck_size <= self.deck_steps,
            table.seat == self.seats,
            self.players.expand(points.shape[0], -1),
        ]
        for k in range(config.num_players):
            columns.append(0.03 * points[:, k : k + 1])
            columns.append(planted[k].unsqueeze(1) / config.max_plants)
            columns.append(0.05 * expected[:, k : k + 1])
            if k > 0:
                columns.append(0.05 * (expected[:, :1] - expected[:, k : k + 1]))
        return torch.cat([column.float() for column in columns], 1)


def _together(cards: list[Tensor], whole: list[Tensor]) -> Tensor:
    """[B, S, features of every rank in turn, features of the whole species]."""
    by_rank = torch.stack([feature.float() for feature in cards], 3).flatten(2)
    return torch.cat([by_rank, torch.stack([feature.float() for feature in whole], 2)], 2)
