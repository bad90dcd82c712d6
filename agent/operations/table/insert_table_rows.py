"""New rows. Word: Table Layout > Insert Above / Below; `w:tr`; Office.js `TableRow.insertRows`, `Table.addRows` (WordApi 1.3)."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from agent.document.changes import Change, shorten
from agent.document.editor import Editor
from agent.document.elements import new_element
from agent.document.grid import Grid, GridCell, cell_text, table_of
from agent.document.mirror import Mirror
from agent.document.names import W_TBL, W
from agent.errors import InvalidValue, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import After, Effect
from agent.operations.resolver import Resolver
from agent.operations.specimens import doc, merged_table, table
from agent.operations.table._content import clone_cell
from agent.operations.table._effects import around
from agent.operations.targets import Params, TableOrRowsTarget

MOST_ROWS = 1_000


class InsertTableRows(Params):
    target: TableOrRowsTarget
    """The table, or a row of it that the new rows go beside."""
    position: Literal["above", "below", "first", "last"] | None = None
    """Above or below the row; or first (under the header row) or last in the table. Left out: below the row, or last."""
    count: int | None = Field(None, ge=1, le=MOST_ROWS)
    """How many; left out, one, or as many as there are values."""
    values: list[list[str]] | None = None
    """Texts for the cells of each new row, from the left."""


@operation(
    Intent.TABLE,
    phrasings=[
        "add a row to the table",
        "insert two rows below the header",
        "add a new row at the end with Food and 200",
        "append a line for April to the sales table",
        "insert an empty row above the total",
        "put another row after the row Rent",
        "add three blank rows to the second table",
        "add Peter, Sales, 2024 to the staff table",
        "new first row with the values A, B and C",
    ],
    examples=[
        Example(
            "Add a row with Food and 200 to the table",
            doc(table([["Item", "Amount"], ["Rent", "900"]])),
            {"target": {"table": 1}, "values": [["Food", "200"]]},
            result="The table 'Item, Amount' now has 3 rows (before: 2) and has a new row 3 'Food | 200'; nothing else changed.",
        ),
        Example(
            "Insert two empty rows above the row Rent",
            doc(table([["Item", "Amount"], ["Rent", "900"]])),
            {"target": {"text": "Rent"}, "position": "above", "count": 2},
            result="The table 'Item, Amount' now has 4 rows (before: 2), has a new, empty row 2 and a new, empty row 3; "
            "nothing else changed.",
        ),
        Example(
            "Add a row with c below the first row of the merged column",
            doc(merged_table([["Old", "a"], ["", "b"]], (0, 0), (1, 0))),
            {"target": {"table": 1, "row": 1}, "values": [["c"]]},
            result="The table 'Old, a' now has 3 rows (before: 2) and has a new row 2 'c'; nothing else changed.",
        ),
        Example(
            "Add a row with Food, 200 and weekly to the table of two columns",
            doc(table([["Item", "Amount"], ["Rent", "900"]])),
            {"target": {"table": 1}, "values": [["Food", "200", "weekly"]]},
            raises=InvalidValue,
        ),
        Example(
            "Add a row below the row Travel",
            doc(table([["Item", "Amount"], ["Rent", "900"]])),
            {"target": {"text": "Travel"}, "position": "below"},
            raises=TargetNotFound,
        ),
    ],
    touches=["headers", "footers", "notes"],
)
def insert_table_rows(editor: Editor, params: InsertTableRows) -> None:
    """Add rows to a table, empty or with values; they look like the row beside them.

    A merged cell that runs through the place grows with them.
    """
    plan = _plan(editor.mirror, params)
    for values in plan.values:
        plan.put(_new_row(plan, values))


@dataclass
class _Plan:
    """Where the rows go and what they are made after."""

    grid: Grid
    at: int
    """Number, from 0, that the first new row will have."""
    model: int
    """Row that they look like."""
    values: list[list[str]]
    """For each new row, a text for each cell of the model row."""

    @property
    def is_header(self) -> bool:
        """Whether the new rows stand among the header rows that repeat."""
        return self.at < self.grid.header_rows()

    def joins(self, cell: GridCell) -> bool:
        """Whether a vertical merge runs through the place at this cell of the model row."""
        return self.grid.continued(self.at, cell)

    def put(self, tr: Any) -> None:
        """Put a new row in front of the row at `at`; behind the last if there is none."""
        rows = self.grid.rows
        above = _child_of_table(rows[self.at - 1]) if self.at else None
        below = _child_of_table(rows[self.at]) if self.at < len(rows) else None
        if below is not None and below is not above:
            below.addprevious(tr)
        elif below is not None:  # both in one content control
            rows[self.at].addprevious(tr)
        else:
            last = _child_of_table(rows[-1])
            while (following := last.getnext()) is not None and following.tag == W + "tr":
                last = following
            last.addnext(tr)


def _plan(mirror: Mirror, params: InsertTableRows) -> _Plan:
    found = Resolver(mirror).table_or_rows(params.target)
    tbl = mirror.element(found) if isinstance(found, str) else table_of(found[0])
    grid = Grid(tbl)
    rows = [grid.row_of(tr) for tr in found] if not isinstance(found, str) else []
    end = len(grid.rows)
    match params.position or ("below" if rows else "last"):
        case "above":
            at = min(rows, default=0)
        case "below":
            at = max(rows) + 1 if rows else end
        case "first":
            at = min(grid.header_rows(), end)
        case _:
            at = end
    above = params.position in ("above", "first")
    model = min(at, end - 1) if above or at == 0 else at - 1
    header = max(grid.header_rows(), 1)
    if at == header < end:
        model = at  # below the header, rows look like the data and not like the header
    cells = grid.cells[model]
    given = params.values or []
    count = params.count or len(given) or 1
    if len(given) > count:
        raise InvalidValue(f"There are values for {len(given)} rows, but {count} are to be added.")
    given = [*given, *[[] for _ in range(count - len(given))]]
    plan = _Plan(grid, at, model, [])
    joined = [plan.joins(c) for c in cells]
    plan.values = [_fitted(grid, cells, joined, row) for row in given]
    return plan


def _fitted(
    grid: Grid, cells: Sequence[GridCell], joined: Sequence[bool], values: Sequence[str]
) -> list[str]:
    """One text for each cell; the cells of a merge that runs through show the merge's text, so they take none."""
    free = [i for i, j in enumerate(joined) if not j]
    if len(values) <= len(free):
        found = [""] * len(cells)
        for i, value in zip(free, values, strict=False):
            found[i] = value
        return found
    if len(values) > len(cells):
        raise InvalidValue(
            f"The row '{shorten(', '.join(values))}' has {len(values)} values, but the rows of the table have {len(free)} cells."
        )
    found = [*values, *[""] * (len(cells) - len(values))]
    for i, is_joined in enumerate(joined):
        shown = cell_text(grid.chain(cells[i])[0].tc)
        if is_joined and found[i] not in ("", shown):
            raise InvalidValue(
                f"'{shorten(found[i])}' would go into a cell that is merged with the one above ('{shorten(shown)}'); "
                f"give the {len(free)} other values only."
            )
        found[i] = "" if is_joined else found[i]
    return found


def _new_row(plan: _Plan, values: Sequence[str]) -> Any:
    model = plan.grid.rows[plan.model]
    plain = not plan.is_header and plan.model < plan.grid.header_rows()
    tr = new_element("w:tr")
    for name in ("tblPrEx", "trPr"):
        found = model.find(W + name)
        if found is None:
            continue
        found = copy.deepcopy(found)
        for lost in ("ins", "del", "trPrChange", "cnfStyle", *(() if plan.is_header else ("tblHeader",))):
            for child in found.findall(W + lost):
                found.remove(child)
        if len(found):
            tr.append(found)
    for cell, value in zip(plan.grid.cells[plan.model], values, strict=True):
        tc = clone_cell(cell.tc, value, plain=plain)
        if plan.joins(cell):
            _join(tc)
        tr.append(tc)
    return tr


def _join(tc: Any) -> None:
    properties = tc.find(W + "tcPr")
    if properties is None:
        properties = new_element("w:tcPr")
        tc.insert(0, properties)
    before = {W + n for n in ("cnfStyle", "tcW", "gridSpan", "hMerge")}
    merge = new_element("w:vMerge")
    at = sum(child.tag in before for child in properties)
    properties.insert(at, merge)


def _child_of_table(tr: Any) -> Any:
    """The row itself, or the content control around it that the table holds."""
    node = tr
    while node.getparent().tag != W_TBL:
        node = node.getparent()
    return node


@insert_table_rows.effects
def _(mirror: Mirror, params: InsertTableRows) -> Iterable[Effect]:
    plan = _plan(mirror, params)
    tbl = plan.grid.tbl
    table_id = mirror.id_of(tbl) or ""
    count = len(plan.values)
    before = [[cell_text(c.tc) for c in row] for row in plan.grid.cells]
    columns = [(c.column, c.span) for c in plan.grid.cells[plan.model]]
    new = range(plan.at, plan.at + count)

    def check(after: After) -> str | None:
        if not after.mirror.has(table_id):
            return f"table {table_id} is gone"
        grid = Grid(after.mirror.element(table_id))
        if len(grid.rows) != len(before) + count:
            return f"the table has {len(grid.rows)} rows and not {len(before) + count}"
        texts = [[cell_text(c.tc) for c in row] for row in grid.cells]
        if texts[: plan.at] + texts[plan.at + count :] != before:
            return "the rows that were there before are not the same"
        for number, values in zip(new, plan.values, strict=True):
            if texts[number] != values:
                return f"row {number + 1} reads {texts[number]} and not {values}"
            if [(c.column, c.span) for c in grid.cells[number]] != columns:
                return f"the cells of row {number + 1} do not lie under those of the row beside it"
            if any(grid.continued(plan.at + count, c) and c.merge != "continue" for c in grid.cells[number]):
                return f"row {number + 1} cuts a merged cell in two"
        return None

    outer = around(mirror, tbl)
    paths = {"rows", *(f"row {n + 1}" for n in new)}

    def covers(change: Change) -> bool:
        return (change.target == table_id and change.path in paths) or outer(change)

    yield Effect(f"{count} new row{'s' if count != 1 else ''} in the table", check, covers)
