"""What a run yields, in order; for the pane, the command line and the trajectory file.

Each event is plain data. `as_json` gives the form that `stet run --events` writes, one object a line.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from agent.document.changes import Change
from agent.intent.intents import Intent
from agent.steps import Call, RollbackLevel, Step


@dataclass(frozen=True)
class InstructionStarted:
    """The run has begun."""

    instruction: str
    planner: str
    """"local" or "llm"."""


@dataclass(frozen=True)
class StepPlanned:
    """The planner gave the next sub-instruction."""

    step: int
    goal: str
    intents: tuple[Intent, ...]
    """The top three intents of the sub-instruction, best first (more when the classifier is unsure)."""


@dataclass(frozen=True)
class StepRunning:
    """A call was chosen and is being executed."""

    step: int
    call: Call


@dataclass(frozen=True)
class StepChecking:
    """The call was executed; its changes are being judged."""

    step: int
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class StepRetrying:
    """The attempt was rolled back; another is being made."""

    step: int
    level: RollbackLevel
    reason: str


@dataclass(frozen=True)
class StepDone:
    """The step is verified and in the document."""

    step: int
    explanation: str
    call: Call
    changes: tuple[Change, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class StepNotDone:
    """The step failed after all its attempts, or the planner declined that part; nothing of it is in the document."""

    step: int
    goal: str
    reason: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class InstructionFinished:
    """The run is over; the summary is rendered from the verified changes."""

    summary: str
    done: tuple[int, ...]
    not_done: tuple[int, ...]
    stopped: bool = False
    complete: bool = True
    """True only if every part of the request was done."""


Event = (
    InstructionStarted
    | StepPlanned
    | StepRunning
    | StepChecking
    | StepRetrying
    | StepDone
    | StepNotDone
    | InstructionFinished
)


def as_json(event: Event) -> dict[str, Any]:
    """One event as a JSON object; `event` names its kind."""
    body = asdict(event)
    return {"event": type(event).__name__, **body}


def step_of(event: Event) -> int | None:
    """The step that an event is about, if it is about one."""
    return getattr(event, "step", None)


__all__ = [
    "Event",
    "InstructionFinished",
    "InstructionStarted",
    "Step",
    "StepChecking",
    "StepDone",
    "StepNotDone",
    "StepPlanned",
    "StepRetrying",
    "StepRunning",
    "as_json",
    "step_of",
]
