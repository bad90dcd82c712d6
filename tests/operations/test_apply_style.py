from __future__ import annotations

from pathlib import Path

import pytest

from agent.document import text as texts
from agent.document.mirror import Mirror
from agent.document.names import W_P, W_VAL, W
from agent.document.styles import find_style, style_name, styles_root
from agent.errors import InvalidValue
from agent.operations.specimens import doc, h, p
from tests.corpus import manifest
from tests.operations.test_set_text_style import first, with_paragraph
from tests.operations.trial import attempt


def without_style(name: str) -> Mirror:
    """A document whose styles.xml lacks a built-in style, as most files lack those that they do not use."""
    mirror = Mirror.open(doc(p("One."))())
    root = styles_root(mirror)
    assert root is not None
    style = next(s for s in root.iterchildren(W + "style") if s.find(W + "name").get(W_VAL) == name)
    root.remove(style)
    mirror._dirty.add("/word/styles.xml")  # pyright: ignore[reportPrivateUsage]
    return Mirror.open(mirror.save())


@pytest.mark.parametrize(
    ("name", "kind"), [("Quote", "paragraph"), ("heading 3", "paragraph"), ("Strong", "character")]
)
def test_a_built_in_style_that_the_file_lacks_is_made(name: str, kind: str) -> None:
    mirror = without_style(name)
    assert find_style(mirror, name, kind) is None
    attempt(mirror, "apply_style", {"target": {"paragraph": 1}, "style": name.upper()})
    assert find_style(mirror, name, kind) is not None


def test_cleared_are_looks_and_not_numbers_notes_or_section_breaks() -> None:
    mirror = with_paragraph(
        '<w:pPr><w:pStyle w:val="ListNumber"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:jc w:val="center"/>'
        '<w:rPr><w:b/></w:rPr></w:pPr><w:r><w:rPr><w:b/><w:sz w:val="40"/><w:lang w:val="de-DE"/></w:rPr><w:t>word</w:t></w:r>'
        '<w:r><w:rPr><w:rStyle w:val="Strong"/><w:color w:val="FF0000"/></w:rPr><w:t> loud</w:t></w:r>'
    )
    attempt(mirror, "apply_style", {"target": {"text": "word"}, "style": "Heading 2", "clear_direct": True})
    assert [c.tag for c in first(mirror).find(f"{W}pPr")] == [W + "pStyle", W + "numPr"]
    plain, loud = first(mirror).findall(W + "r")
    assert [c.tag for c in plain.find(W + "rPr")] == [W + "lang"]
    assert [c.tag for c in loud.find(W + "rPr")] == [W + "rStyle"]


def test_direct_formatting_stays_unless_it_is_to_go() -> None:
    mirror = with_paragraph(
        '<w:pPr><w:jc w:val="center"/></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t>word</w:t></w:r>'
    )
    attempt(mirror, "apply_style", {"target": {"paragraph": 1}, "style": "Quote"})
    assert first(mirror).find(f"{W}pPr/{W}jc") is not None
    assert first(mirror).find(f"{W}r/{W}rPr/{W}b") is not None


def test_a_table_style_leads_to_the_operation_for_tables() -> None:
    mirror = Mirror.open(doc(p("x"))())
    with pytest.raises(InvalidValue, match="set_table_style"):
        attempt(mirror, "apply_style", {"target": {"paragraph": 1}, "style": "Light Grid"})


def test_an_empty_paragraph_can_have_a_style() -> None:
    mirror = Mirror.open(doc(p(""), h(1, "Scope"))())
    attempt(mirror, "apply_style", {"target": {"ids": [mirror.body_blocks()[0]]}, "style": "Quote"})
    assert first(mirror).find(f"{W}pPr/{W}pStyle").get(W_VAL) == "Quote"


@pytest.mark.parametrize("path", [row.path for row in manifest()], ids=lambda path: path.name)
def test_documents_by_others_take_headings_whatever_their_style_ids(path: Path) -> None:
    mirror = Mirror.open(path.read_bytes())
    written = [x for x in mirror.body.iter(W_P) if mirror.id_of(x) and texts.text_of(x).strip()]
    if styles_root(mirror) is None or not written:
        pytest.skip("no styles or no text")
    block = mirror.id_of(written[-1]) or ""
    attempt(mirror, "apply_style", {"target": {"ids": [block]}, "style": "Heading 4", "clear_direct": True})
    style = mirror.element(block).find(f"{W}pPr/{W}pStyle")
    assert style_name(mirror, style.get(W_VAL)) == "Heading 4"
