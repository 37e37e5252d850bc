"""Small experiments, for every number of players."""

from typing import Any

import torch

from arboretum_agents.neural.network_config import NetworkConfig
from arboretum_env.config import GameConfig
from arboretum_training.actor_critic import ActorCritic
from arboretum_training.config import BudgetConfig, ExperimentConfig, PPOConfig, RolloutConfig
from tests.random_games import CONFIGS

GAMES = {
    **CONFIGS,
    "one turn, so that three seats never move": GameConfig(
        num_players=4, species=2, num_ranks=3, hand_size=1
    ),
    "few turns": GameConfig(num_players=4, species=3, num_ranks=3, hand_size=1),
}
"""Kinds of games, by name."""

NETWORK = NetworkConfig(species_width=16, global_width=16, placement_hidden=8, placement_width=4)


def experiment(
    game: GameConfig, *, games: int = 6, turns: int = 9, **other: Any
) -> ExperimentConfig:
    """A tiny experiment; ``other`` are sections of ``ExperimentConfig`` or a reward.

    In float32, so that it learns the same whatever the processor has.
    """
    reward = other.pop("reward", "mixed")
    return ExperimentConfig(
        name="tiny",
        game=game,
        network=NETWORK,
        rollout=RolloutConfig(games=games, turns=turns, reward=reward),
        **{
            "ppo": PPOConfig(minibatches=4),
            "budget": BudgetConfig(decisions=10_000),
            "precision": "float32",
            **other,
        },
    )


def random_model(game: GameConfig, seed: int = 1, scale: float = 0.3) -> ActorCritic:
    """A small model with weights drawn from a normal distribution, so far from indifferent."""
    model = ActorCritic(game, NETWORK, "privileged")
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * scale)
    return model.eval()
