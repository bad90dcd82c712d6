"""What hangs on deleted blocks: comments, notes, bookmarks, fields, section breaks, cells, pictures."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import docx
import pytest
from docx.document import Document
from docx.oxml import parse_xml

from agent.document.explain import explain
from agent.document.mirror import Mirror
from agent.document.names import NSMAP, W_VAL, W
from agent.errors import InvalidTarget
from agent.operations.specimens import doc, h, image, p, png, section, table
from tests.corpus import corpus_file
from tests.operations.trial import refused, tried

_W = f'xmlns:w="{NSMAP["w"]}"'


def made(build: Callable[[Document], None]) -> bytes:
    document = docx.Document()
    build(document)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def put(paragraph: Any, xml: str, *, first: bool = False) -> None:
    paragraph._p.insert(0, parse_xml(xml)) if first else paragraph._p.append(parse_xml(xml))


def bookmarked() -> bytes:
    """A bookmark from the first to the second of three paragraphs."""

    def build(d: Document) -> None:
        one, two, _ = d.add_paragraph("One."), d.add_paragraph("Two."), d.add_paragraph("Three.")
        put(one, f'<w:bookmarkStart {_W} w:id="7" w:name="Both"/>', first=True)
        put(two, f'<w:bookmarkEnd {_W} w:id="7"/>')

    return made(build)


def field_over(count: int) -> bytes:
    """A contents field that runs over so many paragraphs, between two others."""

    def build(d: Document) -> None:
        d.add_paragraph("Before.")
        entries = [d.add_paragraph(f"Entry {i}") for i in range(count)]
        mark = '<w:r {w}><w:fldChar w:fldCharType="{kind}"/></w:r>'
        code = f'<w:r {_W}><w:instrText xml:space="preserve"> TOC \\o "1-3" </w:instrText></w:r>'
        for i, xml in enumerate([mark.format(w=_W, kind="begin"), code, mark.format(w=_W, kind="separate")]):
            entries[0]._p.insert(i, parse_xml(xml))
        put(entries[-1], mark.format(w=_W, kind="end"))
        d.add_paragraph("After.")

    return made(build)


def texts(mirror: Mirror) -> list[str]:
    return [p.text for p in mirror.document.paragraphs]


def test_a_comment_goes_with_the_paragraph_that_it_is_about_and_the_part_with_the_last_comment() -> None:
    def build(d: Document) -> None:
        d.add_paragraph("Keep.")
        run = d.add_paragraph().add_run("Go.")
        d.add_comment(run, text="Why?", author="Ann", initials="A")

    mirror, execution = tried(made(build), "delete_blocks", {"target": {"text": "Go."}})
    assert texts(mirror) == ["Keep."]
    assert mirror.part("/word/comments.xml") is None
    assert "a comment 'Why?' was removed" in explain(execution.changes)


def test_a_comment_that_is_also_about_other_text_stays_on_that() -> None:
    def build(d: Document) -> None:
        one, two = d.add_paragraph().add_run("One."), d.add_paragraph().add_run("Two.")
        d.add_paragraph("Three.")
        d.add_comment([one, two], text="Both", author="Ann", initials="A")

    mirror, _ = tried(made(build), "delete_blocks", {"target": {"text": "Two."}})
    first = mirror.document.paragraphs[0]._p
    found = [
        e.tag for e in first.iter(W + "commentRangeStart", W + "commentRangeEnd", W + "commentReference")
    ]
    assert found == [W + "commentRangeStart", W + "commentRangeEnd", W + "commentReference"]
    assert mirror.part("/word/comments.xml") is not None


@pytest.mark.parametrize("gone", ["One.", "Two."])
def test_a_bookmark_stays_on_the_half_that_is_left(gone: str) -> None:
    mirror, _ = tried(bookmarked(), "delete_blocks", {"target": {"text": gone}})
    left = next(q for q in mirror.document.paragraphs if q.text in ("One.", "Two."))._p
    assert [e.tag for e in left.iter(W + "bookmarkStart", W + "bookmarkEnd")] == [
        W + "bookmarkStart",
        W + "bookmarkEnd",
    ]


def test_a_bookmark_goes_with_all_of_its_text() -> None:
    mirror, _ = tried(bookmarked(), "delete_blocks", {"target": {"ids": ["p1", "p2"]}})
    assert not list(mirror.body.iter(W + "bookmarkStart", W + "bookmarkEnd"))


def test_a_footnote_goes_with_its_reference() -> None:
    data = corpus_file("mammoth__footnote-hyperlink.docx").read_bytes()
    before = Mirror.open(data)
    reference = next(before.body.iter(W + "footnoteReference"))
    block, note = before.block_of(reference), reference.get(W + "id")
    mirror, _ = tried(data, "delete_blocks", {"target": {"ids": [block]}})
    part: Any = mirror.part("/word/footnotes.xml")
    assert note not in [n.get(W + "id") for n in part.element]
    assert not any("hyperlink" in r.reltype for r in part.rels.values()), "the note's link is unused"


def test_a_picture_takes_its_file_along_unless_another_shows_it_too() -> None:
    two = doc(image("a"), p("Text."), image("b"))()
    mirror, _ = tried(two, "delete_blocks", {"target": {"picture": 1}})
    assert [n for n in mirror.file.parts if "/media/" in n], "the second picture is the same file"
    one = doc(image("a"), p("Text."))()
    mirror, _ = tried(one, "delete_blocks", {"target": {"picture": 1}})
    assert not [n for n in mirror.file.parts if "/media/" in n]


def test_a_picture_beside_words_goes_without_them() -> None:
    def build(d: Document) -> None:
        d.add_paragraph("See here: ")
        d.paragraphs[0].add_run().add_picture(io.BytesIO(png()))
        d.paragraphs[0].add_run(" our office.")

    mirror, execution = tried(made(build), "delete_blocks", {"target": {"picture": 1}})
    assert texts(mirror) == ["See here:  our office."]
    assert not [n for n in mirror.file.parts if "/media/" in n]
    assert explain(execution.changes).startswith("A picture was removed from paragraph")


def test_part_of_a_contents_table_is_refused_by_name() -> None:
    error = refused(field_over(3), "delete_blocks", {"target": {"text": "Entry 0"}}, InvalidTarget)
    assert "table of contents" in error
    assert "p2 to p4" in error


def test_an_entry_in_the_middle_and_the_whole_contents_table_can_go() -> None:
    mirror, _ = tried(field_over(3), "delete_blocks", {"target": {"text": "Entry 1"}})
    assert texts(mirror) == ["Before.", "Entry 0", "Entry 2", "After."]
    mirror, _ = tried(field_over(3), "delete_blocks", {"target": {"ids": ["p2", "p3", "p4"]}})
    assert texts(mirror) == ["Before.", "After."]


def test_a_section_break_moves_to_the_paragraph_before() -> None:
    data = doc(p("One."), p("Two."), section(landscape=True), p("Three."))()
    broken = next(i for i, q in enumerate(docx.Document(io.BytesIO(data)).paragraphs) if _breaks(q))
    before = Mirror.open(data)
    mirror, _ = tried(data, "delete_blocks", {"target": {"ids": [before.body_blocks()[broken]]}})
    assert [_breaks(q) for q in mirror.document.paragraphs].index(True) == broken - 1
    assert len(mirror.document.sections) == 2


def test_a_section_of_which_nothing_is_left_hands_its_header_on() -> None:
    def build(d: Document) -> None:
        d.add_paragraph("One.")
        d.sections[0].header.paragraphs[0].add_run("Shown everywhere")
        d.add_section()
        d.add_paragraph("Two.")

    data = made(build)
    mirror, _ = tried(data, "delete_blocks", {"target": {"ids": Mirror.open(data).body_blocks()[:2]}})
    assert texts(mirror) == ["Two."]
    assert [s.header.paragraphs[0].text for s in mirror.document.sections] == ["Shown everywhere"]


def _breaks(paragraph: Any) -> bool:
    return paragraph._p.find(f"{W}pPr/{W}sectPr") is not None


def test_tables_are_kept_apart() -> None:
    data = doc(table([["a"]]), p("Between."), table([["b"]]), p("End."))()
    mirror, _ = tried(data, "delete_blocks", {"target": {"text": "Between."}})
    assert [e.tag.rpartition("}")[2] for e in mirror.body][:3] == ["tbl", "p", "tbl"]


def test_a_document_is_never_left_without_a_paragraph() -> None:
    mirror, _ = tried(doc(h(1, "Only"), p("this."))(), "delete_blocks", {"target": {"where": "document"}})
    assert texts(mirror) == [""]


def test_the_last_paragraph_behind_a_table_is_emptied() -> None:
    mirror, _ = tried(doc(table([["a"]]), p("End."))(), "delete_blocks", {"target": {"text": "End."}})
    assert texts(mirror) == [""]


def test_one_of_two_paragraphs_of_a_cell_goes() -> None:
    def build(d: Document) -> None:
        cell = d.add_table(1, 1).cell(0, 0)
        cell.paragraphs[0].add_run("One.")
        cell.add_paragraph("Two.")

    mirror, _ = tried(made(build), "delete_blocks", {"target": {"text": "One."}})
    assert mirror.document.tables[0].cell(0, 0).text == "Two."


def test_numbered_items_that_stay_keep_their_list() -> None:
    data = corpus_file("docx-parse-eval__docx_lists.docx").read_bytes()
    before = Mirror.open(data)
    items = [b for b in before.body_blocks() if before.element(b).find(f"{W}pPr/{W}numPr") is not None]
    mirror, _ = tried(data, "delete_blocks", {"target": {"ids": items[1:2]}})
    for block in (items[0], items[2]):
        now, was = (m.element(block).find(f"{W}pPr/{W}numPr/{W}numId").get(W_VAL) for m in (mirror, before))
        assert now == was


def test_a_caption_that_is_left_is_told() -> None:
    def build(d: Document) -> None:
        d.add_picture(io.BytesIO(png()))
        d.add_paragraph("Figure 1: Our office", style="Caption")

    _, execution = tried(made(build), "delete_blocks", {"target": {"picture": 1}})
    assert execution.warnings == ("The caption 'Figure 1: Our office' is still there.",)
    _, execution = tried(made(build), "delete_blocks", {"target": {"where": "document"}})
    assert execution.warnings == ()


def test_references_to_what_is_deleted_are_told() -> None:
    def build(d: Document) -> None:
        heading = d.add_heading("Costs", 1)
        put(heading, f'<w:bookmarkStart {_W} w:id="3" w:name="_Ref9"/>')
        put(heading, f'<w:bookmarkEnd {_W} w:id="3"/>')
        code = ' <w:fldSimple {} w:instr=" REF _Ref9 \\h "><w:r><w:t>Costs</w:t></w:r></w:fldSimple>'
        put(d.add_paragraph("See "), code.format(_W).strip())
        d.add_paragraph("The end.")

    _, execution = tried(made(build), "delete_blocks", {"target": {"heading": "Costs"}})
    assert execution.warnings == ("'See Costs' refers to what was deleted.",)
    _, execution = tried(made(build), "delete_blocks", {"target": {"text": "The end."}})
    assert execution.warnings == ()
