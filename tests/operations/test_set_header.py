from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.oxml import parse_xml

from agent.document import text as texts
from agent.document.mirror import Mirror
from agent.document.names import NSMAP, W_P, W_SECTPR, WP, W
from agent.document.sections import content, has_title_page, owner, sections_of
from agent.errors import NoOp
from agent.operations.specimens import doc, footer, header, p, png, section
from tests.corpus import corpus_file, manifest
from tests.operations.trial import attempt

_XMLNS = " ".join(f'xmlns:{prefix}="{NSMAP[prefix]}"' for prefix in ("w", "r"))
PAGE = (
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r>'
    '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
)

CELL = "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid><w:tr><w:tc><w:tcPr/><w:p>{}</w:p></w:tc></w:tr></w:tbl>"


def with_header(xml: str) -> Mirror:
    """A document whose header has these blocks."""
    document = docx.Document()
    document.add_paragraph("Body.")
    root = document.sections[0].header.part.element
    for child in list(root):
        root.remove(child)
    for child in parse_xml(f"<w:hdr {_XMLNS}>{xml}</w:hdr>"):
        root.append(child)
    buffer = io.BytesIO()
    document.save(buffer)
    return Mirror.open(buffer.getvalue())


def with_logo() -> Mirror:
    document = docx.Document()
    document.add_paragraph("Body.")
    paragraph = document.sections[0].header.paragraphs[0]
    paragraph.add_run("Acme Inc ")
    paragraph.add_run().add_picture(io.BytesIO(png()))
    buffer = io.BytesIO()
    document.save(buffer)
    return Mirror.open(buffer.getvalue())


def lines(mirror: Mirror, number: int = 1, kind: Any = "default", story: Any = "header") -> list[str]:
    root = content(mirror, sections_of(mirror)[number - 1], story, kind)
    return [texts.text_of(q) for q in root.iter(W_P)] if root is not None else []


def test_a_picture_stays_when_the_text_beside_it_is_replaced() -> None:
    mirror = with_logo()
    attempt(mirror, "set_header", {"text": "Globex"})
    assert lines(mirror) == ["Globex"]
    root = content(mirror, sections_of(mirror)[0], "header", "default")
    assert len(list(root.iter(WP + "inline"))) == 1


def test_the_page_number_stays_and_is_told() -> None:
    mirror = with_header(f"<w:p><w:r><w:t>Acme</w:t></w:r></w:p><w:p><w:r><w:t>Page </w:t></w:r>{PAGE}</w:p>")
    done = attempt(mirror, "set_header", {"text": "Globex\nSecond line"})
    assert lines(mirror) == ["Globex", "Second line", "Page 1"]
    assert any("'Page 1' stayed" in w for w in done.warnings)


def test_a_header_with_nothing_but_a_page_number_gets_its_text_in_front() -> None:
    mirror = with_header(f"<w:p>{PAGE}</w:p>")
    attempt(mirror, "set_header", {"text": "Globex"})
    assert lines(mirror) == ["Globex", "1"]


def test_a_table_in_the_header_goes_with_the_text_and_one_with_a_field_stays() -> None:
    mirror = with_header(CELL.format("<w:r><w:t>Old</w:t></w:r>") + "<w:p/>")
    attempt(mirror, "set_header", {"text": ""})
    assert lines(mirror) == [""]
