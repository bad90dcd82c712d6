"""Parameters of an operation, filled from a reading by their names and types.

A required parameter that the clause does not give is never guessed: the operation is then not a candidate.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Union, get_args, get_origin

from agent.errors import OperationError
from agent.operations.catalogue import Operation
from agent.operations.targets import Place, Resolver, Target, Wants
from agent.planning.local import values
from agent.planning.local.phrases import Phrase
from agent.planning.local.reading import Reading
from agent.planning.local.values import Value

_TABLE_WANTS = {Wants.TABLE, Wants.TABLES, Wants.ROWS, Wants.CELLS, Wants.CELL}
_DRAWING_WANTS = {Wants.DRAWING, Wants.DRAWINGS}


@dataclass
class Filled:
    """What a clause gives an operation."""

    operation: Operation[Any]
    params: dict[str, Any] = field(default_factory=dict[str, Any])
    used: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    missing: list[str] = field(default_factory=list[str])
    values: int = 0
    """Parameters other than targets and places that the clause gave."""
    target: Phrase | None = None

    def take(self, name: str, value: Value) -> None:
        """Set a parameter from something that was read."""
        self.params[name] = value.value
        self.used.append((value.start, value.end))
        self.values += 1


Filler = Callable[[Reading, Filled, str], Value | None]


def fill(op: Operation[Any], reading: Reading) -> Filled:
    """Fill what can be filled."""
    filled = Filled(op)
    fields = op.params.model_fields
    ordered = sorted(
        fields,
        key=lambda n: (
            n not in op.wants and _base(fields[n].annotation) is not Place,
            not fields[n].is_required(),
        ),
    )
    for name in ordered:
        kind = _base(fields[name].annotation)
        if name in op.wants:
            _fill_target(reading, filled, name, op.wants[name], fields[name].is_required())
        elif kind is Place:
            if reading.place is not None:
                filled.params[name] = reading.place.place.model_dump(exclude_none=True, exclude_defaults=True)
                filled.used.append((reading.place.start, reading.place.end))
            elif fields[name].is_required() and filled.target is None:
                filled.params[name] = {"at": "end"}
        else:
            value = _value(reading, filled, name, fields[name].annotation)
            if value is not None:
                filled.take(name, value)
        if fields[name].is_required() and name not in filled.params:
            filled.missing.append(name)
    return filled


def _base(annotation: Any) -> Any:
    """The type without "or None"."""
    if get_origin(annotation) in (Union, types.UnionType):
        rest = [a for a in get_args(annotation) if a is not type(None)]
        return rest[0] if len(rest) == 1 else annotation
    return annotation


# -- targets -----------------------------------------------------------------------------------------------------------


def _fill_target(reading: Reading, filled: Filled, name: str, wants: Wants, required: bool) -> None:
    taken = {id(p) for p in (filled.target,) if p is not None}
    phrase = next((p for p in reading.targets if id(p) not in taken and _fits(p, wants, required)), None)
    if phrase is None and required:
        phrase = _implied(reading, wants)
    if phrase is None:
        return
    filled.params[name] = phrase.target.model_dump(exclude_none=True, exclude_defaults=True)
    if phrase.end > phrase.start:
        filled.used.append((phrase.start, phrase.end))
    filled.target = filled.target or phrase


def _fits(phrase: Phrase, wants: Wants, required: bool) -> bool:
    if wants in (Wants.CELL, Wants.CELLS) and not required:
        return phrase.named == "cell"
    if wants in _TABLE_WANTS:
        return phrase.named in (
            "row",
            "column",
            "cell",
            "table",
            "header row",
            "it",
            "text",
            "paragraph text",
            "selection",
        )
    if wants in _DRAWING_WANTS:
        return phrase.named in ("picture", "chart", "it", "selection")
    if wants is Wants.BLOCKS:
        return phrase.named not in ("row", "column", "cell")
    return True


def _implied(reading: Reading, wants: Wants) -> Phrase | None:
    """A target that the clause does not spell out: the only table, the only picture, the selection, words of the document."""
    if wants in _TABLE_WANTS:
        if reading.previous is not None and _is_table(reading, reading.previous):
            return Phrase(0, 0, reading.previous, True, "it")
        return Phrase(0, 0, Target(every="table"), True, "table")
    if wants in _DRAWING_WANTS:
        kind: Literal["chart", "picture"] = (
            "chart" if re.search(r"\b(chart|graph)\b", reading.masked, re.IGNORECASE) else "picture"
        )
        return Phrase(0, 0, Target(every=kind), True, kind)
    place = reading.place
    if (
        place is not None
        and place.phrase is not None
        and place.place.after is not None
        and place.phrase.named != "unknown"
    ):
        inside = place.place.after
        if reading.masked[place.start :].lower().startswith(("in ", "to ", "into ", "within ", "inside ")):
            return Phrase(place.start, place.end, inside, True, place.phrase.named)
    words = _words_of_document(reading)
    if words is not None:
        return words
    if reading.selection is not None and reading.selection.blocks:
        return Phrase(0, 0, Target(where="selection"), True, "selection")
    return None


def _is_table(reading: Reading, target: Target) -> bool:
    try:
        return bool(Resolver(reading.mirror).tables(target))
    except OperationError:
        return False


def _words_of_document(reading: Reading) -> Phrase | None:
    """Unquoted words behind the verb that stand in the document: "make net revenue bold"."""
    match = re.match(r"[\w-]+\s+(?:the\s+(?:words?|text|phrase|term|name)\s+|the\s+)?", reading.masked)
    if match is None or match.end() >= len(reading.masked) or reading.masked[match.end()] == "\u0001":
        return None
    rest = reading.text[match.end() :]
    found = reading.document_text(rest)
    if found is None or found.lower() in _NOT_TEXT:
        return None
    return Phrase(match.end(), match.end() + len(found), Target(text=found), True, "text")


_NOT_TEXT = {
    "table",
    "the",
    "a",
    "an",
    "and",
    "text",
    "paragraph",
    "heading",
    "title",
    "page",
    "new",
    "row",
    "column",
    "list",
    "picture",
    "image",
    "chart",
}


# -- values ------------------------------------------------------------------------------------------------------------


def _value(reading: Reading, filled: Filled, name: str, annotation: Any) -> Value | None:
    """One parameter by its name, else by its type."""
    kind = _base(annotation)
    filler = _BY_NAME.get(name)
    if filler is not None:
        return filler(reading, filled, name)
    if get_origin(kind) is Literal:
        return values.literal(_free(reading, filled), [str(a) for a in get_args(kind)])
    if kind is bool:
        return values.toggle(_free(reading, filled), name)
    return None


def _free(reading: Reading, filled: Filled) -> str:
    """The clause without quotes, what is used already, and the place."""
    text = reading.masked
    spans = [*filled.used, *reading.used]
    if reading.place is not None and reading.place.place.at is None:
        spans.append((reading.place.start, reading.place.end))
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _pick(found: list[Value]) -> Value | None:
    return found[0] if found else None


def _text(reading: Reading, filled: Filled, name: str) -> Value | None:
    """New words: quoted, or after "saying" or a colon, or after "to"."""
    quotes = [q for q in reading.free_quotes() if not _overlaps(q, filled.used)]
    if quotes:
        return quotes[-1] if filled.target is not None and len(quotes) > 1 else quotes[0]
    if reading.saying is not None:
        return reading.saying
    return None


def _overlaps(value: Value, spans: list[tuple[int, int]]) -> bool:
    return any(value.start < b and a < value.end for a, b in spans)


_REPLACE = re.compile(
    r"^(?:find\s+and\s+)?(?P<v>replace|substitute|swap|change|rename|correct|update|turn|find|exchange)\s+(?P<a>.+?)"
    r"\s+(?:(?:and\s+)?(?:replace|substitute|change)\s+(?:it|them|all|every one)?\s*(?:with|by|to)|with|by|to|into|for|->|\u2192)\s+(?P<b>.+?)$",
    re.IGNORECASE | re.DOTALL,
)
_OCCURRENCES = re.compile(
    r"^(?:(?:all|every|each)\s+(?:the\s+)?(?:(?:occurrences?|instances?|mentions?|appearances?)\s+of\s+)?)?(?:the\s+(?:words?|phrase|text|term|name)\s+|the\s+)?",
    re.IGNORECASE,
)
_EVERYWHERE = re.compile(
    r"\s+(?:everywhere|throughout(?:\s+the\s+(?:whole\s+)?document)?|in\s+the\s+(?:whole|entire)\s+document|in\s+(?:the|this)\s+document|wherever it (?:appears|occurs))\b",
    re.IGNORECASE,
)


def _find(reading: Reading, filled: Filled, name: str) -> Value | None:
    match = _REPLACE.match(reading.masked)
    if match is None:
        return _pick([q for q in reading.quotes if not _overlaps(q, filled.used)])
    return _side(reading, match, "a")


def _replacement(reading: Reading, filled: Filled, name: str) -> Value | None:
    match = _REPLACE.match(reading.masked)
    return _side(reading, match, "b") if match is not None else None


def _side(reading: Reading, match: re.Match[str], group: str) -> Value | None:
    start, end = match.span(group)
    inside = [q for q in reading.quotes if start <= q.start and q.end <= end]
    if inside:
        return Value(start, end, inside[0].value)
    words = reading.text[start:end]
    words = _EVERYWHERE.sub("", words)
    if group == "a":
        words = words[_OCCURRENCES.match(words).end() :]  # type: ignore[union-attr]
    return Value(start, end, words.strip(" ,")) if words.strip() else None


def _everywhere(reading: Reading, filled: Filled, name: str) -> Value | None:
    match = re.search(
        r"\b(?:all|every|each|everywhere|throughout|whole|entire)\b", reading.masked, re.IGNORECASE
    )
    return Value(match.start(), match.end(), True) if match is not None else None


def _number_of(noun: str) -> Filler:
    def filler(reading: Reading, filled: Filled, name: str) -> Value | None:
        free = _free(reading, filled)
        return _pick(values.counts(free, noun))

    return filler


def _rows(reading: Reading, filled: Filled, name: str) -> Value | None:
    found = values.dimensions(reading.masked)
    return Value(found.start, found.end, found.value[0]) if found is not None and found.value[0] else None


def _columns(reading: Reading, filled: Filled, name: str) -> Value | None:
    found = values.dimensions(reading.masked)
    return Value(found.start, found.end, found.value[1]) if found is not None and found.value[1] else None


_HEADER_LIST = re.compile(
    r"\b(?:(?:with|and|using|having)\s+)?(?:the\s+)?(?:column\s+)?(?:headers?(?:\s+row)?|headings|header\s+(?:cells|names)|column\s+(?:names|titles)|columns(?:\s+(?:called|named|titled|headed|for))?)"
    r"\s*(?:of|being|are|is|reading|:)?\s+(?P<l>(?!row\b).+)$",
    re.IGNORECASE | re.DOTALL,
)
_NEXT_PART = re.compile(
    r"\s+(?:and\s+(?:the\s+)?(?:rows?|data|values|items|content)\b|with\s+(?:the\s+)?(?:rows?|data|values)\b|in the style|styled)|,?\s+(?:and\s+)?(?:at|after|below|before|above|under)\s+the\b|\n",
    re.IGNORECASE,
)


def _header(reading: Reading, filled: Filled, name: str) -> Value | None:
    match = _HEADER_LIST.search(reading.masked)
    if match is None:
        return None
    start, end = match.span("l")
    if reading.place is not None and start <= reading.place.start < end:
        end = reading.place.start
    cut = _NEXT_PART.search(reading.masked, start, end)
    end = cut.start() if cut is not None else end
    items = values.listed(reading.text[start:end].strip(" ."))
    return Value(match.start(), end, items) if items else None


_DATA = re.compile(
    r"\b(?:rows?|data|values|entries|with the content)\b\s*(?:of|being|are|:)?\s*(?P<l>.+)$|:\s*(?P<m>[^\n]*\n.+)$",
    re.IGNORECASE | re.DOTALL,
)


def _table_data(reading: Reading, filled: Filled, name: str) -> Value | None:
    """Rows on lines or parted by semicolons, cells by commas, bars or tabs."""
    match = _DATA.search(reading.masked)
    if match is None:
        return None
    group = "l" if match.group("l") else "m"
    body = reading.text[match.start(group) : match.end(group)].strip()
    lines = [line for line in re.split(r"\n|;", body) if line.strip(" |-:")]
    rows = [[c.strip().strip("\"'") for c in re.split(r"\||\t|,", line.strip().strip("|"))] for line in lines]
    rows = [r for r in rows if len(r) > 1]
    return Value(match.start(), match.end(group), rows) if rows else None


_ITEMS = re.compile(
    r"(?:\b(?:items?|points?|entries|bullets?|list|steps)\b\s*(?:of|being|are|with|for|containing)?\s*:?\s+|:\s*)(?P<l>(?!after|before|at the|below|under|above|in the).+)$",
    re.IGNORECASE | re.DOTALL,
)


def _items(reading: Reading, filled: Filled, name: str) -> Value | None:
    if len(reading.free_quotes()) > 1:
        quotes = reading.free_quotes()
        return Value(quotes[0].start, quotes[-1].end, [q.value for q in quotes])
    text = reading.masked
    colon = text.find(":")
    match = (
        re.compile(r":\s*(?P<l>.+)$", re.DOTALL).search(text, colon) if colon >= 0 else _ITEMS.search(text)
    )
    if match is None:
        return None
    start, end = match.span("l")
    if reading.place is not None and start <= reading.place.start < end:
        end = reading.place.start
    items = values.listed(reading.text[start:end].strip(" ."))
    return Value(match.start(), end, items) if items else None


def _style(reading: Reading, filled: Filled, name: str) -> Value | None:
    """A style of the document or a built-in one, by its name."""
    from agent.document.names import W_VAL, W
    from agent.document.styles import style_table

    names: set[str] = set(_BUILTIN_STYLES)
    for element in style_table(reading.mirror).values():
        label = element.find(W + "name")
        if label is not None:
            names.add(label.get(W_VAL, ""))
    table = (
        bool({"rows", "header", "banded_rows"} & set(filled.operation.params.model_fields))
        or "table" in filled.operation.name
    )
    text = _free(reading, filled).casefold()
    for label in sorted(names, key=len, reverse=True):
        at = text.find(label.casefold())
        if (
            len(label) >= 4
            and at >= 0
            and not text[at - 1 : at].isalnum()
            and not text[at + len(label) : at + len(label) + 1].isalnum()
        ):
            if table or label.casefold() not in ("table grid",):
                return Value(at, at + len(label), label)
    quotes = [q for q in reading.free_quotes() if not _overlaps(q, filled.used)]
    if quotes and re.search(r"\bstyle", reading.masked, re.IGNORECASE):
        return quotes[0]
    match = re.search(
        r"\b(?:the\s+)?style\s+(?:to\s+|as\s+)?(?P<w>[A-Z][\w]*(?:\s+[A-Z0-9][\w]*)*)|\b(?P<w2>[A-Z]\w*(?:\s+[A-Z0-9]\w*)*)\s+style\b",
        reading.masked,
    )
    if match is not None:
        group = "w" if match.group("w") else "w2"
        return Value(match.start(), match.end(), match.group(group))
    return None


_BUILTIN_STYLES = (
    "Normal", "Title", "Subtitle", "Quote", "Intense Quote", "Caption", "List Bullet", "List Number", "Body Text", "No Spacing",
    *(f"Heading {i}" for i in range(1, 10)), "Table Grid", "Light Shading", "Light List", "Light Grid", "Medium Shading 1",
    "Medium List 1", "Medium Grid 1", "Dark List", "Colorful Grid", "Colorful List", "Strong", "Emphasis", "List Paragraph",
)  # fmt: skip


def _level(reading: Reading, filled: Filled, name: str) -> Value | None:
    match = re.search(
        r"\blevel[- ](?P<v>\d)\b|\bheading\s+(?P<v2>[1-9])\b|\b(?P<v3>sub-?heading|sub-?title)\b|\bH(?P<v4>[1-6])\b",
        reading.masked,
        re.IGNORECASE,
    )
    if match is None:
        return None
    number = match.group("v") or match.group("v2") or match.group("v4") or "2"
    return Value(match.start(), match.end(), int(number))


def _length_near(words: str) -> Filler:
    """The length that stands near some words: "left margin 2 cm", "3 cm wide"."""
    near = re.compile(rf"\b(?:{words})\b", re.IGNORECASE)

    def filler(reading: Reading, filled: Filled, name: str) -> Value | None:
        free = _free(reading, filled)
        found = values.lengths(free)
        spots = [m.span() for m in near.finditer(free)]
        if not found or not spots:
            return None
        return min(found, key=lambda v: min(min(abs(v.start - b), abs(a - v.end)) for a, b in spots))

    return filler


def _margin(side: str) -> Filler:
    """A page margin: named, or one for all sides, or "top and bottom"."""

    def filler(reading: Reading, filled: Filled, name: str) -> Value | None:
        text = reading.masked
        found = values.lengths(text)
        if not found:
            preset = re.search(
                r"\b(narrow|wide|normal)\b\s+margins?|margins?\s+(?:to\s+)?\b(narrow|wide|normal)\b",
                text,
                re.IGNORECASE,
            )
            if preset is None:
                return None
            word = next(g for g in preset.groups() if g).lower()
            across = {
                "narrow": "1.27cm",
                "wide": "5.08cm" if side in ("left", "right") else "2.54cm",
                "normal": "2.54cm",
            }[word]
            return Value(preset.start(), preset.end(), across)
        named = {
            s: [m.start() for m in re.finditer(rf"\b{s}\b", text, re.IGNORECASE)]
            for s in ("top", "bottom", "left", "right")
        }
        if (
            re.search(r"\b(?:side|horizontal)s?\b(?=.{0,9}margin)|\bsides\b", text, re.IGNORECASE)
            and side in ("left", "right")
            and not named["left"]
        ):
            return found[0]
        if not any(named.values()):
            return found[0]
        if not named[side]:
            return None
        at = named[side][0]
        later = [v for v in found if v.start > at]
        return later[0] if later else found[-1]

    return filler


def _list_kind(reading: Reading, filled: Filled, name: str) -> Value | None:
    return values.literal(reading.masked, ["number", "multilevel", "bullet"])


def _color(reading: Reading, filled: Filled, name: str) -> Value | None:
    free = _free(reading, filled)
    found = values.colours(free)
    if not found and re.search(
        r"\b(?:no|remove|without|clear)\b.*\b(?:colou?r|shading|fill|highlight)", free, re.IGNORECASE
    ):
        return Value(0, 0, "none")
    return _pick(found)


def _font(reading: Reading, filled: Filled, name: str) -> Value | None:
    return _pick(values.fonts(_free(reading, filled)))


def _size(reading: Reading, filled: Filled, name: str) -> Value | None:
    found = _pick(values.sizes(_free(reading, filled)))
    return Value(found.start, found.end, _plain_number(found.value)) if found is not None else None


def _plain_number(text: str) -> float | int | str:
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number == int(number) else number


def _spacing(reading: Reading, filled: Filled, name: str) -> Value | None:
    found = _pick(values.line_spacings(_free(reading, filled)))
    if found is not None:
        return found
    match = re.search(r"\bline[- ]?spacing\b.*?(\d+(?:[.,]\d+)?)", reading.masked, re.IGNORECASE)
    return (
        Value(match.start(), match.end(), float(match.group(1).replace(",", ".")))
        if match is not None
        else None
    )


def _url(reading: Reading, filled: Filled, name: str) -> Value | None:
    found = values.urls(reading.text)
    return _pick(found)


def _percent(reading: Reading, filled: Filled, name: str) -> Value | None:
    found = _pick(values.percents(reading.masked))
    if found is not None:
        return found
    for words, value in ((r"\btwice\b|\bdouble\b", 200.0), (r"\bhalf\b", 50.0)):
        match = re.search(words, reading.masked, re.IGNORECASE)
        if match is not None:
            return Value(match.start(), match.end(), value)
    return None


def _named_value(words: str) -> Filler:
    """ "set the author to Ann Lee", "title: Annual report": what follows the words."""
    pattern = re.compile(
        rf"\b(?:{words})\b(?:\s+(?:of|in)\s+(?:the|this)\s+document)?(?:\s+property)?\s*(?:to|is|as|=|:|should be|named|called)?\s*(?P<v>\u0001+|[^,;\u0001]+?)(?=\s*(?:$|[,;]|\band\s+(?:the\s+)?(?:title|author|subject|keywords?|comments?|category|company)\b))",
        re.IGNORECASE,
    )

    def filler(reading: Reading, filled: Filled, name: str) -> Value | None:
        match = pattern.search(reading.masked)
        if match is None:
            return None
        start, end = match.span("v")
        quote = next((q.value for q in reading.quotes if q.start == start), None)
        value = quote if quote is not None else reading.text[start:end].strip()
        return Value(match.start(), end, value) if value else None

    return filler


def _mapping(reading: Reading, filled: Filled, name: str) -> Value | None:
    """Placeholders and what to put in: "fill in CLIENT with Acme and DATE with 1 May", "[Name] = Ann"."""
    pairs: dict[str, str] = {}
    pattern = re.compile(
        r"[\[{\u00ab<]*(?P<k>[\w .-]+?)[\]}\u00bb>]*\s*(?:=|:|\bwith\b|\bas\b|\bby\b|->)\s*(?P<v>.+?)(?=\s*(?:$|[,;\n]\s*(?:and\s+)?|\s+and\s+)[\[{\u00ab<]*(?:[\w .-]+?[\]}\u00bb>]*\s*(?:=|:|\bwith\b|\bas\b|\bby\b|->)|$))",
        re.IGNORECASE,
    )
    lead = re.match(
        r"(?:please\s+)?(?:fill(?:\s+(?:in|out))?|complete|replace|set)\s+(?:the\s+)?(?:placeholders?|blanks|fields|template)?\s*(?:with|:|for)?\s*",
        reading.text,
        re.IGNORECASE,
    )
    start = lead.end() if lead is not None else 0
    for match in pattern.finditer(reading.text, start):
        pairs[match.group("k").strip()] = match.group("v").strip().strip("\"'\u201c\u201d ,")
    return Value(start, len(reading.text), pairs) if pairs else None


_BY_NAME: Mapping[str, Filler] = {
    "text": _text,
    "content": _text,
    "new_text": _text,
    "comment": _text,
    "find": _find,
    "search": _find,
    "replace": _replacement,
    "replacement": _replacement,
    "with": _replacement,
    "new": _replacement,
    "all": _everywhere,
    "rows": _rows,
    "columns": _columns,
    "header": _header,
    "headers": _header,
    "data": _table_data,
    "items": _items,
    "style": _style,
    "level": _level,
    "kind": _list_kind,
    "color": _color,
    "colour": _color,
    "fill": _color,
    "font": _font,
    "name": _font,
    "size": _size,
    "spacing": _spacing,
    "line_spacing": _spacing,
    "multiple": _spacing,
    "lines": _spacing,
    "url": _url,
    "address": _url,
    "scale": _percent,
    "percent": _percent,
    "width": _length_near(r"wide|width|broad"),
    "height": _length_near(r"high|height|tall"),
    "left": _margin("left"),
    "right": _margin("right"),
    "top": _margin("top"),
    "bottom": _margin("bottom"),
    "author": _named_value(r"author|writer|creator"),
    "title": _named_value(r"title"),
    "subject": _named_value(r"subject"),
    "keywords": _named_value(r"keywords?|tags?"),
    "category": _named_value(r"category"),
    "comments": _named_value(r"comments?"),
    "alt": _text,
    "alt_text": _text,
    "description": _text,
    "count": _number_of(r"(?:row|column|item|line|time)"),
    "mapping": _mapping,
    "values": _mapping,
}
