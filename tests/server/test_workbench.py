"""Real documents, the real agent, a real socket; only the planner follows a script."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH

from agent.document.delta import Delta
from agent.document.mirror import Mirror
from agent.document.package import DEFAULT_LIMITS
from server import samples
from server.examples import examples_for
from server.hosts.docx_host import DocxHost
from server.protocol import (
    DocumentChanged,
    Problem,
    Redo,
    RequestChanged,
    Run,
    SessionView,
    StepChanged,
    Stop,
    Undo,
)
from server.store import Opened, Publish
from server.workbench import Workbench
from tests.server.running import Pane, folded, running
from tests.server.scripted_planner import scripted_agent

REPORT = samples.read(samples.listed()[0])


async def open_scripted(data: bytes, name: str, publish: Publish) -> Opened:
    mirror = Mirror.open(data, name)
    bench = Workbench(mirror, scripted_agent, publish)
    return Opened(bench, bench.snapshot(), planner="local", examples=examples_for(mirror))


def align(text: str, alignment: str = "center") -> str:
    """A line of the script."""
    return "set_alignment " + json.dumps({"target": {"text": text}, "alignment": alignment})


def alignments(data: bytes) -> dict[str, WD_ALIGN_PARAGRAPH]:
    """Paragraphs of a document that are aligned by themselves."""
    return {p.text: p.alignment for p in Document(io.BytesIO(data)).paragraphs if p.alignment is not None}


CENTER, RIGHT = WD_ALIGN_PARAGRAPH.CENTER, WD_ALIGN_PARAGRAPH.RIGHT


async def test_steps_arrive_with_explanations_and_the_document_after_each() -> None:
    async with running(open_scripted) as server:
        session = await server.open(REPORT, "Report.docx")
        async with server.pane(session) as pane:
            view = pane.welcome.view
            assert view is not None
            assert len(view.examples) == 3
            await pane.send(Run(client_id="a", text=f"{align('Summary')}\n{align('Next steps', 'right')}"))
            finished = await pane.until_request(1, "finished")
            assert finished.request.complete
            assert finished.request.summary
            shown = folded(view, pane.received)
            states = [m.step.state for m in pane.received if isinstance(m, StepChanged) and m.step.id == 1]
            assert states == ["planned", "running", "checking", "review"]
            first, second = shown.steps
            assert first.call is not None
            assert first.call.operation == "set_alignment"
            assert "Summary" in first.explanation
            assert [change.dimension for change in first.changes] == ["formatting"]
            changed = [m for m in pane.received if isinstance(m, DocumentChanged)]
            assert [m.document.revision for m in changed] == sorted({m.document.revision for m in changed})
            # What is marked is what the step names, at the place where the file has it.
            blocks = (await server.http.get(f"/api/documents/{session}/blocks")).json()["blocks"]
            assert [b.id for b in changed[0].changed] == first.blocks
            assert blocks[changed[0].changed[0].index] == first.blocks[0]
            assert second.blocks != first.blocks
        after = await server.document(session)
        assert alignments(after)["Summary"] == CENTER
        assert alignments(after)["Next steps"] == RIGHT


async def test_the_middle_step_is_undone_and_the_others_stay() -> None:
    async with running(open_scripted) as server:
        session = await server.open(REPORT)
        async with server.pane(session) as pane:
            script = "\n".join(align(text) for text in ("Summary", "Market and customers", "Next steps"))
            await pane.send(Run(client_id="a", text=script))
            await pane.until_request(1, "finished")
            await pane.send(Undo(steps=[2]))
            await pane.until_step(2, "undone")
        after = alignments(await server.document(session))
        assert after["Summary"] == after["Next steps"] == CENTER
        assert "Market and customers" not in after


async def test_undo_of_everything_gives_back_the_document_that_was_opened() -> None:
    async with running(open_scripted) as server:
        session = await server.open(REPORT)
        async with server.pane(session) as pane:
            await pane.send(Run(client_id="a", text=f"{align('Summary')}\n{align('Next steps')}"))
            await pane.until_request(1, "finished")
            await pane.send(Undo())
            await pane.until_step(2, "undone")
        assert _parts(await server.document(session)) == _parts(REPORT)


class BrokenHost(DocxHost):
    """A host that fails in a way nobody foresaw, until it is mended."""

    broken = True

    async def push(self, step: int, delta: Delta) -> None:
        if self.broken:
            raise ZeroDivisionError


class UnsavedMirror(Mirror):
    """A document that cannot be saved for once, which is noticed when it is to be announced."""

    failures = 0

    def save(self) -> bytes:
        if self.failures:
            self.failures -= 1
            raise ZeroDivisionError
        return super().save()


async def _settled(pane: Pane) -> SessionView:
    """What the pane shows once everything that was asked before is done."""
    await pane.send(Run(client_id="last", text=align("No such words")))
    await pane.until(lambda m: isinstance(m, RequestChanged) and m.request.state == "finished")
    assert pane.welcome.view is not None
    return folded(pane.welcome.view, pane.received)


@pytest.mark.parametrize("command", ["undo", "redo"])
async def test_a_fault_of_the_host_takes_an_undo_or_redo_back_from_pane_mirror_and_download(
    command: str,
) -> None:
    benches: list[Workbench] = []

    async def open_bench(data: bytes, name: str, publish: Publish) -> Opened:
        opened = await open_scripted(data, name, publish)
        assert isinstance(opened.bench, Workbench)
        benches.append(opened.bench)
        return opened

    async with running(open_bench) as server:
        session = await server.open(REPORT)
        async with server.pane(session) as pane:
            await pane.send(Run(client_id="a", text=align("Summary")))
            await pane.until_request(1, "finished")
            if command == "redo":
                await pane.send(Undo(steps=[1]))
                await pane.until_step(1, "undone")
            before = alignments(await server.document(session))
            benches[0].host = host = BrokenHost()
            await pane.send(Undo(steps=[1]) if command == "undo" else Redo(steps=[1]))
            problem = await pane.until(lambda m: isinstance(m, Problem))
            assert problem.kind == "problem"
            assert problem.code == "INTERNAL"
            shown = await _settled(pane)
            assert shown.steps[0].state == ("review" if command == "undo" else "undone")
            assert alignments(await server.document(session)) == before
            assert shown.document.revision == benches[0].snapshot().revision
            # And it goes on from there.
            host.broken = False
            await pane.send(Undo(steps=[1]) if command == "undo" else Redo(steps=[1]))
            await pane.until_step(1, "undone" if command == "undo" else "review")
            assert alignments(await server.document(session)) != before


@pytest.mark.parametrize("command", ["run", "undo", "redo"])
async def test_what_was_done_before_a_fault_in_telling_it_is_told_as_it_is(command: str) -> None:
    mirrors: list[UnsavedMirror] = []

    async def open_bench(data: bytes, name: str, publish: Publish) -> Opened:
        mirror = UnsavedMirror.open(data, name)
        assert isinstance(mirror, UnsavedMirror)
        mirrors.append(mirror)
        bench = Workbench(mirror, scripted_agent, publish)
        return Opened(bench, bench.snapshot(), planner="local")

    async with running(open_bench) as server:
        session = await server.open(REPORT)
        async with server.pane(session) as pane:
            if command == "run":
                mirrors[0].failures = 1
            await pane.send(Run(client_id="a", text=align("Summary")))
            if command != "run":
                await pane.until_request(1, "finished")
                if command == "redo":
                    await pane.send(Undo(steps=[1]))
                    await pane.until_step(1, "undone")
                mirrors[0].failures = 1
                await pane.send(Undo(steps=[1]) if command == "undo" else Redo(steps=[1]))
            await pane.until(lambda m: isinstance(m, Problem))
            shown = await _settled(pane)
            assert shown.steps[0].state == ("undone" if command == "undo" else "review")
            assert "centred" in shown.steps[0].explanation
            assert ("Summary" in alignments(await server.document(session))) == (command != "undo")
            assert shown.document.revision == mirrors[0].revision


async def test_a_part_that_is_not_done_is_said_with_the_reason_and_the_rest_is_done() -> None:
    async with running(open_scripted) as server:
        session = await server.open(REPORT)
        async with server.pane(session) as pane:
            script = f"{align('No such words')}\ndecline I cannot translate.\n{align('Summary')}"
            await pane.send(Run(client_id="a", text=script))
            finished = await pane.until_request(1, "finished")
            assert not finished.request.complete
            assert pane.welcome.view is not None
            missing, declined, done = folded(pane.welcome.view, pane.received).steps
            assert missing.state == declined.state == "not_done"
            assert missing.retries
            assert "No such words" in missing.explanation
            assert declined.explanation == "I cannot translate."
            assert declined.choices == ["set_alignment"]
            assert done.state == "review"


async def test_stop_is_honoured_while_a_model_hangs_and_finished_steps_stay() -> None:
    async with running(open_scripted) as server:
        session = await server.open(REPORT)
        async with server.pane(session) as pane:
            await pane.send(Run(client_id="a", text=f"{align('Summary')}\nhang\n{align('Next steps')}"))
            await pane.until_step(1, "review")
            await pane.send(Stop())
            stopped = await pane.until_request(1, "stopped")
            assert not stopped.request.complete
            await pane.send(Run(client_id="b", text=align("Next steps")))
            await pane.until_request(2, "finished")
        assert set(alignments(await server.document(session))) >= {"Summary", "Next steps"}


async def test_a_download_while_a_run_hangs_is_the_last_verified_document() -> None:
    async with running(open_scripted) as server:
        session = await server.open(REPORT)
        async with server.pane(session) as pane:
            await pane.send(Run(client_id="a", text=f"{align('Summary')}\nhang"))
            await pane.until_step(1, "review")
            assert "Summary" in alignments(await server.document(session))
            await pane.send(Stop())
            await pane.until_request(1, "stopped")


async def test_an_endpoint_that_is_out_of_reach_ends_the_request_and_not_the_session() -> None:
    async with running(open_scripted) as server, server.pane(await server.open(REPORT)) as pane:
        await pane.send(Run(client_id="a", text=f"{align('Summary')}\nfail The model is out of reach."))
        finished = await pane.until_request(1, "finished")
        assert not finished.request.complete
        assert "out of reach" in finished.request.summary


async def test_two_documents_are_worked_on_side_by_side() -> None:
    async with running(open_scripted) as server:
        one, two = await server.open(REPORT), await server.open(REPORT)
        async with server.pane(one) as first, server.pane(two) as second:
            await first.send(Run(client_id="a", text=align("Summary")))
            await second.send(Run(client_id="a", text=align("Next steps", "right")))
            await first.until_request(1, "finished")
            await second.until_request(1, "finished")
        after = [alignments(await server.document(session)) for session in (one, two)]
        assert "Next steps" not in after[0]
        assert "Summary" not in after[1]


async def test_a_file_that_is_no_document_is_refused_in_a_sentence() -> None:
    async with running(open_scripted) as server:
        for data in (b"plain text", b"PK\x03\x04", _zip({"a.txt": b"hello"})):
            answer = await server.http.post("/api/documents", content=data)
            assert answer.status_code == 422
            assert answer.json()["message"].endswith(".")
        assert len(server.store) == 0


async def test_a_small_file_that_unpacks_to_a_very_large_one_is_refused_in_a_sentence() -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        with archive.open("word/document.xml", "w", force_zip64=True) as member:
            block = b" " * 2**24
            for _ in range(DEFAULT_LIMITS.unpacked // len(block) + 1):
                member.write(block)
    async with running(open_scripted) as server:
        answer = await server.http.post("/api/documents", content=data.getvalue())
        assert answer.status_code == 413
        assert answer.json()["code"] == "DOCUMENT_TOO_LARGE"
        assert answer.json()["message"].endswith(".")
        assert len(server.store) == 0


async def test_the_samples_open_in_the_real_mirror() -> None:
    async with running(open_scripted) as server:
        for sample in samples.listed():
            opened = (await server.http.post(f"/api/samples/{sample.id}")).json()
            assert opened["document"]["name"] == sample.name
            assert _parts(await server.document(opened["session"])) == _parts(samples.read(sample))


def _parts(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _zip(files: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()
