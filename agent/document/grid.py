"""The grid of a table: which cell covers which rows and columns, merged cells and rows that start late included.

`w:tbl` in WordprocessingML has no column objects: a cell covers `w:gridSpan` columns from where the one before it ended, a row
may leave out columns at its start (`w:gridBefore`), and a vertical merge is a chain of cells (`w:vMerge`, restart and
continue). Rows and columns count from 0 here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from agent.document.names import W_P, W_SDT, W_TBL, W_TC, W_TR, W_VAL, W
from agent.document.records import cells_of, rows_of
from agent.document.text import text_of

if TYPE_CHECKING:
    from agent.document.mirror import Mirror


@dataclass(frozen=True, eq=False)
class GridCell:
    """One `w:tc` and its place in the grid."""

    tc: Any
    row: int
    column: int
    span: int
    """Grid columns that it covers."""
    merge: str
    """"" none, "restart" first of a vertical merge, "continue" one below it."""

    @property
    def end(self) -> int:
        """The first column behind it."""
        return self.column + self.span


class _Rows(Sequence[list[GridCell]]):
    """The cells of each row, read when they are asked for."""

    def __init__(self, rows: Sequence[Any]) -> None:
        self._rows = rows
        self._known: dict[int, list[GridCell]] = {}

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, number: int) -> list[GridCell]: ...
    @overload
    def __getitem__(self, number: slice) -> list[list[GridCell]]: ...
    def __getitem__(self, number: int | slice) -> list[GridCell] | list[list[GridCell]]:
        if isinstance(number, slice):
            return [self[n] for n in range(*number.indices(len(self)))]
        at = range(len(self._rows))[number]
        if at not in self._known:
            self._known[at] = _cells(self._rows[at], at)
        return self._known[at]


def grid_of(mirror: Mirror, tbl: Any) -> Grid:
    """The grid of a table of the document, cached until more than the text of its cells changes."""
    found = mirror.grids.get(tbl)
    if found is None:
        found = mirror.grids[tbl] = Grid(tbl)
    return found


class Grid:
    """The cells of a `w:tbl`, as they lie."""

    def __init__(self, tbl: Any) -> None:
        self.tbl = tbl
        self.rows: list[Any] = rows_of(tbl)
        self.cells: Sequence[list[GridCell]] = _Rows(self.rows)

    @property
    def columns(self) -> int:
        """Number of grid columns."""
        return max((row[-1].end for row in self.cells if row), default=0)

    def at(self, row: int, column: int) -> GridCell | None:
        """The cell of a row that covers a column."""
        if not 0 <= row < len(self.cells):
            return None
        return next((c for c in self.cells[row] if c.column <= column < c.end), None)

    def of(self, tc: Any) -> GridCell:
        """The place of a `w:tc` of this table."""
        return next(c for c in self.cells[self.row_of(row_of(tc))] if c.tc is tc)

    def row_of(self, tr: Any) -> int:
        """The number of a `w:tr` of this table."""
        return self.rows.index(tr)

    def chain(self, cell: GridCell) -> list[GridCell]:
        """The cells of the vertical merge that a cell is part of, from the top; only itself if it is not merged."""
        if not cell.merge:
            return [cell]
        found = [cell]
        while (
            found[0].merge == "continue" and (above := self._twin(found[0], -1)) is not None and above.merge
        ):
            found.insert(0, above)
        while (below := self._twin(found[-1], 1)) is not None and below.merge == "continue":
            found.append(below)
        return found

    def continued(self, row: int, cell: GridCell) -> bool:
        """Whether the row has a cell at the same place that continues a vertical merge from above."""
        below = self.at(row, cell.column)
        return below is not None and below.column == cell.column and below.merge == "continue"

    def _twin(self, cell: GridCell, step: int) -> GridCell | None:
        found = self.at(cell.row + step, cell.column)
        return found if found is not None and found.column == cell.column else None

    def header_rows(self) -> int:
        """How many rows at the top are marked to repeat on each page (`w:tblHeader`)."""
        count = 0
        for tr in self.rows:
            if not is_on(tr.find(f"{W}trPr/{W}tblHeader")):
                break
            count += 1
        return count


def _cells(tr: Any, row: int) -> list[GridCell]:
    at = _number(tr.find(f"{W}trPr/{W}gridBefore"), 0)
    found: list[GridCell] = []
    for tc in cells_of(tr):
        span = max(_number(tc.find(f"{W}tcPr/{W}gridSpan"), 1), 1)
        merge = tc.find(f"{W}tcPr/{W}vMerge")
        kind = merge.get(W_VAL, "continue") if merge is not None else ""
        found.append(GridCell(tc, row, at, span, kind))
        at += span
    return found


def _number(element: Any, default: int) -> int:
    value = element.get(W_VAL, "") if element is not None else ""
    return int(value) if value.isdigit() else default


def is_on(toggle: Any) -> bool:
    """Whether an on/off element (`w:tblHeader`, `w:b`) is there and on."""
    return toggle is not None and toggle.get(W_VAL, "1") not in ("0", "false", "off")


def table_of(element: Any) -> Any:
    """The nearest `w:tbl` that holds the element, or None."""
    return _above(element, W_TBL)


def row_of(element: Any) -> Any | None:
    """The nearest `w:tr` that holds the element, or itself."""
    return element if element.tag == W_TR else _above(element, W_TR)


def cell_of(element: Any) -> Any | None:
    """The nearest `w:tc` that holds the element, or itself."""
    return element if element.tag == W_TC else _above(element, W_TC)


def _above(element: Any, tag: str) -> Any | None:
    node = element.getparent()
    while node is not None and node.tag != tag:
        node = node.getparent()
    return node


def blocks_of(tc: Any) -> list[Any]:
    """Paragraphs, tables and content controls of a cell."""
    return list(tc.iterchildren(W_P, W_TBL, W_SDT))


def cell_text(tc: Any) -> str:
    """Texts of the paragraphs in a cell, those of inner tables and controls too, one a line."""
    return "\n".join(text_of(p) for p in tc.iter(W_P))


def is_blank(blocks: Iterable[Any]) -> bool:
    """Whether blocks hold nothing that shows: no text, picture, field, note or table."""
    for block in blocks:
        if block.tag != W_P or text_of(block):
            return False
        if any(run.tag == W + "r" and len(run) > (run.find(W + "rPr") is not None) for run in block.iter()):
            return False
    return True
