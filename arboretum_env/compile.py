"""The decorator of every kernel: what is compiled, how, and that its machine code is kept."""

from collections.abc import Callable
from typing import Any, overload

import numba
from numba.core.dispatcher import Dispatcher

from arboretum_env.kernel_cache import KernelCache


@overload
def kernel(function: Callable[..., Any], /) -> Any: ...
@overload
def kernel(**options: Any) -> Callable[[Callable[..., Any]], Any]: ...


def kernel(function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Compiles a function with Numba at its first call; it runs without the interpreter's lock.

    Use it with or without options::

        @kernel
        def write_mask(row, mask): ...

        @kernel(inline="always")
        def mix64(value): ...

    Args:
        function: the function.
        options: of ``numba.njit``, e.g. ``inline="always"``; not ``cache``, which
            ``arboretum_env.kernel_cache`` stands in for.
    """
    if function is None:
        return lambda function: kernel(function, **options)
    compiled = numba.njit(nogil=True, **options)(function)
    if isinstance(compiled, Dispatcher):  # with NUMBA_DISABLE_JIT=1 it is the function as it was
        compiled._cache = KernelCache(compiled)
    return compiled
