"""A planner that plays a script, for tests of what is around planners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.errors import AgentError
from agent.intent.intents import Intent
from agent.operations.catalogue import Operation
from agent.planning.planner import Situation
from agent.steps import Attempt, Call, Declined, Finished, SubInstruction

Answer = tuple[str, Mapping[str, Any]] | AgentError
"""An operation's name and parameters, or what the planner raises."""


@dataclass
class Plan:
    """One sub-instruction and the calls that the planner makes for it: at first, then after each rollback."""

    goal: str
    calls: list[Answer]


@dataclass
class ScriptedPlanner:
    """Plays plans in order; keeps what it was asked."""

    plans: list[Plan | Declined | AgentError]
    name: str = "local"
    asked: list[str] = field(default_factory=list[str])
    failures: list[str] = field(default_factory=list[str])
    _at: int = -1
    _call: int = 0

    async def next_sub_instruction(self, situation: Situation) -> SubInstruction | Declined | Finished:
        self._at += 1
        self._call = 0
        if self._at >= len(self.plans):
            return Finished()
        plan = self.plans[self._at]
        if isinstance(plan, AgentError):
            raise plan
        return plan if isinstance(plan, Declined) else SubInstruction(plan.goal, plan.goal)

    async def choose_call(
        self, situation: Situation, goal: SubInstruction, operations: Sequence[Operation[Any]]
    ) -> Call:
        self.asked.append("choose")
        return self._next()

    async def revise_parameters(self, situation: Situation, goal: SubInstruction, failed: Attempt) -> Call:
        self.asked.append("revise parameters")
        self.failures.append(failed.verdict.explanation)
        return self._next()

    async def revise_operation(
        self,
        situation: Situation,
        goal: SubInstruction,
        failed: Sequence[Attempt],
        operations: Sequence[Operation[Any]],
    ) -> Call:
        self.asked.append("revise operation")
        self.failures.append(failed[-1].verdict.explanation)
        return self._next()

    def _next(self) -> Call:
        plan = self.plans[self._at]
        assert isinstance(plan, Plan)
        answer = plan.calls[min(self._call, len(plan.calls) - 1)]
        self._call += 1
        if isinstance(answer, AgentError):
            raise answer
        return Call(answer[0], dict(answer[1]))


class AllIntents:
    """A ranker that never narrows."""

    def top(self, text: str, k: int = 3) -> Sequence[Intent]:
        return list(Intent)
