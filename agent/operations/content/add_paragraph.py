"""New paragraphs. Word: `w:p`; Office.js `Paragraph.insertParagraph` (WordApi 1.1), which takes the look of the one beside it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from pydantic import field_validator

from agent.document import marks
from agent.document.editor import Editor
from agent.document.mirror import Mirror
from agent.document.records import Paragraph
from agent.document.text import legal
from agent.errors import InvalidValue, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import Effect, may_add_styles
from agent.operations.looks import body_text_near
from agent.operations.resolver import Resolver
from agent.operations.specimens import bullets, doc, h, p, table, title
from agent.operations.targets import Params, Place
from agent.operations.text_effects import paragraphs_inserted


class AddParagraph(Params):
    place: Place
    """Where it goes. Under a heading: `after` its `heading` (first there) or its `section` (last there)."""
    text: str
    """What it says. A line break starts another paragraph."""
    style: str | None = None
    """Name of a paragraph style, such as "Quote"; leave out to look like the text around it."""
    like_neighbour: bool = True
    """Without `style`: look like the body text nearby; false gives the document's plain default."""
    marks: bool = True
    """Whether **bold** and *italic* in the text become formatting; false keeps the asterisks."""

    @field_validator("text")
    @classmethod
    def _has_words(cls, text: str) -> str:
        if not text.strip():
            raise ValueError("is empty; an added paragraph says something")
        return legal(text)


@operation(
    Intent.CONTENT_CREATION,
    phrasings=[
        "add a paragraph at the end saying that the figures are preliminary",
        "write a short intro under the heading Background",
        "insert a sentence below the table",
        "put a closing paragraph before the signature",
        "add the text 'All rights reserved' at the bottom",
        "start the document with a one-line summary",
        "append a note after the last paragraph",
        "add two paragraphs about the budget to the section Costs",
        "new paragraph after the introduction: we met on Monday",
        "put a disclaimer above the appendix",
    ],
    examples=[
        Example(
            "Add 'Costs fell as well.' after the first paragraph",
            doc(title("Report"), p("Revenue grew."), p("Outlook is good.")),
            {"place": {"after": {"paragraph": 1}}, "text": "Costs fell as well."},
            result="The paragraph 'Costs fell as well.' was added; nothing else changed.",
        ),
        Example(
            "Under Summary add two paragraphs, the word 'first' bold in the second",
            doc(h(1, "Summary"), p(("We sold more.", {"italic": True})), h(1, "Next")),
            {
                "place": {"after": {"section": "Summary"}},
                "text": "It was a good year.\nIt was the **first** one.",
            },
            result=(
                "2 paragraphs were added: 'It was a good year.' and 'It was the first one.'; nothing else changed."
            ),
        ),
        Example(
            "End the document with the quote 'Less is more.'",
            doc(p("Design matters."), bullets("one", "two")),
            {"place": {"at": "end"}, "text": "Less is more.", "style": "Quote"},
            result="The paragraph 'Less is more.' was added; nothing else changed.",
        ),
        Example(
            "Write 'Source: annual report' below the table",
            doc(p("Figures:"), table([["Year", "Sales"], ["2024", "12"]]), p("We grew.")),
            {"place": {"after": {"table": 1}}, "text": "Source: annual report"},
            result="The paragraph 'Source: annual report' was added; nothing else changed.",
        ),
        Example(
            "Add a line to the section Conclusion",
            doc(h(1, "Introduction"), p("Hello.")),
            {"place": {"after": {"section": "Conclusion"}}, "text": "The end."},
            raises=TargetNotFound,
        ),
        Example(
            "Add an empty paragraph at the end",
            doc(p("Hello.")),
            {"place": {"at": "end"}, "text": "  "},
            raises=InvalidValue,
        ),
    ],
    touches=["styles"],
)
def add_paragraph(editor: Editor, params: AddParagraph) -> None:
    """Add paragraphs at a place in the document.

    They look like the body text around them unless a style is named; in a table cell, like the text of the cell.
    """
    side, anchor = Resolver(editor.mirror).place(params.place)
    style = editor.ensure_style(params.style) if params.style else ""
    like = body_text_near(editor.mirror, side, anchor) if params.like_neighbour and not style else None
    new = []
    for content, stretches in marks.paragraphs(params.text, marks=params.marks):
        paragraph = editor.new_paragraph(content, style=style, like=like)
        editor.emphasise(paragraph, stretches)
        new.append(paragraph)
    editor.place(side, anchor, new)


@add_paragraph.effects
def _(mirror: Mirror, params: AddParagraph) -> Iterable[Effect]:
    side, anchor = Resolver(mirror).place(params.place)
    expected = list(marks.paragraphs(params.text, marks=params.marks))

    def emphasised(_: Mirror, record: Paragraph, number: int) -> str | None:
        for stretch in expected[number][1]:
            cuts = sorted({stretch.start, stretch.end, *(s.start for s in record.spans)})
            for start, _end in pairwise(c for c in cuts if stretch.start <= c <= stretch.end):
                span = next(s for s in record.spans if s.start <= start < s.end)
                if dict(span.properties).get(stretch.format) != "on":
                    return f"'{record.text[stretch.start : stretch.end]}' is not {stretch.format}"
        return None

    yield paragraphs_inserted(
        mirror, side, anchor, [t for t, _ in expected], style=params.style, each=emphasised
    )
    if params.style:
        yield may_add_styles()
