"""What is slow runs off the event loop, and one session does not hold up another."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import io
import json
import socket
import sys
import threading
import weakref
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from fastapi.routing import APIRoute, APIWebSocketRoute
from pydantic import PrivateAttr

from agent.document import breaks
from agent.document.mirror import Mirror
from agent.document.package import DocxFile
from agent.document.state import state
from agent.events import StepDone
from agent.operations.specimens import png
from agent.steps import Call
from benchmarks.documents import synthetic
from server import wire
from server.app import create_app
from server.bench import Outcome
from server.hosts.pane_host import make_host
from server.log import SessionLog
from server.planners import Agents, PlannerChoice
from server.protocol import (
    PROTOCOL_VERSION,
    SERVER_MESSAGE,
    BlockView,
    ClientMessage,
    DocumentChanged,
    DocumentView,
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
    SessionView,
    Stop,
    Undo,
)
from server.serve import Place, listen
from server.settings import Settings
from server.store import Opened, Publish, SessionStore
from server.views import MOST_BLOCKS, StepViews, block_views
from server.wire import Outgoing
from server.workbench import Workbench, opener
from tests.server.loop_watch import LoopWatch, watched
from tests.server.running import PATIENCE, TOKEN, Pane, Running, running
from tests.server.scripted_planner import scripted_agent
from tests.server.test_workbench import REPORT, align, alignments, open_scripted
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


# -- messages --------------------------------------------------------------------------------------------------


class _Noted(Problem):
    """A message that notes in which threads it is written."""

    _threads: list[int] = PrivateAttr(default_factory=list)

    def model_dump_json(self, **options: Any) -> str:
        self._threads.append(threading.get_ident())
        return super().model_dump_json(**options)


async def test_a_long_message_is_written_once_for_all_panes_and_in_another_thread() -> None:
    message = _Noted(seq=1, code="FAILED", message="x" * (wire.LONG + 1))
    outgoing = Outgoing(message)
    leaving = asyncio.create_task(outgoing.text())
    await asyncio.sleep(0)
    leaving.cancel()  # the pane for which it was begun goes away, and the others get it
    first, second = await asyncio.gather(outgoing.text(), outgoing.text())
    assert first is second
    assert SERVER_MESSAGE.validate_json(first) == Problem(**message.model_dump())
    assert len(message._threads) == 1
    assert message._threads != [threading.get_ident()]


async def test_a_short_message_is_written_where_it_is() -> None:
    message = _Noted(seq=1, code="FAILED", message="short")
    assert json.loads(await Outgoing(message).text())["message"] == "short"
    assert message._threads == [threading.get_ident()]


def test_all_panes_of_a_session_are_sent_the_same_writing() -> None:
    document = DocumentView(name="a.docx", revision=0, blocks=1)
    log = SessionLog("s", SessionView(document=document, planner="local"), limit=100, backlog=10)
    panes = [log.follow("", 0) for _ in range(3)]
    log.append(Problem(seq=0, code="FAILED", message="x"))
    assert len({id(pane._waiting[-1]) for pane in panes}) == 1


@pytest.mark.parametrize(
    "message",
    [
        Run(client_id="a", text="", selection=Selected(blocks=["p1"] * (wire.LONG // 8))),
        PushResult(push=1, outcome="differs", found=["x" * 100] * (wire.LONG // 100)),
        DocumentChanged(
            seq=1,
            document=DocumentView(name="a.docx", revision=1, blocks=5000),
            changed=[BlockView(id=f"p{n}", index=n) for n in range(wire.LONG // 8)],
        ),
    ],
)
def test_a_message_is_long_by_what_is_in_its_lists(message: Message) -> None:
    assert wire.is_long(message)
    assert not wire.is_long(DocumentView(name="x" * (wire.LONG // 2), revision=1, blocks=1))


def test_of_very_many_blocks_the_first_are_named() -> None:
    places = {f"p{n}": n for n in range(3 * MOST_BLOCKS)}
    views = block_views(reversed(places), places)
    assert [view.index for view in views] == list(range(MOST_BLOCKS))
    event = StepDone(1, "Done.", Call("set_alignment", {}), (), ())
    step = StepViews(1).take(event, list(places))
    assert step is not None
    assert step.blocks == list(places)[:MOST_BLOCKS]


async def test_what_is_sent_goes_out_at_once_and_is_not_packed_on_the_loop() -> None:
    packed: list[object] = []
    delays: list[int] = []

    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = writer.get_extra_info("socket")
        delays.append(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    listening = listen(Place("127.0.0.1", 0))
    async with await asyncio.start_server(answer, sock=listening):
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        await reader.read()
        writer.close()
    assert delays == [1]
    async with running(open_text) as server, server.pane(await server.open()) as pane:
        packed += pane.socket.protocol.extensions
    assert packed == []


# -- one session and another -----------------------------------------------------------------------------------


async def test_a_session_is_not_held_up_while_another_opens_a_document_of_50_000_blocks(huge: bytes) -> None:
    begun = threading.Event()

    async def open_bench(data: bytes, name: str, publish: Publish) -> Opened:
        if data == huge:
            begun.set()
        return await open_scripted(data, name, publish)

    async with running(open_bench) as server:
        letter = await server.open(REPORT)
        async with server.pane(letter) as pane:
            order: list[str] = []
            opening = asyncio.create_task(server.http.post("/api/documents", content=huge, timeout=600))
            opening.add_done_callback(lambda _: order.append("opened"))
            await asyncio.to_thread(begun.wait, PATIENCE)
            await pane.send(Run(client_id="a", text=align("Summary")))
            assert (await pane.until_request(1, "finished")).request.complete
            order.append("step done")
            after = await server.document(letter)
            order.append("downloaded")
            opened = (await opening).json()
        assert order == ["step done", "downloaded", "opened"]
        assert opened["document"]["blocks"] == 50_000
        assert "Summary" in alignments(after)


# -- giving up -------------------------------------------------------------------------------------------------


def _in_a_thread(work: Callable[[], None]) -> None:
    """Whom a thread listens to is said once for its life."""
    failed: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]


def test_opening_a_large_document_can_be_broken_off_in_many_places_and_frees_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    blocks, asked = 10_000, 0
    data = synthetic(blocks)
    places: Counter[str] = Counter()
    files: list[weakref.ref[DocxFile]] = []
    load = DocxFile._load
    monkeypatch.setattr(DocxFile, "_load", lambda file: (files.append(weakref.ref(file)), load(file))[1])

    def open_until(last: int) -> None:
        nonlocal asked
        asked = 0

        def given_up() -> bool:
            nonlocal asked
            asked += 1
            places[sys._getframe(2).f_code.co_name] += 1  # who takes the break
            return asked > last

        breaks.listen_to(given_up)
        Mirror.open(data)

    _in_a_thread(lambda: open_until(10**6))
    members = zipfile.ZipFile(io.BytesIO(data)).infolist()
    stretches = max(member.file_size for member in members) // 2**20
    assert places["_read_member"] == len(members)
    assert places["_make_part"] > 10
    assert places["_stretches"] > 2 * stretches  # tags are counted, and ids looked for
    assert places["with_breaks"] > blocks // breaks.STRETCH
    most = asked
    for last in (most // 2, most - 1):
        with pytest.raises(breaks.BrokenOff):
            _in_a_thread(lambda last=last: open_until(last))
        assert asked == last + 1
    gc.collect()
    assert len(files) == 3
    assert not any(file() for file in files)


async def _ended(threads: list[threading.Thread]) -> bool:
    await asyncio.to_thread(threads[0].join, PATIENCE)
    return not threads[0].is_alive()


async def test_a_client_that_goes_away_ends_the_opening_of_its_document() -> None:
    threads: list[threading.Thread] = []
    begun = threading.Event()

    async def open_bench(data: bytes, name: str, publish: Publish) -> Opened:
        if data == REPORT:
            return await open_scripted(data, name, publish)
        threads.append(threading.current_thread())
        begun.set()
        while True:  # as large as it gets: it is never open
            Mirror.open(REPORT)

    async with running(open_bench, max_sessions=1) as server:
        opening = asyncio.create_task(server.open(b"endless"))
        await asyncio.to_thread(begun.wait, PATIENCE)
        opening.cancel()
        await asyncio.gather(opening, return_exceptions=True)
        assert await _ended(threads)
        answer = await server.http.post("/api/documents", content=REPORT)
        assert answer.status_code == 200  # and its place is free
        assert len(server.store) == 1


async def test_closing_a_session_ends_what_is_being_read_in_it() -> None:
    threads: list[threading.Thread] = []
    begun = threading.Event()

    class Reader(Workbench):
        async def run(self, request: int, text: str, selection: Selected | None) -> Outcome:
            threads.append(threading.current_thread())
            begun.set()
            while True:  # without waiting for anything: the thread is held
                self._mirror.records.clear()
                state(self._mirror)

    async def open_bench(data: bytes, name: str, publish: Publish) -> Opened:
        bench = Reader(Mirror.open(data, name), scripted_agent, publish)
        return Opened(bench, bench.snapshot(), planner="local", close=bench.close)

    store = SessionStore(open_bench, Settings())
    session = await store.open(REPORT, "a.docx")
    session.receive(Run(client_id="a", text="read"))
    await asyncio.to_thread(begun.wait, PATIENCE)
    await store.close(session.id)
    assert await _ended(threads)


async def test_a_session_that_is_closed_lets_go_of_its_document_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bodies: list[weakref.ref[Any]] = []
    open_mirror = Mirror.open.__func__

    def noting(cls: type[Mirror], *arguments: Any) -> Mirror:
        mirror = open_mirror(cls, *arguments)
        bodies.append(weakref.ref(mirror.body))
        return mirror

    monkeypatch.setattr(Mirror, "open", classmethod(noting))
    store = SessionStore(open_for_word, Settings())
    gc.collect()
    gc.disable()
    try:
        session = await store.open(_plain(SMALL), "a.docx")
        follower = session.join(Hello(protocol=PROTOCOL_VERSION, session=session.id, token=""))
        session.receive(Run(client_id="a", text=f"{CENTRE}\nhang"))
        while (outgoing := await follower.next()) and outgoing.message.kind != "document":
            pass
        assert bodies[0]() is not None
        await store.close(session.id)
        assert session._worker.join(PATIENCE)
        assert bodies[0]() is None
        assert session.snapshot.data == b""
    finally:
        gc.enable()
