"""The eight intents of a sub-instruction, one for each group of operations (AutoDW, arXiv 2512.04445).

Standard library only: the operations, the prompts and the training script all read their names from here.
"""

from __future__ import annotations

from enum import StrEnum


class Intent(StrEnum):
    """What a sub-instruction is about. The values are the class labels of the classifier."""

    CONTENT_CREATION = "content_creation"
    CONTENT_MODIFICATION = "content_modification"
    TABLE = "table"
    IMAGE = "image"
    CHART = "chart"
    FORMATTING = "formatting"
    STRUCTURE = "structure"
    LIFECYCLE = "lifecycle"

    @property
    def definition(self) -> str:
        """One sentence that says what belongs to the intent, as prompts and LABELLING.md give it."""
        return DEFINITIONS[self]


DEFINITIONS: dict[Intent, str] = {
    Intent.CONTENT_CREATION: (
        "Put new content into the text: paragraphs, headings, lists, links, footnotes and endnotes, equations "
        "and symbols, fields, text boxes, content controls."
    ),
    Intent.CONTENT_MODIFICATION: (
        "Change, move, sort, clean or delete content that is already there, fill placeholders, and work with "
        "comments and tracked changes."
    ),
    Intent.TABLE: (
        "Anything whose object is a table: insert or convert it, its cells, rows, columns, borders, shading, "
        "style, sorting and formulas."
    ),
    Intent.IMAGE: (
        "Anything whose object is a picture: insert, replace, resize, crop, rotate, wrap or position it, and "
        "give it alternative text."
    ),
    Intent.CHART: (
        "Anything whose object is a chart: insert it, its data, type, title, axes, legend, labels, colours and size."
    ),
    Intent.FORMATTING: (
        "How text and paragraphs look: font, colour, bold and italic, highlight, alignment, indents, spacing, "
        "tab stops, paragraph borders, styles, theme, language."
    ),
    Intent.STRUCTURE: (
        "How the document is built and laid out on pages: page and section breaks, page setup, headers, footers, "
        "page numbers, contents, captions, cross-references, index, numbering and list types, heading levels, watermark."
    ),
    Intent.LIFECYCLE: (
        "The document as a file: create, save, export, merge, split, compare, mail merge, template, properties, "
        "protection, and undo or redo."
    ),
}
