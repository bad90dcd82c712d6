"""A new table. Word: Insert > Table; `w:tbl` and `w:tblGrid`, header row `w:tblHeader`; Office.js `insertTable` (WordApi 1.3)."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import Field

from agent.document import text as texts
from agent.document.changes import Change, Dimension, Kind
from agent.document.editor import Editor
from agent.document.elements import new_element
from agent.document.grid import Grid, blocks_of, cell_of, is_blank
from agent.document.layout import text_width
from agent.document.mirror import Mirror
from agent.document.names import W_P, W_SDT, W_TBL, W_VAL, W
from agent.document.records import Table, record_of
from agent.document.styles import find_style, gallery_name, style_name
from agent.document.units import twips
from agent.errors import AmbiguousTarget, InvalidValue, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import After, Effect, may_add_styles
from agent.operations.resolver import Resolver
from agent.operations.specimens import doc, h, p, table
from agent.operations.table._effects import inside, new_elements
from agent.operations.targets import Params, Place, Target, Wants

MOST_COLUMNS, MOST_CELLS = 63, 20_000
"""Word's own limit on columns; and one so that a slip of the tongue does not make a document of a million cells."""


class InsertTable(Params):
    rows: int | None = Field(None, ge=1)
    """Number of rows, the header row included; left out, as many as the header and data need."""
    columns: int | None = Field(None, ge=1)
    """Number of columns; left out, as many as the header and data need."""
    header: list[str] | None = None
    """Names of the columns: the first row, bold, repeated at the top of each page."""
    data: list[list[str]] | None = None
    """Texts of the other rows, row by row."""
    style: str = "Table Grid"
    """Table style."""
    column_widths: list[str] | None = None
    """One for each column, like "3cm" or "25%"; left out, all equal and together as wide as the text."""
    place: Place | None = None
    """Where it goes; left out, the end of the document."""
    cell: Annotated[Target | None, Wants.CELL] = None
    """Put it inside this table cell instead of at a place."""


@operation(
    Intent.TABLE,
    phrasings=[
        "insert a table with 3 columns and 5 rows",
        "add a 2x4 table after the second paragraph",
        "create a table with the headers Name, Department and Salary",
        "make a table for the quarterly figures at the end",
        "put an empty table below the heading Budget",
        "add a comparison table with columns Feature, Basic, Pro",
        "I need a table here listing the three suppliers and their prices",
        "draw up a schedule table: Date, Task, Owner",
        "insert table 4 by 3",
    ],
    touches=["styles"],
    examples=[
        Example(
            "Add a table with the headers Item and Cost and the row Rent, 900 after the heading Budget",
            doc(h(1, "Budget"), p("See above.")),
            {
                "header": ["Item", "Cost"],
                "data": [["Rent", "900"]],
                "place": {"after": {"heading": "Budget"}},
            },
            result="A table with 2 rows 'Item | Cost' was added; nothing else changed.",
        ),
        Example(
            "Insert an empty table of 3 rows and 4 columns at the end",
            doc(p("Figures:")),
            {"rows": 3, "columns": 4},
            result="A table with 3 rows was added; nothing else changed.",
        ),
        Example(
            "Put a second table right below the first",
            doc(p("Figures:"), table([["A", "B"]]), p("End.")),
            {"data": [["C", "D"]], "place": {"after": {"table": 1}}, "style": "Light List Accent 1"},
            result="A table with 1 row 'C | D' was added; nothing else changed.",
        ),
        Example(
            "Add a table of 2 rows with the header Item and three rows of data",
            doc(p("Figures:")),
            {"rows": 2, "header": ["Item"], "data": [["a"], ["b"], ["c"]]},
            raises=InvalidValue,
        ),
        Example(
            "Insert a 2 by 2 table in the style Fancy Red",
            doc(p("Figures:")),
            {"rows": 2, "columns": 2, "style": "Fancy Red"},
            raises=TargetNotFound,
        ),
    ],
)
def insert_table(editor: Editor, params: InsertTable) -> None:
    """Insert a table, empty or with data, with a header row if its names are given."""
    mirror = editor.mirror
    rows = _texts(params)
    host, side, anchor = _host(mirror, params)
    style = editor.ensure_style(gallery_name(params.style), "table")
    width = text_width(mirror, host)
    tbl = _build(rows, _widths(params, len(rows[0]), width), style, params.header is not None)
    if params.cell is not None:
        _into_cell(host, tbl)
        return
    editor.place(side, anchor, [tbl])
    previous, following = _neighbour(tbl, -1), _neighbour(tbl, 1)
    if previous is not None and previous.tag == W_TBL:  # Word makes one table of two that touch
        tbl.addprevious(new_element("w:p"))
    if following is None or following.tag == W_TBL:
        tbl.addnext(new_element("w:p"))


def _texts(params: InsertTable) -> list[list[str]]:
    given = [params.header] if params.header is not None else []
    given += params.data or []
    columns = params.columns or max((len(row) for row in given), default=0)
    rows = params.rows or len(given)
    if not rows or not columns:
        raise InvalidValue("A table needs rows and columns: give their numbers, or a header or data.")
    if len(given) > rows:
        what = "the header and " * (params.header is not None) + f"{len(params.data or [])} rows of data"
        raise InvalidValue(
            f"The table is to have {rows} rows, but {what} make {len(given)}; rows counts the header row too."
        )
    for row in given:
        if len(row) > columns:
            raise InvalidValue(
                f"The table is to have {columns} columns, but the row '{', '.join(row)}' has {len(row)} values."
            )
    if columns > MOST_COLUMNS or rows * columns > MOST_CELLS:
        raise InvalidValue(
            f"A table of {rows} x {columns} is too large; the most are {MOST_COLUMNS} columns and {MOST_CELLS} cells."
        )
    padded = [[*row, *[""] * (columns - len(row))] for row in given]
    return padded + [[""] * columns for _ in range(rows - len(given))]


def _host(mirror: Mirror, params: InsertTable) -> tuple[Any, str, str]:
    """The element whose surroundings say how wide the text is (None: the document's end), and the place."""
    if params.cell is not None:
        if params.place is not None:
            raise AmbiguousTarget("Give the table a place or a cell to go into, not both.")
        return Resolver(mirror).cell(params.cell), "", ""
    if params.place is None:
        return None, "end", ""
    side, anchor = Resolver(mirror).place(params.place)
    return mirror.element(anchor) if anchor else None, side, anchor


def _widths(params: InsertTable, columns: int, width: int) -> list[int]:
    if params.column_widths is None:
        edges = [width * i // columns for i in range(columns + 1)]
        return [b - a for a, b in itertools.pairwise(edges)]
    if len(params.column_widths) != columns:
        raise InvalidValue(
            f"There are {len(params.column_widths)} column widths for {columns} columns; give one for each."
        )
    found: list[int] = []
    for value in params.column_widths:
        percent = value.strip().endswith("%")
        found.append(round(width * _percent(value)) if percent else twips(value))
    if min(found) < 60:
        raise InvalidValue("A column is at least 3 pt wide.")
    return found


def _percent(value: str) -> float:
    try:
        return float(value.strip().rstrip("%").replace(",", ".")) / 100
    except ValueError as error:
        raise InvalidValue(f"'{value}' is not a width; write it like 25% or 3cm.") from error


def _build(rows: list[list[str]], widths: list[int], style: str, header: bool) -> Any:
    tbl = new_element("w:tbl")
    properties = new_element("w:tblPr")
    properties.append(new_element("w:tblStyle", {W_VAL: style}))
    properties.append(new_element("w:tblW", {W + "w": "0", W + "type": "auto"}))
    properties.append(new_element("w:tblLook", _LOOK))
    grid = new_element("w:tblGrid")
    for width in widths:
        grid.append(new_element("w:gridCol", {W + "w": str(width)}))
    tbl.append(properties)
    tbl.append(grid)
    for number, row in enumerate(rows):
        tbl.append(_row(row, widths, header and number == 0))
    return tbl


# what Word writes for a new table: header row, first column and banded rows of the style show
_LOOK = {
    W_VAL: "04A0", W + "firstRow": "1", W + "lastRow": "0", W + "firstColumn": "1", W + "lastColumn": "0",
    W + "noHBand": "0", W + "noVBand": "1",
}  # fmt: skip


def _row(values: list[str], widths: list[int], header: bool) -> Any:
    tr = new_element("w:tr")
    if header:
        properties = new_element("w:trPr")
        properties.append(new_element("w:tblHeader"))
        tr.append(properties)
    for value, width in zip(values, widths, strict=True):
        tc = new_element("w:tc")
        properties = new_element("w:tcPr")
        properties.append(new_element("w:tcW", {W + "w": str(width), W + "type": "dxa"}))
        tc.append(properties)
        paragraph = new_element("w:p")
        if value:
            run = new_element("w:r")
            if header:
                run.append(new_element("w:rPr"))
                run[0].append(new_element("w:b"))
                run[0].append(new_element("w:bCs"))
            for node in texts.nodes_for(value):
                run.append(node)
            paragraph.append(run)
        tc.append(paragraph)
        tr.append(tc)
    return tr


def _into_cell(tc: Any, tbl: Any) -> None:
    """At the end of the cell, in front of the empty paragraph that must close it."""
    blocks = blocks_of(tc)
    if not blocks or not is_blank(blocks[-1:]):
        tc.append(new_element("w:p"))
        blocks = blocks_of(tc)
    if len(blocks) > 1 and blocks[-2].tag == W_TBL:
        blocks[-1].addprevious(new_element("w:p"))
    blocks[-1].addprevious(tbl)


def _neighbour(element: Any, step: int) -> Any | None:
    return next(element.itersiblings(W_P, W_TBL, W_SDT, preceding=step < 0), None)


@insert_table.effects
def _(mirror: Mirror, params: InsertTable) -> Iterable[Effect]:
    expected = _texts(params)
    host, side, anchor = _host(mirror, params)

    def check(after: After) -> str | None:
        made = new_elements(after, W_TBL)
        if len(made) != 1:
            return f"{len(made)} new tables and not 1"
        record = record_of(after.mirror, after.mirror.id_of(made[0]) or "")
        assert isinstance(record, Table)
        found = [[c.text.replace("\r", "") for c in row.cells] for row in record.rows]
        if found != expected:
            return f"the new table holds {found} and not {expected}"
        if record.style != find_style(after.mirror, gallery_name(params.style), "table"):
            return f"the new table has the style '{style_name(after.mirror, record.style)}' and not '{params.style}'"
        if Grid(made[0]).header_rows() != (params.header is not None):
            return "the header row is not marked as such"
        return _misplaced(after, made[0], host if params.cell is not None else None, side, anchor)

    around_it = cell_of(host) if host is not None else None
    into = inside(mirror, [around_it]) if around_it is not None else None

    def covers(change: Change) -> bool:
        added = change.dimension is Dimension.STRUCTURE and change.kind is Kind.ADDED
        if added and (change.path == "table" or (change.path == "paragraph" and not change.after)):
            return True
        return into is not None and into(change)

    yield Effect(f"a new table of {len(expected)} x {len(expected[0])}", check, covers)
    yield may_add_styles()


def _misplaced(after: After, tbl: Any, cell: Any | None, side: str, anchor: str) -> str | None:
    """Why the table is not where it should be, or touches another table; None if it is well."""
    if cell is not None:
        return None if tbl.getparent() is cell and cell[-1].tag == W_P else "the new table is not in the cell"
    for step in (-1, 1):
        beside = _neighbour(tbl, step)
        if (beside is not None and beside.tag == W_TBL) or (beside is None and step == 1):
            return "the new table needs a paragraph between it and what follows"
    if side in ("after", "before"):
        step = -1 if side == "after" else 1
        node = _neighbour(tbl, step)
        added = set(after.delta.touched().added)
        while node is not None and after.mirror.id_of(node) != anchor:
            if after.mirror.id_of(node) not in added and after.mirror.owner(anchor) == anchor:
                return f"the new table is not {side} {anchor}"
            node = _neighbour(node, step)
        return None if node is not None else f"the new table is not {side} {anchor}"
    near = (after.mirror.id_of(tbl) or "") in after.mirror.edge(side, 2)
    return None if near else f"the new table is not at the {side} of the document"
