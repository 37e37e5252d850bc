"""Which exceptions are the user's to mend, and the one line that says how."""

import errno
import json
from typing import Final

import pydantic
import yaml

from arboretum_env.errors import ArboretumError
from arboretum_env.option_faults import fault_text

EXTRA_OF_MODULE: Final[dict[str, str]] = {
    "torch": "train",
    "safetensors": "train",
    "tensorboard": "train",
    "scipy": "train",
    "choix": "train",
    "matplotlib": "train",
    "stable_baselines3": "sb3",
    "sb3_contrib": "sb3",
    "ray": "ray",
    "resvg_py": "render",
    "onnx": "export",
    "onnxscript": "export",
    "onnxruntime": "onnx",
    "pyarrow": "research",
    "fastapi": "web",
    "uvicorn": "web",
}
"""Optional library -> the extra that brings it."""

_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def explain(error: Exception) -> str | None:
    """One line for an error that bad input or a missing extra explains, else ``None``.

    A plain ``ValueError`` or ``KeyError`` is a fault of ours, and keeps its traceback.

    >>> explain(ArboretumError("7 players: expected 2, 3 or 4"))
    '7 players: expected 2, 3 or 4'
    >>> explain(OSError(28, "No space left on device"))
    'cannot be written: No space left on device'
    >>> explain(KeyError("seat")) is None
    True
    """
    message: str | None
    match error:
        case ArboretumError():
            message = str(error)
        case pydantic.ValidationError():
            message = _explain_validation(error)
        case yaml.YAMLError():
            message = f"not valid YAML: {error}"
        case json.JSONDecodeError():
            message = f"not valid JSON: {error}"
        case UnicodeDecodeError():
            message = f"not UTF-8 text: {error.reason} at byte {error.start}"
        case OSError() if error.filename is not None:
            message = f"{error.filename}: {error.strerror}"
        case OSError() if error.errno in _NO_ROOM:  # writing knows no file name
            message = f"cannot be written: {error.strerror}"
        case ModuleNotFoundError() if _extra_of(error) is not None:
            message = (
                f"this needs {error.name}, which is not installed: "
                f"pip install 'arboretum-lab[{_extra_of(error)}]'"
            )
        case _:
            return None
    return " ".join(message.split())


def _extra_of(error: ModuleNotFoundError) -> str | None:
    return EXTRA_OF_MODULE.get((error.name or "").partition(".")[0])


def _explain_validation(error: pydantic.ValidationError) -> str:
    """``ppo.clip -1: expected more than 0``, one such part for every fault."""
    return "; ".join(map(fault_text, error.errors(include_url=False)))
