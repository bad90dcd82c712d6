"""The nouns of a run: sub-instruction, call, verdict, attempt, step (paper, section 3: the agent's trajectory)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from agent.document.changes import Change
from agent.document.delta import Delta
from agent.intent.intents import Intent


class RollbackLevel(StrEnum):
    """Why an attempt was made again (paper, section 3.4)."""

    PARAMETER = "parameter"
    """The same operation, other parameters."""
    API = "api"
    """Another operation."""


class StepStatus(StrEnum):
    """Where a step stands; `DONE` and `NOT_DONE` are final."""

    PLANNED = "planned"
    RUNNING = "running"
    CHECKING = "checking"
    RETRYING = "retrying"
    DONE = "done"
    NOT_DONE = "not_done"


class VerdictSource(StrEnum):
    """Which judge spoke, in the order in which they are asked."""

    STATE = "state"
    EFFECT = "effect"
    FRAME = "frame"
    VALIDITY = "validity"
    MODEL = "model"
    USER = "user"


@dataclass(frozen=True)
class SubInstruction:
    """One part of the request that one call can carry out, in words."""

    text: str
    part: str = ""
    """The words of the user's request that it comes from; empty if the planner cannot tell."""


@dataclass(frozen=True)
class Declined:
    """A part of the request that the planner will not plan, and why, in a sentence for the user."""

    part: str
    reason: str
    choices: tuple[str, ...] = ()
    """Rephrasings that would work; offered as buttons."""


@dataclass(frozen=True)
class Finished:
    """The planner sees nothing left to do."""


@dataclass(frozen=True)
class Call:
    """The paper's API call: an operation's name and its parameters as JSON. Plain data, replayable."""

    operation: str
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class Verdict:
    """A judge's answer (paper, section 3.3): is the change what the sub-instruction asked for?"""

    aligned: bool
    confidence: float
    """0 to 1; code is certain and says 1."""
    explanation: str
    source: VerdictSource


@dataclass(frozen=True)
class Attempt:
    """One execution of one call, kept or rolled back."""

    call: Call
    verdict: Verdict
    level: RollbackLevel | None = None
    """None for the first attempt; else the level at which it was made again."""
    changes: Sequence[Change] = ()
    delta: Delta | None = None
    """None if the call was refused before anything was touched."""
    code: str = ""
    """The error's code if the call was refused or failed."""


@dataclass
class Step:
    """A sub-instruction and all that was tried for it."""

    id: int
    goal: SubInstruction
    status: StepStatus = StepStatus.PLANNED
    intents: tuple[Intent, ...] = ()
    attempts: list[Attempt] = field(default_factory=list[Attempt])
    explanation: str = ""
    """For people: what changed, rendered from the observed changes; or why it was not done."""
    warnings: tuple[str, ...] = ()

    @property
    def kept(self) -> Attempt | None:
        """The attempt that stands, if the step is done."""
        return self.attempts[-1] if self.status is StepStatus.DONE and self.attempts else None
