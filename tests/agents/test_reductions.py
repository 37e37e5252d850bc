"""Reductions with backward passes of their own: the numbers and gradients of torch's operations."""

import pytest
import torch
from torch import Tensor

from arboretum_agents.neural.reductions import mean_and_maximum


def gradients(result: Tensor, inputs: list[Tensor], weights: Tensor) -> list[Tensor]:
    return list(torch.autograd.grad((result * weights).sum(), inputs))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_mean_and_maximum_are_torchs_with_ties(dtype: torch.dtype) -> None:
    generator = torch.Generator().manual_seed(1)
    values = torch.randint(-2, 3, (7, 4, 5), generator=generator).to(dtype).requires_grad_()
    weights = torch.randint(1, 9, (7, 10), generator=generator).to(dtype)
    ties = (values == values.amax(1, keepdim=True)).sum(1)
    assert {1, 2, 3} <= set(ties.flatten().tolist())
    expected = torch.cat([values.mean(1), values.amax(1)], 1)
    found = mean_and_maximum(values)
    assert torch.equal(found, expected)
    assert torch.equal(mean_and_maximum(values.detach()), expected)
    [mine], [torchs] = (gradients(result, [values], weights) for result in (found, expected))
    assert torch.allclose(mine, torchs, rtol=4 * torch.finfo(dtype).eps)


def test_the_gradient_of_mean_and_maximum_is_that_of_small_steps() -> None:
    values = torch.randn(3, 4, 2, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
    assert torch.autograd.gradcheck(mean_and_maximum, (values.requires_grad_(),))
