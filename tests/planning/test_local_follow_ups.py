"""Requests that lean on what was said or done before, in the same request or an earlier one of the session."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent.agent import Agent
from agent.document.mirror import Mirror
from agent.events import StepDone, StepNotDone
from agent.history import History
from agent.operations.specimens import doc, h, p, table, title
from agent.planning.local import LocalPlanner
from agent.planning.planner import Exchange, Planner, Situation
from agent.steps import Declined, Finished, Step, SubInstruction
from tests.planning.end_state import Expect
from tests.planning.requests import memo
from tests.support.documents import canonical
from tests.support.planners import AllIntents


class Remembering(LocalPlanner):
    """Keeps the steps of the request, as a session does."""

    seen: tuple[Step, ...] = ()

    async def next_sub_instruction(self, situation: Situation) -> SubInstruction | Declined | Finished:
        self.seen = situation.steps
        return await super().next_sub_instruction(situation)


async def session(before: bytes, *requests: str) -> tuple[bytes, list[StepDone | StepNotDone]]:
    """Carry out requests one after the other; the document then, and the ends of the last request's steps."""
    mirror = Mirror.open(before)
    history, earlier = History(mirror), list[Exchange]()
    ends: list[StepDone | StepNotDone] = []
    for request in requests:
        planner = Remembering()
        checked: Planner = planner
        events = Agent(checked, intents=AllIntents()).run(mirror, history, request, earlier=earlier)
        ends = [e async for e in events if isinstance(e, StepDone | StepNotDone)]
        earlier.append(Exchange(request, "", planner.seen))
    return mirror.save(), ends


FOLLOWED: list[tuple[tuple[str, ...], Expect]] = [
    (("Make the title bold", "make it red too"), Expect(looks={"Office Move": {"bold": True, "color": "FF0000"}})),
    (("Make the title 20 pt", "make it larger"), Expect(looks={"Office Move": {"size": 22}})),
    (
        ("Make the heading Costs bold and red", "the same for the heading Schedule"),
        Expect(looks={t: {"bold": True, "color": "FF0000"} for t in ("Costs", "Schedule")}),
    ),
    (
        ("Center the title", "Do the same with the heading Conclusion"),
        Expect(looks={t: {"align": "center"} for t in ("Office Move", "Conclusion")}),
    ),
    (
        ("Make the heading Costs italic", "the title too"),
        Expect(looks={t: {"italic": True} for t in ("Costs", "Office Move")}),
    ),
    (
        ("Add a heading Parking at the end", "Put it before the conclusion"),
        Expect(added=["Parking"], order=[["Parking", "Conclusion"]]),
    ),
    (
        ("Make the heading Costs italic and the same for the title",),
        Expect(looks={t: {"italic": True} for t in ("Costs", "Office Move")}),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("requests", "expect"), FOLLOWED, ids=[r[-1] for r, _ in FOLLOWED])
async def test_a_request_may_lean_on_the_one_before(requests: tuple[str, ...], expect: Expect) -> None:
    before = memo()
    after, ends = await session(before, *requests)
    assert expect.problems(before, after) == [], ends


async def test_it_means_nothing_after_a_part_that_was_declined() -> None:
    before = memo()
    after, ends = await session(before, "Make the title bold, summarise the costs and delete it")
    assert Expect(looks={"Office Move": {"bold": True}}).problems(before, after) == []
    assert [isinstance(e, StepDone) for e in ends] == [True, False, False]


async def test_undo_in_words_points_to_the_button() -> None:
    _, ends = await session(memo(), "Make the title bold", "undo that")
    assert len(ends) == 1
    assert isinstance(ends[0], StepNotDone)
    assert "Undo button" in ends[0].reason


TWO_TABLES = doc(
    title("Plan"),
    h(1, "Costs"),
    table([["Item", "Price"], ["Desk", "10"]]),
    p("Then:"),
    table([["Day", "Task"], ["Monday", "Pack"]]),
)


@pytest.mark.parametrize(
    ("request_", "make"),
    [
        ("Delete the table", TWO_TABLES),
        ("Make the last row bold", TWO_TABLES),
        ("Underline the word 'new'", memo),
    ],
)
async def test_a_request_with_several_meanings_is_asked_about_and_each_choice_works(
    request_: str, make: Callable[[], bytes]
) -> None:
    untouched = canonical(Mirror.open(make()))
    after, ends = await session(make(), request_)
    assert canonical(Mirror.open(after)) == untouched
    assert len(ends) == 1
    assert isinstance(ends[0], StepNotDone)
    assert 2 <= len(ends[0].choices) <= 3
    for choice in ends[0].choices:
        _, done = await session(make(), choice)
        assert [isinstance(e, StepDone) for e in done] == [True], choice


@pytest.mark.parametrize(
    "request_", ["Make all headings blue except Costs", "Number the headings", "Insert today's date"]
)
async def test_what_is_offered_instead_works_on_this_document(request_: str) -> None:
    _, ends = await session(memo(), request_)
    assert isinstance(ends[0], StepNotDone)
    assert len(ends[0].choices) <= 3
    for choice in ends[0].choices:
        _, done = await session(memo(), choice)
        assert [isinstance(e, StepDone) for e in done] == [True], choice
