"""Alignment of paragraphs. Word: `w:jc` in `w:pPr`; Office.js `Paragraph.alignment` (WordApi 1.1); absent means inherited."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from agent.document.editor import Editor
from agent.document.mirror import Mirror
from agent.errors import InvalidValue, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import Effect, paragraphs_have
from agent.operations.specimens import doc, h, p, table, title
from agent.operations.targets import ParagraphsTarget, Params
from agent.operations.text_effects import in_notes

_VALUES = {
    "left": "left",
    "center": "center",
    "right": "right",
    "justify": "both",
    "distribute": "distribute",
}


class SetAlignment(Params):
    target: ParagraphsTarget
    """Paragraphs to align; of a table, the paragraphs in its cells."""
    alignment: Literal["left", "center", "right", "justify", "distribute"]
    """How their lines sit between the margins."""


@operation(
    Intent.FORMATTING,
    Intent.TABLE,
    phrasings=[
        "centre the title",
        "align the second paragraph to the right",
        "justify the whole document",
        "left-align all headings",
        "put the heading in the middle of the line",
        "the date should stand on the right",
        "centre the text in all cells of the table",
        "flush left for the address lines",
        "block text for the introduction please",
        "spread the letters of the last line over the whole width",
    ],
    examples=[
        Example(
            "Centre the title",
            doc(title("Report"), p("Revenue grew.")),
            {"target": {"where": "title"}, "alignment": "center"},
            result="Paragraph 'Report' is now centred; nothing else changed.",
        ),
        Example(
            "Justify the section Scope",
            doc(h(1, "Scope"), p("First."), p("Second."), h(1, "Cost"), p("Third.")),
            {"target": {"section": "Scope"}, "alignment": "justify"},
            result="Paragraph 'First.' and paragraph 'Second.' are now justified; nothing else changed.",
        ),
        Example(
            "Right-align the column Amount of the first table",
            doc(table([["Name", "Amount"], ["Rent", "900"]])),
            {"target": {"table": 1, "column": "Amount"}, "alignment": "right"},
            result="Paragraph 'Amount' and paragraph '900' are now right-aligned; nothing else changed.",
        ),
        Example(
            "Centre the heading Appendix",
            doc(h(1, "Scope"), p("First.")),
            {"target": {"heading": "Appendix"}, "alignment": "center"},
            raises=TargetNotFound,
        ),
        Example(
            "Align the title in the middle",
            doc(title("Report")),
            {"target": {"where": "title"}, "alignment": "middle"},
            raises=InvalidValue,
        ),
    ],
    touches=["headers", "footers", "notes"],
)
def set_alignment(editor: Editor, params: SetAlignment) -> None:
    """Set how the lines of paragraphs sit between the margins."""
    for block in params.target.ids or ():
        editor.set_property(editor.ppr(editor.element(block)), "jc", {"val": _VALUES[params.alignment]})


@set_alignment.effects
def _(mirror: Mirror, params: SetAlignment) -> Iterable[Effect]:
    effect = paragraphs_have(params.target.ids or (), {"alignment": _VALUES[params.alignment]})
    yield effect
    yield from in_notes(mirror, params.target.ids or (), effect.covers)
