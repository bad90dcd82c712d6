"""Bold, italic and the other on-or-off looks of characters. Word: the toggles of `w:rPr` (`w:b`, `w:i`, `w:u`, `w:strike`,
`w:vertAlign`, `w:smallCaps`, `w:caps`, `w:vanish`); Office.js `Font.bold` and so on (WordApi 1.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import model_validator

from agent.document.editor import Editor
from agent.document.inherited import inherited, turned_on
from agent.document.mirror import Mirror
from agent.document.names import W_VAL, W
from agent.errors import AmbiguousTarget, InvalidValue, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import Effect
from agent.operations.formatting._characters import Format, characters_pass, formats, is_complex_script, tidy
from agent.operations.specimens import doc, h, p, table, title
from agent.operations.targets import Params, SpansTarget

_UNDERLINES = {
    "single": "single", "double": "double", "thick": "thick", "dotted": "dotted", "dashed": "dash", "wavy": "wave",
    "words only": "words",
}  # fmt: skip
_TOGGLES = {
    "bold": "b",
    "italic": "i",
    "strikethrough": "strike",
    "small_caps": "smallCaps",
    "all_caps": "caps",
    "hidden": "vanish",
}
_NAMES = {
    "b": "bold", "i": "italic", "u": "underline", "strike": "strikethrough", "dstrike": "double strikethrough",
    "smallCaps": "small caps", "caps": "all caps", "vanish": "hidden", "vertAlign": "vertical position",
}  # fmt: skip
"""Schema names to the names that records use."""
_OPPOSITES = {"strike": "dstrike", "smallCaps": "caps", "caps": "smallCaps"}
_COMPLEX = {"b": "bCs", "i": "iCs"}


class SetTextStyle(Params):
    target: SpansTarget
    """The words, or whole paragraphs."""
    bold: bool | None = None
    """true: bold; false: not bold; leave out: as it is."""
    italic: bool | None = None
    """true: italic; false: upright."""
    underline: bool | None = None
    """true: underlined; false: without underline."""
    underline_kind: Literal["single", "double", "thick", "dotted", "dashed", "wavy", "words only"] | None = (
        None
    )
    """How the underline looks; a single line if left out."""
    strikethrough: bool | None = None
    """true: a line through the text; false: none."""
    superscript: bool | None = None
    """true: raised and smaller; false: not raised."""
    subscript: bool | None = None
    """true: lowered and smaller; false: not lowered."""
    small_caps: bool | None = None
    """true: small letters look like small capitals."""
    all_caps: bool | None = None
    """true: all letters look like capitals; the text itself stays."""
    hidden: bool | None = None
    """true: hidden text, which is not printed; false: shown."""

    @model_validator(mode="after")
    def _something(self) -> SetTextStyle:
        if self.superscript and self.subscript:
            raise ValueError("text is either superscript or subscript, not both")
        if self.small_caps and self.all_caps:
            raise ValueError("text is either in small caps or in all caps, not both")
        if self.underline is False and self.underline_kind is not None:
            raise ValueError("underline false goes without underline_kind")
        if not any(v is not None for n, v in self if n != "target"):
            raise ValueError("nothing to change; give at least one of bold, italic, underline and so on")
        return self


@operation(
    Intent.FORMATTING,
    Intent.TABLE,
    phrasings=[
        "make the title bold",
        "put the second paragraph in italics",
        "underline the word deadline",
        "bold all headings",
        "the first sentence should be bold and italic",
        "strike through the old price",
        "make the 2 in H2O subscript",
        "remove the bold from the last paragraph",
        "set the header row of the table in bold",
        "write the company name in small caps",
        "double underline the total",
        "show the section heading in all caps",
        "hide the internal note",
        "no italics in the quote please",
        "emphasise the word important",
    ],
    examples=[
        Example(
            "Make the title bold",
            doc(title("Report"), p("Revenue grew.")),
            {"target": {"where": "title"}, "bold": True},
            result="Paragraph 'Report' is now bold; nothing else changed.",
        ),
        Example(
            "Underline 'due on Friday' and make it italic",
            doc(p("The report is due on Friday, not later.")),
            {"target": {"text": "due on Friday"}, "underline": True, "italic": True},
            result=(
                "'due on Friday' in paragraph 'The report is due on Friday, not later.' is now italic and underlined; "
                "nothing else changed."
            ),
        ),
        Example(
            "Make the first paragraph not bold",
            doc(p("Revenue ", ("grew", {"bold": True}), ".")),
            {"target": {"paragraph": 1}, "bold": False},
            result="'grew' in paragraph 'Revenue grew.' is no longer bold; nothing else changed.",
        ),
        Example(
            "The heading should not be bold",
            doc(h(1, "Scope"), p("First.")),
            {"target": {"heading": "Scope"}, "bold": False},
            result="Heading 'Scope' is no longer bold; nothing else changed.",
        ),
        Example(
            "Bold the header row of the table",
            doc(table([["Name", "Amount"], ["Rent", "900"]])),
            {"target": {"table": 1, "row": "header"}, "bold": True},
            result="Paragraph 'Name' and paragraph 'Amount' are now bold; nothing else changed.",
        ),
        Example(
            "Set the 2 in H2O as subscript",
            doc(p("Water is H2O.")),
            {"target": {"text": "2"}, "subscript": True},
            result="'2' in paragraph 'Water is H2O.' is now subscript; nothing else changed.",
        ),
        Example(
            "Strike through both prices",
            doc(p("It was 20 euros."), p("Not 20 any more.")),
            {"target": {"text": "20", "all": True}, "strikethrough": True},
            result=(
                "'20' in paragraph 'It was 20 euros.' and '20' in paragraph 'Not 20 any more.' are now struck through; "
                "nothing else changed."
            ),
        ),
        Example(
            "Double underline the word Total",
            doc(p("Total: 300")),
            {"target": {"text": "Total"}, "underline": True, "underline_kind": "double"},
            result="'Total' in paragraph 'Total: 300' is now underlined (double); nothing else changed.",
        ),
        Example(
            "Make 'net profit' bold",
            doc(p("Revenue grew.")),
            {"target": {"text": "net profit"}, "bold": True},
            raises=TargetNotFound,
        ),
        Example(
            "Make 'grew' bold",
            doc(p("Revenue grew."), p("Profit grew.")),
            {"target": {"text": "grew"}, "bold": True},
            raises=AmbiguousTarget,
        ),
        Example(
            "Make the 2 superscript and subscript",
            doc(p("m2")),
            {"target": {"text": "2"}, "superscript": True, "subscript": True},
            raises=InvalidValue,
        ),
    ],
    touches=["headers", "footers", "notes"],
)
def set_text_style(editor: Editor, params: SetTextStyle) -> None:
    """Make words or whole paragraphs bold, italic, underlined, struck through, raised, lowered, in capitals or hidden, or not.

    What is left out stays as it is. Off is written only where a style would turn it on; else the format is taken away.
    """
    wanted = _wanted(params)
    for item in formats(editor, params.target):
        for name, value in wanted.items():
            if name == "vertAlign" and item.is_note:
                continue
            _write(editor, item, name, value)
    tidy(editor, params.target)


def _wanted(params: SetTextStyle) -> dict[str, str | None]:
    """Schema name to the value to be set; None: off."""
    found: dict[str, str | None] = {
        name: "1" if value else None
        for field, name in _TOGGLES.items()
        if (value := getattr(params, field)) is not None
    }
    if params.underline is not None or params.underline_kind is not None:
        found["u"] = None if params.underline is False else _UNDERLINES[params.underline_kind or "single"]
    if params.superscript is not None or params.subscript is not None:
        found["vertAlign"] = (
            "superscript" if params.superscript else "subscript" if params.subscript else None
        )
    return found


def _write(editor: Editor, item: Format, name: str, value: str | None) -> None:
    rpr = item.rpr
    complex_ = _COMPLEX.get(name)
    if value is None:
        for each in (name, complex_, "dstrike" if name == "strike" else None):
            if each is not None:
                off = turned_on(editor.mirror, item.paragraph, each, item.character_style)
                _turn_off(editor, rpr, each, explicit=off)
        return
    opposite = _OPPOSITES.get(name)
    if opposite is not None:
        off = turned_on(editor.mirror, item.paragraph, opposite, item.character_style)
        _turn_off(editor, rpr, opposite, explicit=off)
    _turn_on(editor, rpr, name, value)
    if complex_ is not None and (is_complex_script(item.text) or rpr.find(W + "rtl") is not None):
        _turn_on(editor, rpr, complex_, value)


def _turn_on(editor: Editor, rpr: Any, name: str, value: str) -> None:
    if value == "1":
        found = rpr.find(W + name)
        if found is not None and found.get(W_VAL, "1") in ("1", "true", "on"):
            return
        editor.set_property(rpr, name, None)
        editor.set_property(rpr, name, {})  # Word writes <w:b/>
    else:
        editor.set_property(rpr, name, {"val": value})


def _turn_off(editor: Editor, rpr: Any, name: str, *, explicit: bool) -> None:
    value = {"u": "none", "vertAlign": "baseline"}.get(name, "0")
    found = rpr.find(W + name)
    if explicit and not (found is not None and found.get(W_VAL, "1") in (value, "false", "off")):
        editor.set_property(rpr, name, {"val": value})
    elif not explicit:
        editor.set_property(rpr, name, None)


@set_text_style.effects
def _(mirror: Mirror, params: SetTextStyle) -> Iterable[Effect]:
    wanted = _wanted(params)

    def judge(paragraph: Any, text: str, properties: Mapping[str, str]) -> str | None:
        for name, value in wanted.items():
            path = _NAMES[name]
            found = properties.get(path)
            if value is not None:
                if found != ("on" if value == "1" else value):
                    return f"is not {path if value == '1' else value}"
                continue
            if found not in (None, "off", "none", "baseline"):
                return f"is still {path}"
            style = inherited(mirror, paragraph, name, properties.get("character style", ""))
            on = style is not None and style.get(W_VAL, "on") not in ("0", "false", "off", "none", "baseline")
            if on and found is None:
                return f"is still {path}, by its style"
        return None

    paths = [_NAMES[n] for n in wanted] + [_NAMES[o] for n in wanted if (o := _OPPOSITES.get(n))]
    paths += [c for n in wanted if (c := _COMPLEX.get(n))]
    said = ", ".join(f"{_NAMES[n]} {'on' if v == '1' else v or 'off'}" for n, v in wanted.items())
    yield from characters_pass(mirror, params.target, judge, paths, f"the text has {said}")
