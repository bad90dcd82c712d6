"""The document in reading order, and as text: for prompts, for people, for messages.

`walk` and `headings` list the whole body, from what is known of its chunks; `behind`, `before` and `from_edge` cost what is
asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agent.document import text as texts
from agent.document.changes import shorten
from agent.document.index import Summary, listed
from agent.document.mirror import path_to
from agent.document.names import W_P, W_PPR, W_SDT, W_TBL, W_VAL, WP, W
from agent.document.records import (
    W_CUSTOM_XML,
    Control,
    Other,
    Paragraph,
    Properties,
    Record,
    Section,
    Style,
    Table,
    blocks_in,
    cells_of,
    read,
    record_of,
    rows_of,
)
from agent.document.styles import heading_level, style_meanings, style_name

if TYPE_CHECKING:
    from agent.document.mirror import Mirror


@dataclass(frozen=True)
class Block:
    """A paragraph, table or content control of the body; those in cells and controls come after what holds them."""

    id: str
    tag: str
    element: Any
    depth: int
    """0 for the body's own blocks (and those of block-level content controls), more inside tables."""
    style: str
    text: str
    level: int | None
    """Heading level, for headings of the body."""


def walk(mirror: Mirror) -> Sequence[Block]:
    """Every block of the body in reading order, the contents of tables and controls included."""
    return mirror.index.all(BLOCKS)


def _blocks_of(mirror: Mirror, element: Any, *, outer: bool) -> tuple[Block, ...]:
    found: list[Block] = []
    if element.tag in (W_P, W_TBL, W_SDT):
        _add(mirror, element, 0, found, outer)
    elif element.tag == W_CUSTOM_XML:
        _walk(mirror, element, 0, found, outer)
    return tuple(found)


def _walk(mirror: Mirror, container: Any, depth: int, found: list[Block], outer: bool) -> None:
    for element in blocks_in(container):
        _add(mirror, element, depth, found, outer)


def _add(mirror: Mirror, element: Any, depth: int, found: list[Block], outer: bool) -> None:
    block = mirror.id_of(element)
    if block is None:
        return
    if element.tag == W_P:
        style = _style(element)
        level = (_own_level(element) or heading_level(mirror, style)) if depth == 0 else None
        known = mirror.records.get(block)
        text = known.text if isinstance(known, Paragraph) else texts.text_of(element)
        found.append(Block(block, W_P, element, depth, style, text, level))
    elif element.tag == W_TBL:
        found.append(Block(block, W_TBL, element, depth, "", "", None))
        if outer:
            return
        for row in rows_of(element):
            for cell in cells_of(row):
                _walk(mirror, cell, depth + 1, found, outer)
    else:
        content = element.find(W + "sdtContent")
        found.append(Block(block, W_SDT, element, depth, "", "", None))
        if content is not None:
            _walk(mirror, content, depth, found, outer)


BLOCKS = listed(lambda mirror, block, element: _blocks_of(mirror, element, outer=False), style_meanings)
"""The blocks of the body in reading order."""
OUTER_BLOCKS = listed(lambda mirror, block, element: _blocks_of(mirror, element, outer=True), style_meanings)
"""Those that are not in a table."""


def which(
    wanted: Callable[[Mirror, Block], bool], among: Summary[Sequence[Block], list[Block]] = BLOCKS
) -> Summary[Sequence[Block], list[Block]]:
    """Those of the body's blocks that something is true of; it may ask for a block's style, and nothing else of the document."""

    def of_block(mirror: Mirror, block: str, element: Any) -> Sequence[Block]:
        return tuple(b for b in mirror.index.of_block(among, block) if wanted(mirror, b))

    return listed(of_block, depends=style_meanings)


def _tables_of(mirror: Mirror, block: str, element: Any) -> Sequence[str]:
    return _tables_in(record_of(mirror, block)) if element.tag in (W_TBL, W_SDT, W_CUSTOM_XML) else ()


def _tables_in(record: Record) -> Sequence[str]:
    match record:
        case Table():
            inner = [b for row in record.rows if row.holds_blocks for c in row.cells for b in c.blocks]
            return (record.id, *(t for b in inner for t in _tables_in(b)))
        case Control():
            return tuple(t for b in record.blocks for t in _tables_in(b))
        case _:
            return ()


TABLES = listed(_tables_of)
"""Ids of the tables of the body, those in other tables too."""
HEADINGS = which(lambda mirror, block: block.level is not None and bool(block.text.strip()), OUTER_BLOCKS)
"""The body's headings, those without text left out."""


def in_order(mirror: Mirror, elements: Iterable[Any]) -> list[Any]:
    """Elements of one story in the order of the document."""
    return sorted(elements, key=lambda element: _path(mirror, element))


def _path(mirror: Mirror, element: Any) -> list[int]:
    """Where it stands: of the block, and then in each element that holds it."""
    story, block = mirror.story_of(element), mirror.block_of(element)
    assert story is not None
    assert block is not None
    return [mirror.index_of(story).position(block), *path_to(mirror.element(block), element)]


def _style(paragraph: Any) -> str:
    found = paragraph.find(f"{W_PPR}/{W}pStyle")
    return found.get(W_VAL, "") if found is not None else ""


def _own_level(paragraph: Any) -> int | None:
    found = paragraph.find(f"{W_PPR}/{W}outlineLvl")
    value = found.get(W_VAL, "9") if found is not None else "9"
    return int(value) + 1 if value.isdigit() and int(value) < 9 else None


def headings(mirror: Mirror) -> list[Block]:
    """The body's headings in order, those without text left out."""
    return mirror.index.all(HEADINGS)


def section_blocks(mirror: Mirror, heading: Block) -> list[str]:
    """Ids of the blocks under a heading, up to the next heading of its level or a higher one."""
    found: list[str] = []
    for block in behind(mirror, heading.id):
        if block.level is not None and block.level <= (heading.level or 1) and block.text.strip():
            break
        found.append(block.id)
    return found


def behind(mirror: Mirror, block: str) -> Iterator[Block]:
    """The body's blocks that are not in a table, behind one of them, the next one first. Costs what is asked for."""
    index, top = mirror.index, mirror.owner(block)
    own = index.of_block(OUTER_BLOCKS, top)
    yield from own[next((i for i, b in enumerate(own) if b.id == block), 0) + 1 :]
    for other in index.behind(top):
        yield from index.of_block(OUTER_BLOCKS, other)


def before(mirror: Mirror, block: str) -> Iterator[Block]:
    """The body's blocks that are not in a table, before one of them, the nearest one first. Costs what is asked for."""
    index, top = mirror.index, mirror.owner(block)
    own = index.of_block(OUTER_BLOCKS, top)
    yield from reversed(own[: next((i for i, b in enumerate(own) if b.id == block), 0)])
    for other in index.before(top):
        yield from reversed(index.of_block(OUTER_BLOCKS, other))


def from_edge(mirror: Mirror, side: str) -> Iterator[Block]:
    """The body's blocks that are not in a table, from the "start", or backwards from the "end". Costs what is asked for."""
    index = mirror.index
    for block in index if side == "start" else index.backwards():
        found = index.of_block(OUTER_BLOCKS, block)
        yield from found if side == "start" else reversed(found)


def outline(mirror: Mirror, budget: int = 4000, focus: Iterable[str] = ()) -> str:
    """The document as lines, one a block: `[p3] Heading 1: Introduction`.

    `budget` is in tokens, taken as four characters each. What does not fit is left out in the middle of long
    stretches of body text; headings, tables' headers and the blocks in `focus` (with their neighbours) come first.
    """
    blocks = [b for b in walk(mirror) if b.depth == 0]
    lines = [line(mirror, b) for b in blocks]
    limit = budget * 4
    if sum(len(text) + 1 for text in lines) <= limit:
        return "\n".join(lines)
    wanted = set(focus)
    rank: dict[int, int] = {}
    for i, block in enumerate(blocks):
        near = any(blocks[j].id in wanted for j in range(max(0, i - 2), min(len(blocks), i + 3)))
        rank[i] = (
            0
            if block.id in wanted or near
            else 1
            if block.level is not None
            else 2
            if block.tag == W_TBL
            else 3
        )
    chosen: set[int] = set()
    used = 0
    for i in sorted(rank, key=lambda i: (rank[i], i)):
        cost = len(lines[i]) + 24
        if used + cost <= limit:
            chosen.add(i)
            used += cost
    return "\n".join(_with_gaps(lines, chosen))


def _with_gaps(lines: Sequence[str], chosen: set[int]) -> Iterable[str]:
    skipped = 0
    for i, text in enumerate(lines):
        if i in chosen:
            if skipped:
                yield f"... {skipped} more block{'s' if skipped > 1 else ''}"
            skipped = 0
            yield text
        else:
            skipped += 1
    if skipped:
        yield f"... {skipped} more block{'s' if skipped > 1 else ''}"


def line(mirror: Mirror, block: Block) -> str:
    """One block as a line."""
    if block.tag == W_TBL:
        rows = rows_of(block.element)
        header = (
            [" ".join(texts.text_of(p) for p in tc.iterchildren(W_P)) for tc in cells_of(rows[0])]
            if rows
            else []
        )
        return f"[{block.id}] Table, {len(rows)} x {len(header)}: {shorten(' | '.join(header), 120)}"
    if block.tag == W_SDT:
        return f"[{block.id}] Content control:"
    extra = _extra(block.element)
    return f"[{block.id}] {style_name(mirror, block.style)}{extra}: {shorten(block.text, 160)}"


def _extra(paragraph: Any) -> str:
    found: list[str] = []
    if paragraph.find(f"{W_PPR}/{W}numPr") is not None:
        found.append("list item")
    drawings = sum(1 for _ in paragraph.iter(WP + "inline", WP + "anchor"))
    if drawings:
        found.append(f"{drawings} picture{'s' if drawings > 1 else ''}")
    if paragraph.find(f"{W_PPR}/{W}sectPr") is not None:
        found.append("section ends here")
    return f" ({', '.join(found)})" if found else ""


def record_text(mirror: Mirror, record: Record) -> str:
    """A block whole, from its record: tables row by row, direct formatting in braces. For the verifier."""
    match record:
        case Paragraph():
            marks = dict(record.properties)
            spans = [_span_text(record.text[s.start : s.end], s.properties) for s in record.spans]
            pictures = "".join(f" <{p.kind} '{p.alt}'>" for p in record.pictures)
            note = f" {{{_pairs(marks)}}}" if marks else ""
            return f"[{record.id}] {style_name(mirror, record.style)}{note}: {''.join(spans)}{pictures}"
        case Table():
            lines = [
                f"[{record.id}] Table, {len(record.rows)} x {record.columns}, style {record.style or 'none'}"
            ]
            lines += ["    " + " | ".join(c.text for c in row.cells) for row in record.rows]
            return "\n".join(lines)
        case Control():
            return "\n".join(
                [f"[{record.id}] Content control:", *(record_text(mirror, b) for b in record.blocks)]
            )
        case Section():
            return f"[{record.id}] Page layout: {_pairs(dict(record.layout))}"
        case Style():
            return f"[{record.id}] Style '{record.name}': {_pairs(dict(record.properties))}"
        case Other():
            return f"[{record.id}] {record.tag}: {record.text}"


def _span_text(text: str, properties: Properties) -> str:
    return f"{text}{{{_pairs(dict(properties))}}}" if properties else text


def _pairs(properties: dict[str, str]) -> str:
    return ", ".join(f"{k} {v}" for k, v in properties.items())


def blocks_text(mirror: Mirror, ids: Iterable[str]) -> str:
    """Some blocks whole, in the order given; ids that are gone are left out."""
    return "\n".join(record_text(mirror, read(mirror, mirror.element(b))) for b in ids if mirror.has(b))
