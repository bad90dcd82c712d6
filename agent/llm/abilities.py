"""What an endpoint can do, and the body of a request in the form that it takes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from agent.llm.answers import AnswerFormat

Messages = Sequence[Mapping[str, str]]


class Rung(StrEnum):
    """How the form of an answer is asked for, best first."""

    JSON_SCHEMA = "json_schema"
    TOOL = "tool"
    """A forced call of one function whose parameters are the answer."""
    JSON_OBJECT = "json_object"
    """Any JSON object; the schema stands in the prompt."""
    TEXT = "text"
    """Nothing is forced; the schema stands in the prompt."""


class Streaming(StrEnum):
    """How an answer arrives, best first."""

    WITH_USAGE = "with_usage"
    PLAIN = "plain"
    """`stream_options` is not known; tokens are estimated."""
    NONE = "none"


RUNGS = list(Rung)


@dataclass(frozen=True)
class Abilities:
    """What an endpoint can do, as far as is known."""

    rung: Rung = Rung.JSON_SCHEMA
    streaming: Streaming = Streaming.WITH_USAGE
    confirmed: bool = False
    """An answer came this way."""
    strict: bool = True
    """Strict schemas have not been refused."""
    show_schema: bool = False
    """The endpoint takes a schema and does not keep to it, so the prompt has to say it too."""

    @property
    def schema_in_prompt(self) -> bool:
        return self.show_schema or self.rung in (Rung.JSON_OBJECT, Rung.TEXT)

    def weaker(self, complaint: str) -> Abilities | None:
        """The next thing to try after a refusal with this message; None when nothing is left."""
        said = complaint.lower()
        if self.streaming is Streaming.WITH_USAGE and ("stream_options" in said or "include_usage" in said):
            return replace(self, streaming=Streaming.PLAIN)
        if self.streaming is not Streaming.NONE and "stream" in said:
            return replace(self, streaming=Streaming.NONE)
        if self.strict and self.rung is Rung.JSON_SCHEMA and "invalid schema" in said:
            # OpenAI's words for a schema outside its strict subset or over its limits; loose schemas have neither.
            return replace(self, strict=False)
        if self.rung is not Rung.TEXT:
            return replace(self, rung=RUNGS[RUNGS.index(self.rung) + 1])
        if self.streaming is not Streaming.NONE:
            return replace(self, streaming=Streaming.NONE)
        return None


def request(
    model: str, messages: Messages, wanted: AnswerFormat[Any], abilities: Abilities
) -> dict[str, Any]:
    """The body of the request. No temperature and no length: several models refuse the one or the other."""
    sent = [dict(message) for message in messages]
    if abilities.schema_in_prompt:
        sent[0] = {**sent[0], "content": f"{sent[0]['content']}\n\n{schema_in_words(wanted)}"}
    body: dict[str, Any] = {"model": model, "messages": sent}
    strict = wanted.strict if abilities.strict else None
    schema = wanted.plain if strict is None else strict
    match abilities.rung:
        case Rung.JSON_SCHEMA:
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": wanted.name, "schema": schema, "strict": strict is not None},
            }
        case Rung.TOOL:
            function: dict[str, Any] = {
                "name": wanted.name,
                "description": "Give the answer.",
                "parameters": schema,
            }
            if strict is not None:
                function["strict"] = True
            body["tools"] = [{"type": "function", "function": function}]
            body["tool_choice"] = {"type": "function", "function": {"name": wanted.name}}
        case Rung.JSON_OBJECT:
            body["response_format"] = {"type": "json_object"}
        case Rung.TEXT:
            pass
    if abilities.streaming is not Streaming.NONE:
        body["stream"] = True
    if abilities.streaming is Streaming.WITH_USAGE:
        body["stream_options"] = {"include_usage": True}
    return body


def schema_in_words(wanted: AnswerFormat[Any]) -> str:
    """The paragraph that asks for the form of the answer where nothing else does."""
    schema = json.dumps(wanted.plain, ensure_ascii=False, separators=(",", ":"))
    return f"Answer with one JSON object and nothing else. It must fit this JSON Schema:\n{schema}"
