"""Equal changes of many cells of a table as one change of a row, a column or all cells, for explanations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.document.changes import Change

_CELL = re.compile(r"cell (\d+),(\d+) (.+)")
Place = tuple[int, int]


def together(changes: Sequence[Change]) -> list[Change]:
    """The changes, with those of one property to one value in several cells of a table put together at the place of the first."""
    groups: dict[tuple[str, str, str], dict[Place, Change]] = {}
    for change in changes:
        match = _CELL.fullmatch(change.path)
        if match and not change.path.endswith(" merge"):
            key = (change.target, match[3], change.after)
            groups.setdefault(key, {})[int(match[1]), int(match[2])] = change
    instead: dict[int, Change | None] = {}
    for (_, rest, _), cells in groups.items():
        if len(cells) > 1:
            first, *others = cells.values()
            instead |= {id(c): None for c in others}
            instead[id(first)] = replace(first, path=f"{_name(cells)} {rest}")
    return [c for change in changes if (c := instead.get(id(change), change)) is not None]


def _name(cells: dict[Place, Change]) -> str:
    rows = sorted({r for r, _ in cells})
    whole = [r for r in rows if sum(row == r for row, _ in cells) == _size(cells, r)[0]]
    height = next(iter(cells.values())).among[1]
    if whole == rows:
        return "all cells" if len(rows) == height else _numbers("row", rows)
    columns = sorted({c for _, c in cells})
    if len(rows) == height and len(cells) == len(rows) * len(columns):
        return _numbers("column", columns)
    if len(cells) <= 3:
        return _numbers("cell", [f"{r},{c}" for r, c in cells])
    return f"{len(cells)} cells"


def _size(cells: dict[Place, Change], row: int) -> tuple[int, int]:
    return next(change.among for (r, _), change in cells.items() if r == row)


def _numbers(noun: str, items: Sequence[object]) -> str:
    if len(items) == 1:
        return f"{noun} {items[0]}"
    if len(items) > 2 and all(isinstance(i, int) for i in items):
        numbers = [i for i in items if isinstance(i, int)]
        if numbers[-1] - numbers[0] == len(numbers) - 1:
            return f"{noun}s {numbers[0]} to {numbers[-1]}"
    return f"{noun}s {', '.join(map(str, items[:-1]))} and {items[-1]}"
