"""Sixteen bytes at once: the few vector operations that kernels over tables of bytes need.

Numba leaves it to LLVM to find the vector instructions in a loop over bytes, and whether LLVM does
depends on the processor: the same loop may cost ten times as much elsewhere. These functions say
it outright, in LLVM's own portable vectors, which compile to SSE, AVX or NEON alike.

A value of type ``Lanes`` holds sixteen uint8. Arithmetic wraps; a comparison gives 255 where it
holds and 0 where it does not. A ``place`` is a pointer of ``engine.memory`` or a contiguous array,
of one-byte elements. All of this is for compiled code only, and no bounds are checked.
"""

from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.extending import intrinsic, models, register_model

from arboretum_env.compile import kernel
from arboretum_env.engine.memory import address_of

WIDTH: Final = 16

_INDEX: Final = ir.IntType(32)
_VECTOR: Final = ir.VectorType(ir.IntType(8), WIDTH)


class LanesType(types.Type):  # type: ignore[misc]
    """Numba's type of sixteen bytes in a vector register."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)


_LANES: Final = LanesType()


def _shuffle(builder: Any, a: Any, b: Any, order: list[int]) -> Any:
    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(_INDEX, len(order)), order))


@intrinsic
def load(typing_context, place, index):  # type: ignore[no-untyped-def]
    """The sixteen bytes from ``place[index]`` on."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        address = address_of(context, builder, signature.args[0], *arguments)
        return builder.load(builder.bitcast(address, _VECTOR.as_pointer()), align=1)

    return _LANES(place, types.intp), generate


@intrinsic
def store(typing_context, place, index, lanes):  # type: ignore[no-untyped-def]
    """Writes the sixteen bytes from ``place[index]`` on."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        *where, lanes = arguments
        address = address_of(context, builder, signature.args[0], *where)
        builder.store(lanes, builder.bitcast(address, _VECTOR.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.none(place, types.intp, _LANES), generate


@intrinsic
def store_interleaved(typing_context, place, index, count, a, b, c, d):  # type: ignore[no-untyped-def]
    """Writes a0 b0 c0 d0 a1 b1 ... of the first ``count`` lanes from ``place[index]`` on."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        place, index, count, a, b, c, d = arguments
        every_other = [i for lane in range(WIDTH) for i in (lane, WIDTH + lane)]
        ab, cd = _shuffle(builder, a, b, every_other), _shuffle(builder, c, d, every_other)
        two_by_two = [
            i + half
            for lane in range(0, 2 * WIDTH, 2)
            for half in (0, 2 * WIDTH)
            for i in (lane, lane + 1)
        ]
        everything = _shuffle(builder, ab, cd, two_by_two)
        address = address_of(context, builder, signature.args[0], place, index)
        all_lanes = builder.icmp_signed(">=", count, count.type(WIDTH))
        with builder.if_else(all_lanes) as (whole, part):
            with whole:
                target = builder.bitcast(address, everything.type.as_pointer())
                builder.store(everything, target, align=1)
            with part:
                stack = cgutils.alloca_once_value(builder, everything)
                cgutils.raw_memcpy(builder, address, stack, count, 4)
        return context.get_dummy_value()

    return types.none(place, types.intp, types.intp, *[_LANES] * 4), generate


@intrinsic
def splat(typing_context, value):  # type: ignore[no-untyped-def]
    """The lower byte of an integer in every lane."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        byte = context.cast(builder, arguments[0], signature.args[0], types.uint8)
        nothing = ir.Constant(_VECTOR, ir.Undefined)
        first = builder.insert_element(nothing, byte, ir.Constant(_INDEX, 0))
        return _shuffle(builder, first, nothing, [0] * WIDTH)

    return _LANES(value), generate


@intrinsic
def choose(typing_context, condition, a, b):  # type: ignore[no-untyped-def]
    """``a`` where ``condition`` is 255, ``b`` where it is 0."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        condition, a, b = arguments
        nowhere = ir.Constant(_VECTOR, [0] * WIDTH)
        return builder.select(builder.icmp_unsigned("!=", condition, nowhere), a, b)

    return _LANES(_LANES, _LANES, _LANES), generate


def _reduced(operation: str, meaning: str) -> Any:
    wide = ir.VectorType(ir.IntType(16), WIDTH)

    def typed(typing_context, lanes):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            kind = ir.FunctionType(wide.element, [wide])
            name = f"llvm.vector.reduce.{operation}.v{WIDTH}i16"
            reduce = cgutils.get_or_insert_function(builder.module, kind, name)
            result = builder.call(reduce, [builder.zext(arguments[0], wide)])
            return builder.zext(result, ir.IntType(64))

        return types.int64(lanes), generate

    typed.__doc__ = meaning
    return intrinsic(typed)


total_of = _reduced("add", "The sum of all lanes, an integer.")
largest_of = _reduced("umax", "The largest of all lanes, an integer.")


def _binary(operation: Callable[[Any, Any, Any], Any], meaning: str) -> Any:
    def typed(typing_context, a, b):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            return operation(builder, *arguments)

        return _LANES(_LANES, _LANES), generate

    typed.__doc__ = meaning
    return intrinsic(typed)


def _compared(relation: str) -> Callable[[Any, Any, Any], Any]:
    return lambda builder, a, b: builder.sext(builder.icmp_unsigned(relation, a, b), _VECTOR)


def _larger(builder: Any, a: Any, b: Any) -> Any:
    return builder.select(builder.icmp_unsigned(">", a, b), a, b)


add = _binary(lambda builder, a, b: builder.add(a, b), "a + b.")
subtract = _binary(lambda builder, a, b: builder.sub(a, b), "a - b.")
shift_right = _binary(lambda builder, a, b: builder.lshr(a, b), "a >> b, zeros from above.")
both = _binary(lambda builder, a, b: builder.and_(a, b), "a & b.")
without = _binary(lambda builder, a, b: builder.and_(a, builder.not_(b)), "a & ~b.")
equal = _binary(_compared("=="), "a == b.")
less = _binary(_compared("<"), "a < b.")
excess = _binary(lambda builder, a, b: builder.sub(_larger(builder, a, b), b), "max(a - b, 0).")
above = _binary(_compared(">"), "a > b.")
larger = _binary(_larger, "max(a, b).")


@kernel
def clear(place, count):  # type: ignore[no-untyped-def]
    """Writes ``count`` zero bytes from ``place[0]`` on; for some hundreds, faster than memset."""
    i = 0
    while i + WIDTH <= count:
        store(place, i, splat(0))
        i += WIDTH
    while i < count:
        place[i] = 0
        i += 1
