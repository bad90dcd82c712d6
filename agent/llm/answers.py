"""Typed answers: the JSON schema that an endpoint is given, and the reading of what comes back.

A schema goes out as strict as it can. Strict mode (OpenAI's structured outputs) knows a subset of JSON
Schema: each object closed, each property required, `anyOf` but not `oneOf`, no defaults. Optional properties
are therefore sent as required and nullable, and a null that comes back for one counts as left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

import json_repair
from pydantic import BaseModel, ValidationError

Answer = TypeVar("Answer", bound=BaseModel)
Schema = dict[str, Any]

UNKNOWN_TO_STRICT = frozenset(
    {"title", "default", "examples", "discriminator", "$schema", "format", "pattern", "multipleOf"}
    | {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength"}
    | {"minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"}
)
"""Left out of a strict schema: not every endpoint takes them, and the answer is checked anyway."""
FENCED = re.compile(r"```(?:json|JSON)?\s*\n(.*?)\n\s*```", re.DOTALL)
THINKING = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)


class Unreadable(Exception):
    """An answer that is not what was asked for; the message is fit to be sent back to the model."""


class _NotStrict(Exception):
    """A schema that strict mode cannot express, such as an object with free keys."""


@dataclass(frozen=True)
class AnswerFormat(Generic[Answer]):
    """What an answer must look like, for the endpoint and for the reader."""

    model: type[Answer]
    name: str
    """Name of the format or tool: letters, digits, underscores."""
    plain: Schema
    """As pydantic gives it."""
    strict: Schema | None
    """The same for strict mode; None where strict mode cannot say it."""

    @classmethod
    def of(cls, model: type[Answer], name: str) -> AnswerFormat[Answer]:
        """The format for a pydantic model."""
        plain = model.model_json_schema()
        return cls(model, name, plain, strict_schema(plain))

    def read(self, text: str, *, complete: bool) -> Answer:
        """The answer in a text. Broken JSON is repaired only in a complete text: half a text is no answer."""
        value = read_object(text, repair=complete)
        try:
            return self.model.model_validate(value)
        except ValidationError as first:
            try:
                return self.model.model_validate(without_nulls(value))
            except ValidationError:
                raise Unreadable(sentence(first)) from first


def strict_schema(schema: Schema) -> Schema | None:
    """The schema for strict mode; None where strict mode cannot say it."""
    if schema.get("type") != "object":
        return None  # strict mode wants an object at the root
    try:
        return _strict(schema)
    except _NotStrict:
        return None


def _strict(schema: Schema) -> Schema:
    out = {key: value for key, value in schema.items() if key not in UNKNOWN_TO_STRICT}
    if "oneOf" in out:
        out["anyOf"] = out.pop("oneOf")
    if "allOf" in out:
        parts = cast("list[Schema]", out.pop("allOf"))
        if len(parts) != 1:
            raise _NotStrict
        out = {**parts[0], **out}
    if "$ref" in out and len(out) > 1:
        # A reference with a description beside it is refused; as the only branch of a union it is not.
        out["anyOf"] = [{"$ref": out.pop("$ref")}]
    if "prefixItems" in out or "patternProperties" in out or ("type" not in out and not _is_open_ended(out)):
        raise _NotStrict
    if "anyOf" in out:
        out["anyOf"] = [_strict(branch) for branch in out["anyOf"]]
    if isinstance(out.get("items"), dict):
        out["items"] = _strict(out["items"])
    elif out.get("type") == "array":
        raise _NotStrict
    if "$defs" in out:
        out["$defs"] = {name: _strict(definition) for name, definition in out["$defs"].items()}
    if out.get("type") == "object":
        if out.get("additionalProperties", False) is not False or "properties" not in out:
            raise _NotStrict
        required = set(out.get("required", ()))
        out["properties"] = {
            name: _strict(value) if name in required else _nullable(_strict(value))
            for name, value in out["properties"].items()
        }
        out["required"] = list(out["properties"])
        out["additionalProperties"] = False
    return out


def _is_open_ended(schema: Schema) -> bool:
    """Whether a schema without a type still says what it is."""
    return any(key in schema for key in ("anyOf", "$ref", "enum", "const"))


def _nullable(schema: Schema) -> Schema:
    branches: list[Schema] = schema.get("anyOf", [])
    if any(branch.get("type") == "null" for branch in branches):
        return schema
    if branches:
        return {**schema, "anyOf": [*branches, {"type": "null"}]}
    described = {"description": schema["description"]} if "description" in schema else {}
    bare = {key: value for key, value in schema.items() if key != "description"}
    return {**described, "anyOf": [bare, {"type": "null"}]}


def without_nulls(value: Any) -> Any:
    """A JSON value without the properties that are null, at any depth."""
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value).items()
        return {key: without_nulls(item) for key, item in pairs if item is not None}
    if isinstance(value, list):
        return [without_nulls(item) for item in cast("list[Any]", value)]
    return value


def read_object(text: str, *, repair: bool) -> Mapping[str, Any]:
    """The JSON object in an answer: bare, in a code fence, amid prose or, if `repair`, broken."""
    body = THINKING.sub("", text).strip()
    if not body:
        raise Unreadable("the answer was empty")
    fenced = [match.group(1) for match in FENCED.finditer(body)]
    start = body.find("{")
    for candidate in (body, *fenced, body[start:] if start >= 0 else ""):
        try:
            value, _ = json.JSONDecoder(strict=False).raw_decode(candidate.strip())
        except ValueError:
            continue
        if isinstance(value, dict):
            return cast("dict[str, Any]", value)
    if repair and start >= 0:
        value = json_repair.loads(fenced[0] if fenced else body[start:])
        if isinstance(value, dict) and value:
            return value
    if not repair:
        raise Unreadable("the answer broke off before it was complete; a shorter one is needed")
    raise Unreadable("the answer was not a JSON object")


def sentence(error: ValidationError) -> str:
    """What a validation found, as the model (and a developer) can read it."""
    lines: list[str] = []
    for item in error.errors(include_url=False, include_context=False)[:6]:
        where = ".".join(str(part) for part in item["loc"])
        said = item["msg"].removeprefix("Value error, ")
        lines.append(f"{where}: {said}" if where else said)
    return "; ".join(lines)
