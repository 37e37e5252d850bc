"""The losses of PPO, one pure function per equation.

All of them take a flat batch of ``B`` decisions and do not care which head made a decision or how
many choices it had: the log-probabilities come from ``arboretum_agents.neural.categorical``, where
illegal choices are already left out.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class PolicyLoss:
    """The clipped surrogate and what to watch about it."""

    loss: Tensor  # scalar, to be minimised
    approx_kl: Tensor  # scalar, detached: nats between the policy that acted and this one
    clip_fraction: Tensor  # scalar, detached: share of ratios outside 1 +- clip


def clipped_policy_loss(
    log_probs: Tensor, old_log_probs: Tensor, advantages: Tensor, *, clip: float
) -> PolicyLoss:
    """PPO's clipped surrogate objective, with its sign turned.

    loss = -mean(min(ratio A, clamp(ratio, 1 - clip, 1 + clip) A)),  ratio = exp(log p - log p_old)

    Args:
        log_probs: [B] of the choices made, under the policy being trained.
        old_log_probs: [B] of the same choices, under the policy that made them.
        advantages: [B], normalised or not.
        clip: epsilon, above 0.

    Source: Schulman et al. 2017, "Proximal Policy Optimization Algorithms" (arXiv:1707.06347),
    eq. 7; the KL is estimator k3 of Schulman 2020, "Approximating KL Divergence": never negative
    and of low variance.
    """
    log_ratio = log_probs - old_log_probs
    ratio = log_ratio.exp()
    clipped = ratio.clamp(1 - clip, 1 + clip)
    loss = -torch.minimum(ratio * advantages, clipped * advantages).mean()
    with torch.no_grad():
        approx_kl = (ratio - 1 - log_ratio).mean()
        clip_fraction = ((ratio - 1).abs() > clip).to(ratio.dtype).mean()
    return PolicyLoss(loss, approx_kl, clip_fraction)


def value_loss(
    values: Tensor,
    returns: Tensor,
    *,
    old_values: Tensor | None = None,
    clip: float | None = None,
) -> Tensor:
    """Half of the mean squared error of the value head.

    With ``clip``, a value may move no further than ``clip`` from ``old_values`` to its advantage:
    the larger of the clipped and the unclipped error counts.

    Args:
        values: [B] values being trained.
        returns: [B] their targets.
        old_values: [B] values when the decisions were made; needed with ``clip``, else ignored.
        clip: largest move, or None for the plain error.

    Raises:
        ValueError: ``clip`` without ``old_values``.

    Source: Schulman et al. 2017, eq. 9; the clipping is OpenAI Baselines' `ppo2`, see Engstrom et
    al. 2020, "Implementation Matters in Deep Policy Gradients" (arXiv:2005.12729).
    """
    error = (values - returns).square()
    if clip is not None:
        if old_values is None:
            raise ValueError("value clipping needs old_values: expected the values of the rollout")
        clipped = old_values + (values - old_values).clamp(-clip, clip)
        error = torch.maximum(error, (clipped - returns).square())
    return 0.5 * error.mean()


def normalised(advantages: Tensor, epsilon: float = 1e-8) -> Tensor:
    """Advantages [B] with mean 0 and standard deviation 1 over the batch.

    The deviation is the population's, so that a batch of one gives 0 and not NaN.
    """
    centred = advantages - advantages.mean()
    return centred / (centred.square().mean().sqrt() + epsilon)


def explained_variance(values: Tensor, returns: Tensor) -> float:
    """1 - Var(returns - values) / Var(returns): 1 is a perfect critic, 0 one that knows the mean.

    NaN when all returns are equal: there is nothing to explain.
    """
    variance = float(returns.var(correction=0))
    if variance == 0:
        return math.nan
    return 1 - float((returns - values).var(correction=0)) / variance
