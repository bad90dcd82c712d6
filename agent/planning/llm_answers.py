"""The forms of the planner's answers: the next step, and one call of one of the operations that are offered."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import BaseModel, Field, model_validator

from agent.errors import OperationError
from agent.planning.llm_schemas import NONE, Schema, call_schema
from agent.steps import Call

if TYPE_CHECKING:
    from agent.operations.catalogue import Operation


class NextStep(BaseModel):
    """The planner's answer: a step, a part that is declined, or the end."""

    open_parts: str = Field(
        default="", description="The parts of the request that are still open, in a few words"
    )
    action: Literal["step", "decline", "finish"]
    sub_instruction: str = Field(default="", description="For a step: what one operation is to do")
    part: str = Field(default="", description="The user's words that this answer is about")
    reason: str = Field(
        default="", description="For a part that is declined: why, for the user, in one sentence"
    )
    choices: list[str] = Field(default=[], description="For a part that is declined: up to three rephrasings")

    @model_validator(mode="after")
    def _says_what_its_action_needs(self) -> NextStep:
        if self.action == "step" and not self.sub_instruction.strip():
            raise ValueError("a step needs a sub_instruction")
        if self.action == "decline" and not self.reason.strip():
            raise ValueError("a part that is declined needs a reason")
        return self


def next_step(taken: Collection[str]) -> type[NextStep]:
    """The form of the next step where some parts have been taken already: done, not done, or declined."""
    known = {_folded(text) for text in taken}

    class NewStep(NextStep):
        @model_validator(mode="after")
        def _is_new(self) -> NewStep:
            if self.action == "step" and _folded(self.sub_instruction) in known:
                raise ValueError(
                    f"the step {self.sub_instruction!r} was taken already; go on with what is open, or finish. "
                    "If the same has to be done once more, say so in the sub_instruction"
                )
            if self.action == "decline" and _folded(self.part) in known:
                raise ValueError(
                    f"the part {self.part!r} is over already; go on with what is open, or finish"
                )
            return self

    return NewStep


class ChosenCall(BaseModel):
    """The operation and parameters that the model chose; parameters that the operation accepts."""

    why: str = ""
    operation: str
    params: dict[str, Any] = {}
    refused: ClassVar[list[str]]
    """What was wrong with the calls that did not pass, the last one last."""

    @property
    def call(self) -> Call:
        return Call(self.operation, self.params)


def call_of(operations: Iterable[Operation[Any]], failed: Iterable[Call] = ()) -> type[ChosenCall]:
    """The form of a call of one of these operations. The parameters are checked by the operation itself.

    On the wire the answer is `{"why": ..., "call": {"operation": ..., "params": {...}}}`, so that the schema's root is
    an object; an answer without the envelope is read as well.
    """
    offered = {operation.name: operation for operation in operations}
    tried = [_key(call) for call in failed]

    class CallOfThese(ChosenCall):
        refused: ClassVar[list[str]] = []

        @model_validator(mode="before")
        @classmethod
        def _out_of_the_envelope(cls, data: Any) -> Any:
            inner = data.get("call") if isinstance(data, dict) else None
            if not isinstance(inner, dict):
                return data
            return {
                "why": data.get("why") or "",
                "operation": inner.get("operation"),
                "params": inner.get("params") or {},
            }

        @model_validator(mode="after")
        def _is_accepted(self) -> CallOfThese:
            if self.operation == NONE:
                return self
            try:
                operation = offered.get(self.operation)
                if operation is None:
                    names = ", ".join([*offered, NONE])
                    raise ValueError(f"there is no operation {self.operation!r} here; there are {names}")
                self.params = accepted(operation, self.params)
                if _key(self.call) in tried:
                    raise ValueError("this is the call that failed; other parameters are needed")
            except (ValueError, OperationError) as problem:
                self.refused.append(str(problem))
                raise ValueError(str(problem)) from problem
            return self

        @classmethod
        def model_json_schema(cls, *_: Any, **__: Any) -> Schema:  # pyright: ignore[reportIncompatibleMethodOverride]
            return call_schema(offered.values())

    return CallOfThese


def accepted(operation: Operation[Any], params: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters as the operation reads them, without what was left out. Raises `InvalidValue`."""
    return operation.parse(dict(params)).model_dump(mode="json", exclude_unset=True, exclude_none=True)


def _key(call: Call) -> str:
    return json.dumps([call.operation, call.params], sort_keys=True, default=str)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")
