"""Parameters of tables: how large, the names of the columns, the texts of rows, conditions on rows."""

from __future__ import annotations

import re
from typing import Any, get_args, get_origin

from agent.planning.local import values
from agent.planning.local.slots import Filled, Slot
from agent.planning.local.values import Value

_I = re.IGNORECASE
_HEADER = re.compile(
    r"\b(?:(?:with|and|using|having)\s+)?(?:the\s+)?(?:column\s+)?(?:headers?(?:\s+row)?|headings"
    r"|header\s+(?:cells|names)|column\s+(?:names|titles)"
    r"|(?:\w+\s+)?columns?(?:\s+(?:called|named|titled|headed|for))?)\s*(?:of|being|are"
    r"|is|reading|:)?\s+(?P<l>(?!row\b|and\b).+)$",
    _I | re.DOTALL,
)
_NEXT = re.compile(
    r"\s*(?:\n|;|,?\s+(?:and|with|plus)\s+(?:(?:the|these|a|\w+)\s+){0,2}(?:rows?|data|values|items|content|entries)\b"
    r"|\s+in\s+the\s+style|\s+styled|,?\s+(?:and\s+)?(?:at|after|below|before|above|under)\s+the\b|\.\s)",
    _I,
)
_ROWS = re.compile(
    r"\b(?:rows?|data|values|entries|lines?|content)\b\s*(?:(?:for|of|being|are|with|containing|reading|:)\s+)*(?P<l>.+)$",
    _I | re.DOTALL,
)
_PREPOSITION = r"(?:at|to|in|into|after|before|below|above|under|and\s+(?:make|shade|put|set))\b"
_EMPTY = re.compile(r"\b(?:empty|blank)\b", _I)


def size(part: int) -> Any:
    """Rows (0) or columns (1) of "3x2", "three rows and two columns"."""

    def filler(filled: Filled, slot: Slot) -> Value | None:
        text = filled.reading.masked[: filled.reading.colon]
        found = values.dimensions(text)
        if found is None or not found.value[part]:
            return None
        more = re.search(
            r"\b(?:empty|blank|data|further|more)\s+rows?\b", text[found.start : found.end + 12], _I
        )
        heads = (
            re.search(r"\bheaders?\b|\bcolumns?\s+(?:called\s+|named\s+)?[A-Z\u0001]", text)
            if part == 0 and more
            else None
        )
        return Value(found.start, found.end, found.value[part] + (1 if heads is not None else 0))

    return filler


def _upto(filled: Filled, start: int, end: int) -> int:
    """Where the values end: at the place or target that follows, or at the next part of the request."""
    end = min([a for a, _ in filled.used if start < a < end], default=end)
    place = filled.reading.place
    if place is not None and start < place.start < end:
        end = place.start
    cut = _NEXT.search(filled.reading.masked, start, end)
    return cut.start() if cut is not None else end


def header(filled: Filled, slot: Slot) -> Value | None:
    """Names of columns, behind "columns" or "header", or the first of the lines behind a colon."""
    reading = filled.reading
    if not re.search(r"\btable|\bcolumns?\b|\bheaders?\b", reading.masked, _I):
        return None
    at = 0
    while (match := _HEADER.search(reading.masked, at)) is not None:
        at = match.start() + 1
        if match.group(0)[0].isdigit() or (match.start() and reading.masked[match.start() - 1].isalnum()):
            continue
        start, end = match.span("l")
        if re.search(rf"\b{values.NUMBER}\s*$", reading.masked[: match.start()], _I) or re.match(
            _PREPOSITION, match.group("l"), _I
        ):
            continue
        end = _upto(filled, start, end)
        found = values.listed(
            re.sub(r"\s+(?:and|with|plus)$", "", reading.text[start:end].strip(" .,"), flags=_I)
        )
        if found and not found[0].isdigit():
            return Value(match.start(), end, found)
    lines = _lines(filled)
    if len(lines) > 1 and len(lines[0]) > 1 and reading.colon is not None:
        first = reading.text.find("\n", reading.colon)
        first = reading.text.find("\n", first + 1) if first < reading.colon + 1 else first
        return Value(reading.colon, first if first > 0 else len(reading.text), lines[0])
    if reading.colon is not None and "\n" not in reading.text[reading.colon :]:
        found = values.listed(reading.text[reading.colon :].strip(" ."))
        if (
            len(found) > 1
            and ";" not in reading.text[reading.colon :]
            and not any(re.search(r"\d", f) for f in found)
        ):
            return Value(reading.colon, len(reading.text), found)
    return None


def _lines(filled: Filled) -> list[list[str]]:
    """Rows on lines behind a colon."""
    reading = filled.reading
    if reading.colon is None or "\n" not in reading.text[reading.colon - 1 :]:
        return []
    return [r for r in _rows_of(reading.text[reading.colon :]) if r]


def data(filled: Filled, slot: Slot) -> Value | None:
    """Rows on lines or parted by semicolons, cells by commas, bars or tabs."""
    reading = filled.reading
    lines = _lines(filled)
    if len(lines) > 1:
        rest = lines[1:] if filled.params.get("header") == lines[0] else lines
        at = filled.reading.text.find("\n", reading.colon or 0)
        return Value(at + 1, len(reading.text), rest)
    match = next(
        (m for m in _ROWS.finditer(reading.masked) if not re.match(r"(?:and|columns?)\b", m.group("l"), _I)),
        None,
    )
    if match is None:
        return None
    start, end = match.span("l")
    end = min([a for a, _ in filled.used if start < a < end], default=end)
    rows = [r for r in _rows_of(reading.text[start:end].strip(" .")) if len(r) > 1]
    return Value(match.start(), end, rows) if rows else None


def _rows_of(text: str) -> list[list[str]]:
    lines = [line for line in re.split(r"\n|;|\s+\bthen\s+", text) if line.strip(" |-:+")]
    rows: list[list[str]] = []
    for line in lines:
        bare = re.sub(r"^\s*(?:[-*\u2022]|and\b)\s*", "", line.strip().strip("|"))
        if "|" in bare or "\t" in bare:
            rows.append([c.strip().strip("\"'") for c in re.split(r"\||\t", bare)])
        else:
            rows.append(values.listed(bare))
    return rows


_ROW_VALUES = re.compile(
    r"\b(?:rows?|line|entry)\b\s*(?:(?:saying|for|of|with|containing|reading|:"
    r"|that\s+says)\s+)*(?:the\s+(?:values?|texts?|cells?|entries)\s+)?(?P<l>.+)$",
    _I | re.DOTALL,
)


def row_values(filled: Filled, slot: Slot) -> Value | None:
    """Texts of new rows: "a row with Food and 200", "the row Lamps, 300", "a row for Central with 100 and 120"."""
    reading = filled.reading
    if get_origin(slot.kind) is not list:
        return None
    nested = get_origin(get_args(slot.kind)[0]) is list
    if reading.colon is not None:
        rows = _rows_of(reading.text[reading.colon :].strip(" ."))
        return Value(reading.colon, len(reading.text), rows if nested else rows[0]) if rows else None
    quotes = reading.free_quotes()
    if quotes and not any(filled.overlaps(q) for q in quotes):
        row = [q.value for q in quotes]
        return Value(quotes[0].start, quotes[-1].end, [row] if nested else row)
    behind = re.compile(
        r"\b(?:rows?|line|entry)\b.*?\b(?:with|containing|reading|saying)\s+(?:the\s+(?:values?|texts?|cells?)\s+)?(?P<l>.+)$",
        _I | re.DOTALL,
    )
    for match in (*_ROW_VALUES.finditer(reading.masked), *behind.finditer(reading.masked)):
        start, end = match.span("l")
        if any(a <= start < b for a, b in filled.used):
            continue
        end = min([a for a, _ in filled.used if start < a < end], default=end)
        words = re.sub(
            r"\s+(?:to|in|into|at|of|below|above)(?:\s+the)?$",
            "",
            reading.text[start:end].strip(" .,"),
            flags=_I,
        )
        if re.match(r"(?:to|in|into|at|of|below|above|after|before|under)\b", words, _I) or not words:
            continue
        if (
            re.match(rf"{values.NUMBER}$|(?:empty|blank)\b", words, _I)
            and "row" in match.group(0)[:4].lower()
            and not re.search(r"with", match.group(0), _I)
        ):
            continue
        words = re.sub(r"^(?P<a>[^,]+?)\s+with\s+", r"\g<a>, ", words)
        rows = _rows_of(words) if ";" in words else [values.listed(words)]
        return Value(match.start(), end, rows if nested else rows[0])
    return None


def count(filled: Filled, slot: Slot) -> Value | None:
    """A number in front of rows, columns, items: "three rows"."""
    found = values.counts(filled.free(), r"(?:row|column|item|line|time|copie)")
    return found[0] if found else None


_CONDITION = re.compile(
    r"\b(?:where|whose|in\s+which|with)\s+(?:the\s+)?(?P<c>.+?)\s+(?:is|are|equals|=|reads|says|of)\s+(?P<v>\u0001+|[^,.;]+)$",
    _I,
)
_WITHOUT = re.compile(
    r"\b(?:without|that\s+have\s+no|with\s+no|with\s+an?\s+(?:empty|blank))\s+(?:an?\s+)?(?P<c>[\w ]+?)(?:\s+cell)?$",
    _I,
)


def condition_column(filled: Filled, slot: Slot) -> Value | None:
    """The column of "rows where Status is Closed"."""
    reading = filled.reading
    for pattern in (_CONDITION, _WITHOUT):
        match = pattern.search(reading.masked)
        if match is not None:
            name = reading.text[match.start("c") : match.end("c")].strip()
            for grid in reading.lookup.grids:
                at = grid.column(name)
                if at is not None:
                    return Value(
                        match.start(),
                        match.end("c"),
                        grid.header[[c.column for c in grid.header].index(at - 1)].text,
                    )
    return None


def condition_equals(filled: Filled, slot: Slot) -> Value | None:
    """The text of "rows where Status is Closed"."""
    reading = filled.reading
    match = _CONDITION.search(reading.masked)
    if match is None or _EMPTY.fullmatch(match.group("v").strip()):
        return None
    start, end = match.span("v")
    quote = next((q.value for q in reading.quotes if q.start == start), None)
    return Value(match.start("v"), end, quote if quote is not None else reading.text[start:end].strip())


def condition_empty(filled: Filled, slot: Slot) -> Value | None:
    """Whether empty ones are meant."""
    match = _EMPTY.search(filled.reading.masked) or _WITHOUT.search(filled.reading.masked)
    return Value(match.start(), match.end(), True) if match is not None else None
