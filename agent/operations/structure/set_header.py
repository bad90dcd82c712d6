"""Text of the header. Word: `w:headerReference` of a section; Office.js `Section.getHeader` (WordApi 1.1)."""

from __future__ import annotations

from collections.abc import Iterable

from agent.document.editor import Editor
from agent.document.mirror import Mirror
from agent.errors import InvalidValue, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, Result, operation
from agent.operations.expectations import Effect
from agent.operations.specimens import doc, header, p, section, title
from agent.operations.structure._story_text import StoryText, set_text, text_effects


class SetHeader(StoryText):
    pass


@operation(
    Intent.STRUCTURE,
    phrasings=[
        "put 'Confidential' in the header",
        "add a header saying Annual report 2026",
        "set the page header to the company name",
        "change the header to 'Draft'",
        "the header of every page should read Acme Inc",
        "write 'Internal use only' at the top of every page",
        "on the first page the header should say Welcome",
        "remove the text of the header",
        "centre 'Project plan' in the header",
        "add a second line with the date to the header",
        "even pages need the header 'Chapter 1'",
    ],
    examples=[
        Example(
            "Put 'Confidential' in the header, centred",
            doc(title("Report"), p("Revenue grew.")),
            {"text": "Confidential", "alignment": "center"},
            result="The header now reads 'Confidential'; nothing else changed.",
        ),
        Example(
            "Change the header to 'Globex Inc'",
            doc(header("Acme Inc"), p("Revenue grew.")),
            {"text": "Globex Inc"},
            result="Paragraph 'Acme Inc' in the header now says 'Globex' instead of 'Acme'; nothing else changed.",
        ),
        Example(
            "Add the line 'Draft' to the header",
            doc(header("Acme Inc"), p("Revenue grew.")),
            {"text": "Draft", "mode": "append"},
            result="The paragraph 'Draft' in the header was added; nothing else changed.",
        ),
        Example(
            "The first page should have the header 'Welcome'",
            doc(header("Acme Inc"), p("Revenue grew."), section(), p("Costs fell.")),
            {"text": "Welcome", "kind": "first"},
            result=(
                "The page layout of the first section has separate headers and footers on its first page; "
                "the first-page header now reads 'Welcome'; nothing else changed."
            ),
        ),
        Example(
            "Even pages get the header 'Chapter 1'",
            doc(p("Revenue grew.")),
            {"text": "Chapter 1", "kind": "even"},
            result=(
                "The even-page header now reads 'Chapter 1'; even pages now have headers and footers of their own; "
                "nothing else changed."
            ),
        ),
        Example(
            "Put 'Draft' in the header of the section Appendix",
            doc(p("Revenue grew.")),
            {"text": "Draft", "target": {"section": "Appendix"}},
            raises=TargetNotFound,
        ),
        Example(
            "Put 'Draft' in the header of the last page",
            doc(p("Revenue grew.")),
            {"text": "Draft", "kind": "last"},
            raises=InvalidValue,
        ),
    ],
    touches=["headers", "styles", "settings"],
)
def set_header(editor: Editor, params: SetHeader) -> Result:
    """Write the text of the header, on all pages, on the first page only, or on even pages.

    Pictures, text boxes and page numbers that are in it stay. Sections that take the header over from the one before show it too.
    """
    return set_text(editor, params, "header")


@set_header.effects
def _(mirror: Mirror, params: SetHeader) -> Iterable[Effect]:
    yield from text_effects(mirror, params, "header")
