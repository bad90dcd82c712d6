from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent.document.explain import explain
from agent.document.mirror import Mirror
from agent.document.names import W_TBL, W_TC, W
from agent.errors import NoOp
from agent.operations.specimens import doc, merged_table, table
from tests.corpus import corpus_file, manifest
from tests.operations.trial import attempt


def fills(mirror: Mirror) -> list[str | None]:
    found = [tc.find(f"{W}tcPr/{W}shd") for tc in mirror.body.iter(W_TC)]
    return [s.get(W + "fill") if s is not None else None for s in found]


def shade(mirror: Mirror, target: dict[str, Any], color: str, **more: Any) -> str:
    return explain(attempt(mirror, "set_cell_shading", {"target": target, "color": color, **more}).changes)


def test_every_other_row_is_coloured_and_said_so() -> None:
    mirror = Mirror.open(doc(table([["a", "b"]] * 5))())
    said = shade(mirror, {"table": 1}, "DDEBF7", only="even rows")
    assert fills(mirror) == [None, None, "DDEBF7", "DDEBF7"] * 2 + [None, None]
    assert said == "The table 'a, b' has rows 2 and 4 shaded coloured DDEBF7; nothing else changed."


def test_a_column_in_a_table_with_wide_cells_is_the_cells_that_lie_in_it() -> None:
    mirror = Mirror.open(doc(merged_table([["h", "", "c"], ["1", "2", "3"]], (0, 0), (0, 1)))())
    shade(mirror, {"table": 1, "column": 3}, "yellow")
    assert fills(mirror) == [None, "FFFF00", None, None, "FFFF00"]


def test_colour_is_taken_away_and_a_coloured_style_is_told_to_leave_the_cell_alone() -> None:
    mirror = Mirror.open(doc(table([["a", "b"]]))())
    shade(mirror, {"table": 1}, "red")
    shade(mirror, {"table": 1}, "none")
    assert fills(mirror) == [None, None]
    mirror = Mirror.open(doc(table([["a", "b"]], style="Light Shading Accent 1"))())
    shade(mirror, {"table": 1}, "no colour")
    assert fills(mirror) == ["auto", "auto"]


def test_theme_colours_and_patterns_that_were_there_go() -> None:
    mirror = Mirror.open(doc(table([["a", "b"]]))())
    with mirror.edit("1") as editor:
        tc = next(mirror.body.iter(W_TC))
        found = editor.set_property(editor.properties(tc), "shd", {"val": "pct25", "fill": "000000"})
        found.set(W + "themeFill", "accent1")
    shade(mirror, {"table": 1, "row": 1, "column": 1}, "red")
    assert dict(next(mirror.body.iter(W + "shd")).items()) == {
        W + "val": "clear",
        W + "color": "auto",
        W + "fill": "FF0000",
    }


def test_the_same_colour_again_is_no_change() -> None:
    mirror = Mirror.open(doc(table([["a", "b"]]))())
    shade(mirror, {"table": 1}, "red")
    with pytest.raises(NoOp):
        shade(mirror, {"table": 1}, "FF0000")


def test_a_nested_table_keeps_its_colours_when_the_outer_row_is_coloured() -> None:
    mirror = Mirror.open(corpus_file("pydocx__nested_table_rowspan.docx").read_bytes())
    outer = next(t for t in mirror.body.iter(W_TBL))
    shade(mirror, {"ids": [mirror.id_of(outer)], "row": 1}, "green")
    cells = [
        tc for t in mirror.body.iter(W_TBL) for tr in t.iterchildren(W + "tr") for tc in tr.iterchildren(W_TC)
    ]
    coloured = [tc for tc in cells if tc.find(f"{W}tcPr/{W}shd").get(W + "fill") == "00B050"]
    assert {tc.getparent().getparent() for tc in coloured} == {next(mirror.body.iter(W_TBL))}


@pytest.mark.parametrize("path", [row.path for row in manifest()], ids=lambda path: path.name)
def test_all_header_rows_of_documents_by_others(path: Path) -> None:
    mirror = Mirror.open(path.read_bytes())
    if next(mirror.body.iter(W_TBL), None) is None:
        pytest.skip("no tables")
    shade(mirror, {"every": "header row"}, "light grey")
