from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from docx.oxml import parse_xml

from agent.document.mirror import Mirror
from agent.document.names import NSMAP, W_P, W_VAL, W
from agent.errors import InvalidValue, NoOp
from agent.operations.specimens import doc, h, link, p
from agent.operations.targets import Selection
from tests.corpus import manifest
from tests.operations.trial import attempt

_XMLNS = " ".join(f'xmlns:{prefix}="{NSMAP[prefix]}"' for prefix in ("w", "r"))


def with_paragraph(xml: str) -> Mirror:
    """A document with one paragraph of this content."""
    mirror = Mirror.open(doc(p("x"))())
    old = mirror.body.find(W_P)
    old.addprevious(parse_xml(f"<w:p {_XMLNS}>{xml}</w:p>"))
    mirror.body.remove(old)
    mirror._dirty.add("/word/document.xml")  # pyright: ignore[reportPrivateUsage]
    return Mirror.open(mirror.save())


def style(mirror: Mirror, target: dict[str, Any], **wanted: Any) -> None:
    attempt(mirror, "set_text_style", {"target": target, **wanted})


def first(mirror: Mirror) -> Any:
    return mirror.body.find(W_P)


def test_words_inside_a_run_are_split_off_and_the_rest_keeps_its_format() -> None:
    mirror = Mirror.open(doc(p(("one two three", {"italic": True})))())
    style(mirror, {"text": "two"}, bold=True)
    runs = first(mirror).findall(W + "r")
    assert ["".join(t.text for t in r.iter(W + "t")) for r in runs] == ["one ", "two", " three"]
    assert [r.find(f"{W}rPr/{W}b") is not None for r in runs] == [False, True, False]
    assert all(r.find(f"{W}rPr/{W}i") is not None for r in runs)
    assert first(mirror).find(f"{W}pPr/{W}rPr") is None


def test_a_whole_paragraph_takes_its_mark_along() -> None:
    mirror = Mirror.open(doc(p("one"))())
    style(mirror, {"paragraph": 1}, bold=True, italic=True)
    mark = first(mirror).find(f"{W}pPr/{W}rPr")
    assert [c.tag for c in mark] == [W + "b", W + "i"]


def test_off_is_written_only_where_a_style_turns_it_on() -> None:
    mirror = Mirror.open(doc(h(1, "Scope"), p("plain ", ("bold", {"bold": True})))())
    style(mirror, {"where": "document"}, bold=False)
    heading, plain = mirror.body.findall(W_P)
    assert heading.find(f"{W}r/{W}rPr/{W}b").get(W_VAL) == "0"
    assert next(plain.iter(W + "b"), None) is None
    assert next(plain.iter(W + "rPr"), None) is None, "a format that says nothing is taken out"


def test_off_reaches_what_a_character_style_and_a_table_style_turn_on() -> None:
    mirror = with_paragraph('<w:r><w:rPr><w:rStyle w:val="Strong"/></w:rPr><w:t>loud</w:t></w:r>')
    style(mirror, {"paragraph": 1}, bold=False)
    assert first(mirror).find(f"{W}r/{W}rPr/{W}b").get(W_VAL) == "0"


def test_complex_script_text_takes_the_complex_script_toggle() -> None:
    mirror = with_paragraph("<w:r><w:t>plain </w:t></w:r><w:r><w:rPr><w:rtl/></w:rPr><w:t>שלום</w:t></w:r>")
    style(mirror, {"paragraph": 1}, bold=True)
    latin, hebrew = first(mirror).findall(W + "r")
    assert latin.find(f"{W}rPr/{W}bCs") is None
    assert [c.tag for c in hebrew.find(W + "rPr")] == [W + "b", W + "bCs", W + "rtl"]


def test_caps_and_small_caps_and_the_two_strikes_exclude_each_other() -> None:
    mirror = with_paragraph("<w:r><w:rPr><w:caps/><w:dstrike/></w:rPr><w:t>word</w:t></w:r>")
    style(mirror, {"text": "word"}, small_caps=True, strikethrough=True)
    assert [c.tag for c in first(mirror).find(f"{W}r/{W}rPr")] == [W + "smallCaps", W + "strike"]


def test_the_text_of_a_link_is_formatted_inside_the_link() -> None:
    mirror = Mirror.open(doc(link("See ", "our page", "https://example.com/", " now."))())
    style(mirror, {"text": "page now"}, italic=True)
    found = first(mirror).find(W + "hyperlink")
    assert len(found.findall(W + "r")) == 2
    assert [r.find(f"{W}rPr/{W}i") is not None for r in found.findall(W + "r")] == [False, True]


def test_a_note_reference_stays_raised_when_superscript_is_taken_off() -> None:
    mirror = with_paragraph(
        '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>up</w:t></w:r>'
        '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="1"/></w:r>'
    )
    style(mirror, {"paragraph": 1}, superscript=False)
    text, note = first(mirror).findall(W + "r")
    assert text.find(f"{W}rPr/{W}vertAlign") is None
    assert note.find(f"{W}rPr/{W}vertAlign").get(W_VAL) == "superscript"


def test_a_format_change_mark_stays_last() -> None:
    mirror = with_paragraph(
        '<w:r><w:rPr><w:rPrChange w:id="5" w:author="A"><w:rPr/></w:rPrChange></w:rPr><w:t>word</w:t></w:r>'
    )
    style(mirror, {"text": "word"}, bold=True)
    assert [c.tag for c in first(mirror).find(f"{W}r/{W}rPr")] == [W + "b", W + "rPrChange"]


def test_the_selected_words_are_meant_and_not_their_paragraph() -> None:
    mirror = Mirror.open(doc(p("one two"))())
    block = mirror.body_blocks()[0]
    selection = Selection((block,), "two")
    attempt(mirror, "set_text_style", {"target": {"where": "selection"}, "bold": True}, selection=selection)
    assert [r.find(f"{W}rPr/{W}b") is not None for r in first(mirror).findall(W + "r")] == [False, True]


def test_what_is_so_already_is_no_change_and_nothing_to_do_is_refused() -> None:
    mirror = Mirror.open(doc(p("one"))())
    with pytest.raises(NoOp):
        style(mirror, {"paragraph": 1}, bold=False)
    with pytest.raises(InvalidValue, match="nothing to change"):
        style(mirror, {"paragraph": 1})


def test_an_empty_paragraph_changes_by_its_mark() -> None:
    mirror = with_paragraph("")
    style(mirror, {"ids": [mirror.body_blocks()[0]]}, bold=True)
    assert first(mirror).find(f"{W}pPr/{W}rPr/{W}b") is not None


def test_field_codes_of_a_whole_paragraph_are_formatted_with_it() -> None:
    mirror = with_paragraph(
        '<w:r><w:t xml:space="preserve">On </w:t></w:r><w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        '<w:r><w:instrText> DATE </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        '<w:r><w:t>1 May</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    style(mirror, {"paragraph": 1}, italic=True)
    assert all(r.find(f"{W}rPr/{W}i") is not None for r in first(mirror).findall(W + "r"))


@pytest.mark.parametrize("path", [row.path for row in manifest()], ids=lambda path: path.name)
def test_documents_by_others_can_be_made_bold_and_plain_again(path: Path) -> None:
    mirror = Mirror.open(path.read_bytes())
    if not any(t.text for t in mirror.body.iter(W + "t")):
        pytest.skip("no text")
    style(mirror, {"where": "document"}, bold=True, underline=True, strikethrough=False)
    style(mirror, {"where": "document"}, bold=False, underline=False)
