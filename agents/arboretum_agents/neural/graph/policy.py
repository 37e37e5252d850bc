"""The whole policy, from raw observations to probabilities of actions."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from arboretum_agents.neural.graph.boards import Board, Boards
from arboretum_agents.neural.graph.gains import CellGains, Gains
from arboretum_agents.neural.graph.inputs import Inputs
from arboretum_agents.neural.graph.paths import Paths
from arboretum_agents.neural.graph.rights import HandRights
from arboretum_agents.neural.graph.table import Table, read_table
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_env.actions import action_slices
from arboretum_env.config import GameConfig
from arboretum_env.observation import Place
from arboretum_env.phase import Phase

_IMPOSSIBLE = -1e30  # a logit that leaves nothing, and finite


class GraphOutputs(NamedTuple):
    """What the graph says of B observations.

    Attributes:
        probabilities: [B, A] float32, exactly 0 for illegal actions and all 0 for seats that have
            nothing to decide.
        value: [B] float32, expected return of the observer.
        beliefs: [B, P - 1, C] float32, how likely each rival, the next to move first, is to hold
            each card; 0 and 1 for cards whose place the observer sees.
        greedy: [B] int64, the likeliest action (in PLAY and PLACE of the joint decision); -1 for
            seats that have nothing to decide.
    """

    probabilities: Tensor
    value: Tensor
    beliefs: Tensor
    greedy: Tensor


class PolicyGraph(nn.Module):
    """Plays a network on raw observations, as ``NeuralAgent`` does on views.

    Args:
        config: the game; its rule options are read from the observations instead.
        network: kept, not copied.
        temperature: see ``NeuralAgent``.
    """

    def __init__(
        self, config: GameConfig, network: PolicyNetwork, temperature: float = 1.0
    ) -> None:
        super().__init__()
        self.config = config
        self.network = network
        self.temperature = temperature
        self.boards, self.paths = Boards(config), Paths(config)
        self.gains, self.rights = CellGains(config), HandRights(config)
        self.inputs = Inputs(config)

    def forward(self, observation: Tensor) -> GraphOutputs:
        """[B, L] int8 observations to ``GraphOutputs``."""
        table = read_table(observation, self.config)
        board = self.boards(table)
        ways = self.paths(table, board)
        gains = self.gains(board, ways)
        inputs = self.inputs(table, ways.best, gains, self.rights(table))
        z, pooled = self.network.trunk(*inputs)
        draws = self._draws(table, z, pooled)
        joint = self._joint(table, board, gains, z)  # [B, C, K]
        plays, places = self._planting(table, board, joint)
        discards = self._discards(table, z)
        probabilities = torch.cat([draws, plays, places, discards], 1)
        return GraphOutputs(
            probabilities,
            self.network.value(z, pooled),
            self._beliefs(table, z),
            self._greedy(table, board, joint, probabilities),
        )

    def _draws(self, table: Table, z: Tensor, pooled: Tensor) -> Tensor:
        """[B, 1 + P] probabilities of drawing from the deck and from every pile."""
        place, order = table.place.flatten(1), table.order.flatten(1)
        piles = torch.arange(self.config.num_players, device=place.device).unsqueeze(1)
        is_top = (place.unsqueeze(1) == Place.PILE + piles) & (order.unsqueeze(1) == 0)
        filled, top = is_top.long().max(2)
        deciding = (table.phase <= Phase.DRAW_SECOND) & (table.mover == 0)
        legal = torch.cat([table.deck_size > 0, filled > 0], 1) & deciding
        tops = torch.where(filled > 0, top, -1)
        return self._probabilities(self.network.draw_logits(z, pooled, tops), legal)

    def _discards(self, table: Table, z: Tensor) -> Tensor:
        """[B, C] probabilities of discarding each card."""
        deciding = (table.phase == Phase.DISCARD) & (table.mover == 0)
        legal = table.in_hand.flatten(1) & deciding
        return self._probabilities(self.network.discard_logits(z), legal)

    def _joint(self, table: Table, board: Board, gains: Gains, z: Tensor) -> Tensor:
        """[B, C, K] probabilities of planting each card on each legal cell of the own board."""
        network, ranks = self.network, self.config.num_ranks
        cards = torch.arange(self.config.num_cards, device=z.device)
        in_play = (table.phase == Phase.PLAY) & table.in_hand.flatten(1)
        in_place = (table.phase == Phase.PLACE) & (table.chosen_card == cards)
        may_plant = (in_play | in_place) & (table.mover == 0)  # [B, C]

        card_vectors = torch.unflatten(network.play_vector(z), 2, (ranks, -1)).transpose(1, 2)
        matched = network.placement(gains.features) * card_vectors.unsqueeze(1)  # [B, K, R, S, ...]
        weight = network.play_gain(z).squeeze(2)[:, None, None, :]  # [B, 1, 1, S]
        gained = weight * (0.1 * gains.through)
        gained = gained.sum(3, keepdim=True) - gained + weight * (0.1 * gains.of_own)
        bias = network.play_card(z).transpose(1, 2).unsqueeze(1)
        logits = (bias + matched.sum(4) + gained).permute(0, 3, 2, 1).flatten(1, 2)  # [B, C, K]
        legal = may_plant.unsqueeze(2) & board.legal[:, :1]
        return self._probabilities(logits.flatten(1), legal.flatten(1)).view_as(logits)

    def _planting(self, table: Table, board: Board, joint: Tensor) -> tuple[Tensor, Tensor]:
        """Probabilities [B, C] of choosing each card, and [B, W * W] of each cell."""
        in_play = table.phase == Phase.PLAY
        of_card, of_cell = joint.sum(2), joint.sum(1)
        plays, of_cell = torch.where(in_play, of_card, 0.0), torch.where(in_play, 0.0, of_cell)
        cells = torch.zeros_like(of_cell[:, :1]).repeat(1, self.config.side**2)
        return plays, cells.scatter(1, board.cells[:, 0], of_cell)

    def _beliefs(self, table: Table, z: Tensor) -> Tensor:
        """[B, P - 1, C] chances that each rival holds each card."""
        place = table.place.flatten(1).unsqueeze(1)
        rivals = torch.arange(1, self.config.num_players, device=z.device).unsqueeze(1)
        known = (place == Place.RIVAL_HAND + rivals).float()
        logits = self.network.belief_logits(z)
        everywhere = torch.cat([torch.zeros_like(logits[:, :1]), logits], 1)  # none of them first
        return torch.where(place == Place.UNSEEN, everywhere.softmax(1)[:, 1:], known)

    def _greedy(self, table: Table, board: Board, joint: Tensor, probabilities: Tensor) -> Tensor:
        """[B] the likeliest action; planting takes the likeliest card and cell together."""
        slices, most = action_slices(self.config), joint.shape[2]
        best = joint.flatten(1).argmax(1)
        card = best.div(most, rounding_mode="floor")
        cell = board.cells[:, 0].gather(1, (best - card * most).unsqueeze(1)).squeeze(1)
        phase = table.phase.squeeze(1)
        action = probabilities.argmax(1)
        action = torch.where(phase == Phase.PLAY, slices["play_card"].start + card, action)
        action = torch.where(phase == Phase.PLACE, slices["place_cell"].start + cell, action)
        deciding = (table.mover == 0) & (table.phase < Phase.GAME_OVER)
        return torch.where(deciding.squeeze(1), action, -1)

    def _probabilities(self, logits: Tensor, legal: Tensor) -> Tensor:
        """[B, K] probabilities, exactly 0 where illegal, all of them 0 where nothing is legal."""
        chances = torch.where(legal, logits / self.temperature, _IMPOSSIBLE).softmax(1)
        return torch.where(legal, chances, 0.0)
