"""The Word host against the strict fake: it reads whole files, writes whole blocks, and says what Word then holds."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from docx import Document
from docx.document import Document as DocumentObject
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from playwright.sync_api import Browser, Page

from agent.document.flat_opc import flat_opc
from tests.e2e.fake_word import docx_of, host_alone, operation
from tools.make_icons import png

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    """One page for all: each test loads it anew."""
    context = chromium.new_context()
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(error.message))
    yield page
    context.close()
    assert not errors


BothWays = pytest.mark.parametrize("quirks", [{}, {"swallowsLastEmpty": True}], ids=["leaves", "swallows"])
"""Whether Word leaves the sacrificial paragraph behind or takes it away is not known: both must do."""


def three() -> DocumentObject:
    """A heading, two paragraphs, and a table between them and the end."""
    document = Document()
    document.add_heading("Report", 1)
    document.add_paragraph("First")
    document.add_paragraph("Second")
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "a", "b"
    document.add_paragraph("End")
    return document


def package(build: Callable[[DocumentObject], object], base: DocumentObject | None = None) -> str:
    """Flat OPC of what `build` adds to a document of its own, ended the way the server ends it."""
    document = base or Document()
    before = len(document.element.body)
    build(document)
    blocks = [e for e in list(document.element.body)[before - 1 :] if e.tag != qn("w:sectPr")]
    return flat_opc(document.part, blocks, sacrificial=True)


def paragraph(text: str, style: str | None = None) -> str:
    """A package of one paragraph."""
    return package(lambda document: document.add_paragraph(text, style=style))


READ = """async (host) => {
    let text = "";
    for (const byte of await host.read()) text += String.fromCharCode(byte);
    return btoa(text);
}"""
TEXTS = ["Report", "First", "Second", "a|b", "End"]


def test_reading_gives_the_document_with_what_was_typed(page: Page) -> None:
    host = host_alone(page, docx_of(three()))
    host.word.do("(word) => word.type(1, 'Typed just now')")
    data = host.call(READ)
    document = Document(io.BytesIO(base64.b64decode(data)))
    assert [p.text for p in document.paragraphs] == ["Report", "Typed just now", "Second", "End"]
    assert host.word.do("(word) => word.record.openFiles") == 0


@pytest.mark.parametrize("fault", ["refused", "cut"])
def test_a_reading_that_fails_says_so_and_leaves_no_file_open(page: Page, fault: str) -> None:
    host = host_alone(page, docx_of(three()))
    host.word.do("(word, fault) => { word.record.nextFile = fault; }", fault)
    said = host.call("(host) => host.read().then(() => 'read', (error) => error.message)")
    assert said.startswith("Word ")
    assert host.word.do("(word) => word.record.openFiles") == 0
    assert host.call("(host) => host.read().then((bytes) => bytes.length > 1000)")


def test_two_readings_at_once_are_made_one_after_the_other(page: Page) -> None:
    host = host_alone(page, docx_of(three()))
    sizes = host.call(
        "(host) => Promise.all([host.read(), host.read(), host.read()]).then((all) => all.map((b) => b.length > 0))"
    )
    assert sizes == [True, True, True]


@BothWays
def test_a_paragraph_is_replaced_with_its_style(page: Page, quirks: dict[str, Any]) -> None:
    host = host_alone(page, docx_of(three()), quirks)
    answer = host.push(
        operation(
            1,
            expect=["First"],
            before="Report",
            after="Second",
            ooxml=paragraph("Changed", "Quote"),
            result=["Changed"],
        )
    )
    assert (answer["outcome"], answer["message"]) == ("applied", "")
    assert host.word.texts() == ["Report", "Changed", "Second", "a|b", "End"]
    assert host.word.do("(word) => word.styleOf(1)") == "Quote"
    assert host.word.do("(word) => word.styleOf(2)") == ""


@BothWays
def test_several_places_are_written_in_one_sync(page: Page, quirks: dict[str, Any]) -> None:
    host = host_alone(page, docx_of(three()), quirks)
    answer = host.push(
        operation(
            4, before="a\nb", after="End", ooxml=paragraph("Before the end"), result=["Before the end"]
        ),
        operation(2, expect=["Second"], before="First", after="a\nb"),
        operation(0, expect=["Report"], after="First", ooxml=paragraph("Title", "Title"), result=["Title"]),
    )
    assert answer["outcome"] == "applied"
    assert host.word.texts() == ["Title", "First", "a|b", "Before the end", "End"]
    # One for the write; one more for the empty paragraphs, where Word leaves them.
    assert host.word.do("(word) => word.faults.writes") == (1 if quirks else 2)


@BothWays
def test_blocks_are_put_in_at_the_start_and_after_a_table(page: Page, quirks: dict[str, Any]) -> None:
    document = Document()
    table = document.add_table(1, 1)
    table.cell(0, 0).text = "only"
    document.add_paragraph("End")
    host = host_alone(page, docx_of(document), quirks)
    first = host.push(operation(0, after="only", ooxml=paragraph("Start"), result=["Start"]), number=1)
    second = host.push(
        operation(2, before="only", after="End", ooxml=paragraph("Behind"), result=["Behind"]), number=2
    )
    assert [first["outcome"], second["outcome"]] == ["applied", "applied"]
    assert host.word.texts() == ["Start", "only", "Behind", "End"]


@BothWays
def test_a_table_is_replaced_whole_and_deleted(page: Page, quirks: dict[str, Any]) -> None:
    def bigger(document: DocumentObject) -> None:
        made = document.add_table(2, 2)
        for row, texts in zip(made.rows, [("a", "b"), ("c", "d")], strict=True):
            for cell, text in zip(row.cells, texts, strict=True):
                cell.text = text

    host = host_alone(page, docx_of(three()), quirks)
    grown = host.push(
        operation(
            3, expect=["a\nb"], before="Second", after="End", ooxml=package(bigger), result=["a\nb\nc\nd"]
        ),
        number=1,
    )
    assert grown["outcome"] == "applied"
    assert host.word.texts() == ["Report", "First", "Second", "a|b|c|d", "End"]
    gone = host.push(operation(3, expect=["a\nb\nc\nd"], before="Second", after="End"), number=2)
    assert gone["outcome"] == "applied"
    assert host.word.texts() == ["Report", "First", "Second", "End"]


def test_two_tables_side_by_side_are_told_apart(page: Page) -> None:
    document = three()
    table = document.add_table(1, 1)
    table.cell(0, 0).text = "twin"
    body = document.element.body
    body.insert(4, table._tbl)
    host = host_alone(page, docx_of(document))
    answer = host.push(operation(4, expect=["twin"], before="a\nb", after="End"))
    assert answer["outcome"] == "applied"
    assert host.word.texts() == TEXTS


def test_a_place_that_the_user_shifted_is_found(page: Page) -> None:
    host = host_alone(page, docx_of(three()))
    host.word.do("(word) => { word.add(-1, 'new'); word.add(0, 'newer'); }")
    answer = host.push(
        operation(
            1,
            expect=["First"],
            before="Report",
            after="Second",
            ooxml=paragraph("Changed"),
            result=["Changed"],
        )
    )
    assert answer["outcome"] == "applied"
    assert host.word.texts() == ["new", "newer", "Report", "Changed", "Second", "a|b", "End"]


def test_a_place_that_could_be_two_is_refused(page: Page) -> None:
    document = Document()
    for _ in range(2):
        for text in ("x", "same", "y"):
            document.add_paragraph(text)
    host = host_alone(page, docx_of(document))
    host.word.do("(word) => word.add(-1, 'shifts all')")
    answer = host.push(operation(1, expect=["same"], before="x", after="y"))
    assert answer["outcome"] == "mismatch"
    assert host.word.do("(word) => word.faults.writes") == 0


def test_what_the_user_changed_is_never_written_over(page: Page) -> None:
    host = host_alone(page, docx_of(three()))
    host.word.do("(word) => word.type(1, 'the user was here')")
    answer = host.push(
        operation(
            1,
            expect=["First"],
            before="Report",
            after="Second",
            ooxml=paragraph("Changed"),
            result=["Changed"],
        )
    )
    assert answer["outcome"] == "mismatch"
    assert "the user was here" in answer["found"]
    assert host.word.do("(word) => word.faults.writes") == 0


@pytest.mark.parametrize("at", [0, 2], ids=["before", "after"])
def test_what_the_user_changed_beside_a_step_does_not_stop_it(page: Page, at: int) -> None:
    host = host_alone(page, docx_of(three()))
    host.word.do("(word, at) => word.type(at, 'the user was here')", at)
    answer = host.push(
        operation(
            1,
            expect=["First"],
            before="Report",
            after="Second",
            ooxml=paragraph("Changed"),
            result=["Changed"],
        )
    )
    assert answer["outcome"] == "applied"
    texts = ["Report", "Changed", "Second", "a|b", "End"]
    texts[at] = "the user was here"
    assert host.word.texts() == texts


def test_a_refusal_of_word_leaves_the_document_as_it_was(page: Page) -> None:
    host = host_alone(page, docx_of(three()))
    host.word.do("(word) => word.failNext('refuses')")
    answer = host.push(
        operation(
            1,
            expect=["First"],
            before="Report",
            after="Second",
            ooxml=paragraph("Changed"),
            result=["Changed"],
        )
    )
    assert answer["outcome"] == "rejected"
    assert "GeneralException" in answer["message"]
    assert host.word.texts() == TEXTS


@BothWays
def test_a_write_that_breaks_off_is_taken_back(page: Page, quirks: dict[str, Any]) -> None:
    host = host_alone(page, docx_of(three()), quirks)
    host.word.do("(word) => word.failNext('refuses-later')")
    answer = host.push(
        operation(2, expect=["Second"], before="First", after="a\nb", ooxml=paragraph("2"), result=["2"]),
        operation(0, expect=["Report"], after="First", ooxml=paragraph("1"), result=["1"]),
    )
    assert answer["outcome"] == "rejected"
    assert host.word.texts() == TEXTS
    assert host.word.do("(word) => word.styleOf(0)") == "Heading1"


def test_an_error_after_the_write_is_not_believed(page: Page) -> None:
    host = host_alone(page, docx_of(three()))
    host.word.do("(word) => word.failNext('applies-and-fails')")
    answer = host.push(
        operation(
            1,
            expect=["First"],
            before="Report",
            after="Second",
            ooxml=paragraph("Changed"),
            result=["Changed"],
        )
    )
    assert answer["outcome"] == "applied"
    assert host.word.texts() == ["Report", "Changed", "Second", "a|b", "End"]


def test_a_write_that_word_never_answers_is_read_back_before_anything_else(page: Page) -> None:
    host = host_alone(page, docx_of(three()))
    page.evaluate("() => { window.host = new window.WordHost(1500); }")
    host.word.do("(word) => word.failNext('hangs')")
    answer = host.push(
        operation(
            1,
            expect=["First"],
            before="Report",
            after="Second",
            ooxml=paragraph("Changed"),
            result=["Changed"],
        )
    )
    assert answer["outcome"] == "applied"
    assert host.word.texts() == ["Report", "Changed", "Second", "a|b", "End"]


def test_a_success_that_did_nothing_is_not_believed(page: Page) -> None:
    host = host_alone(page, docx_of(three()))
    host.word.do("(word) => word.failNext('does-nothing')")
    answer = host.push(
        operation(
            1,
            expect=["First"],
            before="Report",
            after="Second",
            ooxml=paragraph("Changed"),
            result=["Changed"],
        )
    )
    assert answer["outcome"] == "rejected"
    assert host.word.texts() == TEXTS


def test_a_broken_package_is_refused_by_word_and_reported(page: Page) -> None:
    broken = paragraph("Changed").replace("word/document.xml", "word/elsewhere.xml", 1)
    host = host_alone(page, docx_of(three()))
    answer = host.push(
        operation(1, expect=["First"], before="Report", after="Second", ooxml=broken, result=["Changed"])
    )
    assert answer["outcome"] == "rejected"
    assert host.word.texts() == TEXTS


def test_a_write_that_says_something_else_is_put_back_with_its_format(page: Page) -> None:
    host = host_alone(page, docx_of(three()))
    answer = host.push(
        operation(0, expect=["Report"], after="First", ooxml=paragraph("Other"), result=["Wanted"])
    )
    assert answer["outcome"] == "rejected"
    assert host.word.texts() == TEXTS
    assert host.word.do("(word) => word.styleOf(0)") == "Heading1"


@BothWays
@pytest.mark.parametrize("at", [1, 2], ids=["replaced", "beside"])
def test_the_user_typing_at_the_moment_of_the_write_loses_nothing(
    page: Page, quirks: dict[str, Any], at: int
) -> None:
    host = host_alone(page, docx_of(three()), quirks)
    host.word.do("(word, at) => word.typeDuringNextWrite(at, 'typed meanwhile')", at)
    answer = host.push(
        operation(
            1,
            expect=["First"],
            before="Report",
            after="Second",
            ooxml=paragraph("Changed"),
            result=["Changed"],
        )
    )
    texts = list(TEXTS) if at == 1 else ["Report", "Changed", *TEXTS[2:]]
    texts[at] = "typed meanwhile"
    assert answer["outcome"] == ("mismatch" if at == 1 else "applied")
    assert host.word.texts() == texts


def test_several_places_are_put_back_where_they_were(page: Page) -> None:
    host = host_alone(page, docx_of(three()))
    answer = host.push(
        operation(4, expect=["End"], before="a\nb", ooxml=paragraph("Other end"), result=["Wanted end"]),
        operation(2, expect=["Second"], before="First", after="a\nb"),
        operation(0, after="Report", ooxml=paragraph("Top"), result=["Top"]),
    )
    assert answer["outcome"] == "rejected"
    assert host.word.texts() == [*TEXTS, ""]


def test_a_push_that_arrives_twice_is_done_once(page: Page) -> None:
    host = host_alone(page, docx_of(three()))
    inserted = operation(1, before="Report", after="First", ooxml=paragraph("New"), result=["New"])
    assert host.push(inserted, number=7) == host.push(inserted, number=7)
    assert host.word.texts() == ["Report", "New", "First", "Second", "a|b", "End"]


def test_a_push_that_a_reloaded_pane_had_done_is_not_done_again(page: Page) -> None:
    host = host_alone(page, docx_of(three()))
    change = operation(
        1, expect=["First"], before="Report", after="Second", ooxml=paragraph("Changed"), result=["Changed"]
    )
    host.push(change)
    host.word.page.evaluate("() => { window.host = new window.WordHost(); }")
    assert host.push(change)["outcome"] == "applied"
    assert host.word.texts() == ["Report", "Changed", "Second", "a|b", "End"]


@BothWays
def test_the_last_paragraph_of_the_body_may_be_replaced(page: Page, quirks: dict[str, Any]) -> None:
    host = host_alone(page, docx_of(three()), quirks)
    answer = host.push(
        operation(
            4, expect=["End"], before="a\nb", ooxml=paragraph("Last words", "Quote"), result=["Last words"]
        )
    )
    assert answer["outcome"] == "applied"
    assert host.word.texts() == ["Report", "First", "Second", "a|b", "Last words", ""]
    assert "empty paragraph at the end" in answer["message"]
    # The server does not know of that paragraph yet; what it sends next must still find its place.
    again = host.push(
        operation(4, expect=["Last words"], before="a\nb", ooxml=paragraph("End"), result=["End"]), number=2
    )
    assert again["outcome"] == "applied"
    assert host.word.texts() == ["Report", "First", "Second", "a|b", "End", ""]


def test_new_styles_arrive_and_live_styles_stay_as_they_are(page: Page) -> None:
    other = Document()
    other.styles["Quote"].font.bold = True
    other.styles.add_style("House Lead", WD_STYLE_TYPE.PARAGRAPH)

    def both(document: DocumentObject) -> None:
        document.add_paragraph("Quoted", style="Quote")
        document.add_paragraph("Lead", style="House Lead")

    host = host_alone(page, docx_of(three()))
    answer = host.push(
        operation(1, before="Report", after="First", ooxml=package(both, other), result=["Quoted", "Lead"])
    )
    assert answer["outcome"] == "applied"
    now = host.word.document()
    assert now.styles["House Lead"] is not None
    assert not now.styles["Quote"].font.bold
    assert [now.paragraphs[1].style.name, now.paragraphs[2].style.name] == ["Quote", "House Lead"]


def test_a_picture_and_a_list_arrive_whole(page: Page) -> None:
    def rich(document: DocumentObject) -> None:
        document.add_picture(io.BytesIO(png(32)))
        document.add_paragraph("item", style="List Bullet")

    host = host_alone(page, docx_of(three()))
    answer = host.push(operation(1, before="Report", after="First", ooxml=package(rich), result=["", "item"]))
    assert answer["outcome"] == "applied"
    now = host.word.document()
    blip = now.inline_shapes[0]._inline.graphic.graphicData.pic.blipFill.blip
    assert now.part.related_parts[blip.embed or ""].blob == png(32)
    assert now.paragraphs[2].style.name == "List Bullet"


def test_blocks_are_shown_by_selecting_them_and_a_selection_is_named_by_its_blocks(page: Page) -> None:
    host = host_alone(page, docx_of(three()))
    assert host.call("(host) => host.selection()") is None
    assert host.call("(host) => host.showBlock({ id: 't1', index: 3 })") is True
    assert host.word.do("(word) => [word.selection.first, word.selection.last]") == [3, 3]
    assert host.call("(host) => host.showBlock({ id: 'p9', index: 9 })") is False
    host.word.do("(word) => word.select(1, 2)")
    assert host.call("(host) => host.selection()") == {"indexes": [1, 2], "text": "First\rSecond"}


def test_a_content_control_around_several_paragraphs_is_one_block_for_showing(page: Page) -> None:
    document = three()
    control = parse_xml(
        f"<w:sdt {nsdecls('w')}><w:sdtPr/><w:sdtContent><w:p><w:r><w:t>one</w:t></w:r></w:p>"
        "<w:p><w:r><w:t>two</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    )
    document.element.body.insert(1, control)
    host = host_alone(page, docx_of(document))
    assert host.word.texts() == ["Report", "one", "two", *TEXTS[1:]]
    assert host.call("(host) => host.showBlock({ id: 'p2', index: 2 })") is True
    assert host.word.do("(word) => word.selection.first") == 3
    assert host.call("(host) => host.selection()") == {"indexes": [2], "text": "First"}
    host.word.do("(word) => word.select(2, 3)")
    assert host.call("(host) => host.selection()") == {"indexes": [1, 2], "text": "two\rFirst"}


def test_the_host_tells_when_the_user_may_have_typed(page: Page) -> None:
    host = host_alone(page, docx_of(three()))
    host.call("(host) => { window.told = 0; window.stop = host.onEdited(() => { window.told++; }); }")
    host.word.do("(word) => word.type(1, 'typing')")
    page.wait_for_function("() => window.told === 1")
    page.evaluate("() => window.stop()")
    host.call("(host) => host.dispose()")
    assert host.word.do("(word) => word.record.handlers.size") == 0


def test_the_document_is_called_what_its_file_is_called(page: Page) -> None:
    assert host_alone(page, docx_of(three())).call("(host) => host.name") == "Quarterly report.docx"


def test_the_fake_is_strict_about_unloaded_properties_and_pending_edits(page: Page) -> None:
    host = host_alone(page, docx_of(three()))
    said = host.word.page.evaluate(
        """() => Word.run(async (context) => {
            const paragraphs = context.document.body.paragraphs;
            const codes = [];
            const note = (f) => { try { f(); codes.push('no error'); } catch (e) { codes.push(e.code); } };
            note(() => paragraphs.items);
            paragraphs.load('items/text');
            await context.sync();
            note(() => paragraphs.items[0].tableNestingLevel);
            const before = window.fakeWord.texts().length;
            paragraphs.items[1].delete();
            codes.push(window.fakeWord.texts().length === before ? 'unseen' : 'seen');
            await context.sync();
            paragraphs.items[1].delete();
            try { await context.sync(); codes.push('no error'); } catch (e) { codes.push(e.code); }
            return codes;
        })"""
    )
    assert said == ["PropertyNotLoaded", "PropertyNotLoaded", "unseen", "ItemNotFound"]
