"""Small experiments with MaskablePPO."""

from typing import Any

from arboretum_env.config import GameConfig
from arboretum_training.config import BudgetConfig, PPOConfig, Sb3Config
from arboretum_training.config import Sb3RolloutConfig as RolloutConfig
from arboretum_training.league_config import PoolConfig
from tests.training.experiments import NETWORK

TINY = GameConfig(num_players=2, species=4, num_ranks=5, hand_size=3)
"""The game of the task Arboretum-Mini-v0."""


def experiment(game: GameConfig = TINY, *, games: int = 12, turns: int = 4, **other: Any) -> Any:
    """A tiny experiment; ``other`` are sections of ``Sb3Config``."""
    return Sb3Config(
        name="tiny",
        game=game,
        network=NETWORK,
        rollout=RolloutConfig(games=games, turns=turns),
        **{
            "ppo": PPOConfig(minibatches=4),
            "pool": PoolConfig(every=1, size=2),
            "budget": BudgetConfig(decisions=700),
            **other,
        },
    )
