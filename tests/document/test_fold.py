"""A newer file of the same document, folded into the mirror: what was edited elsewhere and nothing more."""

from __future__ import annotations

import copy
import io
import random
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pytest
from docx import Document
from docx.opc.part import XmlPart
from docx.oxml import OxmlElement, parse_xml
from docx.shared import Pt
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from agent.document.fold import fold
from agent.document.form import form
from agent.document.mirror import Mirror
from agent.document.names import W
from agent.document.package import relationships
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
from tests.support.documents import canonical

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


def edited(data: bytes, *changes: Callable[[Any], object]) -> bytes:
    """The file after some changes by python-docx, which stands for whatever program the user has."""
    document = Document(io.BytesIO(data))
    for change in changes:
        change(document)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def says(mirror: Mirror) -> dict[str, Any]:
    """Every part without noise; relationship ids as what they lead to."""
    found: dict[str, Any] = {}
    for name, part in mirror.file.parts.items():
        if isinstance(part, XmlPart):
            rels = {rid: ("to", r.type, r.target) for rid, r in relationships(part).items()}
            gone = {
                e.get(W + "id", "")
                for e in part.element.iter(W + "bookmarkStart")
                if e.get(W + "name") == "_GoBack"
            }
            found[name] = form(part.element, rels, gone)
        else:
            found[name] = part.blob
        found[name + " leads to"] = sorted((r.type, r.target) for r in relationships(part).values())
    return found


def differing(one: Mirror, other: Mirror) -> list[str]:
    a, b = says(one), says(other)
    return [name for name in {*a, *b} if a.get(name) != b.get(name)]


# -- noise -------------------------------------------------------------------------------------------------------------


def noisy(document: Any, seed: int = 1) -> None:
    """What another program does to a file that nobody changed."""
    choose = random.Random(seed)
    body = document.element.body
    for paragraph in list(body.iter(W + "p")):
        paragraph.set(W + "rsidR", f"{choose.randrange(2**32):08X}")
        paragraph.set(
            "{http://schemas.microsoft.com/office/word/2010/wordml}paraId", f"{choose.randrange(2**31):08X}"
        )
        for run in list(paragraph.iterchildren(W + "r")):
            run.set(W + "rsidRPr", "00AB12CD")
            texts = [c for c in run if c.tag != W + "rPr"]
            if len(texts) == 1 and texts[0].tag == W + "t" and len(texts[0].text or "") > 2:
                rest = copy.deepcopy(run)
                cut = choose.randrange(1, len(texts[0].text))
                rest.find(W + "t").text = texts[0].text[cut:]
                texts[0].text = texts[0].text[:cut]
                for node in (texts[0], rest.find(W + "t")):
                    node.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
                run.addnext(rest)
                run.addnext(OxmlElement("w:proofErr", {W + "type": "spellStart"}))
                rest.insert(
                    1 if rest.find(W + "rPr") is not None else 0, OxmlElement("w:lastRenderedPageBreak")
                )
    for paragraph in document.paragraphs[:1]:
        for name, attributes in (("Start", {W + "name": "_GoBack"}), ("End", {})):
            paragraph._p.append(OxmlElement(f"w:bookmark{name}", {W + "id": "990", **attributes}))
    rename_relationships(document.part)


def rename_relationships(part: Any) -> None:
    for number, (rid, rel) in enumerate(list(part.rels.items())):
        del part.rels[rid]
        rel._rId = f"rId{900 + number}"
        part.rels[rel._rId] = rel
        for element in part.element.iter():
            for name, value in list(element.attrib.items()):
                if value == rid and "relationships" in str(name):
                    element.set(name, rel._rId)


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


def column(document: Any) -> None:
    for row in document.tables[0]._tbl.tr_lst:
        cell = copy.deepcopy(row.tc_lst[0])
        for node in list(cell.iter(W + "t")):
            node.text = ""
        row.tc_lst[0].addnext(cell)


def test_cells_keep_their_ids_when_rows_and_columns_come_and_go() -> None:
    def rows(document: Any) -> None:
        table_ = document.tables[0]
        table_._tbl.insert(table_._tbl.index(table_._tbl.tr_lst[1]), copy.deepcopy(table_._tbl.tr_lst[0]))
        for cell in table_.rows[1].cells:
            cell.text = "New"
        table_._tbl.remove(table_._tbl.tr_lst[-1])

    mirror = Mirror.open(REPORT())
    ids = {text_of(q): mirror.id_of(q) for q in mirror.document.tables[0]._tbl.iter(W + "p")}
    newer = edited(REPORT(), column, rows, noisy)
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


def some_paragraph(document: Any, choose: random.Random) -> Any:
    found = [q for q in document.element.body.iter(W + "p") if q.getparent().tag != W + "txbxContent"]
    return choose.choice(found) if found else document.add_paragraph("x")._p


def do_type(document: Any, choose: random.Random) -> None:
    texts = [t for t in some_paragraph(document, choose).iter(W + "t") if t.text]
    if texts:
        node = choose.choice(texts)
        a = choose.randrange(len(node.text) + 1)
        b = choose.randrange(a, len(node.text) + 1)
        node.text = node.text[:a] + choose.choice(["", "x", " new words ", "\u4e00\u4e8c"]) + node.text[b:]
        node.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")


def do_remove(document: Any, choose: random.Random) -> None:
    found = [e for e in document.element.body if e.tag in (W + "p", W + "tbl")]
    if len(found) > 1:
        document.element.body.remove(choose.choice(found))


def do_insert(document: Any, choose: random.Random) -> None:
    new = OxmlElement("w:p")
    some_paragraph(document, choose).addnext(new)
    for word in choose.choice([["One ", "two"], ["Three"], []]):
        run = OxmlElement("w:r")
        run.text = word
        new.append(run)


def do_move(document: Any, choose: random.Random) -> None:
    body = document.element.body
    found = [e for e in body if e.tag in (W + "p", W + "tbl")]
    if len(found) > 1:
        moved = choose.choice(found)
        choose.choice([e for e in found if e is not moved]).addprevious(moved)


def do_split(document: Any, choose: random.Random) -> None:
    paragraph = some_paragraph(document, choose)
    runs = list(paragraph.iterchildren(W + "r"))
    if runs:
        new = OxmlElement("w:p")
        paragraph.addnext(new)
        for run in runs[choose.randrange(len(runs)) :]:
            new.append(run)


def do_join(document: Any, choose: random.Random) -> None:
    paragraph = some_paragraph(document, choose)
    beside = paragraph.getnext()
    if beside is not None and beside.tag == W + "p":
        for child in [c for c in beside if c.tag != W + "pPr"]:
            paragraph.append(child)
        beside.getparent().remove(beside)


def do_format(document: Any, choose: random.Random) -> None:
    runs = list(some_paragraph(document, choose).iter(W + "r"))
    if runs:
        choose.choice(runs).get_or_add_rPr().get_or_add_b()


def do_align(document: Any, choose: random.Random) -> None:
    some_paragraph(document, choose).get_or_add_pPr().get_or_add_jc().set(W + "val", "right")


def do_row(document: Any, choose: random.Random) -> None:
    rows = list(document.element.body.iter(W + "tr"))
    if rows:
        row = choose.choice(rows)
        if choose.random() < 0.5 or len(list(row.getparent().iterchildren(W + "tr"))) == 1:
            row.addnext(copy.deepcopy(row))
        else:
            row.getparent().remove(row)


def do_column(document: Any, choose: random.Random) -> None:
    if document.tables and len({len(r.tc_lst) for r in document.tables[0]._tbl.tr_lst}) == 1:
        column(document)


def do_header(document: Any, choose: random.Random) -> None:
    document.sections[0].header.add_paragraph(f"Header {choose.randrange(9)}")


DEEDS = (
    do_type, do_type, do_remove, do_insert, do_move, do_split, do_join, do_format, do_align, do_row, do_column, do_header
)  # fmt: skip


@settings(max_examples=25)
@given(
    st.sampled_from(("report", "report", "report", *FILES)),
    st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 2**16)), max_size=7),
    st.booleans(),
)
def test_whatever_the_user_did_the_mirror_says_it_and_it_can_be_undone(
    name: str, deeds: list[tuple[Callable[[Any, random.Random], None], int]], resaved: bool
) -> None:
    data = data_of(name)
    mirror = Mirror.open(data)
    before = canonical(mirror)
    changes = [lambda d, deed=deed, seed=seed: deed(d, random.Random(seed)) for deed, seed in deeds]
    newer = edited(data, *changes, *([noisy] if resaved else []))
    editor = fold(mirror, newer)
    wanted = Mirror.open(newer)
    assert not differing(mirror, wanted)
    assert not differing(Mirror.open(mirror.save()), wanted)
    assert not fold(mirror, newer).delta
    editor.changes()
    mirror.apply(editor.delta.inverse())
    assert canonical(mirror) == before


MARK = "\u4e00\u4e8c"
STEPS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("set_alignment", {"target": {"text": "Revenue"}, "alignment": "right"}),
    ("set_text_style", {"target": {"text": "Costs"}, "bold": True}),
    ("replace_text", {"find": "offices", "replace": "shops"}),
    ("add_paragraph", {"text": "Entirely new words.", "place": {"after": {"text": "Costs"}}}),
    ("delete_blocks", {"target": {"text": "apples"}}),
    ("set_cell_text", {"target": {"table": 1, "row": 2, "column": 2}, "text": "950"}),
    ("set_header", {"text": "Other"}),
    ("insert_table", {"rows": 2, "columns": 2, "place": {"at": "end"}}),
)


def marks(mirror: Mirror) -> int:
    return sum((t.text or "").count(MARK) for t in mirror.body.iter(W + "t"))


def do_mark(document: Any, choose: random.Random) -> None:
    paragraph = some_paragraph(document, choose)
    run = OxmlElement("w:r")
    run.text = MARK
    runs = list(paragraph.iterchildren(W + "r"))
    (choose.choice(runs).addnext if runs else paragraph.append)(run)


@settings(max_examples=25)
@given(
    st.lists(st.sampled_from(STEPS), min_size=1, max_size=3, unique_by=lambda s: s[0]),
    st.lists(st.tuples(st.sampled_from((do_mark, *DEEDS)), st.integers(0, 2**16)), max_size=5),
    st.integers(0, 2),
)
def test_steps_before_it_are_undone_and_what_was_typed_stays_or_is_named(
    steps: list[tuple[str, dict[str, Any]]],
    deeds: list[tuple[Callable[[Any, random.Random], None], int]],
    which: int,
) -> None:
    mirror = Mirror.open(REPORT())
    history = History(mirror)
    base = canonical(mirror)
    keys: list[int] = []
    for name, params in steps:
        keys.append(history.next_key())
        done = execute(mirror, catalogue(), name, params, str(keys[-1]))
        history.append(keys[-1], name, Call(name, done.params), done.delta, done.changes)
    changes = [lambda d, deed=deed, seed=seed: deed(d, random.Random(seed)) for deed, seed in deeds]
    key = history.next_key()
    editor = fold(mirror, edited(mirror.save(), *changes, noisy), str(key))
    history.append_user_edit(editor.delta, editor.changes(), key)
    before, typed_ = canonical(mirror), marks(mirror)
    outcome = history.undo([keys[which % len(keys)]])
    if isinstance(outcome, Rebuilt):
        assert marks(mirror) == typed_
    else:
        assert outcome.lost_edits or outcome.dependents
        assert canonical(mirror) == before
    assert isinstance(history.undo([*keys, key]), Rebuilt)
    assert canonical(mirror) == base
