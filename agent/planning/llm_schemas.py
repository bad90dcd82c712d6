"""The operations' schemas as the model sees them: targets as a choice of forms, descriptions where they are read.

`Target` is one model with a field for each way of naming something. Given as it is, a strict schema would have the
model write out every field of it as null; and nothing would keep it from filling two ways at once. For the model it
is therefore a choice of forms, each with the fields that go together. The same forms stand in the prompt.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from agent.operations.targets import Place, Target
from agent.prompts import Example, Signature, signatures

if TYPE_CHECKING:
    from agent.operations.catalogue import Operation

Schema = dict[str, Any]
EXAMPLES = 2
"""Worked examples shown with each operation."""
NONE = "none"
"""The name with which the model says that no call will do."""
NO_CALL: Schema = {
    "type": "object",
    "properties": {
        "why": {"type": "string", "enum": ["no_such_operation", "not_in_document", "several_fit"]},
        "reason": {"type": "string"},
    },
    "required": ["why", "reason"],
    "additionalProperties": False,
}
TARGET_FORMS: tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...] = (
    (("ids",), (), "Whole blocks, by their ids"),
    (
        ("ids", "text"),
        ("nth", "all"),
        "Words in these blocks; nth from 1 or all where they stand there several times",
    ),
    (("ids",), ("row", "column"), "Row, column or cell of the table with this id"),
    (("text",), ("nth", "all"), "Words anywhere in the document"),
    (("section",), (), "All that is under a heading, given by its words"),
    (("section",), ("every", "text", "all"), "Under that heading, everything of a kind, or words"),
    (("heading",), (), "The heading line itself, by its words"),
    (("table",), ("row", "column"), "The table by number, or a row, column or cell of it"),
    (("paragraph",), (), "Body paragraph by number; headings, lists, empty lines and tables do not count"),
    (("picture",), (), "Picture by number"),
    (("chart",), (), "Chart by number"),
    (("style",), (), "Everything in a style"),
    (("every",), (), "Everything of a kind in the document"),
    (("where",), (), "A place that needs no words"),
)
"""Fields that a form of `Target` needs, fields that it may have, what it means."""
PLACE_FORMS = (
    ("after", "Behind this"),
    ("before", "In front of this"),
    ("at", "Start or end of the document"),
)


def shown(operations: Iterable[Operation[Any]]) -> str:
    """The operations as signatures, with worked examples."""
    return signatures(
        [
            Signature(
                operation.name,
                operation.summary,
                _schema_of(operation),
                [Example(item.goal, item.params) for item in operation.examples if item.raises is None][
                    :EXAMPLES
                ],
            )
            for operation in operations
        ]
    )


def call_schema(operations: Iterable[Operation[Any]]) -> Schema:
    """One branch an operation; types that several of them use are defined once. Descriptions are in the prompt."""
    branches: list[Schema] = []
    definitions: Schema = {}
    for operation in operations:
        schema = _with_own_names(operation.name, _bare(_schema_of(operation)), definitions)
        definitions.update(schema.pop("$defs", {}))
        branches.append(_branch(operation.name, schema))
    branches.append(_branch(NONE, NO_CALL))
    whole: Schema = {
        "type": "object",
        "properties": {"why": {"type": "string"}, "call": {"anyOf": branches}},
        "required": ["why", "call"],
        "additionalProperties": False,
    }
    return {**whole, "$defs": definitions} if definitions else whole


def target_schema() -> Schema:
    """`Target` as a choice of forms."""
    own = Target.model_json_schema()["properties"]
    return {
        "description": "What is meant, named in one of these ways. Numbers count from 1; -1 is the last.",
        "anyOf": [
            {
                "type": "object",
                "description": meaning,
                "properties": {name: _without_remarks(own[name]) for name in (*needed, *allowed)},
                "required": list(needed),
                "additionalProperties": False,
            }
            for needed, allowed, meaning in TARGET_FORMS
        ],
    }


def place_schema() -> Schema:
    """`Place` as a choice of forms."""
    own = Place.model_json_schema()["properties"]
    return {
        "description": "Where something new goes.",
        "anyOf": [
            {
                "type": "object",
                "description": meaning,
                "properties": {name: _without_remarks(own[name])},
                "required": [name],
                "additionalProperties": False,
            }
            for name, meaning in PLACE_FORMS
        ],
    }


def _schema_of(operation: Operation[Any]) -> Schema:
    """The schema of the parameters with targets and places as forms, and with what a target resolves to."""
    schema = operation.schema()
    definitions: Schema = dict(schema.get("$defs", {}))
    for name, forms in (("Target", target_schema), ("Place", place_schema)):
        if name in definitions:
            definitions[name] = forms()
    properties: Schema = dict(schema.get("properties", {}))
    for name, wants in operation.wants.items():
        said = str(properties[name].get("description", "")).strip()
        properties[name] = {**properties[name], "description": f"{said} Names {wants.value}.".strip()}
    return {**schema, "properties": properties, **({"$defs": definitions} if definitions else {})}


def _without_remarks(schema: Mapping[str, Any]) -> Schema:
    """The type alone, and without the null that stands for "not given"."""
    kept = {key: value for key, value in schema.items() if key not in ("description", "default", "title")}
    branches = [branch for branch in kept.get("anyOf", ()) if branch.get("type") != "null"]
    if len(branches) == 1:
        return dict(branches[0])
    return {**kept, "anyOf": branches} if branches else kept


def _branch(name: str, params: Schema) -> Schema:
    return {
        "type": "object",
        "properties": {"operation": {"type": "string", "const": name}, "params": params},
        "required": ["operation", "params"],
        "additionalProperties": False,
    }


def _with_own_names(operation: str, schema: Schema, definitions: Schema) -> Schema:
    """The schema with those of its definitions renamed that another operation defines otherwise."""
    own = schema.get("$defs", {})
    clashes = [name for name, value in own.items() if name in definitions and definitions[name] != value]
    if not clashes:
        return schema
    text = json.dumps(schema)
    for name in clashes:
        text = text.replace(f'"#/$defs/{name}"', f'"#/$defs/{operation}.{name}"')
    renamed: Schema = json.loads(text)
    renamed["$defs"] = {f"{operation}.{k}" if k in clashes else k: v for k, v in renamed["$defs"].items()}
    return renamed


def _bare(schema: Schema) -> Schema:
    """A schema without its descriptions and titles, at any depth; properties of these names stay."""
    found: Schema = {}
    for key, value in schema.items():
        if key in ("properties", "$defs"):
            found[key] = {name: _bare(item) for name, item in value.items()}
        elif key in ("description", "title"):
            continue
        elif isinstance(value, dict) and key not in ("default", "const"):
            found[key] = _bare(value)
        elif isinstance(value, list) and key in ("anyOf", "oneOf", "allOf", "prefixItems"):
            found[key] = [_bare(item) for item in value]
        else:
            found[key] = value
    return found
