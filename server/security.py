"""Who may call the server, and what its pages may do.

The server listens on this machine, where any web page in any browser can reach it. Three checks keep such
pages out: the `Host` header (a name that an attacker lets point to this machine is not one of ours: DNS
rebinding), the `Origin` header (a foreign page's form, fetch or socket names its own origin), and the token
of this run, which only a page that we served can know. Documents are untrusted as well: the content security
policy lets pages run our scripts only.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.protocol import HttpProblem
from server.settings import Settings

TOKEN_HEADER = "x-stet-token"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

OFFICE_CDN = "https://appsforoffice.microsoft.com"
WORD_ON_THE_WEB = (
    "https://*.officeapps.live.com https://*.office.com https://*.office365.com https://*.microsoft365.com"
    " https://*.cloud.microsoft https://*.sharepoint.com https://*.live.com"
)
"""Pages that frame the pane in Word on the web."""

_HOST = re.compile(r"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.\-]+)(?::[0-9]{1,5})?")


def host_name(host: str) -> str | None:
    """The name in a `Host` header, without the port and in lower case; None if it is not of that form."""
    if not _HOST.fullmatch(host):
        return None
    if host.startswith("["):
        return host[1 : host.index("]")].lower()
    return host.partition(":")[0].rstrip(".").lower()


def is_allowed_host(host: str, settings: Settings) -> bool:
    """Whether the server may be called by that name. An address in figures is never the work of a name
    server, so only names can be rebound; of these, `localhost` and the configured ones are ours.
    """
    name = host_name(host)
    if name is None:
        return False
    if name == "localhost" or name in {allowed.lower() for allowed in settings.allowed_hosts}:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_allowed_origin(origin: str, host: str, settings: Settings) -> bool:
    """Whether a page of that origin may call the server that was called as `host`."""
    if origin in settings.allowed_origins:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:  # `http://[` and the like: brackets around what is no address
        return False
    return parts.scheme in {"http", "https"} and parts.netloc.lower() == host.lower()


def is_token(given: str, settings: Settings) -> bool:
    """Whether that is this run's token; takes the same time for every wrong one."""
    return secrets.compare_digest(given.encode(), settings.token.encode())


def content_security_policy(page: str, host: str) -> str:
    """The policy of a page. `host` is the checked `Host` header: older WebKit does not count a socket to the
    page's own server as `'self'`, so it is named.

    `blob:` and `data:` pictures are those of the document view, which also sets styles; it runs no script.
    """
    word = page == "taskpane.html"
    office = f" {OFFICE_CDN}" if word else ""
    framed_by = WORD_ON_THE_WEB if word else "'none'"
    return "; ".join(
        [
            "default-src 'self'",
            f"script-src 'self'{office}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data: blob:",
            f"connect-src 'self' ws://{host} wss://{host}{office}",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            f"frame-ancestors {framed_by}",
        ]
    )


class Guard:
    """ASGI middleware: refuses calls that are not from one of our pages, and adds the headers that every
    answer has.

    The socket's token comes in its first message, since a browser cannot send headers with an upgrade; the
    session checks it. A refused upgrade is closed before it is accepted, which the server turns into status
    403.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        problem = self._problem(scope)
        if problem is None:
            await self.app(scope, receive, _with_headers(send) if scope["type"] == "http" else send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4401, "reason": problem.message})
        else:
            response = JSONResponse(problem.model_dump(), status_code=403)
            await response(scope, receive, _with_headers(send))

    def _problem(self, scope: Scope) -> HttpProblem | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not is_allowed_host(host, self.settings):
            return HttpProblem(
                code="HOST_NOT_ALLOWED",
                message=f"This server does not answer to the name {host!r}; call it as localhost or by its "
                "address, or add the name to STET_ALLOWED_HOSTS.",
            )
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
        origin = headers.get("origin")
        if changes and origin is not None and not is_allowed_origin(origin, host, self.settings):
            return HttpProblem(
                code="ORIGIN_NOT_ALLOWED",
                message=f"Pages of {origin!r} may not call this server; open the page that it serves.",
            )
        needs_token = changes and scope["type"] == "http"
        if needs_token and not is_token(headers.get(TOKEN_HEADER, ""), self.settings):
            return HttpProblem(
                code="TOKEN_NOT_VALID",
                message="The page is from another run of the server. Load it again.",
            )
        return None


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["x-content-type-options"] = "nosniff"
            headers["referrer-policy"] = "no-referrer"
        await send(message)

    return send_with_headers
