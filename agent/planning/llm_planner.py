"""The planner that asks a language model: a prompt for each of the protocol's four questions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from agent.errors import (
    AmbiguousTarget,
    InvalidValue,
    ModelUnparseable,
    OperationError,
    TargetNotFound,
    UnknownOperation,
)
from agent.intent.intents import Intent
from agent.llm import Llm
from agent.operations.catalogue import Catalogue, Operation
from agent.planning import llm_view as view
from agent.planning.llm_answers import call_of, next_step
from agent.planning.llm_schemas import NONE, shown
from agent.planning.planner import Situation
from agent.prompts import (
    CatalogueLine,
    ChooseCall,
    IntentGroup,
    NextSubInstruction,
    Prompt,
    ReviseOperation,
    ReviseParameters,
)
from agent.steps import Attempt, Call, Declined, Finished, SubInstruction

NO_CALL: dict[object, type[OperationError]] = {
    "not_in_document": TargetNotFound,
    "several_fit": AmbiguousTarget,
    "no_such_operation": UnknownOperation,
}


class LlmPlanner:
    """Plans with a language model; give it one with a ledger of its own (`llm.with_budget()`) for each run."""

    name = "llm"

    def __init__(self, llm: Llm, operations: Iterable[Operation[Any]]) -> None:
        self._llm = llm
        self._catalogue = Catalogue(operations)
        self._groups = _grouped(self._catalogue.values())

    async def next_sub_instruction(self, situation: Situation) -> SubInstruction | Declined | Finished:
        """The next thing to do, a part that will not be done, or the end."""
        prompt = NextSubInstruction(
            groups=self._groups,
            outline=view.outline_for(situation, situation.instruction),
            whole=view.whole_blocks(situation, situation.instruction),
            selection=view.selection_in_words(situation),
            earlier=view.earlier_lines(situation),
            steps=view.step_lines(situation.steps),
            request=situation.instruction,
        )
        answer = await self._llm.ask(prompt, next_step({step.goal.text for step in situation.steps}))
        match answer.action:
            case "step":
                return SubInstruction(answer.sub_instruction.strip(), answer.part.strip())
            case "decline":
                return Declined(
                    answer.part.strip() or situation.instruction,
                    answer.reason.strip(),
                    tuple(answer.choices[:3]),
                )
            case "finish":
                return Finished()

    async def choose_call(
        self, situation: Situation, goal: SubInstruction, operations: Sequence[Operation[Any]]
    ) -> Call:
        """One call of one of the candidate operations."""
        prompt = ChooseCall(
            signatures=shown(operations),
            outline=view.outline_for(situation, goal.text),
            whole=view.whole_blocks(situation, goal.text),
            selection=view.selection_in_words(situation),
            steps=view.step_lines(situation.steps),
            request=situation.instruction,
            part=goal.part,
            goal=goal.text,
        )
        return await self._call(prompt, operations)

    async def revise_parameters(self, situation: Situation, goal: SubInstruction, failed: Attempt) -> Call:
        """The same operation with other parameters, in the light of the verdict."""
        operation = self._catalogue[failed.call.operation]
        prompt = ReviseParameters(
            signatures=shown([operation]),
            outline=view.outline_for(situation, goal.text),
            whole=view.whole_blocks(situation, goal.text),
            selection=view.selection_in_words(situation),
            request=situation.instruction,
            goal=goal.text,
            tried=view.tried(failed),
        )
        return await self._call(prompt, [operation], [failed])

    async def revise_operation(
        self,
        situation: Situation,
        goal: SubInstruction,
        failed: Sequence[Attempt],
        operations: Sequence[Operation[Any]],
    ) -> Call:
        """Another operation, in the light of what failed."""
        names = {attempt.call.operation for attempt in failed}
        others = [operation for operation in operations if operation.name not in names]
        if not others:
            raise UnknownOperation("No other operation could do this.")
        prompt = ReviseOperation(
            signatures=shown(others),
            outline=view.outline_for(situation, goal.text),
            whole=view.whole_blocks(situation, goal.text),
            selection=view.selection_in_words(situation),
            request=situation.instruction,
            goal=goal.text,
            tried=tuple(view.tried(attempt) for attempt in failed),
        )
        return await self._call(prompt, others, failed)

    async def _call(
        self, prompt: Prompt, operations: Sequence[Operation[Any]], failed: Sequence[Attempt] = ()
    ) -> Call:
        form = call_of(operations, [attempt.call for attempt in failed])
        try:
            answer = await self._llm.ask(prompt, form)
        except ModelUnparseable:
            if not form.refused:
                raise
            # The model answered in form, twice, with a call that the operation does not take: that ends the
            # step, not the run.
            raise InvalidValue(f"No acceptable call was found: {form.refused[-1]}") from None
        if answer.operation == NONE:
            reason = str(answer.params.get("reason") or "").strip() or "No operation fits."
            raise NO_CALL.get(answer.params.get("why"), UnknownOperation)(reason)
        return answer.call


def _grouped(operations: Iterable[Operation[Any]]) -> tuple[IntentGroup, ...]:
    """The overview: each operation once, under the first of its intents."""
    lines: dict[Intent, list[CatalogueLine]] = {intent: [] for intent in Intent}
    for operation in operations:
        lines[next(iter(operation.intents))].append(CatalogueLine(operation.name, operation.summary))
    return tuple(
        IntentGroup(intent.value.replace("_", " "), intent.definition, tuple(found))
        for intent, found in lines.items()
        if found
    )
