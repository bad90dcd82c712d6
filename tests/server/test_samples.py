"""The documents that ship with Stet."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from docx import Document
from docx.enum.section import WD_ORIENT

from server import samples
from server.samples.make import BUILDERS, main, make


@pytest.mark.parametrize("sample", sorted(BUILDERS))
def test_making_a_sample_twice_gives_the_bytes_that_ship(sample: str) -> None:
    shipped = samples.read(next(view for view in samples.listed() if view.id == sample))
    assert make(sample) == make(sample) == shipped


def test_every_sample_that_is_listed_is_made_by_the_script() -> None:
    assert {view.id for view in samples.listed()} == set(BUILDERS)


def test_the_check_names_a_sample_that_is_not_current(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([], tmp_path) == 0
    assert main(["--check"], tmp_path) == 0
    with (tmp_path / "quarterly-report.docx").open("ab") as file:
        file.write(b" ")
    assert main(["--check"], tmp_path) == 1
    assert "quarterly-report.docx" in capsys.readouterr().err


def test_the_report_has_what_a_request_may_name() -> None:
    document = Document(io.BytesIO(make("quarterly-report")))
    styles = [paragraph.style.name for paragraph in document.paragraphs if paragraph.style]
    assert styles[0] == "Title"
    assert styles.count("Heading 1") == 5
    assert styles.count("List Bullet") == 3
    assert styles.count("List Number") == 3
    assert [cell.text for cell in document.tables[0].rows[0].cells] == [
        "Region",
        "Q2 (kEUR)",
        "Q3 (kEUR)",
        "Change",
    ]
    assert len(document.inline_shapes) == 1
    assert [comment.author for comment in document.comments] == ["M. Finch"]
    assert document.paragraphs[-1].hyperlinks[0].address == "https://example.com/finance/q3"
    assert "Page" in document.sections[0].footer.paragraphs[0].text


def test_the_agreement_has_placeholders_a_footnote_and_a_landscape_annex() -> None:
    document = Document(io.BytesIO(make("service-agreement")))
    text = "\n".join(paragraph.text for paragraph in document.paragraphs)
    assert text.count("[CLIENT NAME]") == 4
    assert text.count("[START DATE]") == 2
    assert [section.orientation for section in document.sections] == [WD_ORIENT.PORTRAIT, WD_ORIENT.LANDSCAPE]
    assert len(document.tables) == 2
    assert document.element.body.xpath("count(.//w:footnoteReference)") == 1
    names = {str(part.partname) for part in document.part.package.iter_parts()}
    assert "/word/footnotes.xml" in names
