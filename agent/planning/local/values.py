"""Values in a clause: colours, fonts, sizes, lengths, table dimensions, lists, new text. Each with where it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agent.document.units import CHINESE_SIZES, COLOURS
from agent.planning.local.words import FONTS, NUMBER, ORDINAL, number, ordinal


@dataclass(frozen=True)
class Value:
    """Something read from a clause, and the characters that said it."""

    start: int
    end: int
    value: Any


_COLOUR = re.compile(
    r"#?\b[0-9A-Fa-f]{6}\b(?=.{0,3}(?:$|\W))|\b(?:"
    + "|".join(re.escape(c).replace(r"\ ", "[ -]") for c in sorted(COLOURS, key=len, reverse=True))
    + r")\b",
    re.IGNORECASE,
)
_FONT = re.compile(
    r"\b(?:" + "|".join(map(re.escape, sorted(FONTS, key=len, reverse=True))) + r")\b", re.IGNORECASE
)
_NAMED_FONT = re.compile(
    r"\b(?:font|typeface)\s+(?:to|is|should be|of|called|named|family)?\s*(?P<v>[A-Z][\w-]+(?:\s+[A-Z][\w-]+)*)"
)
_SIZE = re.compile(
    r"\b(?P<v>\d+(?:[.,]\d+)?)\s*-?\s*(?:pt|pts|points?)\b|\bsize\s+(?:to|of|is|=)?\s*(?P<v2>\d+(?:[.,]\d+)?)\b|(?P<v3>"
    + "|".join(CHINESE_SIZES)
    + ")",
    re.IGNORECASE,
)
_LENGTH = re.compile(
    r"(?<![\w.])(?P<v>\d+(?:[.,]\d+)?)\s*(?P<u>cm|mm|inch(?:es)?|in\b|\"|pt|points?"
    r"|centimet(?:er|re)s?|millimet(?:er|re)s?)(?!\w)",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"(?P<v>\d+(?:[.,]\d+)?)\s*(?:%|percent|per cent)", re.IGNORECASE)
_DIMENSIONS = re.compile(rf"\b(?P<r>{NUMBER})\s*(?:x|by|\u00d7|\*)\s*(?P<c>{NUMBER})\b", re.IGNORECASE)
_ROWS = re.compile(
    rf"\b(?P<v>{NUMBER})\s+(?:new\s+|more\s+|empty\s+|blank\s+|additional\s+|extra\s+)*rows?\b", re.IGNORECASE
)
_COLUMNS = re.compile(rf"\b(?P<v>{NUMBER})\s+(?:new\s+|more\s+|empty\s+|blank\s+)*columns?\b", re.IGNORECASE)
_SPACING = re.compile(
    r"\b(?P<w>single|double|one and a half|one-and-a-half)[- ]?(?:line[- ]?)?(?:spac(?:ed|ing)|space)\b"
    r"|\b(?P<v>\d+(?:[.,]\d+)?)[- ](?:line[- ])?(?:spac(?:ed|ing))\b"
    r"|\bline[- ]?(?:spacing|height)\s*(?:to|of|is|at|="
    r"|should be)?\s*(?:(?P<v2>\d+(?:[.,]\d+)?)|(?P<w2>single|double|one and a half))\b"
    r"|\b(?P<v3>\d+(?:[.,]\d+)?)\s+lines?\s+spacing\b"
    r"|\b(?P<w3>double|single)[- ]space\b",
    re.IGNORECASE,
)
_URL = re.compile(
    r"\b(?:https?://|www\.|mailto:)[^\s\"'\u201d\u0001>,]+[^\s\"'\u201d\u0001>,.;:!?)]"
    r"|\b[\w.+-]+@[\w-]+\.[\w.-]+\w|\b[\w-]+\.(?:com|org|net|eu|gov|edu|io|de|fr|uk)(?:/[^\s,]*)?\b",
    re.IGNORECASE,
)

TOGGLES: dict[str, str] = {
    "bold": r"bold(?:face|ed)?|embolden|in bold|heavy",
    "italic": r"italic(?:s|ise|ize|ised|ized)?|slanted",
    "underline": r"underlin(?:e|ed|ing)",
    "strike": r"strike ?-?through|struck through|strike out|strike|crossed out|cross out",
    "strikethrough": r"strike ?-?through|struck through|strike out|strike|crossed out|cross out",
    "superscript": r"superscript(?:ed)?",
    "subscript": r"subscript(?:ed)?",
    "small_caps": r"small ?-?caps|small capitals",
    "all_caps": r"all ?-?caps|all capitals",
    "caps": r"all ?-?caps|all capitals",
    "hidden": r"hidden|hide|invisible",
}
_NEGATED = (
    r"(?:not|no longer|un-?|non-?|without|no|remove(?: the)?|take off(?: the)?"
    r"|turn off(?: the)?|get rid of(?: the)?|isn't|aren't|stop|drop(?: the)?|clear(?: the)?)"
)
SYNONYMS: dict[str, str] = {
    "center": r"cent(?:er|re)(?:d|ed)?|middle|centrally|cent(?:er|re)-align(?:ed)?",
    "left": r"left(?:-| )?(?:align(?:ed)?|hand)?|flush left",
    "right": r"right(?:-| )?(?:align(?:ed)?|hand)?|flush right",
    "justify": r"justif(?:y|ied)|block(?: text)?|both (?:sides|margins)",
    "distribute": r"distributed?",
    "upper": r"upper ?-?case|all ?-?caps|capital(?: letter)?s|capitali[sz]e|capitals|in caps",
    "lower": r"lower ?-?case|small letters",
    "title": r"title ?-?case|headline case|capitali[sz]e each word|initial caps",
    "sentence": r"sentence ?-?case",
    "landscape": r"landscape|sideways|horizontal(?:ly)?",
    "portrait": r"portrait|upright|vertical(?:ly)?",
    "bullet": r"bullets?|bulleted|bullet-?points?|unordered",
    "number": r"number(?:ed|s)?|ordered|enumerated",
    "multilevel": r"multi-?level|outline",
    "above": r"above|before|over",
    "below": r"below|after|under(?:neath)?|beneath",
    "first": r"first(?: page)?|top|beginning",
    "last": r"last|end|bottom",
    "even": r"even(?: pages?)?",
    "top": r"top|header|head",
    "bottom": r"bottom|footer|foot",
    "header": r"header|top",
    "footer": r"footer|bottom",
    "append": r"append|add|in addition",
    "replace": r"replace|set|change",
    "column": r"columns?|vertical bars?|bar chart with vertical",
    "bar": r"bars?|horizontal bars?",
    "line": r"lines?(?: chart| graph)?",
    "pie": r"pie|circle chart",
    "doughnut": r"dou?gh?nut|donut|ring",
    "area": r"area",
    "scatter": r"scatter|xy",
    "radar": r"radar|spider",
    "start": r"start|beginning|front",
    "end": r"end",
    "none": r"none|no|without|remove",
    "header row": r"header(?: row)?s?",
}


def _first(pattern: re.Pattern[str], text: str) -> list[Value]:
    found: list[Value] = []
    for match in pattern.finditer(text):
        group = next((g for g in match.groupdict().values() if g is not None), match.group(0))
        found.append(Value(match.start(), match.end(), group.strip()))
    return found


def colours(text: str) -> list[Value]:
    """Colour names and RRGGBB."""
    found = [Value(v.start, v.end, v.value.replace("-", " ")) for v in _first(_COLOUR, text)]
    behind = "navy blue"  # one colour in two words, of which each is one
    return [
        Value(v.start, v.start + len(behind), v.value) if text[v.start :].lower().startswith(behind) else v
        for v in found
        if not (v.value.lower() == "blue" and text[: v.end].lower().endswith(behind))
    ]


def fonts(text: str, known: Sequence[str] = ()) -> list[Value]:
    """Font names: well-known ones, those of the document, and whatever follows the word font."""
    found = [Value(v.start, v.end, _font_name(v.value)) for v in _first(_FONT, text)]
    if not found:
        found = [Value(m.start(), m.end(), m.group("v")) for m in _NAMED_FONT.finditer(text)]
    for name in known:
        at = text.lower().find(name.lower())
        if at >= 0 and not found:
            found.append(Value(at, at + len(name), name))
    return found


def _font_name(text: str) -> str:
    return next((f for f in FONTS if f.lower() == text.lower()), text)


def sizes(text: str) -> list[Value]:
    """Font sizes in points."""
    return [Value(v.start, v.end, v.value.replace(",", ".")) for v in _first(_SIZE, text)]


def lengths(text: str) -> list[Value]:
    """Lengths with a unit, as "2.5cm"."""
    units = {"centim": "cm", "millim": "mm", "inch": "in", '"': "in", "point": "pt"}
    found: list[Value] = []
    for match in _LENGTH.finditer(text):
        unit = next(
            (u for k, u in units.items() if match.group("u").lower().startswith(k)), match.group("u").lower()
        )
        found.append(Value(match.start(), match.end(), match.group("v").replace(",", ".") + unit))
    return found


def percents(text: str) -> list[Value]:
    """Percentages, as numbers."""
    return [Value(m.start(), m.end(), float(m.group("v").replace(",", "."))) for m in _PERCENT.finditer(text)]


def dimensions(text: str) -> Value | None:
    """Rows and columns of a table: "3x2", "3 by 2", "three rows and two columns"."""
    match = _DIMENSIONS.search(text)
    if match is not None:
        return Value(match.start(), match.end(), (number(match.group("r")), number(match.group("c"))))
    rows, columns = _ROWS.search(text), _COLUMNS.search(text)
    if rows is None and columns is None:
        return None
    spans = [m.span() for m in (rows, columns) if m is not None]
    value = (number(rows.group("v")) if rows else None, number(columns.group("v")) if columns else None)
    return Value(min(s for s, _ in spans), max(e for _, e in spans), value)


def counts(text: str, noun: str) -> list[Value]:
    """Numbers in front of a noun: "three rows"."""
    pattern = re.compile(
        rf"\b(?P<v>{NUMBER})\s+(?:new\s+|more\s+|empty\s+|blank\s+|additional\s+|extra\s+)*{noun}s?\b",
        re.IGNORECASE,
    )
    return [Value(m.start(), m.end(), number(m.group("v"))) for m in pattern.finditer(text)]


def line_spacings(text: str) -> list[Value]:
    """Line spacing as a multiple."""
    words = {"single": 1.0, "double": 2.0}
    found: list[Value] = []
    for match in _SPACING.finditer(text):
        value = next(g for g in match.groupdict().values() if g is not None).lower()
        found.append(
            Value(
                match.start(),
                match.end(),
                words.get(value, 1.5) if not value[0].isdigit() else float(value.replace(",", ".")),
            )
        )
    return found


def urls(text: str) -> list[Value]:
    """Web and mail addresses, with a scheme."""
    found: list[Value] = []
    for match in _URL.finditer(text):
        value = match.group(0)
        if "@" in value and not value.lower().startswith("mailto:"):
            value = f"mailto:{value}"
        elif not re.match(r"[a-z]+:", value, re.IGNORECASE):
            value = f"https://{value}"
        found.append(Value(match.start(), match.end(), value))
    return found


def toggle(text: str, name: str) -> Value | None:
    """Whether a yes-or-no property is asked for (True), asked away (False), or not spoken of (None)."""
    words = TOGGLES.get(name)
    if words is None:
        return None
    match = re.search(
        rf"(?P<no>\b{_NEGATED}[\s-]*(?:\w+,? (?:and |or )?)?)?(?<!\w)(?:{words})(?!\w)", text, re.IGNORECASE
    )
    if match is None:
        match = re.search(rf"(?P<no>\bun)(?:{words})(?!\w)", text, re.IGNORECASE)
    return Value(match.start(), match.end(), match.group("no") is None) if match is not None else None


def literal(text: str, options: Sequence[str]) -> Value | None:
    """Which of some named choices is spoken of; the earliest, at equal places the longest. "footers" is also said as "footer"."""
    found: list[Value] = []
    for option in options:
        single = option[:-1] if option.endswith("s") and len(option) > 4 else option
        own = re.escape(single).replace("_", "[ _-]").replace(r"\ ", "[ _-]") + (
            "s?" if single != option else ""
        )
        names = {own, SYNONYMS.get(option, own)}
        for name in names:
            found += [
                Value(m.start(), m.end(), option)
                for m in re.finditer(rf"(?<!\w)(?:{name})(?!\w)", text, re.IGNORECASE)
            ]
    return min(found, key=lambda v: (v.start, -v.end)) if found else None


_COMMA = r"\s*(?:(?<!\d),|,(?!\d{3}(?!\d)))"
"""Not the comma of a thousand: "EUR 5,000"."""


def listed(text: str) -> list[str]:
    """The items of a list in words: "Name, Qty and Price", "a; b; c", lines with or without bullets."""
    lines = [re.sub(r"^\s*(?:[-*\u2022]|\d+[.)])\s*", "", line).strip() for line in text.strip().split("\n")]
    lines = [line for line in lines if line]
    if len(lines) > 1:
        return lines
    body = lines[0] if lines else ""
    separator = (
        r"\s*\|\s*"
        if "|" in body
        else r"\s*;\s*(?:and\s+)?"
        if ";" in body
        else rf"{_COMMA if re.search(', |[ ]and ', body) else ','}\s*(?:and\s+|or\s+)?|\s+and\s+|\s+&\s+"
    )
    return [
        part.strip().strip("\"'\u201c\u201d\u2018\u2019").strip()
        for part in re.split(separator, body)
        if part.strip(" \"'.")
    ]


__all__ = [
    "NUMBER",
    "ORDINAL",
    "TOGGLES",
    "Value",
    "colours",
    "counts",
    "dimensions",
    "fonts",
    "lengths",
    "line_spacings",
    "listed",
    "literal",
    "ordinal",
    "percents",
    "sizes",
    "toggle",
    "urls",
]
