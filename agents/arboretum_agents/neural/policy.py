"""A network that plays.

PLAY and PLACE are one joint decision over (card, cell): PLAY takes the card by the joint's
marginal, PLACE the cell by its conditional, so that both together follow the joint. Greedy play
takes the joint's likeliest placement in both.
"""

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import ValidationError
from torch import Tensor

from arboretum_agents.neural.categorical import Segments, masked_log_softmax, segment_log_softmax
from arboretum_agents.neural.checkpoint_reader import (
    WEIGHTS,
    Checkpoint,
    find_checkpoint,
    read_checkpoint,
)
from arboretum_agents.neural.encoder import encode, pile_tops
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_agents.neural.network_config import NetworkConfig
from arboretum_agents.registry import Mode
from arboretum_env.actions import action_slices, num_actions
from arboretum_env.agent import decision_uniforms, sample_rows
from arboretum_env.config import GameConfig
from arboretum_env.errors import CheckpointError
from arboretum_env.features.placements import Placements, placements
from arboretum_env.observation import Place
from arboretum_env.phase import Phase
from arboretum_env.rewards import REWARD_KINDS, RewardKind
from arboretum_env.view import PlayerViews


def as_tensor(array: NDArray[np.generic]) -> Tensor:
    """The array as a tensor over the same memory."""
    return torch.from_numpy(np.ascontiguousarray(array))


class NeuralAgent:
    """Plays a ``PolicyNetwork``.

    Args:
        config: the game it plays, the same that the network was made for.
        network: kept, not copied.
        mode: draw moves by their probability, or take the likeliest.
        reward: what the network learned to expect.
        temperature: what logits are divided by: above 1 moves are more alike, so that it plays
            more weakly; 1 is the policy as it was learned.
    """

    def __init__(
        self,
        config: GameConfig,
        network: PolicyNetwork,
        mode: Mode = "sample",
        reward: RewardKind = "mixed",
        temperature: float = 1.0,
    ) -> None:
        self.config = config
        self.network = network
        self.mode = mode
        self.reward: RewardKind = reward
        self.temperature = temperature
        self._seed = 0

    @property
    def deterministic(self) -> bool:
        """Whether it takes the likeliest move instead of drawing one."""
        return self.mode == "greedy"

    def reset(self, game_ids: NDArray[np.uint64], seed: int) -> None:
        """Begins new games; nothing but the seed is kept."""
        self._seed = seed

    def act(self, views: PlayerViews) -> NDArray[np.int64]:
        """[B] actions."""
        return self.decide(views)[0]

    def decide(self, views: PlayerViews) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """([B] actions, [B] expected return of the view's seat), at the price of the actions."""
        options, joint, simple, value = self._evaluate(views)
        if self.mode == "greedy":
            return self._likeliest(views, options, joint, simple), value
        probabilities = self._probabilities(views, options, joint, simple)
        return sample_rows(probabilities, decision_uniforms(self._seed, views)), value

    def policy(self, views: PlayerViews) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """([B, A] probabilities, [B] expected return of the view's seat)."""
        options, joint, simple, value = self._evaluate(views)
        return self._probabilities(views, options, joint, simple), value

    @torch.inference_mode()
    def beliefs(self, views: PlayerViews) -> NDArray[np.float64]:
        """[B, P - 1, C] how likely each rival, the next to move first, is to hold each card.

        Of views of movers. 0 and 1 for cards whose place the seat sees; what a card lacks to 1 is
        how likely it is to be in the deck.
        """
        encoded = encode(views)
        z, _ = self.network.trunk(as_tensor(encoded.species), as_tensor(encoded.scalars))
        logits = self.network.belief_logits(z).double()
        everywhere = torch.nn.functional.pad(logits, (0, 0, 1, 0))  # none first, as it was learned
        held: NDArray[np.float64] = everywhere.softmax(dim=1)[:, 1:].numpy()
        place = views.cards[:, None, :, 0]
        rival = np.arange(1, self.config.num_players)[:, None]
        return np.where(place == Place.UNSEEN, held, place == Place.RIVAL_HAND + rival)

    def _probabilities(
        self,
        views: PlayerViews,
        options: Placements,
        joint: NDArray[np.float32],
        simple: NDArray[np.float32],
    ) -> NDArray[np.float32]:
        """[B, A], from ``_evaluate``."""
        probabilities = np.zeros((len(views), num_actions(self.config)), np.float32)
        slices = action_slices(self.config)
        row = np.repeat(np.arange(len(views)), options.counts)
        in_play = views.phase[row] == Phase.PLAY
        column = np.where(
            in_play,
            slices["play_card"].start + options.card,
            slices["place_cell"].start + options.cell,
        )
        np.add.at(probabilities, (row, column), joint)  # sums the joint over the cells of a card
        return probabilities + simple

    def _likeliest(
        self,
        views: PlayerViews,
        options: Placements,
        joint: NDArray[np.float32],
        simple: NDArray[np.float32],
    ) -> NDArray[np.int64]:
        """[B] actions, from ``_evaluate``."""
        actions: NDArray[np.int64] = simple.argmax(axis=1)
        slices = action_slices(self.config)
        for b in np.flatnonzero(options.counts):
            first, last = options.offsets[b], options.offsets[b + 1]
            best = first + int(joint[first:last].argmax())
            if views.phase[b] == Phase.PLAY:
                actions[b] = slices["play_card"].start + options.card[best]
            else:
                actions[b] = slices["place_cell"].start + options.cell[best]
        return actions

    @torch.inference_mode()
    def _evaluate(
        self, views: PlayerViews
    ) -> tuple[Placements, NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        """(placements, their joint probabilities [M], others' probabilities [B, A], values [B])."""
        legal = views.legal_action_mask()
        if not legal.any(axis=1).all():
            row = int(np.flatnonzero(~legal.any(axis=1))[0])
            raise ValueError(f"view {row} is of an idle seat or a finished game: expected movers")
        encoded, options = encode(views), placements(views)
        z, pooled = self.network.trunk(as_tensor(encoded.species), as_tensor(encoded.scalars))
        simple = np.zeros((len(views), num_actions(self.config)), np.float32)
        slices = action_slices(self.config)
        draws = np.flatnonzero(views.phase <= Phase.DRAW_SECOND)
        if len(draws):
            tops = as_tensor(pile_tops(views.select(draws)))
            logits = self.network.draw_logits(z[draws], pooled[draws], tops) / self.temperature
            columns = slice(0, slices["draw_discard"].stop)
            simple[draws, columns] = _probabilities(logits, legal[draws, columns])
        discards = np.flatnonzero(views.phase == Phase.DISCARD)
        if len(discards):
            logits = self.network.discard_logits(z[discards]) / self.temperature
            columns = slices["discard_card"]
            simple[discards, columns] = _probabilities(logits, legal[discards, columns])
        joint = np.zeros(0, np.float32)
        plants = np.flatnonzero(options.counts)
        if len(plants):
            segments = Segments.from_lengths(as_tensor(options.counts[plants]))
            logits = self.network.placement_logits(
                z[plants], segments, as_tensor(options.card), as_tensor(options.gain),
                as_tensor(options.features),
            )  # fmt: skip
            joint = segment_log_softmax(logits / self.temperature, segments).exp().numpy()
        return options, joint, simple, self.network.value(z, pooled).numpy()


def _probabilities(logits: Tensor, legal: NDArray[np.bool_]) -> NDArray[np.float32]:
    """[B, K] probabilities, exactly 0 where illegal."""
    log_probs = masked_log_softmax(logits, as_tensor(legal))
    probabilities: NDArray[np.float32] = np.where(legal, log_probs.exp().numpy(), np.float32(0))
    return probabilities


def load_agent(
    path: Path, config: GameConfig, mode: Mode = "sample", temperature: float = 1.0
) -> NeuralAgent:
    """The agent of a run folder (its newest checkpoint) or of a checkpoint folder.

    Args:
        path: the folder.
        config: the game it is to play.
        mode: draw moves by their probability, or take the likeliest.
        temperature: see ``NeuralAgent``.

    Raises:
        CheckpointError: no valid checkpoint, or one of another game.
    """
    folder = find_checkpoint(path)
    checkpoint = read_checkpoint(folder)
    if _sizes(checkpoint.game) != _sizes(config):
        raise CheckpointError(
            f"{folder}: learned {_describe(checkpoint.game)}, cannot play {_describe(config)}"
        )
    try:
        sizes = NetworkConfig.model_validate(checkpoint.config.get("network"))
        with torch.random.fork_rng(devices=[]):
            # Weights are drawn before they are overwritten: torch's global generator is put back.
            network = PolicyNetwork(config, sizes)
        network.load_state_dict(dict(checkpoint.tensors[WEIGHTS]))
    except (ValidationError, RuntimeError) as error:
        raise CheckpointError(f"{folder}: {' '.join(str(error).split())}") from error
    network.eval()
    return NeuralAgent(config, network, mode, _reward(checkpoint), temperature)


def _reward(checkpoint: Checkpoint) -> RewardKind:
    named = checkpoint.config.get("rollout", {}).get("reward", "mixed")
    return named if named in REWARD_KINDS else "mixed"


def _sizes(config: GameConfig) -> tuple[int, int, int, int]:
    return config.num_players, config.num_species, config.num_ranks, config.hand_size


def _describe(config: GameConfig) -> str:
    return (
        f"{config.num_players} players with {config.num_species} species of {config.num_ranks} "
        f"ranks and hands of {config.hand_size}"
    )
