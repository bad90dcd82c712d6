"""Change analysis: what a delta did, in the paper's six dimensions (section 3.3).

Compares the records of the touched blocks before and after; costs what was touched, whatever the document's size.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from agent.document.delta import AddPart, Delta
from agent.document.records import (
    Cell,
    Control,
    Other,
    Paragraph,
    Picture,
    Properties,
    Record,
    Row,
    Section,
    Span,
    Style,
    Table,
    changed_rows,
    record_of,
)
from agent.document.words import kept_words

if TYPE_CHECKING:
    from agent.document.mirror import Mirror


class Dimension(StrEnum):
    """The six dimensions, and one for what is outside them (metadata, settings)."""

    STRUCTURE = "structure"
    CONTENT = "content"
    FORMATTING = "formatting"
    STYLE = "style"
    TABLES = "tables"
    HYPERLINKS = "hyperlinks"
    OTHER = "other"


class Kind(StrEnum):
    """What became of the thing that the change is about."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"


@dataclass(frozen=True)
class Change:
    """One line of change analysis."""

    dimension: Dimension
    kind: Kind
    target: str
    """Id of the block, or of the paragraph or table inside one."""
    path: str
    """What of it: "text", "bold", "alignment", "style", "cell 2,1", "pgMar.left", ..."""
    before: str
    after: str
    subject: str
    """The target in words: "Paragraph 'Revenue grew...'"."""
    part: str = ""
    """The characters it is about, if they are fewer than the target's."""
    place: str = ""
    """Of what was moved: where it stands now, in words."""
    among: tuple[int, int] = (0, 0)
    """For a change of a table cell: how many cells its row has, and how many rows the table has."""

    def explain(self) -> str:
        """The change as a sentence for people."""
        from agent.document.explain import sentence

        return sentence(self)


def analyse(mirror: Mirror, delta: Delta, before: Mapping[str, Record]) -> tuple[Change, ...]:
    """The changes that a delta made. `before` holds the records of the blocks that it changed or removed, as they
    were; the mirror has the document as it is now.

    A delta of several (an undo) may change a block whose part it then drops: what is not there any more is not told.
    """
    from agent.document.naming import content_of, named

    touched = delta.touched()
    found = [_whole(before[block], Kind.REMOVED) for block in touched.removed if block in before]
    for block in filter(mirror.has, touched.added):
        record = record_of(mirror, block)
        found.append(_whole(record, Kind.ADDED))
        if isinstance(record, Paragraph) and record.section is not None:
            found.append(_section_break(record, Kind.ADDED))
    for block in filter(mirror.has, touched.moved):
        after = record_of(mirror, block)
        found.append(_whole(after, Kind.MOVED))
        if block in before:
            found += compare(before[block], after)
    for block in filter(mirror.has, touched.changed):
        if block in before:
            found += compare(before[block], record_of(mirror, block))
    for edit in delta.edits:
        if isinstance(edit, AddPart) and mirror.part(edit.name) is not None:
            found += content_of(mirror, edit)
    return named(mirror, found)


def compare(before: Record, after: Record) -> Iterator[Change]:
    """What differs between two records of one block."""
    match before, after:
        case Paragraph(), Paragraph():
            yield from _paragraphs(before, after)
        case Table(), Table():
            yield from _tables(before, after)
        case Control(), Control():
            yield from _properties(Dimension.OTHER, before, after, before.properties, after.properties)
            yield from _block_lists(before.blocks, after.blocks)
        case Section(), Section():
            yield from _properties(Dimension.STRUCTURE, before, after, before.layout, after.layout)
        case Style(), Style():
            yield from _properties(Dimension.STYLE, before, after, before.properties, after.properties)
            if before.name != after.name:
                yield _changed(Dimension.STYLE, after, "name", before.name, after.name)
        case Other(), Other() if before.digest != after.digest:
            yield _changed(_other_dimension(after), after, after.tag, before.text, after.text)
        case _:
            if type(before) is not type(after):
                yield _whole(before, Kind.REMOVED)
                yield _whole(after, Kind.ADDED)


def subject_of(record: Record) -> str:
    """A block in words."""
    match record:
        case Paragraph(text=text, style=style):
            noun = "Heading" if style.lower().startswith("heading") else "Paragraph"
            listed = dict(record.properties).get("list.numId")
            if noun == "Paragraph" and (
                listed not in (None, "0") or style.lower().startswith(("listbullet", "listnumber"))
            ):
                noun = "List item"
            where = next((f" in the {s}" for s in ("header", "footer") if record.id.startswith(s)), "")
            if not text.strip():
                if "\f" in text:
                    return "A page break" + where
                name = "An empty paragraph" if not record.pictures else f"The {record.pictures[0].kind}"
                return name + where
            return f"{noun} '{shorten(text)}'{where}"
        case Table():
            first = record.rows[0].cells if record.rows else ()
            header = ", ".join(c.text.strip() for c in first[:3] if c.text.strip())
            return f"The table '{shorten(header)}'" if header else "The table"
        case Control():
            return f"The content control '{shorten(record.text)}'"
        case Section():
            return "The page layout"
        case Style():
            return f"The style '{record.name}'"
        case Other():
            return _OTHER_NOUNS.get(record.tag, f"The document's {record.tag}")


def shorten(text: str, width: int = 40) -> str:
    """One line of a text, cut at a word."""
    flat = " ".join(text.split())
    if len(flat) <= width:
        return flat
    return flat[:width].rsplit(" ", 1)[0].rstrip(" ,.;:") + "..."


_OTHER_NOUNS = {
    "comment": "A comment",
    "num": "A list",
    "abstractNum": "A list definition",
    "footnote": "A footnote",
    "endnote": "An endnote",
    "latentStyles": "The list of built-in styles",
    "bookmarkStart": "A bookmark",
    "bookmarkEnd": "A bookmark",
}


def _other_dimension(record: Other) -> Dimension:
    return {
        "comment": Dimension.CONTENT,
        "footnote": Dimension.CONTENT,
        "endnote": Dimension.CONTENT,
        "num": Dimension.STYLE,
        "abstractNum": Dimension.STYLE,
        "docDefaults": Dimension.STYLE,
        "latentStyles": Dimension.STYLE,
    }.get(record.tag, Dimension.OTHER)


def _whole(record: Record, kind: Kind) -> Change:
    match record:
        case Paragraph(text=text):
            dimension, path = Dimension.STRUCTURE, "paragraph"
        case Table(text=text):
            dimension, path = Dimension.STRUCTURE, "table"
        case Control(text=text):
            dimension, path = Dimension.STRUCTURE, "content control"
        case Section():
            dimension, path, text = Dimension.STRUCTURE, "section", ""
        case Style(name=text):
            dimension, path = Dimension.STYLE, "style"
        case Other(text=text, tag=path):
            dimension = _other_dimension(record)
    before, after = ("", text) if kind is Kind.ADDED else (text, "" if kind is Kind.REMOVED else text)
    subject = subject_of(record)
    if isinstance(record, Paragraph) and record.pictures and not text.strip() and record.pictures[0].alt:
        subject += f" '{shorten(record.pictures[0].alt)}'"
    return Change(dimension, kind, record.id, path, before, after, subject)


def _changed(
    dimension: Dimension, record: Record, path: str, before: str, after: str, part: str = ""
) -> Change:
    kind = Kind.CHANGED if before and after else Kind.ADDED if after else Kind.REMOVED
    return Change(dimension, kind, record.id, path, before, after, subject_of(record), part)


def _section_break(record: Record, kind: Kind) -> Change:
    return Change(Dimension.STRUCTURE, kind, record.id, "section break", "", "", subject_of(record))


def _properties(
    dimension: Dimension, old: Record, new: Record, before: Properties, after: Properties, prefix: str = ""
) -> Iterator[Change]:
    if before == after:
        return
    was, now = _with_rule(before), _with_rule(after)
    for path in sorted({*was, *now}):
        if was.get(path) != now.get(path):
            yield _changed(dimension, new, prefix + path, was.get(path, ""), now.get(path, ""))


def _with_rule(properties: Properties) -> dict[str, str]:
    """A distance of lines means nothing without its rule: "360 exact"."""
    found = dict(properties)
    rule = found.get("spacing.lineRule", "auto")
    if rule != "auto" and "spacing.line" in found:
        found["spacing.line"] += f" {rule}"
    return found


# -- paragraphs --------------------------------------------------------------------------------------------------------


def _paragraphs(before: Paragraph, after: Paragraph) -> Iterator[Change]:
    if before == after:
        return
    if before.style != after.style:
        yield _changed(Dimension.STYLE, after, "style", before.style or "Normal", after.style or "Normal")
    if before.text != after.text:
        known = before if before.text.strip() else after
        kind = Kind.CHANGED if before.text and after.text else Kind.ADDED if after.text else Kind.REMOVED
        yield Change(Dimension.CONTENT, kind, after.id, "text", before.text, after.text, subject_of(known))
    yield from _properties(Dimension.FORMATTING, before, after, before.properties, after.properties)
    yield from _span_changes(before, after)
    yield from _properties(Dimension.FORMATTING, before, after, before.mark, after.mark, "mark.")
    if before.links != after.links:
        yield from _links(before, after)
    if before.pictures != after.pictures:
        yield from _pictures(before, after)
    if before.interactive != after.interactive:
        yield from _interactive(before, after)
    yield from _rest(before, after)
    if before.section != after.section:
        if before.section is None or after.section is None:
            yield _section_break(after, Kind.ADDED if before.section is None else Kind.REMOVED)
        else:
            subject = subject_of(after)
            name = f"The page layout of the section that ends with {subject[:1].lower()}{subject[1:]}"
            for change in _properties(Dimension.STRUCTURE, before, after, before.section, after.section):
                yield replace(change, subject=name)
    yield from _block_lists(before.inner, after.inner)


def _span_changes(before: Paragraph, after: Paragraph) -> Iterator[Change]:
    """Formatting of the characters that are in both texts."""
    if before.spans == after.spans:
        return
    for start, offset, length in kept_words(before.text, after.text):
        yield from _aligned_spans(before, after, start, offset, length)


def _aligned_spans(
    before: Paragraph, after: Paragraph, start: int, offset: int, length: int
) -> Iterator[Change]:
    changes: dict[tuple[str, str, str], list[tuple[int, int]]] = {}
    for a, b, was, now in _overlay(before.spans, after.spans, start, offset, length):
        old, new = dict(was), dict(now)
        for path in {*old, *new}:
            if old.get(path) != new.get(path):
                ranges = changes.setdefault((path, old.get(path, ""), new.get(path, "")), [])
                if ranges and ranges[-1][1] == a:
                    ranges[-1] = (ranges[-1][0], b)
                else:
                    ranges.append((a, b))
    for (path, old, new), ranges in sorted(changes.items()):
        for a, b in ranges:
            part = after.text[a:b]
            whole = part.strip() == after.text.strip() or _everywhere(after, path, new)
            yield _changed(Dimension.FORMATTING, after, path, old, new, "" if whole else part)


def _everywhere(record: Paragraph, path: str, value: str) -> bool:
    """Whether all of the text has this now: then it is said of the paragraph and not of the words that were different."""
    return bool(value) and all(dict(span.properties).get(path) == value for span in record.spans)


def _overlay(
    before: tuple[Span, ...], after: tuple[Span, ...], start: int, offset: int, length: int
) -> Iterator[tuple[int, int, Properties, Properties]]:
    """Stretches (offsets in the new text) over which both formats are constant."""
    cuts = {offset, offset + length}
    shift = offset - start
    for span in before:
        cuts |= {span.start + shift, span.end + shift}
    for span in after:
        cuts |= {span.start, span.end}
    edges = sorted(c for c in cuts if offset <= c <= offset + length)
    for a, b in itertools.pairwise(edges):
        yield a, b, _at(before, a - shift), _at(after, a)


def _at(spans: tuple[Span, ...], offset: int) -> Properties:
    for span in spans:
        if span.start <= offset < span.end:
            return span.properties
    return ()


def _links(before: Paragraph, after: Paragraph) -> Iterator[Change]:
    old, new = list(before.links), list(after.links)
    for link in list(old):
        if link in new:
            old.remove(link)
            new.remove(link)
    for link in list(old):
        match = next((n for n in new if n.text == link.text or n.target == link.target), None)
        if match is not None:
            old.remove(link)
            new.remove(match)
            if link.target == match.target:
                yield _changed(Dimension.HYPERLINKS, after, "link text", link.text, match.text)
                continue
            yield _changed(
                Dimension.HYPERLINKS, after, f"link '{shorten(match.text)}'", link.target, match.target
            )
    for link in old:
        yield Change(
            Dimension.HYPERLINKS,
            Kind.REMOVED,
            after.id,
            "link",
            link.target,
            "",
            subject_of(after),
            link.text,
        )
    for link in new:
        yield Change(
            Dimension.HYPERLINKS, Kind.ADDED, after.id, "link", "", link.target, subject_of(after), link.text
        )


def _pictures(before: Paragraph, after: Paragraph) -> Iterator[Change]:
    old = {(p.kind, p.reference, i): p for i, p in _numbered(before.pictures)}
    new = {(p.kind, p.reference, i): p for i, p in _numbered(after.pictures)}
    for key in [k for k in old if k not in new]:
        yield Change(Dimension.STRUCTURE, Kind.REMOVED, after.id, key[0], old[key].alt, "", subject_of(after))
    for key, picture in new.items():
        if key not in old:
            yield Change(
                Dimension.STRUCTURE, Kind.ADDED, after.id, key[0], "", picture.alt, subject_of(after)
            )
            continue
        was = old[key]
        if (was.width, was.height) != (picture.width, picture.height):
            yield _changed(Dimension.FORMATTING, after, f"{picture.kind} size", _size(was), _size(picture))
        if was.alt != picture.alt:
            yield _changed(Dimension.CONTENT, after, f"{picture.kind} alt text", was.alt, picture.alt)
        if was.decorative != picture.decorative:
            marks = ("on" if was.decorative else "", "on" if picture.decorative else "")
            yield _changed(Dimension.CONTENT, after, f"{picture.kind} decorative", *marks)
        if was.floating != picture.floating:
            yield _changed(
                Dimension.FORMATTING,
                after,
                f"{picture.kind} layout",
                "floating" if was.floating else "inline",
                "floating" if picture.floating else "inline",
            )


def _numbered(pictures: Iterable[Picture]) -> Iterator[tuple[int, Picture]]:
    seen: dict[tuple[str, str], int] = {}
    for picture in pictures:
        key = (picture.kind, picture.reference)
        seen[key] = seen.get(key, 0) + 1
        yield seen[key], picture


def _size(picture: Picture) -> str:
    return f"{picture.width / 360_000:.2f} x {picture.height / 360_000:.2f} cm"


def _interactive(before: Paragraph, after: Paragraph) -> Iterator[Change]:
    old, new = list(before.interactive), list(after.interactive)
    for item in list(old):
        if item in new:
            old.remove(item)
            new.remove(item)
    for kind, value in old:
        yield Change(Dimension.STRUCTURE, Kind.REMOVED, after.id, kind, value, "", subject_of(after))
    for kind, value in new:
        yield Change(Dimension.STRUCTURE, Kind.ADDED, after.id, kind, "", value, subject_of(after))


def _rest(before: Paragraph, after: Paragraph) -> Iterator[Change]:
    if before.rest == after.rest:
        return
    for kind in dict.fromkeys(kind for kind, _ in (*before.rest, *after.rest)):
        old, new = ([v for k, v in record.rest if k == kind] for record in (before, after))
        gone, fresh = (
            list((Counter(old) - Counter(new)).elements()),
            list((Counter(new) - Counter(old)).elements()),
        )
        for was, now in zip_longest(gone, fresh, fillvalue=""):
            if was and now:
                yield _changed(Dimension.STRUCTURE, after, kind, was, now)
            elif kind not in _DRAWN:  # that a picture came or went is said already
                became = Kind.ADDED if now else Kind.REMOVED
                lost, made = _DIGEST.sub("", was), _DIGEST.sub("", now)
                yield Change(Dimension.STRUCTURE, became, after.id, kind, lost, made, subject_of(after))


_DIGEST = re.compile(r" ?\([0-9a-f]{16}\)$")
_DRAWN = ("picture details", "old drawing", "object")


# -- tables and controls -----------------------------------------------------------------------------------------------


def _tables(before: Table, after: Table) -> Iterator[Change]:
    if before == after:
        return
    if before.style != after.style:
        yield _changed(Dimension.TABLES, after, "table style", before.style or "none", after.style or "none")
    yield from _properties(Dimension.TABLES, before, after, before.properties, after.properties)
    if len(before.rows) != len(after.rows):
        yield _changed(Dimension.TABLES, after, "rows", str(len(before.rows)), str(len(after.rows)))
    alike = _pairs_by_place(before, after)
    if alike is None and before.columns != after.columns:
        yield _changed(Dimension.TABLES, after, "columns", str(before.columns), str(after.columns))
    if before.grid != after.grid:
        yield _changed(Dimension.TABLES, after, "column widths", _widths(before), _widths(after))
    if alike is not None:
        for at in alike:
            yield from _rows(before, after, at + 1, before.rows[at], after.rows[at])
        return
    left = dict(enumerate(before.rows))
    untouched = {id(row): at for at, row in left.items()}  # rows that did not change are the same objects
    same = {at: was for at, row in enumerate(after.rows) if (was := untouched.get(id(row))) is not None}
    if len(same) < len(after.rows):
        kept = set(same.values())
        old = [_row_ids(row) if at not in kept else [] for at, row in left.items()]
        twins = _twins(old, [_row_ids(r) if at not in same else [] for at, r in enumerate(after.rows)], same)
    else:
        twins = list(same.values())
    for number, (row, twin) in enumerate(zip(after.rows, twins, strict=True), 1):
        if twin is not None and row is before.rows[twin]:
            del left[twin]
            continue
        if twin is None:
            texts = " | ".join(c.text for c in row.cells)
            yield _changed(Dimension.TABLES, after, f"row {number}", "", texts or " ")
            continue
        yield from _rows(before, after, number, left.pop(twin), row)
    for row in left.values():
        yield _changed(Dimension.TABLES, after, "row", " | ".join(c.text for c in row.cells) or " ", "")


def _pairs_by_place(before: Table, after: Table) -> list[int] | None:
    """Numbers of the rows that changed, if every row is where it was; else None."""
    if len(before.rows) != len(after.rows):
        return None
    found = changed_rows(before, after)
    for at in found:
        was, now = before.rows[at], after.rows[at]
        if was.width != now.width or _row_ids(was) != _row_ids(now):
            return None
    return found


def _rows(before: Table, after: Table, number: int, old: Row, new: Row) -> Iterator[Change]:
    yield from _properties(Dimension.TABLES, before, after, old.properties, new.properties, f"row {number} ")
    yield from _row_cells(before, after, number, old.cells, new.cells)


def _row_ids(row: Any) -> list[list[str]]:
    return [[block.id for block in cell.blocks] for cell in row.cells]


def _twins(
    before: Sequence[list[list[str]]], after: Sequence[list[list[str]]], known: Mapping[int, int]
) -> list[int | None]:
    """For each row (or cell) after, which one before it was: the one with which the most of its cells (or paragraphs) share a
    block, each only once. Neither has an id of its own, and both may have got new paragraphs, or those of a neighbour.
    `known`: those for which it is known already.
    """
    home = {b: index for index, row in enumerate(before) for cell in row for b in cell}
    shared = [Counter(j for cell in row for j in {home[b] for b in cell if b in home}) for row in after]
    firsts = {row[0][0]: index for index, row in enumerate(before) if row and row[0]}
    for counts, row in zip(shared, after, strict=True):
        if row and row[0] and row[0][0] in firsts:  # the first paragraph is the best sign
            counts[firsts[row[0][0]]] += len(row)
    pairs = [(-count, abs(i - j), i, j) for i, counts in enumerate(shared) for j, count in counts.items()]
    found: list[int | None] = [known.get(i) for i in range(len(after))]
    taken: set[int] = set(known.values())
    for _, _, i, j in sorted(pairs):
        if found[i] is None and j not in taken:
            found[i] = j
            taken.add(j)
    if len(before) >= len(
        after
    ):  # what shares nothing is known by its place, unless rows or cells came in between
        for i, twin in enumerate(found):
            if twin is None and i not in taken:
                found[i] = i
                taken.add(i)
    return found


def _row_cells(
    table: Table, after: Table, number: int, old: tuple[Cell, ...], new: tuple[Cell, ...]
) -> Iterator[Change]:
    left = dict(enumerate(old))
    was_in, now_in = ([[[b.id] for b in c.blocks] for c in cells] for cells in (old, new))
    twins = list(range(len(new))) if was_in == now_in else _twins(was_in, now_in, {})
    for i, (cell, twin) in enumerate(zip(new, twins, strict=True)):
        where = f"cell {number},{i + 1}"
        if twin is None:
            yield _changed(Dimension.TABLES, after, where, "", cell.text or " ")
            continue
        was = left.pop(twin)
        if was == cell:
            continue
        if was.text != cell.text:
            yield _changed(Dimension.TABLES, after, where, was.text, cell.text)
        if (was.span, was.merge) != (cell.span, cell.merge):
            yield _changed(Dimension.TABLES, after, f"{where} merge", _merge(was), _merge(cell))
        among = (len(new), len(after.rows))
        for change in _properties(
            Dimension.TABLES, table, after, was.properties, cell.properties, f"{where} "
        ):
            yield replace(change, among=among)
        for change in _block_lists(was.blocks, cell.blocks):
            if not _said_by_cell(change):
                yield change
    for was in left.values():
        yield _changed(Dimension.TABLES, after, f"cell of row {number}", was.text or " ", "")


def _said_by_cell(change: Change) -> bool:
    """Whether a change of a paragraph in a cell is what the change of the cell's text says already."""
    if change.path == "text":
        return change.dimension is Dimension.CONTENT
    return change.path == "paragraph" and change.subject.startswith(("Paragraph", "An empty paragraph"))


def _merge(cell: Cell) -> str:
    down = {"restart": ", first of a vertical merge", "continue": ", continues the cell above"}.get(
        cell.merge, ""
    )
    return f"{cell.span} wide{down}"


def _widths(table: Table) -> str:
    return ", ".join(f"{w / 567:.2f} cm" for w in table.grid)


def _block_lists(before: tuple[Any, ...], after: tuple[Any, ...]) -> Iterator[Change]:
    old = {b.id: b for b in before}
    for block in after:
        was = old.pop(block.id, None)
        if was is None:
            yield _whole(block, Kind.ADDED)
        else:
            yield from compare(was, block)
    for block in old.values():
        yield _whole(block, Kind.REMOVED)
