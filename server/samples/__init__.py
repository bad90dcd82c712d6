"""Documents that ship with Stet, for those who have none at hand. `python -m server.samples.make` writes."""

from __future__ import annotations

from pathlib import Path

from server.protocol import SampleView

FOLDER = Path(__file__).parent

_SAMPLES = (
    SampleView(
        id="quarterly-report",
        name="Quarterly report.docx",
        description="Headings, lists, a table, a chart as a picture, a link and a comment",
    ),
    SampleView(
        id="service-agreement",
        name="Service agreement.docx",
        description="Numbered clauses, placeholders to fill in, definitions, a landscape annex, a footnote",
    ),
)


def listed() -> list[SampleView]:
    """All samples."""
    return list(_SAMPLES)


def find(sample: str) -> SampleView | None:
    """The sample of that id."""
    return next((view for view in _SAMPLES if view.id == sample), None)


def read(sample: SampleView) -> bytes:
    """The document itself."""
    return (FOLDER / f"{sample.id}.docx").read_bytes()
