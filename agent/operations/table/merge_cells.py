"""Cells made one. Word: Table Layout > Merge Cells; `w:gridSpan` across, `w:vMerge` down; Office.js has it from WordApi 1.4."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

from agent.document.changes import Change, Dimension, Kind, shorten
from agent.document.editor import Editor
from agent.document.elements import new_element
from agent.document.grid import Grid, GridCell, blocks_of, cell_text, is_blank, table_of
from agent.document.layout import cell_width
from agent.document.mirror import Mirror
from agent.document.names import W_P, W_SDT, W_TBL, W_VAL, W
from agent.document.records import Table, record_of
from agent.errors import InvalidTarget, NoOp
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import After, Effect
from agent.operations.resolver import Resolver
from agent.operations.specimens import doc, merged_table, table
from agent.operations.table._content import move_blocks
from agent.operations.table._effects import around
from agent.operations.targets import CellsTarget, Params, Target, Wants


class MergeCells(Params):
    target: CellsTarget
    """The cells: a row, a column, or the first cell of a rectangle whose last cell is `to`."""
    to: Annotated[Target | None, Wants.CELL] = None
    """Last cell of the rectangle."""


@operation(
    Intent.TABLE,
    phrasings=[
        "merge the first two cells of the first row",
        "merge the cells of the first row",
        "combine row 1 columns 2 to 4 into one cell",
        "make the title row of the table one cell",
        "join the cells in column 1, rows 2 to 4",
        "merge these cells",
        "merge A1 to B2 in the table",
        "turn the header into a single cell across the table",
    ],
    examples=[
        Example(
            "Merge the first row",
            doc(table([["Costs", ""], ["Rent", "900"]])),
            {"target": {"table": 1, "row": 1}},
            result="The table 'Costs' has cell 1,1 merged across 2 columns; nothing else changed.",
        ),
        Example(
            "Merge rows 1 and 2 of the first column",
            doc(table([["Old", "a"], ["New", "b"]])),
            {
                "target": {"table": 1, "row": 1, "column": 1},
                "to": {"table": 1, "row": 2, "column": 1},
            },
            result="The table 'Old New, a' has 'Old New' in cell 1,1 and cell 1,1 merged with the cells below; "
            "nothing else changed.",
        ),
        Example(
            "Merge the four cells of the table",
            doc(table([["1", "2"], ["3", "4"]])),
            {
                "target": {"table": 1, "row": 1, "column": 1},
                "to": {"table": 1, "row": -1, "column": -1},
            },
            result="The table '1 2 3 4' has '1 2 3 4' in cell 1,1 and cell 1,1 merged across 2 columns and with the cells below; "
            "nothing else changed.",
        ),
        Example(
            "Merge cells 2 and 3 of the first row, of which 2 is merged with the cell below",
            doc(merged_table([["a", "b", "c"], ["d", "e", "f"]], (0, 1), (1, 1))),
            {
                "target": {"table": 1, "row": 1, "column": 2},
                "to": {"table": 1, "row": 1, "column": 3},
            },
            raises=InvalidTarget,
        ),
        Example(
            "Merge the first cell",
            doc(table([["1", "2"], ["3", "4"]])),
            {"target": {"table": 1, "row": 1, "column": 1}},
            raises=InvalidTarget,
        ),
    ],
    touches=["headers", "footers", "notes"],
)
def merge_cells(editor: Editor, params: MergeCells) -> None:
    """Merge the cells of a rectangle into one, which keeps the text of all of them."""
    box = _box(editor.mirror, params)
    first = box.cells[0][0]
    widths = [sum(cell_width(editor.mirror, c.tc) for c in row) for row in box.cells]
    for row in box.cells:
        for cell in row:
            if cell is not first and cell.merge != "continue":
                move_blocks(blocks_of(cell.tc), first.tc)
    _close(first.tc)
    for row, width in zip(box.cells, widths, strict=True):
        keep, *others = row
        for cell in others:
            _take_out(cell.tc)
        if not blocks_of(keep.tc):
            keep.tc.append(new_element("w:p"))
        properties = editor.properties(keep.tc)
        editor.set_property(properties, "tcW", {"w": str(width), "type": "dxa"} if others else {})
        editor.set_property(properties, "gridSpan", {"val": str(box.span)} if box.span > 1 else None)
        down = len(box.cells) > 1
        merge = editor.set_property(properties, "vMerge", {} if down else None)
        if down and keep is first:
            merge.set(W_VAL, "restart")
        elif down and merge.get(W_VAL) is not None:
            del merge.attrib[W_VAL]


@dataclass(frozen=True)
class _Box:
    """A rectangle of a table."""

    grid: Grid
    cells: list[list[GridCell]]
    span: int
    """Grid columns that it is wide."""


def _box(mirror: Mirror, params: MergeCells) -> _Box:
    resolver = Resolver(mirror)
    named = resolver.cells(params.target)
    if params.to is not None:
        named = [*named, resolver.cell(params.to)]
    tables = list(dict.fromkeys(table_of(tc) for tc in named))
    if len(tables) > 1:
        raise InvalidTarget("Cells of different tables cannot be merged.")
    grid = Grid(tables[0])
    rows = [grid.of(tc).row for tc in named]
    corners = [c for tc in named for c in grid.chain(grid.of(tc))]
    top, bottom = min(c.row for c in corners), max(c.row for c in corners)
    left, right = min(c.column for c in corners), max(c.end for c in corners)
    where = f"rows {top + 1} to {bottom + 1}, columns {left + 1} to {right}"
    cells = [[c for c in grid.cells[r] if c.column < right and c.end > left] for r in range(top, bottom + 1)]
    for row in cells:
        if not row or row[0].column != left or row[-1].end != right:
            name = f"'{shorten(cell_text(row[0].tc))}' " if row else ""
            raise InvalidTarget(
                f"The cells are no rectangle: in {where} a cell {name}reaches beyond or is missing."
            )
        for cell in row:
            chain = grid.chain(cell)
            if chain[0].row < top or chain[-1].row > bottom:
                raise InvalidTarget(
                    f"The cells are no rectangle: '{shorten(cell_text(chain[0].tc))}' is merged over rows "
                    f"{chain[0].row + 1} to {chain[-1].row + 1}, beyond {where}. Merge all of these rows, or split it first."
                )
            if chain[-1].row < min(rows) or chain[0].row > max(rows):
                wide = next(c for c in corners if len(grid.chain(c)) > 1)
                raise InvalidTarget(
                    f"The cells are no rectangle: '{shorten(cell_text(grid.chain(wide)[0].tc))}' reaches over {where}, and "
                    f"'{shorten(cell_text(cell.tc))}' beside it was not named."
                )
    covered = {c.tc for row in cells for c in row}
    if params.to is None and covered != {c.tc for c in corners}:
        raise InvalidTarget(f"The cells are no rectangle: others lie between them in {where}.")
    if len(covered) == 1 and len(corners) == 1:
        raise InvalidTarget(
            "One cell alone cannot be merged; name a row, a column, or the last cell with `to`."
        )
    if len({grid.chain(c)[0] for row in cells for c in row}) == 1:
        raise NoOp("These cells are one merged cell already.")
    return _Box(grid, cells, right - left)


def _close(tc: Any) -> None:
    """A cell ends with a paragraph."""
    blocks = blocks_of(tc)
    if not blocks or blocks[-1].tag == W_TBL:
        tc.append(new_element("w:p"))


def _take_out(tc: Any) -> None:
    """Remove a cell, and a content control that was around it alone."""
    holder = tc.getparent()
    holder.remove(tc)
    if holder.tag == W + "sdtContent" and next(holder.iter(W + "tc"), None) is None:
        control = holder.getparent()
        control.getparent().remove(control)


def _look(mirror: Mirror, table_id: str, row: int, index: int) -> list[tuple[str, str]]:
    """Borders, shading and so on of a cell; not its width."""
    record = record_of(mirror, table_id)
    assert isinstance(record, Table)
    return [p for p in record.rows[row].cells[index].properties if not p[0].startswith("tcW")]


@merge_cells.effects
def _(mirror: Mirror, params: MergeCells) -> Iterable[Effect]:
    box = _box(mirror, params)
    table_id = mirror.id_of(box.grid.tbl) or ""
    top = box.cells[0][0].row
    index = box.grid.cells[top].index(box.cells[0][0])
    inside = {c.tc for row in box.cells for c in row}
    shown = [
        t for row in box.cells for c in row if c.merge != "continue" for t in cell_text(c.tc).split("\n") if t
    ]
    others = [[cell_text(c.tc) for c in row if c.tc not in inside] for row in box.grid.cells]
    look = _look(mirror, table_id, top, index)
    moved = {mirror.id_of(e) for tc in inside for e in tc.iter(W_P, W_TBL, W_SDT)}

    def check(after: After) -> str | None:
        if not after.mirror.has(table_id):
            return f"table {table_id} is gone"
        grid = Grid(after.mirror.element(table_id))
        merged = grid.cells[top][index]
        if merged.span != box.span:
            return f"the merged cell is {merged.span} columns wide and not {box.span}"
        if len(grid.chain(merged)) != len(box.cells):
            return f"the merged cell is {len(grid.chain(merged))} rows high and not {len(box.cells)}"
        found = [t for t in cell_text(merged.tc).split("\n") if t]
        if found != shown:
            return f"the merged cell reads '{shorten(' / '.join(found), 80)}' and not '{shorten(' / '.join(shown), 80)}'"
        if _look(after.mirror, table_id, top, index) != look:
            return "the merged cell does not look as its first cell did"
        chain = {c.tc for c in grid.chain(merged)}
        if any(not is_blank(blocks_of(c.tc)) for c in grid.chain(merged)[1:]):
            return "text is hidden below the merged cell"
        left = [[cell_text(c.tc) for c in row if c.tc not in chain] for row in grid.cells]
        return None if left == others else "cells outside the rectangle are not as they were"

    outer = around(mirror, box.grid.tbl)
    names = {
        f"cell {top + n + 1},{box.grid.cells[top + n].index(row[0]) + 1}" for n, row in enumerate(box.cells)
    }
    rows = {f"cell of row {top + n + 1}" for n in range(len(box.cells))}

    def covers(change: Change) -> bool:
        if change.target == table_id and change.dimension is Dimension.TABLES:
            name = change.path.removeprefix("cell ").partition(" ")[0]
            return f"cell {name}" in names or change.path in rows or change.path == "columns"
        return (
            (change.target in moved and change.kind in (Kind.ADDED, Kind.REMOVED))
            or (change.kind is Kind.ADDED and change.path == "paragraph" and not change.after)
            or outer(change)
        )

    yield Effect(f"{len(inside)} cells are one", check, covers)
