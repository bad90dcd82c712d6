from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from docx.oxml import parse_xml

from agent.document.grid import Grid, cell_text
from agent.document.mirror import Mirror
from agent.document.names import NSMAP, W_P, W_TBL, W_VAL, W
from agent.errors import AmbiguousTarget, InvalidValue
from agent.operations.specimens import doc, merged_table, p, table
from tests.corpus import manifest
from tests.operations.trial import attempt


def grid_of(mirror: Mirror, number: int = 0) -> Grid:
    return Grid(list(mirror.body.iter(W_TBL))[number])


def texts(mirror: Mirror) -> list[list[str]]:
    return [[cell_text(c.tc) for c in row] for row in grid_of(mirror).cells]


def with_table(xml: str) -> Mirror:
    """A document with this table."""
    mirror = Mirror.open(doc(p("x"))())
    mirror.body.find(W_P).addnext(parse_xml(f'<w:tbl xmlns:w="{NSMAP["w"]}">{xml}</w:tbl>'))
    mirror._dirty.add("/word/document.xml")  # pyright: ignore[reportPrivateUsage]
    return Mirror.open(mirror.save())


def insert(mirror: Mirror, target: dict[str, Any], **more: Any) -> None:
    attempt(mirror, "insert_table_rows", {"target": target, **more})


def test_a_row_inside_a_vertical_merge_continues_it() -> None:
    mirror = Mirror.open(doc(merged_table([["m", "a"], ["", "b"], ["", "c"]], (0, 0), (2, 0)))())
    insert(mirror, {"table": 1, "row": 2}, values=[["new"]])
    merges = [row[0].merge for row in grid_of(mirror).cells]
    assert merges == ["restart", "continue", "continue", "continue"]
    assert texts(mirror)[2] == ["", "new"]


@pytest.mark.parametrize(("position", "row"), [("above", 1), ("below", 3)])
def test_a_row_beside_a_vertical_merge_is_not_part_of_it(position: str, row: int) -> None:
    mirror = Mirror.open(doc(merged_table([["m", "a"], ["", "b"], ["", "c"]], (0, 0), (2, 0)))())
    insert(mirror, {"table": 1, "row": row}, position=position, values=[["1", "2"]])
    merges = [r[0].merge for r in grid_of(mirror).cells]
    assert sorted(merges) == ["", "continue", "continue", "restart"]


def test_a_value_for_a_merged_cell_is_refused_unless_it_is_what_the_cell_shows() -> None:
    mirror = Mirror.open(doc(merged_table([["m", "a"], ["", "b"]], (0, 0), (1, 0)))())
    with pytest.raises(InvalidValue, match="merged with the one above"):
        insert(mirror, {"table": 1, "row": 1}, values=[["other", "new"]])
    insert(mirror, {"table": 1, "row": 1}, values=[[cell_text(grid_of(mirror).cells[0][0].tc), "new"]])
    assert [row[-1] for row in texts(mirror)] == ["a", "new", "b"]


def test_a_wide_cell_of_the_row_above_is_kept() -> None:
    mirror = Mirror.open(doc(merged_table([["wide", "", "x"]], (0, 0), (0, 1)))())
    insert(mirror, {"table": 1}, values=[["1", "2"]])
    assert [(c.column, c.span) for c in grid_of(mirror).cells[1]] == [(0, 2), (2, 1)]


def test_a_row_that_starts_late_is_cloned_with_its_gap() -> None:
    row = (
        '<w:tr><w:trPr><w:gridBefore w:val="1"/><w:wBefore w:w="500" w:type="dxa"/></w:trPr>'
        "<w:tc><w:p><w:r><w:t>late</w:t></w:r></w:p></w:tc></w:tr>"
    )
    full = "<w:tr><w:tc><w:p/></w:tc><w:tc><w:p/></w:tc></w:tr>"
    mirror = with_table(
        f'<w:tblPr/><w:tblGrid><w:gridCol w:w="500"/><w:gridCol w:w="900"/></w:tblGrid>{full}{row}'
    )
    insert(mirror, {"table": 1}, values=[["new"]])
    assert [(c.column, c.span) for c in grid_of(mirror).cells[2]] == [(1, 1)]
    assert texts(mirror)[2] == ["new"]


def test_a_row_under_the_header_is_no_header_and_looks_like_the_data() -> None:
    mirror = Mirror.open(doc(p("x"))())
    attempt(mirror, "insert_table", {"header": ["A", "B"], "data": [["1", "2"]]}, "8")
    insert(mirror, {"table": 1}, position="first", values=[["0", "0"]])
    assert texts(mirror) == [["A", "B"], ["0", "0"], ["1", "2"]]
    assert grid_of(mirror).header_rows() == 1
    assert not list(grid_of(mirror).rows[1].iter(W + "b"))


def test_a_row_under_a_header_without_data_is_plain_all_the_same() -> None:
    mirror = Mirror.open(doc(p("x"))())
    attempt(mirror, "insert_table", {"header": ["A", "B"]}, "8")
    insert(mirror, {"table": 1}, values=[["0", "0"]])
    assert grid_of(mirror).header_rows() == 1
    assert not list(grid_of(mirror).rows[1].iter(W + "b"))


def test_values_take_the_format_of_the_row_beside_them() -> None:
    cell = '<w:tc><w:tcPr><w:shd w:val="clear" w:fill="FFEE00"/></w:tcPr><w:p><w:pPr><w:jc w:val="right"/></w:pPr>'
    cell += "<w:r><w:rPr><w:i/></w:rPr><w:t>9</w:t></w:r></w:p></w:tc>"
    mirror = with_table(f'<w:tblPr/><w:tblGrid><w:gridCol w:w="500"/></w:tblGrid><w:tr>{cell}</w:tr>')
    insert(mirror, {"table": 1}, values=[["10"]])
    new = grid_of(mirror).rows[1]
    assert next(new.iter(W + "shd")).get(W + "fill") == "FFEE00"
    assert next(new.iter(W + "jc")).get(W_VAL) == "right"
    assert next(new.iter(W + "i")) is not None


def test_a_row_after_one_in_a_content_control_stands_outside_it() -> None:
    row = "<w:tr><w:tc><w:p><w:r><w:t>in</w:t></w:r></w:p></w:tc></w:tr>"
    mirror = with_table(
        '<w:tblPr/><w:tblGrid><w:gridCol w:w="500"/></w:tblGrid>'
        f"<w:sdt><w:sdtPr/><w:sdtContent>{row}</w:sdtContent></w:sdt>"
    )
    insert(mirror, {"table": 1, "row": 1}, values=[["out"]], count=2)
    assert texts(mirror) == [["in"], ["out"], [""]]
    assert [r.getparent().tag == W_TBL for r in grid_of(mirror).rows] == [False, True, True]


def test_rows_of_two_tables_are_refused() -> None:
    mirror = Mirror.open(doc(table([["a"]]), p("x"), table([["a"]]))())
    with pytest.raises(AmbiguousTarget):
        insert(mirror, {"text": "a", "all": True})


@pytest.mark.parametrize("path", [row.path for row in manifest()], ids=lambda path: path.name)
def test_rows_anywhere_in_tables_of_documents_by_others(path: Path) -> None:
    mirror = Mirror.open(path.read_bytes())
    for number, table_id in enumerate(
        [mirror.id_of(t) for t in mirror.body.iter(W_TBL) if mirror.id_of(t)][:4]
    ):
        rows = len(Grid(mirror.element(table_id or "")).rows)
        for row in {1, max(rows // 2, 1), rows}:
            where = {"ids": [table_id], "row": row}
            attempt(mirror, "insert_table_rows", {"target": where, "position": "below"}, f"{number}.{row}")
