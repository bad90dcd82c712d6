"""Everything that can go wrong, grouped by who can mend it.

`OperationError`: the planner can mend it (another target, another value, another operation).
`HostError`: the program that holds the document refused or is gone.
`ModelError`: the language model's endpoint did not give a usable answer.
`DocumentError`: the user can mend it (another file, a smaller file, a password removed).

Each carries a `code` for programs and a sentence for people: what was asked, what is there, the nearest thing that works.
"""

from __future__ import annotations

import re
from typing import ClassVar


class AgentError(Exception):
    """Base of all errors that Stet raises on purpose."""

    code: ClassVar[str] = "FAILED"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class OperationError(AgentError):
    """A call that was refused; nothing was changed."""


class TargetNotFound(OperationError):
    """What the call names is not in the document."""

    code = "TARGET_NOT_FOUND"


class AmbiguousTarget(OperationError):
    """The call names several things where one is needed; the message lists the candidates."""

    code = "AMBIGUOUS_TARGET"


class InvalidTarget(OperationError):
    """What the call names is there, but is of a kind that this operation cannot work on."""

    code = "INVALID_TARGET"


class InvalidValue(OperationError):
    """A parameter has a value that the operation does not know."""

    code = "INVALID_VALUE"


class NoOp(OperationError):
    """The document is already as the call asks; zero changes are a refusal, not a success."""

    code = "NO_OP"


class PreconditionFailed(OperationError):
    """The document is not in a state in which the operation makes sense."""

    code = "PRECONDITION_FAILED"


class UnknownOperation(OperationError):
    """The catalogue has no operation of that name."""

    code = "UNKNOWN_OPERATION"


class HostError(AgentError):
    """The document's host (file, memory, Word) could not do what was asked."""


class HostRejected(HostError):
    """The host refused the write; it says why."""

    code = "HOST_REJECTED"


class RevisionMismatch(HostError):
    """The document is not at the revision that the change was made for."""

    code = "REVISION_MISMATCH"


class CapabilityUnavailable(HostError):
    """This host, or this machine, cannot do that kind of change."""

    code = "CAPABILITY_UNAVAILABLE"


class StateParseError(HostError):
    """The state of the document cannot be read: an invalid execution in the paper's sense."""

    code = "STATE_UNREADABLE"


class Disconnected(HostError):
    """The pane went away before it answered."""

    code = "DISCONNECTED"


class ModelError(AgentError):
    """The language model's endpoint did not give a usable answer."""


class ModelUnavailable(ModelError):
    """No connection, a time-out, a rate limit that outlasted the retries, or a refusal to authenticate."""

    code = "MODEL_UNAVAILABLE"


class ModelUnparseable(ModelError):
    """The answer is not what the schema asks for, also after one re-ask."""

    code = "MODEL_UNPARSEABLE"


class ModelRefused(ModelError):
    """The model declined to answer."""

    code = "MODEL_REFUSED"


class BudgetExhausted(ModelError):
    """The limit on tokens or calls that the user set is reached."""

    code = "BUDGET_EXHAUSTED"


class DocumentError(AgentError):
    """A file that cannot be opened; the sentence says what it is and what to do."""

    code = "NOT_A_WORD_DOCUMENT"


class DocumentTooLarge(DocumentError):
    """A file, or what it unpacks to, is over the limit."""

    code = "DOCUMENT_TOO_LARGE"


_BLOCK = r"(?:[\w-]+\.)?[ptcsx]\d+(?:\.\d+)?"


def for_people(reason: str) -> str:
    """A refusal without the ids and parameter names that are in it for a model: "1: p6 'Revenue grew'"."""
    plain = re.sub(
        rf"The document has no block {_BLOCK}\b", "What it acts on is not in the document any more", reason
    )
    plain = re.sub(rf"\b{_BLOCK} (?=')", "", plain)
    plain = re.sub(rf"(?<=') \({_BLOCK}\)", "", plain)
    plain = plain.replace(" (nth)", "")
    return re.sub(r"\b[a-z]+(?:_[a-z]+)+\b", lambda m: f"'{m.group(0).replace('_', ' ')}'", plain)
