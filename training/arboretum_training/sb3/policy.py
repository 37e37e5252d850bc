"""The lab's own network as a policy of sb3-contrib, over the flat action space (``flat_policy``).

``B`` views, ``A`` actions.
"""

from typing import Any, cast

import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from torch import Tensor

from arboretum_agents.neural.categorical import masked_entropy, masked_log_softmax
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_agents.neural.network_config import NetworkConfig
from arboretum_agents.neural.policy import as_tensor
from arboretum_env.config import GameConfig
from arboretum_training.flat_policy import choose_actions, flat_logits, log_prob_of
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
        actions = choose_actions(log_probs, legal, deterministic)
        return actions, values.unsqueeze(1), log_prob_of(log_probs, actions)

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """([B, 1] values, [B] log-probabilities, [B] entropies)."""
        log_probs, legal, values = self.judge(obs, action_masks)
        return (
            values.unsqueeze(1),
            log_prob_of(log_probs, actions),
            masked_entropy(log_probs, legal),
        )

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
