"""A bench whose document is lines of text: everything around the agent can be tried on it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from agent.errors import DocumentError
from server.bench import Outcome, Snapshot
from server.protocol import (
    AttachmentView,
    BlockView,
    Conflict,
    ConflictView,
    DocumentChanged,
    DocumentView,
    PushResult,
    Selected,
    StepChanged,
    StepView,
)
from server.store import Opened, Publish


class TextBench:
    """Carries out requests such as `add four; add five`. Other verbs: `hang` waits until it is cancelled,
    `wait` until it is stopped, `block` holds the thread, `crash` fails, `need 2` adds a line that stands on
    step 2.
    """

    def __init__(self, text: str, name: str, publish: Publish) -> None:
        self.name = name
        self.lines: list[tuple[str, int]] = [(line, 0) for line in text.split("\n")]
        self.needs: dict[int, int] = {}
        self.texts: dict[int, str] = {}
        self.attached: dict[str, bytes] = {}
        self.revision = 0
        self.steps = 0
        self._publish = publish
        self._stop = asyncio.Event()
        self._task: asyncio.Task[object] | None = None

    def snapshot(self) -> Snapshot:
        data = "\n".join(line for line, _ in self.lines).encode()
        return Snapshot(data, self.revision, tuple(f"p{n}" for n in range(1, len(self.lines) + 1)))

    async def run(self, request: int, text: str, selection: Selected | None) -> Outcome:
        self._stop.clear()
        self._task = asyncio.current_task()
        done = 0
        for part in text.split(";"):
            if self._stop.is_set():
                return Outcome(f"{done} done, then stopped.", stopped=True)
            self.steps += 1
            step = StepView(id=self.steps, request=request, title=part.strip(), state="running")
            self._publish(StepChanged(seq=0, step=step), None)
            await self._carry_out(step)
            done += 1
        return Outcome(f"{done} done.", complete=True)

    async def _carry_out(self, step: StepView) -> None:
        verb, _, rest = step.title.partition(" ")
        match verb:
            case "hang":
                await asyncio.Event().wait()
            case "wait":
                await self._stop.wait()
            case "block":
                # As heavy as it gets: the thread itself is held.
                __import__("time").sleep(float(rest))
            case "crash":
                raise ZeroDivisionError(rest)
            case "refuse":
                raise DocumentError(rest)
            case "need":
                self.needs[step.id] = int(rest)
            case _:
                await asyncio.sleep(0)
        self.texts[step.id] = rest
        self.lines.append((rest, step.id))
        self._changed([len(self.lines) - 1])
        self._publish(StepChanged(seq=0, step=step.model_copy(update={"state": "review"})), None)

    def _changed(self, added: Sequence[int] = ()) -> None:
        self.revision += 1
        document = DocumentView(name=self.name, revision=self.revision, blocks=len(self.lines))
        blocks = [BlockView(id=f"p{index + 1}", index=index) for index in added]
        self._publish(DocumentChanged(seq=0, document=document, added=blocks), self.snapshot())

    def stop(self) -> None:
        self._stop.set()

    def cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def undo(self, steps: Sequence[StepView], *, lose_edits: bool = False) -> dict[int, str]:
        ids = {step.id for step in steps}
        present = {step for _, step in self.lines}
        dependents = [
            n for n, needed in self.needs.items() if needed in ids and n in present and n not in ids
        ]
        if dependents:
            reasons = [f"Step {n} stands on it." for n in dependents]
            conflict = ConflictView(step=steps[0].id, dependents=dependents, reasons=reasons)
            self._publish(Conflict(seq=0, conflict=conflict), None)
            return {}
        self.lines = [(line, step) for line, step in self.lines if step not in ids]
        self._changed()
        for step in steps:
            self._publish(StepChanged(seq=0, step=step.model_copy(update={"state": "undone"})), None)
        return {}

    async def redo(self, steps: Sequence[StepView]) -> dict[int, str]:
        if not steps:
            raise AssertionError("nothing to do again")
        for step in steps:
            self.lines.append((self.texts[step.id], step.id))
            self._publish(StepChanged(seq=0, step=step.model_copy(update={"state": "review"})), None)
        self._changed()
        return {}

    async def restate(self, steps: Sequence[StepView]) -> None:
        present = {step for _, step in self.lines}
        for step in steps:
            if step.id in self.texts and (step.state == "undone") == (step.id in present):
                state = "review" if step.id in present else "undone"
                self._publish(StepChanged(seq=0, step=step.model_copy(update={"state": state})), None)

    async def attach(self, label: str, data: bytes) -> AttachmentView:
        self.attached[label] = data
        return AttachmentView(name=label, size=len(data))

    async def detach(self, name: str) -> None:
        del self.attached[name]

    async def take_reading(self, data: bytes) -> None:
        self.lines = [(line, 0) for line in data.decode().split("\n")]
        self._changed()

    def reading_arrived(self, data: bytes) -> bool:
        return False

    def use_host(self, kind: str) -> None:
        self.name = f"{self.name} in {kind}"

    def pushed(self, result: PushResult) -> None:
        raise AssertionError("nothing is pushed")

    def pane_left(self) -> None:
        pass


async def open_text(data: bytes, name: str, publish: Publish) -> Opened:
    """Opens lines of text; `PK` and the like are refused, as the real thing refuses text."""
    if data.startswith(b"bad"):
        raise DocumentError("The file is not a Word document.")
    bench = TextBench(data.decode(), name, publish)
    return Opened(bench, bench.snapshot(), planner="local", examples=("add four",))
