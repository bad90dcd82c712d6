"""Text of the footer. Word: `w:footerReference` of a section; Office.js `Section.getFooter` (WordApi 1.1)."""

from __future__ import annotations

from collections.abc import Iterable

from agent.document.editor import Editor
from agent.document.mirror import Mirror
from agent.errors import InvalidValue, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, Result, operation
from agent.operations.expectations import Effect
from agent.operations.specimens import doc, footer, p, section, title
from agent.operations.structure._story_text import StoryText, set_text, text_effects


class SetFooter(StoryText):
    pass


@operation(
    Intent.STRUCTURE,
    phrasings=[
        "put 'Confidential' in the footer",
        "add a footer saying Acme Inc, all rights reserved",
        "set the page footer to the company address",
        "change the footer to 'Version 2'",
        "the footer of every page should read Internal",
        "write the phone number at the bottom of every page",
        "on the first page the footer should say Draft",
        "remove the text of the footer",
        "right-align 'Project plan' in the footer",
        "add a second line to the footer",
        "even pages need the footer 'Left page'",
    ],
    examples=[
        Example(
            "Put 'Acme Inc' in the footer",
            doc(title("Report"), p("Revenue grew.")),
            {"text": "Acme Inc"},
            result="The footer now reads 'Acme Inc'; nothing else changed.",
        ),
        Example(
            "Change the footer to 'Version 2', right-aligned",
            doc(footer("Version 1"), p("Revenue grew.")),
            {"text": "Version 2", "alignment": "right"},
            result=(
                "Paragraph 'Version 1' in the footer now says '2' instead of '1' and is now right-aligned; nothing else changed."
            ),
        ),
        Example(
            "Remove the text of the footer",
            doc(footer("Version 1"), p("Revenue grew.")),
            {"text": ""},
            result="Paragraph 'Version 1' in the footer is now empty; nothing else changed.",
        ),
        Example(
            "Put 'Last part' in the footer of the section with the costs",
            doc(footer("All"), p("Revenue grew."), section(), p("Costs fell.")),
            {"text": "Last part", "target": {"text": "Costs fell"}},
            result="Paragraph 'All' in the footer now reads 'Last part'; nothing else changed.",
        ),
        Example(
            "Put 'Draft' in the footer of the section Appendix",
            doc(p("Revenue grew.")),
            {"text": "Draft", "target": {"section": "Appendix"}},
            raises=TargetNotFound,
        ),
        Example(
            "Put 'Draft' in the footer of the last page",
            doc(p("Revenue grew.")),
            {"text": "Draft", "kind": "last"},
            raises=InvalidValue,
        ),
    ],
    touches=["footers", "styles", "settings"],
)
def set_footer(editor: Editor, params: SetFooter) -> Result:
    """Write the text of the footer, on all pages, on the first page only, or on even pages.

    Pictures, text boxes and page numbers that are in it stay. Sections that take the footer over from the one before show it too.
    """
    return set_text(editor, params, "footer")


@set_footer.effects
def _(mirror: Mirror, params: SetFooter) -> Iterable[Effect]:
    yield from text_effects(mirror, params, "footer")
