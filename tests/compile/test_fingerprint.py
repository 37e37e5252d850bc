"""A fingerprint differs where the machine code may, and is the same in every process."""

import subprocess
import sys
from collections.abc import Callable
from enum import IntEnum
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from arboretum_env import phase
from arboretum_env.compile import kernel
from arboretum_env.engine import layout
from arboretum_env.fingerprint import fingerprint

MIX = np.uint64(3)
TABLE = np.arange(3)
SIZES = (1, 2.5, "x")


class Colour(IntEnum):
    RED = 1


@kernel
def inner(x: int) -> int:
    return x + SIZES[0]


@kernel
def outer(x: int) -> int:
    if str(x) in {"one", "two", "three", "four", "five"}:  # in another order in every process
        return inner(x) + TABLE[0]
    return MIX + layout.MAX_CARDS + Colour.RED + np.int64(x)


@kernel
def selfish(x: int) -> int:
    return selfish(x - 1) if x > 0 else inner(x)


Patch = Callable[[pytest.MonkeyPatch, ModuleType], None]


def set_global(name: str, value: Any) -> Patch:
    return lambda patch, module: patch.setattr(module, name, value)


def set_layout(patch: pytest.MonkeyPatch, module: ModuleType) -> None:
    patch.setattr(layout, "MAX_CARDS", 81)


def set_version(patch: pytest.MonkeyPatch, module: ModuleType) -> None:
    patch.setattr(np, "__version__", "9")


@pytest.mark.parametrize(
    "change",
    [
        set_global("MIX", np.uint64(4)),
        set_global("MIX", np.int64(3)),  # the same number of another type
        set_global("TABLE", np.arange(3)[::-1]),
        set_global("TABLE", np.arange(3).view(np.uint64)),  # the same bytes of another type
        set_global("SIZES", (1, 2.5, "y")),  # read by the kernel that it calls
        set_global("Colour", phase.Phase),
        set_global("Colour", IntEnum("Colour", {"RED": 2}, module=__name__)),
        set_global("inner", kernel(lambda x: x + SIZES[0])),
        set_layout,
        set_version,
    ],
)
def test_what_is_read_counts(change: Patch, monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint(outer)
    change(monkeypatch, sys.modules[__name__])
    after = fingerprint(outer)
    monkeypatch.undo()
    assert after != before
    assert fingerprint(outer) == before


def test_what_is_not_read_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint(inner)
    monkeypatch.setattr(sys.modules[__name__], "MIX", np.uint64(4))
    monkeypatch.setattr(layout, "MAX_CARDS", 81)
    assert fingerprint(inner) == before


def test_a_kernel_that_calls_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint(selfish)
    monkeypatch.setattr(sys.modules[__name__], "SIZES", (2,))
    assert fingerprint(selfish) != before


def test_defaults_and_closures_count() -> None:
    def made(step: int, size: int) -> Any:
        @kernel
        def add(x: int, by: int = size) -> int:
            return x + by + step

        return add

    prints = {fingerprint(made(*sizes)) for sizes in ((1, 1), (1, 2), (2, 1), (1, 1))}
    assert len(prints) == 3


OPAQUE = {"a": 1}


@kernel
def reads_a_dict(x: int) -> int:
    return OPAQUE["a"] + x


@kernel
def calls_it(x: int) -> int:
    return reads_a_dict(x)


def test_a_value_that_cannot_be_followed_is_refused() -> None:
    expected = r"reads_a_dict reads OPAQUE, of type dict: expected a number, text, tuple"
    with pytest.raises(TypeError, match=expected):
        fingerprint(calls_it)


def test_every_process_comes_to_the_same() -> None:
    """Whatever the order of its sets and the addresses of its objects."""
    program = (
        "from arboretum_env.fingerprint import fingerprint;"
        "from tests.compile.test_fingerprint import outer; print(fingerprint(outer))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(filter(None, sys.path))},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1
