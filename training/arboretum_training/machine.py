"""What a run was made with: versions and machine, without anything that names a person or host."""

import os
import platform
from importlib.metadata import version
from pathlib import Path

import torch

from arboretum_agents.neural.checkpoint_reader import SCHEMA_VERSION
from arboretum_env.version import RULES_VERSION

_DISTRIBUTIONS = ("arboretum-lab", "numpy", "numba", "torch", "safetensors")
_OF_TRAINER = {
    "house": (),
    "sb3": ("stable-baselines3", "sb3-contrib", "gymnasium"),
    "rllib": ("ray", "gymnasium"),
}


def versions(trainer: str = "house") -> dict[str, str]:
    """Versions of everything that a result of a trainer may depend on."""
    return {
        "python": platform.python_version(),
        **{name: version(name) for name in (*_DISTRIBUTIONS, *_OF_TRAINER[trainer])},
        "rules": str(RULES_VERSION),
        "checkpoint schema": str(SCHEMA_VERSION),
    }


def machine() -> dict[str, str | int | float]:
    """The kind of machine: system, processor, memory, accelerator. No host name, no user."""
    accelerator = torch.cuda.get_device_name() if torch.cuda.is_available() else "none"
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "system": platform.system(),
        "architecture": platform.machine(),
        "processor": _processor(),
        "cpus": len(os.sched_getaffinity(0)),
        "memory_gib": round(pages / 2**30, 1),
        "accelerator": accelerator,
    }


def _processor() -> str:
    # platform.processor() is empty or just the architecture on Linux.
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else "unknown"
