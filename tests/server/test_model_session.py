"""A session whose planner and verifier ask a model over HTTP."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from server import samples
from server.planners import PlannerChoice, choose_planner
from server.protocol import Run, Stop
from server.workbench import opener
from tests.server.running import folded, running
from tests.server.test_workbench import alignments
from tests.support.scripted_endpoint import ScriptedEndpoint, Silence

REPORT = samples.read(samples.listed()[0])
ALIGNED = {"explanation": "It is what was asked for.", "aligned": True, "confidence": 0.95}


def step(words: str) -> dict[str, Any]:
    return {"action": "step", "sub_instruction": words, "part": words}


def align(text: str) -> dict[str, Any]:
    params = {"target": {"text": text}, "alignment": "center"}
    return {"why": "asked for", "call": {"operation": "set_alignment", "params": params}}


def choice(endpoint: ScriptedEndpoint) -> PlannerChoice:
    return PlannerChoice("llm", "scripted", "", endpoint.settings())


async def test_a_request_is_planned_and_judged_by_the_model() -> None:
    script = {
        "next_sub_instruction": [step("Centre the heading Summary"), {"action": "finish"}],
        "choose_call": [align("Summary")],
        "verify": [ALIGNED],
    }
    with ScriptedEndpoint(by_question=script) as endpoint:
        async with running(opener(choice(endpoint))) as server:
            session = await server.open(REPORT)
            async with server.pane(session) as pane:
                view = pane.welcome.view
                assert view is not None
                assert (view.planner, view.model) == ("llm", "scripted")
                await pane.send(Run(client_id="a", text="Centre the summary's heading"))
                finished = await pane.until_request(1, "finished")
                assert finished.request.complete
                assert [s.state for s in folded(view, pane.received).steps] == ["review"]
            assert "Summary" in alignments(await server.document(session))


async def test_stop_hangs_up_on_a_model_that_does_not_answer() -> None:
    script = {
        "next_sub_instruction": [step("Centre the heading Summary"), Silence()],
        "choose_call": [align("Summary")],
        "verify": [ALIGNED],
    }
    with ScriptedEndpoint(by_question=script) as endpoint:
        async with running(opener(choice(endpoint))) as server:
            session = await server.open(REPORT)
            async with server.pane(session) as pane:
                await pane.send(Run(client_id="a", text="Centre the summary's heading, and then some"))
                assert await asyncio.to_thread(endpoint.silent.wait, 20)
                await pane.send(Stop())
                await pane.until_request(1, "stopped")
                assert await asyncio.to_thread(endpoint.hung_up.wait, 20)
            assert "Summary" in alignments(await server.document(session))


def test_the_choice_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "STET_MODEL"):
        monkeypatch.delenv(name, raising=False)
    assert choose_planner("auto").name == "local"
    monkeypatch.setenv("OPENAI_BASE_URL", "http://user:secret@127.0.0.1:9/v1")
    monkeypatch.setenv("STET_MODEL", "small")
    chosen = choose_planner("auto")
    assert (chosen.name, chosen.model) == ("llm", "small")
    assert "small" in chosen.sentence
    assert "secret" not in chosen.sentence
    assert choose_planner("local").name == "local"
