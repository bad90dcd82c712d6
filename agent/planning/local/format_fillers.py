"""Parameters of looks and layout: colours, fonts, sizes, lengths, spacing, styles, levels, addresses."""

from __future__ import annotations

import re
from typing import get_args

from agent.document.names import W_VAL, W
from agent.document.styles import style_table
from agent.planning.local import values
from agent.planning.local.slots import Filled, Filler, Slot, choice
from agent.planning.local.values import Value

_I = re.IGNORECASE
_BUILTIN = (
    "Normal", "Title", "Subtitle", "Quote", "Intense Quote", "Caption", "List Bullet", "List Number", "Body Text", "No Spacing",
    *(f"Heading {i}" for i in range(1, 10)), "Table Grid", "Light Shading", "Light List", "Light Grid", "Medium Shading 1",
    "Medium List 1", "Medium Grid 1", "Dark List", "Colorful Grid", "Colorful List", "Strong", "Emphasis", "List Paragraph",
)  # fmt: skip


def _first(found: list[Value]) -> Value | None:
    return found[0] if found else None


def color(filled: Filled, slot: Slot) -> Value | None:
    """A colour by name or RRGGBB; "none" where it is to go away and the parameter allows that."""
    free = filled.free()
    found = values.colours(free)
    if found:
        return found[0]
    match = re.search(
        r"\b(?:no|remove|without|clear)\b.*\b(?:colou?r|shading|fill|highlight(?:ing)?|background)", free, _I
    )
    return Value(match.start(), match.end(), "none") if match is not None else None


def font(filled: Filled, slot: Slot) -> Value | None:
    """A font by its name."""
    return _first(values.fonts(filled.free()))


def size(filled: Filled, slot: Slot) -> Value | None:
    """A font size: "14 pt", "size 14", or a number behind the font's name."""
    free = filled.free()
    if _RELATIVE.search(free) and re.search(r"\bby\s+\d", free):
        return None
    found = _first(values.sizes(free))
    if found is None:
        behind = [
            m
            for v in values.fonts(filled.reading.masked)
            if (m := re.compile(r",?\s+(?P<v>\d{1,3}(?:\.5)?)\b").match(free, v.end))
        ]
        behind += list(re.finditer(r"\bfont\s*size\b\D{0,40}?\b(?P<v>\d{1,3}(?:\.5)?)\b", free, _I))
        found = Value(behind[0].start("v"), behind[0].end("v"), behind[0].group("v")) if behind else None
    if found is None:
        return None
    try:
        number = float(found.value)
    except ValueError:
        return found
    return Value(found.start, found.end, int(number) if number == int(number) else number)


_RELATIVE = re.compile(
    r"\b(?P<up>larger|bigger|increase|enlarge|grow)\b|\b(?P<down>smaller|decrease|reduce|shrink)\b", _I
)


_AMOUNT = re.compile(r"(?:increase|decrease|reduce|grow)$", _I)
_LETTERS = re.compile(r"\b(?:fonts?|size|text|type|letters?|characters?|headings?|title)\b", _I)
"""Without one of these "increase" may be about a price."""


def size_change(filled: Filled, slot: Slot) -> Value | None:
    """As in "larger", "smaller by 2 points", "twice as large"."""
    free = filled.free()
    match = _RELATIVE.search(free)
    if match is None or (_AMOUNT.match(match.group(0)) and not _LETTERS.search(filled.reading.masked)):
        return None
    by = re.search(r"\bby\s+(?P<v>\d+(?:[.,]\d+)?)\s*(?P<u>%|percent|per cent|pt|points?)?", free, _I)
    down = match.group("down") is not None
    if by is None:
        return (
            None
            if "size" in filled.params
            else Value(match.start(), match.end(), "smaller" if down else "larger")
        )
    number = float(by.group("v").replace(",", "."))
    start, end = min(match.start(), by.start()), max(match.end(), by.end())
    if (by.group("u") or "").startswith(("%", "per")):
        return Value(start, end, f"{100 - number if down else 100 + number:g}%")
    return Value(start, end, -number if down else number)


def distance(words: str) -> Filler:
    """A length behind some words: "exactly 18 points"."""
    pattern = re.compile(
        rf"\b(?:{words})\s+(?:at\s+|to\s+|of\s+)?(?P<v>\d+(?:[.,]\d+)?)\s*(?P<u>pt|points?|cm|mm)?(?!\w)", _I
    )

    def filler(filled: Filled, slot: Slot) -> Value | None:
        match = pattern.search(filled.free())
        if match is None:
            return None
        unit = (match.group("u") or "pt").lower()
        return Value(
            match.start(),
            match.end(),
            match.group("v").replace(",", ".") + ("pt" if unit.startswith("p") else unit),
        )

    return filler


def spacing(filled: Filled, slot: Slot) -> Value | None:
    """Line spacing as a multiple."""
    found = _first(values.line_spacings(filled.free()))
    if found is not None:
        return found
    match = re.search(
        r"\b(?:line[- ]?spacing|spacing)\b[^\d]*?(?P<v>\d+(?:[.,]\d+)?)(?!\s*(?:pt|points?|cm|mm))\b",
        filled.reading.masked,
        _I,
    )
    return (
        Value(match.start(), match.end(), float(match.group("v").replace(",", ".")))
        if match is not None
        else None
    )


def style(filled: Filled, slot: Slot) -> Value | None:
    """A style of the document or a built-in one, by its name; or what stands beside the word style."""
    reading = filled.reading
    free = filled.free()
    table = "table" in filled.operation.name
    names: set[str] = set(_BUILTIN)
    for element in style_table(reading.mirror).values():
        label, kind = element.find(W + "name"), element.get(W + "type", "paragraph")
        if label is not None and (kind == "table") == table:
            names.add(label.get(W_VAL, ""))
    match = re.search(
        r"\bstyle\s+(?:to\s+|as\s+|called\s+|named\s+)?(?P<w>[A-Z]\w*(?:[ -]+(?:[A-Z]\w*|\d+))*)"
        r"|(?P<w2>[A-Z]\w*(?:\s+(?:[A-Z]\w*|\d+))*)\s+(?:table\s+)?style\b",
        free,
    )
    if match is not None:
        group = "w" if match.group("w") else "w2"
        word = re.sub(r"^(?:Apply|Use|Set|Give|Make|Change)\s+(?:the\s+)?", "", match.group(group))
        if word:
            return Value(
                match.start(), match.end(), next((n for n in names if n.lower() == word.lower()), word)
            )
    leveled = re.search(
        r"\blevel[- ](?P<n>\d)\s+heading\b|\bheading\s+(?:of\s+|on\s+|at\s+)?level\s+(?P<m>\d)\b", free, _I
    )
    if leveled is not None and slot.required:
        return Value(leveled.start(), leveled.end(), f"Heading {leveled.group('n') or leveled.group('m')}")
    if re.search(r"\bstyle", reading.masked, _I):
        quotes = [q for q in reading.free_quotes() if not filled.overlaps(q)]
        if quotes:
            return quotes[0]
    quoted = (
        re.search(r"\b(?P<w>[a-z]+(?: [a-z]+)?)\s*:?\s+(?=\u0001)", reading.masked, _I)
        if not slot.required
        else None
    )
    if quoted is not None:
        label = next((n for n in names if n.lower() == quoted.group("w").lower().removeprefix("the ")), None)
        if label is not None and label not in ("Title", "Caption"):
            return Value(quoted.start(), quoted.end(), label)
    said_style = slot.required or re.search(r"\b(?:style|as|into|format)\b", free, _I) is not None
    for label in sorted(names, key=len, reverse=True):
        found = re.search(rf"(?<!\w)(?<!the ){re.escape(label)}(?!\w)", free, _I) if len(label) > 3 else None
        if (
            found is not None
            and (said_style or table)
            and not (filled.target is not None and found.start() < filled.target.start)
        ):
            return Value(found.start(), found.end(), label)
    return None


def level(filled: Filled, slot: Slot) -> Value | None:
    """A heading's level: "level 2", "Heading 3", "subheading"."""
    text = filled.reading.masked
    match = re.search(
        r"\blevel[- ](?P<v>\d)\b|\b(?:of\s+)?level\s+(?P<v5>\d)\b|\bheading\s+(?P<v2>[1-9])\b"
        r"|\b(?P<v3>sub-?heading|sub-?title)s?\b|\bH(?P<v4>[1-6])\b",
        text,
        _I,
    )
    if match is None:
        match = re.search(r"\b(?P<v>first|second|third|fourth)[- ]level\b", text, _I)
        if match is None:
            return None
        return Value(match.start(), match.end(), values.ordinal(match.group("v")))
    number = match.group("v") or match.group("v2") or match.group("v4") or match.group("v5") or "2"
    return Value(match.start(), match.end(), int(number))


def length_near(words: str) -> Filler:
    """The length that stands nearest to some words: "3 cm wide"."""
    near = re.compile(rf"\b(?:{words})\b", _I)

    def filler(filled: Filled, slot: Slot) -> Value | None:
        free = filled.free()
        found = values.lengths(free)
        spots = [m.span() for m in near.finditer(free)]
        if not found or not spots:
            return None
        return min(found, key=lambda v: min(min(abs(v.start - b), abs(a - v.end)) for a, b in spots))

    return filler


def kind(filled: Filled, slot: Slot) -> Value | None:
    """A kind by its own words; of headers and footers, "first page" and "even pages" and not just "top"."""
    if "even" not in get_args(slot.kind):
        return choice(filled, slot)
    match = re.search(
        r"\b(?:(?P<first>first|title|cover)\s+page"
        r"|(?P<even>even)(?:[- ]numbered)?\s+pages?)\b",
        filled.reading.masked,
        _I,
    )
    if match is None:
        return None
    return Value(match.start(), match.end(), "first" if match.group("first") else "even")


_PRESETS = {
    "narrow": ("1.27cm", "1.27cm"),
    "normal": ("2.54cm", "2.54cm"),
    "wide": ("5.08cm", "2.54cm"),
    "moderate": ("1.91cm", "2.54cm"),
}


def margin(side: str) -> Filler:
    """A side of the page margins: named, "left and right", "the sides", or one length for all. Word's presets by name."""

    def filler(filled: Filled, slot: Slot) -> Value | None:
        text = filled.reading.masked
        found = values.lengths(text)
        across = side in ("left", "right")
        if not found:
            preset = re.search(
                r"\b(?P<p>narrow|wide|normal|moderate)\b(?=.{0,20}margin)|margins?\s+(?:to\s+"
                r"|more\s+)?(?P<q>narrow|wide|normal|moderate)\b",
                text,
                _I,
            )
            if preset is None:
                return None
            word = (preset.group("p") or preset.group("q")).lower()
            return Value(preset.start(), preset.end(), _PRESETS[word][0 if across else 1])
        named = {
            s: [m.start() for m in re.finditer(rf"\b{s}\b", text, _I)]
            for s in ("top", "bottom", "left", "right")
        }
        sides = re.search(r"\b(?:side|horizontal)\s+margins?\b|\b(?:both|the)\s+sides\b", text, _I)
        if sides is not None and not named["left"]:
            return found[0] if across else None
        if not any(named.values()):
            return found[0]
        if not named[side]:
            return None
        at = named[side][0]
        later = [v for v in found if v.start > at]
        before = [
            v
            for v in found
            if v.end <= at
            and re.fullmatch(r"\s*(?:on|at)?\s*(?:the)?\s*(?:\w+\s+and\s+)?", text[v.end : at], _I)
        ]
        return before[-1] if before else later[0] if later else found[-1]

    return filler


def percent(filled: Filled, slot: Slot) -> Value | None:
    """A size in per cent: "50 %", "half", "twice as large"."""
    text = filled.reading.masked
    found = _first(values.percents(text))
    relative = _RELATIVE.search(text)
    if found is not None and relative is not None and re.search(r"\bby\s+$", text[: found.start]):
        return Value(found.start, found.end, 100 + (-found.value if relative.group("down") else found.value))
    if found is not None:
        return found
    for words, value in ((r"\btwice\b|\bdouble\b", 200.0), (r"\bhalf\b", 50.0)):
        match = re.search(words, filled.reading.masked, _I)
        if match is not None:
            return Value(match.start(), match.end(), value)
    return None


def url(filled: Filled, slot: Slot) -> Value | None:
    """A web or mail address."""
    return _first(values.urls(filled.reading.text))


def position(filled: Filled, slot: Slot) -> Value | None:
    """On which side of its target: what the place says, in the words of the parameter's options."""
    options = [a for a in get_args(slot.kind) if isinstance(a, str)]
    place = filled.reading.place
    wanted: tuple[str, ...] = ()
    if place is not None:
        wanted = {
            "before": ("before", "above"), "after": ("after", "below"), "below": ("below", "after"),
            "start of": ("start", "first"), "end of": ("end", "last"),
        }.get(place.side, ())  # fmt: skip
        if place.side == "at":
            wanted = ("last", "end") if place.place.at == "end" else ("first", "start")
    if place is not None and place.phrase is not None and place.phrase is not filled.target:
        return None
    found = next((w for w in wanted if w in options), None)
    if found is not None and place is not None:
        return Value(place.start, place.end, found)
    if place is None or place.phrase is None:
        match = re.match(r"(?P<v>end|start|begin)\s+the\b", filled.reading.masked, _I)
        word = (
            {"begin": "start"}.get(match.group("v").lower(), match.group("v").lower())
            if match is not None
            else ""
        )
        if match is not None and word in options:
            return Value(0, match.end("v"), word)
        return values.literal(filled.free(), list(options))
    return None
