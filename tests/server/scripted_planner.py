"""A planner that does what the request spells out: the real agent can be driven without a model.

A request is lines of `operation {"param": ...}`. Other lines: `hang` waits for a model that never answers, `decline WHY`
is a part that is not planned, `fail WHY` is an endpoint that is out of reach.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from agent.agent import Agent, Pusher
from agent.errors import InvalidValue, ModelUnavailable
from agent.intent.intents import Intent
from agent.operations.catalogue import Operation
from agent.planning.planner import Situation
from agent.steps import Attempt, Call, Declined, Finished, SubInstruction


class ScriptedPlanner:
    """Plans one step for each line of the request."""

    name = "local"

    async def next_sub_instruction(self, situation: Situation) -> SubInstruction | Declined | Finished:
        lines = [line.strip() for line in situation.instruction.splitlines() if line.strip()]
        if len(situation.steps) == len(lines):
            return Finished()
        line = lines[len(situation.steps)]
        verb, _, rest = line.partition(" ")
        if verb == "hang":
            await asyncio.Event().wait()
        if verb == "decline":
            return Declined(line, rest, ("set_alignment",))
        if verb == "fail":
            raise ModelUnavailable(rest)
        return SubInstruction(line, line)

    async def choose_call(
        self, situation: Situation, goal: SubInstruction, operations: Sequence[Operation[Any]]
    ) -> Call:
        name, _, params = goal.text.partition(" ")
        return Call(name, json.loads(params))

    async def revise_parameters(self, situation: Situation, goal: SubInstruction, failed: Attempt) -> Call:
        return failed.call

    async def revise_operation(
        self,
        situation: Situation,
        goal: SubInstruction,
        failed: Sequence[Attempt],
        operations: Sequence[Operation[Any]],
    ) -> Call:
        raise InvalidValue("The script has no other way.")


class AnyIntent:
    """Every operation is a candidate."""

    def top(self, text: str, k: int = 3) -> Sequence[Intent]:
        return list(Intent)


def scripted_agent(host: Pusher | None) -> Agent:
    """The real agent with the planner above."""
    return Agent(ScriptedPlanner(), intents=AnyIntent(), host=host)
