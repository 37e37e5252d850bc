"""The options ``--workers`` and ``--ray``: where the work units of a command are computed."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import tyro

from arboretum_lab.cli.arguments import UsageError
from arboretum_training.evaluation.executor import Workers

RayOption = Annotated[tuple[str, ...] | None, tyro.conf.arg(metavar="[ADDRESS]")]
"""None without the option; empty with the option alone."""


def check_workers(workers: int, ray: RayOption) -> None:
    """Refuses what cannot be, before anything is begun.

    Raises:
        UsageError: no workers, or more than one address.
        ModuleNotFoundError: the extra "ray" is not there.
    """
    if workers < 1:
        raise UsageError(f"--workers {workers}: expected at least 1")
    if ray is None:
        return
    if len(ray) > 1:
        raise UsageError(
            f"--ray {' '.join(ray)}: expected one address, HOST:PORT or auto, or none for a Ray of "
            "this command's own; say it after everything else"
        )
    import arboretum_training.ray.connection  # noqa: F401 - whether it is there


def ray_address(ray: tuple[str, ...]) -> str:
    """The address that the option means."""
    from arboretum_training.ray.connection import LOCAL

    return ray[0] if ray else LOCAL


def try_workers(workers: int, ray: RayOption) -> None:
    """``check_workers``, and whether Ray answers: before hours of work, not after them.

    Raises:
        UsageError, ModuleNotFoundError: see ``check_workers``.
        RayError: nothing at the address.
    """
    check_workers(workers, ray)
    if ray:  # what has no address is this command's own, and starts when it is needed
        with workers_of(workers, ray):
            pass


@contextmanager
def workers_of(workers: int, ray: RayOption) -> Iterator[Workers]:
    """What the two options mean, while the block lasts.

    Args:
        workers: processes, or the processors of a Ray of this command's own.
        ray: see ``RayOption``.

    Raises:
        UsageError, ModuleNotFoundError: see ``check_workers``.
        RayError: nothing at the address.
    """
    check_workers(workers, ray)
    if ray is None:
        yield workers
        return
    from arboretum_training.ray.executor import ray_executor

    with ray_executor(ray_address(ray), workers) as executor:
        yield executor
