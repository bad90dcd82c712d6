from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.oxml import parse_xml

from agent.document import text as texts
from agent.document.mirror import Mirror
from agent.document.names import NSMAP, W_P, W_SECTPR, WP, W
from agent.document.sections import content, has_title_page, owner, sections_of
from agent.errors import NoOp
from agent.operations.specimens import doc, footer, header, p, png, section
from tests.corpus import corpus_file, manifest
from tests.operations.trial import attempt

_XMLNS = " ".join(f'xmlns:{prefix}="{NSMAP[prefix]}"' for prefix in ("w", "r"))
PAGE = (
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r>'
    '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
)

CELL = "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid><w:tr><w:tc><w:tcPr/><w:p>{}</w:p></w:tc></w:tr></w:tbl>"


def with_header(xml: str) -> Mirror:
    """A document whose header has these blocks."""
    document = docx.Document()
    document.add_paragraph("Body.")
    root = document.sections[0].header.part.element
    for child in list(root):
        root.remove(child)
    for child in parse_xml(f"<w:hdr {_XMLNS}>{xml}</w:hdr>"):
        root.append(child)
    buffer = io.BytesIO()
    document.save(buffer)
    return Mirror.open(buffer.getvalue())


def with_logo() -> Mirror:
    document = docx.Document()
    document.add_paragraph("Body.")
    paragraph = document.sections[0].header.paragraphs[0]
    paragraph.add_run("Acme Inc ")
    paragraph.add_run().add_picture(io.BytesIO(png()))
    buffer = io.BytesIO()
    document.save(buffer)
    return Mirror.open(buffer.getvalue())


def lines(mirror: Mirror, number: int = 1, kind: Any = "default", story: Any = "header") -> list[str]:
    root = content(mirror, sections_of(mirror)[number - 1], story, kind)
    return [texts.text_of(q) for q in root.iter(W_P)] if root is not None else []


def test_a_picture_stays_when_the_text_beside_it_is_replaced() -> None:
    mirror = with_logo()
    attempt(mirror, "set_header", {"text": "Globex"})
    assert lines(mirror) == ["Globex"]
    root = content(mirror, sections_of(mirror)[0], "header", "default")
    assert len(list(root.iter(WP + "inline"))) == 1


def test_the_page_number_stays_and_is_told() -> None:
    page = f"<w:p><w:r><w:t xml:space='preserve'>Page </w:t></w:r>{PAGE}</w:p>"
    mirror = with_header(f"<w:p><w:r><w:t>Acme</w:t></w:r></w:p>{page}")
    done = attempt(mirror, "set_header", {"text": "Globex\nSecond line"})
    assert lines(mirror) == ["Globex", "Second line", "Page 1"]
    assert any("'Page 1' stayed" in w for w in done.warnings)


def test_a_header_with_nothing_but_a_page_number_gets_its_text_in_front() -> None:
    mirror = with_header(f"<w:p>{PAGE}</w:p>")
    attempt(mirror, "set_header", {"text": "Globex"})
    assert lines(mirror) == ["Globex", "1"]


def test_a_table_in_the_header_goes_with_the_text_and_one_with_a_field_stays() -> None:
    mirror = with_header(CELL.format("<w:r><w:t>Old</w:t></w:r>") + CELL.format(PAGE) + "<w:p/>")
    attempt(mirror, "set_header", {"text": "Globex"})
    assert lines(mirror) == ["1", "Globex"]


def test_formats_of_the_old_text_are_those_of_the_new() -> None:
    mirror = with_header(
        '<w:p><w:pPr><w:jc w:val="right"/></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t>Acme</w:t></w:r></w:p>'
    )
    attempt(mirror, "set_header", {"text": "One\tTwo\nThree"})
    root = content(mirror, sections_of(mirror)[0], "header", "default")
    assert lines(mirror) == ["One\tTwo", "Three"]
    assert all(r.find(f"{W}rPr/{W}b") is not None for r in root.iter(W + "r"))
    assert [q.find(f"{W}pPr/{W}jc").get(W + "val") for q in root.iter(W_P)] == ["right", "right"]


def test_a_section_that_takes_its_header_over_changes_the_one_that_has_it() -> None:
    mirror = Mirror.open(doc(header("All"), p("One."), section(), p("Two."))())
    attempt(mirror, "set_header", {"text": "New", "target": {"text": "Two."}})
    assert lines(mirror, 1) == ["New"]
    assert content(mirror, sections_of(mirror)[1], "header", "default") is None
    shown = owner(mirror, sections_of(mirror)[1], "header", "default")
    assert shown is not None
    assert shown.number == 1


def test_a_section_with_a_header_of_its_own_changes_alone() -> None:
    document = docx.Document(io.BytesIO(doc(header("First"), p("One."), section(), p("Two."))()))
    document.sections[1].header.is_linked_to_previous = False
    document.sections[1].header.paragraphs[0].add_run("Second")
    buffer = io.BytesIO()
    document.save(buffer)
    mirror = Mirror.open(buffer.getvalue())
    attempt(mirror, "set_header", {"text": "New", "target": {"text": "Two."}})
    assert (lines(mirror, 1), lines(mirror, 2)) == (["First"], ["New"])
    attempt(mirror, "set_header", {"text": "Both"}, key="10")
    assert (lines(mirror, 1), lines(mirror, 2)) == (["Both"], ["Both"])


def test_the_first_page_gets_a_header_of_its_own_in_the_first_section_only() -> None:
    mirror = Mirror.open(doc(header("All"), footer("Foot"), p("One."), section(), p("Two."))())
    done = attempt(mirror, "set_header", {"text": "Welcome", "kind": "first"})
    assert [has_title_page(s) for s in sections_of(mirror)] == [True, False]
    assert (lines(mirror, 1), lines(mirror, 1, "first")) == (["All"], ["Welcome"])
    assert done.warnings == (
        "The first page no longer shows the footer of the other pages; it has an empty one of its own.",
    )
    again = attempt(mirror, "set_header", {"text": "Changed"}, key="10")
    assert again.warnings == ("The first page has a header of its own, which stayed as it was.",)


def test_even_pages_are_switched_on_once() -> None:
    mirror = Mirror.open(doc(p("One."))())
    attempt(mirror, "set_footer", {"text": "Left", "kind": "even"})
    attempt(mirror, "set_footer", {"text": "Left page", "kind": "even"}, key="10")
    settings = mirror.document.settings.element
    assert len(settings.findall(W + "evenAndOddHeaders")) == 1
    assert lines(mirror, 1, "even", "footer") == ["Left page"]


def test_a_body_without_page_layout_gets_one() -> None:
    mirror = Mirror.open(doc(p("One."))())
    mirror.body.remove(mirror.body.find(W_SECTPR))
    mirror._dirty.add("/word/document.xml")  # pyright: ignore[reportPrivateUsage]
    mirror = Mirror.open(mirror.save())
    attempt(mirror, "set_header", {"text": "New"})
    assert lines(mirror) == ["New"]


def test_the_same_text_again_is_no_change() -> None:
    mirror = Mirror.open(doc(header("All"), p("One."))())
    with pytest.raises(NoOp):
        attempt(mirror, "set_header", {"text": "All"})
    with pytest.raises(NoOp):
        attempt(Mirror.open(doc(p("One."))()), "set_header", {"text": ""})


def test_a_new_header_can_be_taken_back_and_made_again_with_the_edits_after_it() -> None:
    mirror = Mirror.open(doc(p("One."))())
    first = attempt(mirror, "set_header", {"text": "Draft"}, key="1")
    second = attempt(mirror, "set_header", {"text": "Final"}, key="2")
    mirror.apply(second.delta.inverse())
    mirror.apply(first.delta.inverse())
    assert lines(mirror) == []
    mirror.apply(first.delta)
    mirror.apply(second.delta)
    assert lines(mirror) == ["Final"]


def test_python_docx_reads_the_result() -> None:
    mirror = Mirror.open(corpus_file("python-docx__sct-first-page-hdrftr.docx").read_bytes())
    attempt(mirror, "set_footer", {"text": "Acme Inc", "alignment": "center"})
    document = docx.Document(io.BytesIO(mirror.save()))
    assert "Acme Inc" in [q.text for q in document.sections[0].footer.paragraphs]


@pytest.mark.parametrize("path", [row.path for row in manifest()], ids=lambda path: path.name)
@pytest.mark.parametrize("kind", ["default", "first", "even"])
def test_documents_by_others_take_headers_and_footers(path: Path, kind: str) -> None:
    mirror = Mirror.open(path.read_bytes())
    attempt(mirror, "set_header", {"text": "New header", "kind": kind}, key="1")
    attempt(
        mirror,
        "set_footer",
        {"text": "New footer", "kind": kind, "mode": "append", "alignment": "right"},
        key="2",
    )
    if path.suffix == ".docx" and "strict" not in path.name:
        assert docx.Document(io.BytesIO(mirror.save())).sections


def test_a_bookmark_over_two_lines_keeps_both_its_ends() -> None:
    mirror = with_header(
        '<w:p><w:r><w:t>One</w:t></w:r></w:p><w:p><w:bookmarkStart w:id="91" w:name="here"/><w:r><w:t>Two</w:t></w:r></w:p>'
        f'<w:p>{PAGE}<w:bookmarkEnd w:id="91"/></w:p>'
    )
    attempt(mirror, "set_header", {"text": "New"})
    root = content(mirror, sections_of(mirror)[0], "header", "default")
    assert lines(mirror) == ["New", "1"]
    assert len(list(root.iter(W + "bookmarkStart", W + "bookmarkEnd"))) == 2


def test_a_header_that_is_only_a_table_can_be_emptied() -> None:
    mirror = with_header(CELL.format("<w:r><w:t>Old</w:t></w:r>") + "<w:p/>")
    attempt(mirror, "set_header", {"text": ""})
    assert lines(mirror) == [""]
