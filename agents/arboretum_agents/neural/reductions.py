"""Sums and maxima whose gradients torch would compute the long way.

What comes out is what torch's own operations give; the backward passes read memory less often. They
made up a third of an update.

``B`` views, ``S`` species, ``H`` units; ``M`` rows in ``N`` segments, ``K`` columns.
"""

from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - torch's own customary name
from torch import Tensor

from arboretum_agents.neural.categorical import Segments


def mean_and_maximum(values: Tensor) -> Tensor:
    """[B, 2 H] mean and maximum over the species of [B, S, H].

    Equal maxima share the gradient, as with ``amax``.
    """
    if not values.requires_grad:
        return torch.cat([values.mean(dim=1), values.amax(dim=1)], dim=1)
    pooled: Tensor = _MeanAndMaximum.apply(values)  # type: ignore[no-untyped-call]
    return pooled


class _MeanAndMaximum(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, values: Tensor) -> Tensor:
        largest = values.amax(dim=1)
        ctx.save_for_backward(values, largest)
        return torch.cat([values.mean(dim=1), largest], dim=1)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        values, largest = ctx.saved_tensors
        of_mean, of_largest = gradients[0].chunk(2, dim=1)
        species = values.shape[1]
        # 1 below the maximum, 0 at it. Masks of type bool would be several times as slow.
        short = largest.unsqueeze(1) - values
        ones = short.new_ones(()).expand_as(short)
        below = torch.ops.aten.threshold_backward(ones, short, 0.0)
        of_largest = of_largest / (species - below.sum(dim=1))
        everywhere = of_mean / species + of_largest
        return torch.addcmul(everywhere.unsqueeze(1), below, of_largest.unsqueeze(1), value=-1)


def products_by_segment(vectors: Tensor, rows: Tensor, segments: Segments) -> Tensor:
    """[M] product of every row with its segment's vector.

    Args:
        vectors: [N, K], one for each segment.
        rows: [M, K].
        segments: which rows belong to which vector.
    """
    products: Tensor = _Products.apply(  # type: ignore[no-untyped-call]
        vectors, rows, segments.lengths, segments.offsets[:-1]
    )
    return products


class _Products(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, vectors: Tensor, rows: Tensor, lengths: Tensor, first: Tensor) -> Tensor:
        spread = vectors.repeat_interleave(lengths, dim=0, output_size=len(rows))
        ctx.save_for_backward(rows, spread, first)
        # No product with ones: what a row sums to would depend on how many rows there are.
        return (spread * rows).sum(dim=1)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, Tensor | None, None, None]:
        rows, spread, first = ctx.saved_tensors
        of_vectors = of_rows = None
        if ctx.needs_input_grad[0]:
            # A weighted sum of the rows of each segment, the fastest that torch has.
            index = torch.arange(len(rows), device=rows.device)
            of_vectors = F.embedding_bag(
                index, rows, first, mode="sum", per_sample_weights=gradients[0]
            )
        if ctx.needs_input_grad[1]:
            of_rows = gradients[0].unsqueeze(1) * spread
        return of_vectors, of_rows, None, None
