"""What holds for each request, whatever it asks for.

A page elsewhere can point a name of its own at this machine (DNS rebinding), and then its
scripts read what is served here; so a request must name a host that is meant. Bodies have a
limit, every answer carries the headers that keep browsers strict, and other origins may read
only if they were named.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import re
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["ASKED", "BODY_LIMIT", "POLICY", "Guard", "find_is_meant"]

BODY_LIMIT = 1 << 20  # bytes
_DRAINED = 16 * BODY_LIMIT  # bytes of a body that is too large which are read to tell the client so
ASKED = frozenset({"/sparql", "/sparql/", "/query"})  # paths that take a POST
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)

_LOG = logging.getLogger(__name__)
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?", re.ASCII)
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
_LARGE = f"the body is larger than {BODY_LIMIT:,} bytes"
_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
}


class Guard:
    """An application that lets through to another what may pass.

    Parameters
    ----------
    app : ASGIApp
    is_meant : callable
        Tells whether a host name is one that this server goes by.
    origins : collection of str
        Origins whose pages may read answers; ``*`` is all.
    """

    def __init__(self, app: ASGIApp, *, is_meant: Callable[[str], bool], origins: Collection[str] = ()) -> None:
        self._app, self._is_meant, self._origins = app, is_meant, frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let it through."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def answer(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                self._add_headers(scope, MutableHeaders(raw=message["headers"]))
            await send(message)

        response: Response | None = None
        try:
            response = self._refuse(scope)
            if response is None:
                await self._app(scope, _limit(receive), answer)
            elif response.status_code == 413:
                await _drain(receive)
        except Exception:
            _LOG.exception("a request for %r went wrong", scope["path"])
            response = PlainTextResponse("Something went wrong here; the log says what.\n", 500)
        if response is not None and not started:
            await response(scope, receive, answer)

    def _refuse(self, scope: Scope) -> Response | None:
        """Return why a request does not pass, or the answer to one about what may be asked."""
        headers = Headers(scope=scope)
        found = _HOST.fullmatch(headers.get("host", ""))
        if not found:
            return PlainTextResponse("The Host header names no host.\n", 400)
        if not self._is_meant(found[1].strip("[]").lower()):
            return PlainTextResponse("This server does not go by the name in the Host header.\n", 421)
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length) > BODY_LIMIT:
            return PlainTextResponse(f"{_LARGE}\n", 413, {"Connection": "close"})
        if scope["method"] == "OPTIONS":
            methods = "GET, HEAD, POST, OPTIONS" if scope["path"] in ASKED else "GET, HEAD, OPTIONS"
            allowed = {"allow": methods}
            if self._is_trusted(headers.get("origin", "")) and "access-control-request-method" in headers:
                allowed["access-control-allow-methods"] = methods
                allowed["access-control-allow-headers"] = "Accept, Content-Type"
                allowed["access-control-max-age"] = "600"
            return Response(status_code=204, headers=allowed)
        return None

    def _add_headers(self, scope: Scope, headers: MutableHeaders) -> None:
        """Add what every answer carries."""
        for name, value in _HEADERS.items():
            headers.setdefault(name, value)
        headers.setdefault("cross-origin-resource-policy", "cross-origin" if self._origins else "same-origin")
        if not self._origins:
            return
        if "*" in self._origins:
            headers["access-control-allow-origin"] = "*"
        else:
            headers.add_vary_header("Origin")
            origin = Headers(scope=scope).get("origin", "")
            if not self._is_trusted(origin):
                return
            headers["access-control-allow-origin"] = origin
        headers["access-control-expose-headers"] = "Kg-Truncated, Retry-After, Link"

    def _is_trusted(self, origin: str) -> bool:
        """Tell whether pages of an origin may read answers."""
        return bool(origin) and ("*" in self._origins or origin in self._origins)


def find_is_meant(host: str) -> Callable[[str], bool]:
    """Return what tells whether a name is one of a server that listens on `host`.

    On a loopback address these are the names of loopback. Elsewhere also any IP address, which
    nobody can point somewhere else, the name of this machine, and `host` itself.

    Examples
    --------
    >>> is_meant = find_is_meant("127.0.0.1")
    >>> is_meant("localhost"), is_meant("127.0.0.1"), is_meant("evil.example"), is_meant("10.0.0.1")
    (True, True, False, False)
    """
    known = _LOCAL | {host.lower()}
    if _is_loopback(host):
        return known.__contains__
    known |= {socket.gethostname().lower()}
    return lambda name: name in known or _is_address(name)


def _is_loopback(host: str) -> bool:
    """Tell whether a host can be reached from this machine only."""
    return host.lower() == "localhost" or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


def _is_address(name: str) -> bool:
    """Tell whether a name is an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _limit(receive: Receive) -> Receive:
    """Return what receives a body as long as it keeps within the limit."""
    size = 0

    async def limited() -> Message:
        nonlocal size
        message = await receive()
        body: Any = message.get("body", b"")
        size += len(body)
        if size > BODY_LIMIT:
            await _drain(receive)
            raise HTTPException(413, _LARGE, {"Connection": "close"})  # nobody reads on
        return message

    return limited


async def _drain(receive: Receive) -> None:
    """Read what a client still sends, within bounds: one that is cut off never sees why."""
    left = _DRAINED
    with suppress(TimeoutError):
        async with asyncio.timeout(1):
            while left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                if not message.get("more_body"):
                    return
