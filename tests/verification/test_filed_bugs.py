"""Rules of the file format that others broke first, each from a bug that someone filed; one test each, through operations."""

from __future__ import annotations

import base64
import io
import zipfile
from typing import Any

import pytest
from docx.opc.constants import RELATIONSHIP_TYPE as RT

from agent.document.mirror import Mirror
from agent.document.names import W_P, W_R, W_TXBX, W_VAL, XML, A, R, W
from agent.document.styles import style_table
from agent.document.text import text_of
from agent.operations.specimens import doc, footer, h, header, p, png, table
from tests.corpus import corpus_file
from tests.operations.package_checks import problems
from tests.operations.trial import attempt, tried
from tests.support.documents import members
from tests.verification.everything import everything

PICTURE = "data:image/png;base64," + base64.b64encode(png(4, 2)).decode()


def by_text(mirror: Mirror, start: str) -> str:
    """The id of the body's paragraph that starts so."""
    return next(mirror.id_of(q) or "" for q in mirror.body.iter(W_P) if text_of(q).startswith(start))


def part(mirror: Mirror, kind: str) -> Any:
    return next(r.target_part for r in mirror.file.document_part.rels.values() if r.reltype == kind)


def test_1_annotation_ids_are_one_number_space_and_foreign_ones_are_read() -> None:
    mirror = Mirror.open(everything())
    with mirror.edit("0"):
        next(mirror.body.iter(W + "ins")).set(W + "id", "8f14e45f-ceea-467f-a830-1b2c3d4e5f60")
    attempt(
        mirror,
        "add_comment",
        {"target": {"ids": [by_text(mirror, "Listed")]}, "text": "Why?", "author": "Eve"},
    )
    tags = [W + n for n in ("bookmarkStart", "ins", "del")]
    ids = [e.get(W + "id") for e in mirror.body.iter(*tags)]
    ids += [c.get(W + "id") for c in part(mirror, RT.COMMENTS).element]
    assert len(ids) == len(set(ids)) == 5
    fresh = part(mirror, RT.COMMENTS).element[-1].get(W + "id")
    assert fresh.isdigit()
    assert "8f14e45f-ceea-467f-a830-1b2c3d4e5f60" in ids


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("replace_text", {"find": "rise", "replace": "fall"}),
        ("set_text_style", {"target": {"text": "rise"}, "bold": True}),
        ("insert_text", {"target": {"text": "rise"}, "text": " soon"}),
    ],
)
def test_2_tracked_changes_stay_around_runs_and_around_the_changed_words_only(name: str, params: Any) -> None:
    mirror, _ = tried(everything(), name, params)
    marks = list(mirror.body.iter(W + "ins", W + "del"))
    assert {m.get(W + "author") for m in marks} == {"Ann"}
    assert all(m.getparent().tag == W_P for m in marks)
    assert "".join(t.text for t in mirror.body.iter(W + "delText")) == "may "
    assert text_of(mirror.element(by_text(mirror, "Prices"))).startswith("Prices will ")
    assert not any("Prices" in (t.text or "") for m in marks for t in m.iter(W + "t"))


def test_3_a_line_end_is_a_break_or_a_paragraph_and_spaces_are_kept() -> None:
    mirror = Mirror.open(doc(p("One two"), table([["a", "b"]]))())
    attempt(mirror, "add_paragraph", {"place": {"at": "end"}, "text": "First\nSecond"}, "1")
    attempt(mirror, "set_cell_text", {"target": {"table": 1, "row": 1, "column": 1}, "text": "x\ny"}, "2")
    attempt(mirror, "replace_text", {"find": "two", "replace": " two "}, "3")
    assert not any("\n" in (t.text or "") for t in mirror.body.iter(W + "t"))
    edged = [t for t in mirror.body.iter(W + "t") if (t.text or "") != (t.text or "").strip()]
    assert edged
    assert all(t.get(XML + "space") == "preserve" for t in edged)


def test_4_a_new_field_has_a_result() -> None:
    mirror, _ = tried(doc(p("Text."))(), "insert_page_number", {})
    root = part(mirror, RT.FOOTER).element
    kinds = [e.get(W + "fldCharType") or "result" for e in root.iter(W + "fldChar", W + "t")]
    simple = [f for f in root.iter(W + "fldSimple") if "".join(t.text or "" for t in f.iter(W + "t")).strip()]
    assert simple or kinds[kinds.index("separate") + 1] == "result"
    assert any(c.isdigit() for t in root.iter(W + "t") for c in t.text or "")


def test_5_a_header_has_its_own_relationships_and_no_empty_comments_part_is_left() -> None:
    mirror = Mirror.open(doc(p("Text."), header("Acme"))())
    head = mirror.id_of(next(part(mirror, RT.HEADER).element.iter(W_P)))
    attempt(mirror, "insert_hyperlink", {"target": {"ids": [head]}, "url": "example.com"})
    root = part(mirror, RT.HEADER)
    used = {e.get(R + "id") for e in root.element.iter(W + "hyperlink")}
    assert used
    assert used <= set(root.rels)
    with_comment = Mirror.open(doc(p("Sales rose."), p("Stay."))())
    attempt(with_comment, "add_comment", {"target": {"text": "Sales"}, "text": "Why?", "author": "Eve"}, "1")
    attempt(with_comment, "delete_blocks", {"target": {"paragraph": 1}}, "2")
    saved = members(with_comment.save())
    assert not any("comments" in name for name in saved) or not problems(with_comment.save())
    assert b"<w:comment " not in saved.get("word/comments.xml", b"")


def test_6_a_heading_style_that_the_file_lacks_is_made_real() -> None:
    mirror = Mirror.open(doc(p("Text."))())
    with mirror.edit("0"):
        root = part(mirror, RT.STYLES).element
        for style in [s for s in root if s.get(W + "styleId", "").startswith("Heading1")]:
            root.remove(style)
    attempt(mirror, "add_heading", {"place": {"at": "end"}, "text": "New", "level": 1})
    used = mirror.element(by_text(mirror, "New")).find(f"{W}pPr/{W}pStyle").get(W_VAL)
    assert used in style_table(mirror)
    made = next(s for s in part(mirror, RT.STYLES).element if s.get(W + "styleId") == used)
    assert made.find(W + "name").get(W_VAL) == "heading 1"


def test_7_a_font_for_the_whole_document_reaches_runs_that_have_their_own() -> None:
    mirror, execution = tried(
        doc(p(("Mine", {"name": "Courier New"}), " plain"))(),
        "set_font",
        {"target": {"where": "document"}, "font": "Arial"},
    )
    fonts = {f.get(W + "ascii") for f in mirror.body.iter(W + "rFonts")}
    assert fonts == {"Arial"}
    assert any("Arial" in c.explain() for c in execution.changes)


def test_8_words_are_found_over_runs_and_in_every_story_and_counted() -> None:
    mirror = Mirror.open(everything())
    places = ("Between", "Filled", "In the box", "Region", "Top")
    with mirror.edit("0") as editor:
        roots = [mirror.body, part(mirror, RT.HEADER).element]
        for start in places:
            found = next(q for r in roots for q in r.iter(W_P) if text_of(q).startswith(start))
            editor.replace_text(found, len(text_of(found)), len(text_of(found)), " Zeta")
            editor.isolate(found, len(text_of(found)) - 2, len(text_of(found)))
    execution = attempt(mirror, "replace_text", {"find": "Zeta", "replace": "Omega"})
    text = "\n".join(text_of(q) for r in (mirror.body, part(mirror, RT.HEADER).element) for q in r.iter(W_P))
    assert "Zeta" not in text
    assert text.count("Omega") == len(places)
    assert any(q.getparent().tag == W_TXBX and "Omega" in text_of(q) for q in mirror.body.iter(W_P))
    assert len({c.target for c in execution.changes if c.path == "text"}) >= len(places) - 1


def test_9_a_header_keeps_its_picture_variants_and_page_field() -> None:
    mirror = Mirror.open(everything())
    attempt(mirror, "replace_text", {"find": "Top", "replace": "Summit"}, "1")
    attempt(mirror, "set_text_style", {"target": {"ids": ["footer1.p1"]}, "bold": True}, "2")
    attempt(mirror, "set_font_color", {"target": {"ids": ["header1.p1"]}, "color": "red"}, "3")
    head, foot = part(mirror, RT.HEADER), part(mirror, RT.FOOTER)
    assert next(head.element.iter(A + "blip")).get(R + "embed") in head.rels
    assert [e.get(W + "type") for e in mirror.body.iter(W + "headerReference")].count("first") == 1
    assert "PAGE" in "".join(i.text for i in foot.element.iter(W + "instrText"))
    assert sum(1 for _ in foot.element.iter(W + "fldChar")) == 3


@pytest.mark.parametrize(
    "name",
    ["ooxml-integrity__base.docx", "mammoth__strict-format.docx", "python-docx-ng__macro-enabled.docm"],
)
def test_10_opening_and_saving_changes_nothing(name: str) -> None:
    data = corpus_file(name).read_bytes()
    assert members(Mirror.open(data).save()) == members(data)


def test_10_a_part_that_nothing_leads_to_stays() -> None:
    buffer = io.BytesIO(everything())
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("word/orphan.xml", "<orphan/>")
    mirror, _ = tried(buffer.getvalue(), "set_alignment", {"target": {"paragraph": 1}, "alignment": "center"})
    assert members(mirror.save())["word/orphan.xml"] == b"<orphan/>"


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("replace_text", {"find": "Contents", "replace": "Inhalt"}),
        ("set_alignment", {"target": {"ids": ["p9"]}, "alignment": "center"}),
        ("set_text_style", {"target": {"ids": ["p9"]}, "italic": True}),
        ("move_blocks", {"target": {"ids": ["p9"]}, "place": {"at": "end"}}),
    ],
)
def test_11_the_switches_of_a_table_of_contents_stay_in_order(name: str, params: Any) -> None:
    mirror, _ = tried(everything(), name, params)
    codes = [i.text.strip() for i in mirror.body.iter(W + "instrText")]
    assert codes == [r'TOC \o "1-3" \h \z \u']
    assert [f.get(W + "fldCharType") for f in mirror.body.iter(W + "fldChar")] == ["begin", "separate", "end"]


def test_12_what_only_a_deleted_block_used_goes_with_it() -> None:
    mirror = Mirror.open(everything())
    before = problems(mirror.save())
    chosen = [by_text(mirror, start) for start in ("Revenue", "Costs", "A figure", "Drawn")]
    attempt(mirror, "delete_blocks", {"target": {"ids": chosen}})
    saved = members(mirror.save())
    assert "word/media/image1.png" not in saved
    assert b"https://example.com/" not in saved["word/_rels/document.xml.rels"]
    assert b"Unaudited" not in saved["word/footnotes.xml"]
    assert b"Sure?" not in saved.get("word/comments.xml", b"")
    assert not list(
        mirror.body.iter(
            W + "bookmarkStart", W + "bookmarkEnd", W + "commentRangeStart", W + "commentRangeEnd"
        )
    )
    assert not problems(mirror.save()) - before


def test_13_an_east_asian_text_takes_the_east_asian_font() -> None:
    mirror, _ = tried(
        doc(h(1, "报告"), p("销售增长。"))(), "set_font", {"target": {"paragraph": 1}, "font": "SimSun"}
    )
    (fonts,) = mirror.element(by_text(mirror, "销售")).find(W_R).iter(W + "rFonts")
    assert fonts.get(W + "eastAsia") == "SimSun"


def test_13_a_footer_in_chinese_keeps_its_text() -> None:
    mirror, _ = tried(doc(p("x"), footer("第一章"))(), "replace_text", {"find": "第一", "replace": "第二"})
    assert text_of(next(part(mirror, RT.FOOTER).element.iter(W_P))) == "第二章"
