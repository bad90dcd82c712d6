"""Operations in the notation that prompts use."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from agent.prompts.signatures import Example, Signature, signatures, type_of


class Place(BaseModel):
    """Where new content goes."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    side: Literal["before", "after"] = "after"
    """Which side of the block."""
    block: str
    """Id of the block."""


class InsertTable(BaseModel):
    model_config = ConfigDict(use_attribute_docstrings=True)

    place: Place
    """Where it goes."""
    rows: Annotated[int, Field(ge=1, le=500)]
    cells: list[list[str]] = []
    """Rows of cells."""
    width: float | None = None
    """In cm."""


def test_an_operation_is_shown_with_types_remarks_defaults_and_an_example():
    shown = signatures(
        [
            Signature(
                "insert_table",
                "Insert a table.",
                InsertTable.model_json_schema(),
                [Example("Add 2 rows", {"place": {"block": "p1"}, "rows": 2})],
            )
        ]
    )
    assert shown == "\n".join(
        [
            "type Place =  // Where new content goes.",
            '  side?: "before" | "after"  // Which side of the block; default "after"',
            "  block: string  // Id of the block.",
            "",
            "insert_table: Insert a table.",
            "  place: Place  // Where it goes.",
            "  rows: integer (1..500)",
            "  cells?: string[][]  // Rows of cells.",
            "  width?: number  // In cm.",
            '  e.g. "Add 2 rows" -> {"place": {"block": "p1"}, "rows": 2}',
        ]
    )


def test_a_type_that_operations_share_is_said_once():
    schema = InsertTable.model_json_schema()
    shown = signatures([Signature("a", "A.", schema), Signature("b", "B.", schema)])
    assert shown.count("type Place") == 1


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"type": "string"}, "string"),
        ({"type": "string", "minLength": 1}, "string"),
        ({"type": "string", "maxLength": 9}, "string (..9 characters)"),
        ({"type": "string", "pattern": "^#"}, "string matching ^#"),
        ({"const": "x"}, '"x"'),
        ({"enum": ["a", 1]}, '"a" | 1'),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "integer"),
        ({"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 2}, '("a" | "b")[] (2.. items)'),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "{[key: string]: string}"),
        ({"type": "object", "properties": {"a": {"type": "boolean"}}}, "{a?: boolean}"),
        ({}, "any"),
    ],
)
def test_a_schema_is_a_type_expression(schema: dict[str, Any], text: str):
    assert type_of(schema) == text
