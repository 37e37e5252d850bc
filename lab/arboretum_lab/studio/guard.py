"""What stands before every request: Host, Origin, size, rate; and the headers of every answer.

Also of one that fails here: then the server would log the fault with its message.

A page of another site can make a browser send requests to ``127.0.0.1``. It cannot read the answers
unless its own name is made to point here (DNS rebinding), which the check of ``Host`` refuses; and
a request that it sends names it in ``Origin``.
"""

import ipaddress
import json
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arboretum_lab.studio.errors import RefusedError, error_body, log
from arboretum_lab.studio.settings import Settings
from arboretum_lab.studio.tokens import token_hash

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_LOCAL_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_KEPT_CALLERS: Final = 10_000
_REFUSED_SOCKET: Final = 1008  # policy violation, RFC 6455
_FAULT: Final = "a fault of the studio's own: reload the page to see where the game stands"


class Guard:
    """The outermost layer of the app.

    Args:
        app: what it stands before.
        settings: whether other devices take part, and the limits.
        clock: seconds; another one for tests.
    """

    def __init__(
        self, app: ASGIApp, settings: Settings, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._app, self._settings = app, settings
        self._rate = Rate(settings.limits.burst, settings.limits.requests_a_second, clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or refuses it."""
        if scope["type"] == "websocket":  # the studio has none
            await send({"type": "websocket.close", "code": _REFUSED_SOCKET})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                # The page's own files are asked for again by their ETag; answers are never kept.
                kept = "no-store" if scope["path"].startswith("/api/") else "no-cache"
                headers.setdefault("Cache-Control", kept)
            await send(message)

        body = _Counted(receive, self._settings.limits.body_bytes)
        try:
            self._check(scope)
            body.check_announced(Headers(scope=scope).get("content-length"))
        except RefusedError as refusal:
            await _refuse(refusal, send_with_headers)
            return
        started = refused = False

        async def send_unless_too_large(message: Message) -> None:
            # Whatever the app makes of a body that was cut short: that is what was wrong.
            nonlocal started, refused
            if started or not body.too_large:
                started = True
                await send_with_headers(message)
            elif not refused:
                refused = True
                await _refuse(body.refusal(), send_with_headers)

        try:
            await self._app(scope, body.receive, send_unless_too_large)
        except Exception as error:  # noqa: BLE001 - whatever it is
            # The kind alone: a message may tell cards that nobody is to see.
            log.error("%s %s failed: %s", scope["method"], scope["path"], type(error).__name__)
            if not started:
                await _refuse(RefusedError("internal", _FAULT), send_with_headers)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not host_is_ours(host, lan=self._settings.lan):
            raise RefusedError("forbidden", f"Host {host[:80]!r} is not this studio")
        origin = headers.get("origin")
        if origin is not None and origin != f"http://{host}":
            raise RefusedError("forbidden", f"Origin {origin[:80]!r}: other pages may not ask here")
        if scope["path"].startswith("/api/"):
            bearer = headers.get("authorization", "")
            client = scope.get("client") or ("unknown", 0)
            self._rate.take(token_hash(bearer) if bearer else str(client[0]))


async def _refuse(refusal: RefusedError, send: Send) -> None:
    body = json.dumps(error_body(refusal.code, refusal.message)).encode()
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    start = {"type": "http.response.start", "status": refusal.status, "headers": headers}
    await send(start)
    await send({"type": "http.response.body", "body": body})


def host_is_ours(host: str, *, lan: bool) -> bool:
    """Whether a ``Host`` header can only mean this server.

    Other devices name it by its address, which no name server can point elsewhere.

    >>> [host_is_ours(h, lan=False) for h in ("localhost:8000", "127.0.0.1", "[::1]:8000")]
    [True, True, True]
    >>> [host_is_ours("10.0.0.7:8000", lan=lan) for lan in (False, True)]
    [False, True]
    >>> host_is_ours("evil.example:8000", lan=True)
    False
    """
    name, port = host, ""
    if host.startswith("["):
        name, _, rest = host[1:].partition("]")
        port = rest.removeprefix(":")
        if rest and not rest.startswith(":"):
            return False
    elif ":" in host:
        name, _, port = host.partition(":")
    if port and not (port.isascii() and port.isdecimal()):
        return False
    if name.lower() in _LOCAL_NAMES:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return lan


class _Counted:
    """A request's body; what is beyond the limit is never read."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._most, self._size = receive, most, 0

    @property
    def too_large(self) -> bool:
        return self._size > self._most

    def check_announced(self, length: str | None) -> None:
        if length is not None and (not length.isdecimal() or int(length[:12]) > self._most):
            raise self.refusal()

    async def receive(self) -> Message:
        message = await self._receive()
        self._size += len(message.get("body", b""))
        if self.too_large:
            return {"type": "http.disconnect"}
        return message

    def refusal(self) -> RefusedError:
        return RefusedError(
            "too_large", f"the body is too large: expected at most {self._most} bytes"
        )


class Rate:
    """A bucket a caller, which fills again with time."""

    def __init__(self, burst: int, per_second: float, clock: Callable[[], float]) -> None:
        self._burst, self._per_second, self._clock = burst, per_second, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str) -> None:
        """Counts one request.

        Raises:
            RefusedError: too many.
        """
        now = self._clock()
        left, then = self._left.pop(caller, (float(self._burst), now))
        left = min(self._burst, left + (now - then) * self._per_second)
        self._left[caller] = (left - 1 if left >= 1 else left, now)
        if len(self._left) > _KEPT_CALLERS:
            self._left.popitem(last=False)
        if left < 1:
            raise RefusedError("too_many", "too many requests at once: wait a second")
