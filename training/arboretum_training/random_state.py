"""Random states as plain data, so that a resumed run draws on where it stopped."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from arboretum_env.errors import CheckpointError


def numpy_states(generators: Mapping[str, np.random.Generator]) -> dict[str, Any]:
    """States of numpy generators by name, as data that JSON holds exactly.

    Generators of several numpy bit generators differ in what they keep; arrays become lists with
    their type beside them.
    """
    return {name: _to_data(generator.bit_generator.state) for name, generator in generators.items()}


def restore_numpy(states: Mapping[str, Any], generators: Mapping[str, np.random.Generator]) -> None:
    """Set generators, in place, to the states that ``numpy_states`` gave.

    Raises:
        CheckpointError: a generator without a state, a state without a generator, or a state of
            another kind of generator. Silently drawing from elsewhere is fault 19 of
            docs/promises.md.
    """
    _check_names(states, generators)
    for name, generator in generators.items():
        kind = type(generator.bit_generator).__name__
        try:
            generator.bit_generator.state = _from_data(states[name])
        except (KeyError, OverflowError, TypeError, ValueError) as error:
            raise CheckpointError(
                f"random state {name!r}: expected one of {kind}: {error}"
            ) from error


def _check_names(states: Mapping[str, Any], generators: Mapping[str, Any]) -> None:
    if states.keys() != generators.keys():
        raise CheckpointError(
            f"random states {sorted(states)}: expected {sorted(generators)}, one a generator"
        )


def _to_data(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _to_data(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return {"dtype": value.dtype.name, "values": value.tolist()}
    return value if isinstance(value, str) else int(value)


def _from_data(value: Any) -> Any:
    if isinstance(value, dict):
        if value.keys() == {"dtype", "values"}:
            return np.array(value["values"], np.dtype(value["dtype"]))
        return {key: _from_data(item) for key, item in value.items()}
    return value
