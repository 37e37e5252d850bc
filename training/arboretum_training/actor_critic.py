"""What is learned: the policy's network, and the critic that judges its moves."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import torch
import torch.nn.functional as F  # noqa: N812 - torch's own customary name
from torch import Tensor, nn

from arboretum_agents.neural.categorical import (
    Segments,
    masked_entropy,
    masked_log_softmax,
    segment_entropy,
    segment_log_softmax,
)
from arboretum_agents.neural.encoder import unseen_cards
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_agents.neural.network_config import NetworkConfig
from arboretum_agents.neural.policy import as_tensor
from arboretum_env.config import GameConfig
from arboretum_training.decisions import Decisions
from arboretum_training.privileged import PrivilegedCritic, hidden_hands

Critic = Literal["privileged", "public"]


@dataclass(frozen=True)
class Evaluation:
    """What a model now thinks of B decisions.

    Attributes:
        log_probs: [B] of the choices made.
        entropy: [B] nats.
        values: [B] of the policy's own value head.
        judged: [B] of the critic; the same tensor as ``values`` if the critic is public.
        belief_loss: scalar, nats a card.
        uniform_belief_loss: scalar, the same of who knows only how many cards each rival holds.
    """

    log_probs: Tensor
    entropy: Tensor
    values: Tensor
    judged: Tensor
    belief_loss: Tensor
    uniform_belief_loss: Tensor


class ActorCritic(nn.Module):
    """A policy network with its critic.

    Args:
        game: the game.
        config: sizes of the layers.
        critic: whether a critic of its own sees what is hidden, or the policy's value head judges.
    """

    def __init__(self, game: GameConfig, config: NetworkConfig, critic: Critic) -> None:
        super().__init__()
        self.game = game
        self.network = PolicyNetwork(game, config)
        self.critic = PrivilegedCritic(game, config) if critic == "privileged" else None

    def judge(self, z: Tensor, pooled: Tensor, truth: Tensor, truth_scalars: Tensor) -> Tensor:
        """[B] values by which advantages are estimated."""
        if self.critic is None:
            return self.network.value(z, pooled).float()
        judged: Tensor = self.critic(z, pooled, truth, truth_scalars)
        return judged.float()

    def evaluate(self, decisions: Decisions, arrays: Mapping[str, Tensor]) -> Evaluation:
        """What the model now thinks of decisions of one kind; differentiated through.

        Args:
            decisions: B decisions.
            arrays: ``decisions.arrays`` as tensors.
        """
        network = self.network
        z, pooled = network.trunk(arrays["species"], arrays["scalars"])
        values = network.value(z, pooled).float()
        judged = values
        if self.critic is not None:
            judged = self.judge(z, pooled, arrays["truth_species"], arrays["truth_scalars"])
        if decisions.kind == "play":
            segments = Segments.from_lengths(arrays["count"])
            options = {name: as_tensor(array) for name, array in decisions.placements.items()}
            logits = network.placement_logits(
                z, segments, options["card"], options["gain"], options["features"]
            )
            log_probs = segment_log_softmax(logits, segments)
            picked = segments.pick(log_probs, arrays["chosen"])
            entropy = segment_entropy(log_probs, segments)
        else:
            if decisions.kind == "draw":
                logits = network.draw_logits(z, pooled, arrays["tops"])
            else:
                logits = network.discard_logits(z)
            log_probs = masked_log_softmax(logits, arrays["legal"])
            picked = log_probs.gather(1, arrays["chosen"].unsqueeze(1)).squeeze(1)
            entropy = masked_entropy(log_probs, arrays["legal"])
        return Evaluation(picked, entropy, values, judged, *self._belief_losses(z, arrays))

    def _belief_losses(self, z: Tensor, arrays: Mapping[str, Tensor]) -> tuple[Tensor, Tensor]:
        game = self.game
        held = hidden_hands(arrays["truth_species"], game.num_players, game.num_ranks)
        unseen = unseen_cards(arrays["species"], game)
        losses = belief_loss(self.network.belief_logits(z).float(), held, unseen)
        return losses, uniform_belief_loss(held, unseen)

    def critic_state(self) -> dict[str, Tensor]:
        """The critic's weights; none if it is public."""
        return {} if self.critic is None else self.critic.state_dict()

    def load_critic_state(self, weights: Mapping[str, Tensor]) -> None:
        """Takes weights of ``critic_state``.

        Raises:
            RuntimeError: of another critic.
        """
        if self.critic is not None:
            self.critic.load_state_dict(dict(weights))
        elif weights:
            raise RuntimeError(
                "weights of a privileged critic: expected none, ppo.critic is public"
            )


def belief_loss(logits: Tensor, held: Tensor, unseen: Tensor) -> Tensor:
    """Cross-entropy of where each unseen card is, mean over those cards.

    A card is in the hand of one of the rivals or in none; none has the logit 0.

    Args:
        logits: [B, P - 1, C].
        held: [B, P - 1, C] 1 where the rival holds the card, else 0.
        unseen: [B, C] 1 where the seat does not see the card, else 0.

    Returns:
        Scalar, nats; 0 if no card is unseen.
    """
    everywhere = F.pad(logits, (0, 0, 1, 0))  # none first
    log_probs = everywhere.log_softmax(dim=1)
    in_none = 1 - held.sum(dim=1)
    losses = -(in_none * log_probs[:, 0] + (held * log_probs[:, 1:]).sum(dim=1))
    return (unseen * losses).sum() / unseen.sum().clamp(min=1)


def uniform_belief_loss(held: Tensor, unseen: Tensor) -> Tensor:
    """``belief_loss`` of knowing how many unseen cards each rival holds, and nothing else.

    Every unseen card is then equally likely to be any of them: a card is with a rival that holds n
    of u unseen ones by n / u, and that is also how often it is there, so the loss of a view is the
    entropy of those shares.

    Args:
        held: [B, P - 1, C] as in ``belief_loss``.
        unseen: [B, C] likewise.

    Returns:
        Scalar, nats; 0 if no card is unseen.
    """
    number = unseen.sum(dim=1)
    by_rival = (held * unseen.unsqueeze(1)).sum(dim=2)
    in_none = number - by_rival.sum(dim=1)
    counts = torch.cat([in_none.unsqueeze(1), by_rival], dim=1)
    shares = counts / number.clamp(min=1).unsqueeze(1)
    entropies = -torch.xlogy(shares, shares).sum(dim=1)
    return (number * entropies).sum() / number.sum().clamp(min=1)
