"""Joining Ray, or starting one on this machine, and leaving it again."""

import logging
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

import ray
from ray._private import worker as ray_worker

from arboretum_env.errors import ArboretumError

LOCAL: Final = "local"
"""The address that means: start a Ray of this command's own on this machine."""

_STORE_BYTES: Final = 256 * 2**20  # results and weights are small; Ray's default is 30 % of memory
_PATIENCE: Final = 10.0  # seconds for a connection
_TRIES: Final = 5  # Ray gives its own processes half a minute, which a busy machine may not
_NO_CARD: Final = "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"


class RayError(ArboretumError, RuntimeError):
    """A Ray that cannot be reached or started, or has nodes that do not fit."""


@contextmanager
def connected(address: str, cpus: int) -> Iterator[None]:
    """A connection to Ray while the block lasts.

    Args:
        address: ``local``, ``auto`` (the Ray that runs on this machine) or ``HOST:PORT``.
        cpus: that a local one has; what an address names has its own.

    Raises:
        RayError: nothing at the address, or another version of Ray or Python.
    """
    if ray.is_initialized():  # somebody else's, as in a notebook
        yield
        return
    _check_reachable(address)
    # It advises for each new algorithm which of its own interfaces to move to.
    logging.getLogger("ray.rllib").setLevel(logging.ERROR)
    # Nothing is sent home, and processes without a card of their own leave the variable alone,
    # which else earns a warning.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault(_NO_CARD, "0")
    _tell_on_stderr()
    _begin(address, cpus)
    try:
        yield
    finally:
        ray.shutdown()


def _tell_on_stderr() -> None:
    """Ray prints what it says of dead workers and nodes on stdout, where results go."""
    tell = ray_worker.print_to_stdstream
    if getattr(tell, "func", None) is not _as_error:
        ray_worker.print_to_stdstream = partial(_as_error, tell)


def _as_error(tell: Callable[..., None], data: dict[str, Any], *rest: Any, **options: Any) -> None:
    tell({**data, "is_err": True}, *rest, **options)


def _begin(address: str, cpus: int) -> None:
    own = {"num_cpus": cpus, "object_store_memory": _STORE_BYTES, "include_dashboard": False}
    tries = _TRIES if address == LOCAL else 1
    for left in reversed(range(tries)):
        try:
            ray.init(
                address=address,
                log_to_driver=False,
                logging_level="ERROR",
                **(own if address == LOCAL else {}),
            )
        except Exception as error:
            ray.shutdown()
            if not left:
                reason = str(error).strip().partition("\n")[0]
                raise _unreachable(address, reason or type(error).__name__) from error
        else:
            return


def _check_reachable(address: str) -> None:
    """Asks for the port by itself: Ray would go on asking for minutes.

    Raises:
        RayError: no such address, or nobody listens there.
    """
    if address in (LOCAL, "auto"):
        return
    host, _, port = address.rpartition(":")
    if not (host and port.isdecimal() and 0 < int(port) < 65536):
        raise _unreachable(address, "no address")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_PATIENCE).close()
    except OSError as error:
        raise _unreachable(address, error.strerror or str(error)) from error


def _unreachable(address: str, reason: str) -> RayError:
    return RayError(
        f"Ray at {address!r}: {reason}: expected HOST:PORT of a head that `ray start --head` "
        "started, or auto for the one on this machine, and its token in ~/.ray/auth_token"
    )
