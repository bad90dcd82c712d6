"""What a host is: the program or place that holds the document, beside the mirror.

The server's own copy is the document itself (`DocxHost`); in Word the open document is the truth and the
mirror predicts it. A host belongs to one session and lives on that session's worker (one thread with its own
event loop): every method is called there, so that a host may keep plain fields and await without locks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, Protocol

from server.protocol import PushResult, ServerMessage

if TYPE_CHECKING:
    from agent.document.delta import Delta
    from agent.document.mirror import Mirror
    from agent.history import History

Publish = Callable[[ServerMessage], None]
"""Gives a message to the session's log, which numbers it (its own `seq` is ignored) and sends it to every
pane.
"""

HostKind = Literal["playground", "word"]


class Host(Protocol):
    """Where the document of a session lives."""

    kind: HostKind

    async def push(self, step: int, delta: Delta) -> None:
        """Carry what a verified step (or an undo) changed into the document, and see that it is there.

        The mirror already holds it. Raises `HostError` if the document does not hold it afterwards; the
        session then takes the step out of the mirror again and says so.
        """
        ...

    async def catch_up(self) -> Delta | None:
        """Take in what the user did to the document meanwhile: it goes into the mirror and the history.
        Returns it, or None for nothing. Raises `HostError` if the host's program does not give its document.
        """
        ...

    async def take_reading(self, data: bytes) -> Delta | None:
        """The host's program sent its document (.docx) unasked: something may be new in it. Like `catch_up`.
        Raises `CapabilityUnavailable` where readings have no meaning, `DocumentError` if it cannot be read.
        """
        ...

    def pushed(self, result: PushResult) -> None:
        """The pane's answer to a push; wakes the `push` that waits. A late or unknown one is ignored."""
        ...

    def reading_arrived(self, data: bytes) -> bool:
        """A reading that the host itself asked for (`ReadRequest`) while it was pushing. False: it asked for
        none, and the session takes it as a command of its own (`take_reading`). Empty: the pane could not
        get one.
        """
        ...

    def pane_left(self) -> None:
        """The last socket is gone; a push that waits may give up with `Disconnected`."""
        ...


class HostFactory(Protocol):
    """Makes the host of a session when its pane says hello."""

    def __call__(self, kind: HostKind, mirror: Mirror, history: History, publish: Publish) -> Host:
        """A host of that kind for that document."""
        ...
