"""Which filler reads which parameter, by the names that parameters of operations have."""

from __future__ import annotations

from collections.abc import Mapping

from agent.planning.local import chart_fillers as charts
from agent.planning.local import format_fillers as looks
from agent.planning.local import picture_fillers as pictures
from agent.planning.local import table_fillers as tables
from agent.planning.local import text_fillers as words
from agent.planning.local.slots import TEXTS, Filled, Filler, Slot
from agent.planning.local.text_fillers import named_value, own_property, pairs
from agent.planning.local.values import Value


def _named(names: str, listed: bool = False) -> Filler:
    def filler(filled: Filled, slot: Slot) -> Value | None:
        return named_value(filled, slot, names, listed)

    return filler


BY_NAME: Mapping[str, Filler] = {
    **dict.fromkeys(TEXTS, words.new_words),
    **dict.fromkeys(("find", "search", "old_text"), words.find),
    **dict.fromkeys(("replace", "replacement", "with", "new"), words.replacement),
    **dict.fromkeys(("color", "colour", "fill"), looks.color),
    **dict.fromkeys(("spacing", "line_spacing", "multiple", "lines"), looks.spacing),
    **dict.fromkeys(("url", "address", "link"), looks.url),
    **dict.fromkeys(("scale", "percent"), looks.percent),
    "nth": words.nth,
    "all": words.everywhere,
    "rows": tables.size(0),
    "columns": tables.size(1),
    "header": tables.header,
    "headers": tables.header,
    "data": tables.data,
    "values": tables.row_values,
    "count": tables.count,
    "column": tables.condition_column,
    "equals": tables.condition_equals,
    "empty": tables.condition_empty,
    "items": words.items,
    "style": looks.style,
    "level": looks.level,
    "kind": looks.kind,
    "font": looks.font,
    "name": looks.font,
    "size": looks.size,
    "size_change": looks.size_change,
    "exact": looks.distance(r"exactly|exact|fixed"),
    "at_least": looks.distance(r"at\s+least|minimum|no\s+less\s+than"),
    "width": looks.length_near(r"wide|width|broad"),
    "height": looks.length_near(r"high|height|tall"),
    "left": looks.margin("left"),
    "right": looks.margin("right"),
    "top": looks.margin("top"),
    "bottom": looks.margin("bottom"),
    "position": looks.position,
    "pattern": words.number_pattern,
    "picture": pictures.picture,
    "categories": charts.categories,
    "series": charts.series,
    "title": charts.chart_title,
    "author": _named(r"author|writer|creator"),
    "keywords": _named(r"keywords?|tags?", listed=True),
}

__all__ = ["BY_NAME", "named_value", "own_property", "pairs"]
