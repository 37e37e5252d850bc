"""Pointers for compiled code: the elements of an array, without the array.

A kernel could hand a row of the batch on to another as an array. Numba would then count the array's
references at every call, with instructions that lock the memory bus: for two small arrays some
twenty nanoseconds, more than a move of the game takes. A pointer is read and written like an
array (``row[PHASE]``) and converts what is written to its element type. No bounds are checked, and
a negative index does not count from the end.

A pointer keeps nothing alive. Point into a kernel's arguments only: an array that a kernel makes
itself is gone after the last line that names it.
"""

import operator
from typing import Any

from numba.core import cgutils, types
from numba.core.extending import intrinsic, lower_builtin, models, register_model
from numba.core.typing.templates import AbstractTemplate, infer_global, signature


class PointerType(types.Type):  # type: ignore[misc]
    """Numba's type of a pointer to elements of some number type."""

    def __init__(self, element: Any) -> None:
        # Booleans are written as the bytes 0 and 1.
        self.element = types.uint8 if element == types.boolean else element
        super().__init__(name=f"Pointer({self.element})")


@register_model(PointerType)
class _PointerModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: PointerType) -> None:
        super().__init__(manager, kind, manager[kind.element].get_data_type().as_pointer())


@infer_global(operator.getitem)
class _Read(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        place, index = args
        if isinstance(place, PointerType) and isinstance(index, types.Integer):
            return signature(place.element, place, types.intp)
        return None


@lower_builtin(operator.getitem, PointerType, types.Integer)
def _read(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    place, index = arguments
    return context.unpack_value(builder, sig.return_type, builder.gep(place, [index]))


@infer_global(operator.setitem)
class _Write(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        place, index, value = args
        number = isinstance(value, types.Number | types.Boolean)
        if isinstance(place, PointerType) and isinstance(index, types.Integer) and number:
            return signature(types.none, place, types.intp, place.element)
        return None


@lower_builtin(operator.setitem, PointerType, types.Integer, types.Number)
def _write(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    place, index, value = arguments
    context.pack_value(builder, sig.args[2], value, builder.gep(place, [index]))
    return context.get_dummy_value()


def address_of(context: Any, builder: Any, kind: Any, value: Any, index: Any) -> Any:
    """While generating code: the address of an element of a pointer or a contiguous array."""
    if isinstance(kind, PointerType):
        return builder.gep(value, [index])
    start = context.make_array(kind)(context, builder, value).data
    element = context.get_data_type(PointerType(kind.dtype).element)
    return builder.gep(builder.bitcast(start, element.as_pointer()), [index])


@intrinsic
def pointer(typing_context, place, index):  # type: ignore[no-untyped-def]
    """A pointer to ``place[index]``, for a contiguous array [n] or a pointer."""
    kind = place if isinstance(place, PointerType) else PointerType(place.dtype)

    def generate(context, builder, sig, arguments):  # type: ignore[no-untyped-def]
        return address_of(context, builder, sig.args[0], *arguments)

    return kind(place, types.intp), generate


@intrinsic
def row_pointer(typing_context, array, index):  # type: ignore[no-untyped-def]
    """A pointer to the first element of ``array[index]``, for a contiguous array [B, ...]."""

    def generate(context, builder, sig, arguments):  # type: ignore[no-untyped-def]
        array, index = arguments
        kind = sig.args[0]
        shape = context.make_array(kind)(context, builder, array).shape
        start = index
        for length in cgutils.unpack_tuple(builder, shape, kind.ndim)[1:]:
            start = builder.mul(start, length)
        return address_of(context, builder, kind, array, start)

    return PointerType(array.dtype)(array, types.intp), generate
