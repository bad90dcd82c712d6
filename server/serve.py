"""`stet serve` and `stet word`: the server in the foreground, until Ctrl+C."""

from __future__ import annotations

import errno
import socket
import subprocess
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from server.app import create_app
from server.hosts.pane_host import make_host
from server.logs import set_up_logging
from server.pages import is_built
from server.planners import PlannerChoice, choose_planner
from server.settings import Settings
from server.tls import Certificates, ensure_certificates
from server.word import print_word_steps
from server.workbench import opener

CHECKOUT = Path(__file__).parent.parent
MEGABYTE = 1024 * 1024


class CannotServe(Exception):
    """The server cannot start; the message says why, in one line."""


@dataclass(frozen=True)
class Place:
    """Where the server listens."""

    host: str
    port: int
    """0: any free port."""


def serve(place: Place, settings: Settings, *, open_page: bool = False) -> int:
    """Serve the playground over plain http. Returns when the server is told to stop."""
    choice = _prepare(settings)
    listening = listen(place)
    address = _address("http", place.host, listening)

    def started() -> None:
        print(f"Stet is at {address}", flush=True)
        print(choice.sentence)
        if not _is_loopback(place.host):
            print("Anyone who reaches this address can open the page and use it; Stet has no accounts.")
        if open_page:
            # it may wait for the browser, which waits for the page
            threading.Thread(target=webbrowser.open, args=(address,), name="browser", daemon=True).start()
        print("Stop it with Ctrl+C.", flush=True)

    return _run(listening, settings, choice, started)


def serve_word(place: Place, settings: Settings, certificates: Path, *, steps: bool = True) -> int:
    """Serve the pane to Word over https, with certificates made on this machine."""
    choice = _prepare(settings)
    try:
        made = ensure_certificates(certificates)
    except OSError as error:
        reason = error.strerror or str(error)
        raise CannotServe(f"The certificates cannot be kept in {certificates}: {reason}.") from error
    listening = listen(place)
    address = _address("https", "localhost" if _is_loopback(place.host) else place.host, listening)

    def started() -> None:
        if steps:
            print_word_steps(made, address)
            print()
        print(f"Stet serves Word's pane at {address}/taskpane.html", flush=True)
        print(choice.sentence)
        print("Leave it running while you use the pane; stop it with Ctrl+C.", flush=True)

    return _run(listening, settings, choice, started, made)


def listen(place: Place) -> socket.socket:
    """A listening socket. Raises `CannotServe` in a line that says what to do."""
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    # Only of a socket that says it is TCP does asyncio switch off the waiting for more to send, which made every
    # answer come 40 milliseconds late.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":
            # On Windows this option would let two servers share the port.
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((place.host, place.port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise CannotServe(
                f"Port {place.port} is taken by another program; choose another with --port {place.port + 1}."
            ) from error
        reason = error.strerror or str(error)
        raise CannotServe(f"Cannot listen on {place.host} port {place.port}: {reason}.") from error
    return listening


class _Server(uvicorn.Server):
    """Says when it is listening, not before."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._say_started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._say_started()


def server_config(app: ASGIApp, **changes: Any) -> uvicorn.Config:
    """How the server is run."""
    settings: dict[str, Any] = {
        "log_config": None,
        "access_log": False,
        "server_header": False,
        "proxy_headers": False,
        "ws_max_size": 4 * MEGABYTE,
        # It would be done on the event loop, and saves nothing between two programs of one machine.
        "ws_per_message_deflate": False,
        "timeout_graceful_shutdown": 3,
    }
    return uvicorn.Config(app, **{**settings, **changes})


def _run(
    listening: socket.socket,
    settings: Settings,
    choice: PlannerChoice,
    started: Callable[[], None],
    certificates: Certificates | None = None,
) -> int:
    config = server_config(
        create_app(opener(choice, make_host), settings),
        ssl_certfile=certificates.certificate if certificates else None,
        ssl_keyfile=certificates.key if certificates else None,
    )
    with listening, suppress(KeyboardInterrupt):
        _Server(config, started).run([listening])
    return 0


def _prepare(settings: Settings) -> PlannerChoice:
    """What must be there before the port is taken: logging, the pane, the planner."""
    set_up_logging()
    _build_pane(settings)
    return choose_planner(settings.planner)


def _build_pane(settings: Settings) -> None:
    """In a checkout, build the pane if its sources are newer; say so in a line if that does not work."""
    script = CHECKOUT / "tools" / "build_pane.py"
    if settings.static == CHECKOUT / "server" / "static" and script.is_file():
        built = subprocess.run([sys.executable, script], check=False)
        if built.returncode == 0:
            return
    if not is_built(settings.static):
        print(
            "The pane is not built; run `make run`, or `npm ci && npm run build` in taskpane/.",
            file=sys.stderr,
        )


def _address(scheme: str, host: str, listening: socket.socket) -> str:
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"{scheme}://{shown}:{listening.getsockname()[1]}"


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return False
