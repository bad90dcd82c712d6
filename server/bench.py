"""What a session asks of the document at work: the seam between the server's loop and a session's worker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from server.protocol import AttachmentView, PushResult, Selected, StepState, StepView

if TYPE_CHECKING:
    from server.hosts.host import HostKind


IN_DOCUMENT: frozenset[StepState] = frozenset({"review", "kept"})
"""States of a step whose change the document holds."""
AT_WORK: frozenset[StepState] = frozenset({"planned", "running", "checking", "retrying"})


@dataclass(frozen=True)
class Snapshot:
    """The document after a verified change: what a download gets, whatever an attempt is doing meanwhile."""

    data: bytes
    revision: int
    blocks: tuple[str, ...]
    """Ids of the body's blocks, in order."""


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    summary: str
    complete: bool = False
    stopped: bool = False


class Bench(Protocol):
    """The document at work. All its methods are called on the session's worker."""

    async def run(self, request: int, text: str, selection: Selected | None) -> Outcome:
        """Carry out a request."""
        ...

    def stop(self) -> None:
        """End the run at work within one step."""
        ...

    def cancel(self) -> None:
        """End the command at work where it waits."""
        ...

    async def undo(self, steps: Sequence[StepView], *, lose_edits: bool = False) -> dict[int, str]:
        """Take steps back, or publish the conflict and change nothing. Returns the new explanations of later steps
        that now change something else than before.
        """
        ...

    async def redo(self, steps: Sequence[StepView]) -> dict[int, str]:
        """Do undone steps again. Returns what `undo` returns."""
        ...

    async def restate(self, steps: Sequence[StepView]) -> None:
        """After a command that failed: publish those of the steps that stand otherwise than they are shown, and the
        document if it is not as it was published last.
        """
        ...

    async def attach(self, label: str, data: bytes) -> AttachmentView:
        """Keep a picture for requests to name. Raises TooManyAttachments."""
        ...

    async def detach(self, name: str) -> None:
        """Take a picture away. Raises NoSuchAttachment."""
        ...

    async def take_reading(self, data: bytes) -> None:
        """Word's document as it is now."""
        ...

    def reading_arrived(self, data: bytes) -> bool:
        """Whether the host itself was waiting for this reading."""
        ...

    def use_host(self, kind: HostKind) -> None:
        """A pane of that kind has said hello."""
        ...

    def pushed(self, result: PushResult) -> None:
        """The pane's answer to a push."""
        ...

    def pane_left(self) -> None:
        """The last socket is gone."""
        ...
