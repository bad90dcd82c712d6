"""Operations as prompts show them: a line for the planner's overview, a signature for the choice of a call.

A signature is written from the operation's JSON schema in the notation of TypeScript, which models read well
and which is far shorter than the schema. Types that several operations share are said once, above.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Example:
    """A request in words and the parameters that carry it out."""

    goal: str
    params: Mapping[str, Any]


@dataclass(frozen=True)
class Signature:
    """One operation: what it does and how it is called."""

    name: str
    summary: str
    schema: Schema
    """JSON schema of its parameters."""
    examples: Sequence[Example] = ()


def signatures(operations: Sequence[Signature]) -> str:
    """The operations, one after the other, below the types that they share."""
    shared: dict[str, Schema] = {}
    for operation in operations:
        for name, definition in operation.schema.get("$defs", {}).items():
            shared.setdefault(name, definition)
    types = [_definition(name, shared[name]) for name in sorted(shared)]
    return "\n\n".join([*(["\n".join(types)] if types else []), *(_signature(item) for item in operations)])


def as_json(value: Any) -> str:
    """JSON on one line, letters as they are."""
    return json.dumps(value, ensure_ascii=False)


def _definition(name: str, schema: Schema) -> str:
    said = f"  // {_one_line(schema['description'])}" if schema.get("description") else ""
    forms = schema.get("anyOf", ())
    if forms and all("description" in form for form in forms):
        return "\n".join(
            [f"type {name} = one of{said}", *(f"  {type_of(form)}{_remark(form)}" for form in forms)]
        )
    if "properties" not in schema:
        return f"type {name} = {type_of(schema)}{said}"
    return "\n".join([f"type {name} ={said}", *_properties(schema)])


def _signature(operation: Signature) -> str:
    lines = [f"{operation.name}: {_one_line(operation.summary)}", *_properties(operation.schema)]
    lines += [f"  e.g. {as_json(item.goal)} -> {as_json(dict(item.params))}" for item in operation.examples]
    return "\n".join(lines)


def _properties(schema: Schema) -> list[str]:
    required = schema.get("required", ())
    return [
        f"  {_property(name, value, name in required)}{_remark(value)}"
        for name, value in schema.get("properties", {}).items()
    ]


def _property(name: str, schema: Schema, required: bool) -> str:
    return f"{name}{'' if required else '?'}: {type_of(schema)}"


def _remark(schema: Schema) -> str:
    said = _one_line(str(schema.get("description", "")))
    default = schema.get("default")
    if default is not None and default != [] and default != {}:
        said = f"{said.rstrip('.')}; default {as_json(default)}" if said else f"default {as_json(default)}"
    return f"  // {said}" if said else ""


def type_of(schema: Schema) -> str:
    """A JSON schema as a type expression. That null means "left out" goes without saying."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "const" in schema:
        return as_json(schema["const"])
    if "enum" in schema:
        return " | ".join(as_json(value) for value in schema["enum"])
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            branches = [type_of(branch) for branch in schema[key] if branch.get("type") != "null"]
            return (" & " if key == "allOf" else " | ").join(dict.fromkeys(branches))
    match schema.get("type"):
        case "array":
            return _array(schema)
        case "object":
            return _object(schema)
        case "integer" | "number" as kind:
            return f"{kind}{_limits(schema, 'minimum', 'maximum')}"
        case "string":
            pattern = f" matching {schema['pattern']}" if "pattern" in schema else ""
            return f"string{_limits(schema, 'minLength', 'maxLength', ' characters')}{pattern}"
        case None:
            return "any"
        case kind:
            return str(kind)


def _array(schema: Schema) -> str:
    item = type_of(schema.get("items", {}))
    whole = f"({item})[]" if " " in item and not item.startswith("{") else f"{item}[]"
    return f"{whole}{_limits(schema, 'minItems', 'maxItems', ' items')}"


def _object(schema: Schema) -> str:
    if "properties" in schema:
        required = schema.get("required", ())
        inner = ", ".join(
            _property(name, value, name in required) for name, value in schema["properties"].items()
        )
        return f"{{{inner}}}"
    values = schema.get("additionalProperties")
    return f"{{[key: string]: {type_of(values) if isinstance(values, Mapping) else 'any'}}}"


def _limits(schema: Schema, low: str, high: str, unit: str = "") -> str:
    least = schema.get(low, schema.get("exclusiveMinimum") if low == "minimum" else None)
    most = schema.get(high, schema.get("exclusiveMaximum") if high == "maximum" else None)
    if least is None and most is None:
        return ""
    if least == 1 and most is None and unit == " characters":
        return ""  # "not empty" goes without saying
    return f" ({'' if least is None else f'{least:g}'}..{'' if most is None else f'{most:g}'}{unit})"


def _one_line(text: str) -> str:
    return " ".join(text.split())
