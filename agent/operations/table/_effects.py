"""Effects that the operations on tables share: texts of all cells, and which observed changes belong to which cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from agent.document.changes import Change, Dimension, Kind, shorten
from agent.document.grid import Grid, cell_of, grid_of, table_of
from agent.document.names import W_P, W_SDT, W_TBL, W_TXBX
from agent.document.records import Table, record_of
from agent.operations.expectations import After, Effect

if TYPE_CHECKING:
    from agent.document.mirror import Mirror

Texts = list[list[str]]


def texts_of(mirror: Mirror, table: str) -> Texts:
    """The texts of a table's cells, row by row."""
    record = record_of(mirror, table)
    assert isinstance(record, Table)
    return [[c.text for c in row.cells] for row in record.rows]


def cells_read(table: str, expected: Sequence[Sequence[str]], covers: Callable[[Change], bool]) -> Effect:
    """Every cell of the table reads so."""

    def check(after: After) -> str | None:
        record = after.table(table)
        if record is None:
            return f"table {table} is gone"
        found = [[c.text for c in row.cells] for row in record.rows]
        if len(found) != len(expected):
            return f"the table has {len(found)} rows and not {len(expected)}"
        for number, (row, wanted) in enumerate(zip(found, expected, strict=True), 1):
            if len(row) != len(wanted):
                return f"row {number} has {len(row)} cells and not {len(wanted)}"
            for column, (text, want) in enumerate(zip(row, wanted, strict=True), 1):
                if text != want:
                    return f"cell {number},{column} reads '{shorten(text)}' and not '{shorten(want)}'"
        return None

    return Effect("every cell reads as expected", check, covers)


def cell_name(grid: Grid, tc: Any) -> str:
    """How change analysis names a cell: "cell 2,1", the row and the cell's number in it."""
    place = grid.of(tc)
    return f"cell {place.row + 1},{grid.cells[place.row].index(place) + 1}"


def around(mirror: Mirror, tbl: Any) -> Callable[[Change], bool]:
    """Covers what a change of an inner table shows in the cells of the tables around it: their texts."""
    found: set[tuple[str, str]] = set()
    tc = cell_of(tbl)
    while tc is not None:
        outer = table_of(tc)
        found.add((mirror.id_of(outer) or "", cell_name(grid_of(mirror, outer), tc)))
        tc = cell_of(outer)
    boxed = any(a.tag == W_TXBX for a in tbl.iterancestors())  # of a text box only the paragraphs are known

    def covers(change: Change) -> bool:
        return (change.target, change.path) in found or (boxed and change.path in ("paragraph", "text"))

    return covers


def inside(mirror: Mirror, cells: Iterable[Any]) -> Callable[[Change], bool]:
    """Covers changes of the text of these cells, and of the paragraphs in them."""
    cells = list(cells)
    named: set[tuple[str, str]] = set()
    blocks: set[str] = set()
    outer: list[Callable[[Change], bool]] = []
    grids: dict[str, Grid] = {}
    for tc in cells:
        tbl = table_of(tc)
        table = mirror.id_of(tbl) or ""
        if table not in grids:
            grids[table] = grid_of(mirror, tbl)
            outer.append(around(mirror, tbl))
        named.add((table, cell_name(grids[table], tc)))
        blocks |= {mirror.id_of(e) or "" for e in tc.iter(W_P, W_TBL, W_SDT)}

    def covers(change: Change) -> bool:
        if (change.target, change.path) in named or change.target in blocks:
            return True
        added = change.dimension is Dimension.STRUCTURE and change.kind is Kind.ADDED
        here = mirror.has(change.target) and any(
            a in cells for a in mirror.element(change.target).iterancestors()
        )
        return (added and here and change.path in ("paragraph", "table")) or any(c(change) for c in outer)

    return covers


def new_elements(after: After, *tags: str) -> list[Any]:
    """Addressable elements that were not in the document before, also those inside blocks."""
    found = [after.mirror.element(i) for i in after.delta.new_ids() if after.mirror.has(i)]
    return [e for e in found if e.tag in tags]
