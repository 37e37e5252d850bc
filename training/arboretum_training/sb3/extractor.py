"""A features extractor that knows the observation table, for any policy of Stable-Baselines3.

Observations become the network's inputs of the lab (``arboretum_agents.neural.encoder``: where
every card is, best paths, gains, rights), and these go through its species-shared layers.
"""

import numpy as np
import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor

from arboretum_agents.neural.network import SpeciesTrunk
from arboretum_agents.neural.network_config import NetworkConfig
from arboretum_env.config import GameConfig
from arboretum_env.errors import ConfigError
from arboretum_env.pettingzoo_env import observation_space
from arboretum_env.view import PlayerViews
from arboretum_training.flat_policy import run_trunk


class SpeciesExtractor(BaseFeaturesExtractor):
    """Species by species, then all together: ``S * H + D`` features.

    Give it to a policy as ``features_extractor_class``, with ``features_extractor_kwargs`` that
    name the game.

    Args:
        observation_space: the environment's, which has to be the game's.
        game: whose observations these are.
        sizes: of the layers, H is ``species_width`` and D ``global_width``; by default as usual.
        trunk_class: makes the layers, and perhaps more that is learned with them.

    Attributes:
        game: as given.
        trunk: the layers.

    Raises:
        ConfigError: the observation space is not that of the game.
    """

    def __init__(
        self,
        observation_space: spaces.Space[np.ndarray],
        game: GameConfig,
        sizes: NetworkConfig | None = None,
        trunk_class: type[SpeciesTrunk] = SpeciesTrunk,
    ) -> None:
        _check_space(observation_space, game)
        sizes = sizes or NetworkConfig()
        features = game.num_species * sizes.species_width + sizes.global_width
        super().__init__(observation_space, features)
        self.game = game
        self.trunk = trunk_class(game, sizes)

    def forward(self, observations: Tensor) -> Tensor:
        """[B, S * H + D] features of [B, L] observations, of whatever type they come in."""
        z, pooled = self.run(self.views(observations))
        return torch.cat([z.flatten(1), pooled], dim=1)

    def views(self, observations: Tensor) -> PlayerViews:
        """What the observations say, as the lab's agents see it."""
        return PlayerViews(self.game, observations.to("cpu", torch.int8).numpy())

    def run(self, views: PlayerViews) -> tuple[Tensor, Tensor]:
        """What ``SpeciesTrunk.trunk`` makes of views: z [B, S, H] and g [B, D]."""
        return run_trunk(self.trunk, views)


def _check_space(space: spaces.Space[np.ndarray], game: GameConfig) -> None:
    expected = observation_space(game, "info")
    if space != expected:
        raise ConfigError(
            f"observation space {type(space).__name__} of shape {space.shape} and dtype "
            f"{space.dtype}: expected that of the game, {expected.shape} {expected.dtype}, from "
            f"an environment of {game.num_players} players with {game.num_species} species"
        )
