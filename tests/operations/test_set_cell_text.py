from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from docx.oxml import parse_xml

from agent.document.grid import Grid, cell_text
from agent.document.mirror import Mirror
from agent.document.names import NSMAP, W_P, W_TBL, W_TC, WP, W
from agent.errors import InvalidTarget, NoOp, OperationError
from agent.operations.specimens import doc, image, table
from tests.corpus import corpus_file, manifest
from tests.operations.trial import attempt

_XMLNS = " ".join(f'xmlns:{p}="{NSMAP[p]}"' for p in ("w", "r"))


def with_cell(xml: str) -> Mirror:
    """A document whose only table has one cell with this content."""
    mirror = Mirror.open(doc(table([["x", "y"]]))())
    tc = next(mirror.body.iter(W_TC))
    for child in list(tc):
        if child.tag == W_P:
            tc.remove(child)
    for child in parse_xml(f"<w:tc {_XMLNS}>{xml}</w:tc>"):
        tc.append(child)
    return Mirror.open(_saved(mirror))


def _saved(mirror: Mirror) -> bytes:
    mirror._dirty.add("/word/document.xml")  # pyright: ignore[reportPrivateUsage]
    return mirror.save()


def first_cell(mirror: Mirror) -> Any:
    return next(mirror.body.iter(W_TC))


def set_first(mirror: Mirror, text: str) -> None:
    attempt(mirror, "set_cell_text", {"target": {"table": 1, "row": 1, "column": 1}, "text": text})


def test_the_new_text_looks_like_the_old_one() -> None:
    mirror = with_cell(
        '<w:p><w:pPr><w:jc w:val="right"/></w:pPr><w:r><w:rPr><w:i/><w:sz w:val="18"/></w:rPr><w:t>9</w:t></w:r>'
        "<w:r><w:t>00</w:t></w:r></w:p>"
    )
    set_first(mirror, "950")
    paragraph = first_cell(mirror).find(W_P)
    assert paragraph.find(f"{W}pPr/{W}jc").get(W + "val") == "right"
    (run,) = paragraph.iter(W + "r")
    assert run.find(f"{W}rPr/{W}i") is not None
    assert run.find(f"{W}rPr/{W}sz").get(W + "val") == "18"


def test_an_empty_cell_takes_the_format_of_its_paragraph_mark() -> None:
    mirror = with_cell("<w:p><w:pPr><w:rPr><w:b/></w:rPr></w:pPr></w:p>")
    set_first(mirror, "950")
    assert first_cell(mirror).find(f"{W_P}/{W}r/{W}rPr/{W}b") is not None


def test_lines_become_paragraphs_of_the_same_format() -> None:
    mirror = with_cell('<w:p><w:pPr><w:jc w:val="center"/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>')
    set_first(mirror, "one\ntwo\n\nfour")
    paragraphs = first_cell(mirror).findall(W_P)
    assert cell_text(first_cell(mirror)) == "one\ntwo\n\nfour"
    assert [p.find(f"{W}pPr/{W}jc").get(W + "val") for p in paragraphs] == ["center"] * 4


def test_further_paragraphs_go_and_their_bookmarks_stay() -> None:
    mirror = with_cell(
        '<w:p><w:r><w:t>a</w:t></w:r></w:p><w:p><w:bookmarkStart w:id="77" w:name="here"/><w:r><w:t>b</w:t></w:r>'
        '<w:bookmarkEnd w:id="77"/></w:p>'
    )
    set_first(mirror, "c")
    assert len(first_cell(mirror).findall(W_P)) == 1
    assert len(list(mirror.body.iter(W + "bookmarkStart"))) == 1


def test_a_field_and_a_link_are_replaced_whole() -> None:
    mirror = with_cell(
        '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> =SUM(ABOVE) </w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>12</w:t></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r><w:fldSimple w:instr="DATE"><w:r><w:t>today</w:t></w:r></w:fldSimple>'
        '<w:hyperlink w:anchor="x"><w:r><w:t>there</w:t></w:r></w:hyperlink></w:p>'
    )
    set_first(mirror, "15")
    cell = first_cell(mirror)
    assert cell_text(cell) == "15"
    assert not list(cell.iter(W + "fldChar", W + "instrText", W + "fldSimple", W + "hyperlink"))
    assert cell.find(f"{W_P}/{W}r/{W}rPr/{W}b") is not None


def test_an_inline_content_control_becomes_plain_text() -> None:
    mirror = with_cell(
        "<w:p><w:sdt><w:sdtPr/><w:sdtContent><w:r><w:t>Name</w:t></w:r></w:sdtContent></w:sdt></w:p>"
    )
    set_first(mirror, "Ada")
    assert cell_text(first_cell(mirror)) == "Ada"


def test_a_picture_in_the_cell_stays() -> None:
    mirror = Mirror.open(doc(table([["x"]]), image())())
    tc = first_cell(mirror)
    tc.append(mirror.body.findall(W_P)[-1])
    mirror = Mirror.open(_saved(mirror))
    attempt(mirror, "set_cell_text", {"target": {"table": 1, "row": 1, "column": 1}, "text": "caption"})
    assert len(list(first_cell(mirror).iter(WP + "inline"))) == 1
    assert cell_text(first_cell(mirror)) == "caption\n"


def test_a_cell_that_holds_a_table_is_refused_and_a_cell_of_that_table_is_not() -> None:
    mirror = Mirror.open(corpus_file("pydocx__nested_table_rowspan.docx").read_bytes())
    outer = next(t for t in mirror.body.iter(W_TBL) if next(t.iterdescendants(W_TBL), None) is not None)
    inner = next(outer.iterdescendants(W_TBL))
    grid = Grid(outer)
    place = next(c for row in grid.cells for c in row if inner.getparent() is c.tc)
    where = {"ids": [mirror.id_of(outer)], "row": place.row + 1, "column": place.column + 1}
    with pytest.raises(InvalidTarget, match="holds a table"):
        attempt(mirror, "set_cell_text", {"target": where, "text": "x"})
    attempt(
        mirror,
        "set_cell_text",
        {"target": {"ids": [mirror.id_of(inner)], "row": 1, "column": 1}, "text": "new"},
    )
    assert cell_text(Grid(inner_of(mirror)).cells[0][0].tc) == "new"


def inner_of(mirror: Mirror) -> Any:
    return next(t for t in mirror.body.iter(W_TBL) if any(a.tag == W_TBL for a in t.iterancestors()))


def test_the_same_text_again_is_no_change() -> None:
    mirror = Mirror.open(doc(table([["x"]]))())
    with pytest.raises(NoOp):
        set_first(mirror, "x")


@pytest.mark.parametrize("path", [row.path for row in manifest()], ids=lambda path: path.name)
def test_every_cell_of_documents_by_others_can_be_set(path: Path) -> None:
    mirror = Mirror.open(path.read_bytes())
    tables = [mirror.id_of(t) for t in mirror.body.iter(W_TBL) if mirror.id_of(t)]
    done = 0
    for table_id in tables:
        grid = Grid(mirror.element(table_id or ""))
        for row in grid.cells[:4]:
            for cell in row[:4]:
                where = {"ids": [table_id], "row": cell.row + 1, "column": cell.column + 1}
                try:
                    attempt(mirror, "set_cell_text", {"target": where, "text": f"new {done}"}, f"{done}")
                    done += 1
                except OperationError as error:
                    if not isinstance(error, NoOp) and "holds a" not in error.message:
                        pytest.fail(error.message)
                if done > 12:
                    return
