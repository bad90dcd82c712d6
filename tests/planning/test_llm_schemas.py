"""The operations' schemas as a model sees them: each example of the catalogue must be an answer that they allow."""

from __future__ import annotations

from typing import Any

import pytest

from agent.llm.answers import strict_schema
from agent.operations.catalogue import Operation, catalogue
from agent.operations.targets import Target
from agent.planning.llm_answers import accepted, call_of
from agent.planning.llm_schemas import TARGET_FORMS, call_schema, shown, target_schema

EXAMPLES = [
    pytest.param(operation, dict(example.params), id=f"{operation.name}-{number}")
    for operation in catalogue().values()
    for number, example in enumerate(operation.examples)
    if example.raises is None
]


def fits(value: Any, schema: dict[str, Any], root: dict[str, Any]) -> bool:
    """Whether a value fits a schema; the keywords that our schemas use."""
    if "$ref" in schema:
        return fits(value, root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root)
    if "anyOf" in schema:
        return any(fits(value, branch, root) for branch in schema["anyOf"])
    if "const" in schema:
        return value == schema["const"]
    if "enum" in schema:
        return value in schema["enum"]
    match schema.get("type"):
        case "object":
            properties = schema.get("properties", {})
            extra = schema.get("additionalProperties", True)
            return (
                isinstance(value, dict)
                and set(schema.get("required", ())) <= set(value)
                and all(
                    fits(item, properties[key], root)
                    if key in properties
                    else extra is True or (isinstance(extra, dict) and fits(item, extra, root))
                    for key, item in value.items()
                )
            )
        case "array":
            return isinstance(value, list) and all(
                fits(item, schema.get("items", {}), root) for item in value
            )
        case "string":
            return isinstance(value, str)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "boolean":
            return isinstance(value, bool)
        case "null":
            return value is None
        case _:
            return True


@pytest.mark.parametrize(("operation", "params"), EXAMPLES)
def test_an_example_of_the_catalogue_is_an_answer_that_the_schema_allows(
    operation: Operation[Any], params: dict[str, Any]
):
    answer = {"why": "", "call": {"operation": operation.name, "params": params}}
    schema = call_schema([operation])
    assert fits(answer, schema, schema)
    assert call_of([operation]).model_validate(answer).params == accepted(operation, params)


def test_a_target_that_fills_two_ways_is_not_allowed():
    schema = target_schema()
    assert fits({"ids": ["p1"]}, schema, schema)
    assert not fits({"ids": ["p1"], "heading": "Scope"}, schema, schema)
    assert not fits({}, schema, schema)


def test_every_field_of_a_target_is_in_a_form():
    assert {name for needed, allowed, _ in TARGET_FORMS for name in (*needed, *allowed)} == set(
        Target.model_fields
    )


def test_the_whole_catalogue_fits_in_one_schema_in_which_each_operation_stands_once():
    schema = call_schema(catalogue().values())
    names = [branch["properties"]["operation"]["const"] for branch in schema["properties"]["call"]["anyOf"]]
    assert names == [*catalogue(), "none"]
    for name in catalogue():
        assert f"\n{name}: " in f"\n{shown(catalogue().values())}"


def test_all_that_a_schema_refers_to_is_defined():
    def refs(schema: Any) -> set[str]:
        if isinstance(schema, dict):
            own = {schema["$ref"]} if isinstance(schema.get("$ref"), str) else set[str]()
            return own.union(*(refs(value) for value in schema.values()))
        if isinstance(schema, list):
            return set[str]().union(*(refs(value) for value in schema))
        return set()

    schema = call_schema(catalogue().values())
    assert {ref.rsplit("/", 1)[-1] for ref in refs(schema)} <= set(schema["$defs"])
    strict = strict_schema(schema)
    assert strict is None or {ref.rsplit("/", 1)[-1] for ref in refs(strict)} <= set(strict["$defs"])


def test_types_of_one_name_that_differ_are_kept_apart():
    alignment = catalogue()["set_alignment"]

    class Other(Operation[Any]):
        def schema(self) -> dict[str, Any]:
            return {
                "type": "object",
                "properties": {"where": {"$ref": "#/$defs/Target"}},
                "required": ["where"],
                "$defs": {"Target": {"type": "string"}, "Kept": {"type": "integer"}},
            }

    other = Other(
        "other",
        "x",
        alignment.intents,
        alignment.params,
        alignment.run,
        "",
        "",
        (),
        (),
        frozenset(),
        wants={},
    )
    schema = call_schema([alignment, other])
    assert set(schema["$defs"]) >= {"Target", "Kept"}
    assert fits(
        {
            "why": "",
            "call": {
                "operation": "set_alignment",
                "params": {"target": {"ids": ["p1"]}, "alignment": "left"},
            },
        },
        schema,
        schema,
    )
