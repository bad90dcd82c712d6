"""Background of cells. Word: Table Design > Shading; `w:shd` in `w:tcPr`; Office.js `TableCell.shadingColor` (WordApi 1.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from agent.document.changes import Change, Dimension
from agent.document.editor import Editor
from agent.document.grid import Grid, table_of
from agent.document.mirror import Mirror
from agent.document.names import W_VAL, W
from agent.document.records import Table, record_of
from agent.document.styles import chain
from agent.document.units import colour
from agent.errors import InvalidValue, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import After, Effect
from agent.operations.resolver import Resolver
from agent.operations.specimens import doc, merged_table, p, table
from agent.operations.table._effects import cell_name
from agent.operations.targets import CellsTarget, Params

_NONE = ("none", "no", "no colour", "no color", "no fill", "transparent", "clear", "auto", "automatic")


class SetCellShading(Params):
    target: CellsTarget
    """The cells: one, a row, a column, a whole table; every "header row" for the first row of each table."""
    color: str
    """Colour name or RRGGBB; "none" takes the colour away."""
    only: Literal["odd rows", "even rows"] | None = None
    """Of the target only every second row: the odd ones (1, 3, ...) or the even ones of the table."""


@operation(
    Intent.TABLE,
    phrasings=[
        "shade the header row light grey",
        "make the background of the first row dark blue",
        "colour the cell with the total yellow",
        "shade every other row light blue",
        "give all table headers a green background",
        "remove the shading from the table",
        "fill the column Status with orange",
        "highlight the last row of the table in yellow",
        "set the cell colour to #DDEBF7",
    ],
    examples=[
        Example(
            "Shade the header row light grey",
            doc(table([["Item", "Amount"], ["Rent", "900"]])),
            {"target": {"table": 1, "row": "header"}, "color": "light grey"},
            result="The table 'Item, Amount' has row 1 shaded light grey; nothing else changed.",
        ),
        Example(
            "Make the header rows of all tables blue",
            doc(table([["A", "B"], ["1", "2"]]), p("Then:"), table([["C", "D"], ["3", "4"]])),
            {"target": {"every": "header row"}, "color": "blue"},
            result="The table 'A, B' and the table 'C, D' have row 1 shaded blue; nothing else changed.",
        ),
        Example(
            "Shade the second row of the merged column yellow",
            doc(merged_table([["Old", "a"], ["", "b"]], (0, 0), (1, 0))),
            {"target": {"table": 1, "row": 2, "column": 1}, "color": "FFFF00"},
            result="The table 'Old, a' has column 1 shaded yellow; nothing else changed.",
        ),
        Example(
            "Shade the header row mauvish",
            doc(table([["Item", "Amount"], ["Rent", "900"]])),
            {"target": {"table": 1, "row": "header"}, "color": "mauvish"},
            raises=InvalidValue,
        ),
        Example(
            "Shade the column Price red",
            doc(table([["Item", "Amount"], ["Rent", "900"]])),
            {"target": {"table": 1, "column": "Price"}, "color": "red"},
            raises=TargetNotFound,
        ),
    ],
    touches=["headers", "footers", "notes"],
)
def set_cell_shading(editor: Editor, params: SetCellShading) -> None:
    """Set or remove the background colour of table cells."""
    fill = _fill(params.color)
    for tc in _cells(editor.mirror, params):
        properties = editor.properties(tc)
        old = properties.find(W + "shd")
        wanted = fill or ("auto" if _style_shades(editor.mirror, table_of(tc)) else "")
        if not wanted:
            if old is not None:
                properties.remove(old)
        elif old is None or dict(old.items()) != _shd(wanted):
            if old is not None:  # pattern and theme colours would go on showing
                properties.remove(old)
            new = editor.set_property(properties, "shd", {})
            for name, value in _shd(wanted).items():
                new.set(name, value)
        if not len(properties):
            tc.remove(properties)


def _fill(color: str) -> str:
    """RRGGBB, or empty for no colour."""
    return "" if " ".join(color.lower().split()) in _NONE else colour(color)


def _shd(fill: str) -> dict[str, str]:
    return {W_VAL: "clear", W + "color": "auto", W + "fill": fill}


def _cells(mirror: Mirror, params: SetCellShading) -> list[Any]:
    """The cells to colour; those of a vertical merge all or none, so that they are one patch."""
    found: dict[Any, None] = {}
    grids: dict[Any, Grid] = {}
    for tc in Resolver(mirror).cells(params.target):
        tbl = table_of(tc)
        if tbl not in grids:
            grids[tbl] = Grid(tbl)
        grid = grids[tbl]
        place = grid.of(tc)
        if params.only is not None and (place.row % 2 == 0) is not (params.only == "odd rows"):
            continue
        found.update(dict.fromkeys(c.tc for c in grid.chain(place)))
    if not found:
        raise TargetNotFound(f"There are no {params.only} in {params.target}.")
    return list(found)


def _style_shades(mirror: Mirror, tbl: Any) -> bool:
    """Whether the table's style colours cells, so that to have no colour must be said in the cell."""
    style = tbl.find(f"{W}tblPr/{W}tblStyle")
    steps = chain(mirror, style.get(W_VAL, "")) if style is not None else []
    return any(next(s.iter(W + "shd"), None) is not None for s in steps)


@set_cell_shading.effects
def _(mirror: Mirror, params: SetCellShading) -> Iterable[Effect]:
    fill = _fill(params.color)
    wanted: dict[str, set[str]] = {}
    grids: dict[str, Grid] = {}
    for tc in _cells(mirror, params):
        table_id = mirror.id_of(table_of(tc)) or ""
        if table_id not in grids:
            grids[table_id] = Grid(table_of(tc))
        wanted.setdefault(table_id, set()).add(cell_name(grids[table_id], tc))

    def check(after: After) -> str | None:
        for table_id, cells in wanted.items():
            record = record_of(after.mirror, table_id) if after.mirror.has(table_id) else None
            if not isinstance(record, Table):
                return f"table {table_id} is gone"
            for r, row in enumerate(record.rows, 1):
                for c, cell in enumerate(row.cells, 1):
                    found = dict(cell.properties).get("shd.fill", "")
                    right = found == fill if fill else found in ("", "auto")
                    if f"cell {r},{c}" in cells and not right:
                        return f"cell {r},{c} is shaded {found or 'not at all'} and not {fill or 'unshaded'}"
        return None

    def covers(change: Change) -> bool:
        cell, _, rest = change.path.rpartition(" ")
        return (
            change.dimension is Dimension.TABLES
            and rest.startswith("shd")
            and cell in wanted.get(change.target, ())
        )

    yield Effect(f"the cells are shaded {fill or 'no more'}", check, covers)
