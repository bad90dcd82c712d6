"""New headings. Word: the styles "heading 1" to "heading 9"; their outline level feeds the navigation pane and the contents."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field, field_validator

from agent.document.editor import Editor
from agent.document.mirror import Mirror
from agent.document.names import W_PPR, W_VAL, W
from agent.document.records import Paragraph
from agent.document.styles import heading_level
from agent.document.text import legal
from agent.errors import InvalidValue, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import Effect, may_add_styles
from agent.operations.looks import heading_like
from agent.operations.resolver import Resolver
from agent.operations.specimens import doc, h, p, title
from agent.operations.targets import Params, Place
from agent.operations.text_effects import paragraphs_inserted


class AddHeading(Params):
    place: Place
    """Where it goes. Behind a whole section: `after` its `section`; in front of a section: `before` its `heading`."""
    text: str
    """Its words, one line."""
    level: int = Field(default=1, ge=1, le=9)
    """1 for a chapter, 2 for a section in it, and so on to 9."""

    @field_validator("text")
    @classmethod
    def _one_line(cls, text: str) -> str:
        line = " ".join(legal(text).split())
        if not line:
            raise ValueError("is empty; a heading has words")
        return line


@operation(
    Intent.CONTENT_CREATION,
    phrasings=[
        "add a heading called Summary at the top",
        "insert the heading 'Next steps' before the last paragraph",
        "put a level 2 heading Risks in the section Planning",
        "give the second paragraph a heading of its own, Background",
        "new chapter at the end named Appendix",
        "start a section Conclusion after the table",
        "add a subheading above the list",
        "create a section title 'Method' below the introduction",
    ],
    examples=[
        Example(
            "Put the heading 'Outlook' before the second paragraph",
            doc(h(1, "Sales"), p("Revenue grew."), p("Next year looks good.")),
            {"place": {"before": {"paragraph": 2}}, "text": "Outlook", "level": 1},
            result="The heading 'Outlook' was added; nothing else changed.",
        ),
        Example(
            "Add a level 2 heading Risks at the end of the section Plan",
            doc(h(1, "Plan"), p("We build it."), h(1, "Team"), p("Four people.")),
            {"place": {"after": {"section": "Plan"}}, "text": "Risks", "level": 2},
            result="The heading 'Risks' was added; nothing else changed.",
        ),
        Example(
            "Add a chapter Appendix at the end",
            doc(title("Report"), p("Revenue grew.")),
            {"place": {"at": "end"}, "text": "Appendix"},
            result="The heading 'Appendix' was added; nothing else changed.",
        ),
        Example(
            "Add a heading Costs under the heading Budget",
            doc(h(1, "Plan"), p("We build it.")),
            {"place": {"after": {"heading": "Budget"}}, "text": "Costs", "level": 2},
            raises=TargetNotFound,
        ),
        Example(
            "Add a heading of level 12",
            doc(p("Hello.")),
            {"place": {"at": "end"}, "text": "Deep", "level": 12},
            raises=InvalidValue,
        ),
    ],
    touches=["styles"],
)
def add_heading(editor: Editor, params: AddHeading) -> None:
    """Add a heading at a place in the document.

    It looks like the nearest heading of its level, numbering included; if there is none, it gets Word's built-in
    heading style, which is made if the file lacks it.
    """
    side, anchor = Resolver(editor.mirror).place(params.place)
    like = heading_like(editor.mirror, anchor, params.level)
    if like is None:
        style = editor.ensure_style(f"heading {params.level}")
        new = editor.new_paragraph(params.text, style=style)
    else:
        new = editor.new_paragraph(params.text, like=like)
        numbering = like.find(f"{W_PPR}/{W}numPr")
        if numbering is not None:
            number, level = numbering.find(W + "numId"), numbering.find(W + "ilvl")
            if number is not None:
                editor.set_list(
                    new, int(number.get(W_VAL, "0")), int(level.get(W_VAL, "0")) if level is not None else 0
                )
    editor.place(side, anchor, [new])


@add_heading.effects
def _(mirror: Mirror, params: AddHeading) -> Iterable[Effect]:
    side, anchor = Resolver(mirror).place(params.place)

    def at_level(now: Mirror, record: Paragraph, _: int) -> str | None:
        own = dict(record.properties).get("outlineLvl")
        found = int(own) + 1 if own is not None else heading_level(now, record.style)
        return (
            None if found == params.level else f"the new heading has the level {found} and not {params.level}"
        )

    yield paragraphs_inserted(mirror, side, anchor, [params.text], each=at_level)
    yield may_add_styles()
