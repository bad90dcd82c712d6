from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.enum.shape import WD_INLINE_SHAPE
from lxml import etree
from openxml_audit import OpenXmlValidator

from agent.document import charts
from agent.document.charts import KINDS, ChartData, SeriesData, shown_data
from agent.document.mirror import Mirror
from agent.document.names import WP, C
from agent.errors import InvalidValue
from agent.operations.specimens import Piece, doc, h, p
from tests.corpus import corpus_file
from tests.operations.trial import attempt

CATEGORIES = ["Q1", "Q2", "Q3"]


def opened(*pieces: Piece) -> Mirror:
    return Mirror.open(doc(*pieces)())


def call(kind: str, **more: Any) -> dict[str, Any]:
    if kind == "scatter":
        series = [
            {"name": "a", "values": [2, 4.5, 8], "x": [1, 2, 3]},
            {"name": "b", "values": [1], "x": [7]},
        ]
        return {"type": kind, "series": series, **more}
    series = [{"name": "North", "values": [10, 20, 15]}, {"name": "R&D <x>", "values": [5, None, 9.5]}]
    return {"type": kind, "categories": CATEGORIES, "series": series[: 1 if kind == "pie" else 2], **more}


@pytest.fixture(scope="module")
def every_kind() -> bytes:
    mirror = opened(p("Charts"))
    for number, kind in enumerate(KINDS):
        attempt(mirror, "insert_chart", call(kind, title=f"{kind} & more"), f"{number}")
    return mirror.save()


def test_every_kind_of_chart_is_valid_and_is_a_chart_to_others(every_kind: bytes, tmp_path: Path) -> None:
    path = tmp_path / "charts.docx"
    path.write_bytes(every_kind)
    errors = [str(e) for e in OpenXmlValidator(max_errors=100).validate(path).errors]
    assert not [e for e in errors if "chart" in e or "embeddings" in e]
    shapes = docx.Document(str(path)).inline_shapes
    assert [s.type for s in shapes] == [WD_INLINE_SHAPE.CHART] * len(KINDS)


@pytest.mark.libreoffice
def test_every_kind_of_chart_is_drawn(
    every_kind: bytes, libreoffice: Callable[..., Path], tmp_path: Path
) -> None:
    path = tmp_path / "charts.docx"
    path.write_bytes(every_kind)
    bare = tmp_path / "bare.docx"
    bare.write_bytes(opened(p("Charts")).save())
    assert libreoffice(path).stat().st_size > libreoffice(bare).stat().st_size + 10_000


def test_the_workbook_holds_the_numbers_at_the_places_that_the_chart_refers_to() -> None:
    mirror = opened(p("x"))
    attempt(mirror, "insert_chart", call("column"))
    chart = next(part for name, part in mirror.file.parts.items() if "/charts/" in name)
    workbook = next(part for name, part in mirror.file.parts.items() if "/embeddings/" in name)
    assert shown_data(chart) == [("North", [10, 20, 15]), ("R&D <x>", [5, None, 9.5])]
    sheet = zipfile.ZipFile(io.BytesIO(workbook.blob)).read("xl/worksheets/sheet1.xml")
    cells = {c.get("r"): c.findtext("{*}v") for c in etree.fromstring(sheet).iter("{*}c")}
    references = [f.text for f in chart.element.iter(C + "f")]
    assert "Sheet1!$C$2:$C$4" in references
    assert (cells["B2"], cells["B3"], cells["C2"], cells["C4"]) == ("10", "20", "5", "9.5")
    assert Mirror.open(mirror.save()).file.parts.keys() == mirror.file.parts.keys()


def test_texts_that_look_like_formulas_stay_texts() -> None:
    mirror = opened(p("x"))
    wish = {
        "type": "bar",
        "categories": ["=1+1", "http://a.b"],
        "series": [{"name": "=A1", "values": [1, 2]}],
    }
    attempt(mirror, "insert_chart", wish)
    workbook = next(part for name, part in mirror.file.parts.items() if "/embeddings/" in name)
    sheet = zipfile.ZipFile(io.BytesIO(workbook.blob)).read("xl/worksheets/sheet1.xml")
    assert b"<f>" not in sheet
    assert b"hyperlink" not in sheet


def test_the_same_call_gives_the_same_bytes_and_no_time_of_day() -> None:
    data = ChartData("line", ("a", "b"), (SeriesData("s", (1.0, 2.0)),), "T")
    blobs: list[dict[str, bytes]] = []
    for _ in range(2):
        mirror = opened(p("x"))
        with mirror.edit("1"):
            charts.chart_relationship(mirror, mirror.body, data)
            parts = {str(part.partname): part for part in mirror.file.package.iter_parts()}
        blobs.append({n: part.blob for n, part in parts.items() if "chart" in n or "embeddings" in n})
    assert len(blobs[0]) == 2
    assert blobs[0] == blobs[1]
    archive = zipfile.ZipFile(io.BytesIO(next(b for n, b in blobs[0].items() if n.endswith(".xlsx"))))
    assert {i.date_time[:3] for i in archive.infolist()} == {(1980, 1, 1)}
    properties = etree.fromstring(archive.read("docProps/core.xml"))
    assert {t.text for t in properties.iter("{*}created", "{*}modified")} == {"2000-01-01T00:00:00Z"}


def test_a_second_chart_beside_those_of_a_document_by_others() -> None:
    mirror = Mirror.open(corpus_file("python-docx__shp-inline-shape-access.docx").read_bytes())
    before = set(mirror.file.parts)
    attempt(mirror, "insert_chart", call("pie"), "8")
    attempt(mirror, "insert_chart", call("radar", place={"at": "start"}), "9")
    assert len(set(mirror.file.parts) - before) == 4
    ids = [e.get("id") for e in mirror.body.iter(WP + "docPr")]
    assert len(ids) == len(set(ids))


def test_a_chart_without_a_title_shows_none_and_one_with_several_series_a_legend() -> None:
    mirror = opened(h(1, "x"))
    attempt(
        mirror,
        "insert_chart",
        {"type": "column", "categories": ["a"], "series": [{"name": "s", "values": [1]}]},
    )
    chart = next(part for name, part in mirror.file.parts.items() if "/charts/" in name).element
    assert chart.find(f"{C}chart/{C}title") is None
    assert chart.find(f"{C}chart/{C}autoTitleDeleted").get("val") == "1"
    assert chart.find(f"{C}chart/{C}legend") is None


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        (
            {"type": "line", "categories": ["a", "b"], "series": [{"values": [1]}]},
            "1 values for 2 categories",
        ),
        ({"type": "line", "series": [{"values": [1]}]}, "needs categories"),
        ({"type": "pie", "categories": ["a"], "series": [{"values": [1]}, {"values": [2]}]}, "one series"),
        ({"type": "doughnut", "categories": ["a"], "series": [{"values": [-1]}]}, "negative"),
        ({"type": "scatter", "series": [{"values": [1, 2], "x": [1]}]}, "as many of both"),
        ({"type": "scatter", "categories": ["a"], "series": [{"values": [1], "x": [1]}]}, "no categories"),
        ({"type": "bar", "categories": ["a"], "series": []}, "series"),
        ({"type": "bar", "categories": ["a"], "series": [{"values": [float("inf")]}]}, "no number"),
        ({"type": "bar", "categories": ["a"], "series": [{"values": [1]}], "width": "1mm"}, "too small"),
        ({"type": "cone", "categories": ["a"], "series": [{"values": [1]}]}, "type"),
    ],
)
def test_data_that_does_not_fit_is_refused_in_words(wish: dict[str, Any], words: str) -> None:
    mirror = opened(p("x"))
    with pytest.raises(InvalidValue, match=words):
        attempt(mirror, "insert_chart", wish)
