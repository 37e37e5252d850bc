"""An optimiser's state as named tensors and plain data.

torch numbers parameters; here they go by their names in the model, so that a checkpoint says what
it holds and a state cannot land on another parameter.
"""

from collections.abc import Mapping
from typing import Any

from torch import Tensor
from torch.nn import Module
from torch.optim import Optimizer

from arboretum_env.errors import CheckpointError


def optimizer_state(
    optimizer: Optimizer, model: Module
) -> tuple[dict[str, Tensor], list[dict[str, Any]]]:
    """State of an optimiser over parameters of ``model``.

    Returns:
        Tensors by ``slot/parameter``, e.g. ``exp_avg/trunk.weight``, and the parameter groups:
        their options and the names of their parameters.
    """
    names = _names(optimizer, model)
    state = optimizer.state_dict()
    tensors = {
        f"{slot}/{names[index]}": tensor
        for index, slots in state["state"].items()
        for slot, tensor in slots.items()
    }
    groups = [
        {**group, "params": [names[index] for index in group["params"]]}
        for group in state["param_groups"]
    ]
    return tensors, groups


def restore_optimizer(
    optimizer: Optimizer,
    model: Module,
    tensors: Mapping[str, Tensor],
    groups: list[dict[str, Any]],
) -> None:
    """Set an optimiser, in place, to the state that ``optimizer_state`` gave.

    Raises:
        CheckpointError: other parameters, or tensors of another shape.
    """
    names = _names(optimizer, model)
    index_of = {name: index for index, name in enumerate(names)}
    saved = [name for group in groups for name in group["params"]]
    if saved != names:
        raise CheckpointError(
            f"optimiser state of {len(saved)} parameters ({', '.join(saved[:3])} ...): expected "
            f"{len(names)} ({', '.join(names[:3])} ...)"
        )
    shapes = {name: parameter.shape for name, parameter in model.named_parameters()}
    state: dict[int, dict[str, Tensor]] = {}
    for key, tensor in tensors.items():
        slot, _, name = key.partition("/")
        # Single numbers, such as Adam's step, are scalars; all other slots are like the parameter.
        if name not in index_of or (tensor.ndim > 0 and tensor.shape != shapes[name]):
            raise CheckpointError(
                f"optimiser state {key!r} of shape {tuple(tensor.shape)}: expected one like its "
                "parameter"
            )
        # A copy: torch keeps what it is given, and changes it with every step.
        state.setdefault(index_of[name], {})[slot] = tensor.clone()
    optimizer.load_state_dict(
        {"state": state, "param_groups": _as_torch_has_them(groups, index_of)}
    )


def _names(optimizer: Optimizer, model: Module) -> list[str]:
    """Names of the optimiser's parameters, in the order in which torch numbers them."""
    name_of = {id(parameter): name for name, parameter in model.named_parameters()}
    return [name_of[id(p)] for group in optimizer.param_groups for p in group["params"]]


def _as_torch_has_them(
    groups: list[dict[str, Any]], index_of: Mapping[str, int]
) -> list[dict[str, Any]]:
    return [
        {
            # JSON has no tuples; torch's own list, of parameters, is set below.
            **{key: tuple(v) if isinstance(v, list) else v for key, v in group.items()},
            "params": [index_of[name] for name in group["params"]],
        }
        for group in groups
    ]
