"""The loop of the paper with a scripted planner: every path from a plan to a verified or a failed step."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from agent.agent import Agent, MeaningVerifier
from agent.document.changes import Change
from agent.document.editor import Editor
from agent.document.mirror import Mirror
from agent.errors import HostRejected, ModelUnavailable, StateParseError, TargetNotFound
from agent.events import (
    Event,
    InstructionFinished,
    StepDone,
    StepNotDone,
    StepPlanned,
    StepRetrying,
    as_json,
)
from agent.history import History
from agent.intent.intents import Intent
from agent.operations.catalogue import Catalogue, Operation, catalogue
from agent.operations.expectations import Effect, paragraphs_have
from agent.operations.specimens import doc, h, p, title
from agent.operations.targets import ParagraphsTarget, Params
from agent.steps import Call, Declined, RollbackLevel, SubInstruction, Verdict, VerdictSource
from tests.support.documents import canonical
from tests.support.planners import AllIntents, Plan, ScriptedPlanner

DOCUMENT = doc(title("Report"), h(1, "Scope"), p("Revenue grew."), p("Costs fell."))
CENTRE = ("set_alignment", {"target": {"where": "title"}, "alignment": "center"})
RIGHT = ("set_alignment", {"target": {"where": "title"}, "alignment": "right"})
NOWHERE = ("set_alignment", {"target": {"heading": "Nope"}, "alignment": "right"})


class OneParagraph(Params):
    target: ParagraphsTarget
    """Paragraphs."""


def misbehaving(name: str, does: Any) -> Operation[OneParagraph]:
    """An operation that promises to centre its target and does something else."""

    def effects(mirror: Mirror, params: OneParagraph) -> Iterable[Effect]:
        yield paragraphs_have(params.target.ids or (), {"alignment": "center"})

    return Operation(
        name, "formatting", (Intent.FORMATTING,), OneParagraph, does, "Summary.", "Summary.", (), (), frozenset(),
        effects, {"target": OneParagraph.model_fields["target"].metadata[0]},
    )  # fmt: skip


def half_done(editor: Editor, params: OneParagraph) -> None:
    for block in params.target.ids or ():
        editor.set_property(editor.ppr(editor.element(block)), "jc", {"val": "left"})


def too_much(editor: Editor, params: OneParagraph) -> None:
    for block in params.target.ids or ():
        editor.set_property(editor.ppr(editor.element(block)), "jc", {"val": "center"})
    editor.remove(editor.element("p4"))


def breaks_off(editor: Editor, params: OneParagraph) -> None:
    editor.remove(editor.element("p4"))
    raise ValueError("a fault of its own")


def unreadable(editor: Editor, params: OneParagraph) -> None:
    editor.remove(editor.element("p4"))
    raise StateParseError("the state cannot be read")


def makes_invalid(editor: Editor, params: OneParagraph) -> None:
    for block in params.target.ids or ():
        ppr = editor.ppr(editor.element(block))
        editor.set_property(ppr, "jc", {"val": "center"})
        editor.element(block).append(ppr)


OPERATIONS = Catalogue(
    [
        *catalogue().values(),
        misbehaving("half_done", half_done),
        misbehaving("too_much", too_much),
        misbehaving("breaks_off", breaks_off),
        misbehaving("unreadable", unreadable),
        misbehaving("makes_invalid", makes_invalid),
    ]
)
TITLE = {"target": {"where": "title"}}


class Judge:
    """A verifier that gives verdicts in order."""

    def __init__(self, *verdicts: Verdict | Exception) -> None:
        self.verdicts = list(verdicts)
        self.seen: list[tuple[str, str]] = []

    async def judge(
        self, goal: SubInstruction, call: Call, changes: Sequence[Change], before: str, after: str
    ) -> Verdict:
        self.seen.append((before, after))
        verdict = self.verdicts.pop(0)
        if isinstance(verdict, Exception):
            raise verdict
        return verdict


def verdict(aligned: bool, confidence: float, says: str = "because") -> Verdict:
    return Verdict(aligned, confidence, says, VerdictSource.MODEL)


class Run:
    """One run and what came of it."""

    def __init__(
        self, planner: ScriptedPlanner, verifier: MeaningVerifier | None = None, host: Any = None
    ) -> None:
        self.mirror = Mirror.open(DOCUMENT())
        self.before = canonical(self.mirror)
        self.history = History(self.mirror, catalogue=OPERATIONS)
        self.planner = planner
        self.agent = Agent(planner, verifier, AllIntents(), OPERATIONS, host)
        self.events: list[Event] = []
        self.stop = asyncio.Event()

    async def go(self) -> Run:
        async for event in self.agent.run(self.mirror, self.history, "do it", stop=self.stop):
            self.events.append(event)
        return self

    def of(self, kind: type[Any]) -> list[Any]:
        return [e for e in self.events if isinstance(e, kind)]

    @property
    def finished(self) -> InstructionFinished:
        return self.of(InstructionFinished)[0]

    @property
    def unchanged(self) -> bool:
        return canonical(self.mirror) == self.before


async def run(
    *plans: Plan | Declined | Any, verifier: MeaningVerifier | None = None, host: Any = None
) -> Run:
    return await Run(ScriptedPlanner(list(plans)), verifier, host).go()


async def test_a_verified_step_is_done_logged_and_explained_from_what_changed() -> None:
    result = await run(Plan("Centre the title", [CENTRE]))
    (done,) = result.of(StepDone)
    assert done.explanation == "Paragraph 'Report' is now centred; nothing else changed."
    assert [e.key for e in result.history.entries] == [done.step]
    assert result.finished.complete
    assert result.finished.summary == "Done."


async def test_every_stage_has_its_event_and_each_survives_json() -> None:
    import json

    result = await run(Plan("Centre the title", [NOWHERE, CENTRE]))
    names = [type(e).__name__ for e in result.events]
    assert names == [
        "InstructionStarted", "StepPlanned", "StepRunning", "StepRetrying", "StepRunning", "StepChecking", "StepDone",
        "InstructionFinished",
    ]  # fmt: skip
    for event in result.events:
        assert json.loads(json.dumps(as_json(event)))["event"] == type(event).__name__


async def test_a_refused_call_is_revised_at_the_parameter_level() -> None:
    result = await run(Plan("Centre the title", [NOWHERE, CENTRE]))
    (retry,) = result.of(StepRetrying)
    assert retry.level is RollbackLevel.PARAMETER
    assert "no heading 'Nope'" in retry.reason
    assert result.planner.asked == ["choose", "revise parameters"]
    assert result.finished.complete


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        ("half_done", "alignment left and not center"),
        ("too_much", "something else changed: Paragraph 'Costs fell.' was removed"),
        ("makes_invalid", "Word would not accept"),
    ],
)
async def test_an_attempt_that_fails_its_judgement_leaves_nothing_behind(operation: str, reason: str) -> None:
    result = await run(Plan("Centre the title", [(operation, TITLE), (operation, TITLE), (operation, TITLE)]))
    assert reason in result.of(StepNotDone)[0].reason
    assert [r.level for r in result.of(StepRetrying)] == [RollbackLevel.PARAMETER, RollbackLevel.API]
    assert result.unchanged
    assert not result.finished.complete


async def test_after_a_failed_repair_another_operation_is_tried_and_then_it_ends() -> None:
    result = await run(Plan("Centre the title", [("half_done", TITLE), ("half_done", TITLE), CENTRE]))
    assert result.planner.asked == ["choose", "revise parameters", "revise operation"]
    assert result.finished.complete
    assert len(result.history.entries) == 1


@pytest.mark.parametrize("operation", ["breaks_off", "unreadable"])
async def test_an_invalid_execution_goes_straight_to_the_operation_level(operation: str) -> None:
    result = await run(Plan("Centre the title", [(operation, TITLE), CENTRE]))
    assert result.planner.asked == ["choose", "revise operation"]
    assert result.finished.complete


async def test_an_unknown_operation_goes_straight_to_the_operation_level() -> None:
    result = await run(Plan("Centre the title", [("set_alignmnet", TITLE), CENTRE]))
    (retry,) = result.of(StepRetrying)
    assert retry.level is RollbackLevel.API
    assert "set alignment" in retry.reason


async def test_a_part_that_is_declined_is_said_to_be_not_done_and_the_rest_is_done() -> None:
    result = await run(
        Declined("share it with Ann", "Stet cannot share documents."), Plan("Centre the title", [CENTRE])
    )
    assert result.of(StepNotDone)[0].reason == "Stet cannot share documents."
    assert not result.finished.complete
    assert "1 of 2 steps are done" in result.finished.summary
    assert "Not done: share it with Ann." in result.finished.summary


async def test_a_planner_that_can_make_no_call_ends_the_step_with_its_reason() -> None:
    result = await run(Plan("Centre it", [TargetNotFound("There is no such thing here.")]))
    assert result.of(StepNotDone)[0].reason == "There is no such thing here."


async def test_when_no_parameters_will_do_another_operation_is_tried() -> None:
    result = await run(
        Plan("Centre it", [("half_done", TITLE), TargetNotFound("No other parameters."), CENTRE])
    )
    assert [r.level for r in result.of(StepRetrying)] == [RollbackLevel.API]
    assert result.finished.complete


async def test_a_model_that_is_away_ends_the_run_and_says_so() -> None:
    result = await run(Plan("Centre the title", [CENTRE]), ModelUnavailable("The endpoint does not answer."))
    assert "The endpoint does not answer." in result.finished.summary
    assert not result.finished.complete
    assert len(result.history.entries) == 1


async def test_a_verdict_below_the_threshold_is_not_believed() -> None:
    judge = Judge(verdict(True, 0.5), verdict(True, 0.9))
    result = await run(Plan("Centre the title", [CENTRE, RIGHT]), verifier=judge)
    (retry,) = result.of(StepRetrying)
    assert "only 50% sure" in retry.reason
    assert "right-aligned" in result.of(StepDone)[0].explanation


async def test_the_verifier_sees_the_touched_blocks_before_and_after() -> None:
    judge = Judge(verdict(True, 0.9))
    await run(Plan("Centre the title", [CENTRE]), verifier=judge)
    ((before, after),) = judge.seen
    assert "Report" in before
    assert "alignment center" in after
    assert "alignment" not in before
    assert "Costs" not in before + after


async def test_a_negative_verdict_rolls_back_and_its_explanation_goes_to_the_planner() -> None:
    judge = Judge(verdict(False, 0.9, "it should be right"), verdict(True, 0.9))
    result = await run(Plan("Right-align the title", [CENTRE, RIGHT]), verifier=judge)
    assert result.planner.failures == ["it should be right"]
    assert len(result.history.entries) == 1


async def test_without_an_answer_from_the_verifier_the_code_decides_and_the_user_is_told() -> None:
    result = await run(Plan("Centre the title", [CENTRE]), verifier=Judge(ModelUnavailable("Timed out.")))
    (done,) = result.of(StepDone)
    assert "was not checked: Timed out." in done.warnings[0]


async def test_the_verifier_is_not_asked_about_what_code_has_refuted() -> None:
    judge = Judge(verdict(True, 1.0))
    await run(Plan("Centre the title", [("half_done", TITLE), ("too_much", TITLE), CENTRE]), verifier=judge)
    assert len(judge.seen) == 1


class RefusingHost:
    async def push(self, step: int, delta: Any) -> None:
        raise HostRejected("Word is in read-only mode.")


async def test_a_step_that_the_host_refuses_is_not_in_the_document() -> None:
    result = await run(Plan("Centre the title", [CENTRE]), host=RefusingHost())
    assert result.of(StepNotDone)[0].reason == "Word is in read-only mode."
    assert result.unchanged
    assert result.history.entries == []


class Hanging:
    """A verifier that never answers."""

    async def judge(
        self, goal: SubInstruction, call: Call, changes: Sequence[Change], before: str, after: str
    ) -> Verdict:
        await asyncio.Event().wait()
        raise AssertionError


async def test_stop_ends_a_run_that_waits_for_a_model_and_takes_the_step_back() -> None:
    case = Run(ScriptedPlanner([Plan("Centre the title", [CENTRE]), Plan("Again", [RIGHT])]), Hanging())
    task = asyncio.create_task(case.go())
    while not case.of(StepPlanned):  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    case.stop.set()
    await asyncio.wait_for(task, 10)
    assert case.finished.stopped
    assert case.unchanged
    assert case.of(StepNotDone)
    assert "You stopped it" in case.finished.summary


async def test_a_planner_without_end_is_ended() -> None:
    case = Run(ScriptedPlanner([Plan("Centre", [CENTRE]), *[Plan("Again", [NOWHERE])] * 9]))
    case.agent.most_steps = 3
    await case.go()
    assert len(case.of(StepPlanned)) == 3
    assert "the limit of 3 steps" in case.finished.summary


async def test_the_numbers_of_steps_go_on_over_the_requests_of_a_session() -> None:
    case = await Run(ScriptedPlanner([Plan("Centre the title", [CENTRE])])).go()
    case.agent.planner = ScriptedPlanner([Plan("Right", [RIGHT])])
    await case.go()
    assert [e.step for e in case.of(StepDone)] == [1, 2]


async def test_a_run_that_is_cancelled_while_it_waits_leaves_nothing_behind() -> None:
    case = Run(ScriptedPlanner([Plan("Centre the title", [CENTRE])]), Hanging())
    task = asyncio.create_task(case.go())
    while not case.of(StepPlanned):  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert case.unchanged
    assert case.history.entries == []


async def test_a_run_whose_reader_goes_away_leaves_nothing_unlogged() -> None:
    case = Run(ScriptedPlanner([Plan("Centre the title", [CENTRE])]))
    events = case.agent.run(case.mirror, case.history, "do it")
    async for event in events:
        if type(event).__name__ == "StepChecking":
            break
    await events.aclose()
    assert case.unchanged


async def test_reasons_for_people_name_no_ids() -> None:
    ambiguous = ("set_alignment", {"target": {"text": "e"}, "alignment": "right"})
    gone = ("set_alignment", {"target": {"ids": ["p9.1"]}, "alignment": "right"})
    result = await run(Plan("Right-align the e", [ambiguous]), Plan("Right-align it", [gone]))
    first, second = result.of(StepNotDone)
    assert "p1" not in first.reason
    assert "nth" not in first.reason
    assert "1: 'Report'" in first.reason
    assert second.reason == "What it acts on is not in the document any more."
