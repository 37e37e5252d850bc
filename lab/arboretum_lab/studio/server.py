"""Runs the app with uvicorn on a port of this machine, until Ctrl-C."""

import contextlib
import errno
import ipaddress
import socket
import sys
from typing import Final

import uvicorn
from fastapi import FastAPI

from arboretum_env.errors import ConfigError
from arboretum_lab.studio.studio import Studio

_HERE: Final = "127.0.0.1"
_EVERYWHERE: Final = "0.0.0.0"  # with --lan alone
_GRACE_SECONDS: Final = 3
_SWITCH_SECONDS: Final = 0.0005  # the usual 5 ms, several times a request, while agents think
_KEEP_ALIVE_SECONDS: Final = 75  # people think longer than the 5 that are usual


def listen(port: int, *, lan: bool) -> socket.socket:
    """A socket that listens, on this machine alone unless ``lan``; port 0: any free one.

    Raises:
        ConfigError: the port is taken, or not allowed.
    """
    # Said in full: asyncio sends small answers at once (TCP_NODELAY) on such sockets alone.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((_EVERYWHERE if lan else _HERE, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise ConfigError(
                f"port {port} is taken, perhaps by another studio: choose one with --port, "
                "0 for any free one"
            ) from error
        raise ConfigError(f"port {port} cannot be used: {error.strerror}") from error
    return listener


def lan_address() -> str:
    """The address of this machine in its network; ``127.0.0.1`` without one. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documents: only the route is asked for
        except OSError:
            return _HERE
        address = str(probe.getsockname()[0])
    return _HERE if ipaddress.ip_address(address).is_unspecified else address


class _Server(uvicorn.Server):
    """Lets go of requests that wait for moves before it waits for requests."""

    def __init__(self, config: uvicorn.Config, studio: Studio) -> None:
        super().__init__(config)
        self._studio = studio

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._studio.close()
        await super().shutdown(sockets)


def serve(app: FastAPI, listener: socket.socket) -> None:
    """Serves until Ctrl-C or SIGTERM.

    Args:
        app: of ``create_app``.
        listener: of ``listen``.
    """
    sys.setswitchinterval(_SWITCH_SECONDS)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        proxy_headers=False,
    )
    with contextlib.suppress(KeyboardInterrupt):  # raised again once everything has ended
        _Server(config, app.state.studio).run(sockets=[listener])
