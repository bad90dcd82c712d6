"""Effects of operations that write text: edits inside paragraphs, and paragraphs that are new."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agent.document.changes import Change, Dimension, Kind, compare, shorten
from agent.document.names import W_P, W_SDT, W_TBL, W_TC, W_TR, W
from agent.document.records import Paragraph, Properties, Record, cells_of, read, record_of, rows_of
from agent.document.styles import default_style, find_style
from agent.document.words import Replaced
from agent.operations.expectations import After, Effect

if TYPE_CHECKING:
    from agent.document.mirror import Mirror

Covers = Callable[[Change], bool]
_BLOCKS = (W_P, W_TBL, W_SDT)
_EMPTIED = ("insertion", "moved here", "field code", "ruby text")
"""What goes with the last of its text."""


def holders(mirror: Mirror, blocks: Iterable[str]) -> Covers:
    """Covers what a change inside a block is in what holds it: the text of a table's cell, of a note."""
    cells: set[tuple[str, str]] = set()
    notes: set[str] = set()
    for block in blocks:
        node = mirror.element(block)
        tc = tr = None
        while node is not None:
            if node.tag == W_TC:
                tc = node
            elif node.tag == W_TR:
                tr = node
            elif node.tag == W_TBL and tc is not None and tr is not None:
                row, column = rows_of(node).index(tr) + 1, cells_of(tr).index(tc) + 1
                cells.add((mirror.id_of(node) or "", f"cell {row},{column}"))
            elif node.tag in (W + "footnote", W + "endnote", W + "comment"):
                notes.add(mirror.id_of(node) or "")
            node = node.getparent()
    return lambda c: (
        (c.dimension is Dimension.TABLES and (c.target, c.path) in cells)
        or (c.target in notes and c.path in ("footnote", "endnote", "comment") and c.kind is Kind.CHANGED)
    )


def in_notes(mirror: Mirror, blocks: Iterable[str], covers: Covers) -> Iterator[Effect]:
    """A foot- or endnote counts as one block: that it is formatted differently belongs to a change of some of its paragraphs, if
    every change in all of its paragraphs is one that `covers` says.
    """
    notes: dict[str, dict[str, Record]] = {}
    for block in blocks:
        note = next(mirror.element(block).iterancestors(W + "footnote", W + "endnote"), None)
        if note is not None:
            notes[mirror.id_of(note) or ""] = _paragraphs_in(mirror, note)
    if not notes:
        return

    def check(after: After) -> str | None:
        for note, before in notes.items():
            now = _paragraphs_in(after.mirror, after.mirror.element(note))
            if list(now) != list(before):
                return "the note has other paragraphs"
            for block, record in now.items():
                other = next((c for c in compare(before[block], record) if not covers(c)), None)
                if other is not None:
                    return f"something else changed in the note: {other.explain()}"
        return None

    yield Effect(
        "the rest of the note is as it was",
        check,
        lambda c: c.target in notes and c.kind is Kind.CHANGED and c.before == c.after,
    )


def _paragraphs_in(mirror: Mirror, note: Any) -> dict[str, Record]:
    return {mirror.id_of(p) or "": read(mirror, p) for p in note.iter(W_P)}


def apply_edits(text: str, edits: Sequence[Replaced]) -> str:
    """The text after edits that are in order and do not overlap."""
    for edit in reversed(edits):
        text = text[: edit.start] + edit.new + text[edit.end :]
    return text


def texts_edited(mirror: Mirror, edits: Mapping[str, Sequence[Replaced]], says: str = "") -> Effect:
    """Paragraphs read as the edits make them; every other character, and the paragraph, is formatted as it was."""
    before = {p: record_of(mirror, p) for p in edits}
    around = holders(mirror, edits)

    def check(after: After) -> str | None:
        for paragraph, changed in edits.items():
            was, now = before[paragraph], after.paragraph(paragraph)
            assert isinstance(was, Paragraph)
            if now is None:
                return f"paragraph {paragraph} is gone"
            wanted = apply_edits(was.text, changed)
            if now.text != wanted:
                return (
                    f"paragraph {paragraph} reads '{shorten(now.text, 80)}' and not '{shorten(wanted, 80)}'"
                )
            if (now.style, now.properties, now.mark, now.section) != (
                was.style,
                was.properties,
                was.mark,
                was.section,
            ):
                return f"the format of paragraph {paragraph} '{shorten(now.text)}' changed with its text"
            failure = _formats_kept(was, now, changed)
            if failure:
                return failure
        return None

    def covers(change: Change) -> bool:
        if change.target in edits:
            own = change.path in ("text", "link text", "link") or (
                change.dimension is Dimension.HYPERLINKS and change.path.startswith("link")
            )
            emptied = change.kind is Kind.REMOVED and change.path in _EMPTIED
            return own or emptied or change.dimension is Dimension.FORMATTING
        return around(change)

    count = sum(len(e) for e in edits.values())
    return Effect(says or f"{count} change{'s' if count != 1 else ''} of text", check, covers)


def _formats_kept(was: Paragraph, now: Paragraph, edits: Sequence[Replaced]) -> str | None:
    old, new = _by_character(was), _by_character(now)
    i = j = 0
    for edit in [*edits, Replaced(len(was.text), len(was.text), "")]:
        length = edit.start - i
        for k in range(length):
            if old[i + k] != new[j + k]:
                return (
                    f"the format of '{shorten(now.text[j + k : j + k + 30])}' in paragraph {now.id} changed"
                )
        i, j = edit.end, j + length + len(edit.new)
    return None


def _by_character(record: Paragraph) -> list[Properties]:
    found: list[Properties] = [()] * len(record.text)
    for span in record.spans:
        found[span.start : span.end] = [span.properties] * (span.end - span.start)
    return found


def paragraphs_inserted(
    mirror: Mirror,
    side: str,
    anchor: str,
    texts: Sequence[str],
    *,
    style: str | None = None,
    each: Callable[[Mirror, Paragraph, int], str | None] | None = None,
) -> Effect:
    """New paragraphs with these texts stand in this order directly behind ("after") or in front of ("before") the anchor,
    or at the "start" or "end" of the body; what stood there follows them. `style`: a style's name; `each` checks more.
    """
    neighbour = _beyond(mirror, side, anchor, 0)
    around = holders(mirror, [anchor]) if anchor else (lambda c: False)
    breaks = side == "after" and mirror.element(anchor).find(f"{W}pPr/{W}sectPr") is not None

    def check(after: After) -> str | None:
        if anchor and not after.mirror.has(anchor):
            return f"the place ({anchor}) is gone"
        new = sum(1 for c in after.changes if c.kind is Kind.ADDED and c.path == "paragraph")
        if new > len(texts):
            return f"{new} new paragraphs and not {len(texts)}"
        forward = side in ("after", "start")
        for i, text in enumerate(texts if forward else reversed(texts)):
            block = _beyond(after.mirror, side, anchor, i)
            record = after.paragraph(block) if block else None
            if record is None:
                return f"there is no new paragraph {side} {anchor or 'of the document'}"
            if record.text != text:
                return f"the new paragraph reads '{shorten(record.text)}' and not '{shorten(text)}'"
            if style is not None and record.style not in _style_ids(after.mirror, style):
                return f"the new paragraph has the style '{record.style}' and not '{style}'"
            number = i if forward else len(texts) - 1 - i
            failure = each(after.mirror, record, number) if each is not None else None
            if failure:
                return failure
        if _beyond(after.mirror, side, anchor, len(texts)) != neighbour:
            return "what stood there before does not follow the new paragraphs"
        return None

    def covers(change: Change) -> bool:
        if change.path == "paragraph" and change.kind is Kind.ADDED:
            return True
        if breaks and change.path == "section break":
            return change.target == anchor or change.kind is Kind.ADDED
        return around(change)

    count = len(texts)
    where = f"{side} {anchor}" if anchor else f"at the {side}"
    return Effect(f"{count} new paragraph{'s' if count != 1 else ''} {where}", check, covers)


def _style_ids(mirror: Mirror, name: str) -> tuple[str | None, ...]:
    found = find_style(mirror, name)
    return (found, "") if found == default_style(mirror) else (found,)


def _beyond(mirror: Mirror, side: str, anchor: str, steps: int) -> str:
    """The id of the block that many steps beyond the anchor (0: directly beside it); empty if there is none."""
    if side in ("start", "end"):
        edge = mirror.edge(side, steps + 1)
        return edge[steps if side == "start" else 0] if steps < len(edge) else ""
    siblings: Any = mirror.element(anchor).itersiblings(*_BLOCKS, preceding=side == "before")
    found = next((e for i, e in enumerate(siblings) if i == steps), None)
    return (mirror.id_of(found) or "") if found is not None else ""
