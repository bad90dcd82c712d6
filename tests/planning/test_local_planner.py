"""The planner without a model: whole requests on whole documents, judged by the end state."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agent.agent import Agent
from agent.document.mirror import Mirror
from agent.events import StepDone, StepNotDone
from agent.history import History
from agent.operations.catalogue import catalogue
from agent.operations.execution import execute
from agent.operations.targets import Selection
from agent.planning.local import LocalPlanner
from tests.planning.requests import DECLINED, REQUESTS, Request
from tests.support.documents import canonical
from tests.support.planners import AllIntents


async def carry_out(
    mirror: Mirror, request: str, selection: Selection | None = None
) -> list[StepDone | StepNotDone]:
    """The ends of the steps of a request, in order."""
    agent = Agent(LocalPlanner(), intents=AllIntents())
    events = agent.run(mirror, History(mirror), request, selection=selection)
    return [e async for e in events if isinstance(e, StepDone | StepNotDone)]


async def outcome(request: Request) -> str:
    """Whether a request is done exactly, declined at least in part, or done wrongly."""
    before = request.document()
    mirror = Mirror.open(before)
    ends = await carry_out(mirror, request.text)
    if not request.expect.problems(before, mirror.save()):
        return "exact"
    return "declined" if any(isinstance(e, StepNotDone) for e in ends) else "wrong"


ACCEPTANCE = (
    "Make the title bold and centre it, then add a 3x2 table after the introduction with the header Name, Amount",
    "Replace 'Acme' with 'Globex' everywhere, make all headings dark blue and add page numbers at the bottom",
    "Add a heading Next steps at the end, then a bullet list under it: call the client, send the offer, book the room",
)


@pytest.mark.parametrize("text", ACCEPTANCE)
async def test_the_sentences_of_the_first_promise_are_done_exactly(text: str) -> None:
    assert await outcome(next(r for r in REQUESTS if r.text == text)) == "exact"


async def test_most_requests_are_done_exactly_and_hardly_any_wrongly() -> None:
    outcomes = {r.text: await outcome(r) for r in REQUESTS}
    wrong = [t for t, o in outcomes.items() if o == "wrong"]
    assert sum(o == "exact" for o in outcomes.values()) >= EXACT, [
        t for t, o in outcomes.items() if o != "exact"
    ]
    assert len(wrong) <= WRONG, wrong


@pytest.mark.parametrize(("text", "document"), DECLINED)
async def test_what_cannot_be_done_leaves_the_document_as_it_is_and_says_why(
    text: str, document: Callable[[], bytes]
) -> None:
    mirror = Mirror.open(document())
    before = canonical(mirror)
    ends = await carry_out(mirror, text)
    assert canonical(mirror) == before
    assert ends
    assert all(isinstance(e, StepNotDone) and e.reason for e in ends)


async def test_most_examples_of_the_catalogue_are_reached_by_their_words() -> None:
    same, wrong, declined = 0, list[str](), list[str]()
    for op in catalogue().values():
        for example in op.examples:
            if example.raises is not None:
                continue
            mirror = Mirror.open(example.before())
            untouched = canonical(mirror)
            execute(mirror, catalogue(), op.name, dict(example.params), "1", example.selection)
            wanted = canonical(mirror)
            mirror = Mirror.open(example.before())
            ends = await carry_out(mirror, example.goal, example.selection)
            found = canonical(mirror)
            if found == wanted:
                same += 1
            elif found == untouched or any(isinstance(e, StepNotDone) for e in ends):
                declined.append(example.goal)
            else:
                wrong.append(example.goal)
    total = same + len(wrong) + len(declined)
    assert same >= EXAMPLES_SAME * total, (same, wrong, declined)
    assert len(wrong) <= EXAMPLES_WRONG * total, wrong


EXACT, WRONG = 277, 1
EXAMPLES_SAME, EXAMPLES_WRONG = 0.7, 0.04
