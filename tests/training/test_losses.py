"""PPO's losses against numbers worked out by hand, and their gradients."""

import math

import pytest
import torch

from arboretum_training.losses import (
    clipped_policy_loss,
    explained_variance,
    normalised,
    value_loss,
)


def test_clipped_surrogate_by_hand() -> None:
    # ratios 1.5, 1.5, .5, .5, 1.1 with advantages 1, -1, 1, -1, 2 and clip .2:
    # min(1.5, 1.2) = 1.2; min(-1.5, -1.2) = -1.5; min(.5, .8) = .5; min(-.5, -.8) = -.8; 2.2
    # mean = 1.6 / 5 = .32
    ratios = torch.tensor([1.5, 1.5, 0.5, 0.5, 1.1], dtype=torch.float64)
    old = torch.log(torch.tensor([0.2, 0.3, 0.4, 0.5, 0.6], dtype=torch.float64))
    result = clipped_policy_loss(
        old + ratios.log(), old, torch.tensor([1.0, -1.0, 1.0, -1.0, 2.0]), clip=0.2
    )
    assert float(result.loss) == pytest.approx(-0.32)
    # k3 = mean(ratio - 1 - log ratio), each term positive
    expected = (2 * (0.5 - math.log(1.5)) + 2 * (-0.5 - math.log(0.5)) + 0.1 - math.log(1.1)) / 5
    assert float(result.approx_kl) == pytest.approx(expected)
    assert float(result.clip_fraction) == pytest.approx(0.8)


def test_gradient_stops_where_the_clip_binds() -> None:
    # Of the four corners only "too likely and bad" and "too unlikely and good" still push back.
    old = torch.zeros(4, dtype=torch.float64)
    log_probs = torch.log(torch.tensor([1.5, 1.5, 0.5, 0.5], dtype=torch.float64)).requires_grad_()
    advantages = torch.tensor([1.0, -1.0, 1.0, -1.0], dtype=torch.float64)
    clipped_policy_loss(log_probs, old, advantages, clip=0.2).loss.backward()
    # d loss / d log p = -ratio * A / B
    assert log_probs.grad is not None
    assert log_probs.grad.tolist() == pytest.approx([0.0, 1.5 / 4, -0.5 / 4, 0.0])


def test_same_policy_has_ratio_one() -> None:
    log_probs = torch.tensor([-0.1, -2.0, -3.0])
    result = clipped_policy_loss(log_probs, log_probs, torch.tensor([1.0, 2.0, -6.0]), clip=0.2)
    assert float(result.loss) == 1.0
    assert float(result.approx_kl) == 0.0
    assert float(result.clip_fraction) == 0.0
    assert not result.approx_kl.requires_grad


def test_value_loss_by_hand() -> None:
    values, returns = torch.tensor([1.0, 0.0, -1.0]), torch.tensor([0.0, 2.0, -1.0])
    assert float(value_loss(values, returns)) == pytest.approx(0.5 * (1 + 4 + 0) / 3)


def test_clipped_value_loss_by_hand() -> None:
    # old 0: moves +1, -.1, +1 are clipped at .2 to .2, -.1, .2; targets 1, 1, 0
    # plain errors 0, 1.21, 1; clipped errors .64, 1.21, .04; the larger: .64, 1.21, 1
    values, returns = torch.tensor([1.0, -0.1, 1.0]), torch.tensor([1.0, 1.0, 0.0])
    loss = value_loss(values, returns, old_values=torch.zeros(3), clip=0.2)
    assert float(loss) == pytest.approx(0.5 * (0.64 + 1.21 + 1.0) / 3)


def test_value_clip_without_old_values_is_refused() -> None:
    with pytest.raises(ValueError, match="needs old_values"):
        value_loss(torch.zeros(2), torch.zeros(2), clip=0.2)


def test_normalised_advantages() -> None:
    result = normalised(torch.tensor([1.0, 2.0, 3.0, 4.0]))
    # mean 2.5, population deviation sqrt(1.25)
    assert result.tolist() == pytest.approx([x / math.sqrt(1.25) for x in (-1.5, -0.5, 0.5, 1.5)])
    assert normalised(torch.tensor([7.0])).tolist() == [0.0]
    assert normalised(torch.tensor([7.0, 7.0])).tolist() == [0.0, 0.0]


def test_explained_variance_by_hand() -> None:
    returns = torch.tensor([0.0, 2.0, 4.0])
    assert explained_variance(returns, returns) == 1.0
    assert explained_variance(torch.full((3,), 2.0), returns) == 0.0
    # residuals 0, 1, 2: variance 2/3 of 8/3
    assert explained_variance(torch.tensor([0.0, 1.0, 2.0]), returns) == pytest.approx(0.75)
    # a constant error is explained: the measure is about variance, the loss is about bias
    assert explained_variance(returns + 5, returns) == 1.0
    assert math.isnan(explained_variance(returns, torch.ones(3)))
