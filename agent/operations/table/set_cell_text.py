"""The text of one cell. Word: typing over the selected cell; `w:tc`; Office.js `TableCell.value` (WordApi 1.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agent.document.changes import shorten
from agent.document.editor import Editor
from agent.document.grid import blocks_of, grid_of, table_of
from agent.document.mirror import Mirror
from agent.document.names import W_P, WP
from agent.document.records import Table, changed_rows, record_of
from agent.errors import AmbiguousTarget, InvalidTarget, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import After, Effect
from agent.operations.resolver import Resolver
from agent.operations.specimens import doc, merged_table, p, table
from agent.operations.table._content import set_text
from agent.operations.table._effects import inside
from agent.operations.targets import CellTarget, Params, Target


class SetCellText(Params):
    target: CellTarget
    """The cell, by row and column of its table, or by words that are in it."""
    text: str
    """What it is to read; a line break makes a new paragraph; empty clears it."""


@operation(
    Intent.TABLE,
    phrasings=[
        "change the cell in row 2, column 3 to 1,200",
        "put 'Total' in the last cell of the first column",
        "set the price in the second row to 49.90",
        "fill in Berlin as the city in the third row",
        "clear the cell under Notes in row 4",
        "update the amount for March to 3,400 in the budget table",
        "the first cell of the table should say Region",
        "write N/A in the empty cell of row 5",
        "rename the column header Amount to Cost",
    ],
    examples=[
        Example(
            "Set the amount of the rent to 950",
            doc(table([["Item", "Amount"], ["Rent", "900"]])),
            {"target": {"table": 1, "row": 2, "column": "Amount"}, "text": "950"},
            result="The table 'Item, Amount' has '950' in cell 2,2; nothing else changed.",
        ),
        Example(
            "Rename the header Amount to Cost",
            doc(p("Costs:"), table([["Item", "Amount"], ["Rent", "900"]])),
            {"target": {"table": 1, "row": "header", "column": "Amount"}, "text": "Cost"},
            result="The table 'Item, Cost' has 'Cost' in cell 1,2; nothing else changed.",
        ),
        Example(
            "Clear the last cell of the table",
            doc(table([["Item", "Amount"], ["Rent", "900"]])),
            {"target": {"table": 1, "row": -1, "column": -1}, "text": ""},
            result="The table 'Item, Amount' has cell 2,2 empty; nothing else changed.",
        ),
        Example(
            "Write Costs into the second row of the merged first column",
            doc(merged_table([["Old", "a"], ["", "b"]], (0, 0), (1, 0))),
            {"target": {"table": 1, "row": 2, "column": 1}, "text": "Costs"},
            result="The table 'Costs, a' has 'Costs' in cell 1,1; nothing else changed.",
        ),
        Example(
            "Set the price in row 5 to 10",
            doc(table([["Item", "Price"], ["Rent", "900"]])),
            {"target": {"table": 1, "row": 5, "column": "Price"}, "text": "10"},
            raises=TargetNotFound,
        ),
        Example(
            "Set row 2 to 10",
            doc(table([["Item", "Price"], ["Rent", "900"]])),
            {"target": {"table": 1, "row": 2}, "text": "10"},
            raises=AmbiguousTarget,
        ),
    ],
    touches=["headers", "footers", "notes"],
)
def set_cell_text(editor: Editor, params: SetCellText) -> None:
    """Replace the text of one table cell; it looks as the cell's text did before."""
    set_text(editor, _cell(editor.mirror, params.target), params.text)


def _cell(mirror: Mirror, target: Target) -> Any:
    """The cell that shows: for one that continues a vertical merge, the first of it."""
    tc = Resolver(mirror).cell(target)
    grid = grid_of(mirror, table_of(tc))
    return grid.chain(grid.of(tc))[0].tc


@set_cell_text.effects
def _(mirror: Mirror, params: SetCellText) -> Iterable[Effect]:
    tc = _cell(mirror, params.target)
    tbl = table_of(tc)
    table_id = mirror.id_of(tbl) or ""
    grid = grid_of(mirror, tbl)
    place = grid.of(tc)
    number = grid.cells[place.row].index(place)
    before = record_of(mirror, table_id)
    if not isinstance(before, Table):
        raise InvalidTarget(f"{params.target} is not in a table.")
    lines = params.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    pictures = [p_ for p_ in blocks_of(tc)[1:] if p_.tag == W_P and p_.find(f".//{WP}docPr") is not None]
    wanted = "\n".join([*lines, *[""] * len(pictures)])

    def check(after: After) -> str | None:
        record = after.table(table_id)
        if record is None:
            return f"table {table_id} is gone"
        if len(record.rows) != len(before.rows):
            return "the table has other rows than before"
        for r in {place.row, *changed_rows(before, record)}:
            row, was = record.rows[r], before.rows[r]
            if len(row.cells) != len(was.cells):
                return f"row {r + 1} has other cells than before"
            for c, (cell, old) in enumerate(zip(row.cells, was.cells, strict=True)):
                text = wanted if (r, c) == (place.row, number) else old.text
                if cell.text != text:
                    return f"cell {r + 1},{c + 1} reads '{shorten(cell.text)}' and not '{shorten(text)}'"
        return None

    yield Effect(f"the cell reads '{shorten(params.text)}'", check, inside(mirror, [tc]))
