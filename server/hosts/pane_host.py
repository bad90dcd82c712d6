"""The live Word document behind a pane: what was verified on the mirror is pushed, what Word holds is read.

The pane does the writing (`taskpane/src/word`): it checks that Word holds what a push expects, writes once,
reads back, and answers with a `PushResult`. Word is the truth; if it does not hold a step afterwards, `push`
raises and the session takes the step out of the mirror again.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from agent.document.mirror import Mirror
from agent.errors import CapabilityUnavailable, Disconnected, HostRejected, RevisionMismatch
from server.hosts.docx_host import DocxHost
from server.hosts.push_plan import plan_push
from server.hosts.reading import fold, tracks_changes
from server.protocol import Push, PushResult, ReadRequest

if TYPE_CHECKING:
    from agent.document.delta import Delta
    from agent.history import History
    from server.hosts.host import Host, HostKind, Publish

logger = logging.getLogger(__name__)

PATIENCE = 300.0
"""Seconds that a push may take: the pane gives each of Word's answers up to two minutes on the web."""
GONE_PATIENCE = 60.0
"""Seconds that a pane which went away has to come back."""


_TRACKING = (
    "Track Changes is on in Word. A block that is replaced then stays beside its successor, struck out, which "
    "cannot be checked yet: turn Track Changes off on the Review tab and ask again. Nothing was changed in Word."
)


class PaneHost:
    """A document that is open in Word."""

    kind: HostKind = "word"

    def __init__(
        self,
        mirror: Mirror,
        history: History,
        publish: Publish,
        *,
        patience: float = PATIENCE,
        gone_patience: float = GONE_PATIENCE,
    ) -> None:
        self._mirror = mirror
        self._history = history
        self._publish = publish
        self._patience = patience
        self._gone_patience = gone_patience
        self._number = 0
        self._tracking = tracks_changes(mirror)
        self._waiting: tuple[int, asyncio.Future[PushResult]] | None = None
        self._reading: asyncio.Future[bytes] | None = None

    async def push(self, step: int, delta: Delta) -> None:
        """Carry a change that the mirror holds into Word; returns when Word holds it too."""
        operations = plan_push(self._mirror, delta)
        if not operations:
            return
        if self._tracking:
            raise CapabilityUnavailable(_TRACKING)
        self._number += 1
        number = self._number
        answer: asyncio.Future[PushResult] = asyncio.get_running_loop().create_future()
        self._waiting = (number, answer)
        self._publish(Push(seq=0, push=number, step=step, operations=operations))
        try:
            result = await asyncio.wait_for(answer, self._patience)
        except TimeoutError:
            raise Disconnected("Word did not say whether it holds the step; look at the document.") from None
        finally:
            self._waiting = None
        logger.info("push %s of step %s: %s", number, step, result.outcome)
        _raise_unless_applied(result)

    async def catch_up(self) -> Delta | None:
        """Read Word's document; what differs from the mirror is the user's own edit."""
        live = Mirror.open(await self._read(), self._mirror.name)
        self._tracking = tracks_changes(live)
        return fold(self._mirror, self._history, live)

    async def take_reading(self, data: bytes) -> Delta | None:
        """A reading that was not asked for may be older than the last push, and then what that wrote would
        look like something that the user took out: it is only the sign that a fresh one is worth having.
        """
        return await self.catch_up()

    async def _read(self) -> bytes:
        """The document as Word has it now."""
        self._reading = asyncio.get_running_loop().create_future()
        self._publish(ReadRequest(seq=0, reason="The user may have edited the document."))
        try:
            data = await asyncio.wait_for(self._reading, self._patience)
        except TimeoutError:
            data = b""
        finally:
            self._reading = None
        if not data:
            raise Disconnected("Word did not give its document; nothing was changed.")
        return data

    def pushed(self, result: PushResult) -> None:
        """The pane's answer; one to an older push is ignored."""
        if self._waiting is not None and self._waiting[0] == result.push and not self._waiting[1].done():
            self._waiting[1].set_result(result)

    def reading_arrived(self, data: bytes) -> bool:
        """Whether this host was waiting for a reading."""
        if self._reading is None or self._reading.done():
            return False
        self._reading.set_result(data)
        return True

    def pane_left(self) -> None:
        """The pane may come back and answer: it remembers what it did. If it does not, the wait ends."""
        waiting = [self._waiting[1]] if self._waiting else []
        for answer in [*waiting, *([self._reading] if self._reading else [])]:
            asyncio.get_running_loop().call_later(self._gone_patience, _give_up, answer)


def _give_up(answer: asyncio.Future[PushResult] | asyncio.Future[bytes]) -> None:
    if not answer.done():
        answer.set_exception(
            Disconnected("The pane was closed while Stet waited for Word; look at the document.")
        )


def _raise_unless_applied(result: PushResult) -> None:
    found = ", ".join(f"'{text}'" for text in result.found[:3])
    there = f" Word has {found} there." if found else ""
    match result.outcome:
        case "applied":
            return
        case "mismatch":
            raise RevisionMismatch(f"{result.message}{there}")
        case "rejected":
            raise HostRejected(result.message or "Word refused the change; nothing was changed.")
        case "differs":
            raise HostRejected(
                f"{result.message or 'Word holds something else than was written.'}{there} Look at the document."
            )


def make_host(kind: HostKind, mirror: Mirror, history: History, publish: Publish) -> Host:
    """A `HostFactory`: the live Word document for a pane in Word, the server's own copy for the playground."""
    return PaneHost(mirror, history, publish) if kind == "word" else DocxHost()
