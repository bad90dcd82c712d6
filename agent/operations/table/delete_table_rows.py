"""Rows taken out. Word: Table Layout > Delete Rows; `w:tr`; Office.js `Table.deleteRows` (WordApi 1.3)."""

from __future__ import annotations

from collections.abc import Iterable

from agent.document import anchors, removal
from agent.document.changes import Change, Dimension, Kind
from agent.document.editor import Editor
from agent.document.grid import Grid, GridCell, blocks_of, cell_text, table_of
from agent.document.mirror import Mirror
from agent.document.names import W_P, W_SDT, W_TBL, W_VAL, W
from agent.errors import InvalidTarget, InvalidValue, PreconditionFailed, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import After, Effect
from agent.operations.resolver import Resolver
from agent.operations.specimens import doc, merged_table, table
from agent.operations.table._content import replace_blocks
from agent.operations.table._effects import around
from agent.operations.targets import Params, TableOrRowsTarget, Target


class DeleteTableRows(Params):
    target: TableOrRowsTarget
    """The rows; or the table, together with a condition."""
    column: int | str | None = None
    """Condition: the column that is looked at, by number from 1 or by the words in the first row."""
    equals: str | None = None
    """Condition: delete the rows that have exactly this text in the column (or, without column, in any cell)."""
    empty: bool = False
    """Condition: delete the rows whose cell in the column is empty; without column, the rows that are empty altogether."""


@operation(
    Intent.TABLE,
    phrasings=[
        "delete the second row of the table",
        "remove the last row",
        "delete the row Rent from the budget table",
        "remove all empty rows",
        "delete every row where the status is Done",
        "drop the rows without an amount",
        "take the line about travel out of the table",
        "remove rows whose Owner column is empty",
        "get rid of the header row",
    ],
    touches=["comments", "notes", "media", "charts", "headers", "footers"],
    examples=[
        Example(
            "Delete the row Rent",
            doc(table([["Item", "Amount"], ["Rent", "900"], ["Food", "200"]])),
            {"target": {"text": "Rent"}},
            result="The table 'Item, Amount' now has 2 rows (before: 3) and no longer has the row 'Rent | 900'; "
            "nothing else changed.",
        ),
        Example(
            "Remove the rows without an amount",
            doc(table([["Item", "Amount"], ["Rent", ""], ["Food", "200"], ["Fun", " "]])),
            {"target": {"table": 1}, "column": "Amount", "empty": True},
            result="The table 'Item, Amount' now has 2 rows (before: 4), no longer has the row 'Rent' "
            "and no longer has the row 'Fun'; nothing else changed.",
        ),
        Example(
            "Delete the first row, where a merged cell begins",
            doc(merged_table([["Old", "a"], ["", "b"], ["", "c"]], (0, 0), (2, 0))),
            {"target": {"table": 1, "row": 1}},
            result="The table 'Old, b' now has 2 rows (before: 3), has 'Old' in cell 1,1 and no longer has the row 'Old | a'; "
            "nothing else changed.",
        ),
        Example(
            "Delete all rows",
            doc(table([["Item", "Amount"], ["Rent", "900"]])),
            {"target": {"text": "table rows"}},
            raises=TargetNotFound,
        ),
        Example(
            "Delete every row of the table",
            doc(table([["Item", "Amount"]])),
            {"target": {"table": 1, "row": 1}},
            raises=PreconditionFailed,
        ),
        Example(
            "Delete the rows of the table",
            doc(table([["Item", "Amount"], ["Rent", "900"]])),
            {"target": {"table": 1}},
            raises=InvalidTarget,
        ),
    ],
)
def delete_table_rows(editor: Editor, params: DeleteTableRows) -> None:
    """Delete rows of a table: those named, or those that meet a condition; the header row only if it is named.

    A merged cell that reaches over other rows keeps its text.
    """
    mirror = editor.mirror
    grid, gone = _chosen(mirror, params)
    for number in sorted(gone, reverse=True):
        for cell in grid.cells[number]:
            _hand_down(grid, cell, gone)
    rows = [grid.rows[n] for n in gone]
    anchors.refuse_cut_fields(mirror, rows)
    used = removal.relationship_ids(mirror, rows)
    comments = anchors.settle(mirror, rows)
    notes = removal.note_references(rows)
    for tr in rows:
        holder = tr.getparent()
        editor.remove(tr)
        while holder.tag != W_TBL and not list(holder.iter(W + "tr")):  # a content control around it alone
            holder, empty = holder.getparent(), holder
            holder.remove(empty)
    removal.remove_comments(mirror, comments)
    removal.remove_notes(mirror, notes)
    removal.drop_unused(mirror, used)


def _chosen(mirror: Mirror, params: DeleteTableRows) -> tuple[Grid, list[int]]:
    """The table, and the numbers from 0 of the rows that go."""
    found = Resolver(mirror).table_or_rows(params.target)
    tbl = mirror.element(found) if isinstance(found, str) else table_of(found[0])
    grid = Grid(tbl)
    named = None if isinstance(found, str) else sorted(grid.row_of(tr) for tr in found)
    conditional = params.equals is not None or params.empty
    if params.column is not None and not conditional:
        raise InvalidValue("A column needs a condition: equals a text, or empty.")
    if named is None and not conditional:
        raise InvalidTarget(
            "Say which rows to delete, or give a condition; to delete the whole table use delete_blocks."
        )
    rows = named if named is not None else list(range(max(grid.header_rows(), 1), len(grid.rows)))
    if conditional:
        column = _column(mirror, grid, params)
        rows = [n for n in rows if _meets(grid, n, column, params)]
        if not rows:
            raise TargetNotFound(f"No row of the table {_condition(params)}.")
    if len(rows) == len(grid.rows):
        raise PreconditionFailed(
            f"That is every row of the table ({len(rows)}); to delete the table itself use delete_blocks."
        )
    return grid, rows


def _column(mirror: Mirror, grid: Grid, params: DeleteTableRows) -> int | None:
    """The grid column, from 0, that the condition looks at."""
    if params.column is None:
        return None
    target = Target(ids=[mirror.id_of(grid.tbl) or ""], row=1, column=params.column)
    return grid.of(Resolver(mirror).cells(target)[0]).column


def _meets(grid: Grid, number: int, column: int | None, params: DeleteTableRows) -> bool:
    cells = grid.cells[number]
    if column is not None:
        place = grid.at(number, column)
        cells = [place] if place is not None else []
    texts = [cell_text(grid.chain(c)[0].tc).strip() for c in cells]
    if params.empty:
        return all(not t and not _shows(c) for t, c in zip(texts, cells, strict=True))
    wanted = " ".join((params.equals or "").split()).casefold()
    return any(" ".join(t.split()).casefold() == wanted for t in texts)


def _shows(cell: GridCell) -> bool:
    return next(cell.tc.iter(W + "drawing", W + "pict", W + "object"), None) is not None


def _condition(params: DeleteTableRows) -> str:
    where = f"in the column {params.column}" if params.column is not None else "in a cell"
    if params.empty:
        return f"is empty {where}" if params.column is not None else "is empty"
    return f"has '{params.equals}' {where}"


def _hand_down(grid: Grid, cell: GridCell, gone: Iterable[int]) -> None:
    """A merge that begins in a row that goes begins in the next row that stays, with its content; one that has only one row left
    is none any more.
    """
    chain = grid.chain(cell)
    left = [c for c in chain if c.row not in gone]
    if len(chain) == 1 or not left or cell is not next(c for c in chain if c.row in gone):
        return
    first = left[0]
    if chain[0].row in gone:
        replace_blocks(first.tc, blocks_of(chain[0].tc))
    merge = first.tc.find(f"{W}tcPr/{W}vMerge")
    if len(left) == 1:
        merge.getparent().remove(merge)
    elif first is not chain[0]:
        merge.set(W_VAL, "restart")


@delete_table_rows.effects
def _(mirror: Mirror, params: DeleteTableRows) -> Iterable[Effect]:
    grid, gone = _chosen(mirror, params)
    table_id = mirror.id_of(grid.tbl) or ""
    stay = [row for n, row in enumerate(grid.cells) if n not in gone]
    expected = [[cell_text(grid.chain(c)[0].tc) for c in row] for row in stay]
    inner = {mirror.id_of(e) for n in gone for e in grid.rows[n].iter(W_P, W_TBL, W_SDT)}
    merged = [c for n in gone for cell in grid.cells[n] for c in grid.chain(cell) if c.row not in gone]
    inner |= {mirror.id_of(e) for c in merged for e in c.tc.iter(W_P, W_TBL, W_SDT)}

    def check(after: After) -> str | None:
        if not after.mirror.has(table_id):
            return f"table {table_id} is gone"
        now = Grid(after.mirror.element(table_id))
        if len(now.rows) != len(expected):
            return f"the table has {len(now.rows)} rows and not {len(expected)}"
        for number, (row, texts) in enumerate(zip(now.cells, expected, strict=True), 1):
            found = [cell_text(now.chain(c)[0].tc) for c in row]
            if found != texts:
                return f"row {number} reads {found} and not {texts}"
        return None

    outer = around(mirror, grid.tbl)
    changed = {f"cell {n},{i}" for n, row in enumerate(stay, 1) for i, c in enumerate(row, 1) if c in merged}

    def covers(change: Change) -> bool:
        if change.target == table_id and change.dimension is Dimension.TABLES:
            cell = change.path.removesuffix(" merge")
            return change.path in ("rows", "row") or cell in changed or change.path.startswith("cell of row")
        if change.target in inner and change.kind in (Kind.REMOVED, Kind.ADDED):
            return True
        return change.path in _FOLLOWS or outer(change)

    yield Effect(f"{len(gone)} row{'s are' if len(gone) != 1 else ' is'} gone", check, covers)


# what goes with the rows, or moves to where the rest of it is
_FOLLOWS = (
    "bookmark", "bookmark end", "comment start", "comment end", "comment", "footnote", "endnote", "permission",
)  # fmt: skip
