"""A server whose event loop is watched: what takes long, and what grows with the document, must not be done on it.

The loop has a thread of its own, and a profiler in that thread sees every call that is made there. So nobody can get
round the watch by importing a name another way, and what the test itself does is not mistaken for the server's.
"""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import httpx2 as httpx
import uvicorn
from pydantic import BaseModel
from starlette.types import ASGIApp, Receive, Scope, Send

import agent
from server import wire
from server.app import create_app
from server.serve import server_config
from server.settings import Settings
from server.store import OpenBench
from tests.server.running import PATIENCE, TOKEN, Running

_AGENT = str(Path(agent.__file__).parent)
_HARMLESS = {("changes.py", "shorten")}
"""What of the agent's rooms may be called on the loop: it looks at a line of text."""
_SLOW_FILES = ("/docx/", "/docx2python/", "/jinja2/", "/PIL/", "/onnxruntime/", "/tokenizers/", "/zipfile.py")
_SLOW_TEMPORARY = {"rollover", "mkstemp", "TemporaryFile", "NamedTemporaryFile"}
_SLOW_MODULES = {"zlib", "_hashlib", "_sha1", "_sha256", "_sha2", "_md5", "_blake2", "lxml.etree"}
_FILE_CALLS = {
    "open",
    "stat",
    "lstat",
    "scandir",
    "listdir",
    "mkdir",
    "unlink",
    "rename",
    "replace",
    "fsync",
    "readlink",
}
_CARRIERS = ("/asyncio/", "/uvicorn/", "/websockets/", "/h11/")
"""Libraries that take bytes to and from the sockets, as they must."""
_OWN_WAYS = ("_extract_endpoint_context", "set_stat_headers", "<frozen importlib", "is_token")
"""Files that FastAPI looks for at each request, the tag that Starlette makes of a file's date, what is loaded once, the
comparison of the token."""
_CODERS = {
    "to_json", "to_python", "from_json", "validate_json", "validate_python", "dumps", "loads", "encode", "join",
    "c_make_encoder", "make_encoder", "raw_decode", "scan_once", "decode", "model_dump_json",
}  # fmt: skip
"""What writes or reads whole values: wrong on the loop if the value is long."""


class LoopWatch:
    """What was done on the loop that should not be."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.calls = 0
        """Calls so far, those left out that only carry bytes; what grows with the document makes more of them."""
        self.visited: Counter[tuple[str, str]] = Counter()
        """Method and route of every request that was answered; for sockets the method is empty."""

    def profile(self, frame: FrameType, event: str, argument: Any) -> None:
        """For `sys.setprofile`, in the loop's thread."""
        if event not in ("call", "c_call") or any(part in frame.f_code.co_filename for part in _CARRIERS):
            return
        self.calls += 1
        slow = self._function(frame) if event == "call" else self._built_in(frame, argument)
        if slow is None:
            return
        callers: list[str] = []
        above: FrameType | None = frame
        while above is not None:
            callers.append(f"{above.f_code.co_filename}:{above.f_lineno} {above.f_code.co_name}")
            above = above.f_back
        if not any(own in caller for caller in callers for own in _OWN_WAYS):
            self.faults.append(f"{slow}, called by {' < '.join(callers[:8])}")

    def _function(self, frame: FrameType) -> str | None:
        file, name = frame.f_code.co_filename, frame.f_code.co_name
        if file.startswith(_AGENT) and not file.endswith("errors.py"):
            slow = (Path(file).name, name) not in _HARMLESS
        elif file.endswith("/tempfile.py"):
            slow = name in _SLOW_TEMPORARY
        else:
            slow = any(part in file for part in _SLOW_FILES)
        return frame.f_code.co_qualname if slow else None

    def _built_in(self, frame: FrameType, function: Any) -> str | None:
        name = getattr(function, "__name__", "")
        module = getattr(function, "__module__", None) or type(getattr(function, "__self__", None)).__module__
        if module in _SLOW_MODULES or (name in _FILE_CALLS and module in {"io", "_io", "posix", "nt"}):
            return f"{module}.{name}"
        if name in _CODERS and any(_long(value) for value in frame.f_locals.values()):
            return f"{name} of something long"
        return None


def _long(value: Any) -> bool:
    if isinstance(value, str | bytes | bytearray):
        return len(value) > wire.LONG
    if isinstance(value, BaseModel):
        return wire.is_long(value)
    if isinstance(value, list | tuple | dict | set):
        return len(value) > wire.LONG // 8
    return False


@asynccontextmanager
async def watched(open_bench: OpenBench, watch: LoopWatch, **changes: object) -> AsyncIterator[Running]:
    """A server on a free port of loopback, its loop in a thread of its own and watched."""
    settings = Settings.model_validate({"token": TOKEN, **changes})
    app = create_app(open_bench, settings)
    config = server_config(_noting(app, watch), host="127.0.0.1", port=0, timeout_graceful_shutdown=2)
    server = _Watched(config, watch)
    failed: list[BaseException] = []

    def serve() -> None:
        try:
            asyncio.run(server._serve())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=serve, name="watched loop", daemon=True)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), failed
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{port}",
            headers={"X-Stet-Token": TOKEN},
            trust_env=False,
            timeout=PATIENCE,
        ) as http:
            yield Running(port, settings, app.state.store, http)
    finally:
        server.should_exit = True
        await asyncio.to_thread(thread.join, PATIENCE)
    assert not failed, failed


class _Watched(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, watch: LoopWatch) -> None:
        super().__init__(config)
        self._watch = watch

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        # What is loaded and read before the server listens holds up nobody.
        sys.setprofile(self._watch.profile)


def _noting(app: ASGIApp, watch: LoopWatch) -> Callable[[Scope, Receive, Send], Any]:
    """The application, and a note of which route answered."""

    async def noting(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await app(scope, receive, send)
        finally:
            if (route := scope.get("route")) is not None:
                watch.visited[scope.get("method", ""), route.path] += 1

    return noting
