"""New paragraphs, headings, lists and words where Word is odd: section breaks, cells, missing styles, lists, links, fields."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import docx
import pytest
from docx.document import Document
from docx.oxml import parse_xml
from docx.shared import Pt

from agent.document.explain import explain
from agent.document.mirror import Mirror
from agent.document.names import NSMAP, W_PPR, W_VAL, W
from agent.document.numbering import list_of, number_format, start_of
from agent.document.styles import find_style, heading_level
from agent.errors import InvalidTarget, PreconditionFailed, TargetNotFound
from agent.operations.specimens import bullets, doc, h, link, numbered, p, section, table, title
from tests.operations.trial import refused, tried

_W = f'xmlns:w="{NSMAP["w"]}"'


def made(build: Callable[[Document], None]) -> bytes:
    document = docx.Document()
    build(document)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def without_style(name: str, *pieces: Any) -> bytes:
    """A document that lacks a built-in style."""
    document = docx.Document(io.BytesIO(doc(*pieces)()))
    document.styles[name].delete()
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def texts(mirror: Mirror) -> list[str]:
    return [q.text for q in mirror.document.paragraphs]


def paragraph(mirror: Mirror, text: str) -> Any:
    return next(q for q in mirror.document.paragraphs if q.text == text)


# -- add_paragraph -----------------------------------------------------------------------------------------------------


def test_a_paragraph_behind_the_last_of_a_section_belongs_to_that_section() -> None:
    data = doc(p("one"), section(landscape=True), p("two"))()
    mirror, execution = tried(data, "add_paragraph", {"place": {"after": {"ids": ["p2"]}}, "text": "new"})
    new = paragraph(mirror, "new")._p
    assert new.find(f"{W_PPR}/{W}sectPr") is not None
    assert len(mirror.document.sections) == 2
    assert "a section now ends after paragraph 'new'" in explain(execution.changes)


def test_new_text_takes_after_most_of_the_text_beside_it_and_not_after_its_bold_lead() -> None:
    data = doc(p(("Note: ", {"bold": True}), ("all of the rest is plain.", {"size": Pt(9)})))()
    mirror, _ = tried(data, "add_paragraph", {"place": {"at": "end"}, "text": "New."})
    run = mirror.document.paragraphs[-1].runs[0]
    assert (run.bold, run.font.size) == (None, Pt(9))


@pytest.mark.parametrize("beside", ["Goals", "one", "Figure 1: us"])
def test_new_text_beside_a_heading_list_or_caption_looks_like_body_text(beside: str) -> None:
    def build(d: Document) -> None:
        d.add_heading("Goals", 1)
        d.add_paragraph("Plain text.").paragraph_format.left_indent = Pt(20)
        d.add_paragraph("one", style="List Bullet")
        d.add_paragraph("Figure 1: us", style="Caption")

    params = {"place": {"after": {"text": beside}}, "text": "New."}
    mirror, _ = tried(made(build), "add_paragraph", params)
    new = paragraph(mirror, "New.")
    assert (new.style.name, new.paragraph_format.left_indent) == ("Normal", Pt(20))


def test_text_that_goes_without_the_number_of_its_style_is_copied_so() -> None:
    def build(d: Document) -> None:
        q = d.add_paragraph("Plain text of a clause.")
        style = d.styles["Body Text"].element
        style.get_or_add_pPr().append(parse_xml(f'<w:numPr {_W}><w:numId w:val="1"/></w:numPr>'))
        q.style = d.styles["Body Text"]
        q._p.pPr.append(parse_xml(f'<w:numPr {_W}><w:numId w:val="0"/></w:numPr>'))

    mirror, _ = tried(made(build), "add_paragraph", {"place": {"at": "end"}, "text": "New."})
    assert list_of(mirror, mirror.document.paragraphs[-1]._p) is None


def test_a_page_break_before_is_not_taken_over() -> None:
    def build(d: Document) -> None:
        d.add_paragraph("Plain text.").paragraph_format.page_break_before = True

    mirror, _ = tried(made(build), "add_paragraph", {"place": {"at": "end"}, "text": "New."})
    assert mirror.document.paragraphs[-1].paragraph_format.page_break_before is None


def test_a_paragraph_goes_into_the_cell_of_the_paragraph_that_is_named() -> None:
    data = doc(table([["a", "b"]]))()
    mirror, _ = tried(data, "add_paragraph", {"place": {"after": {"ids": ["p1"]}}, "text": "more"})
    assert mirror.document.tables[0].cell(0, 0).text == "a\nmore"


def test_a_style_that_the_file_lacks_is_made_and_an_unknown_one_is_refused() -> None:
    data = without_style("Quote", p("Plain."))
    params = {"place": {"at": "end"}, "text": "New.", "style": "quote"}
    mirror, _ = tried(data, "add_paragraph", params)
    assert paragraph(mirror, "New.").style.name == "Quote"
    message = refused(data, "add_paragraph", {**params, "style": "Qoute"}, TargetNotFound)
    assert "quote" in message


@pytest.mark.parametrize(
    ("written", "text", "bold"),
    [
        ("a **b** c", "a b c", ["b"]),
        ("2 * 3 * 4", "2 * 3 * 4", []),
        ("**all**", "all", ["all"]),
        ("see *** and **", "see *** and **", []),
        ("**a *b* c**", "a b c", ["a ", "b", " c"]),
    ],
)
def test_marks_become_formatting_and_stray_asterisks_stay(written: str, text: str, bold: list[str]) -> None:
    mirror, _ = tried(doc(p("Plain."))(), "add_paragraph", {"place": {"at": "end"}, "text": written})
    new = mirror.document.paragraphs[-1]
    assert new.text == text
    assert [r.text for r in new.runs if r.bold] == bold


# -- add_heading -------------------------------------------------------------------------------------------------------


def test_a_heading_style_that_the_file_lacks_is_made_with_its_outline_level() -> None:
    data = without_style("Heading 3", h(1, "One"))
    assert find_style(Mirror.open(data), "heading 3") is None
    mirror, execution = tried(data, "add_heading", {"place": {"at": "end"}, "text": "Deep", "level": 3})
    assert heading_level(mirror, find_style(mirror, "heading 3") or "") == 3
    assert paragraph(mirror, "Deep").style.name == "Heading 3"
    assert explain(execution.changes).startswith("The heading 'Deep' was added")


def test_a_heading_looks_like_those_of_its_level() -> None:
    def build(d: Document) -> None:
        heading = d.add_heading("One", 1)
        heading.alignment = 1
        heading.runs[0].font.size = Pt(30)
        d.add_paragraph("Text.")

    mirror, _ = tried(made(build), "add_heading", {"place": {"at": "end"}, "text": "Two", "level": 1})
    new = mirror.document.paragraphs[-1]
    assert (new.style.name, new.alignment, new.runs[0].font.size) == ("Heading 1", 1, Pt(30))


# -- add_list, add_list_item -------------------------------------------------------------------------------------------


def items(mirror: Mirror) -> dict[str, tuple[int, int] | None]:
    return {q.text: list_of(mirror, q._p) for q in mirror.document.paragraphs}


def test_a_second_numbered_list_starts_at_one_again() -> None:
    data = doc(numbered("a", "b"), p("Then:"))()
    mirror, _ = tried(data, "add_list", {"place": {"at": "end"}, "items": ["c", "d"], "kind": "number"})
    found = items(mirror)
    assert found["c"] is not None
    assert found["c"] == found["d"] != found["a"]
    assert start_of(mirror, found["c"][0]) == 1
    assert paragraph(mirror, "c").style.name == "List Number", "it looks like the list that is there"


def test_levels_have_numbers_of_their_own() -> None:
    params = {
        "place": {"at": "end"},
        "items": ["a", {"text": "b", "level": 2}, {"text": "c", "level": 3}],
        "kind": "multilevel",
    }
    mirror, _ = tried(doc(numbered("x"))(), "add_list", params)
    found = items(mirror)
    assert found["c"] is not None
    assert [found[t][1] for t in ("a", "b", "c") if found[t]] == [0, 1, 2]  # type: ignore[index]
    assert number_format(mirror, found["c"][0], 2) == "decimal"


def test_a_list_in_a_file_without_lists_makes_the_numbering_part() -> None:
    mirror = Mirror.open(doc(p("Plain."))())
    rels = mirror.file.document_part.rels
    with mirror.edit("1"):
        for rid in [i for i, r in rels.items() if r.reltype.endswith("/numbering")]:
            del rels[rid]
    data = mirror.save()
    assert Mirror.open(data).part("/word/numbering.xml") is None
    mirror, _ = tried(data, "add_list", {"place": {"at": "end"}, "items": ["a"]})
    found = items(mirror)["a"]
    assert found is not None
    assert number_format(mirror, *found) == "bullet"


def test_an_item_goes_behind_the_items_below_the_one_it_is_put_after() -> None:
    params = {"place": {"at": "end"}, "items": ["a", {"text": "a1", "level": 2}, "b"], "kind": "multilevel"}
    first, _ = tried(doc(p("List:"))(), "add_list", params)
    mirror, _ = tried(
        first.save(), "add_list_item", {"place": {"after": {"text": "a", "nth": 1}}, "text": "new"}
    )
    assert texts(mirror) == ["List:", "a", "a1", "new", "b"]
    below = {"place": {"after": {"text": "a1"}}, "text": "a2"}
    mirror, _ = tried(first.save(), "add_list_item", below)
    assert texts(mirror) == ["List:", "a", "a1", "a2", "b"]
    assert items(mirror)["a2"] == items(mirror)["a1"]


def test_an_item_of_a_list_in_a_cell_stays_in_the_cell() -> None:
    def build(d: Document) -> None:
        cell = d.add_table(1, 1).cell(0, 0)
        cell.paragraphs[0].style = d.styles["List Bullet"]
        cell.paragraphs[0].add_run("one")

    mirror, _ = tried(made(build), "add_list_item", {"place": {"after": {"text": "one"}}, "text": "two"})
    assert [q.style.name for q in mirror.document.tables[0].cell(0, 0).paragraphs if q.style] == [
        "List Bullet"
    ] * 2


def test_beside_what_is_no_list_the_nearest_item_is_named() -> None:
    data = doc(p("Buy:"), bullets("apples"))()
    message = refused(
        data, "add_list_item", {"place": {"after": {"text": "Buy:"}}, "text": "x"}, InvalidTarget
    )
    assert "p2 'apples'" in message


# -- insert_text -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "text", "position", "result"),
    [
        ("good", "very", "before", "It is very good."),
        ("good", ", really", "after", "It is good, really."),
        ("It", "(He)", "after", "It (He) is good."),
        ("good", "-ish", "after", "It is good-ish."),
        ("goo", "oo", "after", "It is gooood."),
        (".", "Yes!", "after", "It is good. Yes!"),
    ],
)
def test_words_get_the_spaces_that_they_need(target: str, text: str, position: str, result: str) -> None:
    params = {"target": {"text": target}, "text": text, "position": position}
    mirror, _ = tried(doc(p("It is good."))(), "insert_text", params)
    assert texts(mirror) == [result]


def test_chinese_text_gets_no_spaces() -> None:
    params = {"target": {"text": "报告"}, "text": "年度", "position": "before"}
    mirror, _ = tried(doc(p("这是报告。"))(), "insert_text", params)
    assert texts(mirror) == ["这是年度报告。"]


def test_text_behind_a_fields_result_is_not_lost_with_the_next_update() -> None:
    def build(d: Document) -> None:
        q = d.add_paragraph("See page ")
        for xml in (
            '<w:fldChar w:fldCharType="begin"/>',
            "<w:instrText> PAGEREF x </w:instrText>",
            '<w:fldChar w:fldCharType="separate"/>',
            "<w:t>7</w:t>",
            '<w:fldChar w:fldCharType="end"/>',
        ):
            q._p.append(parse_xml(f"<w:r {_W}>{xml}</w:r>"))

    params = {"target": {"text": "7"}, "text": "or later", "position": "after"}
    mirror, _ = tried(made(build), "insert_text", params)
    q = mirror.document.paragraphs[0]._p
    order = [e.get(W + "fldCharType") or e.text for e in q.iter(W + "fldChar", W + "t")]
    assert order == ["See page ", "begin", "separate", "7", "end", " or later"]


# -- insert_hyperlink --------------------------------------------------------------------------------------------------


def test_a_link_over_run_borders_keeps_their_formats() -> None:
    data = doc(p("See ", ("our", {"bold": True}), " site now."))()
    mirror, _ = tried(data, "insert_hyperlink", {"target": {"text": "our site"}, "url": "www.example.org"})
    found = mirror.document.paragraphs[0].hyperlinks[0]
    assert (found.text, found.url) == ("our site", "https://www.example.org")
    assert [r.bold for r in found.runs] == [True, None]
    assert texts(mirror) == ["See our site now."]


def test_a_heading_that_has_a_bookmark_is_led_to_by_that_and_contents_marks_are_not_used() -> None:
    def build(d: Document) -> None:
        d.add_paragraph("See there.")
        heading = d.add_heading("Costs", 1)._p
        heading.insert(1, parse_xml(f'<w:bookmarkStart {_W} w:id="3" w:name="_Toc1"/>'))
        heading.append(parse_xml(f'<w:bookmarkEnd {_W} w:id="3"/>'))

    params = {"target": {"text": "there"}, "heading": "Costs"}
    mirror, _ = tried(made(build), "insert_hyperlink", params)
    names = [b.get(W + "name") for b in mirror.body.iter(W + "bookmarkStart")]
    assert sorted(names) == ["_Costs", "_Toc1"]
    again, _ = tried(mirror.save(), "insert_hyperlink", {"target": {"text": "See"}, "heading": "Costs"})
    assert len(list(again.body.iter(W + "bookmarkStart"))) == 2
    assert [x.fragment for x in again.document.paragraphs[0].hyperlinks] == ["_Costs", "_Costs"]


def test_leading_a_link_elsewhere_drops_the_address_that_nothing_uses_any_more() -> None:
    data = doc(link("", "here", "https://example.com/"))()
    params = {"target": {"text": "here"}, "url": "https://example.org/", "retarget": True}
    mirror, _ = tried(data, "insert_hyperlink", params)
    targets = [r.target_ref for r in mirror.file.document_part.rels.values() if r.is_external]
    assert targets == ["https://example.org/"]


def test_words_partly_in_a_link_are_refused() -> None:
    data = doc(link("Look ", "over here", "https://example.com/"))()
    params = {"target": {"text": "Look over"}, "url": "https://example.org/"}
    assert "over here" in refused(data, "insert_hyperlink", params, PreconditionFailed)


def test_words_at_the_start_of_the_title_leave_its_style() -> None:
    params = {"target": {"where": "title"}, "text": "DRAFT", "position": "start"}
    mirror, _ = tried(doc(title("Report"))(), "insert_text", params)
    assert paragraph(mirror, "DRAFT Report")._p.find(f"{W_PPR}/{W}pStyle").get(W_VAL) == "Title"
