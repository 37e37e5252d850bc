"""Compiled products of segments: the numbers and gradients of torch's operations."""

import pytest
import torch
from torch import Tensor

from arboretum_agents.neural.categorical import Segments
from arboretum_agents.neural.segment_products import hidden_products, products_by_segment
from arboretum_env.features.placements import PLACEMENT_FEATURES

SEGMENTS = Segments.from_lengths(torch.tensor([3, 1, 40, 2]))
SIZES = {"rows": (46, len(PLACEMENT_FEATURES)), "weight": (7, 16), "bias": (7,), "vectors": (4, 7)}


def drawn(dtype: torch.dtype) -> dict[str, Tensor]:
    generator = torch.Generator().manual_seed(3)
    return {
        name: torch.randn(size, dtype=dtype, generator=generator) for name, size in SIZES.items()
    }


def by_torch(rows: Tensor, weight: Tensor, bias: Tensor, vectors: Tensor) -> Tensor:
    spread = vectors.repeat_interleave(SEGMENTS.lengths, dim=0)
    return ((rows @ weight.T + bias).relu() * spread).sum(1)


def test_products_are_of_rows_with_their_segments_vector() -> None:
    vectors = torch.tensor([[1.0, 2.0], [3.0, -1.0]], requires_grad=True)
    rows = torch.tensor([[1.0, 1.0], [0.0, 5.0], [2.0, 4.0]])
    found = products_by_segment(vectors, rows, Segments.from_lengths(torch.tensor([1, 2])))
    assert found.tolist() == [3, -5, 2]
    [of_vectors] = torch.autograd.grad((found * torch.tensor([10.0, 1.0, 2.0])).sum(), vectors)
    assert of_vectors.tolist() == [[10, 10], [4, 13]]


def test_the_gradient_of_products_is_that_of_small_steps() -> None:
    generator = torch.Generator().manual_seed(3)
    vectors, rows = (
        torch.randn(number, 5, dtype=torch.float64, generator=generator) for number in (4, 46)
    )
    assert torch.autograd.gradcheck(
        lambda vectors: products_by_segment(vectors, rows, SEGMENTS), vectors.requires_grad_()
    )


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_a_hidden_layers_products_are_torchs(dtype: torch.dtype) -> None:
    given = drawn(dtype)
    learned = [given[name].requires_grad_() for name in ("weight", "bias", "vectors")]
    expected = by_torch(**given)
    found = hidden_products(*given.values(), SEGMENTS)
    assert found.dtype == dtype
    tolerance = 100 * torch.finfo(dtype).eps
    assert torch.allclose(found, expected, atol=tolerance, rtol=tolerance)
    weights = torch.randn(46, dtype=dtype, generator=torch.Generator().manual_seed(4))
    mine, torchs = (
        torch.autograd.grad((each * weights).sum(), learned) for each in (found, expected)
    )
    for of_mine, of_torch in zip(mine, torchs, strict=True):
        assert of_mine.dtype == dtype
        assert torch.allclose(of_mine, of_torch, atol=tolerance, rtol=tolerance)


def test_the_gradient_of_a_hidden_layers_products_is_that_of_small_steps() -> None:
    rows, *learned = drawn(torch.float64).values()
    assert torch.autograd.gradcheck(
        lambda *learned: hidden_products(rows, *learned, SEGMENTS),
        [tensor.requires_grad_() for tensor in learned],
    )


def test_a_row_gives_the_same_bytes_whatever_stands_beside_it() -> None:
    rows, weight, bias, vectors = drawn(torch.float32).values()
    together = hidden_products(rows, weight, bias, vectors, SEGMENTS)
    for segment, (first, end) in enumerate(zip([0, 3, 4, 44], [3, 4, 44, 46], strict=True)):
        for row in range(first, end):
            alone = hidden_products(
                rows[row : row + 1], weight, bias, vectors[segment : segment + 1],
                Segments.from_lengths(torch.tensor([1])),
            )  # fmt: skip
            assert alone[0] == together[row]


@pytest.mark.parametrize("name", SIZES)
def test_what_is_no_number_is_passed_on(name: str) -> None:
    """In value and in gradient, so that a training that diverged is seen to have."""
    given = drawn(torch.float32)
    given[name].view(-1)[0] = torch.nan
    found = hidden_products(*given.values(), SEGMENTS)
    assert torch.equal(found.isnan(), by_torch(**given).isnan())
    assert found.isnan().any()


def test_bad_input_is_refused() -> None:
    rows, weight, bias, vectors = drawn(torch.float32).values()
    with pytest.raises(ValueError, match="rows of 15 numbers: expected 16, PLACEMENT_FEATURES"):
        hidden_products(rows[:, 1:], weight[:, 1:], bias, vectors, SEGMENTS)
    rows.requires_grad_()
    for product in (
        lambda: products_by_segment(vectors @ weight, rows, SEGMENTS),
        lambda: hidden_products(rows, weight, bias, vectors, SEGMENTS),
    ):
        with pytest.raises(ValueError, match="rows that need a gradient"):
            product()
