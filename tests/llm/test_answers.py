"""Schemas that strict mode takes, and answers read from what models really write."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from agent.llm.answers import AnswerFormat, Unreadable, read_object, strict_schema, without_nulls


class Place(BaseModel):
    """Where."""

    block: str = Field(description="Id of a block")
    side: Literal["before", "after"] = "after"


class Wanted(BaseModel):
    kind: Literal["a"]
    count: int = Field(default=1, ge=1, description="How many")
    place: Place = Field(description="Where it goes")
    note: str | None = None
    rows: list[Place] = []


class Free(BaseModel):
    values: dict[str, str]


def objects(schema: Any) -> list[dict[str, Any]]:
    """All object schemas in a schema."""
    found: list[dict[str, Any]] = []
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            found.append(schema)
        for value in schema.values():
            found.extend(objects(value))
    if isinstance(schema, list):
        for value in schema:
            found.extend(objects(value))
    return found


def test_a_strict_schema_closes_each_object_and_requires_each_property():
    schema = strict_schema(Wanted.model_json_schema())
    assert schema is not None
    assert len(objects(schema)) == 2
    for item in objects(schema):
        assert item["additionalProperties"] is False
        assert item["required"] == list(item["properties"])


def test_an_optional_property_becomes_nullable_and_a_required_one_does_not():
    schema = strict_schema(Wanted.model_json_schema())
    assert schema is not None
    assert schema["properties"]["count"] == {
        "description": "How many",
        "anyOf": [{"type": "integer"}, {"type": "null"}],
    }
    assert schema["properties"]["kind"] == {"const": "a", "type": "string"}


def test_a_reference_keeps_its_description_without_siblings_beside_the_ref():
    schema = strict_schema(Wanted.model_json_schema())
    assert schema is not None
    assert schema["properties"]["place"] == {
        "description": "Where it goes",
        "anyOf": [{"$ref": "#/$defs/Place"}],
    }


def test_a_schema_with_free_keys_is_sent_as_it_is_and_not_called_strict():
    wanted = AnswerFormat.of(Free, "free")
    assert wanted.strict is None
    assert wanted.plain == Free.model_json_schema()


def test_a_null_for_an_optional_value_counts_as_left_out():
    wanted = AnswerFormat.of(Wanted, "wanted")
    text = '{"kind":"a","count":null,"place":{"block":"p1","side":null},"note":null,"rows":null}'
    assert wanted.read(text, complete=True) == Wanted(kind="a", place=Place(block="p1"))


def test_nulls_are_dropped_from_objects_and_kept_in_lists():
    assert without_nulls({"a": None, "b": [None, {"c": None, "d": 1}]}) == {"b": [None, {"d": 1}]}


@pytest.mark.parametrize(
    "text",
    [
        '{"block": "p1"}',
        '```json\n{"block": "p1"}\n```',
        'Sure! Here it is:\n```\n{"block": "p1"}\n```\nAnything else?',
        'The answer is {"block": "p1"} as asked.',
        '<think>{"block": "no"}</think>\n{"block": "p1"}',
        "{'block': 'p1'}",
        '{"block": "p1",}',
        '{"block": "p1"',
        '```json\n{"block": "p1",\n```',
    ],
)
def test_an_object_is_found_in_what_models_write(text: str):
    assert read_object(text, repair=True) == {"block": "p1"}


def test_a_line_break_inside_a_string_is_no_error():
    assert read_object('{"block": "one\ntwo"}', repair=False) == {"block": "one\ntwo"}


@pytest.mark.parametrize("text", ["", "   ", "I cannot do that.", "[1, 2]", '"text"'])
def test_what_is_no_object_is_refused(text: str):
    with pytest.raises(Unreadable):
        read_object(text, repair=True)


def test_half_an_answer_is_never_repaired():
    with pytest.raises(Unreadable, match="broke off"):
        read_object('{"text": "The contract ends on the last d', repair=False)


def test_what_is_wrong_is_said_with_the_place_where_it_is():
    with pytest.raises(Unreadable) as caught:
        AnswerFormat.of(Wanted, "wanted").read('{"kind":"b","count":0,"place":{}}', complete=True)
    said = str(caught.value)
    assert "kind: Input should be 'a'" in said
    assert "count: Input should be greater than or equal to 1" in said
    assert "place.block: Field required" in said
