"""Documents and pictures that come and go over HTTP: their bytes with a limit, their name without a path."""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import AsyncGenerator, Coroutine, Mapping
from typing import Any, TypeVar
from urllib.parse import quote, unquote

from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request
from starlette.responses import StreamingResponse

from agent.errors import DocumentError, DocumentTooLarge

DOCX_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
DEFAULT_STEM, DEFAULT_PICTURE = "document", "picture"
T = TypeVar("T")
_PIECE = 256 * 1024
_LONGEST_NAME, _LONGEST_EXTENSION = 150, 5
_FORBIDDEN = re.compile(r'[<>:"|?*]')
_ESCAPED = re.compile("%0D|%0A|%22")
"""How a browser writes line ends and quotation marks in the file name of a form, and nothing else (HTML,
"multipart/form-data encoding algorithm")."""


def safe_name(name: str) -> str:
    """A file name for people and for the download, made of what the browser said: the last part of any path,
    no control characters (nor those that turn the reading direction), no characters that Windows refuses,
    ending in .docx or .docm.

    It is never used to open a file.
    """
    cleaned = _cleaned(name).rstrip(" .")
    stem, dot, extension = cleaned.rpartition(".")
    if not dot or extension.lower() not in {"docx", "docm", "dotx", "dotm"}:
        stem, extension = cleaned, "docx"
    stem = stem.strip(" .")[:_LONGEST_NAME].strip(" .")
    return f"{stem or DEFAULT_STEM}.{extension}"


def picture_label(name: str) -> str:
    """What an attached picture is called: cleaned like a document's name, with whatever extension it has.

    It is never used to open a file.
    """
    stem, dot, extension = _cleaned(name).strip(" .").rpartition(".")
    if not dot or len(extension) > _LONGEST_EXTENSION:
        stem, extension = f"{stem}{dot}{extension}", ""
    stem = stem[:_LONGEST_NAME].strip(" .") or DEFAULT_PICTURE
    return f"{stem}.{extension}" if extension else stem


def _cleaned(name: str) -> str:
    last = re.split(r"[/\\]", name)[-1]
    visible = "".join(c for c in unicodedata.normalize("NFC", last) if unicodedata.category(c)[0] != "C")
    return _FORBIDDEN.sub("_", visible)


def content_disposition(name: str) -> str:
    """The header that makes a browser save the answer under that name (RFC 6266): plain ASCII for old
    clients, and `filename*` in UTF-8.
    """
    plain = "".join(c if " " <= c <= "~" and c not in '"\\%' else "_" for c in name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


async def read_upload(request: Request, limit: int, what: str = "document") -> tuple[bytes, str]:
    """The document (or `what` else it is) in the body of a request and the name that came with it ("" if none).

    Either the body is the file, or it is a form (`multipart/form-data`) with one file. Reading ends as
    soon as the limit is passed. Raises `DocumentTooLarge`, or `DocumentError` if the body holds no document.
    """
    too_large = DocumentTooLarge(f"The {what} is larger than {limit / 1024 / 1024:.0f} MB, the limit here.")
    declared = request.headers.get("content-length", "")
    # A form wraps the file in some lines of its own; what it declares is only a first hint.
    if declared.isdecimal() and int(declared) > limit + 65_536:
        raise too_large

    async def counted() -> AsyncGenerator[bytes, None]:
        size = 0
        async for chunk in request.stream():
            size += len(chunk)
            if size > limit + 65_536:
                raise too_large
            yield chunk

    try:
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() == "multipart/form-data":
            data, name = await _file_of_form(request, counted())
        else:
            chunks = [chunk async for chunk in counted()]
            data, name = await asyncio.to_thread(b"".join, chunks), ""
    except ClientDisconnect:
        raise DocumentError("The upload was broken off.") from None
    if len(data) > limit:
        raise too_large
    if not data:
        raise DocumentError(f"The upload is empty; send the {what} as the body of the request.")
    return data, name


async def _file_of_form(request: Request, stream: AsyncGenerator[bytes, None]) -> tuple[bytes, str]:
    try:
        form = await MultiPartParser(request.headers, stream, max_files=1, max_fields=8).parse()
    except (MultiPartException, KeyError) as error:
        raise DocumentError(f"The form cannot be read: {getattr(error, 'message', error)}.") from error
    try:
        for _, value in form.multi_items():
            if isinstance(value, UploadFile):
                return await value.read(), _ESCAPED.sub(lambda found: unquote(found[0]), value.filename or "")
    finally:
        await form.close()
    raise DocumentError("The form has no file in it.")


async def unless_gone(request: Request, work: Coroutine[Any, Any, T]) -> T | None:
    """The result of some work for a request whose body has been read; None if the client does not wait for it any
    more: the work is then cancelled.
    """
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def in_pieces(data: bytes, media_type: str, headers: Mapping[str, str]) -> StreamingResponse:
    """An answer that is handed to the socket piece by piece, so that others get their turn in between."""

    async def pieces() -> AsyncGenerator[memoryview, None]:
        for start in range(0, len(data), _PIECE):
            yield memoryview(data)[start : start + _PIECE]

    all_headers = {**headers, "content-length": str(len(data))}
    return StreamingResponse(pieces(), media_type=media_type, headers=all_headers)
