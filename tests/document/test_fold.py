"""A newer file of the same document, folded into the mirror: what was edited elsewhere and nothing more."""

from __future__ import annotations

import copy
import io
import random
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pytest
from docx.opc.part import XmlPart
from docx.oxml import OxmlElement, parse_xml
from docx.shared import Pt
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from agent.document.fold import fold
from agent.document.mirror import Mirror
from agent.document.names import W
from agent.document.text import text_of
from agent.history import History, Rebuilt
from agent.operations.catalogue import catalogue
from agent.operations.execution import execute
from agent.operations.specimens import (
    bullets,
    doc,
    footer,
    h,
    header,
    image,
    link,
    numbered,
    p,
    png,
    table,
    title,
)
from agent.steps import Call
from tests.corpus import corpus_file
from tests.support.documents import canonical, differing, says
from tests.support.user_edits import EDITS, SPACE, Edit, add_column, edited, noisy

REPORT = doc(
    header("Acme Confidential"),
    footer("Version 1"),
    title("Report"),
    h(1, "Scope"),
    p("Revenue grew by ", ("5 percent", {"bold": True}), " in Acme, as the board had hoped."),
    p("Costs fell because the offices were closed for most of the winter."),
    bullets("apples", "pears"),
    table([["Name", "Amount"], ["Rent", "900"], ["Food", "120"]]),
    h(1, "Plan"),
    link("See ", "our website", "https://example.com/", " for more."),
    image("a logo"),
    numbered("first", "second"),
)
FILES = (
    "python-docx__comments-rich-para.docx",
    "docx-parse-eval__textbox.docx",
    "mammoth__footnote-hyperlink.docx",
    "docx-revisions__OXML_TrackChanges_Test.docx",
    "pydocx__nested_table_rowspan.docx",
    "docx2html__header_footer_problem.docx",
    "docx-plus__sample-1.docx",
    "python-docx-ng__frm-form-fields.docx",
    "python-docx__having-images.docx",
    "pydocx__list_in_table.docx",
    "docx-parse-eval__docx_lists.docx",
)


@lru_cache(maxsize=64)
def data_of(name: str) -> bytes:
    return REPORT() if name == "report" else corpus_file(name).read_bytes()


@pytest.mark.parametrize("name", ["report", *FILES])
def test_a_file_that_nobody_changed_changes_nothing(name: str) -> None:
    mirror = Mirror.open(data_of(name))
    saved = mirror.save()
    assert not fold(mirror, saved).delta
    assert not fold(mirror, edited(saved)).delta
    assert not fold(mirror, edited(saved, noisy)).delta
    assert mirror.save() == saved


# -- single edits ------------------------------------------------------------------------------------------------------


def typed(document: Any) -> None:
    run = next(r for r in document.paragraphs[2].runs if "in Acme" in r.text)
    run.text = run.text.replace("in Acme", "nicely in Acme")


def test_what_was_typed_is_typed_into_the_same_paragraph_and_its_other_runs_stay() -> None:
    mirror = Mirror.open(REPORT())
    block = mirror.body_blocks()[2]
    runs = [r for r in mirror.element(block) if r.tag == W + "r"]
    editor = fold(mirror, edited(REPORT(), typed, noisy))
    assert editor.delta.touched().changed == (block,)
    assert len(editor.delta.edits) == 1
    assert (
        text_of(mirror.element(block)) == "Revenue grew by 5 percent nicely in Acme, as the board had hoped."
    )
    assert [r for r in mirror.element(block) if r in runs] == runs
    assert [c.explain() for c in editor.changes()]


def test_a_format_is_a_change_of_properties() -> None:
    mirror = Mirror.open(REPORT())
    block = mirror.body_blocks()[2]
    first = mirror.element(block).find(W + "r")
    fold(mirror, edited(REPORT(), lambda d: setattr(d.paragraphs[2].runs[1].font, "size", Pt(30)), noisy))
    assert mirror.element(block).find(W + "r") is first
    assert [r.font.size for r in mirror.document.paragraphs[2].runs] == [None, Pt(30), None]


def test_a_space_at_the_edge_that_word_did_not_show_is_typed_when_it_does() -> None:
    data = doc(p("Status: open"))()
    hidden = edited(data, lambda d: setattr(d.paragraphs[0]._p.find(f"{W}r/{W}t"), "text", "Status: "))
    shown = edited(hidden, lambda d: d.paragraphs[0]._p.find(f"{W}r/{W}t").set(SPACE, "preserve"))
    mirror = Mirror.open(hidden)
    assert text_of(mirror.document.paragraphs[0]._p) == "Status:"
    assert not fold(mirror, edited(hidden, noisy)).delta
    assert fold(mirror, shown).delta
    assert text_of(mirror.document.paragraphs[0]._p) == "Status: "


def test_moved_blocks_are_the_blocks_that_they_were() -> None:
    def swap(document: Any) -> None:
        body = document.element.body
        body.insert(0, document.paragraphs[3]._p)
        body.insert(3, document.tables[0]._tbl)
        body.insert(5, next(q for q in document.paragraphs if q.text == "Plan")._p)

    mirror = Mirror.open(REPORT())
    before = mirror.body_blocks()
    editor = fold(mirror, edited(REPORT(), swap, noisy))
    assert sorted(mirror.body_blocks()) == sorted(before)
    assert mirror.body_blocks()[0] == before[3]
    table_, plan = next(b for b in before if b.startswith("t")), mirror.body_blocks()[5]
    assert text_of(mirror.element(plan)) == "Plan"
    assert set(editor.delta.touched().moved) == {before[3], table_, plan}


def test_cells_keep_their_ids_when_rows_and_columns_come_and_go() -> None:
    def rows(document: Any) -> None:
        table_ = document.tables[0]
        table_._tbl.insert(table_._tbl.index(table_._tbl.tr_lst[1]), copy.deepcopy(table_._tbl.tr_lst[0]))
        for cell in table_.rows[1].cells:
            cell.text = "New"
        table_._tbl.remove(table_._tbl.tr_lst[-1])

    mirror = Mirror.open(REPORT())
    ids = {text_of(q): mirror.id_of(q) for q in mirror.document.tables[0]._tbl.iter(W + "p")}
    newer = edited(REPORT(), lambda d: add_column(d, random.Random(), ""), rows, noisy)
    fold(mirror, newer)
    now = {text_of(q): mirror.id_of(q) for q in mirror.document.tables[0]._tbl.iter(W + "p")}
    assert {t: now[t] for t in ("Name", "Amount", "Rent", "900")} == {
        t: ids[t] for t in ("Name", "Amount", "Rent", "900")
    }
    assert not differing(mirror, Mirror.open(newer))


def test_an_empty_cell_stays_in_its_column_when_another_comes_before_it() -> None:
    data = doc(p("Before"), table([["Name", "A", "B"], ["x", "", ""], ["y", "", "z"]]))()
    mirror = Mirror.open(data)

    def column_a(at: int) -> list[str | None]:
        return [mirror.id_of(row.tc_lst[at].p_lst[0]) for row in mirror.document.tables[0]._tbl.tr_lst]

    def empty_column(document: Any) -> None:
        rows = document.tables[0]._tbl.tr_lst
        for row in rows:
            row.tc_lst[0].addnext(copy.deepcopy(rows[1].tc_lst[-1]))

    ids = column_a(1)
    fold(mirror, edited(data, empty_column, noisy))
    assert column_a(2) == ids


@pytest.mark.parametrize(
    "change",
    [
        lambda d: setattr(d.sections[0].header.paragraphs[0], "text", "Secret"),
        lambda d: setattr(d.sections[0], "left_margin", Pt(99)),
        lambda d: setattr(d.styles["Heading 1"].font, "size", Pt(40)),
        lambda d: setattr(d.core_properties, "title", "Another"),
        lambda d: d.add_picture(io.BytesIO(png(20))),
        lambda d: d.settings.element.append(OxmlElement("w:trackRevisions")),
        lambda d: d.add_comment(d.paragraphs[2].runs, "Really?", "Anna"),
        lambda d: d.add_paragraph("more", style="List Number"),
        lambda d: d.sections[0].first_page_header.paragraphs[0].add_run("First page"),
        lambda d: d.add_section(),
    ],
    ids=[
        "header",
        "margin",
        "style",
        "title",
        "picture",
        "setting",
        "comment",
        "list",
        "first-header",
        "section",
    ],
)
def test_other_parts_are_folded_too(change: Callable[[Any], object]) -> None:
    mirror = Mirror.open(REPORT())
    before, blocks = canonical(mirror), mirror.body_blocks()
    newer = edited(REPORT(), change, noisy)
    editor = fold(mirror, newer)
    assert editor.delta
    assert not differing(mirror, Mirror.open(newer))
    assert not differing(Mirror.open(mirror.save()), Mirror.open(newer))
    assert [b for b in mirror.body_blocks() if b in blocks] == blocks
    assert not fold(mirror, newer).delta
    mirror.apply(editor.delta.inverse())
    assert canonical(mirror) == before


def test_a_text_box_keeps_its_paragraphs() -> None:
    data = data_of("docx-parse-eval__textbox.docx")
    mirror = Mirror.open(data)
    boxed = [
        q for q in mirror.body.iter(W + "p") if next(q.iterancestors(W + "txbxContent"), None) is not None
    ]
    ids = [mirror.id_of(q) for q in boxed if text_of(q).strip()]

    def type_in_box(document: Any) -> None:
        for box in document.element.body.iter(W + "txbxContent"):
            next(box.iter(W + "t")).text += " typed"

    newer = edited(data, type_in_box, noisy)
    assert fold(mirror, newer).delta
    assert not differing(mirror, Mirror.open(newer))
    assert all(mirror.has(i) for i in ids if i)
    assert any("typed" in text_of(mirror.element(i)) for i in ids if i)


def renumbered(document: Any) -> None:
    """Lists, notes, bookmarks and comments under other numbers, as Word gives them out at a save."""
    roots = [r.target_part for r in document.part.rels.values() if not r.is_external]
    for part in [document.part, *roots]:
        root = (
            part.element
            if isinstance(part, XmlPart)
            else parse_xml(part.blob)
            if b"<w:" in part.blob
            else None
        )
        if root is None:
            continue
        for tag, name in NUMBERS.items():
            for element in root.iter(W + tag):
                value = element.get(W + name)
                if value not in (None, "0", "-1") and element.get(W + "type") is None:
                    element.set(W + name, str(int(value) + 40))
        if not isinstance(part, XmlPart):
            part._blob = etree.tostring(root)


NUMBERS = {
    "numId": "val", "num": "numId", "abstractNumId": "val", "abstractNum": "abstractNumId",
    "bookmarkStart": "id", "bookmarkEnd": "id", "ins": "id", "del": "id",
    "footnote": "id", "footnoteReference": "id", "endnote": "id", "endnoteReference": "id",
    "comment": "id", "commentReference": "id", "commentRangeStart": "id", "commentRangeEnd": "id",
}  # fmt: skip


@pytest.mark.parametrize("name", ["report", *FILES])
def test_numbers_that_a_program_gives_out_anew_change_nothing(name: str) -> None:
    mirror = Mirror.open(data_of(name))
    saved = mirror.save()
    editor = fold(mirror, edited(saved, renumbered, noisy))
    assert not editor.delta, editor.changes()


def test_xml_comments_between_blocks_are_left_alone() -> None:
    data = edited(REPORT(), lambda d: etree.ElementBase.insert(d.element.body, 2, etree.Comment("mine")))
    mirror = Mirror.open(data)
    before = says(mirror)
    newer = edited(data, typed, lambda d: d.element.body.insert(0, d.paragraphs[2]._p), noisy)
    editor = fold(mirror, newer)
    assert not differing(mirror, Mirror.open(newer))
    assert [e.text for e in mirror.body if not isinstance(e.tag, str)] == ["mine"]
    mirror.apply(editor.delta.inverse())
    assert says(mirror) == before
    assert [e.text for e in mirror.body if not isinstance(e.tag, str)] == ["mine"]


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("report", "openxml-audit__google-docs-clipboard-textbox-2026-05-16.docx"),
        ("docx2html__header_footer_problem.docx", "docx2html__missing_content.docx"),
        ("docx2html__header_footer_problem.docx", "python-docx-ng__frm-form-fields.docx"),
        ("mammoth__strict-format.docx", "mammoth__footnote-hyperlink.docx"),
        ("python-docx__comments-rich-para.docx", "mammoth__strict-format.docx"),
    ],
)
def test_even_another_document_is_folded_whole_and_taken_back(name: str, other: str) -> None:
    mirror = Mirror.open(data_of(name))
    before, newer = canonical(mirror), data_of(other)
    editor = fold(mirror, newer)
    wanted = [text_of(q) for q in Mirror.open(newer).body.iter(W + "p")]
    assert [text_of(q) for q in Mirror.open(mirror.save()).body.iter(W + "p")] == wanted
    assert not fold(mirror, newer).delta
    mirror.apply(editor.delta.inverse())
    assert canonical(mirror) == before


# -- with steps --------------------------------------------------------------------------------------------------------


def test_undo_of_an_earlier_step_keeps_what_was_folded_in_later() -> None:
    mirror = Mirror.open(REPORT())
    history = History(mirror)
    base = canonical(mirror)
    target = {"text": "Revenue"}
    execution = execute(mirror, catalogue(), "set_alignment", {"target": target, "alignment": "right"}, "1")
    history.append(
        history.next_key(),
        "align",
        Call("set_alignment", execution.params),
        execution.delta,
        execution.changes,
    )
    newer = edited(mirror.save(), typed, lambda d: d.add_paragraph("At the end"), noisy)
    editor = fold(mirror, newer, "2")
    entry = history.append_user_edit(editor.delta, editor.changes())
    assert isinstance(history.undo([1]), Rebuilt)
    assert (
        mirror.document.paragraphs[2].text
        == "Revenue grew by 5 percent nicely in Acme, as the board had hoped."
    )
    assert mirror.document.paragraphs[2].alignment is None
    assert mirror.document.paragraphs[-1].text == "At the end"
    assert isinstance(history.undo([entry.key]), Rebuilt)
    assert canonical(mirror) == base


# -- random edits ------------------------------------------------------------------------------------------------------


WORDS = "some new words"


@settings(max_examples=25)
@given(
    st.sampled_from(("report", "report", "report", *FILES)),
    st.lists(st.tuples(st.sampled_from(EDITS), st.integers(0, 2**16)), max_size=7),
    st.booleans(),
)
def test_whatever_the_user_did_the_mirror_says_it_and_it_can_be_undone(
    name: str, edits: list[tuple[Edit, int]], resaved: bool
) -> None:
    data = data_of(name)
    mirror = Mirror.open(data)
    before = canonical(mirror)
    changes = [lambda d, e=edit, seed=seed: e(d, random.Random(seed), WORDS) for edit, seed in edits]
    newer = edited(data, *changes, *([noisy] if resaved else []))
    editor = fold(mirror, newer)
    wanted = Mirror.open(newer)
    assert not differing(mirror, wanted)
    assert not differing(Mirror.open(mirror.save()), wanted)
    assert not fold(mirror, newer).delta
    editor.changes()
    mirror.apply(editor.delta.inverse())
    assert canonical(mirror) == before
