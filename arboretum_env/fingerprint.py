"""What a kernel compiles from, as a digest: the key under which its machine code is kept.

Numba compiles the kernels that a kernel calls into it and freezes every global that it reads, but
asks only whether the file of the kernel itself was edited before it takes code from its cache. So
an upgrade in place, or an edit of another file, would go on playing by the old rules. The digest
here holds everything that the code follows from: bytecode, options, the kernels called, the values
of globals read, and the versions and switches of the compiler. Comments and line numbers are no
part of it.
"""

import hashlib
import inspect
import sys
from collections.abc import Iterator
from enum import Enum
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, Final

import llvmlite
import numba
import numpy as np
from llvmlite import ir
from numba.core import config
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic

_FOREIGN: Final = frozenset({"numpy", "numba", "llvmlite", "math", "builtins"})
"""Packages whose contents follow from their version: named in a digest, not looked into."""


def fingerprint(kernel: Dispatcher) -> str:
    """Digest of everything that the machine code of a compiled function follows from.

    Raises:
        TypeError: the kernel, or one that it calls, reads a global of a kind whose value cannot be
            put into a digest.
    """
    digest = hashlib.sha256(repr(_compiler()).encode())
    pending, seen = [kernel], {id(kernel)}
    while pending:  # what it calls, directly or not, each once and in a fixed order
        function = pending.pop()
        called: list[Any] = []
        for line in _lines(function, called):
            digest.update(line.encode())
            digest.update(b"\n")
        for other in called:
            if id(other) not in seen:
                seen.add(id(other))
                pending.append(other)
    return digest.hexdigest()


def _compiler() -> tuple[Any, ...]:
    return numba.__version__, llvmlite.__version__, np.__version__, config.OPT, config.BOUNDSCHECK


def _lines(function: Any, called: list[Any]) -> Iterator[str]:
    """Describes one function, or a module as a whole; what it calls is added to ``called``."""
    if isinstance(function, ModuleType):
        yield function.__name__
        yield inspect.getsource(function)
        return
    if isinstance(function, Dispatcher):
        yield repr(sorted(function.targetoptions.items()))
        function = function.py_func
    name = f"{function.__module__}.{function.__qualname__}"
    yield name
    yield _code_text(function.__code__)
    yield _value_text(function.__defaults__, name, called)
    for cell in function.__closure__ or ():
        yield _value_text(cell.cell_contents, name, called)
    for path, value in _globals_read(function.__code__, function.__globals__, set()):
        yield f"{path} = {_value_text(value, f'{name} reads {path}', called)}"


def _code_text(code: CodeType) -> str:
    constants = (
        _code_text(constant)
        if isinstance(constant, CodeType)
        # The order of a set of texts differs from process to process.
        else repr(sorted(map(repr, constant)) if isinstance(constant, frozenset) else constant)
        for constant in code.co_consts
    )
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return f"{code.co_code.hex()} {code.co_argcount} {names} [{', '.join(constants)}]"


def _globals_read(
    code: CodeType, namespace: dict[str, Any], within: set[str]
) -> Iterator[tuple[str, Any]]:
    """Names and values of the globals that code reads; of a module, the attributes that it names.

    The bytecode lists the names of globals and of attributes together, so some that are not read
    may be among them; a digest can do with too many.
    """
    for name in sorted(set(code.co_names)):
        if name not in namespace:
            continue
        value = namespace[name]
        if not isinstance(value, ModuleType):
            yield name, value
        elif value.__name__.partition(".")[0] not in _FOREIGN and value.__name__ not in within:
            attributes = _globals_read(code, vars(value), within | {value.__name__})
            for path, attribute in attributes:
                yield f"{name}.{path}", attribute
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _globals_read(constant, namespace, within)


def _value_text(value: Any, where: str, called: list[Any]) -> str:
    kind = type(value)
    match value:
        case Dispatcher():
            called.append(value)
            return f"{value.py_func.__module__}.{value.py_func.__qualname__}"
        case _Intrinsic():
            # Its module may teach the compiler more than this, such as how a type is read.
            called.append(sys.modules[value._defn.__module__])
            return _value_text(value._defn, where, called)
        case FunctionType() if value.__module__.partition(".")[0] not in _FOREIGN:
            called.append(value)
            return f"{value.__module__}.{value.__qualname__}"
        case tuple():
            return f"({', '.join(_value_text(item, where, called) for item in value)})"
        case np.ndarray() if value.dtype != object:
            return f"{value.dtype.str} {value.shape} {value.tobytes().hex()}"
        case type() if issubclass(value, Enum):
            return f"{value.__module__}.{value.__qualname__} {list(value)!r}"
        case type() | FunctionType() | BuiltinFunctionType():
            return f"{value.__module__}.{value.__qualname__}"
        case None | bool() | int() | float() | complex() | str() | bytes() | np.generic():
            return f"{kind.__name__} {value!r}"
        case Enum() | np.dtype() | np.ufunc() | numba.types.Type() | ir.Type():
            return f"{kind.__name__} {value}"
    raise TypeError(
        f"kernel {where}, of type {kind.__name__}: expected a number, text, tuple, array, type or "
        "another kernel; hand anything else over as an argument"
    )
