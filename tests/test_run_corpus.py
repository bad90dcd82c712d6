"""Documents by others through the command line: the request is done, nothing else changed, LibreOffice opens the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from docx2python import docx2python
from lxml import etree

from agent.document.mirror import Mirror
from server.cli import main
from tests.corpus import corpus_file
from tests.support.documents import different, members

DOCUMENT = "word/document.xml"


@dataclass(frozen=True)
class Case:
    """A request for a document, what the result must contain, and what it may have touched."""

    file: str
    request: str
    contains: str
    changed: int
    """Body blocks that may differ."""
    added: int
    """Body blocks that may be new."""
    parts: frozenset[str] = frozenset({DOCUMENT})
    """Members of the package that may differ or be new."""


CASES = [
    Case("docx-parse-eval__word_sample.docx", "Add a heading Appendix at the end", "Appendix", 0, 1),
    Case("docx-parse-eval__word_tables.docx", "Shade the header row of the first table light blue", "", 1, 0),
    Case("docx-plus__sample-1.docx", "Make the last paragraph bold", "", 1, 0),
    Case("docx-plus__sample-2.docx", "Add a paragraph at the end saying 'Read and agreed.'", "Read and agreed.", 0, 1),
    Case("ooxml-integrity__base.docx", "Centre the first paragraph", "", 1, 0),
    Case("docx2html__missing_content.docx", "Add a paragraph at the start saying 'Draft for comment.'",
         "Draft for comment.", 0, 1),
    Case("benker__demo.docx", "Add a 2x3 table at the end with the header One, Two, Three", "Three", 0, 2,
         frozenset({DOCUMENT, "word/styles.xml"})),
    Case("python-docx__having-images.docx", "Set the alt text of the first picture to 'A diagram'", "", 1, 0),
    Case("docx-revisions__OXML_TrackChanges_Test.docx", "Justify the last paragraph", "", 1, 0),
    Case("mammoth__strict-format.docx", "Make the first paragraph italic", "", 1, 0),
    Case("pydocx__nested_table_rowspan.docx", "Add a paragraph at the end saying 'End of the table.'", "End of the table.", 0, 1),
    Case("python-docx__sct-section-props.docx", "Set the author of the document to Ann Lee", "", 0, 0,
         frozenset({"docProps/core.xml", "[Content_Types].xml", "_rels/.rels"})),
]  # fmt: skip


@pytest.mark.libreoffice
@pytest.mark.parametrize("case", CASES, ids=lambda c: c.file)
def test_a_request_on_a_document_by_others_is_done_and_nothing_else_changes(
    case: Case, tmp_path: Path, libreoffice: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    source, output = corpus_file(case.file), tmp_path / f"out{Path(case.file).suffix}"
    code = main(["run", str(source), case.request, "-o", str(output), "--planner", "local"])
    said = capsys.readouterr().out
    assert code == 0, said
    before, after = blocks(source), blocks(output)
    assert (before - after).total() <= case.changed, "blocks were lost or changed that nobody asked about"
    assert (after - before).total() <= case.changed + case.added, "blocks are new that nobody asked for"
    assert different(members(source.read_bytes()), members(output.read_bytes())) <= case.parts
    assert different(members(source.read_bytes()), members(output.read_bytes())), "nothing changed"
    if case.contains:
        with docx2python(output) as content:
            assert case.contains in content.text
    assert libreoffice(output).stat().st_size > 1000


def blocks(path: Path) -> Counter[bytes]:
    """The body's blocks in canonical form."""
    mirror = Mirror.open(path.read_bytes(), path.name)
    return Counter(etree.tostring(mirror.element(b), method="c14n") for b in mirror.body_blocks())
