"""What only a critic may see: the hidden hands and the deck.

The critic judges moves while the policy learns and is not there at play, so it may know more than
any seat: how well a move did then depends less on the luck of hidden cards. It is an asymmetric
critic; with a value of the true state the policy's gradient stays right (Pinto et al. 2018,
"Asymmetric Actor Critic for Image-Based Robot Learning", arXiv:1710.06542).

``B`` decisions, ``S`` species, ``R`` ranks, ``P`` players; seats count from the deciding one.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - torch's own customary name
from numpy.typing import NDArray
from torch import Tensor, nn

from arboretum_agents.neural.network import first_columns
from arboretum_agents.neural.network_config import NetworkConfig
from arboretum_agents.neural.reductions import mean_and_maximum
from arboretum_env.config import MAX_PLAYERS, GameConfig
from arboretum_env.engine.layout import IN_HAND, KNOWN_BIT
from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState

_OF_RIGHT: Final = 2  # whether a seat would have the right now, and the points that it would score


@dataclass(frozen=True)
class Truth:
    """The whole truth about B decisions, as numbers.

    Attributes:
        species: [B, S, Ft] float32: of every rank how soon it comes from the deck; the own right
            and points; then for each rival the ranks in its hand, its right and its points.
        scalars: [B, P - 1] float32: the own points that now would count, less those of each rival.
    """

    species: NDArray[np.float32]
    scalars: NDArray[np.float32]


def truth_features(num_players: int, num_ranks: int) -> int:
    """Ft."""
    return num_players * (num_ranks + _OF_RIGHT)


def encode_truth(state: GameState, seats: NDArray[np.int64]) -> Truth:
    """The truth about each game, seen from one seat.

    Args:
        state: B games.
        seats: [B] who decides.
    """
    config, batch = state.config, len(state)
    players, ranks = config.num_players, config.num_ranks
    rows = np.arange(batch)
    now = score(state)
    counted = np.where(now.right, now.path_points, 0)
    holder = (state.rows["place"] & ~np.uint8(KNOWN_BIT)).astype(np.int64) - IN_HAND
    species = np.zeros((batch, config.num_species, players, ranks + _OF_RIGHT), np.float32)
    species[:, :, 0, :ranks] = _soon(state).reshape(batch, config.num_species, ranks)
    scalars = np.zeros((batch, players - 1), np.float32)
    own = now.points[rows, seats]
    for k in range(players):
        seat = (seats + k) % players
        if k > 0:
            held = holder == seat[:, None]
            species[:, :, k, :ranks] = held.reshape(batch, config.num_species, ranks)
            scalars[:, k - 1] = 0.05 * (own - now.points[rows, seat])
        species[:, :, k, ranks] = now.right[rows, seat]
        species[:, :, k, ranks + 1] = 0.1 * counted[rows, seat]
    features = truth_features(players, ranks)
    return Truth(species.reshape(batch, config.num_species, features), scalars)


def hidden_hands(truth: Tensor, num_players: int, num_ranks: int) -> Tensor:
    """[B, P - 1, C] 1 where a rival holds the card, from ``Truth.species``."""
    of_seats = truth.view(*truth.shape[:2], num_players, num_ranks + _OF_RIGHT)
    return of_seats[:, :, 1:, :num_ranks].transpose(1, 2).flatten(2)


def _soon(state: GameState) -> NDArray[np.float32]:
    """[B, C] 1 for the next card of the deck, 1/2, 1/3 ... for those after it, 0 elsewhere."""
    deck = state.rows["deck"].astype(np.int64)
    ahead = np.arange(deck.shape[1]) - state.rows["drawn"].astype(np.int64)[:, None]
    rows, places = np.nonzero(ahead >= 0)
    soon = np.zeros((len(state), state.config.num_cards), np.float32)
    soon[rows, deck[rows, places]] = 1.0 / (1.0 + ahead[rows, places])
    return soon


class PrivilegedCritic(nn.Module):
    """The value of the deciding seat, from the policy's own layers and the truth.

    Args:
        game: sizes of inputs.
        config: sizes of the layers.
    """

    def __init__(self, game: GameConfig, config: NetworkConfig) -> None:
        super().__init__()
        width, pooled = config.species_width, config.global_width
        self.truth_in = nn.Linear(truth_features(MAX_PLAYERS, game.num_ranks), width)
        self.mix = nn.Linear(width, width)
        self.pool = nn.Linear(2 * width + pooled + MAX_PLAYERS - 1, pooled)
        self.last = nn.Linear(pooled, 1)
        with torch.no_grad():
            self.last.weight.mul_(0.1)
            self.last.bias.zero_()

    def forward(self, z: Tensor, pooled: Tensor, species: Tensor, scalars: Tensor) -> Tensor:
        """[B] expected return of the deciding seat.

        Args:
            z, pooled: of ``SpeciesTrunk.trunk``.
            species, scalars: of ``Truth``.
        """
        weight = first_columns(self.truth_in.weight, species.shape[2])
        seen = F.linear(species, weight, self.truth_in.bias)
        mixed = (self.mix(z) + seen).relu()
        inputs = torch.cat([mean_and_maximum(mixed), pooled, scalars], dim=1)
        weight = first_columns(self.pool.weight, inputs.shape[1])
        hidden = F.linear(inputs, weight, self.pool.bias).relu()
        value: Tensor = self.last(hidden).squeeze(1)
        return value
