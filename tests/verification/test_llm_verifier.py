"""The verifier that asks a model: what it is shown, and the verdict that comes of it."""

from __future__ import annotations

import pytest

from agent.document.changes import Change, Dimension, Kind
from agent.errors import ModelUnparseable
from agent.llm import Llm
from agent.steps import Call, SubInstruction, Verdict, VerdictSource
from agent.verification.llm_verifier import MOST_CHANGES, LlmVerifier
from tests.support.scripted_endpoint import ScriptedEndpoint

GOAL = SubInstruction("Make the paragraph [p3] friendlier", "make the last paragraph friendlier")
CALL = Call("rewrite_paragraph", {"target": {"ids": ["p3"]}, "text": "What a year!"})
CHANGE = Change(
    Dimension.CONTENT, Kind.CHANGED, "p3", "text", "It was good.", "What a year!", "Paragraph 'It was good.'"
)
AFTER = "[p3] Normal: What a year!"


async def judge(
    endpoint: ScriptedEndpoint, changes: tuple[Change, ...] = (CHANGE,), after: str = AFTER
) -> Verdict:
    llm = Llm(endpoint.settings())
    try:
        return await LlmVerifier(llm).judge(GOAL, CALL, changes, "[p3] Normal: It was good.", after)
    finally:
        await llm.close()


async def test_the_verdict_is_the_models_with_its_confidence_and_its_explanation():
    with ScriptedEndpoint(
        {"explanation": "Friendlier indeed.", "aligned": True, "confidence": 0.9}
    ) as endpoint:
        assert await judge(endpoint) == Verdict(True, 0.9, "Friendlier indeed.", VerdictSource.MODEL)


async def test_the_model_sees_the_goal_the_call_the_changes_and_the_touched_blocks():
    with ScriptedEndpoint({"explanation": "x", "aligned": False, "confidence": 1}) as endpoint:
        await judge(endpoint)
    [asked] = endpoint.asked
    assert asked.question == "verify"
    for text in (GOAL.text, GOAL.part, '"rewrite_paragraph"', CHANGE.explain(), "It was good.", AFTER):
        assert text in asked.user
    assert list(asked.schema["properties"]) == ["explanation", "aligned", "confidence"]


async def test_what_was_removed_is_said_to_be_gone():
    with ScriptedEndpoint({"explanation": "x", "aligned": True, "confidence": 1}) as endpoint:
        await judge(endpoint, after="")
    assert "After, none of the touched blocks is left." in endpoint.asked[0].user


async def test_a_confidence_that_is_none_is_asked_for_again_and_then_given_up():
    bad = {"explanation": "x", "aligned": True, "confidence": 90}
    with ScriptedEndpoint(bad, bad) as endpoint, pytest.raises(ModelUnparseable, match="confidence"):
        await judge(endpoint)


async def test_very_many_changes_and_very_long_blocks_are_cut():
    changes = tuple(
        Change(Dimension.FORMATTING, Kind.CHANGED, f"p{n}", "bold", "", "true", f"Paragraph 'number {n}'")
        for n in range(MOST_CHANGES + 5)
    )
    with ScriptedEndpoint({"explanation": "x", "aligned": True, "confidence": 1}) as endpoint:
        await judge(endpoint, changes, after="[p3] Normal: " + "long " * 9000)
    user = endpoint.asked[0].user
    assert "and 5 more changes of these kinds" in user
    assert "more characters" in user
    assert len(user) < 20_000
