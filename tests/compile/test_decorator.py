"""The one decorator of kernels."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from arboretum_env.compile import kernel
from arboretum_env.kernel_cache import KernelCache

ROOT = Path(__file__).parents[2]
SOURCES = ("arboretum_env", "agents", "training", "lab", "benchmarks")
COMPILER = re.compile(r"(?<!jax\.)\b(?:njit|jit|vectorize|guvectorize|cfunc)\s*\(|@\w+\.n?jit\b")


def test_options_reach_numba() -> None:
    @kernel(inline="always", error_model="numpy")
    def double(x: int) -> int:
        return 2 * x

    assert double(4) == 8
    options = double.targetoptions
    assert (options["inline"], options["error_model"]) == ("always", "numpy")
    assert (options["nogil"], options["nopython"]) == (True, True)


def test_every_kernel_has_the_cache() -> None:
    @kernel
    def same(x: int) -> int:
        return x

    assert isinstance(same._cache, KernelCache)


def test_without_compilation_it_is_the_function_itself() -> None:
    program = "from arboretum_env.seeding import bounded; print(type(bounded).__name__)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": ":".join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "function\n"


def test_nobody_goes_past_it() -> None:
    """A kernel with Numba's own cache would be stale after an edit elsewhere."""
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for source in SOURCES
        for path in sorted((ROOT / source).rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if COMPILER.search(line)
    ]
    assert len(found) == 1 and found[0].startswith("arboretum_env/compile.py:")


@pytest.mark.parametrize("line", ["@nb.njit", "@njit(cache=True)", "f = numba.jit(g)", "@nb.jit"])
def test_going_past_it_is_found(line: str) -> None:
    assert COMPILER.search(line)
