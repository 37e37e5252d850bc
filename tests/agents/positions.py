"""Views of seats to move, of every phase mixed, and networks that are far from indifferent."""

import numpy as np
import torch

from arboretum_agents.neural.network import PolicyNetwork
from arboretum_agents.neural.network_config import NetworkConfig
from arboretum_env.config import GameConfig
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerViews, redact
from tests.random_games import random_positions

SMALL = NetworkConfig(species_width=24, global_width=20, placement_hidden=8, placement_width=5)


def mover_views(config: GameConfig, games: int, seed: int, every: int = 3) -> PlayerViews:
    """The movers' views at every ``every``-th decision of random games, each with its own id."""
    observations = []
    for number, (state, _) in enumerate(random_positions(config, games, seed)):
        running = state.select(np.flatnonzero(~state.done))
        if number % every == 0 and len(running):
            observations.append(redact(running, running.mover).observation)
    together = np.concatenate(observations)
    views = PlayerViews(config, together, np.arange(len(together), dtype=np.uint64))
    assert set(views.phase.tolist()) == set(range(Phase.GAME_OVER))
    return views


def random_network(config: GameConfig, seed: int = 1, scale: float = 0.3) -> PolicyNetwork:
    """A small network with weights drawn from a normal distribution."""
    network = PolicyNetwork(config, SMALL)
    generator = torch.Generator().manual_seed(seed)
    weights = {
        name: torch.randn(tensor.shape, generator=generator) * scale
        for name, tensor in network.state_dict().items()
    }
    network.load_state_dict(weights)
    return network.eval()
