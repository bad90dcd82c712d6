"""The sample "Quarterly report": what an office writes most, with one of each common thing in it."""

from __future__ import annotations

import io
from datetime import UTC, datetime

from docx import Document
from docx.document import Document as DocumentObject
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.shared import Cm, Pt
from docx.text.paragraph import Paragraph

from server.samples.drawing import bar_chart
from server.samples.parts import (
    add_comment_style,
    add_field,
    add_hyperlink,
    fill_row,
    repeat_header,
    set_base_styles,
)

FIGURES = (
    ("Region", "Q2 (kEUR)", "Q3 (kEUR)", "Change"),
    ("North", "412", "455", "+10 %"),
    ("South", "388", "371", "-4 %"),
    ("East", "265", "318", "+20 %"),
    ("West", "301", "344", "+14 %"),
    ("Total", "1,366", "1,488", "+9 %"),
)


def build() -> DocumentObject:
    """The document, not yet saved."""
    document = Document()
    set_base_styles(document)
    _frame(document)

    document.add_paragraph("Quarterly Report", style="Title")
    document.add_paragraph("Third quarter 2026, prepared by the Finance team", style="Subtitle")

    document.add_heading("Introduction", level=1)
    document.add_paragraph(
        "This report covers July to September 2026. All figures are in thousands of euros and not yet audited."
    )

    document.add_heading("Summary", level=1)
    opening = document.add_paragraph(
        "Revenue grew by nine per cent to 1,488 thousand euros, driven by the East and West regions. "
        "Costs rose more slowly than revenue, so that the operating margin improved to 14 per cent."
    )
    document.add_paragraph(
        "The South region fell short of its plan for the second quarter in a row and needs attention."
    )
    _comment(document, opening)
    for point in (
        "Revenue: 1,488 kEUR, up nine per cent on the second quarter",
        "Operating margin: 14 per cent, up from 12",
        "New customers: 63, of whom 41 in the East region",
    ):
        document.add_paragraph(point, style="List Bullet")

    document.add_heading("Revenue by region", level=1)
    document.add_paragraph("The table shows revenue by region before adjustments between the regions.")
    _table(document)
    document.add_paragraph()
    picture = document.add_paragraph()
    picture.alignment = WD_ALIGN_PARAGRAPH.CENTER
    image = io.BytesIO(bar_chart(((83, 91), (78, 74), (53, 64), (60, 69))))
    shape = picture.add_run().add_picture(image, width=Cm(12))
    shape._inline.docPr.set("descr", "Bar chart of revenue by region in the second and third quarter")
    document.add_paragraph("Figure 1: Revenue by region, second and third quarter", style="Caption")

    document.add_heading("Market and customers", level=1)
    document.add_heading("What went well", level=2)
    document.add_paragraph(
        "The new service contracts in the East region were signed earlier than planned. "
        "Customers name the short response times as their main reason."
    )
    document.add_heading("What did not go well", level=2)
    document.add_paragraph(
        "Two large orders in the South region were postponed to next year. "
        "The recruitment of a second account manager there has not been successful yet."
    )

    document.add_heading("Next steps", level=1)
    for step in (
        "Agree on a recovery plan with the South region by the end of November",
        "Hire an account manager for the South region",
        "Prepare the budget for 2027",
    ):
        document.add_paragraph(step, style="List Number")
    closing = document.add_paragraph("The detailed figures are on the ")
    add_hyperlink(closing, "finance pages", "https://example.com/finance/q3")
    closing.add_run(" of the intranet.")
    return document


def _frame(document: DocumentObject) -> None:
    """Page size, header with the firm's name, footer with page numbers."""
    section = document.sections[0]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = Cm(2.5)
    section.top_margin = section.bottom_margin = Cm(2.5)
    section.header.paragraphs[0].text = "Harbour & Finch Ltd\t\tConfidential"
    footer = section.footer.paragraphs[0]
    footer.alignment = WD_ALIGN_PARAGRAPH.CENTER
    footer.add_run("Page ")
    add_field(footer, "PAGE", "1")
    footer.add_run(" of ")
    add_field(footer, "NUMPAGES", "2")


def _table(document: DocumentObject) -> None:
    table = document.add_table(rows=len(FIGURES), cols=4, style="Table Grid")
    repeat_header(table)
    for row, texts in zip(table.rows, FIGURES, strict=True):
        fill_row(row.cells, texts)
        for cell in row.cells[1:]:
            cell.paragraphs[0].alignment = WD_ALIGN_PARAGRAPH.RIGHT
    for row in table.rows:
        for cell in row.cells:
            cell.paragraphs[0].paragraph_format.space_after = Pt(2)
    for cell in table.rows[0].cells:
        cell.paragraphs[0].runs[0].bold = True


def _comment(document: DocumentObject, paragraph: Paragraph) -> None:
    add_comment_style(document)
    comment = document.add_comment(
        paragraph.runs,
        text="Please check the margin with Controlling before this goes out.",
        author="M. Finch",
        initials="MF",
    )
    comment._comment_elm.date = datetime(2026, 10, 12, 9, 30, tzinfo=UTC)
