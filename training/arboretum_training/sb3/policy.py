"""The lab's own network as a policy of sb3-contrib, over the flat action space.

PLAY and PLACE are two decisions here. Their logits are read off the network's joint logits of
(card, cell): a card's is the log-sum-exp over its cells, so that PLAY follows the joint's marginal,
and a cell's is the joint's at the chosen card, so that PLACE follows its conditional. So what was
learned here is an ordinary agent of the lab (``arboretum_agents.neural.policy``), with the same
probabilities.

``B`` views, ``A`` actions, ``M`` placements of all views.
"""

from typing import Any, cast

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from torch import Tensor

from arboretum_agents.neural.categorical import (
    Segments,
    masked_entropy,
    masked_log_softmax,
    segment_logsumexp,
)
from arboretum_agents.neural.encoder import pile_tops
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_agents.neural.network_config import NetworkConfig
from arboretum_agents.neural.policy import as_tensor
from arboretum_env.actions import action_slices, num_actions
from arboretum_env.agent import sample_rows
from arboretum_env.config import GameConfig
from arboretum_env.features.placements import Placements, placements
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerViews
from arboretum_training.sb3.extractor import SpeciesExtractor


class ArboretumPolicy(MaskableActorCriticPolicy):
    """``PolicyNetwork`` as actor and critic.

    What the observation says is illegal has no probability, with action masks or without: they can
    only forbid more. Deterministic play takes the likeliest card, then its likeliest cell; the
    lab's greedy mode takes the likeliest placement.

    Args:
        observation_space: the environment's, which has to be the game's.
        action_space: likewise.
        lr_schedule: of Stable-Baselines3.
        game: the game.
        sizes: of the network, by default the lab's usual ones.

    Raises:
        ConfigError: the observation space is not that of the game.
    """

    def __init__(
        self,
        observation_space: spaces.Space[Any],
        action_space: spaces.Space[Any],
        lr_schedule: Schedule,
        game: GameConfig,
        sizes: NetworkConfig | None = None,
    ) -> None:
        self.game = game
        self.sizes = sizes or NetworkConfig()
        super().__init__(
            observation_space,
            action_space,
            lr_schedule,
            ortho_init=False,
            features_extractor_class=SpeciesExtractor,
            features_extractor_kwargs={
                "game": game, "sizes": self.sizes, "trunk_class": PolicyNetwork,
            },
            optimizer_kwargs={"eps": 1e-5, "fused": True},
        )  # fmt: skip

    @property
    def network(self) -> PolicyNetwork:
        """What is learned."""
        return cast(PolicyNetwork, self._extractor.trunk)

    @property
    def _extractor(self) -> SpeciesExtractor:
        return cast(SpeciesExtractor, self.features_extractor)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        """What the library needs to make another one."""
        return {
            "observation_space": self.observation_space,
            "action_space": self.action_space,
            "lr_schedule": self._dummy_schedule,
            "game": self.game,
            "sizes": self.sizes,
        }

    def _build(self, lr_schedule: Schedule) -> None:
        """The heads are the network's: there is only the optimiser to make."""
        self.optimizer = torch.optim.Adam(
            self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs
        )

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """([B] actions, [B, 1] values, [B] log-probabilities)."""
        log_probs, legal, values = self.judge(obs, action_masks)
        actions = _choose(log_probs, legal, deterministic)
        return actions, values.unsqueeze(1), _pick(log_probs, actions)

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """([B, 1] values, [B] log-probabilities, [B] entropies)."""
        log_probs, legal, values = self.judge(obs, action_masks)
        return values.unsqueeze(1), _pick(log_probs, actions), masked_entropy(log_probs, legal)

    def predict_values(self, obs: Any) -> Tensor:
        """[B, 1] values, of finished games too."""
        z, pooled = self._extractor.run(self._extractor.views(obs))
        return self.network.value(z, pooled).unsqueeze(1)

    def get_distribution(self, obs: Any, action_masks: Any = None) -> MaskableDistribution:
        """sb3-contrib's distribution with this policy's log-probabilities for logits."""
        log_probs, legal, _ = self.judge(obs, action_masks)
        distribution = self.action_dist.proba_distribution(action_logits=log_probs)
        distribution.apply_masking(legal)
        return distribution

    def _predict(
        self, observation: Any, deterministic: bool = False, action_masks: Any = None
    ) -> Tensor:
        return self.forward(observation, deterministic, action_masks)[0]

    def judge(self, obs: Tensor, action_masks: Any = None) -> tuple[Tensor, Tensor, Tensor]:
        """What the policy thinks of B positions.

        Args:
            obs: [B, L].
            action_masks: [B, A], numbers or bool: what may be chosen among the legal actions.

        Returns:
            [B, A] log-probabilities, a huge negative where illegal; [B, A] bool legal; [B] values.

        Raises:
            ValueError: a position in which nothing may be chosen.
        """
        views = self._extractor.views(obs)
        z, pooled = self._extractor.run(views)
        legal = as_tensor(views.legal_action_mask()).to(z.device)
        if action_masks is not None:
            legal &= torch.as_tensor(action_masks, device=z.device).reshape(legal.shape) > 0
        logits = flat_logits(self.network, views, z, pooled)
        return masked_log_softmax(logits, legal), legal, self.network.value(z, pooled)


def flat_logits(network: PolicyNetwork, views: PlayerViews, z: Tensor, pooled: Tensor) -> Tensor:
    """[B, A] logits of the movers' decisions; those of illegal actions mean nothing.

    Args:
        network: whose heads.
        views: B views.
        z, pooled: what its trunk made of them.
    """
    slices = action_slices(views.config)
    logits = z.new_zeros(len(views), num_actions(views.config))
    draws = np.flatnonzero(views.phase <= Phase.DRAW_SECOND)
    if len(draws):
        at, tops = _to(z, draws), _to(z, pile_tops(views.select(draws)))
        columns = slice(0, slices["draw_discard"].stop)
        logits[at, columns] = network.draw_logits(z[at], pooled[at], tops)
    discards = np.flatnonzero(views.phase == Phase.DISCARD)
    if len(discards):
        at = _to(z, discards)
        logits[at, slices["discard_card"]] = network.discard_logits(z[at])
    options = placements(views)
    if len(options.card):
        _write_placements(network, options, z, views, logits)
    return logits


def _write_placements(
    network: PolicyNetwork, options: Placements, z: Tensor, views: PlayerViews, logits: Tensor
) -> None:
    """Fills the logits of cards in PLAY and of cells in PLACE."""
    rows = np.flatnonzero(options.counts)
    segments = Segments.from_lengths(as_tensor(options.counts[rows]).to(z.device))
    joint = network.placement_logits(
        z[_to(z, rows)], segments, _to(z, options.card), _to(z, options.gain),
        _to(z, options.features),
    )  # fmt: skip
    slices = action_slices(views.config)
    row = np.repeat(rows, options.counts[rows])
    in_place = views.phase[row] == Phase.PLACE
    cells = np.flatnonzero(in_place)
    if len(cells):
        columns = slices["place_cell"].start + options.cell[cells]
        logits[_to(z, row[cells]), _to(z, columns)] = joint[_to(z, cells)]
    ways = np.flatnonzero(~in_place)
    if len(ways):
        # All ways to plant a card stand together.
        key = row[ways] * views.config.num_cards + options.card[ways]
        first = np.flatnonzero(np.diff(key, prepend=-1))
        lengths = np.diff(first, append=len(key))
        marginal = segment_logsumexp(joint[_to(z, ways)], Segments.from_lengths(_to(z, lengths)))
        columns = slices["play_card"].start + options.card[ways[first]]
        logits[_to(z, row[ways[first]]), _to(z, columns)] = marginal


def _to(like: Tensor, array: NDArray[np.generic]) -> Tensor:
    """The array as a tensor on the device of another one."""
    return as_tensor(array).to(like.device)


def _choose(log_probs: Tensor, legal: Tensor, deterministic: bool) -> Tensor:
    """[B] actions: the likeliest, or drawn from torch's global generator as the library does."""
    if deterministic:
        return log_probs.argmax(dim=1)
    # exp of a huge negative number is slow on CPUs, and so is torch.multinomial.
    probabilities = log_probs.masked_fill(~legal, 0.0).exp() * legal
    uniform = torch.rand(len(log_probs), dtype=torch.float64)
    return _to(log_probs, sample_rows(probabilities.cpu().numpy(), uniform.numpy()))


def _pick(log_probs: Tensor, actions: Tensor) -> Tensor:
    return log_probs.gather(1, actions.long().reshape(-1, 1)).squeeze(1)
