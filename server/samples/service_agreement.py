"""The sample "Service agreement": a template with clauses, placeholders and an annex on a page of its own."""

from __future__ import annotations

from docx import Document
from docx.document import Document as DocumentObject
from docx.enum.section import WD_ORIENT, WD_SECTION
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.shared import Cm

from server.samples.parts import (
    add_clause_numbering,
    add_field,
    add_footnote_reference,
    add_footnotes,
    fill_row,
    make_list_item,
    repeat_header,
    set_base_styles,
)

DEFINITIONS = (
    ("Term", "Meaning"),
    ("Services", "The work described in the Annex, and whatever the parties add to it in writing."),
    ("Fee", "The amount of [FEE] per month, without value added tax."),
    ("Business Day", "A day other than a Saturday, a Sunday or a public holiday at the seat of the Client."),
    (
        "Confidential Information",
        "All information of a party that is marked as confidential or is so by its nature.",
    ),
)

CLAUSES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "Services",
        (
            "The Provider renders the Services to [CLIENT NAME] from [START DATE] with due skill and care.",
            "The Provider may use subcontractors and answers for their work as for its own.",
        ),
    ),
    (
        "Fee and payment",
        (
            "[CLIENT NAME] pays the Fee within thirty days of the date of the invoice.",
            "If a payment is late, interest is due at the statutory rate.",
        ),
    ),
    (
        "Confidentiality",
        (
            "Each party keeps the Confidential Information secret and uses it for this Agreement only.",
            "This duty ends three years after the end of this Agreement.",
        ),
    ),
    (
        "Term and termination",
        (
            "This Agreement begins on [START DATE] and runs for an indefinite time.",
            "Either party may end it by written notice of three months to the end of a month.",
        ),
    ),
    ("Governing law", ("This Agreement is governed by the law of [JURISDICTION].",)),
)

REASONS = (
    "the other party does not pay in spite of a reminder;",
    "insolvency proceedings are opened against it.",
)

SERVICES = (
    ("No.", "Service", "Description", "Response time", "Monthly hours"),
    ("1", "Help desk", "Answers to questions of users by telephone and e-mail", "4 hours", "40"),
    ("2", "Maintenance", "Updates of the systems outside business hours", "2 Business Days", "16"),
    ("3", "Reporting", "A written report on availability and open matters", "5 Business Days", "4"),
)


def build() -> DocumentObject:
    """The document, not yet saved."""
    document = Document()
    set_base_styles(document)
    number = add_clause_numbering(document)
    section = document.sections[0]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = section.top_margin = section.bottom_margin = Cm(2.5)
    section.header.paragraphs[0].text = "Service Agreement\t\tDraft of [DATE]"
    footer = section.footer.paragraphs[0]
    footer.alignment = WD_ALIGN_PARAGRAPH.CENTER
    add_field(footer, "PAGE", "1")

    title = document.add_paragraph("Service Agreement", style="Title")
    title.alignment = WD_ALIGN_PARAGRAPH.CENTER
    document.add_paragraph("between Harbour & Finch Ltd (the “Provider”) and [CLIENT NAME] (the “Client”)")
    document.add_paragraph("The parties agree as follows.")

    document.add_paragraph("Definitions", style="Clause Heading")
    document.add_paragraph("In this Agreement the following words have these meanings:", style="Clause")
    _table(document, DEFINITIONS, (Cm(4.5), Cm(11.5)))
    for heading, paragraphs in CLAUSES:
        document.add_paragraph(heading, style="Clause Heading")
        for text in paragraphs:
            paragraph = document.add_paragraph(text, style="Clause")
            if "statutory rate" in text:
                add_footnote_reference(paragraph, 1)
        if heading == "Term and termination":
            document.add_paragraph("Either party may end it at once if", style="Clause")
            for reason in REASONS:
                make_list_item(document.add_paragraph(reason), number, 2)
    add_footnotes(document, ["At present nine percentage points above the base rate of the central bank."])

    document.add_paragraph()
    document.add_paragraph("Signed for the Provider: ____________________\tDate: ____________")
    document.add_paragraph("Signed for [CLIENT NAME]: ____________________\tDate: ____________")

    annex = document.add_section(WD_SECTION.NEW_PAGE)
    annex.orientation = WD_ORIENT.LANDSCAPE
    annex.page_width, annex.page_height = Cm(29.7), Cm(21)
    document.add_heading("Annex: Services", level=1)
    document.add_paragraph("The Provider renders these services each month:")
    _table(document, SERVICES, (Cm(1.5), Cm(4), Cm(10.5), Cm(4.5), Cm(4)))
    document.add_paragraph()
    return document


def _table(document: DocumentObject, rows: tuple[tuple[str, ...], ...], widths: tuple[Cm, ...]) -> None:
    table = document.add_table(rows=len(rows), cols=len(widths), style="Table Grid")
    table.autofit = False
    repeat_header(table)
    for row, texts in zip(table.rows, rows, strict=True):
        fill_row(row.cells, texts)
        for cell, width in zip(row.cells, widths, strict=True):
            cell.width = width
    for column, width in zip(table.columns, widths, strict=True):
        column.width = width
    for cell in table.rows[0].cells:
        cell.paragraphs[0].runs[0].bold = True
