"""How the planner without a model divides a request, and what it does with an operation that it has never seen."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest

from agent.document.editor import Editor
from agent.document.mirror import Mirror
from agent.intent.intents import Intent
from agent.operations.catalogue import Catalogue, catalogue, operation
from agent.operations.targets import Params, Target, Wants
from agent.planning.local import LocalPlanner
from agent.planning.local.clauses import split
from agent.planning.planner import Situation
from agent.steps import SubInstruction
from tests.planning.requests import memo

SPLIT: list[tuple[str, list[str]]] = [
    ("Make the title bold and centre it, then add a table", ["Make the title bold", "centre it", "add a table"]),
    ("Please make it bold, red and underlined. Thanks!", ["make it bold, red and underlined"]),
    ("1. Bold the title\n2. Delete the picture", ["Bold the title", "Delete the picture"]),
    ("Replace 'salt and pepper' with 'oil; vinegar'", ["Replace 'salt and pepper' with 'oil; vinegar'"]),
    ("find 'a' and replace it with 'b'", ["find 'a' and replace it with 'b'"]),
    ("Replace Ann with Anna, Bob with Robert", ["Replace Ann with Anna", "Replace Bob with Robert"]),
    ("Add a list at the end: buy milk, send the letter", ["Add a list at the end: buy milk, send the letter"]),
    ("Add a heading Next steps at the end, then a list under it", ["Add a heading Next steps at the end", "Add a list under it"]),
    ("Could you please delete the second table?", ["delete the second table"]),
]  # fmt: skip


@pytest.mark.parametrize(("request_", "clauses"), SPLIT)
def test_a_request_is_divided_into_what_is_to_be_done(request_: str, clauses: list[str]) -> None:
    assert [c.text.rstrip("?") for c in split(request_)] == clauses


class SetBorder(Params):
    target: Annotated[Target, Wants.PARAGRAPHS]
    """Paragraphs."""
    border: Literal["box", "shadow", "none"]
    """Kind of border."""
    color: str | None = None
    """Colour of the line."""


@operation(
    Intent.FORMATTING,
    phrasings=[
        "put a box border around the title",
        "give the heading a red border",
        "remove the border of the paragraph",
    ],
    examples=[],
)
def set_border(editor: Editor, params: SetBorder) -> None:
    """Draw a border around paragraphs."""


async def test_an_operation_is_reached_by_its_phrasings_and_the_names_of_its_parameters() -> None:
    operations = Catalogue([*catalogue().values(), set_border])
    planner = LocalPlanner(operations)
    situation = Situation("Give the second paragraph a dark red shadow border", Mirror.open(memo()))
    goal = await planner.next_sub_instruction(situation)
    assert isinstance(goal, SubInstruction), goal
    call = await planner.choose_call(situation, goal, ())
    assert call.operation == "set_border"
    assert dict(call.params) == {"target": {"paragraph": 2}, "border": "shadow", "color": "dark red"}
