"""Distance from line to line. Word: `w:spacing` in `w:pPr`; `w:line` is in 240ths of a line with the rule "auto", in
twentieths of a point with "exact" and "atLeast". Office.js `Paragraph.lineSpacing` (WordApi 1.1) knows points only.
"""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import model_validator

from agent.document import units
from agent.document.editor import Editor
from agent.document.mirror import Mirror
from agent.errors import InvalidValue, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import Effect, paragraphs_have
from agent.operations.specimens import doc, h, p, table
from agent.operations.targets import ParagraphsTarget, Params
from agent.operations.text_effects import in_notes


class SetLineSpacing(Params):
    """Give one of `spacing`, `exact` and `at_least`."""

    target: ParagraphsTarget
    """Paragraphs; of a table, the paragraphs in its cells."""
    spacing: float | None = None
    """Multiple of a single line: 1 single, 1.5, 2 double."""
    exact: float | str | None = None
    """Instead: exactly this far from line to line, such as "18pt", whatever is in them."""
    at_least: float | str | None = None
    """Instead: this far, or more where a line needs it."""

    @model_validator(mode="after")
    def _one(self) -> SetLineSpacing:
        given = [v for v in (self.spacing, self.exact, self.at_least) if v is not None]
        if len(given) != 1:
            raise ValueError("give one of spacing (a multiple), exact and at_least (points)")
        if self.spacing is not None and not 0.06 <= self.spacing <= 10:
            raise ValueError(
                f"a line spacing of {self.spacing:g} lines is not sensible; spacing goes from 0.06 to 10; for points use exact"
            )
        try:
            points = units.points(self.exact if self.exact is not None else self.at_least or 1)
        except InvalidValue as error:
            raise ValueError(error.message.rstrip(".")) from error
        if not 0.7 <= points <= 1584:
            raise ValueError(f"the distance of lines goes from 0.7 to 1584 pt, not {points:g}")
        return self


def _values(params: SetLineSpacing) -> tuple[str, str]:
    """`w:line` and `w:lineRule`."""
    if params.spacing is not None:
        return str(round(params.spacing * 240)), "auto"
    length = params.exact if params.exact is not None else params.at_least
    assert length is not None
    return str(units.twips(length)), "exact" if params.exact is not None else "atLeast"


@operation(
    Intent.FORMATTING,
    phrasings=[
        "set the line spacing to 1.5",
        "double-space the whole document",
        "single spacing in the table",
        "make the second paragraph 1.15 spaced",
        "line spacing of exactly 18 points for the body text",
        "the lines of the introduction should be further apart, one and a half",
        "at least 14 pt between the lines",
        "double spacing for everything under Method",
        "reduce the line spacing of the list to single",
    ],
    examples=[
        Example(
            "Set the line spacing of the whole document to 1.5",
            doc(h(1, "Scope"), p("First.")),
            {"target": {"where": "document"}, "spacing": 1.5},
            result="Heading 'Scope' and paragraph 'First.' have line spacing 1.5; nothing else changed.",
        ),
        Example(
            "Exactly 18 points from line to line in the first paragraph",
            doc(p("First."), p("Second.")),
            {"target": {"paragraph": 1}, "exact": "18pt"},
            result="Paragraph 'First.' has line spacing of exactly 18 pt; nothing else changed.",
        ),
        Example(
            "Lines at least 14 points apart in the section Scope",
            doc(h(1, "Scope"), p("First."), h(1, "Cost"), p("Second.")),
            {"target": {"section": "Scope"}, "at_least": 14},
            result="Paragraph 'First.' has line spacing of at least 14 pt; nothing else changed.",
        ),
        Example(
            "Single spacing in the table",
            doc(table([["Name", "Amount"]])),
            {"target": {"table": 1}, "spacing": 1},
            result="Paragraph 'Name' and paragraph 'Amount' have single line spacing; nothing else changed.",
        ),
        Example(
            "Line spacing 18 for the first paragraph",
            doc(p("First.")),
            {"target": {"paragraph": 1}, "spacing": 18},
            raises=InvalidValue,
        ),
        Example(
            "Double-space the section Appendix",
            doc(h(1, "Scope"), p("First.")),
            {"target": {"section": "Appendix"}, "spacing": 2},
            raises=TargetNotFound,
        ),
    ],
    touches=["headers", "footers", "notes"],
)
def set_line_spacing(editor: Editor, params: SetLineSpacing) -> None:
    """Set the distance of the lines of paragraphs: a multiple of a single line, exactly so many points, or at least so many."""
    line, rule = _values(params)
    for block in params.target.ids or ():
        editor.set_property(editor.ppr(editor.element(block)), "spacing", {"line": line, "lineRule": rule})


@set_line_spacing.effects
def _(mirror: Mirror, params: SetLineSpacing) -> Iterable[Effect]:
    line, rule = _values(params)
    effect = paragraphs_have(params.target.ids or (), {"spacing.line": line, "spacing.lineRule": rule})
    yield effect
    yield from in_notes(mirror, params.target.ids or (), effect.covers)
