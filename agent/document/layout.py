"""How wide the text can be at a place: the page's text area, a text column, a table cell. In twentieths of a point."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent.document.grid import Grid, cell_of, table_of
from agent.document.names import W_SECTPR, W

if TYPE_CHECKING:
    from agent.document.mirror import Mirror

A4_WIDTH, INCH = 11_906, 1_440
CELL_MARGIN = 108
"""Word's default left and right margin of a cell."""


def section_of(mirror: Mirror, element: Any | None) -> Any | None:
    """The `w:sectPr` that lays out the page on which an element of the body lies; the last one for None."""
    every, index = mirror.nodes(W_SECTPR), mirror.index
    last = every[-1] if every and every[-1].getparent() is mirror.body else None
    block = mirror.block_of(element) if element is not None else None
    if block is None or block not in index:
        return last
    here = index.position(block)
    ends = ((index.position(mirror.block_of(sectpr) or ""), sectpr) for sectpr in every)
    return next((sectpr for end, sectpr in ends if end >= here), last)


def text_width(mirror: Mirror, element: Any | None) -> int:
    """Width for text where an element is: inside its cell if it is in a table, else between the margins (of a column)."""
    tc = cell_of(element) if element is not None else None
    if tc is not None:
        return max(cell_width(mirror, tc) - _margins(tc), INCH // 8)
    return section_text_width(section_of(mirror, element))


def section_text_width(section: Any | None) -> int:
    """Width between the margins of a `w:sectPr`; of one column if it has equal ones."""
    size = section.find(W + "pgSz") if section is not None else None
    margins = section.find(W + "pgMar") if section is not None else None
    columns = section.find(W + "cols") if section is not None else None
    width = _int(size, "w", A4_WIDTH)
    for side in ("left", "right", "gutter"):
        width -= abs(_int(margins, side, 0 if side == "gutter" else INCH))
    count = _int(columns, "num", 1)
    if count > 1:
        width = (width - (count - 1) * _int(columns, "space", 720)) // count
    return max(width, INCH // 2)


def text_height(mirror: Mirror, element: Any | None) -> int:
    """Height between the top and bottom margins of the page on which an element lies."""
    section = section_of(mirror, element)
    size = section.find(W + "pgSz") if section is not None else None
    margins = section.find(W + "pgMar") if section is not None else None
    height = _int(size, "h", 16_838)
    return max(height - abs(_int(margins, "top", INCH)) - abs(_int(margins, "bottom", INCH)), INCH)


def cell_width(mirror: Mirror, tc: Any) -> int:
    """Width of a cell: its own, else that of its grid columns, else its share of the table."""
    own = tc.find(f"{W}tcPr/{W}tcW")
    if own is not None and own.get(W + "type", "dxa") == "dxa" and _int(own, "w", 0) > 0:
        return _int(own, "w", 0)
    tbl = table_of(tc)
    grid = Grid(tbl)
    place = grid.of(tc)
    columns = [_int(c, "w", 0) for c in tbl.iterfind(f"{W}tblGrid/{W}gridCol")]
    width = sum(columns[place.column : place.end])
    return width or text_width(mirror, tbl) * place.span // max(grid.columns, 1)


def _margins(tc: Any) -> int:
    own = tc.find(f"{W}tcPr/{W}tcMar")
    table = table_of(tc)
    table = table.find(f"{W}tblPr/{W}tblCellMar") if table is not None else None
    total = 0
    for names in (("left", "start"), ("right", "end")):
        found = next(
            (
                m
                for box in (own, table)
                if box is not None
                for n in names
                if (m := box.find(W + n)) is not None
            ),
            None,
        )
        total += _int(found, "w", CELL_MARGIN)
    return total


def _int(element: Any | None, name: str, default: int) -> int:
    value = element.get(W + name, "") if element is not None else ""
    try:
        return int(float(value)) if value else default
    except ValueError:
        return default


__all__ = ["cell_width", "section_of", "section_text_width", "text_height", "text_width"]
