"""The live Word document behind a pane: pushes that wait for their answer, readings that become the user's edits."""

from __future__ import annotations

import asyncio
import copy
import io
from collections.abc import Callable
from typing import Literal

import pytest
from docx import Document
from docx.document import Document as DocumentObject
from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Pt

from agent.document.delta import Delta
from agent.document.mirror import Mirror
from agent.errors import CapabilityUnavailable, Disconnected, DocumentError, HostRejected, RevisionMismatch
from agent.history import Conflict, History, Rebuilt
from server.hosts.docx_host import DocxHost
from server.hosts.pane_host import PaneHost, make_host
from server.protocol import Push, PushResult, ReadRequest, ServerMessage
from tests.server.paper_word import PaperWord, body_of
from tools.make_icons import png

Outcome = Literal["applied", "mismatch", "rejected", "differs"]


class Pane:
    """A pane that does pushes on paper and answers as told."""

    def __init__(self, document: DocumentObject, outcome: Outcome | None = "applied") -> None:
        data = file_of(document)
        self.word = PaperWord(data)
        self.mirror = Mirror.open(data)
        self.history = History(self.mirror)
        self.outcome: Outcome | None = outcome
        self.received: list[ServerMessage] = []
        self.host = PaneHost(self.mirror, self.history, self.receive, patience=5, gone_patience=0.01)

    def receive(self, message: ServerMessage) -> None:
        self.received.append(message)
        if isinstance(message, Push) and self.outcome is not None:
            if self.outcome == "applied":
                self.word.do(message.operations)
            result = PushResult(
                push=message.push, outcome=self.outcome, message="Said by Word.", found=["there"]
            )
            asyncio.get_running_loop().call_soon(self.host.pushed, result)

    def change(self, change: Callable[[DocumentObject], object]) -> Delta:
        with self.mirror.edit("1") as editor:
            change(self.mirror.document)
        return editor.delta


def file_of(document: DocumentObject) -> bytes:
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def letters() -> DocumentObject:
    document = Document()
    document.add_heading("Report", 1)
    for text in ("First", "Second", "Third"):
        document.add_paragraph(text)
    return document


def bold_first(document: DocumentObject) -> None:
    document.paragraphs[1].runs[0].bold = True


# -- pushing -----------------------------------------------------------------------------------------------------


async def test_a_change_is_in_word_when_push_returns() -> None:
    pane = Pane(letters())
    delta = pane.change(bold_first)
    await pane.host.push(1, delta)
    assert pane.word.body == body_of(pane.mirror)
    (message,) = pane.received
    assert isinstance(message, Push)
    assert (message.push, message.step) == (1, 1)


async def test_pushes_have_numbers_of_their_own() -> None:
    pane = Pane(letters())
    for text in ("one", "two"):
        await pane.host.push(1, pane.change(lambda document, text=text: document.add_paragraph(text)))
    assert [message.push for message in pane.received if isinstance(message, Push)] == [1, 2]


@pytest.mark.parametrize(
    ("outcome", "error"),
    [("mismatch", RevisionMismatch), ("rejected", HostRejected), ("differs", HostRejected)],
)
async def test_what_word_does_not_hold_is_an_error_in_its_words(
    outcome: Outcome, error: type[Exception]
) -> None:
    pane = Pane(letters(), outcome)
    with pytest.raises(error, match=r"Said by Word\."):
        await pane.host.push(1, pane.change(bold_first))


async def test_a_delta_that_changes_nothing_that_word_shows_is_not_pushed() -> None:
    pane = Pane(letters(), None)
    delta = pane.change(bold_first)
    pane.mirror.apply(delta.inverse())
    await pane.host.push(1, delta + delta.inverse())
    assert pane.received == []


async def test_while_word_tracks_changes_nothing_is_pushed_and_the_user_is_told_what_to_do() -> None:
    def track(document: DocumentObject) -> None:
        document.settings.element.append(document.settings.element.makeelement(qn("w:trackRevisions")))

    pane = Pane(letters())
    await catch_up(pane, file_of(changed(letters(), track)))
    with pytest.raises(CapabilityUnavailable, match="turn Track Changes off"):
        await pane.host.push(1, pane.change(bold_first))
    pane = Pane(changed(letters(), track))
    with pytest.raises(CapabilityUnavailable, match="turn Track Changes off"):
        await pane.host.push(1, pane.change(bold_first))
    await catch_up(pane, pane_without_tracking(pane))
    await pane.host.push(1, pane.change(lambda document: document.add_paragraph("now")))
    assert len(pane.received) == 2


def changed(document: DocumentObject, change: Callable[[DocumentObject], object]) -> DocumentObject:
    change(document)
    return document


def pane_without_tracking(pane: Pane) -> bytes:
    document = Document(io.BytesIO(pane.mirror.save()))
    for found in document.settings.element.findall(qn("w:trackRevisions")):
        document.settings.element.remove(found)
    return file_of(document)


async def test_an_answer_to_another_push_is_ignored() -> None:
    pane = Pane(letters(), None)
    waiting = asyncio.create_task(pane.host.push(1, pane.change(bold_first)))
    await asyncio.sleep(0)
    pane.host.pushed(PushResult(push=99, outcome="rejected"))
    await asyncio.sleep(0)
    assert not waiting.done()
    pane.host.pushed(PushResult(push=1, outcome="applied"))
    pane.host.pushed(PushResult(push=1, outcome="rejected"))
    await waiting


async def test_a_pane_that_does_not_come_back_ends_the_wait() -> None:
    pane = Pane(letters(), None)
    waiting = asyncio.create_task(pane.host.push(1, pane.change(bold_first)))
    await asyncio.sleep(0)
    pane.host.pane_left()
    with pytest.raises(Disconnected):
        await waiting


async def test_a_pane_that_leaves_while_nothing_waits_is_no_matter() -> None:
    Pane(letters()).host.pane_left()


async def test_the_host_asks_for_a_reading_and_takes_only_what_it_asked_for() -> None:
    pane = Pane(letters(), None)
    assert not pane.host.reading_arrived(b"unasked")
    waiting = asyncio.create_task(pane.host.catch_up())
    await asyncio.sleep(0)
    assert isinstance(pane.received[-1], ReadRequest)
    assert pane.host.reading_arrived(pane.mirror.save())
    assert await waiting is None
    assert not pane.host.reading_arrived(b"late")


async def test_a_reading_that_word_does_not_give_is_said() -> None:
    pane = Pane(letters(), None)
    waiting = asyncio.create_task(pane.host.catch_up())
    await asyncio.sleep(0)
    pane.host.reading_arrived(b"")
    with pytest.raises(Disconnected, match="did not give its document"):
        await waiting


async def test_a_pane_that_leaves_during_a_reading_ends_the_wait() -> None:
    pane = Pane(letters(), None)
    waiting = asyncio.create_task(pane.host.catch_up())
    await asyncio.sleep(0)
    pane.host.pane_left()
    with pytest.raises(Disconnected):
        await waiting


async def test_a_reading_from_before_a_push_does_not_take_the_push_back() -> None:
    pane = Pane(letters())
    stale = pane.mirror.save()
    await pane.host.push(1, pane.change(bold_first))
    waiting = asyncio.create_task(pane.host.take_reading(stale))
    await asyncio.sleep(0)
    assert isinstance(pane.received[-1], ReadRequest)
    pane.host.reading_arrived(pane.mirror.save())
    assert await waiting is None
    assert pane.mirror.document.paragraphs[1].runs[0].bold


def test_each_kind_of_pane_gets_its_host() -> None:
    pane = Pane(letters())
    assert isinstance(make_host("word", pane.mirror, pane.history, pane.receive), PaneHost)
    assert isinstance(make_host("playground", pane.mirror, pane.history, pane.receive), DocxHost)


# -- reading -----------------------------------------------------------------------------------------------------


def as_word_writes_it(data: bytes) -> DocumentObject:
    """The file as another program writes it: other relationship ids, list numbers, revision marks, runs."""
    document = Document(io.BytesIO(data))
    part = document.part
    for number, (rid, rel) in enumerate(list(part.rels.items())):
        del part.rels[rid]
        rel._rId = f"rId{900 + number}"
        part.rels[rel._rId] = rel
        for element in document.element.iter():
            for name, value in list(element.attrib.items()):
                if value == rid and "relationships" in str(name):
                    element.set(name, f"rId{900 + number}")
    for paragraph in document.paragraphs:
        paragraph._p.set("{http://schemas.openxmlformats.org/wordprocessingml/2006/main}rsidR", "00AB12CD")
        for run in paragraph.runs:
            if len(run.text) > 2 and len(run._r) == 1 + (run._r.rPr is not None):
                text, rest = run.text[:2], run.text[2:]
                run.text = text
                made = paragraph.add_run(rest)
                if run._r.rPr is not None:
                    made._r.insert(0, copy.deepcopy(run._r.rPr))
                run._r.addnext(made._r)
    return document


def rich() -> DocumentObject:
    document = letters()
    document.add_picture(io.BytesIO(png(16)))
    document.add_paragraph("item", style="List Bullet")
    table = document.add_table(2, 2, style="Table Grid")
    table.cell(0, 0).text = "cell"
    document.add_paragraph("End")
    return document


async def read_back(pane: Pane, change: Callable[[DocumentObject], object]) -> Delta | None:
    """The user changes the document in Word, and a reading arrives."""
    live = as_word_writes_it(pane.mirror.save())
    change(live)
    return await catch_up(pane, file_of(live))


async def catch_up(pane: Pane, data: bytes) -> Delta | None:
    """The host asks, and Word's document is `data`."""
    waiting = asyncio.create_task(pane.host.catch_up())
    await asyncio.sleep(0)
    assert pane.host.reading_arrived(data)
    return await waiting


async def test_a_reading_in_which_nothing_was_changed_changes_nothing() -> None:
    pane = Pane(rich())
    before = pane.mirror.save()
    assert await read_back(pane, lambda document: None) is None
    assert pane.mirror.save() == before
    assert pane.history.entries == []


async def test_what_the_user_typed_is_in_the_mirror_and_in_the_history() -> None:
    pane = Pane(rich())
    block = pane.mirror.body_blocks()[1]
    delta = await read_back(pane, lambda document: setattr(document.paragraphs[1], "text", "First, typed"))
    assert delta is not None
    assert delta.touched().changed == (block,)
    assert pane.mirror.document.paragraphs[1].text == "First, typed"
    (entry,) = pane.history.entries
    assert entry.call is None
    assert entry.changes


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document.paragraphs[0]._p.addprevious(document.add_paragraph("On top")._p),
        lambda document: document.add_paragraph("Last"),
        lambda document: document.paragraphs[2]._p.getparent().remove(document.paragraphs[2]._p),
        lambda document: setattr(document.tables[0].cell(1, 1), "text", "typed in a cell"),
        lambda document: document.tables[0].add_row(),
        lambda document: setattr(document.paragraphs[2].runs[0].font, "size", Pt(30)),
        lambda document: setattr(document.paragraphs[3], "style", "Quote"),
        lambda document: document.add_picture(io.BytesIO(png(20))),
        lambda document: document.add_paragraph("numbered", style="List Number"),
    ],
    ids=["top", "end", "deleted", "cell", "row", "size", "style", "picture", "list"],
)
async def test_an_edit_in_word_makes_the_mirror_look_like_word(
    change: Callable[[DocumentObject], object],
) -> None:
    pane = Pane(rich())
    untouched = [pane.mirror.body_blocks()[0], pane.mirror.body_blocks()[1]]
    live = as_word_writes_it(pane.mirror.save())
    change(live)
    delta = await catch_up(pane, file_of(live))
    assert delta is not None
    expected = body_of(Mirror.open(file_of(live)))
    assert body_of(pane.mirror) == expected
    assert body_of(Mirror.open(pane.mirror.save())) == expected
    assert set(untouched) <= set(pane.mirror.body_blocks())
    pane.mirror.apply(delta.inverse())
    assert body_of(pane.mirror) == body_of(Mirror.open(file_of(rich())))


async def test_a_cell_that_the_user_typed_in_is_still_that_cell_and_so_are_its_neighbours() -> None:
    pane = Pane(rich())
    table = pane.mirror.document.tables[0]
    ids = [pane.mirror.id_of(p) for p in table._tbl.iter(qn("w:p"))]
    await read_back(pane, lambda document: setattr(document.tables[0].cell(1, 1), "text", "typed"))
    await read_back(pane, lambda document: document.tables[0].add_row())
    assert table._tbl.getparent() is not None
    assert [pane.mirror.id_of(p) for p in table._tbl.iter(qn("w:p"))][: len(ids)] == ids
    assert table.cell(1, 1).text == "typed"
    assert len(table.rows) == 3


async def test_a_link_that_the_user_made_keeps_its_address() -> None:
    def link(document: DocumentObject) -> None:
        rid = document.part.relate_to("https://example.org/new", RT.HYPERLINK, is_external=True)
        xml = f'<w:hyperlink {nsdecls("w", "r")} r:id="{rid}"><w:r><w:t>here</w:t></w:r></w:hyperlink>'
        document.paragraphs[1]._p.append(parse_xml(xml))

    pane = Pane(rich())
    await read_back(pane, link)
    assert pane.mirror.document.paragraphs[1].hyperlinks[0].address == "https://example.org/new"


async def test_undoing_a_step_keeps_what_the_user_typed_after_it() -> None:
    pane = Pane(letters())
    key = pane.history.next_key()
    with pane.mirror.edit(str(key)) as editor:
        pane.mirror.document.paragraphs[1].runs[0].bold = True
    pane.history.append(key, "Make it bold", None, editor.delta, ())
    await read_back(pane, lambda document: document.add_paragraph("typed later"))
    outcome = pane.history.undo([key])
    assert not isinstance(outcome, Conflict)
    assert isinstance(outcome, Rebuilt)
    assert pane.mirror.document.paragraphs[-1].text == "typed later"
    assert not pane.mirror.document.paragraphs[1].runs[0].bold


async def test_a_reading_that_is_no_document_is_refused_and_changes_nothing() -> None:
    pane = Pane(letters())
    before = pane.mirror.save()
    with pytest.raises(DocumentError):
        await catch_up(pane, b"not a document")
    assert pane.mirror.save() == before
