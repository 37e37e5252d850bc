"""Weights of an earlier run, to begin another one with.

The weights are those of a game of four whatever the number of players (``neural.network``), so a
game of two can be learned first, and one of four from there: rivals that were never met are then
seen as the last one that was known.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import ValidationError
from torch import Tensor

from arboretum_agents.neural.checkpoint_reader import (
    WEIGHTS,
    Checkpoint,
    find_checkpoint,
    read_checkpoint,
)
from arboretum_agents.neural.network import with_more_rivals
from arboretum_agents.neural.network_config import NetworkConfig
from arboretum_agents.shipped import shipped_folder
from arboretum_env.config import MAX_PLAYERS
from arboretum_env.errors import CheckpointError
from arboretum_training.actor_critic import ActorCritic
from arboretum_training.config import ExperimentConfig
from arboretum_training.privileged import PrivilegedCritic

CRITIC = "critic"
"""The group of a checkpoint that holds the weights of a privileged critic."""


@dataclass(frozen=True)
class Start:
    """What a run begins with.

    Attributes:
        weights: of the policy network.
        critic: of the privileged critic; empty if there was none.
        players: how many there were in the game that was learned.
        digest: SHA-256 of the policy's weights, in hex.
    """

    weights: Mapping[str, Tensor]
    critic: Mapping[str, Tensor]
    players: int
    digest: str

    def load_into(self, model: ActorCritic) -> None:
        """Gives a model these weights; a critic that they lack stays as it is.

        Raises:
            CheckpointError: weights of other sizes.
        """
        weights, critic = dict(self.weights), dict(self.critic)
        if self.players < model.game.num_players:
            weights = with_more_rivals(weights, model.network, self.players)
        try:
            model.network.load_state_dict(weights)
            if critic and model.critic is not None:
                if self.players < model.game.num_players:
                    critic = critic_with_more_rivals(critic, model.critic, self.players)
                model.critic.load_state_dict(critic)
        except RuntimeError as error:
            message = " ".join(str(error).split())
            raise CheckpointError(f"weights to start from do not fit: {message}") from error


def read_start(config: ExperimentConfig) -> Start | None:
    """What an experiment begins with; None: weights of its own.

    Raises:
        CheckpointError: no checkpoint, one that is damaged, or one whose sizes are others.
    """
    if config.start_from is None:
        return None
    path = config.start_from
    named = None if path.exists() else shipped_folder(str(path))
    folder = named or find_checkpoint(path)
    checkpoint = read_checkpoint(folder)
    sizes = _sizes(checkpoint)
    if sizes != config.network:
        raise CheckpointError(
            f"start_from {folder}: a network of {sizes.model_dump()}: expected "
            f"{config.network.model_dump()} as in this experiment"
        )
    ranks = checkpoint.game.num_ranks
    if ranks != config.game.num_ranks:
        raise CheckpointError(
            f"start_from {folder}: learned a game of {ranks} ranks: expected "
            f"{config.game.num_ranks} as in this experiment"
        )
    assert checkpoint.digest is not None  # it was read
    return Start(
        weights=checkpoint.tensors[WEIGHTS],
        critic=checkpoint.tensors.get(CRITIC, {}),
        players=checkpoint.game.num_players,
        digest=checkpoint.digest,
    )


def _sizes(checkpoint: Checkpoint) -> NetworkConfig:
    try:
        return NetworkConfig.model_validate(checkpoint.config.get("network"))
    except ValidationError as error:
        message = " ".join(str(error).split())
        raise CheckpointError(f"start_from: a checkpoint without a network: {message}") from error


def critic_with_more_rivals(
    weights: Mapping[str, Tensor], critic: PrivilegedCritic, known: int
) -> dict[str, Tensor]:
    """``with_more_rivals`` for a critic.

    Args:
        weights: a state dict; copied.
        critic: whose sizes they are of.
        known: number of players that it was trained with.
    """
    result = {name: tensor.clone() for name, tensor in weights.items()}
    block = critic.truth_in.in_features // MAX_PLAYERS
    # Behind what the pool gets from the layers below stands a number for each rival.
    scalars = critic.pool.in_features - (MAX_PLAYERS - 1)
    for name, start, width in (
        ("truth_in.weight", block, block),
        ("pool.weight", scalars, 1),
    ):
        last = start + (known - 2) * width
        for first in range(last + width, result[name].shape[1], width):
            result[name][:, first : first + width] = result[name][:, last : last + width]
    return result
