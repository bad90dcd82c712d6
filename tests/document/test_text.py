"""The text of a paragraph as people see it: what counts, where it is, and edits that leave every other character alone."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from agent.document import text as texts
from agent.document.filled_in import field_results
from agent.document.names import W_R, W_T, W

LINK, FIELD = "w:hyperlink w:anchor='x'", "w:fldSimple w:instr='PAGE'"


def paragraph(*content: str) -> Any:
    return parse_xml(f"<w:p {nsdecls('w', 'r', 'wp', 'a')}>{''.join(content)}</w:p>")


def run(text: str, *formats: str) -> str:
    inner = "".join(f"<w:{f}/>" for f in formats)
    return f'<w:r>{f"<w:rPr>{inner}</w:rPr>" if inner else ""}<w:t xml:space="preserve">{text}</w:t></w:r>'


def within(wrapper: str, *content: str) -> str:
    inner = "".join(content)
    if wrapper == "w:sdt":
        inner = f"<w:sdtPr><w:alias w:val='not text'/></w:sdtPr><w:sdtContent>{inner}</w:sdtContent>"
    return f"<{wrapper}>{inner}</{wrapper.split(' ')[0]}>"


def special(node: str) -> str:
    return f"<w:r>{node}</w:r>"


BEGIN, SEPARATE, END = (f'<w:fldChar w:fldCharType="{k}"/>' for k in ("begin", "separate", "end"))
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"


def code(text: str) -> str:
    return special(f"<w:instrText>{text}</w:instrText>")


def field(code_: str, result: str) -> str:
    return special(BEGIN) + code(code_) + special(SEPARATE) + run(result, "b") + special(END)


def ruby(base: str, reading: str = "reading") -> str:
    return (
        f"<w:ruby><w:rubyPr><w:hps w:val='10'/></w:rubyPr><w:rt>{run(reading)}</w:rt>"
        f"<w:rubyBase>{base}</w:rubyBase></w:ruby>"
    )


def alternatives(choice: str, fallback: str) -> str:
    return (
        f'<mc:AlternateContent xmlns:mc="{MC}"><mc:Choice Requires="wps">{choice}</mc:Choice>'
        f"<mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>"
    )


def words_in(p: Any, tag: str) -> str:
    """The texts of all elements of a kind, whatever they are in."""
    return "".join(t.text or "" for e in p.iter(W + tag) for t in e.iter(W_T))


# -- what is text ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrapper",
    [
        LINK, FIELD, "w:ins w:id='1' w:author='A'", "w:moveTo w:id='1' w:author='A'", "w:sdt",
        "w:smartTag w:element='x'", "w:customXml w:element='x'", "w:dir w:val='rtl'", "w:bdo w:val='rtl'",
    ],
)  # fmt: skip
def test_text_is_seen_through(wrapper: str) -> None:
    p = paragraph(
        run("a"), within(wrapper, run("bc"), within("w:ins w:id='2' w:author='A'", run("d"))), run("e")
    )
    assert texts.text_of(p) == "abcde"
    assert [(q.start, q.end) for q in texts.pieces_of(p)] == [(0, 1), (1, 3), (3, 4), (4, 5)]


@pytest.mark.parametrize("wrapper", ["w:del w:id='1' w:author='A'", "w:moveFrom w:id='1' w:author='A'"])
def test_what_was_deleted_or_moved_away_is_no_text(wrapper: str) -> None:
    gone = run("gone").replace("w:t", "w:delText") if "del" in wrapper else run("gone")
    p = paragraph(
        run("a"),
        within(wrapper, gone),
        within("w:ins w:id='3' w:author='A'", within(wrapper, gone)),
        run("b"),
    )
    assert texts.text_of(p) == "ab"
    texts.replace(p, 1, 1, "!")
    assert texts.text_of(p) == "a!b"
    assert "".join(etree.tostring(p, encoding="unicode").split()).count("gone") == 2


def test_the_code_of_a_field_is_no_text_and_its_result_is() -> None:
    assert texts.text_of(paragraph(run("page "), field("PAGE", "3"), run("."))) == "page 3."


@pytest.mark.parametrize(
    ("node", "text"),
    [
        ("<w:tab/>", "\t"), ("<w:ptab/>", "\t"), ("<w:br/>", "\n"), ("<w:cr/>", "\n"), ('<w:br w:type="page"/>', "\f"),
        ('<w:br w:type="column"/>', "\f"), ('<w:br w:type="textWrapping"/>', "\n"), ("<w:noBreakHyphen/>", "\u2011"),
        ("<w:softHyphen/>", "\u00ad"), ('<w:sym w:font="Wingdings" w:char="F04A"/>', "\uf04a"),
        ('<w:footnoteReference w:id="1"/>', ""), ("<w:drawing/>", ""), ("<w:lastRenderedPageBreak/>", ""),
        ("<w:t/>", ""), ("<!-- comment -->", ""), ("<w:annotationRef/>", ""),
    ],
)  # fmt: skip
def test_a_special_character_has_the_width_of_what_people_see(node: str, text: str) -> None:
    p = paragraph(run("a"), special(node), run("b"))
    assert texts.text_of(p) == f"a{text}b"
    texts.replace(p, 1, 1 + len(text), "-")
    assert texts.text_of(p) == "a-b"


def test_an_emoji_that_old_programs_have_a_fallback_for_is_text() -> None:
    namespaces = (
        'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
        'xmlns:w16se="http://schemas.microsoft.com/office/word/2015/wordml/symex"'
    )
    emoji = (
        f'<mc:AlternateContent {namespaces}><mc:Choice Requires="w16se"><w16se:symEx w16se:font="Segoe UI Emoji" '
        'w16se:char="1F600"/></mc:Choice><mc:Fallback><w:t>\U0001f600</w:t></mc:Fallback></mc:AlternateContent>'
    )
    p = paragraph(run("a"), special(emoji), run("b"))
    assert texts.text_of(p) == "a\U0001f600b"
    texts.replace(p, 2, 2, "!")
    assert texts.text_of(p) == "a\U0001f600!b"
    texts.replace(p, 1, 2, "")
    assert texts.text_of(p) == "a!b"


def test_what_stands_in_the_code_of_a_field_is_no_text_also_the_result_of_a_nested_field() -> None:
    nested = special(BEGIN) + code("IF ") + field("PAGE", "7") + code(' = 1 "x" "y"') + special(SEPARATE)
    p = paragraph(run("a"), nested, run("y"), special(END), run("b"))
    assert texts.text_of(p) == "ayb"
    texts.replace(p, 1, 2, "no")
    assert texts.text_of(p) == "anob"
    assert "7" in words_in(p, "p")
    without_result = special(BEGIN) + code("XE ") + run("Entry") + special(END)
    assert texts.text_of(paragraph(run("a"), without_result, run("b"))) == "ab"


def test_a_field_over_several_paragraphs_hides_nothing() -> None:
    first = paragraph(special(BEGIN), code("TOC"), special(SEPARATE), run("One"), field("PAGEREF", "1"))
    assert texts.text_of(first) == "One1"
    assert texts.text_of(paragraph(run("Last"), special(END))) == "Last"
    assert texts.text_of(paragraph(special(BEGIN), run("open"))) == "open"


def test_a_field_within_one_run_is_told_from_its_code() -> None:
    p = paragraph(
        special(
            f"{BEGIN}<w:instrText>PAGE</w:instrText>{SEPARATE}<w:t>3</w:t>{END}<w:t xml:space='preserve'> of</w:t>"
        )
    )
    assert texts.text_of(p) == "3 of"
    texts.replace(p, 1, 1, "!")
    assert texts.text_of(p) == "3! of"
    tags = [e.tag.rpartition("}")[2] for r in p.iter(W_R) for e in r]
    assert tags == ["fldChar", "instrText", "fldChar", "t", "fldChar", "t", "t"]


def test_the_base_of_ruby_text_is_text_and_its_reading_is_not() -> None:
    p = paragraph(special(f"<w:t>a</w:t>{ruby(run('bc'))}<w:t>d</w:t>"), special(ruby(run("e"))))
    assert texts.text_of(p) == "abcde"
    assert [r.getparent().tag == W + "rubyBase" for r in texts.runs_of(p)] == [False, True, False, True]
    (bold,) = texts.isolate(p, 0, 1)
    assert [texts.node_text(n) for n in bold] == ["a"]


@pytest.mark.parametrize(
    ("start", "end", "new", "text", "base"),
    [
        (2, 3, "X", "abXd", "bX"),  # part of the base
        (1, 3, "X", "aXd", ""),  # all of it: the reading was that of the old word
        (1, 3, "", "ad", ""),
        (0, 2, "X", "Xcd", "c"),
        (2, 4, "X", "abX", "bX"),
        (1, 1, "X", "aXbcd", "bc"),
        (2, 2, "X", "abXcd", "bXc"),
        (3, 3, "X", "abcXd", "bc"),
        (0, 4, "X", "X", ""),
    ],
)
@pytest.mark.parametrize("one_run", [True, False])
def test_edits_around_and_in_ruby_text(
    start: int, end: int, new: str, text: str, base: str, one_run: bool
) -> None:
    inside = ruby(run("bc", "i"))
    parts = (
        [special(f"<w:t>a</w:t>{inside}<w:t>d</w:t>")] if one_run else [run("a"), special(inside), run("d")]
    )
    p = paragraph(*parts)
    texts.replace(p, start, end, new)
    assert texts.text_of(p) == text
    assert words_in(p, "rubyBase") == base
    assert words_in(p, "rt") == ("reading" if base else "")


@pytest.mark.parametrize("level", ["runs", "nodes"])
def test_of_alternatives_only_the_first_is_text(level: str) -> None:
    both = alternatives(run("bc"), run("old")) if level == "runs" else None
    inner = both or special(alternatives("<w:t>bc</w:t>", "<w:t>old</w:t>"))
    p = paragraph(run("a"), inner, run("d"))
    assert texts.text_of(p) == "abcd"
    texts.replace(p, 2, 4, "X")
    assert texts.text_of(p) == "abX"


@pytest.mark.parametrize(
    ("node", "text"),
    [
        ("<w:t> b </w:t>", "b"),
        ('<w:t xml:space="default"> b </w:t>', "b"),
        ('<w:t xml:space="preserve"> b </w:t>', " b "),
        ("<w:t>b c</w:t>", "b c"),
        ("<w:t> </w:t>", ""),
        ("<w:t>\u00a0b</w:t>", "\u00a0b"),
    ],
)
def test_spaces_at_the_edges_count_only_if_they_are_preserved(node: str, text: str) -> None:
    p = paragraph(run("a"), special(node), run("d"))
    assert texts.text_of(p) == f"a{text}d"
    if text:
        texts.replace(p, 1, 2, "X")
        assert texts.text_of(p) == f"aX{text[1:]}d"
    outer = parse_xml(f"<w:p {nsdecls('w')} xml:space='preserve'>{special('<w:t> b </w:t>')}</w:p>")
    assert texts.text_of(outer) == " b "


# -- edits -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kept"), [("a\r\nb\rc\vd", "a\nb\nc\nd"), ("\x00a\x1fb\ufffe", "ab"), ("\ud800x", "x")]
)
def test_what_a_paragraph_cannot_hold_is_made_legal(text: str, kept: str) -> None:
    p = paragraph(run("[]"))
    texts.replace(p, 1, 1, text)
    assert texts.text_of(p) == f"[{kept}]"
    etree.fromstring(etree.tostring(p))


def test_spaces_at_the_edges_are_preserved_in_the_file() -> None:
    p = paragraph("<w:r><w:t>one two</w:t></w:r>")
    texts.isolate(p, 4, 7)
    assert [t.text for t in p.iter(W_T)] == ["one ", "two"]
    assert next(p.iter(W_T)).get("{http://www.w3.org/XML/1998/namespace}space") == "preserve"


@pytest.mark.parametrize(
    ("at", "inside"), [(0, False), (1, False), (2, True), (3, False)]
)  # "a", then "bc" in a link or field, then "d"
@pytest.mark.parametrize("wrapper", [LINK, FIELD])
def test_text_typed_at_the_edge_of_a_link_or_field_is_outside(at: int, inside: bool, wrapper: str) -> None:
    p = paragraph(run("a"), within(wrapper, run("bc")), run("d"))
    texts.replace(p, at, at, "X")
    assert texts.text_of(p) == "abcd"[:at] + "X" + "abcd"[at:]
    found = next(e for e in p.iter(W + "hyperlink", W + "fldSimple"))
    assert ("X" in "".join(t.text or "" for t in found.iter(W_T))) is inside


@pytest.mark.parametrize(("at", "inside"), [(0, False), (1, False), (2, True), (3, False)])
@pytest.mark.parametrize("mark", ["", '<w:bookmarkEnd w:id="1"/>'])
def test_text_typed_at_the_edge_of_a_complex_field_is_outside(at: int, inside: bool, mark: str) -> None:
    whole = special(BEGIN) + code("REF x") + special(SEPARATE) + mark + run("bc") + mark + special(END)
    p = paragraph(whole, run("d")) if at == 0 else paragraph(run("a"), whole, run("d"))
    texts.replace(p, at, at, "X")
    text = "bcd" if at == 0 else "abcd"
    assert texts.text_of(p) == text[:at] + "X" + text[at:]
    order = [e.get(W + "fldCharType") or e.text for e in p.iter(W + "fldChar", W_T) if e.tag != W_T or e.text]
    between = order[order.index("separate") : order.index("end")]
    assert ("X" in "".join(map(str, between))) is inside


def test_text_typed_behind_nested_fields_and_links_is_behind_all_of_them() -> None:
    inner = special(BEGIN) + code("REF x") + special(SEPARATE) + run("b") + special(END)
    p = paragraph(special(BEGIN), code("IF"), special(SEPARATE), inner, special(END), run("c"))
    texts.replace(p, 1, 1, "X")
    assert [e.text or "end" for e in p.iter(W_T, W + "fldChar") if e.get(W + "fldCharType", "end") == "end"] == [
        "b", "end", "end", "X", "c"
    ]  # fmt: skip
    p = paragraph(within(FIELD, within(LINK, run("b"))), run("c"))
    texts.replace(p, 1, 1, "X")
    assert words_in(p, "fldSimple") == "b"


def test_a_result_of_which_all_words_are_taken_out_keeps_a_run() -> None:
    p = paragraph(special(BEGIN), code("REF x"), special(SEPARATE), run("bc", "b"), special(END), run("d"))
    texts.replace(p, 0, 2, "")
    assert texts.text_of(p) == "d"
    assert len(list(p.iter(W_R))) == 6


def test_text_next_to_a_deletion_is_outside_of_it_and_over_an_insertion_stays_tracked() -> None:
    gone = "<w:del w:id='1' w:author='A'><w:r><w:delText>gone</w:delText></w:r></w:del>"
    p = paragraph(run("a"), gone, within("w:ins w:id='2' w:author='A'", run("bc")), gone, run("d"))
    for start, end in ((1, 2), (0, 1), (3, 4)):
        texts.replace(p, start, end, "X")
    assert texts.text_of(p) == "XXcX"
    assert words_in(p, "del") == ""
    assert words_in(p, "ins") == "Xc"
    texts.replace(p, 0, 4, "-")
    assert texts.text_of(p) == "-"
    assert not list(p.iter(W + "ins"))
    assert [e.text for e in p.iter(W + "delText")] == ["gone", "gone"]


def test_wrappers_that_are_left_empty_go_from_the_inside_out() -> None:
    p = paragraph(run("a"), within("w:ins w:id='2' w:author='A'", within(LINK, run("bc"))), run("d"))
    texts.replace(p, 1, 3, "")
    assert texts.text_of(p) == "ad"
    assert not list(p.iter(W + "ins", W + "hyperlink"))


def test_text_typed_into_an_empty_line_looks_like_its_mark_and_is_not_tracked_like_it() -> None:
    p = paragraph(
        "<w:pPr><w:rPr><w:ins w:id='1' w:author='A'/><w:b/></w:rPr></w:pPr>", special("<w:drawing/>")
    )
    texts.replace(p, 0, 0, "X")
    (made, drawn) = p.iterchildren(W_R)
    assert [e.tag.rpartition("}")[2] for e in made.iter()] == ["r", "rPr", "b", "t"]
    assert len(drawn) == 1


# -- what people see as one character ----------------------------------------------------------------------------------

ACCENTED, FAMILY, THUMB = "e\u0301", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f44d\U0001f3fd"


@pytest.mark.parametrize(
    ("text", "needle", "found"),
    [
        (f"caf{ACCENTED} cafe", "cafe", ["cafe"]),
        (f"caf{ACCENTED}", "caf\u00e9", [f"caf{ACCENTED}"]),
        ("caf\u00e9", f"caf{ACCENTED}", ["caf\u00e9"]),
        (f"{FAMILY} \U0001f468", "\U0001f468", ["\U0001f468"]),
        (f"{THUMB} \U0001f44d", "\U0001f44d", ["\U0001f44d"]),
        (THUMB, THUMB, [THUMB]),
        ("\U0001f1e9\U0001f1ea", "\U0001f1ea", []),
        ("\u0915\u093f", "\u0915", []),
        ("\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd", "\u05e2\u05d5\u05dc\u05dd", ["\u05e2\u05d5\u05dc\u05dd"]),
        ("co\u00adoperate", "cooperate", ["co\u00adoperate"]),
        ("co\u00adoperate", "co\u00adop", ["co\u00adop"]),
        ("a\r\nb", "\n", ["\n"]),
    ],
)  # fmt: skip
def test_what_is_found_is_whole_characters(text: str, needle: str, found: list[str]) -> None:
    assert [text[a:b] for a, b in texts.find_all(text, needle)] == found


def test_a_letter_with_a_combining_accent_is_part_of_its_word() -> None:
    assert texts.find_all(f"{ACCENTED}cole cole", "cole", whole_word=True) == [(7, 11)]
    assert texts.find_all(f"caf{ACCENTED}s", f"caf{ACCENTED}", whole_word=True) == []


def test_an_emoji_in_the_notation_of_word_can_be_split_and_stays_whole() -> None:
    p = paragraph(run("a"), special(alternatives("<w:t>xy</w:t>", "<w:t>old</w:t>")), run("b"))
    assert len(texts.isolate(p, 1, 2)) == 1
    assert texts.text_of(p) == "axyb"


def test_a_link_of_which_all_words_are_deleted_goes_and_one_with_a_picture_stays() -> None:
    p = paragraph(run("a"), within(LINK, run("bc")), within(LINK, run("d"), special("<w:drawing/>")))
    texts.replace(p, 1, 4, "")
    assert texts.text_of(p) == "a"
    assert len(list(p.iter(W + "hyperlink"))) == 1
    assert len(list(p.iter(W + "drawing"))) == 1


def test_what_has_no_width_stays_when_the_text_around_it_is_replaced() -> None:
    marks = '<w:bookmarkStart w:id="1" w:name="x"/>', '<w:bookmarkEnd w:id="1"/>'
    note = special('<w:footnoteReference w:id="2"/>')
    p = paragraph(run("ab"), marks[0], run("cd", "b"), note, marks[1], run("ef"))
    texts.replace(p, 1, 5, "-")
    assert texts.text_of(p) == "a-f"
    for name in ("bookmarkStart", "bookmarkEnd", "footnoteReference"):
        assert len(list(p.iter(W + name))) == 1


# -- finding ---------------------------------------------------------------------------------------------------------


@given(st.text(max_size=40), st.text(min_size=1, max_size=4), st.booleans(), st.booleans())
def test_what_is_found_is_there(text: str, needle: str, match_case: bool, whole_word: bool) -> None:
    found = texts.find_all(text, needle, match_case=match_case, whole_word=whole_word)
    assert found == sorted(found)
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(found))
    for start, end in found:
        if match_case and not re.search("['\"\\- ]", needle):
            assert text[start:end] == needle
    if match_case and not whole_word and needle in text and text.isascii():
        assert found


# -- results of fields -------------------------------------------------------------------------------------------------


def test_the_results_of_fields_are_known_with_their_codes() -> None:
    inner = within(FIELD, run("cd"))
    nested = special(BEGIN) + code("IF ") + field("PAGE", "7") + code("1") + special(SEPARATE)
    p = paragraph(
        run("a"), nested, run("b"), inner, special(END), run("e"), special(BEGIN), code("XE"), special(END)
    )
    assert sorted(field_results(p)) == [(1, 4, "IF 1"), (2, 4, "PAGE")]
    gone = f"<w:del w:id='1' w:author='A'>{special(END)}</w:del>"
    p = paragraph(special(BEGIN), code("REF x"), special(SEPARATE), run("ab"), gone, run("c"), special(END))
    assert list(field_results(p)) == [(0, 3, "REF x")]
    assert list(field_results(paragraph(run("a")))) == []
