"""A real server on loopback, and a pane that talks to it, for tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx2 as httpx
import pytest
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from server.app import create_app
from server.protocol import (
    PROTOCOL_VERSION,
    SERVER_MESSAGE,
    Hello,
    Message,
    RequestChanged,
    ServerMessage,
    SessionView,
    StepChanged,
    StepView,
    Welcome,
)
from server.serve import server_config
from server.settings import Settings
from server.store import OpenBench, SessionStore

TOKEN = "token-of-this-run"
PATIENCE = 20
"""Seconds after which a test gives up waiting."""


@dataclass
class Pane:
    """A pane: says hello, reads, remembers where it is."""

    socket: ClientConnection
    welcome: Welcome
    received: list[ServerMessage] = field(default_factory=list)

    @property
    def seqs(self) -> list[int]:
        """Numbers of the messages so far."""
        return [seq for message in self.received if (seq := getattr(message, "seq", None)) is not None]

    @property
    def last_seq(self) -> int:
        """The last number it knows."""
        return self.seqs[-1] if self.seqs else self.welcome.seq

    async def send(self, message: Message) -> None:
        """Send a message of the protocol."""
        await self.socket.send(message.model_dump_json())

    async def next(self) -> ServerMessage:
        """The next message."""
        message = SERVER_MESSAGE.validate_json(await asyncio.wait_for(self.socket.recv(), PATIENCE))
        self.received.append(message)
        return message

    async def until(self, wanted: Callable[[ServerMessage], bool]) -> ServerMessage:
        """Read on until a message is as wanted."""
        while not wanted(message := await self.next()):
            pass
        return message

    async def until_request(self, number: int, state: str) -> RequestChanged:
        """Read on until a request is in that state."""
        found = await self.until(
            lambda m: isinstance(m, RequestChanged) and m.request.id == number and m.request.state == state
        )
        assert isinstance(found, RequestChanged)
        return found

    async def until_step(self, number: int, state: str) -> StepView:
        """Read on until a step is in that state."""
        found = await self.until(
            lambda m: isinstance(m, StepChanged) and m.step.id == number and m.step.state == state
        )
        assert isinstance(found, StepChanged)
        return found.step

    async def closed(self) -> tuple[int, str]:
        """Read until the server closes; the code and the reason."""
        with pytest.raises(ConnectionClosed) as closed:
            await self.until(lambda _: False)
        frame = closed.value.rcvd
        assert frame is not None
        return frame.code, frame.reason


@dataclass
class Running:
    """A server that is listening."""

    port: int
    settings: Settings
    store: SessionStore
    http: httpx.AsyncClient
    """Knows the token."""

    @property
    def url(self) -> str:
        """Address of the socket."""
        return f"ws://127.0.0.1:{self.port}/api/session"

    async def open(self, data: bytes = b"one\ntwo\nthree", name: str = "Letter.docx") -> str:
        """Open a document; its session."""
        answer = await self.http.post("/api/documents", params={"name": name}, content=data)
        assert answer.status_code == 200, answer.text
        return answer.json()["session"]

    async def document(self, session: str) -> bytes:
        """The document as it is now."""
        answer = await self.http.get(f"/api/documents/{session}")
        assert answer.status_code == 200
        return answer.content

    @asynccontextmanager
    async def socket(self, *, origin: str | None = None) -> AsyncIterator[ClientConnection]:
        """A socket that has said nothing yet."""
        async with connect(self.url, origin=origin, proxy=None, max_size=None) as socket:  # pyright: ignore[reportArgumentType]
            yield socket

    @asynccontextmanager
    async def pane(self, session: str, *, epoch: str = "", last_seq: int = 0) -> AsyncIterator[Pane]:
        """A pane that has been welcomed."""
        async with self.socket() as socket:
            hello = Hello(
                protocol=PROTOCOL_VERSION, session=session, token=TOKEN, epoch=epoch, last_seq=last_seq
            )
            await socket.send(hello.model_dump_json())
            welcome = SERVER_MESSAGE.validate_json(await asyncio.wait_for(socket.recv(), PATIENCE))
            assert isinstance(welcome, Welcome)
            yield Pane(socket, welcome)


@asynccontextmanager
async def running(open_bench: OpenBench, **changes: object) -> AsyncIterator[Running]:
    """A server on a free port of loopback."""
    settings = Settings.model_validate({"token": TOKEN, **changes})
    app = create_app(open_bench, settings)
    server = uvicorn.Server(server_config(app, host="127.0.0.1", port=0, timeout_graceful_shutdown=2))
    # Without its handlers of signals: they belong to pytest.
    serving = asyncio.create_task(server._serve())
    try:
        while not server.started:
            assert not serving.done(), serving.exception()
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        base = f"http://127.0.0.1:{port}"
        async with httpx.AsyncClient(
            base_url=base, headers={"X-Stet-Token": TOKEN}, trust_env=False, timeout=PATIENCE
        ) as http:
            yield Running(port, settings, app.state.store, http)
    finally:
        server.should_exit = True
        await serving


def folded(view: SessionView, messages: list[ServerMessage]) -> SessionView:
    """What a pane shows after these messages, worked out as the pane does."""
    requests = {request.id: request for request in view.requests}
    steps = {step.id: step for step in view.steps}
    document, attachments = view.document, view.attachments
    for message in messages:
        match message.kind:
            case "step":
                steps[message.step.id] = message.step
            case "request":
                requests[message.request.id] = message.request
            case "document":
                document = message.document
            case "attachments":
                attachments = message.attachments
            case _:
                pass
    return view.model_copy(
        update={
            "requests": list(requests.values()),
            "steps": list(steps.values()),
            "document": document,
            "attachments": attachments,
        }
    )
