"""The loop of the paper: plan a sub-instruction, choose a call, execute it, judge it, roll it back at two levels.

`async for event in agent.run(mirror, history, "Make the title bold")`. Short on purpose; each stage is a room of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Coroutine, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from agent import summary
from agent.document.changes import Change
from agent.document.explain import explain
from agent.document.mirror import Mirror
from agent.document.outline import record_text
from agent.document.records import record_of
from agent.errors import AgentError, HostError, ModelError, OperationError, StateParseError, for_people
from agent.events import (
    Event,
    InstructionFinished,
    InstructionStarted,
    StepChecking,
    StepDone,
    StepNotDone,
    StepPlanned,
    StepRetrying,
    StepRunning,
)
from agent.history import FAULTS, History
from agent.intent.intents import Intent
from agent.operations.catalogue import Catalogue, Operation, catalogue
from agent.operations.execution import Execution, execute
from agent.operations.targets import Selection
from agent.planning.planner import Exchange, Planner, Situation
from agent.steps import (
    Attempt,
    Call,
    Declined,
    Finished,
    RollbackLevel,
    Step,
    StepStatus,
    SubInstruction,
    Verdict,
    VerdictSource,
)
from agent.verification.code_verdict import judge

T = TypeVar("T")


class MeaningVerifier(Protocol):
    """Judges what code cannot: whether a change means what was asked for."""

    async def judge(
        self, goal: SubInstruction, call: Call, changes: Sequence[Change], before: str, after: str
    ) -> Verdict:
        """Raises `ModelError` if there is no verdict to be had."""
        ...


class IntentRanker(Protocol):
    """Gives the likeliest intents of a sub-instruction, best first."""

    def top(self, text: str, k: int = 3) -> Sequence[Intent]:
        """The top k, or more when unsure."""
        ...


class Pusher(Protocol):
    """Carries a verified change into the document itself, where the mirror is not the document."""

    async def push(self, step: int, delta: Any) -> None:
        """Raises `HostError` if the document does not hold it afterwards."""
        ...


class _Stopped(Exception):
    """The user pressed stop."""


@dataclass
class Agent:
    """Carries out instructions on a mirror.

    `threshold`: confidence below which a model's "aligned" is not believed. `most_steps`: an end for planners that find none.
    """

    planner: Planner
    verifier: MeaningVerifier | None = None
    intents: IntentRanker | None = None
    operations: Catalogue | None = None
    host: Pusher | None = None
    threshold: float = 0.6
    most_steps: int = 60
    steps: tuple[Step, ...] = ()
    """The steps of the last run, with all that was tried."""

    async def run(
        self,
        mirror: Mirror,
        history: History,
        instruction: str,
        *,
        selection: Selection | None = None,
        earlier: Sequence[Exchange] = (),
        stop: asyncio.Event | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Carry out one instruction. Never raises for what goes wrong with a step; the events say it."""
        yield InstructionStarted(instruction, self.planner.name)
        situation = Situation(instruction, mirror, selection=selection, earlier=tuple(earlier))
        steps: list[Step] = []
        stopped, failure = False, ""
        try:
            while len(steps) < self.most_steps:
                situation = replace(situation, steps=tuple(steps))
                planned = await _unless(stop, self.planner.next_sub_instruction(situation))
                if isinstance(planned, Finished):
                    break
                step = Step(history.next_key(), _goal(planned))
                steps.append(step)
                if isinstance(planned, Declined):
                    yield _not_done(step, planned.reason, planned.choices)
                    continue
                async with aclosing(self._step(step, situation, history, stop)) as events:
                    async for event in events:
                        yield event
            else:
                failure = f"the limit of {self.most_steps} steps for one request is reached"
        except _Stopped:
            stopped = True
            if steps and steps[-1].status not in (StepStatus.DONE, StepStatus.NOT_DONE):
                yield _not_done(steps[-1], "you pressed Stop; nothing of this step is in the document.")
        except (ModelError, OperationError) as error:
            failure = error.message
        finally:
            self.steps = tuple(steps)
        yield _finished(steps, stopped, failure)

    # -- one step ------------------------------------------------------------------------------------------------------

    async def _step(
        self, step: Step, situation: Situation, history: History, stop: asyncio.Event | None
    ) -> AsyncGenerator[Event, None]:
        step.intents = tuple(self._ranker().top(step.goal.text))
        yield StepPlanned(step.id, step.goal.text, step.intents)
        candidates = self._catalogue().for_intents(step.intents)
        level: RollbackLevel | None = None
        while True:
            step.status = StepStatus.RUNNING
            try:
                call = await _unless(stop, self._call(level, step, situation, candidates))
            except OperationError as error:
                if level is not RollbackLevel.PARAMETER:
                    yield _not_done(step, _why(step, error.message))
                    return
                level = RollbackLevel.API  # no parameters of this operation will do: the other level is left
                continue
            except ModelError as error:
                yield _not_done(step, _why(step, error.message))
                return
            if level is not None:
                yield StepRetrying(step.id, level, for_people(step.attempts[-1].verdict.explanation))
            yield StepRunning(step.id, call)
            attempt, execution = self._execute(step, situation, call, level)
            if execution is not None:
                landed = False
                try:
                    step.status = StepStatus.CHECKING
                    yield StepChecking(step.id, execution.changes)
                    attempt = await self._judge(step, situation, attempt, execution, stop)
                    if attempt.verdict.aligned:
                        await self._land(step, history, attempt, execution)
                        landed = True
                except HostError as error:
                    step.attempts.append(attempt)
                    yield _not_done(step, error.message)
                    return
                finally:
                    # also when the run is cancelled or its reader goes away: what is not logged is not in the document
                    if not landed:
                        situation.document.apply(execution.delta.inverse())
                if landed:
                    yield StepDone(step.id, step.explanation, attempt.call, execution.changes, step.warnings)
                    return
            step.attempts.append(attempt)
            level = _next_level(level, attempt)
            if level is None:
                yield _not_done(step, _why(step, ""))
                return
            step.status = StepStatus.RETRYING

    def _call(
        self,
        level: RollbackLevel | None,
        step: Step,
        situation: Situation,
        candidates: Sequence[Operation[Any]],
    ) -> Coroutine[Any, Any, Call]:
        match level:
            case None:
                return self.planner.choose_call(situation, step.goal, candidates)
            case RollbackLevel.PARAMETER:
                return self.planner.revise_parameters(situation, step.goal, step.attempts[-1])
            case RollbackLevel.API:
                return self.planner.revise_operation(situation, step.goal, step.attempts, candidates)

    def _execute(
        self, step: Step, situation: Situation, call: Call, level: RollbackLevel | None
    ) -> tuple[Attempt, Execution | None]:
        """Run the call; the verdict is still open if there is an execution, else it says why there is none."""
        try:
            execution = execute(
                situation.document,
                self._catalogue(),
                call.operation,
                dict(call.params),
                str(step.id),
                situation.selection,
            )
        except StateParseError as error:
            verdict = Verdict(False, 1.0, error.message, VerdictSource.STATE)
            return Attempt(call, verdict, level, code=error.code), None
        except AgentError as error:
            verdict = Verdict(False, 1.0, error.message, VerdictSource.EFFECT)
            return Attempt(call, verdict, level, code=error.code), None
        except FAULTS as error:
            # a fault of the operation's own: the transaction took everything back, another operation may do it
            verdict = Verdict(False, 1.0, f"{call.operation} failed: {error}", VerdictSource.STATE)
            return Attempt(call, verdict, level, code="OPERATION_FAILED"), None
        open_verdict = Verdict(False, 0.0, "not judged yet", VerdictSource.EFFECT)
        return Attempt(call, open_verdict, level, execution.changes, execution.delta), execution

    async def _judge(
        self,
        step: Step,
        situation: Situation,
        attempt: Attempt,
        execution: Execution,
        stop: asyncio.Event | None,
    ) -> Attempt:
        """Effects, frame and validity in code; then the model, for the meaning."""
        verdict = judge(situation.document, execution)
        if not verdict.aligned or self.verifier is None:
            return replace(attempt, verdict=verdict)
        before, after = _texts(situation.document, execution)
        try:
            meant = await _unless(
                stop, self.verifier.judge(step.goal, attempt.call, execution.changes, before, after)
            )
        except ModelError as error:
            step.warnings = (f"Whether it means what you asked was not checked: {error.message}",)
            return replace(attempt, verdict=verdict)
        if meant.aligned and meant.confidence < self.threshold:
            says = f"only {meant.confidence:.0%} sure: {meant.explanation}"
            meant = replace(meant, aligned=False, explanation=says)
        return replace(attempt, verdict=meant)

    async def _land(self, step: Step, history: History, attempt: Attempt, execution: Execution) -> None:
        """Give the verified change to the host, log it, and say what it was. Raises `HostError`."""
        if self.host is not None:
            await self.host.push(step.id, execution.delta)
        bound = Call(attempt.call.operation, execution.params)
        history.append(step.id, step.goal.text, bound, execution.delta, execution.changes)
        step.attempts.append(attempt)
        step.status = StepStatus.DONE
        step.explanation = explain(execution.changes)
        step.warnings = (*step.warnings, *execution.warnings)

    def _catalogue(self) -> Catalogue:
        return self.operations if self.operations is not None else catalogue()

    def _ranker(self) -> IntentRanker:
        if self.intents is None:
            from agent.intent.classifier import default_classifier

            self.intents = _Classifier(default_classifier())
        return self.intents


class _Classifier:
    """The shipped classifier as a ranker."""

    def __init__(self, classifier: Any) -> None:
        self._classifier = classifier

    def top(self, text: str, k: int = 3) -> Sequence[Intent]:
        return [score.intent for score in self._classifier.top(text, k)]


async def _unless(stop: asyncio.Event | None, work: Awaitable[T]) -> T:
    """The result of some waiting, unless the user presses stop first; the waiting is then cancelled."""
    if stop is None:
        return await work
    task = asyncio.ensure_future(work)
    pressed = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({task, pressed}, return_when=asyncio.FIRST_COMPLETED)
        if stop.is_set():
            raise _Stopped
        return task.result()
    finally:
        for future in (task, pressed):
            if not future.done():
                future.cancel()
        await asyncio.gather(task, pressed, return_exceptions=True)


def _next_level(level: RollbackLevel | None, attempt: Attempt) -> RollbackLevel | None:
    """One round: the parameters, then the operation. A state that cannot be read goes straight to the operation."""
    if level is RollbackLevel.API:
        return None
    if (
        level is None
        and attempt.verdict.source is not VerdictSource.STATE
        and attempt.code != "UNKNOWN_OPERATION"
    ):
        return RollbackLevel.PARAMETER
    return RollbackLevel.API


def _goal(planned: SubInstruction | Declined) -> SubInstruction:
    if isinstance(planned, SubInstruction):
        return planned
    return SubInstruction(planned.part, planned.part)


def _why(step: Step, message: str) -> str:
    """Why a step was not done: the first attempt's reason, since that is what was asked; and the planner's last word."""
    first = step.attempts[0].verdict.explanation if step.attempts else ""
    if first and message and message not in first:
        return f"{first} {message}" if first.endswith((".", "!", "?")) else f"{first}. {message}"
    return first or message


def _not_done(step: Step, reason: str, choices: tuple[str, ...] = ()) -> StepNotDone:
    step.status = StepStatus.NOT_DONE
    step.explanation = for_people(reason)
    return StepNotDone(step.id, step.goal.text, step.explanation, choices)


def _finished(steps: Sequence[Step], stopped: bool, failure: str) -> InstructionFinished:
    done = tuple(s.id for s in steps if s.status is StepStatus.DONE)
    not_done = tuple(s.id for s in steps if s.status is not StepStatus.DONE)
    complete = bool(done) and not not_done and not stopped and not failure
    return InstructionFinished(summary.of(steps, stopped, failure), done, not_done, stopped, complete)


def _texts(mirror: Mirror, execution: Execution) -> tuple[str, str]:
    """The touched blocks before and after, as text for the verifier."""
    touched = execution.delta.touched()
    records: Mapping[str, Any] = execution.records_before
    before = [record_text(mirror, r) for r in records.values()]
    after = [
        record_text(mirror, record_of(mirror, b))
        for b in (*touched.changed, *touched.moved, *touched.added)
        if mirror.has(b)
    ]
    return "\n".join(before), "\n".join(after)
