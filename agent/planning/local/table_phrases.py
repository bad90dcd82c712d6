"""Noun phrases inside tables: rows, columns and cells, by number, by name, and as "the price of the desks"."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from agent.operations.targets import Target
from agent.planning.local.lookup import Grid
from agent.planning.local.words import NUMBER, ORDINAL, number, ordinal

if TYPE_CHECKING:
    from agent.planning.local.phrases import Phrase, Phrases

_I = re.IGNORECASE
_ROW = re.compile(r"(?:table\s+)?(?:rows?|lines?|entry|entries)\b", _I)
_COLUMN = re.compile(r"(?:table\s+)?columns?\b", _I)
_HEADER = re.compile(
    r"(?:table\s+)?(?:header|heading|title|top header)(?:\s+rows?|\s+line)\b|column\s+headers?\b", _I
)
_SEVERAL = re.compile(
    rf"(?:the\s+)?(?:(?P<a>{ORDINAL})(?:\s*,\s*(?P<b>{ORDINAL}))?\s+and\s+(?:the\s+)?(?P<c>{ORDINAL})\s+rows?"
    rf"|rows\s+(?P<d>{NUMBER})(?:\s*,\s*(?P<e>{NUMBER}))?\s*(?P<joint>and|to|-"
    rf"|\u2013)\s*(?P<f>{NUMBER}))\b(?!\s+of\s+(?:the\s+)?\w+\s+column)",
    _I,
)
_HEADER_CELL = re.compile(r"(?:column\s+)?(?:header|title)\s+(?:called\s+|named\s+)?", _I)
_NUMBER = re.compile(rf"\s+(?:number\s+|no\.?\s*)?(?P<n>{NUMBER})\b(?!\s+(?:rows?|columns?|cells?))", _I)
_NAMED = re.compile(
    r"\s+(?:(?:called|named|labelled|headed|titled|for|with|of|about|that says|reading)\s+)?(?:the\s+)?", _I
)
_OF = re.compile(r"\s+(?:of|in|from)\s+", _I)
_A1 = re.compile(r"(?:the\s+)?cell\s+(?P<letter>[A-Z])(?P<digits>\d{1,3})\b", _I)
_ROW_COLUMN = re.compile(
    rf"(?:the\s+)?(?:cell\s+(?:in|at|of)\s+)?(?:the\s+)?(?P<a>row|column)\s+(?P<n>{NUMBER})\s*(?:,|and|/|in|of)?\s*(?:the\s+)?"
    rf"(?P<b>row|column)\s+(?P<m>{NUMBER})\b",
    _I,
)
_CELL = re.compile(
    rf"(?:the\s+)?(?:(?P<o>{ORDINAL})\s+)?(?:(?P<count>{NUMBER})\s+)?(?P<what>cells?|columns?|entry|value)\s+(?:of|in|from)\s+",
    _I,
)
_VALUE = r"(?:\s+(?:figures?|values?|amounts?|numbers?|cells?|entry|entries))?"


class TablePhrases:
    """Finds rows, columns and cells for `Phrases`."""

    def __init__(self, phrases: Phrases) -> None:
        self._p = phrases

    def at(self, start: int) -> Phrase | None:
        """The longest phrase of a table's part that starts here."""
        if not self._p.lookup.grids:
            return None
        owned = self._possessive(start)
        if owned is not None:
            return owned
        found = [
            p
            for p in (
                self._a1(start),
                self._row_and_column(start),
                self._cell_in(start),
                self._crossing(start),
                self._row(start),
                self._header_cell(start),
                self._column(start),
            )
            if p is not None
        ]
        return max(found, key=lambda p: p.end) if found else None

    # -- which table ---------------------------------------------------------------------------------------------------

    def table(self, end: int) -> tuple[list[Grid], int, bool]:
        """The tables meant by "of the second table" from here on, where that ends, and whether it was said. Without it: the table
        that was spoken of, else all of them.
        """
        lookup = self._p.lookup
        match = _OF.match(self._p.masked, end)
        if match is not None:
            inner = self._p.at(match.end())
            if inner is not None and inner.named in ("table", "it", "topic", "section"):
                inside = lookup.within(inner.target)
                grids = [
                    g
                    for g in lookup.grids
                    if inside is not None
                    and (g.id in inside or any(p in inside for r in g.rows for c in r for p in c.paragraphs))
                ]
                if grids or inner.named == "table":
                    return grids, inner.end, True
            if inner is None and match.group(0).strip().lower() == "of":
                return [], end, True  # it narrows what is meant in a way that is not understood
        said = self._elsewhere()
        if said is not None:
            return said, end, False
        previous = self._p.previous
        if previous is not None:
            inside = (
                lookup.within(
                    previous.model_copy(update={"row": None, "column": None})
                    if previous.table or (previous.ids or [""])[0].startswith("t")
                    else previous
                )
                or set()
            )
            grids = [
                g
                for g in lookup.grids
                if g.id in inside or any(p in inside for r in g.rows for c in r for p in c.paragraphs)
            ]
            if len(grids) == 1:
                return grids, end, False
        return list(lookup.grids), end, False

    def _all_tables(self, end: int) -> bool:
        match = _OF.match(self._p.masked, end)
        inner = self._p.at(match.end()) if match is not None else None
        return inner is not None and inner.many

    def _elsewhere(self) -> list[Grid] | None:
        """The one table that the clause names elsewhere: "in the price table, ...", "... in the table with the prices"."""
        lookup = self._p.lookup
        for match in re.finditer(
            r"\b(?:in|of|to|from|into)\s+(?=(?:the|this|that|table)\b)", self._p.masked, _I
        ):
            phrase = self._p._head(match.end())  # pyright: ignore[reportPrivateUsage]
            if phrase is not None and phrase.named == "table" and not phrase.options:
                inside = lookup.within(phrase.target) or set()
                return [g for g in lookup.grids if g.id in inside]
        return None

    def _made(
        self, start: int, end: int, named: str, targets: list[tuple[Grid, Target]], many: bool = False
    ) -> Phrase | None:
        from agent.planning.local.phrases import Phrase

        if not targets:
            return None
        options = tuple(g.id for g, _ in targets) if len(targets) > 1 else ()
        return Phrase(start, end, targets[0][1], named, many, options)

    # -- parts ---------------------------------------------------------------------------------------------------------

    def _possessive(self, start: int) -> Phrase | None:
        """As in "the first table's header row"."""
        match = re.compile(rf"(?:the\s+)?(?:{ORDINAL}\s+)?table(?:\s+\d+)?(?P<s>'s\s+)", _I).match(
            self._p.masked, start
        )
        if match is None:
            every = re.compile(r"(?:both|all)(?:\s+the)?\s+tables'\s+(?=header)", _I).match(
                self._p.masked, start
            )
            found = self._row(every.end()) if every is not None else None
            return replace(found, start=start) if found is not None else None
        from agent.planning.local.phrases import Phrases

        inner = Phrases(self._p.lookup, self._p.text, self._p.masked[: match.start("s")], {}, None, False).at(
            start
        )
        if inner is None:
            return None
        outer = Phrases(self._p.lookup, self._p.text, self._p.masked, self._p.quotes, inner.target, False).at(
            match.end()
        )
        if outer is None or outer.named not in ("row", "column", "cell", "header row"):
            return None
        return replace(outer, start=start)

    def _header_cell(self, start: int) -> Phrase | None:
        """As in "the header Amount": the first cell of that column."""
        lead = self._p.lead(start)
        head = _HEADER_CELL.match(self._p.masked, lead.end)
        if head is None:
            return None
        found: list[tuple[Grid, Target, int]] = []
        for grid in self._p.lookup.grids:
            said = self._p.name_at(head.end(), grid.column_names)
            if said is not None:
                column = grid.column_names[said[0]]
                found.append((grid, Target(ids=[grid.id], row="header", column=column), said[1]))
        end = max((e for *_, e in found), default=0)
        return self._made(start, end, "cell", [(g, t) for g, t, e in found if e == end])

    def _a1(self, start: int) -> Phrase | None:
        match = _A1.match(self._p.masked, start)
        if match is None:
            return None
        grids, end, _ = self.table(match.end())
        row, column = int(match.group("digits")), ord(match.group("letter").upper()) - 64
        return self._made(
            start, end, "cell", [(g, Target(ids=[g.id], row=row, column=column)) for g in grids]
        )

    def _row_and_column(self, start: int) -> Phrase | None:
        match = _ROW_COLUMN.match(self._p.masked, start)
        if match is None or match.group("a").lower() == match.group("b").lower():
            return None
        numbers = {
            match.group("a").lower(): number(match.group("n")),
            match.group("b").lower(): number(match.group("m")),
        }
        grids, end, _ = self.table(match.end())
        return self._made(
            start,
            end,
            "cell",
            [(g, Target(ids=[g.id], row=numbers["row"], column=numbers["column"])) for g in grids],
        )

    def _cell_in(self, start: int) -> Phrase | None:
        """As in "the third column of the last row", "the last cell of the table", "the first two cells of row 2"."""
        match = _CELL.match(self._p.masked, start)
        if match is None or match.group("o") is None:
            return None
        n, count = ordinal(match.group("o")) or 1, number(match.group("count") or "") or 1
        row = self._row(match.end())
        if row is not None and not row.options and isinstance(row.target.row, (int, str)) and row.target.ids:
            grid = self._p.lookup.grid(row.target.ids[0])
            if grid is None:
                return None
            if count == 1:
                return self._made(
                    start, row.end, "cell", [(grid, row.target.model_copy(update={"column": n}))]
                )
            at = 1 if row.target.row == "header" else int(row.target.row)
            cells = grid.rows[at - 1 if at > 0 else at]
            chosen = cells[:count] if n > 0 else cells[-count:]
            return self._made(
                start, row.end, "cell", [(grid, Target(ids=[p for c in chosen for p in c.paragraphs]))], True
            )
        if match.group("what").lower().startswith("cell") and n == -1:
            grids, end, said = self.table(
                match.end() - len(self._p.masked[match.start() : match.end()]) + self._of_at(match)
            )
            if said:
                return self._made(
                    start, end, "cell", [(g, Target(ids=[g.id], row=-1, column=-1)) for g in grids]
                )
        return None

    @staticmethod
    def _of_at(match: re.Match[str]) -> int:
        return match.start("what") + len(match.group("what")) - match.start()

    def _crossing(self, start: int) -> Phrase | None:
        """A column's name and a row's: "the price of the desks", "the Q3 figure for West", "West's change"."""
        lead = re.compile(r"(?:the\s+)?").match(self._p.masked, start)
        assert lead is not None
        found: list[tuple[Grid, Target, int]] = []
        joint = re.compile(rf"{_VALUE}\s+(?:of|for|in|on)\s+(?:the\s+)?(?:row\s+)?", _I)
        for grid in self._p.lookup.grids:
            said = self._p.name_at(lead.end(), grid.column_names)
            between = joint.match(self._p.masked, said[1]) if said is not None else None
            row = self._label(grid, between.end()) if between is not None else None
            if said is not None and row is not None:
                target = Target(ids=[grid.id], row=row[0], column=grid.column_names[said[0]])
                found.append((grid, target, row[1]))
        if not found:
            return None
        end = max(e for *_, e in found)
        grids, to, _ = self.table(end)
        return self._made(start, to, "cell", [(g, t) for g, t, e in found if e == end and g in grids])

    def _label(self, grid: Grid, at: int) -> tuple[int, int] | None:
        """The row that is named here, and where the name ends; a column's name or "row" behind it is taken along."""
        said = self._p.name_at(at, grid.row_names)
        if said is None:
            return None
        heads = "|".join(re.escape(n) for n in grid.column_names)
        tail = re.compile(rf"\s+(?:row|line|{heads or 'row'})\b", _I).match(self._p.masked, said[1])
        return grid.row_names[said[0]], tail.end() if tail is not None else said[1]

    def _row(self, start: int) -> Phrase | None:
        """As in "the header row", "the second row", "row 3", "the row Rent", "the East row", "the last two rows of the table"."""
        lead = self._p.lead(start)
        if lead.new:
            return None
        masked = self._p.masked
        several = _SEVERAL.match(masked, start)
        if several is not None:
            return self._several(start, several)
        if lead.every and lead.ordinal is not None:
            return None  # "every second row"
        header = _HEADER.match(masked, lead.end)
        if header is not None and lead.ordinal is None and not lead.every:
            grids, end, said = self.table(header.end())
            if (said and self._all_tables(header.end())) or header.group(0).lower().endswith("rows"):
                return self._made(start, end, "row", [(grids[0], Target(every="header row"))], True)
            return self._made(start, end, "row", [(g, Target(ids=[g.id], row="header")) for g in grids])
        head = _ROW.match(masked, lead.end)
        if head is not None and lead.ordinal is not None:
            grids, end, _ = self.table(head.end())
            if lead.count is not None and lead.count > 1:
                wanted = (
                    range(lead.ordinal, lead.ordinal + lead.count)
                    if lead.ordinal > 0
                    else range(-lead.count, 0)
                )
                many = [
                    (g, Target(ids=[p for r in wanted for p in g.paragraphs(r)]))
                    for g in grids
                    if len(g.rows) >= lead.count
                ]
                return self._made(start, end, "row", many, True)
            if head.group(0).lower().startswith(("line", "entr")) and end == head.end():
                return None
            return self._made(start, end, "row", [(g, Target(ids=[g.id], row=lead.ordinal)) for g in grids])
        if head is not None:
            numbered = _NUMBER.match(masked, head.end()) if head.group(0).lower().startswith("row") else None
            if numbered is not None:
                grids, end, _ = self.table(numbered.end())
                return self._made(
                    start,
                    end,
                    "row",
                    [(g, Target(ids=[g.id], row=number(numbered.group("n")))) for g in grids],
                )
            gap = _NAMED.match(masked, head.end())
            return self._row_named(start, gap.end(), False) if gap is not None else None
        return self._row_named(start, lead.end, True)

    def _several(self, start: int, match: re.Match[str]) -> Phrase | None:
        """As in "the second and third row", "rows 2 to 4"."""
        if match.group("a"):
            wanted = [ordinal(match.group(g)) or 0 for g in "abc" if match.group(g)]
        else:
            wanted = [number(match.group(g)) or 0 for g in "def" if match.group(g)]
            if match.group("joint") not in ("and", "AND"):
                wanted = list(range(wanted[0], wanted[-1] + 1))
        grids, end, _ = self.table(match.end())
        chosen = [
            (g, Target(ids=[p for r in wanted for p in g.paragraphs(r)]))
            for g in grids
            if all(0 < abs(r) <= len(g.rows) for r in wanted)
        ]
        return self._made(start, end, "row", chosen, True)

    def _row_named(self, start: int, at: int, before: bool) -> Phrase | None:
        """A row by what is in it; with `before`, the word row stands behind the name."""
        found: list[tuple[Grid, Target, int]] = []
        for grid in self._p.lookup.grids:
            row = self._label(grid, at)
            if row is None:
                continue
            behind = re.compile(r"\s+(?:row|line)s?\b", _I).match(self._p.masked, row[1])
            said = re.search(r"\b(?:row|line)\W*$", self._p.masked[at : row[1]], _I)
            if before and behind is None and said is None:
                continue
            found.append(
                (grid, Target(ids=[grid.id], row=row[0]), behind.end() if behind is not None else row[1])
            )
        if not found:
            return None
        end = max(e for *_, e in found)
        grids, to, _ = self.table(end)
        return self._made(start, to, "row", [(g, t) for g, t, e in found if e == end and g in grids])

    def _column(self, start: int) -> Phrase | None:
        """As in "the second column", "column 2", "the price column", "column Amount of the first table"."""
        lead = self._p.lead(start)
        if lead.new:
            return None
        masked = self._p.masked
        head = _COLUMN.match(masked, lead.end)
        if head is not None and lead.ordinal is not None:
            grids, end, _ = self.table(head.end())
            return self._made(
                start, end, "column", [(g, Target(ids=[g.id], column=lead.ordinal)) for g in grids]
            )
        at = lead.end
        if head is not None:
            numbered = re.compile(r"\s+(?:number\s+)?(?P<n>\d+)\b").match(masked, head.end())
            if numbered is not None:
                grids, end, _ = self.table(numbered.end())
                return self._made(
                    start,
                    end,
                    "column",
                    [(g, Target(ids=[g.id], column=int(numbered.group("n")))) for g in grids],
                )
            gap = _NAMED.match(masked, head.end())
            if gap is None:
                return None
            at = gap.end()
        found: list[tuple[Grid, Target, int]] = []
        for grid in self._p.lookup.grids:
            said = self._p.name_at(at, grid.column_names)
            if said is None:
                continue
            behind = re.compile(r"\s+columns?\b", _I).match(masked, said[1])
            if head is None and behind is None:
                continue
            target = Target(ids=[grid.id], column=grid.column_names[said[0]])
            found.append((grid, target, behind.end() if behind is not None else said[1]))
        if not found:
            return None
        end = max(e for *_, e in found)
        grids, to, _ = self.table(end)
        return self._made(start, to, "column", [(g, t) for g, t, e in found if e == end and g in grids])
