"""Products of the rows of a flat array with the vector of their segment, compiled.

A position has some hundred placements, so what is computed for each of them made up a quarter of an
update. Here a placement's numbers stay in the processor's registers; torch's operations would write
each of their results to memory, and read it again.

``M`` rows in ``N`` segments, ``I`` features of a placement, ``H`` hidden units, ``K`` columns.
"""

from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.autograd.function import once_differentiable

from arboretum_agents.neural.categorical import Segments
from arboretum_env.compile import kernel
from arboretum_env.features.placements import PLACEMENT_FEATURES

_INPUTS: Final = len(PLACEMENT_FEATURES)
"""I. A number that the compiler knows: it unrolls the loop over them, which is twice as fast."""
_SUMS: Final = {"reassoc", "contract"}
"""Sums may be taken in any order, as in torch's products, so that they fill vector registers. What
a row gives depends on nothing but that row and its vector."""


def products_by_segment(vectors: Tensor, rows: Tensor, segments: Segments) -> Tensor:
    """[M] product of every row with its segment's vector.

    Args:
        vectors: [N, K], one for each segment; differentiated through.
        rows: [M, K], inputs of a network.
        segments: which rows belong to which vector.

    Raises:
        ValueError: rows that need a gradient.
    """
    _check_inputs(rows)
    products: Tensor = _Products.apply(vectors, rows, segments.offsets)  # type: ignore[no-untyped-call]
    return products


def hidden_products(
    rows: Tensor, weight: Tensor, bias: Tensor, vectors: Tensor, segments: Segments
) -> Tensor:
    """[M] product of a rectified layer over every row with its segment's vector.

    That is ``(relu(rows @ weight.T + bias) * spread(vectors)).sum(1)``.

    Args:
        rows: [M, I] ``PLACEMENT_FEATURES``.
        weight, bias: [H, I] and [H], of the layer; differentiated through.
        vectors: [N, H], one for each segment; differentiated through.
        segments: which rows belong to which vector.

    Raises:
        ValueError: rows that need a gradient, or of another length.
    """
    _check_inputs(rows)
    if rows.shape[1] != _INPUTS:
        raise ValueError(f"rows of {rows.shape[1]} numbers: expected {_INPUTS}, PLACEMENT_FEATURES")
    products: Tensor = _HiddenProducts.apply(  # type: ignore[no-untyped-call]
        rows, weight, bias, vectors, segments.offsets
    )
    return products


def _check_inputs(rows: Tensor) -> None:
    if rows.requires_grad:
        raise ValueError("rows that need a gradient: expected inputs of a network, which need none")


def _array(tensor: Tensor) -> NDArray[Any]:
    """The tensor's memory, or a copy of it if it is on another device or strided."""
    return tensor.detach().cpu().contiguous().numpy()


class _Products(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, vectors: Tensor, rows: Tensor, offsets: Tensor) -> Tensor:
        ctx.save_for_backward(rows, offsets)
        out = np.empty(len(rows), _array(rows).dtype)
        _products(_array(vectors), _array(rows), _array(offsets), out)
        return torch.from_numpy(out).to(rows.device)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:
        rows, offsets = ctx.saved_tensors
        of_vectors = np.zeros((len(offsets) - 1, rows.shape[1]), _array(rows).dtype)
        _products_backward(_array(rows), _array(offsets), _array(gradient), of_vectors)
        return torch.from_numpy(of_vectors).to(rows.device), None, None


class _HiddenProducts(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, rows: Tensor, weight: Tensor, bias: Tensor, vectors: Tensor, offsets: Tensor
    ) -> Tensor:
        ctx.save_for_backward(rows, weight, bias, vectors, offsets)
        out = np.empty(len(rows), _array(rows).dtype)
        _hidden_products(
            _array(rows), _array(weight.t()), _array(bias), _array(vectors), _array(offsets), out
        )
        return torch.from_numpy(out).to(rows.device)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[None, Tensor, Tensor, Tensor, None]:
        rows, weight, bias, vectors, offsets = ctx.saved_tensors
        back = np.empty((len(rows), len(bias)), _array(rows).dtype)
        of_vectors = np.zeros(vectors.shape, back.dtype)
        _hidden_products_backward(
            _array(rows), _array(weight.t()), _array(bias), _array(vectors), _array(offsets),
            _array(gradient), back, of_vectors,
        )  # fmt: skip
        of_layer = torch.from_numpy(back).to(rows.device)
        of_vectors_too = torch.from_numpy(of_vectors).to(rows.device)
        return None, of_layer.t() @ rows, of_layer.sum(dim=0), of_vectors_too, None


@kernel(fastmath=_SUMS)
def _products(vectors, rows, offsets, out):  # type: ignore[no-untyped-def]
    for n in range(len(vectors)):
        for m in range(offsets[n], offsets[n + 1]):
            total = out.dtype.type(0)
            for k in range(rows.shape[1]):
                total += rows[m, k] * vectors[n, k]
            out[m] = total


@kernel(fastmath=_SUMS)
def _products_backward(rows, offsets, gradient, of_vectors):  # type: ignore[no-untyped-def]
    for n in range(len(of_vectors)):
        for m in range(offsets[n], offsets[n + 1]):
            for k in range(rows.shape[1]):
                of_vectors[n, k] += gradient[m] * rows[m, k]


@kernel(fastmath=_SUMS)
def _hidden_products(rows, weight, bias, vectors, offsets, out):  # type: ignore[no-untyped-def]
    """Fills ``out`` [M]; ``weight`` is [I, H]."""
    nothing = bias.dtype.type(0)
    for n in range(len(vectors)):
        for m in range(offsets[n], offsets[n + 1]):
            total = nothing
            for h in range(len(bias)):
                unit = bias[h]
                for i in range(_INPUTS):
                    unit += rows[m, i] * weight[i, h]
                # Not max(): what is no number has to be passed on.
                total += vectors[n, h] * (nothing if unit <= 0 else unit)
            out[m] = total


@kernel(fastmath=_SUMS)
def _hidden_products_backward(  # type: ignore[no-untyped-def]
    rows, weight, bias, vectors, offsets, gradient, back, of_vectors
):
    """Fills ``back`` [M, H], the gradient before rectifying; adds to ``of_vectors``."""
    nothing = bias.dtype.type(0)
    for n in range(len(vectors)):
        for m in range(offsets[n], offsets[n + 1]):
            for h in range(len(bias)):
                unit = bias[h]
                for i in range(_INPUTS):
                    unit += rows[m, i] * weight[i, h]
                of_vectors[n, h] += gradient[m] * (nothing if unit <= 0 else unit)
                back[m, h] = nothing if unit <= 0 else gradient[m] * vectors[n, h]
