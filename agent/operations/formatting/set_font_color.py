"""Colour of characters. Word: `w:color` in `w:rPr`, where a theme colour wins over the value.

Office.js `Font.color` (WordApi 1.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import field_validator

from agent.document import units
from agent.document.editor import Editor
from agent.document.mirror import Mirror
from agent.document.names import W
from agent.errors import InvalidValue, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import Effect
from agent.operations.formatting._characters import characters_pass, formats, tidy
from agent.operations.specimens import doc, h, link, p, table, title
from agent.operations.targets import Params, SpansTarget

_AUTOMATIC = ("auto", "automatic", "default")
_THEME = ("themeColor", "themeTint", "themeShade")


class SetFontColor(Params):
    target: SpansTarget
    """The words, or whole paragraphs."""
    color: str
    """A name such as "dark blue", RRGGBB such as "1F4E79", or "auto": black, or white on a dark ground."""

    @field_validator("color")
    @classmethod
    def _known(cls, color: str) -> str:
        if color.strip().lower() in _AUTOMATIC:
            return "auto"
        try:
            units.colour(color)
        except InvalidValue as error:
            raise ValueError(error.message.rstrip(".")) from error
        return color


def _value(color: str) -> str:
    return "auto" if color == "auto" else units.colour(color)


@operation(
    Intent.FORMATTING,
    Intent.TABLE,
    phrasings=[
        "make the title blue",
        "colour the word urgent red",
        "set the font color of all headings to dark green",
        "the text in the header row should be white",
        "write the last paragraph in grey",
        "change the color of the heading Budget to #1F4E79",
        "turn the second paragraph purple",
        "put the text back to black",
        "use the automatic font colour in the whole document",
        "red letters for the warning",
    ],
    examples=[
        Example(
            "Make the title dark blue",
            doc(title("Report"), p("Revenue grew.")),
            {"target": {"where": "title"}, "color": "dark blue"},
            result="Paragraph 'Report' is now dark blue; nothing else changed.",
        ),
        Example(
            "Colour the word urgent red",
            doc(p("This is urgent, please.")),
            {"target": {"text": "urgent"}, "color": "red"},
            result="'urgent' in paragraph 'This is urgent, please.' is now red; nothing else changed.",
        ),
        Example(
            "Set all headings to #1F4E79",
            doc(h(1, "Scope"), p("First."), h(1, "Cost")),
            {"target": {"every": "heading"}, "color": "#1F4E79"},
            result="Heading 'Scope' and heading 'Cost' are now coloured 1F4E79; nothing else changed.",
        ),
        Example(
            "White text in the header row",
            doc(table([["Name", "Amount"], ["Rent", "900"]])),
            {"target": {"table": 1, "row": "header"}, "color": "white"},
            result="Paragraph 'Name' and paragraph 'Amount' are now white; nothing else changed.",
        ),
        Example(
            "Show the link in black",
            doc(link("See ", "our page", "https://example.com/", " for more.")),
            {"target": {"text": "our page"}, "color": "black"},
            result="'our page' in paragraph 'See our page for more.' is now black; nothing else changed.",
        ),
        Example(
            "Make the heading Appendix red",
            doc(h(1, "Scope")),
            {"target": {"heading": "Appendix"}, "color": "red"},
            raises=TargetNotFound,
        ),
        Example(
            "Make the title blurple",
            doc(title("Report")),
            {"target": {"where": "title"}, "color": "blurple"},
            raises=InvalidValue,
        ),
    ],
    touches=["headers", "footers", "notes"],
)
def set_font_color(editor: Editor, params: SetFontColor) -> None:
    """Set the colour of words or whole paragraphs; a theme colour that they had gives way."""
    value = _value(params.color)
    for item in formats(editor, params.target):
        color = editor.set_property(item.rpr, "color", {"val": value})
        for name in _THEME:
            if color.get(W + name) is not None:
                del color.attrib[W + name]
    tidy(editor, params.target)


@set_font_color.effects
def _(mirror: Mirror, params: SetFontColor) -> Iterable[Effect]:
    value = _value(params.color)

    def judge(paragraph: Any, text: str, properties: Mapping[str, str]) -> str | None:
        if properties.get("color") != value:
            return f"has the colour {properties.get('color', 'of its style')} and not {value}"
        theme = properties.get("color.themeColor")
        return f"still follows the theme's colour {theme}" if theme else None

    yield from characters_pass(mirror, params.target, judge, ["color"], f"the text has the colour {value}")
