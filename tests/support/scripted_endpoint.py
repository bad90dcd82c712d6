"""A real HTTP server on the loopback that speaks `/v1/chat/completions` and plays a script.

It streams as server-sent events when asked to, with usage when asked for, and can lack what real endpoints
lack:

    with ScriptedEndpoint({"action": "finish"}, lacks={"json_schema"}) as endpoint:
        llm = Llm(endpoint.settings())
        ...
    assert endpoint.asked[-1].rung == "tool"

A reply is a dict (sent as JSON), a str (sent as it is), or one of the classes below; a function of the
request may choose it. Replies are played in order, or by question where `by_question` names them.
"""

from __future__ import annotations

import json
import select
import socket
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

from agent.llm import EndpointSettings

FEATURES = ("stream_options", "stream", "json_schema", "tools", "json_object")


@dataclass(frozen=True)
class Asked:
    """One request as it came over the wire."""

    body: dict[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def rung(self) -> str:
        """How the form of the answer was asked for."""
        if "tools" in self.body:
            return "tool"
        return str(self.body.get("response_format", {}).get("type", "text"))

    @property
    def question(self) -> str:
        """Name of the question, where the form of the answer carries it."""
        if self.rung == "tool":
            return str(self.body["tools"][0]["function"]["name"])
        return str(self.body.get("response_format", {}).get("json_schema", {}).get("name", ""))

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the answer, where one was sent."""
        if self.rung == "tool":
            return cast("dict[str, Any]", self.body["tools"][0]["function"]["parameters"])
        return cast(
            "dict[str, Any]", self.body.get("response_format", {}).get("json_schema", {}).get("schema", {})
        )

    def said(self, role: str) -> str:
        """All that one role says, joined."""
        return "\n".join(message["content"] for message in self.body["messages"] if message["role"] == role)

    @property
    def system(self) -> str:
        return self.said("system")

    @property
    def user(self) -> str:
        return self.said("user")


@dataclass(frozen=True)
class Text:
    """An answer with an end of its own."""

    content: str
    finish: str = "stop"
    as_content: bool = False
    """Answer in the content even where a tool call was forced, as some servers do."""


@dataclass(frozen=True)
class Refusal:
    """The model declines: the message's `refusal` field."""

    words: str


@dataclass(frozen=True)
class Status:
    """An HTTP error with OpenAI's body."""

    status: int
    message: str = ""
    code: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Cut:
    """A stream that ends in the middle: by a dropped connection, or cleanly but without a finish reason."""

    content: str
    dropped: bool = True


@dataclass(frozen=True)
class StreamError:
    """A stream that turns into an error object half-way, as gateways send it."""

    message: str


@dataclass(frozen=True)
class Silence:
    """Nothing, or a first piece and then nothing, until the client hangs up."""

    begun_with: str = ""


Reply = dict[str, Any] | str | Text | Refusal | Status | Cut | StreamError | Silence
Scripted = Reply | Callable[[Asked], Reply]


class ScriptedEndpoint:
    """See the module. `lacks` names what is answered with 400: any of `FEATURES`."""

    def __init__(
        self,
        *script: Scripted,
        by_question: Mapping[str, Sequence[Scripted]] | None = None,
        lacks: Collection[str] = (),
        models: Sequence[str] = ("scripted",),
        ignores_stream: bool = False,
    ) -> None:
        self.script = list(script)
        self.by_question = {name: list(replies) for name, replies in (by_question or {}).items()}
        self.lacks = frozenset(lacks)
        self.models = models
        self.ignores_stream = ignores_stream
        self.asked: list[Asked] = []
        self.hung_up = threading.Event()
        """The client closed the connection before the answer was complete."""
        self.silent = threading.Event()
        """A `Silence` has begun."""
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_for(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> ScriptedEndpoint:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def settings(self, **changed: Any) -> EndpointSettings:
        """Settings that lead here."""
        values: dict[str, Any] = {"base_url": self.url, "model": "scripted", "timeout": 10.0, "retries": 0}
        return EndpointSettings(**{**values, **changed})

    def reply_to(self, asked: Asked) -> Reply:
        """The next reply of the script; a refusal of the request where the script has none left."""
        with self._lock:
            self.asked.append(asked)
            lacking = _lacking(asked.body, self.lacks)
            if lacking:
                return Status(400, f"{lacking} is not supported by this server")
            queue = self.by_question.get(asked.question, self.script)
            if not queue:
                return Status(403, f"the script has no reply left for {asked.question or 'this request'!r}")
            chosen = queue.pop(0)
        return chosen(asked) if callable(chosen) else chosen


def _lacking(body: dict[str, Any], lacks: Collection[str]) -> str:
    kind = body.get("response_format", {}).get("type")
    for feature in FEATURES:
        used = kind == feature if feature.startswith("json") else body.get(feature)
        if used and feature in lacks:
            return "response_format" if feature.startswith("json") else feature
    return ""


def _handler_for(endpoint: ScriptedEndpoint) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            pass

        def do_GET(self) -> None:
            rows = [
                {"id": name, "object": "model", "created": 0, "owned_by": "test"} for name in endpoint.models
            ]
            self._send_json(200, {"object": "list", "data": rows})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked = Asked(body, dict(self.headers.items()))
            reply = endpoint.reply_to(asked)
            try:
                self._play(asked, reply)
            except OSError:
                endpoint.hung_up.set()
                self.close_connection = True

        def _play(self, asked: Asked, reply: Reply) -> None:
            match reply:
                case dict():
                    self._answer(asked, Text(json.dumps(reply)))
                case str():
                    self._answer(asked, Text(reply))
                case Text() | Refusal():
                    self._answer(asked, reply)
                case Status(status, message, code, headers):
                    error = {
                        "message": message or f"scripted {status}",
                        "type": "error",
                        "code": code,
                        "param": None,
                    }
                    self._send_json(status, {"error": error}, headers)
                case Cut(content, dropped):
                    self._begin_stream()
                    self._event(_delta({"role": "assistant", "content": content}))
                    if not dropped:
                        self.wfile.write(b"0\r\n\r\n")
                    self.close_connection = True
                case StreamError(message):
                    self._begin_stream()
                    self._event(_delta({"role": "assistant", "content": '{"ha'}))
                    self._event({"error": {"message": message, "type": "server_error", "code": 502}})
                    self.wfile.write(b"0\r\n\r\n")
                case Silence(begun_with):
                    if begun_with:
                        self._begin_stream()
                        self._event(_delta({"role": "assistant", "content": begun_with}))
                    self._wait_for_hang_up()

        def _answer(self, asked: Asked, reply: Text | Refusal) -> None:
            message: dict[str, Any] = {"role": "assistant", "content": None, "refusal": None}
            finish = reply.finish if isinstance(reply, Text) else "stop"
            if isinstance(reply, Refusal):
                message["refusal"] = reply.words
            elif asked.rung == "tool" and not reply.as_content:
                function = {"name": asked.question, "arguments": reply.content}
                message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
            else:
                message["content"] = reply.content
            length = sum(len(item["content"]) for item in asked.body["messages"]) // 4
            answered = len(reply.content if isinstance(reply, Text) else reply.words) // 4 + 1
            usage = {
                "prompt_tokens": length,
                "completion_tokens": answered,
                "total_tokens": length + answered,
                "prompt_tokens_details": {"cached_tokens": length // 2},
            }
            if asked.body.get("stream") and not endpoint.ignores_stream:
                self._stream(message, finish, usage if asked.body.get("stream_options") else None)
            else:
                choice = {"index": 0, "message": message, "finish_reason": finish}
                whole = {**_STAMP, "object": "chat.completion", "choices": [choice], "usage": usage}
                self._send_json(200, whole)

        def _stream(self, message: dict[str, Any], finish: str, usage: dict[str, Any] | None) -> None:
            self._begin_stream()
            self._event(_delta({"role": "assistant"}))
            for call in message.get("tool_calls", ()):
                function = call["function"]
                first = {**call, "index": 0, "function": {"name": function["name"], "arguments": ""}}
                self._event(_delta({"tool_calls": [first]}))
                for piece in _pieces(function["arguments"]):
                    self._event(_delta({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}))
            for key in ("content", "refusal"):
                for piece in _pieces(message.get(key) or ""):
                    self._event(_delta({key: piece}))
            self._event(_delta({}, finish))
            if usage is not None:
                self._event({**_STAMP, "object": "chat.completion.chunk", "choices": [], "usage": usage})
            self._chunk(b"data: [DONE]\n\n")
            self.wfile.write(b"0\r\n\r\n")

        def _begin_stream(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()

        def _event(self, payload: dict[str, Any]) -> None:
            self._chunk(f"data: {json.dumps(payload)}\n\n".encode())

        def _chunk(self, data: bytes) -> None:
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()

        def _send_json(
            self, status: int, payload: dict[str, Any], headers: Mapping[str, str] | None = None
        ) -> None:
            data = json.dumps(payload).encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def _wait_for_hang_up(self) -> None:
            self.close_connection = True
            endpoint.silent.set()
            while not endpoint.closing.is_set():
                readable, _, _ = select.select([self.connection], [], [], 0.02)
                if readable and not self.connection.recv(1, socket.MSG_PEEK):
                    endpoint.hung_up.set()
                    return

    return Handler


_STAMP = {"id": "chatcmpl-scripted", "created": 0, "model": "scripted"}


def _delta(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {**_STAMP, "object": "chat.completion.chunk", "choices": [choice]}


def _pieces(text: str, size: int = 12) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]
