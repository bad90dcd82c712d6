"""The server: documents over HTTP, sessions over a WebSocket, the pane as static files."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import ValidationError
from pydantic_core import from_json
from starlette.exceptions import HTTPException

from agent.errors import AgentError, DocumentError, DocumentTooLarge, InvalidValue
from server import samples
from server.attachments import NoSuchAttachment, TooManyAttachments, checked_label
from server.bench import Snapshot
from server.log import Follower
from server.pages import file_response, page_response
from server.protocol import (
    CLIENT_MESSAGE,
    PROTOCOL_VERSION,
    AttachmentView,
    BlocksView,
    ClientMessage,
    DocumentOpened,
    Hello,
    HttpProblem,
    Ping,
    Pong,
    Run,
    SampleView,
)
from server.security import Guard, is_token
from server.session import Session
from server.settings import Settings
from server.store import OpenBench, SessionStore, TooManySessions
from server.uploads import DOCX_TYPE, content_disposition, in_pieces, read_upload, safe_name, unless_gone
from server.wire import Outgoing, read

logger = logging.getLogger(__name__)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")

_SESSION_GONE = "The server has no such session; it was started again, or the session was idle for too long."


class Refusal(Exception):
    """An HTTP request that is answered with an `HttpProblem`."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.problem = HttpProblem(code=code, message=message)


def create_app(open_bench: OpenBench, settings: Settings | None = None) -> FastAPI:
    """The ASGI application. `open_bench` opens a document on a session's worker (`server.workbench`)."""
    settings = settings or Settings()
    store = SessionStore(open_bench, settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        sweeper = asyncio.create_task(store.sweep_forever(), name="sweeper")
        try:
            yield
        finally:
            sweeper.cancel()
            with suppress(asyncio.CancelledError):
                await sweeper
            await store.close_all()

    # Without FastAPI's own pages of documentation: they load scripts from elsewhere.
    app = FastAPI(title="Stet", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.settings = settings
    app.state.store = store
    app.add_middleware(Guard, settings=settings)
    _add_problems(app)
    _add_documents(app, store, settings)
    _add_socket(app, store, settings)
    _add_pages(app, settings)
    return app


def _add_documents(app: FastAPI, store: SessionStore, settings: Settings) -> None:
    def session_of(session: str) -> Session:
        found = store.get(session)
        if found is None:
            raise Refusal(404, "SESSION_UNKNOWN", _SESSION_GONE)
        return found

    async def opened(request: Request, data: bytes, name: str) -> DocumentOpened:
        session = await unless_gone(request, store.open(data, safe_name(name)))
        if session is None:
            raise DocumentError("The page went away while its document was being opened.")
        return DocumentOpened(session=session.id, document=session.log.document)

    @app.post("/api/documents")
    async def open_document(request: Request, name: str = "") -> DocumentOpened:
        data, own_name = await read_upload(request, settings.upload_limit)
        return await opened(request, data, name or own_name)

    @app.get("/api/documents/{session}")
    async def download(session: str) -> Response:
        found = session_of(session)
        snapshot = found.snapshot
        headers = {
            "content-disposition": content_disposition(found.name),
            "cache-control": "no-store",
            "x-stet-revision": str(snapshot.revision),
            "cross-origin-resource-policy": "same-origin",
        }
        return in_pieces(snapshot.data, DOCX_TYPE, headers)

    @app.get("/api/documents/{session}/blocks", response_model=BlocksView)
    async def blocks(session: str) -> Response:
        snapshot = session_of(session).snapshot
        headers = {"cache-control": "no-store", "x-stet-revision": str(snapshot.revision)}
        return in_pieces(await asyncio.to_thread(_blocks_json, snapshot), "application/json", headers)

    @app.post("/api/documents/{session}/reading", status_code=204)
    async def reading(session: str, request: Request) -> None:
        found = session_of(session)
        data, _ = await read_upload(request, settings.upload_limit)
        digest = await asyncio.to_thread(lambda: hashlib.sha256(data).hexdigest())
        found.store_reading(digest, data)

    @app.post("/api/documents/{session}/attachments")
    async def attach(session: str, request: Request, name: str = "") -> AttachmentView:
        found = session_of(session)
        data, own_name = await read_upload(request, settings.picture_limit, "picture")
        label = await asyncio.to_thread(checked_label, name or own_name, data)
        return await found.attach(label, data)

    @app.delete("/api/documents/{session}/attachments", status_code=204)
    async def detach(session: str, name: str) -> None:
        await session_of(session).detach(name)

    @app.delete("/api/documents/{session}", status_code=204)
    async def close_document(session: str) -> None:
        await store.close(session_of(session).id)

    @app.get("/api/samples")
    async def list_samples() -> list[SampleView]:
        return samples.listed()

    @app.post("/api/samples/{sample}")
    async def open_sample(sample: str, request: Request) -> DocumentOpened:
        found = samples.find(sample)
        if found is None:
            known = ", ".join(view.id for view in samples.listed())
            raise Refusal(404, "SAMPLE_UNKNOWN", f"There is no sample {sample!r}; there are {known}.")
        return await opened(request, await asyncio.to_thread(samples.read, found), found.name)


def _blocks_json(snapshot: Snapshot) -> bytes:
    view = BlocksView(revision=snapshot.revision, blocks=list(snapshot.blocks))
    return view.model_dump_json().encode()


def _add_pages(app: FastAPI, settings: Settings) -> None:
    # These read files: without `async` they are called in a thread.
    @app.get("/")
    @app.get("/index.html")
    def playground(request: Request) -> Response:
        return page_response(request, "index.html", settings)

    @app.get("/taskpane.html")
    def taskpane(request: Request) -> Response:
        return page_response(request, "taskpane.html", settings)

    @app.get("/api/{path:path}")
    async def no_api(path: str) -> Response:
        raise Refusal(404, "NOT_FOUND", f"There is no /api/{path}.")

    @app.get("/{path:path}")
    def file(request: Request, path: str) -> Response:
        response = file_response(request, path, settings)
        if response is None:
            raise Refusal(404, "NOT_FOUND", f"There is no /{path}.")
        return response


def _add_socket(app: FastAPI, store: SessionStore, settings: Settings) -> None:
    @app.websocket("/api/session")
    async def serve(socket: WebSocket) -> None:
        await socket.accept()
        try:
            hello = await _hello(socket, settings)
            if hello is None:
                return
            session = store.get(hello.session)
            if session is None:
                await socket.close(4404, _SESSION_GONE)
            elif not is_token(hello.token, settings):
                await socket.close(4401, "The page is from another run of the server. Load it again.")
            else:
                await _follow(socket, session, hello)
        except WebSocketDisconnect:
            pass


async def _hello(socket: WebSocket, settings: Settings) -> Hello | None:
    """The first message; None if there was none and the socket is closed."""
    text = ""
    try:
        text = await asyncio.wait_for(_text(socket), settings.hello_seconds)
        hello = await read(text, CLIENT_MESSAGE.validate_json)
    except TimeoutError:
        await socket.close(4400, "No hello came.")
        return None
    except ValidationError as error:
        # A pane of another version fails here on whatever is new in it; its version is the better answer.
        if await read(text, _protocol_of) in {None, PROTOCOL_VERSION}:
            await socket.close(4400, _reason(error))
        else:
            await socket.close(4409, f"The server speaks protocol {PROTOCOL_VERSION}. Load the page again.")
        return None
    if not isinstance(hello, Hello):
        await socket.close(4400, f"The first message must be hello, not {hello.kind}.")
        return None
    if hello.protocol != PROTOCOL_VERSION:
        await socket.close(
            4409,
            f"The page speaks protocol {hello.protocol}, the server {PROTOCOL_VERSION}. Load the page again.",
        )
        return None
    return hello


def _message(text: str) -> tuple[ClientMessage, bool]:
    """A message, and whether it came as whole characters."""
    whole = _well_formed(text)
    return CLIENT_MESSAGE.validate_json(whole), whole == text


def _well_formed(text: str) -> str:
    """A message with half characters (lone surrogates, which a browser's strings may hold, and which are no text)
    replaced by U+FFFD; any other as it is.
    """
    if not _SURROGATE.search(text):
        return text
    try:
        parsed = json.dumps(json.loads(text), ensure_ascii=False)
    except (ValueError, RecursionError):
        return text
    mended = re.sub("[\ud800-\udfff]", "\ufffd", parsed)
    return text if mended == parsed else mended


def _protocol_of(text: str) -> int | None:
    """The version of the protocol that a message names; None if it names none."""
    try:
        message = from_json(text)
    except ValueError:
        return None
    version = message.get("protocol") if isinstance(message, dict) else None
    return version if isinstance(version, int) else None


async def _follow(socket: WebSocket, session: Session, hello: Hello) -> None:
    """Everything after a good hello: two directions, until one of them ends."""
    follower = session.join(hello)
    sending = asyncio.create_task(_send(socket, follower))
    receiving = asyncio.create_task(_receive(socket, session, follower))
    try:
        done, _ = await asyncio.wait({sending, receiving}, return_when=asyncio.FIRST_COMPLETED)
        close = next((code for task in done if not task.exception() and (code := task.result())), None)
        for task in done:
            if (error := task.exception()) is not None and not isinstance(error, WebSocketDisconnect):
                raise error
        if close is not None:
            await socket.close(*close)
    finally:
        session.leave(follower)
        for task in (sending, receiving):
            task.cancel()
        await asyncio.gather(sending, receiving, return_exceptions=True)


async def _send(socket: WebSocket, follower: Follower) -> tuple[int, str] | None:
    while (outgoing := await follower.next()) is not None:
        await socket.send_text(await outgoing.text())
    return follower.ended


async def _receive(socket: WebSocket, session: Session, follower: Follower) -> tuple[int, str]:
    while True:
        try:
            message, whole = await read(await _text(socket), _message)
        except ValidationError as error:
            return 4400, _reason(error)
        match message:
            case Run() if not whole:
                session.refuse(message, "The request has half a character in it; type it anew.")
            case Hello():
                return 4400, "A second hello; open another socket instead."
            case Ping():
                follower.put(Outgoing(Pong()))
            case _:
                session.receive(message)


async def _text(socket: WebSocket) -> str:
    """The next message. Bytes that are no text are read as such, and fail as a message."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1005)
    return message.get("text") or (message.get("bytes") or b"").decode("utf-8", "replace")


def _reason(error: ValidationError) -> str:
    """What is wrong with a message, short enough for a close frame (123 bytes)."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    text = f"{place}: {first['msg']}" if place else first["msg"]
    return text.encode()[:120].decode("utf-8", "ignore")


def _add_problems(app: FastAPI) -> None:
    def answer(status: int, problem: HttpProblem) -> JSONResponse:
        return JSONResponse(problem.model_dump(), status_code=status)

    @app.exception_handler(Refusal)
    async def refusal(_: Request, error: Refusal) -> JSONResponse:
        return answer(error.status, error.problem)

    @app.exception_handler(DocumentError)
    async def document_error(_: Request, error: DocumentError) -> JSONResponse:
        status = 413 if isinstance(error, DocumentTooLarge) else 422
        return answer(status, HttpProblem(code=error.code, message=error.message))

    @app.exception_handler(InvalidValue)
    @app.exception_handler(TooManyAttachments)
    async def not_attached(_: Request, error: AgentError) -> JSONResponse:
        return answer(422, HttpProblem(code=error.code, message=error.message))

    @app.exception_handler(NoSuchAttachment)
    async def no_attachment(_: Request, error: NoSuchAttachment) -> JSONResponse:
        return answer(404, HttpProblem(code=error.code, message=error.message))

    @app.exception_handler(TooManySessions)
    async def too_many(_: Request, error: TooManySessions) -> JSONResponse:
        return answer(503, HttpProblem(code="TOO_MANY_SESSIONS", message=error.message))

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return answer(422, HttpProblem(code="INVALID_VALUE", message=f"{place}: {first['msg']}"))

    @app.exception_handler(HTTPException)
    async def http_error(_: Request, error: HTTPException) -> JSONResponse:
        code = {404: "NOT_FOUND", 405: "METHOD_NOT_ALLOWED"}.get(error.status_code, "FAILED")
        return answer(error.status_code, HttpProblem(code=code, message=str(error.detail)))

    @app.exception_handler(Exception)
    async def unexpected(_: Request, error: Exception) -> JSONResponse:
        logger.error("request failed", exc_info=error)
        return answer(500, HttpProblem(code="INTERNAL", message="Something went wrong inside Stet."))
