"""A tiny run to save: weights, an optimiser's state, a generator and counters."""

import torch

from arboretum_agents.neural.checkpoint_reader import Checkpoint
from arboretum_env.config import GameConfig


def make_checkpoint(step: int, players: int = 2) -> Checkpoint:
    """A checkpoint whose every part depends on the step."""
    generator = torch.Generator().manual_seed(step)
    return Checkpoint(
        step=step,
        config={"name": "tiny", "game": GameConfig(num_players=players).model_dump()},
        counters={"iteration": step // 10, "seconds": step / 7},
        state={"numpy": {"rollout": {"state": 2**127 + step}}, "pool": ["a", "b"]},
        tensors={
            "weights": {
                "trunk.weight": torch.randn(3, 4, generator=generator),
                "trunk.bias": torch.randn(3, generator=generator),
            },
            "optimizer": {"step/trunk.weight": torch.tensor(float(step))},
            "random": {"torch": generator.get_state()},
        },
    )
