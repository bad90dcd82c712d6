"""Font and size of characters. Word: `w:rFonts` (one font for each kind of script), `w:sz` in half-points; Office.js `Font.name`,
`Font.size` (WordApi 1.1).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import field_validator, model_validator

from agent.document import units
from agent.document.editor import Editor
from agent.document.inherited import font_size
from agent.document.mirror import Mirror
from agent.document.names import W_VAL, W
from agent.errors import InvalidValue, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import After, Effect, allows
from agent.operations.formatting._characters import before, characters_pass, formats, is_east_asian, tidy
from agent.operations.resolver import Resolver
from agent.operations.specimens import doc, h, p, table, title
from agent.operations.targets import Params, SpansTarget

_STEPS = (8, 9, 10, 11, 12, 14, 16, 18, 20, 22, 24, 26, 28, 36, 48, 72)
"""What Word's buttons "Increase Font Size" and "Decrease Font Size" go through; beyond, they go by tens."""
_THEME = {"ascii": "asciiTheme", "hAnsi": "hAnsiTheme", "cs": "cstheme", "eastAsia": "eastAsiaTheme"}
_RELATIVE = re.compile(r"([+-]?\d+(?:\.\d+)?)\s*(?:pt|points?)?")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*%")


class SetFont(Params):
    target: SpansTarget
    """The words, or whole paragraphs; "document" for all of the body text."""
    font: str | None = None
    """Name of the font, such as "Arial"."""
    size: float | str | None = None
    """Size in points, such as 12, or a Chinese size name such as "小四"."""
    size_change: float | str | None = None
    """Instead of `size`: points to add, such as 2 or -1; "larger" or "smaller" by one step of Word's sizes; "150%"."""
    east_asian: str | None = None
    """Font for Chinese, Japanese and Korean characters, if another one than `font`."""

    @field_validator("font", "east_asian")
    @classmethod
    def _name(cls, font: str | None) -> str | None:
        if font is None:
            return None
        name = " ".join(font.split())
        if not name or len(name) > 31 or re.search(r"[<>\"\\;]", name):
            raise ValueError(f"'{font}' is not the name of a font; such as Arial or Times New Roman")
        return name

    @model_validator(mode="after")
    def _something(self) -> SetFont:
        if self.size is not None and self.size_change is not None:
            raise ValueError("give either size or size_change")
        if all(v is None for v in (self.font, self.size, self.size_change, self.east_asian)):
            raise ValueError("nothing to change; give font, size or size_change")
        try:
            if self.size is not None:
                units.font_size(self.size)
            _changed_size(12, self.size_change)
        except InvalidValue as error:
            raise ValueError(error.message.rstrip(".")) from error
        return self


@operation(
    Intent.FORMATTING,
    Intent.TABLE,
    phrasings=[
        "set the whole document in Arial",
        "change the font of the title to Georgia",
        "use Times New Roman 12 throughout",
        "make the heading 16 pt",
        "font size 11 for all paragraphs",
        "make the title bigger",
        "increase the font size of the table by 2 points",
        "the footnote text should be smaller",
        "put the code line in Courier New",
        "write the Chinese text in SimSun",
        "switch the second paragraph to Calibri size 10.5",
        "enlarge the text of the last paragraph",
        "正文用宋体小四",
    ],
    examples=[
        Example(
            "Set the title in Georgia, 24 pt",
            doc(title("Report"), p("Revenue grew.")),
            {"target": {"where": "title"}, "font": "Georgia", "size": 24},
            result="Paragraph 'Report' is now in Georgia and 24 pt; nothing else changed.",
        ),
        Example(
            "Make the words 'fine print' smaller by 2 points",
            doc(p("Read the fine print, please.")),
            {"target": {"text": "fine print"}, "size_change": -2},
            result="'fine print' in paragraph 'Read the fine print, please.' is now 9 pt; nothing else changed.",
        ),
        Example(
            "Set the whole document in Arial",
            doc(h(1, "Scope"), p("First."), table([["Name"]])),
            {"target": {"where": "document"}, "font": "Arial"},
            result=(
                "Heading 'Scope', paragraph 'First.' and paragraph 'Name' are now in Arial; nothing else changed."
            ),
        ),
        Example(
            "Make the heading larger",
            doc(h(1, "Scope"), p("First.")),
            {"target": {"heading": "Scope"}, "size_change": "larger"},
            result="Heading 'Scope' is now 16 pt; nothing else changed.",
        ),
        Example(
            "正文用宋体小四",
            doc(p("销售增长 10%。")),
            {"target": {"paragraph": 1}, "font": "宋体", "size": "小四"},
            result="Paragraph '销售增长 10%。' is now in 宋体 and 12 pt; nothing else changed.",
        ),
        Example(
            "Font size 3000 for the title",
            doc(title("Report")),
            {"target": {"where": "title"}, "size": 3000},
            raises=InvalidValue,
        ),
        Example(
            "Set 'Appendix' in Arial",
            doc(p("Revenue grew.")),
            {"target": {"text": "Appendix"}, "font": "Arial"},
            raises=TargetNotFound,
        ),
    ],
    touches=["headers", "footers", "notes"],
)
def set_font(editor: Editor, params: SetFont) -> None:
    """Set the font, the size, or both, of words or whole paragraphs; the size also by how much it is to change.

    Chinese, Japanese and Korean characters take the font too; other text keeps its font for them.
    """
    for item in formats(editor, params.target):
        asian = params.east_asian or (params.font if _asian(params.font, item.text) else None)
        if params.font is not None or asian is not None:
            _set_fonts(editor, item.rpr, params.font, asian)
        if params.size is None and params.size_change is None:
            continue
        own = item.rpr.find(W + "sz")
        now = font_size(
            editor.mirror, item.paragraph, item.character_style, own.get(W_VAL, "") if own is not None else ""
        )
        value = f"{_new_size(params, now) * 2:.0f}"
        editor.set_property(item.rpr, "sz", {"val": value})
        editor.set_property(item.rpr, "szCs", {"val": value})
    tidy(editor, params.target)


def _set_fonts(editor: Editor, rpr: Any, font: str | None, asian: str | None) -> None:
    wanted: dict[str, str] = {}
    if font is not None:
        wanted = {"ascii": font, "hAnsi": font, "cs": font}
    if asian is not None:
        wanted["eastAsia"] = asian
    fonts = editor.set_property(rpr, "rFonts", wanted)
    for name in wanted:
        if fonts.get(W + _THEME[name]) is not None:  # a theme font wins over a named one
            del fonts.attrib[W + _THEME[name]]


def _asian(font: str | None, text: str) -> bool:
    """Whether a font is also for East Asian characters: there are some, or it is a font made for them."""
    return font is not None and (is_east_asian(text) or is_east_asian(font))


def _new_size(params: SetFont, now: float) -> float:
    return units.font_size(params.size) if params.size is not None else _changed_size(now, params.size_change)


def _changed_size(now: float, change: float | str | None) -> float:
    """Points after a relative change. Raises InvalidValue with the forms that work."""
    if change is None:
        return now
    if isinstance(change, str):
        words = change.strip().lower()
        if words in ("larger", "bigger", "increase"):
            return next((float(s) for s in _STEPS if s > now), (now // 10 + 1) * 10)
        if words in ("smaller", "decrease"):
            down = [float(s) for s in _STEPS if s < now]
            return max(1.0, now - 1) if not down else ((now - 1) // 10 * 10 if now > 80 else down[-1])
        percent, number = _PERCENT.fullmatch(words), _RELATIVE.fullmatch(words)
        if percent is not None:
            return units.font_size(now * float(percent.group(1)) / 100)
        if number is None:
            raise InvalidValue(f"'{change}' is not a change of size; write 2, -1, larger, smaller or 150%.")
        change = float(number.group(1))
    return units.font_size(now + change)


@set_font.effects
def _(mirror: Mirror, params: SetFont) -> Iterable[Effect]:
    size = units.font_size(params.size) if params.size is not None else None

    def judge(paragraph: Any, text: str, properties: Mapping[str, str]) -> str | None:
        wanted: dict[str, str | None] = {}
        if params.font is not None:
            wanted = {"font.ascii": params.font, "font.hAnsi": params.font, "font.cs": params.font}
            wanted |= {"font.asciiTheme": None, "font.hAnsiTheme": None, "font.cstheme": None}
        asian = params.east_asian or (params.font if is_east_asian(text) else None)
        if asian is not None:
            wanted |= {"font.eastAsia": asian, "font.eastAsiaTheme": None}
        if size is not None:
            wanted |= {"size": f"{size * 2:.0f}", "szCs": f"{size * 2:.0f}"}
        for path, value in wanted.items():
            if properties.get(path) != value:
                return f"has {path} {properties.get(path, 'not set')} and not {value or 'unset'}"
        return None

    paths = ["font."] * (params.font is not None or params.east_asian is not None)
    paths += ["size", "szCs"] * (params.size is not None or params.size_change is not None)
    said = [f"the font {params.font or params.east_asian}"] * ("font." in paths)
    said += [f"the size {f'{size:g} pt' if size else f'changed by {params.size_change}'}"] * ("size" in paths)
    yield from characters_pass(mirror, params.target, judge, paths, f"the text has {' and '.join(said)}")
    if params.size_change is not None:
        yield _sizes_changed(mirror, params)


def _sizes_changed(mirror: Mirror, params: SetFont) -> Effect:
    """Each character has its old size and the change."""
    expected: dict[str, list[tuple[int, int, float]]] = {}
    records = before(mirror, params.target)
    for span in Resolver(mirror).spans(params.target):
        element = mirror.element(span.paragraph)
        for stretch in records[span.paragraph].spans:
            start, end = max(stretch.start, span.start), min(stretch.end, span.end)
            known = dict(stretch.properties)
            now = font_size(mirror, element, known.get("character style", ""), known.get("size", ""))
            if start < end:
                expected.setdefault(span.paragraph, []).append(
                    (start, end, _changed_size(now, params.size_change))
                )

    def check(after: After) -> str | None:
        for block, stretches in expected.items():
            record = after.paragraph(block)
            for start, end, size in stretches:
                for found in record.spans if record is not None else ():
                    value = dict(found.properties).get("size", "")
                    if found.start < end and start < found.end and value != f"{size * 2:.0f}":
                        return f"'{found.properties}' in {block} is not {size:g} pt"
        return None

    return Effect("the sizes changed by as much", check, allows("", lambda c: False).covers)
