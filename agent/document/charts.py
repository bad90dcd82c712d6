"""Native charts: a DrawingML chart part with the workbook that Word opens for "Edit Data".

`c:chartSpace` (ECMA-376 part 1, 21.2) with cached values, and `c:externalData` that leads to an embedded .xlsx. The plot's
XML and the sheet's layout come from python-pptx, which knows how the references of the one fit the cells of the other.
The same data always gives the same bytes.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from lxml import etree
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.chart.xlsx import CategoryWorkbookWriter, XyWorkbookWriter
from pptx.chart.xmlwriter import ChartXmlWriter
from pptx.enum.chart import XL_CHART_TYPE
from xlsxwriter import Workbook

from agent.document.names import WP, A, C, R
from agent.document.package import make_part

if TYPE_CHECKING:
    from agent.document.mirror import Mirror

CHART_TYPE = "application/vnd.openxmlformats-officedocument.drawingml.chart+xml"
WORKBOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
KINDS = {
    "column": XL_CHART_TYPE.COLUMN_CLUSTERED,
    "stacked column": XL_CHART_TYPE.COLUMN_STACKED,
    "bar": XL_CHART_TYPE.BAR_CLUSTERED,
    "stacked bar": XL_CHART_TYPE.BAR_STACKED,
    "line": XL_CHART_TYPE.LINE_MARKERS,
    "pie": XL_CHART_TYPE.PIE,
    "doughnut": XL_CHART_TYPE.DOUGHNUT,
    "area": XL_CHART_TYPE.AREA,
    "scatter": XL_CHART_TYPE.XY_SCATTER,
    "radar": XL_CHART_TYPE.RADAR_MARKERS,
}
_ROUND = ("pie", "doughnut")
_EPOCH = datetime(2000, 1, 1)
_ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


@dataclass(frozen=True)
class SeriesData:
    """One series: its name, its values (None: a gap), and for a scatter chart their places on the other axis."""

    name: str
    values: tuple[float | None, ...]
    x: tuple[float, ...] = ()


@dataclass(frozen=True)
class ChartData:
    """What a chart shows. `kind` is one of `KINDS`."""

    kind: str
    categories: tuple[str, ...]
    series: tuple[SeriesData, ...]
    title: str = ""


class _Steady:
    """Opens the workbook so that it is the same each time, and so that texts stay texts ("=1" is no formula)."""

    @contextmanager
    def _open_worksheet(self, xlsx_file: io.BytesIO) -> Iterator[tuple[Any, Any]]:
        options = {
            "in_memory": True,
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
        }
        workbook = Workbook(xlsx_file, options)
        workbook.set_properties({"created": _EPOCH})
        yield workbook, workbook.add_worksheet()
        workbook.close()


class _Categories(_Steady, CategoryWorkbookWriter):
    pass


class _Scatter(_Steady, XyWorkbookWriter):
    pass


def chart_relationship(mirror: Mirror, element: Any, data: ChartData) -> str:
    """Relationship id of a new chart part in the part that holds the element. To be called inside a transaction."""
    package = mirror.file.package
    plot = _plot_data(data)
    writer = _Scatter(plot) if data.kind == "scatter" else _Categories(plot)
    number = _free_number(mirror)
    workbook = Part(
        PackURI(f"/word/embeddings/Microsoft_Excel_Worksheet{number}.xlsx"),
        WORKBOOK_TYPE,
        writer.xlsx_blob,
        package,
    )
    name = PackURI(f"/word/charts/chart{number}.xml")
    part = make_part(name, CHART_TYPE, RT.CHART, _chart_xml(data, plot, "rId1"), package)
    part.load_rel(RT.PACKAGE, workbook, "rId1")
    return mirror.part_of(element).relate_to(part, RT.CHART)


def _free_number(mirror: Mirror) -> int:
    """The first number that no chart and no embedded workbook has."""
    taken = {
        re.sub(r"\D", "", n.rpartition("/")[2])
        for n in (*mirror.file.parts, *mirror.file.members)  # also what no relationship leads to
        if "/charts/" in n or "/embeddings/" in n
    }
    return next(n for n in range(1, len(taken) + 2) if str(n) not in taken)


def _plot_data(data: ChartData) -> Any:
    if data.kind == "scatter":
        found = XyChartData()
        for series in data.series:
            made = found.add_series(_clean(series.name))
            for x, y in zip(series.x, series.values, strict=True):
                made.add_data_point(x, y)
        return found
    found = CategoryChartData()
    found.categories = [_clean(c) for c in data.categories]
    for series in data.series:
        found.add_series(_clean(series.name), series.values)
    return found


def _clean(text: str) -> str:
    return _ILLEGAL.sub("", text)


def _chart_xml(data: ChartData, plot: Any, workbook: str) -> bytes:
    """python-pptx's chart, made into what Word would write: sizes for a page, a title and legend, positive ids, the workbook."""
    root: Any = parse_xml(ChartXmlWriter(KINDS[data.kind], plot).xml.encode())
    for old in [*root.findall(C + "roundedCorners"), *root.iterfind(f".//{C}radarChart/{C}ser/{C}smooth")]:
        old.getparent().remove(old)
    _insert_after(root, ("date1904", "lang"), "roundedCorners", {"val": "0"})
    chart = root.find(C + "chart")
    for name in ("title", "autoTitleDeleted", "legend"):
        for old in chart.findall(C + name):
            chart.remove(old)
    chart.insert(
        0, etree.fromstring(f'<c:autoTitleDeleted xmlns:c="{C[1:-1]}" val="{0 if data.title else 1}"/>')
    )
    if data.title:
        chart.insert(0, _title(_clean(data.title)))
    if len(data.series) > 1 or data.kind in _ROUND:
        legend = (
            f'<c:legend xmlns:c="{C[1:-1]}"><c:legendPos val="{"r" if data.kind in _ROUND else "b"}"/>'
            '<c:overlay val="0"/></c:legend>'
        )
        chart.find(C + "plotArea").addnext(etree.fromstring(legend))
    for plotted in chart.find(C + "plotArea"):
        if plotted.tag.endswith("Chart"):
            for old in plotted.findall(C + "varyColors"):
                plotted.remove(old)
            before = ("barDir", "grouping", "radarStyle", "scatterStyle")
            _insert_after(plotted, before, "varyColors", {"val": "1" if data.kind in _ROUND else "0"})
    if data.kind == "scatter":
        for number, series in enumerate(chart.iter(C + "ser")):
            _mark_points(series, number % 6 + 1)
    for axis in chart.iter(C + "valAx"):
        if axis.find(C + "crossBetween") is None:
            _insert_after(axis, ("crosses", "crossesAt"), "crossBetween", {"val": "between"})
    ids: dict[str, str] = {}
    for node in chart.iter(C + "axId", C + "crossAx"):
        node.set("val", ids.setdefault(node.get("val", ""), str(500_000_001 + len(ids))))
    for size in root.iterfind(f"{C}txPr//{A}defRPr"):
        size.set("sz", "1000")
    _insert_after(root, ("chart", "spPr", "txPr"), "externalData", {R + "id": workbook})
    root.find(C + "externalData").append(root.makeelement(C + "autoUpdate", {"val": "0"}))
    return etree.tostring(root, encoding="UTF-8", standalone=True, xml_declaration=True)


def _mark_points(series: Any, accent: int) -> None:
    """Round points in a colour of the theme; without, some programs draw all series alike."""
    for old in series.findall(C + "marker"):
        series.remove(old)
    fill = f'<a:solidFill><a:schemeClr val="accent{accent}"/></a:solidFill>'
    marker = etree.fromstring(
        f'<c:marker xmlns:c="{C[1:-1]}" xmlns:a="{A[1:-1]}"><c:symbol val="circle"/><c:size val="6"/>'
        f"<c:spPr>{fill}<a:ln>{fill}</a:ln></c:spPr></c:marker>"
    )
    at = max(i for i, c in enumerate(series, 1) if c.tag.rpartition("}")[2] in ("idx", "order", "tx", "spPr"))
    series.insert(at, marker)


def _insert_after(parent: Any, before: Sequence[str], name: str, attributes: dict[str, str]) -> None:
    """A new child behind those that the schema wants in front of it."""
    at = max((i for i, c in enumerate(parent, 1) if c.tag.rpartition("}")[2] in before), default=0)
    parent.insert(at, parent.makeelement(C + name, attributes))


def _title(text: str) -> Any:
    a, c = A[1:-1], C[1:-1]
    title = etree.fromstring(
        f'<c:title xmlns:c="{c}" xmlns:a="{a}"><c:tx><c:rich><a:bodyPr/><a:lstStyle/>'
        '<a:p><a:pPr><a:defRPr sz="1400" b="0"/></a:pPr><a:r><a:rPr sz="1400" b="0"/><a:t/></a:r></a:p>'
        '</c:rich></c:tx><c:overlay val="0"/></c:title>'
    )
    next(title.iter(A + "t")).text = text
    return title


def inline_chart(rid: str, drawing_id: int, size: tuple[int, int], alt: str) -> Any:
    """A `w:r` with a `w:drawing` that shows a chart in the line of text. Sizes in EMU."""
    names = (
        f'xmlns:w="{_W}" xmlns:wp="{WP[1:-1]}" xmlns:a="{A[1:-1]}" xmlns:c="{C[1:-1]}" xmlns:r="{R[1:-1]}"'
    )
    run = parse_xml(
        f'<w:r {names}><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="{size[0]}" cy="{size[1]}"/>'
        f'<wp:docPr id="{drawing_id}" name="Chart {drawing_id}"/><wp:cNvGraphicFramePr/><a:graphic>'
        f'<a:graphicData uri="{C[1:-1]}"><c:chart r:id="{rid}"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>'
    )
    if alt:
        next(run.iter(WP + "docPr")).set("descr", alt)
    return run


_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def shown_data(part: Any) -> list[tuple[str, list[float | None]]]:
    """Name and values of each series as a chart part shows them (its caches)."""
    found: list[tuple[str, list[float | None]]] = []
    for series in part.element.iter(C + "ser"):
        name = "".join(v.text or "" for v in series.iterfind(f"{C}tx//{C}v"))
        values = series.find(C + "val")
        values = values if values is not None else series.find(C + "yVal")
        count = values.find(f".//{C}ptCount") if values is not None else None
        cells: list[float | None] = [None] * int(count.get("val", "0") if count is not None else 0)
        for point in values.iter(C + "pt") if values is not None else ():
            number = float(point.findtext(C + "v", "nan"))
            cells[int(point.get("idx", "0"))] = None if math.isnan(number) else number
        found.append((name, cells))
    return found
