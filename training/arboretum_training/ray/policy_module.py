"""The lab's own network as an ``RLModule`` of RLlib, over the flat action space (``flat_policy``).

``B`` observations, ``A`` actions.
"""

from typing import Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule
from torch import Tensor

from arboretum_agents.neural.categorical import masked_log_softmax
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_agents.neural.network_config import NetworkConfig
from arboretum_env.config import GameConfig
from arboretum_env.view import PlayerViews
from arboretum_training.flat_policy import choose_actions, flat_logits, log_prob_of, run_trunk


class PolicyModule(TorchRLModule, ValueFunctionAPI):  # type: ignore[misc]  # ray is untyped
    """``PolicyNetwork`` as actor and critic.

    Observations are those of ``Arboretum-v0`` with the mask in them: what the mask forbids has no
    probability. Its ``model_config`` has ``game`` and ``network`` as plain data.

    Attributes:
        game: the game.
        network: what is learned.
    """

    def setup(self) -> None:
        """Makes the network; its weights are drawn from torch's global generator."""
        self.game = GameConfig.model_validate(self.model_config["game"])
        sizes = NetworkConfig.model_validate(self.model_config["network"])
        self.network = PolicyNetwork(self.game, sizes)

    def _forward_exploration(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return self._act(batch, deterministic=False)

    def _forward_inference(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return self._act(batch, deterministic=True)

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        log_probs, _, values = self.judge(batch[Columns.OBS])
        # RLlib asks for the values in a second call, and hands these over.
        return {Columns.ACTION_DIST_INPUTS: log_probs, Columns.EMBEDDINGS: values}

    def compute_values(self, batch: dict[str, Any], embeddings: Tensor | None = None) -> Tensor:
        """[B] values, of finished games too."""
        if embeddings is not None:
            return embeddings
        z, pooled = run_trunk(self.network, self._views(batch[Columns.OBS]))
        return self.network.value(z, pooled)

    def judge(self, observations: dict[str, Tensor]) -> tuple[Tensor, Tensor, Tensor]:
        """What the policy thinks of B positions.

        Args:
            observations: ``observation`` [B, L] and ``action_mask`` [B, A].

        Returns:
            [B, A] log-probabilities, a huge negative where illegal; [B, A] bool legal; [B] values.
        """
        views = self._views(observations)
        z, pooled = run_trunk(self.network, views)
        legal = observations["action_mask"] > 0
        # RLlib lengthens every episode by its last observation, for the value alone: a position
        # that may be a finished game, where nothing is legal.
        legal = legal | ~legal.any(dim=1, keepdim=True)
        log_probs = masked_log_softmax(flat_logits(self.network, views, z, pooled), legal)
        return log_probs, legal, self.network.value(z, pooled)

    def _act(self, batch: dict[str, Any], deterministic: bool) -> dict[str, Any]:
        with torch.no_grad():
            log_probs, legal, _ = self.judge(batch[Columns.OBS])
        actions = choose_actions(log_probs, legal, deterministic)
        return {
            Columns.ACTIONS: actions,
            Columns.ACTION_LOGP: log_prob_of(log_probs, actions),
            Columns.ACTION_DIST_INPUTS: log_probs,
        }

    def _views(self, observations: dict[str, Tensor]) -> PlayerViews:
        return PlayerViews(self.game, observations["observation"].to("cpu", torch.int8).numpy())
