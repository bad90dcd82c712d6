from __future__ import annotations

import random
from pathlib import Path

import pytest

from agent.document.grid import Grid, cell_text
from agent.document.mirror import Mirror
from agent.document.names import W_P, W_TBL, W_TC, W
from agent.errors import InvalidTarget, NoOp, OperationError
from agent.operations.specimens import Piece, doc, merged_table, p, table
from tests.corpus import corpus_file, manifest
from tests.operations.trial import attempt

Cell = tuple[int, int]


def opened(*pieces: Piece) -> Mirror:
    return Mirror.open(doc(*pieces)())


def merge(mirror: Mirror, first: Cell, last: Cell, table_id: str | None = None, key: str = "9") -> None:
    table_id = table_id or mirror.id_of(next(mirror.body.iter(W_TBL)))
    a, b = ({"ids": [table_id], "row": r, "column": c} for r, c in (first, last))
    attempt(mirror, "merge_cells", {"target": a, "to": b}, key)


def grid_of(mirror: Mirror) -> Grid:
    return Grid(next(mirror.body.iter(W_TBL)))


def test_widths_add_up_and_other_columns_stay() -> None:
    mirror = opened(table([["a", "b", "c"], ["1", "2", "3"]]))
    merge(mirror, (1, 1), (1, 2))
    widths = [int(tc.find(f"{W}tcPr/{W}tcW").get(W + "w")) for tc in mirror.body.iter(W_TC)]
    assert widths == [5760, 2880, 2880, 2880, 2880]
    assert [(c.column, c.span) for c in grid_of(mirror).cells[0]] == [(0, 2), (2, 1)]


def test_a_merged_cell_grows_by_its_neighbour() -> None:
    mirror = opened(merged_table([["a", "", "c"], ["", "", "f"], ["g", "h", "i"]], (0, 0), (1, 1)))
    merge(mirror, (1, 1), (2, 3))
    grid = grid_of(mirror)
    assert [(c.span, c.merge) for row in grid.cells for c in row] == [
        (3, "restart"), (3, "continue"), (1, ""), (1, ""), (1, ""),
    ]  # fmt: skip
    assert [t for t in cell_text(grid.cells[0][0].tc).split("\n") if t] == ["a", "c", "f"]


def test_a_whole_column_and_a_list_of_cells_can_be_named() -> None:
    mirror = opened(table([["a", "b"], ["1", "2"], ["3", "4"]]))
    attempt(mirror, "merge_cells", {"target": {"table": 1, "column": "b"}})
    assert [row[1].merge for row in grid_of(mirror).cells] == ["restart", "continue", "continue"]
    mirror = opened(table([["a", "b"], ["1", "2"]]))
    ids = [mirror.id_of(p) for p in list(mirror.body.iter(W_P))[:2]]
    attempt(mirror, "merge_cells", {"target": {"ids": ids}})
    assert grid_of(mirror).cells[0][0].span == 2


@pytest.mark.parametrize(("merged", "last"), [(((1, 1), (1, 2)), (3, 2)), (((1, 1), (2, 1)), (2, 3))])
def test_a_rectangle_that_cuts_a_merged_cell_is_refused(merged: tuple[Cell, Cell], last: Cell) -> None:
    mirror = opened(merged_table([["a", "b", "c"], ["d", "e", "f"], ["g", "h", "i"]], *merged))
    with pytest.raises(InvalidTarget, match="beyond"):
        merge(mirror, (1, 1), last)


def test_cells_that_do_not_touch_and_cells_of_two_tables_are_refused() -> None:
    mirror = opened(table([["a", "b", "c"]]), p("x"), table([["d"]]))
    ids = [mirror.id_of(e) for e in mirror.body.iter(W_P)]
    with pytest.raises(InvalidTarget, match="lie between"):
        attempt(mirror, "merge_cells", {"target": {"ids": [ids[0], ids[2]]}})
    with pytest.raises(InvalidTarget, match="different tables"):
        attempt(mirror, "merge_cells", {"target": {"ids": [ids[0], ids[4]]}})


def test_what_is_merged_already_is_no_change() -> None:
    mirror = opened(merged_table([["a", "b"], ["c", "d"]], (0, 0), (1, 0)))
    with pytest.raises(NoOp):
        merge(mirror, (1, 1), (2, 1))


def test_a_nested_table_moves_into_the_merged_cell_whole() -> None:
    mirror = Mirror.open(corpus_file("pydocx__nested_table_rowspan.docx").read_bytes())
    inner = [cell_text(tc) for t in list(mirror.body.iter(W_TBL))[1:] for tc in t.iter(W_TC)]
    attempt(mirror, "merge_cells", {"target": {"table": 1, "row": 2}})
    tables = list(mirror.body.iter(W_TBL))
    assert [cell_text(tc) for t in tables[1:] for tc in t.iter(W_TC)] == inner
    assert grid_of(mirror).cells[1][0].tc[-1].tag == W_P


@pytest.mark.parametrize("path", [row.path for row in manifest()], ids=lambda path: path.name)
def test_rectangles_of_documents_by_others_merge_or_are_refused_in_words(path: Path) -> None:
    mirror = Mirror.open(path.read_bytes())
    dice = random.Random(path.name)
    for number, table_id in enumerate(
        [mirror.id_of(t) for t in mirror.body.iter(W_TBL) if mirror.id_of(t)][:3]
    ):
        for turn in range(3):
            grid = Grid(mirror.element(table_id or ""))
            first, last = (dice.choice(dice.choice([r for r in grid.cells if r])) for _ in range(2))
            try:
                merge(
                    mirror,
                    (first.row + 1, first.column + 1),
                    (last.row + 1, last.column + 1),
                    table_id,
                    f"{number}.{turn}",
                )
            except OperationError as error:
                if (
                    "rectangle" not in error.message
                    and "One cell alone" not in error.message
                    and not isinstance(error, NoOp)
                ):
                    pytest.fail(error.message)
