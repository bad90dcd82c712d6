"""A chart. Word: Insert > Chart; `c:chartSpace` with an embedded workbook, `wp:inline`. Office.js cannot make one in Word."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Literal

from pydantic import Field

from agent.document.changes import Change, Dimension, Kind, shorten
from agent.document.charts import (
    WORKBOOK_TYPE,
    ChartData,
    SeriesData,
    chart_relationship,
    inline_chart,
    shown_data,
)
from agent.document.editor import Editor
from agent.document.elements import new_element
from agent.document.layout import text_height, text_width
from agent.document.mirror import Mirror
from agent.document.names import W_P, W_SDT, W_TBL, WP, C, R
from agent.document.pictures import fitted
from agent.document.text import paragraph_of
from agent.document.units import EMU_PER_POINT, emu
from agent.errors import InvalidValue, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import After, Effect
from agent.operations.resolver import Resolver
from agent.operations.specimens import doc, h, p
from agent.operations.targets import Params, Place

EMU_PER_TWIP = EMU_PER_POINT // 20
NATURAL = (5_486_400, 3_200_400)
"""Size that Word gives a new chart: 15.24 x 8.89 cm."""
MOST_SERIES, MOST_POINTS = 50, 5_000


class ChartSeries(Params):
    name: str = ""
    """What the legend calls it."""
    values: list[float | None]
    """Its numbers, one for each category; null for a gap."""
    x: list[float] | None = None
    """Scatter chart only: where each value stands on the horizontal axis."""


class InsertChart(Params):
    type: Literal[
        "column",
        "stacked column",
        "bar",
        "stacked bar",
        "line",
        "pie",
        "doughnut",
        "area",
        "scatter",
        "radar",
    ]
    """Kind of chart; columns stand, bars lie."""
    series: list[ChartSeries] = Field(min_length=1, max_length=MOST_SERIES)
    """The rows of numbers to draw; a pie has one."""
    categories: list[str] | None = None
    """Names under the columns, of the slices, along the line. Not for scatter charts."""
    title: str | None = None
    """Title above the chart; left out, none."""
    place: Place | None = None
    """Where it goes; left out, the end of the document."""
    width: str | None = None
    """Like "12cm" or "80%" of the text's width; the height follows unless it is given too."""
    height: str | None = None
    """Like "7cm"."""
    alignment: Literal["left", "center", "right"] | None = None
    """Where it stands between the margins; left out, as the text does."""
    alt_text: str | None = None
    """What it shows, for people who cannot see it; left out, its title."""


@operation(
    Intent.CHART,
    phrasings=[
        "insert a column chart of the sales per quarter",
        "add a pie chart with the shares 40, 35 and 25",
        "create a line chart showing revenue from 2020 to 2024",
        "make a bar chart comparing the three products",
        "put a stacked column chart after the table",
        "draw a scatter plot of these points",
        "I want a doughnut chart for the budget split",
        "add a radar chart of the skill ratings",
        "visualise the numbers Q1 10, Q2 20, Q3 15 as a chart",
    ],
    touches=["charts"],
    examples=[
        Example(
            "Add a column chart Sales with Q1 10, Q2 20 and Q3 15 after the heading Figures",
            doc(h(1, "Figures"), p("As planned.")),
            {
                "type": "column",
                "title": "Sales",
                "categories": ["Q1", "Q2", "Q3"],
                "series": [{"name": "Sales", "values": [10, 20, 15]}],
                "place": {"after": {"heading": "Figures"}},
            },
            result="A chart 'Sales' was added; nothing else changed.",
        ),
        Example(
            "Draw the points (1, 2), (2, 4) and (3, 8) as a scatter chart, 10 cm wide",
            doc(p("Growth:")),
            {"type": "scatter", "series": [{"values": [2, 4, 8], "x": [1, 2, 3]}], "width": "10cm"},
            result="A chart was added; nothing else changed.",
        ),
        Example(
            "Add a pie chart with the slices Rent, Food and Fun of 900 and 200",
            doc(p("Costs:")),
            {
                "type": "pie",
                "categories": ["Rent", "Food", "Fun"],
                "series": [{"name": "Costs", "values": [900, 200]}],
            },
            raises=InvalidValue,
        ),
        Example(
            "Add a line chart after the heading Outlook",
            doc(h(1, "Figures")),
            {
                "type": "line",
                "categories": ["a"],
                "series": [{"values": [1]}],
                "place": {"after": {"heading": "Outlook"}},
            },
            raises=TargetNotFound,
        ),
    ],
)
def insert_chart(editor: Editor, params: InsertChart) -> None:
    """Insert a chart that Word can edit, with its data in a workbook inside the document."""
    mirror = editor.mirror
    data = chart_data(params)
    host, side, anchor = _host(mirror, params)
    size = _size(mirror, params, host)
    rid = chart_relationship(mirror, host if host is not None else mirror.body, data)
    paragraph = new_element("w:p")
    paragraph.append(inline_chart(rid, editor.next_drawing_id(), size, _alt(params)))
    editor.place(side, anchor, [paragraph])
    if params.alignment is not None:
        editor.set_property(editor.ppr(paragraph), "jc", {"val": params.alignment})


def chart_data(params: InsertChart) -> ChartData:
    """The data, checked: lengths, numbers, what the kind of chart can show."""
    categories = params.categories or []
    series = [_series(params, i, s) for i, s in enumerate(params.series, 1)]
    if params.type == "scatter":
        if categories:
            raise InvalidValue("A scatter chart has no categories; give each series its x values.")
    elif not categories:
        raise InvalidValue(f"A {params.type} chart needs categories: a name for each value.")
    if max(len(s.values) for s in series) > MOST_POINTS:
        raise InvalidValue(f"A chart of more than {MOST_POINTS} points is too large.")
    if params.type == "pie" and len(series) > 1:
        raise InvalidValue(
            f"A pie chart shows one series and not {len(series)}; take a doughnut or column chart."
        )
    if params.type in ("pie", "doughnut") and any((v or 0) < 0 for s in series for v in s.values):
        raise InvalidValue(f"A {params.type} chart cannot show negative values; take a column chart.")
    return ChartData(params.type, tuple(categories), tuple(series), params.title or "")


def _series(params: InsertChart, number: int, series: ChartSeries) -> SeriesData:
    name = series.name or (params.title if len(params.series) == 1 and params.title else f"Series {number}")
    if params.type == "scatter":
        if series.x is None or len(series.x) != len(series.values):
            raise InvalidValue(
                f"The series '{shorten(name)}' has {len(series.values)} values and {len(series.x or [])} x values; "
                "a scatter chart needs as many of both."
            )
        if None in series.values:
            raise InvalidValue("A scatter chart cannot have gaps; leave those points out.")
    elif len(series.values) != len(params.categories or []) and params.categories:
        raise InvalidValue(
            f"The series '{shorten(name)}' has {len(series.values)} values for {len(params.categories)} categories; "
            "give one value for each category."
        )
    if not series.values:
        raise InvalidValue(f"The series '{shorten(name)}' has no values.")
    if any(not math.isfinite(v) for v in [*series.values, *(series.x or [])] if v is not None):
        raise InvalidValue(f"The series '{shorten(name)}' has a value that is no number.")
    return SeriesData(name, tuple(series.values), tuple(series.x or ()))


def _alt(params: InsertChart) -> str:
    return params.alt_text if params.alt_text is not None else params.title or ""


def _host(mirror: Mirror, params: InsertChart) -> tuple[Any, str, str]:
    if params.place is None:
        return None, "end", ""
    side, anchor = Resolver(mirror).place(params.place)
    return mirror.element(anchor) if anchor else None, side, anchor


def _size(mirror: Mirror, params: InsertChart, host: Any) -> tuple[int, int]:
    most = (text_width(mirror, host) * EMU_PER_TWIP, text_height(mirror, host) * EMU_PER_TWIP)
    width = _length(params.width, most[0]) if params.width is not None else None
    height = _length(params.height, most[1]) if params.height is not None else None
    return fitted(NATURAL, width, height, most)


def _length(value: str, whole: int) -> int:
    text = value.strip()
    number = text[:-1].strip().replace(",", ".")
    percent = text.endswith("%") and number.replace(".", "", 1).isdigit()
    found = round(whole * float(number) / 100) if percent else emu(value)
    if found < emu("1cm"):
        raise InvalidValue(f"A chart of {value} is too small to read; give at least 1cm.")
    return found


@insert_chart.effects
def _(mirror: Mirror, params: InsertChart) -> Iterable[Effect]:
    data = chart_data(params)
    host, side, anchor = _host(mirror, params)
    _size(mirror, params, host)
    most = text_width(mirror, host) * EMU_PER_TWIP + 1
    known = {mirror.id_of(paragraph_of(c)) for c in _charts(mirror)}
    wanted = [(s.name, list(s.values)) for s in data.series]

    def check(after: After) -> str | None:
        made = [c for c in _charts(after.mirror) if after.mirror.id_of(paragraph_of(c)) not in known]
        if len(made) != 1:
            return f"{len(made)} new charts and not 1"
        part = after.mirror.part_of(made[0]).related_parts[made[0].get(R + "id")]
        found = shown_data(part)
        if found != wanted:
            return f"the chart shows {found} and not {wanted}"
        external = part.element.find(C + "externalData")
        workbook = part.related_parts.get(external.get(R + "id")) if external is not None else None
        if workbook is None or workbook.content_type != WORKBOOK_TYPE:
            return "the chart has no workbook, so its data could not be edited"
        drawing = next(e for e in made[0].iterancestors(WP + "inline", WP + "anchor"))
        if int(drawing.find(WP + "extent").get("cx")) > most:
            return "the chart is wider than the text"
        if drawing.find(WP + "docPr").get("descr", "") != _alt(params):
            return "the chart has another alt text"
        return _misplaced(after, paragraph_of(drawing), side, anchor)

    def covers(change: Change) -> bool:
        added = change.dimension is Dimension.STRUCTURE and change.kind is Kind.ADDED
        return added and change.path == "paragraph" and not change.after.strip()

    yield Effect(f"a {params.type} chart stands there", check, covers)


def _charts(mirror: Mirror) -> Iterable[Any]:
    return (c for c in mirror.nodes_everywhere(C + "chart") if c.get(R + "id"))  # not that of a chart part


def _misplaced(after: After, paragraph: Any, side: str, anchor: str) -> str | None:
    if side in ("after", "before"):
        beside = next(paragraph.itersiblings(W_P, W_TBL, W_SDT, preceding=side == "after"), None)
        right = beside is not None and after.mirror.id_of(beside) == anchor
        return None if right else f"the chart is not {side} {anchor}"
    edge = after.mirror.edge(side)[0]
    return (
        None if after.mirror.id_of(paragraph) == edge else f"the chart is not at the {side} of the document"
    )
