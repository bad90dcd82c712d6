"""Numbers for charts: "North 40, South 35 and West 25", "the values 3, 5 and 8", "(1, 2), (2, 4)"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from agent.planning.local.slots import Filled, Slot
from agent.planning.local.text_fillers import named_thing, named_value
from agent.planning.local.values import Value

_I = re.IGNORECASE
_NUMBER = r"-?\d+(?:[.,]\d+)*"
_UNIT = r"(?:\s*(?:%|percent|per\s+cent|k|m)(?!\w))?"
_NAMED = re.compile(
    rf"(?P<n>[A-Za-z\u00c0-\uffff][\w\u00c0-\uffff &/.-]*?|\d{{4}})\s*[:=|(]?\s+(?:\|\s*)?(?P<v>{_NUMBER}){_UNIT}\)?"
    r"(?=\s*(?:$|,|;|\n|\band\b|\.(?:\s|$)|(?:at|after|before|below|above|titled|called|with|as)\b))",
    _I,
)
_POINT = re.compile(rf"\(\s*(?P<x>{_NUMBER})\s*[,;/]\s*(?P<y>{_NUMBER})\s*\)")
_BARE = re.compile(
    rf"\b(?:values?|numbers?|shares?|figures|data|points)\s+(?:of\s+|are\s+"
    rf"|:\s*)?(?P<l>{_NUMBER}(?:\s*(?:,|and|;)\s*(?:and\s+)?{_NUMBER})+)",
    _I,
)
_LEAD = re.compile(
    r"^(?:(?:and|with|of|for|the|values?|numbers?|shares?|figures|data|showing|comparing|from)\s+)+", _I
)


@dataclass(frozen=True)
class Numbers:
    """What a chart is to show, and where the clause says it."""

    start: int
    end: int
    names: tuple[str, ...]
    values: tuple[float, ...]
    x: tuple[float, ...] = ()


def _number(text: str) -> float:
    plain = re.sub(r"[.,](?=\d{3}(?:\D|$))", "", text).replace(",", ".")
    value = float(plain)
    return int(value) if value == int(value) else value


def _numbers(filled: Filled) -> Numbers | None:
    reading = filled.reading
    text = reading.text
    points = list(_POINT.finditer(text))
    if points:
        x, y = (tuple(_number(m.group(g)) for m in points) for g in ("x", "y"))
        return Numbers(points[0].start(), points[-1].end(), (), y, x)
    at = (
        reading.colon
        if reading.colon and not re.search(r"[,\d]\s*:\s*$", text[: reading.colon])
        else _behind_chart(text)
    )
    place = reading.place
    around = [(place.start, place.end)] if place is not None else []
    named = [
        m for m in _NAMED.finditer(text, at) if not any(m.start("v") < b and a < m.end() for a, b in around)
    ]
    names = [_LEAD.sub("", m.group("n").strip(" ,")) for m in named]
    if len(named) > 1 and all(names):
        return Numbers(
            named[0].start(), named[-1].end(), tuple(names), tuple(_number(m.group("v")) for m in named)
        )
    bare = _BARE.search(text)
    if bare is None:
        return None
    found = tuple(_number(n) for n in re.findall(_NUMBER, re.sub(r",\s", " , ", bare.group("l"))))
    return Numbers(bare.start(), bare.end(), (), found)


def _behind_chart(text: str) -> int:
    """Where the numbers may begin: behind "chart ... with", so that the chart's own name is not one of theirs."""
    match = re.search(
        r"\b(?:chart|graph|plot|diagram)\b(?:.*?\b(?:with|of"
        r"|showing|for|from|comparing)\b)?",
        text,
        _I | re.DOTALL,
    )
    return match.end() if match is not None else 0


def categories(filled: Filled, slot: Slot) -> Value | None:
    """Names under the columns or of the slices."""
    found = _numbers(filled)
    return Value(found.start, found.end, list(found.names)) if found is not None and found.names else None


def series(filled: Filled, slot: Slot) -> Value | None:
    """One row of numbers."""
    found = _numbers(filled)
    if found is None:
        return None
    one: dict[str, Any] = {"values": list(found.values)}
    if found.x:
        one["x"] = list(found.x)
    title = chart_title(filled, slot)
    if title is not None:
        one["name"] = title.value
    return Value(found.start, found.end, [one])


def chart_title(filled: Filled, slot: Slot) -> Value | None:
    """A title: "titled Costs", or for something new the name behind what it is: "a column chart Sales with ..."."""
    making = filled.operation.name.startswith(("insert", "add"))
    if not making and not re.search(
        r"\bpropert|\bmetadata|\bfile\b|document'?s\s+title", filled.reading.masked, _I
    ):
        return None  # the title on the page
    found = named_value(
        filled, Slot(slot.name, str, False, None), r"title|titled|entitled|called" if making else r"title"
    )
    if found is not None or not making:
        return found
    return named_thing(filled)
