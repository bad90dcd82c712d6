"""Table style. Word: Table Design; `w:tblStyle` and `w:tblLook` in `w:tblPr`; Office.js `Table.style` (WordApi 1.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agent.document.changes import Change, Dimension
from agent.document.editor import Editor
from agent.document.mirror import Mirror
from agent.document.names import W_VAL, W
from agent.document.records import LOOK_BITS, Table, record_of
from agent.document.styles import find_style, gallery_name, style_name
from agent.errors import InvalidValue, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, Result, operation
from agent.operations.expectations import After, Effect, may_add_styles
from agent.operations.specimens import doc, p, table
from agent.operations.targets import Params, TablesTarget


class SetTableStyle(Params):
    target: TablesTarget
    """The tables."""
    style: str | None = None
    """Name of a table style, such as "Table Grid" or "Light List Accent 1"; left out, the style stays."""
    header_row: bool | None = None
    """Whether the first row looks different."""
    total_row: bool | None = None
    """Whether the last row looks different."""
    first_column: bool | None = None
    """Whether the first column looks different."""
    last_column: bool | None = None
    """Whether the last column looks different."""
    banded_rows: bool | None = None
    """Whether every second row is shaded."""
    banded_columns: bool | None = None
    """Whether every second column is shaded."""


@operation(
    Intent.TABLE,
    phrasings=[
        "apply the table style Light List Accent 1",
        "make all tables use Table Grid",
        "give the first table a nicer style with banded rows",
        "change the design of the table to Medium Shading 1",
        "turn on the total row of the table",
        "turn off the banded rows",
        "use the same style for every table",
        "format the second table as Light Grid Accent 3",
        "put a plain grid on the table",
    ],
    touches=["styles", "headers", "footers", "notes"],
    examples=[
        Example(
            "Give the table the style Light List Accent 1",
            doc(p("Costs:"), table([["Item", "Amount"], ["Rent", "900"]])),
            {"target": {"table": 1}, "style": "Light List Accent 1"},
            result="The table 'Item, Amount' now has the table style Light List Accent 1; nothing else changed.",
        ),
        Example(
            "Set all tables in Table Grid with a total row and without banded rows",
            doc(table([["A"], ["1"]], style="Light List"), table([["B"], ["2"]], style="Light Grid")),
            {"target": {"every": "table"}, "style": "Table Grid", "total_row": True, "banded_rows": False},
            result="The table 'A' and the table 'B' now have the table style Table Grid, now have special formatting for the "
            "total row and no longer have banded rows; nothing else changed.",
        ),
        Example(
            "Use the style Fancy for the table",
            doc(table([["Item", "Amount"], ["Rent", "900"]])),
            {"target": {"table": 1}, "style": "Fancy Blue Waves"},
            raises=TargetNotFound,
        ),
        Example(
            "Style the table",
            doc(table([["Item", "Amount"], ["Rent", "900"]])),
            {"target": {"table": 1}},
            raises=InvalidValue,
        ),
    ],
)
def set_table_style(editor: Editor, params: SetTableStyle) -> Result:
    """Give tables a style, and say which of its parts show: header row, total row, first and last column, bands."""
    flags = _flags(params)
    style = editor.ensure_style(gallery_name(params.style), "table") if params.style is not None else None
    direct = 0
    for block in params.target.ids or ():
        tbl = editor.element(block)
        properties = editor.properties(tbl)
        if style is not None:
            editor.set_property(properties, "tblStyle", {"val": style})
            direct += _has_own_look(tbl)
        if flags:
            _set_look(editor, properties, flags)
    if direct:
        tables = "One of the tables has" if direct == 1 else f"{direct} of the tables have"
        return Result((f"{tables} borders or shading of its own, which the style does not change.",))
    return Result()


def _flags(params: SetTableStyle) -> dict[str, bool]:
    """Attributes of `w:tblLook` to set; the two of bands say what does not show."""
    given = {
        "firstRow": params.header_row,
        "lastRow": params.total_row,
        "firstColumn": params.first_column,
        "lastColumn": params.last_column,
        "noHBand": None if params.banded_rows is None else not params.banded_rows,
        "noVBand": None if params.banded_columns is None else not params.banded_columns,
    }
    found = {name: value for name, value in given.items() if value is not None}
    if not found and params.style is None:
        raise InvalidValue(
            "Give a table style, or which of its parts are to show (header_row, total_row, banded_rows, ...)."
        )
    return found


def _set_look(editor: Editor, properties: Any, flags: dict[str, bool]) -> None:
    look = editor.set_property(properties, "tblLook", {})
    value = look.get(W_VAL, "0000")
    bits = int(value, 16) if all(c in "0123456789abcdefABCDEF" for c in value) and value else 0
    for name, bit in LOOK_BITS.items():
        written = look.get(W + name)
        on = flags.get(name, written in ("1", "true", "on") if written is not None else bool(bits & bit))
        bits = bits | bit if on else bits & ~bit
        if written != ("1" if on else "0"):
            look.set(W + name, "1" if on else "0")
    if value != f"{bits:04X}":
        look.set(W_VAL, f"{bits:04X}")


def _has_own_look(tbl: Any) -> bool:
    paths = (f"{W}tblPr/{W}tblBorders", f"{W}tr/{W}tc/{W}tcPr/{W}shd", f"{W}tr/{W}tc/{W}tcPr/{W}tcBorders")
    return any(tbl.find(path) is not None for path in paths)


@set_table_style.effects
def _(mirror: Mirror, params: SetTableStyle) -> Iterable[Effect]:
    flags = {f"tblLook.{name}": "1" if on else "0" for name, on in _flags(params).items()}
    tables = list(params.target.ids or ())
    style = gallery_name(params.style) if params.style is not None else None

    def check(after: After) -> str | None:
        for block in tables:
            record = record_of(after.mirror, block) if after.mirror.has(block) else None
            if not isinstance(record, Table):
                return f"table {block} is gone"
            if style is not None and record.style != find_style(after.mirror, style, "table"):
                found = style_name(after.mirror, record.style) if record.style else "none"
                return f"table {block} has the style '{found}' and not '{style}'"
            look = dict(record.properties)
            for name, value in flags.items():
                if look.get(name, "0") != value:
                    return f"table {block} has {name} {look.get(name, 'not set')} and not {value}"
        return None

    def covers(change: Change) -> bool:
        if change.target not in tables or change.dimension is not Dimension.TABLES:
            return False
        return change.path == "table style" or (bool(flags) and change.path.startswith("tblLook"))

    yield Effect(f"the tables have the style {params.style or 'that they had'}", check, covers)
    yield may_add_styles()
