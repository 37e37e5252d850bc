"""What a measurement is made on and with."""

import os
import platform
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path


@contextmanager
def one_core() -> Iterator[None]:
    """Keeps this process, and threads started meanwhile, on one core, where the system can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def described(libraries: Iterable[str]) -> str:
    """Processor, cores, how busy they were, system, Python, versions of libraries, date."""
    versions = [f"{name} {version_of(name)}" for name in libraries]
    return ", ".join(
        [
            f"{processor()} with {os.cpu_count()} cores",
            f"load {os.getloadavg()[0]:.1f} before",
            f"{platform.system()} {platform.machine()}",
            f"Python {platform.python_version()}",
            *versions,
            datetime.now(UTC).date().isoformat(),
        ]
    )


def version_of(library: str) -> str:
    """The installed version of a distribution, or that there is none."""
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return "not installed"


def processor() -> str:
    """The processor's name, as far as the system tells it."""
    information = Path("/proc/cpuinfo")
    if information.is_file():
        for line in information.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown processor"
