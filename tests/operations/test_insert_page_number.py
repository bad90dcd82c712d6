from __future__ import annotations

from pathlib import Path

import pytest

from agent.document.mirror import Mirror
from agent.document.names import W_P, W
from agent.document.sections import content, sections_of
from agent.errors import InvalidValue, PreconditionFailed
from agent.operations.specimens import doc, footer, p, section
from agent.operations.structure._stories import field_codes
from tests.corpus import manifest
from tests.operations.test_set_header import PAGE, lines, with_header
from tests.operations.trial import attempt


def test_a_field_has_a_result_between_its_marks() -> None:
    mirror = Mirror.open(doc(p("One."))())
    attempt(mirror, "insert_page_number", {"pattern": "Page {page} of {NumPages}"})
    root = content(mirror, sections_of(mirror)[0], "footer", "default")
    paragraph = next(root.iter(W_P))
    kinds = [
        m.get(W + "fldCharType") if m.tag == W + "fldChar" else m.text
        for r in paragraph.iter(W + "r")
        for m in r
        if m.tag in (W + "fldChar", W + "t", W + "instrText")
    ]
    assert kinds == [
        "Page ", "begin", " PAGE ", "separate", "1", "end", " of ", "begin", " NUMPAGES ", "separate", "1", "end",
    ]  # fmt: skip


def test_a_second_page_number_is_refused() -> None:
    mirror = Mirror.open(doc(p("One."))())
    attempt(mirror, "insert_page_number", {})
    with pytest.raises(PreconditionFailed, match="numbered already"):
        attempt(mirror, "insert_page_number", {"pattern": "Page {PAGE}"}, key="10")


def test_a_page_number_in_a_content_control_counts() -> None:
    mirror = with_header(f"<w:sdt><w:sdtPr/><w:sdtContent><w:p>{PAGE}</w:p></w:sdtContent></w:sdt>")
    with pytest.raises(PreconditionFailed):
        attempt(mirror, "insert_page_number", {"position": "header"})
    attempt(mirror, "insert_page_number", {"position": "footer"})


def test_text_in_the_footer_stays_and_an_empty_line_is_used() -> None:
    mirror = Mirror.open(doc(footer("Acme"), p("One."))())
    attempt(mirror, "insert_page_number", {"alignment": "right"})
    assert lines(mirror, story="footer") == ["Acme", "1"]
    empty = with_header("<w:p/>")
    attempt(empty, "insert_page_number", {"position": "header"})
    assert lines(empty) == ["1"]


def test_one_footer_serves_the_sections_that_take_it_over() -> None:
    mirror = Mirror.open(doc(p("One."), section(), p("Two."))())
    attempt(mirror, "insert_page_number", {"target": {"text": "Two."}})
    assert lines(mirror, 1, story="footer") == ["1"]
    assert content(mirror, sections_of(mirror)[1], "footer", "default") is None


def test_unknown_fields_are_named() -> None:
    with pytest.raises(InvalidValue, match="NUMPAGES"):
        attempt(Mirror.open(doc(p("One."))()), "insert_page_number", {"pattern": "{PAGE} {DATE}"})


@pytest.mark.parametrize("path", [row.path for row in manifest()], ids=lambda path: path.name)
def test_documents_by_others_get_numbered(path: Path) -> None:
    mirror = Mirror.open(path.read_bytes())
    if not mirror.body_blocks():
        pytest.skip("no blocks")
    root = content(mirror, sections_of(mirror)[0], "footer", "default")
    numbered = root is not None and any(c.split()[0] == "PAGE" for c in field_codes(root) if c)
    params = {
        "pattern": "{PAGE} / {NUMPAGES}",
        "alignment": "right",
        "target": {"ids": [mirror.body_blocks()[0]]},
    }
    if numbered:
        with pytest.raises(PreconditionFailed):
            attempt(mirror, "insert_page_number", params)
    else:
        attempt(mirror, "insert_page_number", params)
