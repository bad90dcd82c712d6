"""One endpoint over HTTP: what it can do, one exchange with it, and its failures in words.

Endpoints that call themselves OpenAI-compatible differ. What works is found out by trying, from the best
downwards, and remembered once an answer came: how the form of the answer is forced (`Rung`) and whether it
streams (`Streaming`).
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, cast

import httpx2
import openai
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.completion_usage import CompletionUsage

from agent.errors import ModelRefused, ModelUnavailable
from agent.llm.abilities import Abilities, Messages, Rung, Streaming, request
from agent.llm.answers import AnswerFormat
from agent.llm.failures import explain, refusal_of, weaker_would_help
from agent.llm.settings import DEFAULT_MODEL, EndpointSettings

log = logging.getLogger(__name__)

MAX_ANSWER = 400_000
"""Characters after which an answer is cut off: a model that repeats itself never ends by itself."""


@dataclass(frozen=True)
class Reply:
    """What came back."""

    text: str
    """The content, or the arguments of the forced tool call."""
    finish: str
    """The endpoint's `finish_reason`; empty if the answer broke off."""
    refusal: str = ""
    usage: CompletionUsage | None = None
    seconds: float = 0.0
    first_token_seconds: float | None = None

    @property
    def complete(self) -> bool:
        """Whether the model came to its end by itself."""
        return self.finish in ("stop", "tool_calls", "function_call", "eos")


class _BrokenOff(Exception):
    """An answer that began and did not come to its end."""


class Endpoint:
    """A connection pool to one endpoint and what is known of it; shared by all sessions of a process."""

    def __init__(self, settings: EndpointSettings) -> None:
        self.settings = settings
        self.abilities = Abilities()
        self._model = settings.model or (DEFAULT_MODEL if settings.at_openai else "")
        self._client = openai.AsyncOpenAI(
            api_key=settings.api_key or "none",  # the client insists on one; local servers ignore it
            base_url=settings.url,
            timeout=httpx2.Timeout(settings.timeout, connect=min(10.0, settings.timeout)),
            max_retries=settings.retries,
        )

    async def close(self) -> None:
        """Give the connections back."""
        await self._client.close()

    async def model(self) -> str:
        """The model to ask: the one that was set, else the only one that is served."""
        if self._model:
            return self._model
        try:
            served = [model.id async for model in self._client.models.list()]
        except openai.APIError as error:
            raise explain(error, self.settings, "") from error
        if len(served) != 1:
            named = ", ".join(sorted(served)[:8]) or "none"
            raise ModelUnavailable(
                f"{self.settings.place} serves {len(served)} models ({named}); "
                "say in STET_MODEL which one to ask"
            )
        self._model = served[0]
        return self._model

    async def exchange(
        self, messages: Messages, wanted: AnswerFormat[Any], heard: Callable[[str], None] | None = None
    ) -> Reply:
        """Ask once, going down the ladder as far as the endpoint needs, and give what came back."""
        model = await self.model()
        tried, breaks = self.abilities, 0
        while True:
            try:
                reply = await self._send(request(model, messages, wanted, tried), tried, heard)
            except openai.APIStatusError as error:
                tried = self._weaker(tried, error, model)
                log.debug("%s: trying %s, streaming %s", self.settings.place, tried.rung, tried.streaming)
            except openai.APIError as error:
                raise explain(error, self.settings, model) from error
            except _BrokenOff as broken:
                # The client's own retries end when the answer begins; a cut stream is asked for again here.
                breaks += 1
                if breaks > self.settings.retries:
                    raise ModelUnavailable(
                        f"{self.settings.place} broke off its answer (tried {breaks} times; "
                        f"{self.settings.without_key(str(broken))}). Check that the server is healthy and "
                        "that no proxy in between closes long connections."
                    ) from broken
            else:
                if not self.abilities.confirmed:
                    self.abilities = replace(tried, confirmed=True)
                return reply

    def schema_was_ignored(self) -> None:
        """Remember that a schema alone does not make this endpoint answer in JSON."""
        self.abilities = replace(self.abilities, show_schema=True)

    def _weaker(self, tried: Abilities, error: openai.APIStatusError, model: str) -> Abilities:
        """What to try after this error; raises where trying something else is no use."""
        declined = refusal_of(error)
        if declined:
            raise ModelRefused(self.settings.without_key(declined)) from error
        tool_trouble = tried.rung is Rung.TOOL and not tried.confirmed
        next_try = (
            tried.weaker(error.message) if weaker_would_help(error, tool_trouble=tool_trouble) else None
        )
        if next_try is None:
            raise explain(error, self.settings, model) from error
        return next_try

    async def _send(
        self, body: dict[str, Any], tried: Abilities, heard: Callable[[str], None] | None
    ) -> Reply:
        start = time.monotonic()
        if tried.streaming is Streaming.NONE:
            whole = cast("ChatCompletion", await self._client.chat.completions.create(**body))
            return _from_completion(whole, time.monotonic() - start)
        stream = cast(
            "openai.AsyncStream[ChatCompletionChunk]", await self._client.chat.completions.create(**body)
        )
        # Leaving the block, also by cancellation, closes the connection, which stops the model at the other
        # end.
        async with stream:
            if stream.response.headers.get("content-type", "").startswith("application/json"):
                # Asked to stream, the endpoint answered in one piece all the same.
                whole = ChatCompletion.model_construct(**json.loads(await stream.response.aread()))
                whole = ChatCompletion.model_validate(whole.model_dump(warnings=False))
                return _from_completion(whole, time.monotonic() - start)
            try:
                reply = await _from_stream(stream, start, heard)
            except openai.APITimeoutError:
                raise
            except (openai.APIError, httpx2.HTTPError, ValueError) as error:
                raise _BrokenOff(str(error) or type(error).__name__) from error
            if not reply.finish and not _whole(reply.text):
                raise _BrokenOff("the stream ended without a finish reason")
            return reply


def _from_completion(whole: ChatCompletion, seconds: float) -> Reply:
    if not whole.choices:
        return Reply("", "", seconds=seconds)
    choice = whole.choices[0]
    calls = choice.message.tool_calls or []
    arguments = "".join(call.function.arguments for call in calls[:1] if call.type == "function")
    return Reply(
        text=arguments or choice.message.content or "",
        finish=choice.finish_reason or "",
        refusal=choice.message.refusal or "",
        usage=whole.usage,
        seconds=seconds,
    )


async def _from_stream(
    stream: openai.AsyncStream[ChatCompletionChunk], start: float, heard: Callable[[str], None] | None
) -> Reply:
    content: list[str] = []
    arguments: list[str] = []
    refusal: list[str] = []
    finish, usage, first, length = "", None, None, 0
    async for chunk in stream:
        usage = chunk.usage or usage
        for choice in chunk.choices[:1]:
            delta = choice.delta
            # Only the first tool call counts: one answer was asked for.
            calls = [call for call in delta.tool_calls or () if call.index in (0, None)]
            pieces = [call.function.arguments or "" for call in calls if call.function]
            content.append(delta.content or "")
            arguments.extend(pieces)
            refusal.append(delta.refusal or "")
            finish = choice.finish_reason or finish
            piece = (delta.content or "") + "".join(pieces)
            if piece:
                first = time.monotonic() - start if first is None else first
                length += len(piece)
                if heard is not None:
                    heard(piece)
        if length > MAX_ANSWER:
            finish = "length"
            break
    return Reply(
        text="".join(arguments) or "".join(content),
        finish=finish,
        refusal="".join(refusal),
        usage=usage,
        seconds=time.monotonic() - start,
        first_token_seconds=first,
    )


def _whole(text: str) -> bool:
    """Whether a text is a complete JSON value, whatever the endpoint says of its end."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
