"""A whole instruction with a model behind both planner and verifier: the agent's loop over real HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from agent.agent import Agent
from agent.document.mirror import Mirror
from agent.events import Event, InstructionFinished, StepDone, StepNotDone, StepRetrying
from agent.history import History
from agent.intent.intents import Intent
from agent.llm import Budget, Llm
from agent.operations.catalogue import catalogue
from agent.operations.specimens import doc, h, p, title
from agent.planning.llm_planner import LlmPlanner
from agent.steps import RollbackLevel
from agent.verification.llm_verifier import LlmVerifier
from tests.support.scripted_endpoint import ScriptedEndpoint, Silence, Status

REPORT = doc(title("Annual report"), h(1, "Introduction"), p("This year was good."))
ALIGNED = {"explanation": "It is what was asked for.", "aligned": True, "confidence": 0.95}
FINISH = {"action": "finish"}


class Formatting:
    """Every request is about formatting."""

    def top(self, text: str, k: int = 3) -> Sequence[Intent]:
        return [Intent.FORMATTING]


def step(words: str) -> dict[str, Any]:
    return {"action": "step", "sub_instruction": words, "part": words}


def align(block: str, alignment: str) -> dict[str, Any]:
    params = {"target": {"ids": [block]}, "alignment": alignment}
    return {"why": "asked for", "call": {"operation": "set_alignment", "params": params}}


async def run(
    endpoint: ScriptedEndpoint, instruction: str, stop: asyncio.Event | None = None, **changed: Any
) -> tuple[list[Event], Mirror, Llm]:
    llm = Llm(endpoint.settings(**changed))
    mirror = Mirror.open(REPORT())
    agent = Agent(LlmPlanner(llm, catalogue().values()), verifier=LlmVerifier(llm), intents=Formatting())
    try:
        events = [event async for event in agent.run(mirror, History(mirror), instruction, stop=stop)]
    finally:
        await llm.close()
    return events, mirror, llm


def finished(events: Sequence[Event]) -> InstructionFinished:
    last = events[-1]
    assert isinstance(last, InstructionFinished)
    return last


def alignment(mirror: Mirror, number: int) -> str:
    found = mirror.document.paragraphs[number].alignment
    return found.name if found is not None else ""


async def test_an_instruction_of_two_parts_is_planned_called_judged_and_finished():
    script = {
        "next_sub_instruction": [step("Centre [p1]"), step("Justify [p3]"), FINISH],
        "choose_call": [align("p1", "center"), align("p3", "justify")],
        "verify": [ALIGNED, ALIGNED],
    }
    with ScriptedEndpoint(by_question=script) as endpoint:
        events, mirror, llm = await run(endpoint, "Centre the title and justify the text")
    assert finished(events).complete
    assert finished(events).done == (1, 2)
    assert (alignment(mirror, 0), alignment(mirror, 2)) == ("CENTER", "JUSTIFY")
    assert [call.prompt for call in llm.usage.calls].count("verify") == 2
    later = [asked for asked in endpoint.asked if asked.question == "next_sub_instruction"][1]
    assert "1. done: Centre [p1] -> Paragraph 'Annual report' is now centred" in later.user


async def test_a_change_that_the_model_finds_misaligned_is_taken_back_and_made_otherwise():
    wrong = {"explanation": "The heading was centred, not the title.", "aligned": False, "confidence": 0.9}
    script = {
        "next_sub_instruction": [step("Centre the title"), FINISH],
        "choose_call": [align("p2", "center")],
        "verify": [wrong, ALIGNED],
        "revise_parameters": [align("p1", "center")],
    }
    with ScriptedEndpoint(by_question=script) as endpoint:
        events, mirror, _ = await run(endpoint, "Centre the title")
    [again] = [event for event in events if isinstance(event, StepRetrying)]
    assert (again.level, again.reason) == (RollbackLevel.PARAMETER, "The heading was centred, not the title.")
    assert (alignment(mirror, 0), alignment(mirror, 1)) == ("CENTER", "")
    revised = next(asked for asked in endpoint.asked if asked.question == "revise_parameters")
    assert "'Introduction' is now centred" in revised.user
    assert "Wrong: The heading was centred, not the title." in revised.user


async def test_an_endpoint_that_is_down_ends_the_run_with_a_sentence_and_no_change():
    with ScriptedEndpoint(Status(503, "overloaded")) as endpoint:
        events, mirror, _ = await run(endpoint, "Centre the title")
    assert not finished(events).complete
    assert "has a problem of its own (HTTP 503)" in finished(events).summary
    assert alignment(mirror, 0) == ""


async def test_a_verifier_that_cannot_be_reached_leaves_the_step_with_a_warning():
    script = {
        "next_sub_instruction": [step("Centre [p1]"), FINISH],
        "choose_call": [align("p1", "center")],
        "verify": [Status(500, "oops")],
    }
    with ScriptedEndpoint(by_question=script) as endpoint:
        events, mirror, _ = await run(endpoint, "Centre the title")
    [done] = [event for event in events if isinstance(event, StepDone)]
    assert "was not checked" in done.warnings[0]
    assert alignment(mirror, 0) == "CENTER"


async def test_stop_closes_the_request_that_is_running():
    stop = asyncio.Event()
    with ScriptedEndpoint(step("Centre [p1]"), Silence('{"why": "a long')) as endpoint:
        running = asyncio.create_task(run(endpoint, "Centre the title", stop))
        assert await asyncio.to_thread(endpoint.silent.wait, 10)
        stop.set()
        events, mirror, _ = await running
        assert await asyncio.to_thread(endpoint.hung_up.wait, 10)
    assert finished(events).stopped
    assert [event for event in events if isinstance(event, StepNotDone)]
    assert alignment(mirror, 0) == ""


async def test_the_limit_that_the_user_set_ends_the_run():
    script = {"next_sub_instruction": [step("Centre [p1]")], "choose_call": [align("p1", "center")]}
    with ScriptedEndpoint(by_question=script) as endpoint:
        events, _, llm = await run(endpoint, "Centre the title", call_limit=2)
    assert "limit of 2 requests" in finished(events).summary
    assert llm.budget == Budget(None, 2)
