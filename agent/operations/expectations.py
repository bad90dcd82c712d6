"""Effects: what an operation promises before it runs, checked in code after it ran.

An effect does two things. It checks the document as it is afterwards (a failure is a sentence, and the explanation for
a parameter-level rollback). And it covers changes: every observed change must be covered by some effect, which is how
"nothing else changed" is checked. Effects are made from the bound parameters and the document *before* the run.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from agent.document import text as texts
from agent.document.changes import Change, Dimension, Kind, shorten
from agent.document.delta import Delta
from agent.document.names import W_P, W_SDT, W_TBL, W_VAL, W
from agent.document.records import Paragraph, Properties, Record, Section, Table, record_of
from agent.operations.targets import TextSpan

if TYPE_CHECKING:
    from agent.document.mirror import Mirror


@dataclass(frozen=True)
class After:
    """What effects are checked against: the document after the run, and what was done to it."""

    mirror: Mirror
    delta: Delta
    changes: Sequence[Change]

    def paragraph(self, block: str) -> Paragraph | None:
        """The record of a paragraph (also of one in a cell), or None if it is gone."""
        if not self.mirror.has(block):
            return None
        record = record_of(self.mirror, block)
        return record if isinstance(record, Paragraph) else None

    def table(self, block: str) -> Table | None:
        """The record of a table, or None if it is gone."""
        if not self.mirror.has(block):
            return None
        record = record_of(self.mirror, block)
        return record if isinstance(record, Table) else None

    def added(self) -> list[Record]:
        """Records of the new blocks, in document order as far as they are siblings."""
        return [record_of(self.mirror, b) for b in self.delta.touched().added if self.mirror.has(b)]


@dataclass(frozen=True)
class Effect:
    """One promise."""

    says: str
    """In words: "the row count is 4"."""
    check: Callable[[After], str | None]
    """None if it holds, else what is wrong."""
    covers: Callable[[Change], bool]
    """Whether an observed change is part of this promise."""


def allows(says: str, covers: Callable[[Change], bool]) -> Effect:
    """An effect that promises nothing and only covers changes that come with the others."""
    return Effect(says, lambda after: None, covers)


# -- text and formats --------------------------------------------------------------------------------------------------


def text_becomes(paragraph: str, text: str) -> Effect:
    """The paragraph reads so, and its text changed."""

    def check(after: After) -> str | None:
        record = after.paragraph(paragraph)
        if record is None:
            return f"paragraph {paragraph} is gone"
        if record.text != text:
            return f"paragraph {paragraph} reads '{shorten(record.text, 80)}' and not '{shorten(text, 80)}'"
        return None

    return Effect(
        f"paragraph {paragraph} reads '{shorten(text)}'",
        check,
        lambda c: c.target == paragraph and c.path == "text",
    )


def characters_have(
    spans: Iterable[TextSpan], wanted: Mapping[str, str | None], also: Sequence[str] = ()
) -> Effect:
    """Every character of the spans has these direct properties (records' names; None: not set). `also`: prefixes of other
    run properties that may change with them.
    """
    spans = list(spans)
    targets = {s.paragraph for s in spans}

    def check(after: After) -> str | None:
        for span in spans:
            record = after.paragraph(span.paragraph)
            if record is None:
                return f"paragraph {span.paragraph} is gone"
            for stretch in record.spans:
                if stretch.end <= span.start or stretch.start >= span.end:
                    continue
                failure = _differs(dict(stretch.properties), wanted)
                if failure:
                    return f"'{shorten(record.text[stretch.start : stretch.end])}' {failure}"
        return None

    def covers(change: Change) -> bool:
        path = change.path.removeprefix("mark.")
        return (
            change.dimension is Dimension.FORMATTING
            and change.target in targets
            and (path in wanted or path.startswith(tuple(also)))
        )

    return Effect(f"the characters have {_words(wanted)}", check, covers)


def paragraphs_have(
    paragraphs: Iterable[str], wanted: Mapping[str, str | None], also: Sequence[str] = ()
) -> Effect:
    """Every paragraph has these direct properties (records' names; None: not set)."""
    targets = list(paragraphs)

    def check(after: After) -> str | None:
        for paragraph in targets:
            record = after.paragraph(paragraph)
            if record is None:
                return f"paragraph {paragraph} is gone"
            failure = _differs(dict(record.properties), wanted)
            if failure:
                return f"paragraph {paragraph} '{shorten(record.text)}' {failure}"
        return None

    def covers(change: Change) -> bool:
        return (
            change.dimension is Dimension.FORMATTING
            and change.target in targets
            and (change.path in wanted or change.path.startswith(tuple(also)))
        )

    return Effect(f"the paragraphs have {_words(wanted)}", check, covers)


def paragraphs_in_style(paragraphs: Iterable[str], style: str) -> Effect:
    """Every paragraph has the style (an id; empty: the default style)."""
    targets = list(paragraphs)

    def check(after: After) -> str | None:
        for paragraph in targets:
            record = after.paragraph(paragraph)
            if record is None or record.style != style:
                found = record.style if record is not None else "nothing"
                return (
                    f"paragraph {paragraph} has the style '{found or 'Normal'}' and not '{style or 'Normal'}'"
                )
        return None

    return Effect(
        f"the paragraphs have the style '{style or 'Normal'}'",
        check,
        lambda c: c.target in targets and c.dimension is Dimension.STYLE and c.path == "style",
    )


def _differs(properties: Mapping[str, str], wanted: Mapping[str, str | None]) -> str | None:
    for path, value in wanted.items():
        if properties.get(path) != value:
            return f"has {path} {properties.get(path, 'not set')} and not {value if value is not None else 'unset'}"
    return None


def _words(wanted: Mapping[str, str | None]) -> str:
    return ", ".join(f"{path} {value if value is not None else 'unset'}" for path, value in wanted.items())


# -- blocks ------------------------------------------------------------------------------------------------------------


def blocks_added(
    expected: Sequence[str | None],
    *,
    kind: Literal["paragraph", "table", "content control"] = "paragraph",
    style: str | None = None,
) -> Effect:
    """As many new blocks as there are items, of the kind, with these texts (None: any) and this style (None: any)."""

    def check(after: After) -> str | None:
        added = [
            r
            for r in after.added()
            if isinstance(r, {"paragraph": Paragraph, "table": Table}.get(kind, object))
        ]
        if len(added) != len(expected):
            return f"{len(added)} new {kind}s and not {len(expected)}"
        found = sorted(getattr(r, "text", "") for r in added)
        for text in expected:
            if text is not None and text not in found:
                return f"no new {kind} reads '{shorten(text)}'; there is '{shorten('; '.join(found), 120)}'"
        if style is not None and any(getattr(r, "style", "") != style for r in added):
            return f"the new {kind} has the style '{getattr(added[0], 'style', '')}' and not '{style}'"
        return None

    def covers(change: Change) -> bool:
        return change.dimension is Dimension.STRUCTURE and change.kind is Kind.ADDED and change.path == kind

    return Effect(f"{len(expected)} new {kind}{'s' if len(expected) != 1 else ''}", check, covers)


def blocks_follow(side: str, anchor: str, count: int = 1) -> Effect:
    """The new blocks stand together directly behind ("after") or in front of ("before") the anchor; "start" and "end" are
    those of the body.
    """

    def check(after: After) -> str | None:
        mirror = after.mirror
        added = set(after.delta.touched().added)
        if side in ("start", "end"):
            edge = mirror.edge(side, count)
        else:
            if not mirror.has(anchor):
                return f"the place ({anchor}) is gone"
            element, edge = mirror.element(anchor), []
            siblings = element.itersiblings(W_P, W_TBL, W_SDT, preceding=side == "before")
            for sibling in siblings:
                if len(edge) == count:
                    break
                edge.append(mirror.id_of(sibling) or "")
        wrong = [b for b in edge if b not in added] if mirror.owner(anchor) == anchor or not anchor else []
        return (
            f"the new blocks are not at the place asked for ({side} {anchor})"
            if wrong or len(edge) < count
            else None
        )

    return Effect(f"they stand {side} {anchor}".rstrip(), check, lambda c: False)


def blocks_removed(blocks: Iterable[str]) -> Effect:
    """The blocks are gone."""
    targets = set(blocks)

    def check(after: After) -> str | None:
        left = [b for b in targets if after.mirror.has(b)]
        return f"still there: {', '.join(left)}" if left else None

    return Effect(
        f"{len(targets)} block{'s are' if len(targets) != 1 else ' is'} gone",
        check,
        lambda c: c.target in targets and c.kind is Kind.REMOVED,
    )


def blocks_in_order(blocks: Sequence[str], side: str, anchor: str) -> Effect:
    """The blocks stand one after the other, directly behind or in front of the anchor (or at the start or end)."""

    def check(after: After) -> str | None:
        mirror = after.mirror
        if not all(map(mirror.has, blocks)):
            return "a block that was to be moved is gone"
        if any(_beside(mirror, a) != b for a, b in itertools.pairwise(blocks)):
            return "the moved blocks do not stand together"
        before, behind = _beside(mirror, blocks[0], preceding=True), _beside(mirror, blocks[-1])
        found = {
            "after": before == anchor,
            "before": behind == anchor,
            "start": not before,
            "end": not behind,
        }
        return None if found.get(side) else f"the blocks are not {side} {anchor}"

    return Effect(
        f"{len(blocks)} blocks stand {side} {anchor}".rstrip(),
        check,
        lambda c: c.target in blocks and c.kind is Kind.MOVED,
    )


def _beside(mirror: Mirror, block: str, *, preceding: bool = False) -> str:
    """The id of the next block (or the one before), or an empty text."""
    siblings = mirror.element(block).itersiblings(W_P, W_TBL, W_SDT, preceding=preceding)
    return next((i for e in siblings if (i := mirror.id_of(e)) is not None), "")


# -- tables ------------------------------------------------------------------------------------------------------------


def table_has(table: str, check: Callable[[Table], str | None], says: str, paths: Sequence[str]) -> Effect:
    """Something about a table; `paths`: prefixes of the paths of the table changes that belong to it."""

    def checked(after: After) -> str | None:
        record = after.table(table)
        return f"table {table} is gone" if record is None else check(record)

    return Effect(says, checked, table_change(table, paths))


def table_change(table: str, paths: Sequence[str]) -> Callable[[Change], bool]:
    """Covers changes of a table whose path starts so."""
    return lambda c: c.target == table and c.dimension is Dimension.TABLES and c.path.startswith(tuple(paths))


def table_shape(table: str, rows: int, columns: int) -> Effect:
    """The table has so many rows and columns."""

    def check(record: Table) -> str | None:
        if (len(record.rows), record.columns) != (rows, columns):
            return f"the table is {len(record.rows)} x {record.columns} and not {rows} x {columns}"
        return None

    return table_has(table, check, f"the table is {rows} x {columns}", ("rows", "columns", "row", "column"))


# -- package -----------------------------------------------------------------------------------------------------------


def may_add_styles() -> Effect:
    """A built-in style may be made real."""
    return allows("styles may be added", lambda c: c.path == "style" and c.kind is Kind.ADDED)


def may_add_lists() -> Effect:
    """A list may be defined."""
    return allows("lists may be defined", lambda c: c.path in ("num", "abstractNum") and c.kind is Kind.ADDED)


def section_has(section: str, wanted: Mapping[str, str | None], also: Sequence[str] = ()) -> Effect:
    """A section's page layout has these values; `section` is the id of the `w:sectPr` block or of the paragraph that holds it."""

    def check(after: After) -> str | None:
        record = record_of(after.mirror, section) if after.mirror.has(section) else None
        layout: Properties | None = None
        if isinstance(record, Section):
            layout = record.layout
        elif isinstance(record, Paragraph):
            layout = record.section
        if layout is None:
            return f"the section {section} is gone"
        return _differs(dict(layout), wanted)

    def covers(change: Change) -> bool:
        return (
            change.target == section
            and change.dimension is Dimension.STRUCTURE
            and (change.path in wanted or change.path.startswith(tuple(also)))
        )

    return Effect(f"the page layout has {_words(wanted)}", check, covers)


def paragraph_text(mirror: Mirror, block: str) -> str:
    """The text of a paragraph as it is now, for building effects."""
    return texts.text_of(mirror.element(block))


def style_value(paragraph: object) -> str:
    """Style id of a `w:p`; empty for the default style."""
    found = paragraph.find(f"{W}pPr/{W}pStyle")  # type: ignore[attr-defined]
    return found.get(W_VAL, "") if found is not None else ""
