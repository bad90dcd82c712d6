"""The five questions. The fields of each dataclass are the variables of its template, and nothing else is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from agent.prompts.prompt import Prompt


@dataclass(frozen=True)
class CatalogueLine:
    """An operation in the planner's overview."""

    name: str
    summary: str


@dataclass(frozen=True)
class IntentGroup:
    """An intent, what belongs to it, and its operations."""

    name: str
    definition: str
    operations: tuple[CatalogueLine, ...]


@dataclass(frozen=True)
class StepLine:
    """A step of this request that is over."""

    goal: str
    done: bool
    outcome: str
    """What changed, or why it was not done."""


@dataclass(frozen=True)
class TriedCall:
    """A call that was rolled back or refused."""

    call: str
    """As JSON."""
    observed: str
    """What it changed in the document, in words; empty if it was refused before anything was touched."""
    problem: str
    """Why it was not let stand."""


@dataclass(frozen=True)
class NextSubInstruction(Prompt):
    """What is to be done next?"""

    template: ClassVar[str] = "next_sub_instruction"

    groups: tuple[IntentGroup, ...]
    """The whole catalogue, always in the same order."""
    outline: str
    """The state of the document, as text."""
    whole: str
    """The blocks that are named or selected, in full, since the outline shortens them; may be empty."""
    selection: str
    """What the user has selected, or where the cursor is; empty if that is not known."""
    earlier: tuple[str, ...]
    """Earlier requests of the session with their outcomes, oldest first."""
    steps: tuple[StepLine, ...]
    request: str
    """The user's words."""


@dataclass(frozen=True)
class ChooseCall(Prompt):
    """Which operation, with which parameters?"""

    template: ClassVar[str] = "choose_call"

    signatures: str
    """The candidate operations."""
    outline: str
    whole: str
    selection: str
    steps: tuple[StepLine, ...]
    request: str
    part: str
    """The words of the request that the goal comes from; empty if that is not known."""
    goal: str
    """The sub-instruction."""


@dataclass(frozen=True)
class ReviseParameters(Prompt):
    """The same operation with which other parameters?"""

    template: ClassVar[str] = "revise_parameters"

    signatures: str
    """The one operation."""
    outline: str
    whole: str
    selection: str
    request: str
    goal: str
    tried: TriedCall


@dataclass(frozen=True)
class ReviseOperation(Prompt):
    """Which other operation?"""

    template: ClassVar[str] = "revise_operation"

    signatures: str
    """The candidates, without those that failed."""
    outline: str
    whole: str
    selection: str
    request: str
    goal: str
    tried: tuple[TriedCall, ...]


@dataclass(frozen=True)
class Verify(Prompt):
    """Is the change what the sub-instruction asked for?"""

    template: ClassVar[str] = "verify"

    goal: str
    part: str
    call: str
    """As JSON."""
    changes: tuple[str, ...]
    """What changed, one sentence each."""
    before: str
    """The touched blocks before, as outline text; empty if there were none."""
    after: str
    """The touched blocks after; empty if none is left."""
