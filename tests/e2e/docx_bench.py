"""A bench that carries out scripted steps on a real .docx, so that the pages can be tried in every state.

Blocks are counted from 1 in the document as it was opened.

No agent: what a step does is spelled out in the request, parts separated by `;`

    bold 3          makes block 3 bold           add after 3: text   puts a paragraph after block 3
    heading 3       gives block 3 Heading 1      table after 3: a, b puts a table of one row after block 3
    retry 3         like bold, after an attempt that was rolled back
    refuse: text    is not done, with choices    wait                works until it is stopped
    stand on 1: t   adds a paragraph; undoing step 1 is a conflict then
"""

from __future__ import annotations

import asyncio
import io
import re
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import uvicorn
from docx import Document
from docx.document import Document as DocumentObject
from docx.oxml.ns import qn
from docx.table import Table
from docx.text.paragraph import Paragraph

from server.app import create_app
from server.bench import Outcome, Snapshot
from server.protocol import (
    AttachmentView,
    BlockView,
    CallView,
    ChangeView,
    Conflict,
    ConflictView,
    DocumentChanged,
    DocumentView,
    PushResult,
    RetryView,
    Selected,
    StepChanged,
    StepView,
)
from server.settings import Settings
from server.store import Opened, Publish

BLOCKS = (qn("w:p"), qn("w:tbl"), qn("w:sdt"))
EXAMPLES = ("Make the headings blue", "Add a summary at the end", "Put a table after the introduction")
_ON_BLOCK = re.compile(r"(bold|heading|retry) (\d+)")
_AFTER = re.compile(r"(add|table) after (\d+): (.*)")
_STANDS = re.compile(r"stand on (\d+): (.*)")


class DocxBench:
    """Holds the bytes that were opened and the steps that are live; undoing runs the live ones again."""

    def __init__(self, data: bytes, name: str, publish: Publish) -> None:
        self._base = data
        self._name = name
        self._publish = publish
        self._steps: dict[int, StepView] = {}
        self._stands_on: dict[int, int] = {}
        self._revision = 0
        self._ids: list[str] = []
        self._stop = asyncio.Event()
        self._task: asyncio.Task[object] | None = None
        self._snapshot = self._replayed()

    @property
    def snapshot(self) -> Snapshot:
        return self._snapshot

    # -- commands ------------------------------------------------------------------------------------------

    async def run(self, request: int, text: str, selection: Selected | None) -> Outcome:
        self._stop.clear()
        self._task = asyncio.current_task()
        parts = [part.strip() for part in text.split(";")]
        done = 0
        for part in parts:
            step = StepView(
                id=len(self._steps) + 1, request=request, title=part[:1].upper() + part[1:], state="running"
            )
            self._say(step)
            if part == "wait":
                await self._stop.wait()
            if self._stop.is_set():
                return Outcome(f"{done} of {len(parts)} steps done, then stopped.", stopped=True)
            done += await self._carry_out(step, part, selection)
        return Outcome(f"{done} of {len(parts)} steps done.", complete=done == len(parts))

    async def _carry_out(self, step: StepView, part: str, selection: Selected | None) -> bool:
        await asyncio.sleep(0)
        if part.startswith("refuse: "):
            reason = part.removeprefix("refuse: ")
            choices = ["Make the first heading bold", "Make every heading bold"]
            update = {"state": "not_done", "explanation": reason, "choices": choices}
            self._say(step.model_copy(update=update))
            return False
        retries: list[RetryView] = []
        if part.startswith("retry"):
            retries = [RetryView(level="parameter", reason="The text at that place is not bold.")]
            step = step.model_copy(update={"retries": retries})
            self._say(step.model_copy(update={"state": "retrying"}))
        if stands := _STANDS.fullmatch(part):
            self._stands_on[step.id] = int(stands[1])
        before = self._ids
        shown = step.model_copy(update=self._described(part, selection))
        self._steps[step.id] = shown
        self._snapshot = self._replayed()
        added = [block for block in self._ids if block not in before]
        changed = [match[2] for match in [_ON_BLOCK.fullmatch(part)] if match]
        blocks = added or [f"b{number}" for number in changed]
        self._changed(changed=[] if added else blocks, added=added)
        self._say(shown.model_copy(update={"state": "review", "blocks": blocks}))
        return True

    def _described(self, part: str, selection: Selected | None) -> dict[str, Any]:
        about = f" on the selection {selection.text!r} in {', '.join(selection.blocks)}" if selection else ""
        operation, _, rest = part.partition(" ")
        change = ChangeView(
            dimension="formatting", target="p1", text=f"{part}{about}", before="not bold", after="bold"
        )
        return {
            "explanation": f"Carried out “{part}”{about}; nothing else changed.",
            "call": CallView(operation=f"set_{operation}", params={"paragraph": rest, "bold": True}),
            "changes": [change],
            "intents": ["formatting"],
        }

    def stop(self) -> None:
        self._stop.set()

    def cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def undo(self, steps: Sequence[StepView], *, lose_edits: bool = False) -> dict[int, str]:
        going = {step.id for step in steps}
        dependents = [
            later
            for later, needed in self._stands_on.items()
            if needed in going and later not in going and self._steps[later].state in {"review", "kept"}
        ]
        if dependents:
            reasons = [f"It adds to what step {self._stands_on[later]} wrote." for later in dependents]
            conflict = ConflictView(step=steps[0].id, dependents=dependents, reasons=reasons)
            self._publish(Conflict(seq=0, conflict=conflict), None)
            return {}
        self._set([step.id for step in steps], "undone")
        return {}

    async def redo(self, steps: Sequence[StepView]) -> dict[int, str]:
        self._set([step.id for step in steps], "review")
        return {}

    def _set(self, steps: Sequence[int], state: str) -> None:
        views = [self._steps[number].model_copy(update={"state": state}) for number in steps]
        self._steps.update((view.id, view) for view in views)
        self._snapshot = self._replayed()
        self._changed(
            changed=[block for view in views for block in view.blocks if block in self._ids], added=[]
        )
        for view in views:
            self._say(view)

    async def attach(self, label: str, data: bytes) -> AttachmentView:
        raise AssertionError("nothing is attached here")

    async def detach(self, name: str) -> None:
        raise AssertionError("nothing is attached here")

    async def restate(self, steps: Sequence[StepView]) -> None:
        pass

    async def take_reading(self, data: bytes) -> None:
        self._base = data

    def reading_arrived(self, data: bytes) -> bool:
        return False

    def use_host(self, kind: str) -> None:
        pass

    def pushed(self, result: PushResult) -> None:
        pass

    def pane_left(self) -> None:
        pass

    # -- the document --------------------------------------------------------------------------------------

    def _replayed(self) -> Snapshot:
        document = Document(io.BytesIO(self._base))
        body = document.element.body
        ids = {element: f"b{number}" for number, element in enumerate(body.iterchildren(*BLOCKS), 1)}
        at_start = list(ids)
        for step in self._steps.values():
            if step.state not in {"undone", "not_done"}:
                made = _apply(document, at_start, step.title[:1].lower() + step.title[1:])
                if made is not None:
                    ids[made] = f"s{step.id}"
        self._ids = [ids[element] for element in body.iterchildren(*BLOCKS)]
        self._revision += 1
        output = io.BytesIO()
        document.save(output)
        return Snapshot(output.getvalue(), self._revision, tuple(self._ids))

    def _changed(self, changed: Sequence[str], added: Sequence[str]) -> None:
        document = DocumentView(name=self._name, revision=self._revision, blocks=len(self._ids))
        message = DocumentChanged(
            seq=0, document=document, changed=self._views(changed), added=self._views(added)
        )
        self._publish(message, self._snapshot)

    def _views(self, ids: Sequence[str]) -> list[BlockView]:
        return [BlockView(id=block, index=self._ids.index(block)) for block in ids]

    def _say(self, step: StepView) -> None:
        self._steps[step.id] = step
        self._publish(StepChanged(seq=0, step=step), None)


def _apply(document: DocumentObject, blocks: Sequence[Any], part: str) -> Any:
    """Do what the part says; the element that it made, if it made one."""
    if on_block := _ON_BLOCK.fullmatch(part):
        paragraph = Paragraph(blocks[int(on_block[2]) - 1], document._body)
        if on_block[1] == "heading":
            paragraph.style = document.styles["Heading 1"]
        else:
            for run in paragraph.runs:
                run.bold = True
        return None
    if after := _AFTER.fullmatch(part):
        return _put(document, blocks[int(after[2]) - 1], after[3], as_table=after[1] == "table")
    if stands := _STANDS.fullmatch(part):
        return _put(document, blocks[-1], stands[2], as_table=False)
    return None


def _put(document: DocumentObject, after: Any, text: str, *, as_table: bool) -> Any:
    if as_table:
        cells = text.split(", ")
        made: Table | Paragraph = document.add_table(1, len(cells))
        for cell, value in zip(made.rows[0].cells, cells, strict=True):
            cell.text = value
    else:
        made = document.add_paragraph(text)
    after.addnext(made._element)
    return made._element


async def open_docx_bench(data: bytes, name: str, publish: Publish) -> Opened:
    """An `OpenBench`."""
    bench = DocxBench(data, name, publish)
    return Opened(bench, bench.snapshot, planner="local", examples=EXAMPLES)


@contextmanager
def serving(
    open_bench: Callable[[bytes, str, Publish], Awaitable[Opened]] = open_docx_bench,
    *,
    port: int = 0,
    **changes: Any,
) -> Iterator[str]:
    """The real server in a thread of its own; yields its address."""
    app = create_app(open_bench, Settings.model_validate(changes))
    config = uvicorn.Config(
        app, host="127.0.0.1", port=port, log_level="warning", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # type: ignore[method-assign]
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        thread.join(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
