"""What moves along, what stays, and what a copy may not share with its original."""

from __future__ import annotations

import io
from typing import Any

import docx
import pytest
from docx.oxml import parse_xml

from agent.document.mirror import Mirror
from agent.document.names import NSMAP, W_PPR, WP, W
from agent.errors import InvalidTarget
from agent.operations.specimens import doc, h, image, p, section, table
from tests.corpus import corpus_file
from tests.operations.trial import refused, tried

_W = f'xmlns:w="{NSMAP["w"]}"'


def texts(mirror: Mirror) -> list[str]:
    return [q.text for q in mirror.document.paragraphs]


def kinds(mirror: Mirror) -> list[str]:
    return [e.tag.rpartition("}")[2] for e in mirror.body]


def test_a_section_moves_with_its_heading_and_subsections() -> None:
    data = doc(h(1, "A"), p("a"), h(1, "B"), p("b"), h(2, "B1"), p("b1"), h(1, "C"), p("c"))()
    mirror, _ = tried(data, "move_blocks", {"target": {"section": "B"}, "place": {"after": {"section": "C"}}})
    assert texts(mirror) == ["A", "a", "C", "c", "B", "b", "B1", "b1"]


def test_blocks_keep_their_ids_when_they_move() -> None:
    data = doc(p("one"), p("two"), p("three"))()
    mirror, _ = tried(data, "move_blocks", {"target": {"text": "three"}, "place": {"at": "start"}})
    assert mirror.body_blocks()[:3] == ["p3", "p1", "p2"]


def test_scattered_blocks_come_together_in_their_order() -> None:
    data = doc(p("a"), p("1"), p("b"), p("2"), p("c"))()
    mirror, _ = tried(data, "move_blocks", {"target": {"ids": ["p4", "p2"]}, "place": {"at": "end"}})
    assert texts(mirror) == ["a", "b", "c", "1", "2"]


def test_a_table_does_not_run_into_the_one_beside_it() -> None:
    data = doc(table([["a"]]), p("between"), table([["b"]]), p("end"))()
    mirror, _ = tried(data, "move_blocks", {"target": {"table": 2}, "place": {"after": {"table": 1}}})
    assert kinds(mirror)[:3] == ["tbl", "p", "tbl"]
    mirror, _ = tried(data, "move_blocks", {"target": {"text": "between"}, "place": {"at": "start"}})
    assert kinds(mirror)[:4] == ["p", "tbl", "p", "tbl"]


def test_a_paragraph_moves_out_of_a_cell_and_into_one() -> None:
    data = doc(table([["stays", "goes"]]), p("outside"))()
    cell = Mirror.open(data)
    ids = {q.text: cell.id_of(q._p) for c in cell.document.tables[0].rows[0].cells for q in c.paragraphs}
    mirror, _ = tried(data, "move_blocks", {"target": {"ids": [ids["goes"]]}, "place": {"at": "end"}})
    assert texts(mirror) == ["outside", "goes"]
    assert mirror.document.tables[0].cell(0, 1).text == ""
    place = {"after": {"ids": [ids["stays"]]}}
    mirror, _ = tried(data, "move_blocks", {"target": {"text": "outside"}, "place": place})
    assert mirror.document.tables[0].cell(0, 0).text == "stays\noutside"
    assert kinds(mirror) == ["tbl", "p", "sectPr"]


def test_a_section_break_stays_where_it_was() -> None:
    data = doc(p("one"), p("two"), section(landscape=True), p("three"))()
    broken = next(
        b
        for b in Mirror.open(data).body_blocks()
        if Mirror.open(data).element(b).find(f"{W_PPR}/{W}sectPr") is not None
    )
    mirror, _ = tried(data, "move_blocks", {"target": {"ids": [broken]}, "place": {"at": "end"}})
    assert len(mirror.document.sections) == 2
    assert mirror.document.paragraphs[1]._p.find(f"{W_PPR}/{W}sectPr") is not None


def test_a_copy_of_pictures_has_drawing_ids_of_its_own_and_shares_the_file() -> None:
    data = doc(h(1, "A"), image("x"), p("t"), image("y"))()
    params = {"target": {"section": "A"}, "place": {"at": "end"}, "duplicate": True}
    mirror, _ = tried(data, "move_blocks", params)
    ids = [e.get("id") for e in mirror.body.iter(WP + "docPr")]
    assert len(ids) == len(set(ids)) == 4
    assert len([n for n in mirror.file.parts if "/media/" in n]) == 1


def test_a_copy_gets_bookmarks_of_its_own_and_no_hidden_ones() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("Text")
    for i, name in enumerate(["Mine", "_Toc123"], 5):
        paragraph._p.insert(0, parse_xml(f'<w:bookmarkStart {_W} w:id="{i}" w:name="{name}"/>'))
        paragraph._p.append(parse_xml(f'<w:bookmarkEnd {_W} w:id="{i}"/>'))
    buffer = io.BytesIO()
    document.save(buffer)
    params = {"target": {"text": "Text"}, "place": {"at": "end"}, "duplicate": True}
    mirror, _ = tried(buffer.getvalue(), "move_blocks", params)
    found = {e.get(W + "name"): e.get(W + "id") for e in mirror.body.iter(W + "bookmarkStart")}
    assert set(found) == {"Mine", "_Toc123", "Mine_2"}
    assert len(set(found.values())) == 3


def test_a_copied_footnote_reference_has_a_footnote_of_its_own() -> None:
    data = corpus_file("mammoth__footnote-hyperlink.docx").read_bytes()
    params: dict[str, Any] = {"target": {"ids": ["p1"]}, "place": {"at": "end"}, "duplicate": True}
    mirror, _ = tried(data, "move_blocks", params)
    references = [r.get(W + "id") for r in mirror.body.iter(W + "footnoteReference")]
    assert len(set(references)) == 2
    part: Any = mirror.part("/word/footnotes.xml")
    assert set(references) <= {n.get(W + "id") for n in part.element}


def test_a_comment_moves_along() -> None:
    document = docx.Document()
    document.add_comment(document.add_paragraph().add_run("One."), text="Why?", author="Ann", initials="A")
    document.add_paragraph("Two.")
    document.styles.add_style("annotation reference", 2).element.set(W + "styleId", "CommentReference")
    buffer = io.BytesIO()
    document.save(buffer)
    params = {"target": {"text": "One."}, "place": {"at": "end"}}
    mirror, _ = tried(buffer.getvalue(), "move_blocks", params)
    last = mirror.document.paragraphs[-1]._p
    assert len(list(last.iter(W + "commentRangeStart", W + "commentRangeEnd", W + "commentReference"))) == 3
    assert len(list(mirror.document.comments)) == 1


@pytest.mark.parametrize("duplicate", [True, False])
def test_body_text_does_not_move_into_a_header(duplicate: bool) -> None:
    from agent.operations.specimens import header

    data = doc(header("Head"), p("Body"))()
    place = {"after": {"ids": ["header1.p1"]}}
    message = refused(
        data,
        "move_blocks",
        {"target": {"text": "Body"}, "place": place, "duplicate": duplicate},
        InvalidTarget,
    )
    assert "header" in message


def test_a_picture_beside_words_is_not_moved_without_a_word() -> None:
    document = docx.Document()
    from agent.operations.specimens import png

    run = document.add_paragraph("See ").add_run()
    run.add_picture(io.BytesIO(png()))
    buffer = io.BytesIO()
    document.save(buffer)
    params = {"target": {"picture": 1}, "place": {"at": "end"}}
    assert "See" in refused(buffer.getvalue(), "move_blocks", params, InvalidTarget)
