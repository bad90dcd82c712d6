"""Opening, saving, transactions, ids: the mirror on documents by others."""

from __future__ import annotations

import copy
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.oxml import OxmlElement

from agent.document.mirror import Mirror
from agent.document.names import W_P, W_TBL, W
from agent.document.records import Table, record_of
from agent.errors import DocumentError, RevisionMismatch
from agent.operations.specimens import bullets, doc, h, header, image, link, p, png, table, title
from tests.corpus import corpus_file, corpus_files
from tests.support.documents import canonical, different, members

SAMPLE = doc(
    title("Report"),
    h(1, "Scope"),
    p("Revenue grew by ten percent."),
    bullets("one", "two"),
    table([["Name", "Amount"], ["Rent", "900"]]),
    link("See ", "the site", "https://example.com/", "."),
    image("a logo"),
    header("Confidential"),
)
CORPUS = list(corpus_files())


def opened(path: Path) -> Mirror:
    try:
        return Mirror.open(path.read_bytes(), path.name)
    except DocumentError as error:
        pytest.skip(f"refused: {error.message}")


@pytest.mark.parametrize("path", CORPUS, ids=lambda p: p.name)
def test_an_untouched_document_is_saved_byte_for_byte(path: Path) -> None:
    mirror = opened(path)
    assert different(members(mirror.save()), members(path.read_bytes())) == set()


@pytest.mark.parametrize("path", CORPUS, ids=lambda p: p.name)
def test_an_edit_of_one_block_changes_the_document_part_only_and_is_taken_back_exactly(path: Path) -> None:
    mirror = opened(path)
    before = canonical(mirror)
    paragraphs = [b for b in mirror.body_blocks() if mirror.element(b).tag == W_P]
    if not paragraphs:
        pytest.skip("no paragraph of its own in the body")
    others = {b: _xml(mirror, b) for b in mirror.body_blocks() if b != paragraphs[-1]}
    with mirror.edit("1") as editor:
        editor.replace_text(mirror.element(paragraphs[-1]), 0, 0, "Stet ")
    main = str(mirror.file.document_part.partname).lstrip("/")
    assert different(members(mirror.save()), members(path.read_bytes())) == {main}
    assert {b: _xml(mirror, b) for b in mirror.body_blocks() if b != paragraphs[-1]} == others
    mirror.apply(editor.delta.inverse())
    assert canonical(mirror) == before


@pytest.mark.parametrize("path", CORPUS, ids=lambda p: p.name)
def test_every_block_of_a_document_can_be_removed_and_comes_back(path: Path) -> None:
    mirror = opened(path)
    before, blocks = canonical(mirror), mirror.body_blocks()
    with mirror.edit("1") as editor:
        for block in blocks[::2]:
            editor.remove(mirror.element(block))
    mirror.apply(editor.delta.inverse())
    assert mirror.body_blocks() == blocks
    assert canonical(mirror) == before


def test_an_exception_in_a_transaction_takes_everything_back() -> None:
    mirror = Mirror.open(SAMPLE())
    before = canonical(mirror)
    with pytest.raises(ZeroDivisionError), mirror.edit("1") as editor:  # noqa: PT012
        editor.new_list("bullet")
        editor.remove(mirror.element("t1"))
        editor.ensure_style("Caption")
        mirror.document.add_picture(io.BytesIO(png(colour=(1, 2, 3))))
        mirror.document.sections[0].footer.paragraphs[0].text = "new footer part"
        raise ZeroDivisionError
    assert canonical(mirror) == before


def edit_runs(m: Mirror) -> None:
    m.document.paragraphs[2].runs[0].bold = True


def edit_style(m: Mirror) -> None:
    m.document.styles["Heading 1"].font.size = 200_000


def edit_cell(m: Mirror) -> None:
    m.document.tables[0].cell(1, 1).text = "1,000"


def add_row(m: Mirror) -> None:
    m.document.tables[0].add_row()


def merge(m: Mirror) -> None:
    m.document.tables[0].cell(0, 0).merge(m.document.tables[0].cell(1, 1))


def add_picture(m: Mirror) -> None:
    m.document.add_picture(io.BytesIO(png(colour=(9, 9, 9))))


def add_section(m: Mirror) -> None:
    m.document.add_section().left_margin = 1_000_000


def edit_header(m: Mirror) -> None:
    m.document.sections[0].header.paragraphs[0].text = "Public"


def first_footer(m: Mirror) -> None:
    m.document.sections[0].different_first_page_header_footer = True
    m.document.sections[0].first_page_footer.paragraphs[0].text = "first"


def add_comment(m: Mirror) -> None:
    m.document.add_comment(m.document.paragraphs[2].runs, "Sure?", "Ann", "A")


def edit_properties(m: Mirror) -> None:
    m.document.core_properties.title = "Annual report"


def move_raw(m: Mirror) -> None:
    m.body.append(m.element("p1"))
    m.body.append(m.body[0])


def replace_raw(m: Mirror) -> None:
    m.body.replace(m.element("t1"), copy.deepcopy(m.element("p1")))


def slice_raw(m: Mirror) -> None:
    m.body[1:3] = [OxmlElement("w:p")]


def attributes_raw(m: Mirror) -> None:
    m.element("p2").attrib[W + "rsidR"] = "00AA00AA"
    m.element("t1").attrib.update({W + "x": "1"})
    m.file.document_part.element.set(
        "{http://schemas.openxmlformats.org/markup-compatibility/2006}Ignorable", "w14"
    )


def clear_raw(m: Mirror) -> None:
    m.element("p3").clear()
    m.element("t1").clear()


def drop_picture(m: Mirror) -> None:
    paragraph = next(b for b in m.body_blocks() if m.element(b).findall(f".//{W}drawing"))
    m.body.remove(m.element(paragraph))
    rid = next(r for r, rel in m.file.document_part.rels.items() if rel.reltype.endswith("/image"))
    del m.file.document_part.rels[rid]


@pytest.mark.parametrize(
    "edit",
    [
        edit_runs, edit_style, edit_cell, add_row, merge, add_picture, add_section, edit_header, first_footer,
        add_comment, edit_properties, move_raw, replace_raw, slice_raw, attributes_raw, clear_raw, drop_picture,
    ],
)  # fmt: skip
def test_edits_through_python_docx_and_lxml_are_seen_and_invert(edit: Callable[[Mirror], None]) -> None:
    mirror = Mirror.open(SAMPLE())
    before, blocks = canonical(mirror), mirror.body_blocks()
    with mirror.edit("1") as editor:
        edit(mirror)
    after, blocks_after = canonical(mirror), mirror.body_blocks()
    assert after != before
    mirror.apply(editor.delta.inverse())
    assert canonical(mirror) == before
    assert mirror.body_blocks() == blocks
    mirror.apply(editor.delta)
    assert canonical(mirror) == after
    assert mirror.body_blocks() == blocks_after


def test_ids_stay_with_their_blocks_when_others_come_and_go() -> None:
    mirror = Mirror.open(SAMPLE())
    revenue = mirror.element("p3")
    with mirror.edit("1") as editor:
        editor.insert_before(mirror.element("p1"), editor.new_paragraph("new"))
        editor.remove(mirror.element("p2"))
    assert mirror.id_of(revenue) == "p3"
    assert mirror.body_blocks()[:3] == ["p1.1", "p1", "p3"]
    mirror.apply(editor.delta.inverse())
    assert mirror.body_blocks()[:3] == ["p1", "p2", "p3"]


def test_the_same_step_makes_the_same_ids_again() -> None:
    mirror = Mirror.open(SAMPLE())
    made: list[tuple[str, ...]] = []
    for _ in range(2):
        with mirror.edit("7") as editor:
            mirror.document.add_table(2, 2)
            editor.append_to_body(editor.new_paragraph("x"))
        made.append(editor.delta.touched().added)
        mirror.apply(editor.delta.inverse())
    assert made[0] == made[1]
    assert all("7." in block for block in made[0])


def test_paragraphs_in_cells_keep_their_ids_through_undo() -> None:
    mirror = Mirror.open(SAMPLE())
    before = record_of(mirror, "t1")
    with mirror.edit("1") as editor:
        mirror.document.tables[0].add_row()
    assert isinstance(before, Table)
    mirror.apply(editor.delta.inverse())
    assert record_of(mirror, "t1") == before


def test_a_delta_that_does_not_fit_is_refused_whole() -> None:
    mirror = Mirror.open(SAMPLE())
    with mirror.edit("1") as editor:
        editor.remove(mirror.element("p2"))
        editor.remove(mirror.element("p3"))
    after = canonical(mirror)
    with pytest.raises(RevisionMismatch):
        mirror.apply(editor.delta)
    assert canonical(mirror) == after


def test_a_record_read_after_an_edit_is_the_record_of_a_fresh_opening() -> None:
    mirror = Mirror.open(SAMPLE())
    for block in mirror.body_blocks():
        record_of(mirror, block)
    with mirror.edit("1"):
        mirror.document.tables[0].cell(1, 1).paragraphs[0].runs[0].text = "1,000"
        edit_runs(mirror)
    fresh = Mirror.open(mirror.save())
    assert [record_of(mirror, b) for b in mirror.body_blocks()] == [
        record_of(fresh, b) for b in fresh.body_blocks()
    ]


def test_nested_tables_and_controls_have_ids_inside() -> None:
    document = docx.Document()
    outer = document.add_table(1, 1)
    outer.cell(0, 0).add_table(1, 1).cell(0, 0).text = "deep"
    buffer = io.BytesIO()
    document.save(buffer)
    mirror = Mirror.open(buffer.getvalue())
    deep = next(e for e in mirror.body.iter(W_P) if "deep" in "".join(e.itertext()))
    assert mirror.id_of(deep) is not None
    assert mirror.block_of(deep) == mirror.id_of(next(mirror.body.iter(W_TBL)))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "empty"),
        (b"%PDF-1.7 ...", "PDF"),
        (b"{\\rtf1 ...", "Rich Text"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "encrypted"),
        (b"hello", "not a zip"),
        (b"PK\x03\x04broken", "zip"),
    ],
)
def test_what_is_no_docx_is_refused_with_a_sentence(data: bytes, says: str) -> None:
    with pytest.raises(DocumentError, match=says):
        Mirror.open(data)


def _xml(mirror: Mirror, block: str) -> Any:
    from lxml import etree

    return etree.tostring(mirror.element(block), method="c14n")


def test_a_new_relationships_part_has_a_content_type_where_none_is_said_for_all() -> None:
    mirror = Mirror.open(corpus_file("pydocx__nested_table_rowspan.docx").read_bytes())
    before = canonical(mirror)
    with mirror.edit("1") as editor:
        header = mirror.document.sections[0].header
        header.is_linked_to_previous = False
        header.paragraphs[0].add_run().add_picture(io.BytesIO(png()))
    saved = members(mirror.save())
    new = next(name for name in saved if name.startswith("word/_rels/header"))
    assert f'PartName="/{new}"'.encode() in saved["[Content_Types].xml"]
    mirror.apply(editor.delta.inverse())
    assert canonical(mirror) == before
