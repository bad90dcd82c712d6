"""What is slow runs off the event loop, and one session does not hold up another."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from fastapi.routing import APIRoute, APIWebSocketRoute

from agent.document.mirror import Mirror
from agent.operations.specimens import png
from benchmarks.documents import synthetic
from server import wire
from server.app import create_app
from server.hosts.pane_host import make_host
from server.planners import Agents, PlannerChoice
from server.protocol import (
    PROTOCOL_VERSION,
    SERVER_MESSAGE,
    ClientMessage,
    Hello,
    Keep,
    Message,
    Ping,
    Pong,
    Problem,
    Push,
    PushResult,
    Reading,
    ReadRequest,
    Redo,
    RequestChanged,
    Run,
    Selected,
    ServerMessage,
    Stop,
    Undo,
)
from server.settings import Settings
from server.workbench import opener
from tests.server.loop_watch import LoopWatch, watched
from tests.server.running import TOKEN, Pane, Running
from tests.server.scripted_planner import scripted_agent
from tests.server.text_bench import open_text

LARGE, SMALL = 1000, 250
CENTRE = 'set_alignment {"target": {"every": "paragraph"}, "alignment": "center"}'


class _Scripted(PlannerChoice):
    """The product's own way to open a document, with a planner that follows a script."""

    def agents(self) -> Agents:
        return Agents(scripted_agent)


open_for_word = opener(_Scripted("local", "", ""), make_host)


@pytest.fixture(scope="module")
def huge() -> bytes:
    """A document of 50,000 blocks."""
    return synthetic(50_000)


@pytest.fixture
def once_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without reading everything again after every change: with so many blocks it would be most of the time."""
    monkeypatch.setattr(Mirror, "paranoid", False)


# -- what runs on the loop -------------------------------------------------------------------------------------


def _plain(blocks: int) -> bytes:
    """A document of short paragraphs."""
    document = docx.Document()
    body = document.element.body
    for number in range(blocks):
        body[-1].addprevious(parse_xml(f"<w:p {nsdecls('w')}><w:r><w:t>Number {number}</w:t></w:r></w:p>"))
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


class Tour:
    """Every route and every message, on one document."""

    def __init__(self, server: Running, watch: LoopWatch, data: bytes) -> None:
        self.server, self.watch, self.data = server, watch, data
        self.sent: set[type[Message]] = set()
        self.calls: dict[str, int] = {}

    async def measured(self, what: str, work: Any) -> Any:
        before = self.watch.calls
        try:
            return await work
        finally:
            self.calls[what] = self.watch.calls - before

    async def take(self) -> None:
        await self._pages()
        session = await self.measured("open", self.server.open(self.data))
        await self._files(session)
        await self._messages(session)
        await self.measured("close", self._ok("DELETE", f"/api/documents/{session}", status=204))
        await self._word()

    async def _ok(self, method: str, path: str, status: int = 200, **more: Any) -> Any:
        answer = await self.server.http.request(method, path, **more)
        assert answer.status_code == status, answer.text[:300]
        return answer

    async def _pages(self) -> None:
        for path in ("/", "/index.html", "/taskpane.html", "/assets/index-abc.js"):
            await self.measured(path, self._ok("GET", path))
        await self._ok("GET", "/api/nothing", status=404)
        samples = (await self._ok("GET", "/api/samples")).json()
        await self._ok("POST", f"/api/samples/{samples[0]['id']}")

    async def _files(self, session: str) -> None:
        place = f"/api/documents/{session}"
        form = {"file": ("Letter.docx", self.data)}
        await self.measured("form", self._ok("POST", "/api/documents", files=form))
        for path in (place, f"{place}/blocks"):
            await self.measured(path.removeprefix(place) or "download", self._ok("GET", path))
        await self.measured("reading", self._ok("POST", f"{place}/reading", status=204, content=self.data))
        await self._ok("POST", f"{place}/attachments", params={"name": "a.png"}, content=png(40, 20))
        await self._ok("DELETE", f"{place}/attachments", status=204, params={"name": "a.png"})

    async def _messages(self, session: str) -> None:
        blocks = (await self._ok("GET", f"/api/documents/{session}/blocks")).json()["blocks"]
        async with self.server.pane(session) as pane, self.server.pane(session) as other:
            self.sent.add(Hello)
            run = Run(client_id="a", text=CENTRE, selection=Selected(blocks=blocks))
            await self.measured("run", self._answered(pane, run, _finished))
            await self.measured("keep", self._answered(pane, Keep(steps=[1]), _step("kept")))
            await self.measured("undo", self._answered(pane, Undo(steps=[1]), _step("undone")))
            await self.measured("redo", self._answered(pane, Redo(steps=[1]), _step("review")))
            await self.measured("unknown", self._answered(pane, Undo(steps=list(range(2, 9000))), _problem))
            await self._answered(pane, Run(client_id="b", text="hang"), _working)
            await self._answered(pane, Stop(), _finished)
            await self._answered(pane, Ping(), lambda m: isinstance(m, Pong))
            other.socket.transport.abort()  # it has not read what came for it
        async with self.server.pane(session) as back:
            assert back.welcome.view is not None

    async def _word(self) -> None:
        """As Word does: gives its document when it is asked, and takes what is pushed."""
        session = await self.server.open(self.data)
        async with self.server.socket() as socket:
            hello = Hello(protocol=PROTOCOL_VERSION, session=session, token=TOKEN, host="word")
            await socket.send(hello.model_dump_json())
            welcome = SERVER_MESSAGE.validate_json(await socket.recv())
            assert welcome.kind == "welcome"
            pane = Pane(socket, welcome)
            await self.measured("word", self._answered(pane, Run(client_id="a", text=CENTRE), _finished))
        await self._ok("DELETE", f"/api/documents/{session}", status=204)

    async def _answered(self, pane: Pane, message: Message, wanted: Callable[[ServerMessage], bool]) -> None:
        self.sent.add(type(message))
        await pane.send(message)
        while not wanted(answer := await pane.next()):
            if isinstance(answer, ReadRequest):
                session = pane.welcome.session
                await self._ok("POST", f"/api/documents/{session}/reading", status=204, content=self.data)
                await pane.send(Reading(sha256=hashlib.sha256(self.data).hexdigest()))
                self.sent.add(Reading)
            elif isinstance(answer, Push):
                await pane.send(PushResult(push=answer.push, outcome="applied"))
                self.sent.add(PushResult)
        if isinstance(answer, RequestChanged) and answer.request.state == "finished":
            assert answer.request.complete, answer.request.summary


def _finished(message: ServerMessage) -> bool:
    return isinstance(message, RequestChanged) and message.request.state in ("finished", "stopped")


def _working(message: ServerMessage) -> bool:
    return isinstance(message, RequestChanged) and message.request.state == "working"


def _problem(message: ServerMessage) -> bool:
    return isinstance(message, Problem)


def _step(*states: str) -> Callable[[ServerMessage], bool]:
    return lambda message: message.kind == "step" and message.step.state in states


@pytest.fixture(scope="module")
def static(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built pane, small."""
    folder = tmp_path_factory.mktemp("static")
    (folder / "assets").mkdir()
    for name in ("index.html", "taskpane.html", "assets/index-abc.js"):
        (folder / name).write_text("<html><head></head></html>")
    return folder


async def _tour(static: Path, data: bytes) -> tuple[Tour, LoopWatch]:
    watch = LoopWatch()
    async with watched(open_for_word, watch, static=static) as server:
        tour = Tour(server, watch, data)
        await tour.take()
    return tour, watch


async def test_nothing_slow_and_nothing_that_grows_with_the_document_is_done_on_the_loop(
    static: Path, once_read: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "LONG", LARGE * 4)  # so that a document that is cheap to make is a long one
    small, _ = await _tour(static, _plain(SMALL))
    large, watch = await _tour(static, _plain(LARGE))
    assert not watch.faults, "\n".join(watch.faults[:20])
    # Several times as many blocks, and no more to do; what comes and goes takes a few pieces more.
    for what, calls in large.calls.items():
        assert calls < small.calls[what] + LARGE / 2, (
            f"{what}: {calls} calls, {small.calls[what]} for a small document"
        )
    # A route or message that is new must be in the tour.
    routes = create_app(open_text, Settings(static=static)).routes
    http = {(m, r.path) for r in routes if isinstance(r, APIRoute) for m in r.methods}
    sockets = {("", r.path) for r in routes if isinstance(r, APIWebSocketRoute)}
    assert len(routes) == len(http | sockets)
    assert set(watch.visited) == http | sockets
    assert large.sent == set(get_args(get_args(ClientMessage)[0]))
