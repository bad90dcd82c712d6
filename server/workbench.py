"""One document at work: the mirror, its history, the agent and the host, on the session's worker.

Whatever changes the document happens here, one command at a time. A change is carried to the host first and
announced afterwards; if the host cannot take it, it leaves the mirror again, so that mirror and host never
part.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from agent.document.delta import Delta
from agent.document.explain import explain
from agent.document.mirror import Mirror
from agent.events import InstructionFinished, StepDone
from agent.history import Conflict as HistoryConflict
from agent.history import History, Rebuilt
from agent.operations.targets import Selection
from agent.planning.planner import Exchange
from server import attachments
from server.bench import AT_WORK, Outcome, Snapshot
from server.examples import examples_for
from server.hosts.docx_host import DocxHost
from server.protocol import (
    AttachmentsChanged,
    AttachmentView,
    Conflict,
    ConflictView,
    DocumentChanged,
    DocumentView,
    PushResult,
    Selected,
    ServerMessage,
    StepChanged,
    StepState,
    StepView,
)
from server.store import OpenBench, Opened, Publish
from server.views import StepViews, block_views

if TYPE_CHECKING:
    from server.hosts.host import Host, HostFactory, HostKind
    from server.planners import MakeAgent, PlannerChoice

logger = logging.getLogger(__name__)


class Workbench:
    """A `Bench` whose document is a mirror."""

    def __init__(
        self,
        mirror: Mirror,
        make_agent: MakeAgent,
        publish: Publish,
        make_host: HostFactory | None = None,
    ) -> None:
        self._mirror = mirror
        self._history = History(mirror)
        self._make_agent = make_agent
        self._publish = publish
        self._make_host = make_host
        self.host: Host = DocxHost()
        self._pushing = _Pushing(self)
        self._earlier: list[Exchange] = []
        self._stop = asyncio.Event()
        self._task: asyncio.Task[object] | None = None
        self._announced = mirror.revision
        """Revision of the document that the panes know."""

    def snapshot(self) -> Snapshot:
        """The document as it is now."""
        return Snapshot(self._mirror.save(), self._mirror.revision, tuple(self._mirror.body_blocks()))

    # -- commands --------------------------------------------------------------------------------------------

    async def run(self, request: int, text: str, selection: Selected | None) -> Outcome:
        """Carry out a request."""
        self._task = asyncio.current_task()
        self._stop.clear()
        views = StepViews(request)
        selected = Selection(tuple(selection.blocks), selection.text) if selection else None
        outcome = Outcome("Nothing was done.")
        agent = self._make_agent(self._pushing)
        try:
            await self._catch_up()
            async for event in agent.run(
                self._mirror,
                self._history,
                text,
                selection=selected,
                earlier=tuple(self._earlier),
                stop=self._stop,
            ):
                blocks = self._landed(event) if isinstance(event, StepDone) else []
                if (step := views.take(event, blocks)) is not None:
                    self._say(StepChanged(seq=0, step=step))
                if isinstance(event, InstructionFinished):
                    outcome = Outcome(event.summary, event.complete, event.stopped)
        finally:
            self._task = None
        self._earlier.append(Exchange(text, outcome.summary, agent.steps))
        return outcome

    def stop(self) -> None:
        """End the run at work within one step."""
        self._stop.set()

    def cancel(self) -> None:
        """End the run at work where it waits. A push is not broken off: nobody could say then what the document
        holds; it ends by itself, and the run with it.
        """
        if self._task is not None and not self._pushing.busy:
            self._task.cancel()

    async def close(self) -> None:
        """Let go of the document; what was being done to it ends first. Nothing can be asked of the bench afterwards."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        self._mirror.close()

    async def undo(self, steps: Sequence[StepView], *, lose_edits: bool = False) -> dict[int, str]:
        """Take steps back, or publish the conflict and change nothing. Returns the new explanations of later steps
        that now change something else than before.
        """
        keys = [step.id for step in steps]
        if not keys:
            return {}
        await self._catch_up()
        outcome = self._history.undo(keys, lose_edits=lose_edits)
        if isinstance(outcome, HistoryConflict):
            self._say_conflict(outcome)
            return {}
        try:
            await self._push(keys, outcome)
        except Exception:
            # A fault in the making of the push is no other: the host does not hold it.
            self._history.redo(outcome.entries)
            raise
        self._announce(outcome)
        self._say_states(steps, "undone")
        return self._retold(outcome)

    async def redo(self, steps: Sequence[StepView]) -> dict[int, str]:
        """Do undone steps again. Returns what `undo` returns."""
        keys = [step.id for step in steps]
        if not keys:
            return {}
        await self._catch_up()
        outcome = self._history.redo(keys)
        if isinstance(outcome, HistoryConflict):
            self._say_conflict(outcome)
            return {}
        try:
            await self._push(keys, outcome)
        except Exception:
            self._history.undo(outcome.entries)
            raise
        self._announce(outcome)
        self._say_states(steps, "review")
        return self._retold(outcome)

    async def restate(self, steps: Sequence[StepView]) -> None:
        """After a command that failed: what the history and the mirror hold now."""
        entries = {entry.key: entry for entry in self._history.entries}
        for step in steps:
            if (entry := entries.get(step.id)) is None:
                continue
            if entry.undone and step.state != "undone":
                self._say_states([step], "undone")
            elif not entry.undone and (step.state == "undone" or step.state in AT_WORK):
                told = step.model_copy(update={"explanation": explain(entry.changes)})
                self._say_states([told], "review")
        if self._mirror.revision != self._announced:
            self._say_document(Delta.empty)

    def _retold(self, outcome: Rebuilt) -> dict[int, str]:
        return {key: explain(self._history.entry(key).changes) for key in outcome.retold}

    async def attach(self, label: str, data: bytes) -> AttachmentView:
        """Keep a picture for requests to name, under a name of its own. Raises TooManyAttachments."""
        name = attachments.attach(self._mirror, label, data)
        self._say_attachments()
        return AttachmentView(name=name, size=len(data))

    async def detach(self, name: str) -> None:
        """Take a picture away; steps that used it can still be undone and done again. Raises NoSuchAttachment."""
        calls = [entry.call for entry in self._history.entries if entry.call is not None]
        named = any(name in call.params.values() for call in calls)
        # The step at work may be using it, and is not in the log yet.
        attachments.detach(self._mirror, name, keep=named or self._task is not None)
        self._say_attachments()

    async def take_reading(self, data: bytes) -> None:
        """Word's document as it is now: what differs is the user's own edit."""
        delta = await self.host.take_reading(data)
        if delta:
            self._say_document(delta)

    # -- the host --------------------------------------------------------------------------------------------

    def use_host(self, kind: HostKind) -> None:
        """A pane of that kind has said hello; the first one decides where the document lives."""
        if kind != self.host.kind and self._make_host is not None:
            self.host = self._make_host(kind, self._mirror, self._history, self._say)

    def reading_arrived(self, data: bytes) -> bool:
        """Whether the host itself was waiting for this reading."""
        return self.host.reading_arrived(data)

    def pushed(self, result: PushResult) -> None:
        """The pane's answer to a push."""
        self.host.pushed(result)

    def pane_left(self) -> None:
        """The last socket is gone."""
        self.host.pane_left()

    async def _catch_up(self) -> None:
        """What the user did to the document meanwhile counts before anything else is done to it."""
        delta = await self.host.catch_up()
        if delta:
            self._say_document(delta)

    async def _push(self, keys: Sequence[int], outcome: Rebuilt) -> None:
        if outcome.delta:
            await self.host.push(keys[0], outcome.delta)

    def _announce(self, outcome: Rebuilt) -> None:
        if outcome.delta:
            self._say_document(outcome.delta)

    def _landed(self, event: StepDone) -> list[str]:
        """A step is verified, logged and in the host's document: announce it. Returns the body's blocks that it
        touched.
        """
        delta = self._history.entry(event.step).delta
        touched = delta.touched()
        places = self._say_document(delta)
        logger.info("step %s done: %s", event.step, event.call.operation)
        return [block for block in (*touched.changed, *touched.moved, *touched.added) if block in places]

    # -- what the panes are told -----------------------------------------------------------------------------

    def _say(self, message: ServerMessage) -> None:
        self._publish(message, None)

    def _say_attachments(self) -> None:
        views = [AttachmentView(name=name, size=len(d)) for name, d in self._mirror.attachments.items()]
        self._say(AttachmentsChanged(seq=0, attachments=views))

    def _say_document(self, delta: Delta) -> dict[str, int]:
        """Announce the document as it is now; returns the places of the body's blocks."""
        snapshot = self.snapshot()
        places = {block: index for index, block in enumerate(snapshot.blocks)}
        touched = delta.touched()
        message = DocumentChanged(
            seq=0,
            document=DocumentView(
                name=self._mirror.name, revision=snapshot.revision, blocks=len(snapshot.blocks)
            ),
            changed=block_views((*touched.changed, *touched.moved), places),
            added=block_views(touched.added, places),
            removed=len(touched.removed),
        )
        self._publish(message, snapshot)
        self._announced = snapshot.revision
        return places

    def _say_states(self, steps: Iterable[StepView], state: StepState) -> None:
        for step in steps:
            blocks = [block for block in step.blocks if self._mirror.has(block)]
            view = step.model_copy(update={"state": state, "blocks": blocks})
            self._say(StepChanged(seq=0, step=view))

    def _say_conflict(self, conflict: HistoryConflict) -> None:
        view = ConflictView(
            step=conflict.step,
            dependents=list(conflict.dependents),
            reasons=list(conflict.reasons),
            lost_edits=list(conflict.lost_edits),
        )
        self._say(Conflict(seq=0, conflict=view))


class _Pushing:
    """The bench's host as the agent sees it, whichever it is at the time."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self.busy = False

    async def push(self, step: int, delta: Delta) -> None:
        self.busy = True
        try:
            await self._bench.host.push(step, delta)
        finally:
            self.busy = False


def opener(choice: PlannerChoice, make_host: HostFactory | None = None) -> OpenBench:
    """Opens documents for a store: each with a workbench of its own, planned for as chosen."""

    async def open_bench(data: bytes, name: str, publish: Publish) -> Opened:
        mirror = Mirror.open(data, name)
        agents = choice.agents()
        bench = Workbench(mirror, agents.make, publish, make_host)

        async def close() -> None:
            await bench.close()
            await agents.close()

        opened = Opened(
            bench,
            bench.snapshot(),
            planner=choice.name,
            model=choice.model,
            examples=examples_for(mirror),
            close=close,
        )
        # What a document is made of lives until it is closed, and is freed then without the collector; looking through it for
        # cycles again and again would hold up every session, for 70 ms at 50,000 blocks.
        gc.freeze()
        return opened

    return open_bench
