"""In which type the network's products are computed.

Some processors multiply bfloat16 several times as fast as float32. There the linear layers run in
it (torch's autocast); weights, optimiser, distributions, losses and advantages stay float32. On
other processors bfloat16 is emulated and slower, so ``auto`` takes it only where it is in hardware.
"""

import contextlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal

import torch

Precision = Literal["auto", "float32", "bfloat16"]

_IN_HARDWARE: Final = frozenset({"avx512_bf16", "amx_bf16", "bf16"})  # x86, x86, Arm


def resolved(precision: Precision) -> Literal["float32", "bfloat16"]:
    """What ``auto`` means on this machine; the others are themselves."""
    if precision != "auto":
        return precision
    return "bfloat16" if in_hardware(processor_flags()) else "float32"


def in_hardware(flags: Iterable[str]) -> bool:
    """Whether a processor with these flags multiplies bfloat16.

    >>> in_hardware(["avx2", "avx512_bf16"])
    True
    """
    return not _IN_HARDWARE.isdisjoint(flags)


def processor_flags() -> set[str]:
    """What the processor says that it can do, in Linux's names; empty where it cannot be asked."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return set()
    named = (line.partition(":") for line in lines)
    return {
        flag
        for name, _, text in named
        if name.strip() in ("flags", "Features")
        for flag in text.split()
    }


def row_block(precision: Precision) -> int:
    """The number of decisions in a minibatch should be a multiple of this.

    Products in bfloat16 are compiled for every new number of rows, which takes milliseconds each:
    with ever new numbers longer than the products themselves (oneDNN's documentation, "Primitive
    cache").
    """
    return 64 if resolved(precision) == "bfloat16" else 1


def computing_in(precision: Precision) -> contextlib.AbstractContextManager[object]:
    """A context in which networks compute in a precision."""
    if resolved(precision) == "float32":
        return contextlib.nullcontext()
    return torch.autocast("cpu", torch.bfloat16)
