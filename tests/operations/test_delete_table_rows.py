from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from docx.oxml import OxmlElement

from agent.document.grid import Grid, cell_text
from agent.document.mirror import Mirror
from agent.document.names import W_TBL, W
from agent.errors import OperationError, PreconditionFailed, TargetNotFound
from agent.operations.specimens import doc, merged_table, p, table
from tests.corpus import corpus_file, manifest
from tests.operations.trial import attempt


def texts(mirror: Mirror) -> list[list[str]]:
    grid = Grid(next(mirror.body.iter(W_TBL)))
    return [[cell_text(c.tc) for c in row] for row in grid.cells]


def delete(mirror: Mirror, target: dict[str, Any], **more: Any) -> None:
    attempt(mirror, "delete_table_rows", {"target": target, **more})


def merged() -> Mirror:
    return Mirror.open(doc(merged_table([["m", "a"], ["", "b"], ["", "c"], ["n", "d"]], (0, 0), (2, 0)))())


@pytest.mark.parametrize("row", [1, 2, 3])
def test_a_merged_cell_keeps_its_text_whichever_of_its_rows_goes(row: int) -> None:
    mirror = merged()
    shown = cell_text(Grid(next(mirror.body.iter(W_TBL))).cells[0][0].tc)
    delete(mirror, {"table": 1, "row": row})
    grid = Grid(next(mirror.body.iter(W_TBL)))
    assert [r[0].merge for r in grid.cells] == ["restart", "continue", ""]
    assert cell_text(grid.cells[0][0].tc) == shown


def test_a_merge_of_which_one_row_is_left_is_no_merge() -> None:
    mirror = merged()
    rows = [mirror.id_of(next(r.iter(W + "p"))) for r in Grid(next(mirror.body.iter(W_TBL))).rows[:2]]
    delete(mirror, {"ids": rows})
    assert [r[0].merge for r in Grid(next(mirror.body.iter(W_TBL))).cells] == ["", ""]
    assert texts(mirror)[0][0].strip() == "m"


def test_a_condition_spares_the_header_and_counts_merged_text_for_each_row() -> None:
    mirror = merged()
    shown = cell_text(Grid(next(mirror.body.iter(W_TBL))).cells[0][0].tc).strip()
    delete(mirror, {"table": 1}, column=1, equals=shown)
    assert [row[1] for row in texts(mirror)] == ["a", "d"]


def test_empty_rows_go_wherever_they_are() -> None:
    mirror = Mirror.open(doc(table([["A", "B"], ["", ""], ["1", ""], ["", " "]]))())
    delete(mirror, {"table": 1}, empty=True)
    assert texts(mirror) == [["A", "B"], ["1", ""]]


def test_a_condition_that_no_row_meets_is_refused() -> None:
    mirror = Mirror.open(doc(table([["A"], ["1"]]))())
    with pytest.raises(TargetNotFound, match="No row"):
        delete(mirror, {"table": 1}, column="A", equals="2")


def test_the_header_goes_if_it_is_named() -> None:
    mirror = Mirror.open(doc(table([["A"], ["1"]]))())
    delete(mirror, {"table": 1, "row": "header"})
    assert texts(mirror) == [["1"]]


def test_all_rows_of_a_table_are_refused() -> None:
    mirror = Mirror.open(doc(table([["A"], ["1"]]))())
    with pytest.raises(PreconditionFailed, match="delete_blocks"):
        delete(mirror, {"ids": _all(mirror)})


def _all(mirror: Mirror) -> list[str]:
    return [
        mirror.id_of(e) or "" for e in mirror.body.iter(W + "p") if any(True for _ in e.iterancestors(W_TBL))
    ]


def test_a_bookmark_that_begins_in_a_deleted_row_goes_on_where_the_rest_of_it_is() -> None:
    mirror = Mirror.open(doc(table([["A"], ["1"], ["2"]]), p("after"))())
    tcs = list(mirror.body.iter(W + "tc"))
    tcs[1].find(W + "p").append(OxmlElement("w:bookmarkStart", {W + "id": "5", W + "name": "b"}))
    tcs[2].find(W + "p").append(OxmlElement("w:bookmarkEnd", {W + "id": "5"}))
    mirror._dirty.add("/word/document.xml")  # pyright: ignore[reportPrivateUsage]
    mirror = Mirror.open(mirror.save())
    delete(mirror, {"table": 1, "row": 2})
    assert (
        len(list(mirror.body.iter(W + "bookmarkStart")))
        == len(list(mirror.body.iter(W + "bookmarkEnd")))
        == 1
    )


def test_a_picture_that_only_the_row_used_leaves_the_package() -> None:
    mirror = Mirror.open(corpus_file("benker__demo_images.docx").read_bytes())
    before = sum("/media/" in name for name in mirror.file.parts)
    grid = Grid(next(t for t in mirror.body.iter(W_TBL)))
    row = next(n for n, tr in enumerate(grid.rows, 1) if next(tr.iter(W + "drawing"), None) is not None)
    delete(mirror, {"table": 1, "row": row})
    assert sum("/media/" in name for name in mirror.file.parts) < before


@pytest.mark.parametrize("path", [row.path for row in manifest()], ids=lambda path: path.name)
def test_rows_of_documents_by_others(path: Path) -> None:
    mirror = Mirror.open(path.read_bytes())
    for number, table_id in enumerate(
        [mirror.id_of(t) for t in mirror.body.iter(W_TBL) if mirror.id_of(t)][:4]
    ):
        for row in (1, -1, 1):
            if not mirror.has(table_id or ""):
                continue
            try:
                attempt(mirror, "delete_table_rows", {"target": {"ids": [table_id], "row": row}}, f"{number}")
            except OperationError as error:
                if "every row" not in error.message and "cut a" not in error.message:
                    pytest.fail(error.message)
