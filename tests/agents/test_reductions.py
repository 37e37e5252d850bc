"""Reductions with backward passes of their own: the numbers and gradients of torch's operations."""

import pytest
import torch
from torch import Tensor

from arboretum_agents.neural.categorical import Segments
from arboretum_agents.neural.reductions import mean_and_maximum, products_by_segment


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


def test_products_are_of_rows_with_their_segments_vector() -> None:
    vectors = torch.tensor([[1.0, 2.0], [3.0, -1.0]], requires_grad=True)
    rows = torch.tensor([[1.0, 1.0], [0.0, 5.0], [2.0, 4.0]], requires_grad=True)
    segments = Segments.from_lengths(torch.tensor([1, 2]))
    found = products_by_segment(vectors, rows, segments)
    assert found.tolist() == [3, -5, 2]
    of_vectors, of_rows = gradients(found, [vectors, rows], torch.tensor([10.0, 1.0, 2.0]))
    assert of_vectors.tolist() == [[10, 10], [4, 13]]
    assert of_rows.tolist() == [[10, 20], [3, -1], [6, -2]]


def test_the_gradient_of_products_is_that_of_small_steps() -> None:
    generator = torch.Generator().manual_seed(3)
    segments = Segments.from_lengths(torch.tensor([3, 1, 4]))
    vectors, rows = (
        torch.randn(number, 5, dtype=torch.float64, generator=generator).requires_grad_()
        for number in (3, 8)
    )
    assert torch.autograd.gradcheck(
        lambda vectors, rows: products_by_segment(vectors, rows, segments), (vectors, rows)
    )
    # Inputs of the network need no gradient.
    found = products_by_segment(vectors, rows.detach(), segments)
    [of_vectors] = gradients(found, [vectors], torch.ones(8, dtype=torch.float64))
    sums = [rows[:3].sum(0), rows[3], rows[4:].sum(0)]
    assert torch.allclose(of_vectors, torch.stack(sums))
