"""Run folders with a network in them."""

from pathlib import Path

from arboretum_agents.neural.checkpoint_reader import Checkpoint
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_env.config import GameConfig
from arboretum_training.checkpoint import save_checkpoint


def save_network(folder: Path, game: GameConfig, network: PolicyNetwork) -> Path:
    """A run folder whose newest checkpoint holds the network alone."""
    (folder / "checkpoints").mkdir(parents=True)
    checkpoint = Checkpoint(
        step=1,
        config={
            "game": game.model_dump(),
            "network": network.sizes.model_dump(),
        },
        counters={},
        state={},
        tensors={"weights": network.state_dict()},
    )
    save_checkpoint(folder, checkpoint, keep=1)
    return folder
