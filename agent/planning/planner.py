"""What a planner is: the paper's planning stage behind one protocol, with or without a language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from agent.operations.targets import Selection
from agent.steps import Attempt, Call, Declined, Finished, Step, SubInstruction

if TYPE_CHECKING:
    from agent.document.mirror import Mirror
    from agent.operations.catalogue import Operation


@dataclass(frozen=True)
class Exchange:
    """An earlier instruction of the session and how it ended."""

    instruction: str
    summary: str
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Situation:
    """All that a planner may look at."""

    instruction: str
    """The user's words, unchanged."""
    document: Mirror
    """To be read only; what is done to it is done by the agent."""
    steps: tuple[Step, ...] = ()
    """The steps of this instruction so far, done and not done."""
    selection: Selection | None = None
    earlier: tuple[Exchange, ...] = ()


class Planner(Protocol):
    """Gives the next sub-instruction, then one call for it, then better calls when the first was rolled back.

    All four may raise `ModelError` (the endpoint) or `OperationError` (no call can be made; the message says why).
    """

    name: str
    """"local" or "llm"."""

    async def next_sub_instruction(self, situation: Situation) -> SubInstruction | Declined | Finished:
        """The next thing to do, a part that will not be done, or the end."""
        ...

    async def choose_call(
        self, situation: Situation, goal: SubInstruction, operations: Sequence[Operation[Any]]
    ) -> Call:
        """One call of one of the candidate operations."""
        ...

    async def revise_parameters(self, situation: Situation, goal: SubInstruction, failed: Attempt) -> Call:
        """The same operation with other parameters, in the light of the verdict (parameter-level rollback)."""
        ...

    async def revise_operation(
        self,
        situation: Situation,
        goal: SubInstruction,
        failed: Sequence[Attempt],
        operations: Sequence[Operation[Any]],
    ) -> Call:
        """Another operation, in the light of what failed (API-level rollback)."""
        ...
