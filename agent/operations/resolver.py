"""How what a target names is found in one document: one resolver for all operations.

Not found: the nearest candidates are named. Several where one is needed: the candidates are listed, never the first one
taken.
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from agent.document import scopes
from agent.document import text as texts
from agent.document.changes import shorten
from agent.document.index import Summary, listed
from agent.document.names import W_P, W_TBL, W_TC, W_TR, WP
from agent.document.numbering import list_of
from agent.document.outline import (
    BLOCKS,
    HEADINGS,
    OUTER_BLOCKS,
    TABLES,
    Block,
    from_edge,
    headings,
    section_blocks,
    walk,
    which,
)
from agent.document.records import Paragraph, Table, cells_of, known_text, record_of, rows_of
from agent.document.styles import default_style, find_style, style_meanings
from agent.errors import AmbiguousTarget, InvalidTarget, InvalidValue, TargetNotFound
from agent.operations.looks import LIST_ITEMS
from agent.operations.targets import WAYS, Kind, Place, Selection, Target, TextSpan, Wants, describe

if TYPE_CHECKING:
    from agent.document.mirror import Mirror

T = TypeVar("T")


def _is_paragraph(mirror: Mirror, block: Block) -> bool:
    """What people count as a paragraph: no heading, title or list item, and not in a table."""
    return (
        block.tag == W_P and block.depth == 0 and bool(block.text.strip()) and block.level is None
        and (block.style != find_style(mirror, "Title") or not block.style)
        and list_of(mirror, block.element) is None
    )  # fmt: skip


_KINDS: dict[str, Summary[Sequence[Block], list[Block]]] = {
    "heading": which(lambda mirror, block: block.level is not None, OUTER_BLOCKS),
    "list item": LIST_ITEMS,
    "paragraph": which(_is_paragraph, OUTER_BLOCKS),
}


def _by_style(blocks: Iterable[Sequence[Block]]) -> dict[str, list[tuple[int, Block]]]:
    """Paragraphs by their style, each with its place among them."""
    found: dict[str, list[tuple[int, Block]]] = {}
    for at, block in enumerate(chain.from_iterable(blocks)):
        found.setdefault(block.style, []).append((at, block))
    return found


_BY_STYLE = Summary(
    lambda mirror, block, element: [b for b in mirror.index.of_block(BLOCKS, block) if b.tag == W_P],
    _by_style,
    style_meanings,
)


def _by_words(headings_: Iterable[Sequence[tuple[str, str]]]) -> dict[str, list[str]]:
    """Ids of headings by what they say, with and without their numbers."""
    found: dict[str, list[str]] = {}
    for block, text in chain.from_iterable(headings_):
        for words in {_fold(text), _fold(_unnumbered(text))}:
            found.setdefault(words, []).append(block)
    return found


_HEADINGS_BY_WORDS = Summary(
    lambda mirror, block, element: tuple((b.id, b.text) for b in mirror.index.of_block(HEADINGS, block)),
    _by_words,
    style_meanings,
)
_TEXT = Summary(
    lambda mirror, block, element: "\n".join(b.text for b in mirror.index.of_block(BLOCKS, block) if b.text),
    lambda values: texts.lowered("\n".join(values)),
)


def _drawings(mirror: Mirror, block: str, element: Any) -> Sequence[tuple[str, Any]]:
    """Pictures, charts and shapes with their kinds."""
    found: list[tuple[str, Any]] = []
    for drawing in element.iter(WP + "inline", WP + "anchor"):
        owner = texts.paragraph_of(drawing)
        record = record_of(mirror, i) if (i := mirror.id_of(owner)) else None
        here = [d for d in owner.iter(WP + "inline", WP + "anchor") if texts.paragraph_of(d) is owner]
        pictures = record.pictures if isinstance(record, Paragraph) else ()
        modern = [p for p in pictures if p.name or p.width]
        if here.index(drawing) < len(modern):
            found.append((modern[here.index(drawing)].kind, drawing))
    return found


_DRAWINGS = listed(_drawings)


class Resolver:
    """Finds what targets name in one document."""

    def __init__(self, mirror: Mirror, selection: Selection | None = None) -> None:
        self.mirror = mirror
        self.selection = selection

    # -- what operations ask for ---------------------------------------------------------------------------------------

    def blocks(self, target: Target) -> list[str]:
        """Ids of whole blocks: paragraphs, tables, content controls."""
        if target.text is not None:
            return list(dict.fromkeys(span.paragraph for span in self.spans(target, beyond_body=False)))
        if target.row is not None or target.column is not None:
            raise InvalidTarget(
                f"{describe(target)} is part of a table; this operation works on whole blocks."
            )
        return self._found(target, self._block_ids(target))

    def paragraphs(self, target: Target) -> list[str]:
        """Ids of paragraphs; those in the cells of a table that is named."""
        if target.text is not None:
            return list(dict.fromkeys(span.paragraph for span in self.spans(target)))
        if target.row is not None or target.column is not None:
            return [self._id(p) for tc in self._cells(target) for p in tc.iterchildren(W_P)]
        found: list[str] = []
        for block in self._block_ids(target):
            element = self.mirror.element(block)
            found += [block] if element.tag == W_P else self._ids(scopes.with_boxes(element.iter(W_P)))
        return self._found(target, found)

    def spans(self, target: Target, *, beyond_body: bool = True) -> list[TextSpan]:
        """Stretches of text: the matches of `text`, or whole paragraphs. Words that the body does not have are looked for in text
        boxes, headers, footers and notes too, unless what is wanted is a block of the body.
        """
        if target.text is None:
            if (
                target.where == "selection"
                and self.selection is not None
                and self.selection.text
                and target.ids is None
            ):
                return self.spans(Target(ids=list(self.selection.blocks), text=self.selection.text, nth=1))
            whole = [TextSpan(p, 0, len(self._text(p))) for p in self.paragraphs(target)]
            return [s for s in whole if s.end] or whole
        matches = self._matches(target, beyond_body)
        if target.nth is not None:
            return [_pick(matches, target.nth, f"match of '{shorten(target.text)}'")]
        if len(matches) > 1 and not target.all:
            raise AmbiguousTarget(self._several(target.text, matches))
        return matches

    def tables(self, target: Target) -> list[str]:
        """Ids of tables."""
        if target.text is not None:
            found = []
            for span in self.spans(target, beyond_body=False):
                node = self.mirror.element(span.paragraph)
                while node is not None and node.tag != W_TBL:
                    node = node.getparent()
                if node is None:
                    raise InvalidTarget(f"The text '{shorten(target.text)}' is not in a table.")
                found.append(self._id(node))
            return list(dict.fromkeys(found))
        found = []
        for block in self._block_ids(target):
            node = self.mirror.element(block)
            if node.tag == W_TBL:
                found.append(block)
            elif node.tag == W_P:
                while node is not None and node.tag != W_TBL:
                    node = node.getparent()
                if node is not None:
                    found.append(self._id(node))
            else:
                found += [self._id(t) for t in node.iter(W_TBL)]
        if not found:
            count = self.mirror.index.count(TABLES)
            raise TargetNotFound(
                f"There is no table at {describe(target)}; the document has {count or 'no'} table{'s' if count != 1 else ''}."
            )
        return list(dict.fromkeys(found))

    def table(self, target: Target) -> str:
        """The id of one table."""
        found = self.tables(target)
        if len(found) > 1:
            names = "; ".join(f"{i}: {self._table_name(t)}" for i, t in enumerate(found, 1))
            raise AmbiguousTarget(f"{describe(target)} names {len(found)} tables; say which one: {names}.")
        return found[0]

    def cells(self, target: Target) -> list[Any]:
        """`w:tc` elements."""
        if self._names_paragraphs(target):
            found = []
            for p in self.paragraphs(target):
                node = self.mirror.element(p)
                while node is not None and node.tag != W_TC:
                    node = node.getparent()
                if node is None:
                    raise InvalidTarget(f"{describe(target)} is not in a table cell.")
                found.append(node)
            return list(dict.fromkeys(found))
        return self._cells(target)

    def cell(self, target: Target) -> Any:
        """One `w:tc` element."""
        found = self.cells(target)
        if len(found) != 1:
            raise AmbiguousTarget(f"{describe(target)} names {len(found)} cells; give both row and column.")
        return found[0]

    def rows(self, target: Target) -> list[Any]:
        """`w:tr` elements."""
        if self._names_paragraphs(target):
            found = []
            for p in self.paragraphs(target):
                node = self.mirror.element(p)
                while node is not None and node.tag != W_TR:
                    node = node.getparent()
                if node is None:
                    raise InvalidTarget(f"{describe(target)} is not in a table row.")
                found.append(node)
            return list(dict.fromkeys(found))
        found = []
        for table in self.tables(_without_cell(target)):
            rows = rows_of(self.mirror.element(table))
            found += rows if target.row is None else [self._row(rows, target)]
        return found

    def table_or_rows(self, target: Target) -> str | list[Any]:
        """The id of one table, or `w:tr` elements of one table if the target names rows or something in them."""
        whole = target.row is None and target.text is None and target.every != "header row"
        if whole and not self._names_paragraphs(target):
            return self.table(target)
        rows = self.rows(target)
        if len({_table_of(r) for r in rows}) > 1:
            raise AmbiguousTarget(f"{describe(target)} names rows of several tables; say which table.")
        return rows

    def _names_paragraphs(self, target: Target) -> bool:
        """Whether a target for cells or rows names them by paragraphs in them and not by a table."""
        if target.row is not None or target.column is not None:
            return target.text is not None
        if target.text is not None or target.every == "header row":
            return True
        ids = self._place("selection") if target.where == "selection" else target.ids or ()
        return any(self.mirror.element(i).tag == W_P for i in ids)

    def drawings(self, target: Target) -> list[Any]:
        """`wp:inline` and `wp:anchor` elements, those of pictures and charts."""
        kind = "chart" if target.chart is not None or target.every == "chart" else "picture"
        number = target.chart if target.chart is not None else target.picture
        if number is None and target.every not in ("picture", "chart"):
            found = [
                d
                for p in self.paragraphs(target)
                for d in self.mirror.element(p).iter(WP + "inline", WP + "anchor")
            ]
            if not found:
                raise TargetNotFound(f"There is no picture or chart in {describe(target)}.")
            return found
        every = self._drawings(kind)
        where = "The document"
        if target.section is not None:
            inside = set(self.paragraphs(Target(section=target.section)))
            every = [d for d in every if self.mirror.id_of(texts.paragraph_of(d)) in inside]
            where = f"The section '{shorten(target.section)}'"
        if not every:
            raise TargetNotFound(f"{where} has no {kind}.")
        return every if number is None else [_pick(every, number, kind)]

    def drawing(self, target: Target) -> Any:
        """One `wp:inline` or `wp:anchor` element."""
        found = self.drawings(target)
        if len(found) > 1:
            raise AmbiguousTarget(
                f"{describe(target)} names {len(found)} pictures; give the picture's number."
            )
        return found[0]

    def place(self, place: Place) -> tuple[Literal["after", "before", "start", "end"], str]:
        """Where something new goes: behind or before the block with the id, or at the start or end (empty id)."""
        if place.at is not None:
            return place.at, ""
        gone = self._gone(place)
        if gone is not None:
            return gone
        if place.after is not None:
            return "after", self._anchor(place.after)[-1]
        assert place.before is not None
        target = place.before
        if target.section is not None and target.text is None and target.every is None:
            target = Target(heading=target.section)
        return "before", self._anchor(target)[0]

    def _gone(self, place: Place) -> tuple[Literal["after", "start"], str] | None:
        """Where a place is whose block was made by a step that is being undone: behind what stood before that block."""
        target = place.after or place.before
        ids = target.ids if target is not None else None
        if not ids or self.mirror.has(ids[0]) or ids[0] not in self.mirror.tombstones:
            return None
        block: str | None = ids[0]
        while block is not None and not self.mirror.has(block):
            block = self.mirror.tombstones.get(block)
        return ("after", block) if block is not None else ("start", "")

    def with_heading(self, target: Target) -> Target:
        """A section together with its heading line, for operations on whole sections; any other target as it is."""
        if target.section is None or target.text is not None or target.every is not None:
            return target
        heading = self._heading(target.section)
        return Target(ids=[heading.id, *section_blocks(self.mirror, heading)])

    # -- binding -------------------------------------------------------------------------------------------------------

    def bind(self, target: Target, wants: Wants) -> Target:
        """The same target by ids: what it means in the document as it is now."""
        match wants:
            case Wants.BLOCKS:
                return Target(ids=self.blocks(target))
            case Wants.PARAGRAPHS:
                return Target(ids=self.paragraphs(target))
            case Wants.SPANS:
                return self._bind_spans(target)
            case Wants.TABLE:
                return Target(ids=[self.table(target)])
            case Wants.TABLES:
                return Target(ids=self.tables(target))
            case Wants.ROWS:
                return Target(ids=[self._first_paragraph(r) for r in self.rows(target)])
            case Wants.TABLE_OR_ROWS:
                found = self.table_or_rows(target)
                if isinstance(found, str):
                    return Target(ids=[found])
                return Target(ids=[self._first_paragraph(r) for r in found])
            case Wants.CELLS:
                return Target(ids=[self._first_paragraph(c) for c in self.cells(target)])
            case Wants.CELL:
                return Target(ids=[self._first_paragraph(self.cell(target))])
            case Wants.DRAWING | Wants.DRAWINGS:
                return self._bind_drawings(target, wants)

    def bind_place(self, place: Place) -> Place:
        """The same place by id."""
        side, block = self.place(place)
        if side in ("start", "end"):
            return Place(at=side)
        anchor = Target(ids=[block])
        return Place(after=anchor) if side == "after" else Place(before=anchor)

    def _bind_spans(self, target: Target) -> Target:
        spans = self.spans(target)
        text = target.text
        if (
            text is None
            and target.where == "selection"
            and self.selection
            and self.selection.text
            and not target.ids
        ):
            text = self.selection.text
        ids = list(dict.fromkeys(s.paragraph for s in spans))
        if text is None:
            return Target(ids=ids)
        if len(spans) > 1 or target.all:
            return Target(ids=ids, text=text, all=True)
        inside = self._matches(Target(ids=ids, text=text, all=True))
        nth = inside.index(spans[0]) + 1
        return Target(ids=ids, text=text, nth=nth)

    def _bind_drawings(self, target: Target, wants: Wants) -> Target:
        found = [self.drawing(target)] if wants is Wants.DRAWING else self.drawings(target)
        owners = [texts.paragraph_of(d) for d in found]
        ids = list(dict.fromkeys(self._id(p) for p in owners))
        held = [d for i in ids for d in self.mirror.element(i).iter(WP + "inline", WP + "anchor")]
        if len(held) != len(found):  # several in one paragraph: only its number tells which
            return target
        return Target(ids=ids)

    # -- how things are found ------------------------------------------------------------------------------------------

    def _id(self, element: Any) -> str:
        found = self.mirror.id_of(element)
        if found is None:
            raise TargetNotFound("That part of the document cannot be addressed.")
        return found

    def _ids(self, elements: Iterable[Any]) -> list[str]:
        return [i for e in elements if (i := self.mirror.id_of(e)) is not None]

    def _first_paragraph(self, container: Any) -> str:
        """Of a `w:tc`, or of the first cell of a `w:tr`: its own paragraph, not one of a table that lies in it."""
        cells = cells_of(container) if container.tag == W_TR else []
        cell = cells[0] if cells else container
        own = next(cell.iterchildren(W_P), None)
        return self._id(own if own is not None else next(cell.iter(W_P), None))

    def _found(self, target: Target, ids: list[str]) -> list[str]:
        if not ids and target.where == "document":
            raise TargetNotFound("The document has no text.")
        if not ids:
            raise TargetNotFound(f"The document has nothing like {describe(target)}.")
        return list(dict.fromkeys(ids))

    def _anchor(self, target: Target) -> list[str]:
        """Blocks to put something beside: a table for a place in a table, the paragraph of a picture."""
        if target.picture is not None or target.chart is not None:
            return [self._id(texts.paragraph_of(self.drawings(target)[-1]))]
        if target.ids is not None and target.text is None:
            return self._found(target, self._block_ids(target))
        if target.text is not None:
            spans = self.spans(target, beyond_body=False)
            return [self._outermost(s.paragraph) for s in spans]
        if target.section is not None and target.every is None:
            heading = self._heading(target.section)
            return [heading.id, *section_blocks(self.mirror, heading)]
        return self.blocks(_without_cell(target))

    def _outermost(self, paragraph: str) -> str:
        """The table that a cell paragraph lies in; the paragraph itself elsewhere."""
        node, found = self.mirror.element(paragraph), None
        while node is not None:
            if node.tag == W_TBL:
                found = node
            node = node.getparent()
        return paragraph if found is None else self._id(found)

    def _block_ids(self, target: Target) -> list[str]:
        """Blocks named by all ways but text and cells; not de-duplicated, may be empty."""
        mirror = self.mirror
        if target.ids is not None:
            # of several blocks, those that a step made which is being undone are not missed
            left = [i for i in target.ids if mirror.has(i) or i not in mirror.tombstones] or target.ids
            for block in left:
                mirror.element(block)
            return list(left)
        if target.section is not None:
            heading = self._heading(target.section)
            inside = section_blocks(mirror, heading)
            return inside if target.every is None else self._among(inside, target.every)
        if target.heading is not None:
            return [self._heading(target.heading).id]
        if target.paragraph is not None:
            return [self._nth_of(_KINDS["paragraph"], target.paragraph, "paragraph").id]
        if target.table is not None:
            return [self._nth_of(TABLES, target.table, "table")]
        if target.picture is not None or target.chart is not None:
            return [self._id(texts.paragraph_of(d)) for d in self.drawings(target)]
        if target.style is not None:
            return self._in_style(target.style)
        if target.every is not None:
            return self._of_kind(target.every)
        return self._place(target.where or "document")

    def _place(self, where: str) -> list[str]:
        match where:
            case "selection":
                if self.selection is None or not self.selection.blocks:
                    raise TargetNotFound("Nothing is selected in the document.")
                return [b for b in self.selection.blocks if self.mirror.has(b)]
            case "document":
                return [b.id for b in walk(self.mirror) if b.depth == 0]
            case "title":
                return self._title()
            case "first paragraph" | "last paragraph":
                blocks = from_edge(self.mirror, "start" if where == "first paragraph" else "end")
                written = (b.id for b in blocks if b.tag == W_P and b.depth == 0 and b.text.strip())
                return list(itertools.islice(written, 1))
            case _:
                raise InvalidTarget(f"'{where}' is not a place.")

    def _title(self) -> list[str]:
        style = find_style(self.mirror, "Title")
        for of_style in self.mirror.index.of_chunks(_BY_STYLE) if style else ():
            titled = [b.id for _, b in of_style.get(style or "", ()) if b.text.strip()]
            if titled:
                return titled[:1]
        first = next((b for b in from_edge(self.mirror, "start") if b.tag == W_P and b.text.strip()), None)
        sentence = first.text.rstrip().endswith((".", "!", "?", ":", ",", ";")) if first is not None else True
        if first is not None and (first.level == 1 or (len(first.text) <= 120 and not sentence)):
            return [first.id]
        raise TargetNotFound("The document has no title; its first line reads like body text.")

    def _in_style(self, name: str) -> list[str]:
        style = find_style(self.mirror, name)
        chunks = list(self.mirror.index.of_chunks(_BY_STYLE))
        if style is None:
            used: set[str] = {s for of_style in chunks for s in of_style}
            raise TargetNotFound(
                f"The document has no style '{name}'; in use are {', '.join(sorted(used - {''})) or 'Normal only'}."
            )
        wanted = {style}
        if style == default_style(self.mirror):
            wanted.add("")
        found = (
            sorted(chain.from_iterable(of_style.get(s, ()) for s in wanted), key=itemgetter(0))
            for of_style in chunks
        )
        return [block.id for _, block in chain.from_iterable(found)]

    def _of_kind(self, kind: Kind) -> list[str]:
        index = self.mirror.index
        if kind in ("picture", "chart"):
            return [self._id(texts.paragraph_of(d)) for d in self._drawings(kind)]
        if kind == "header row":
            found: list[str] = []
            for table in index.all(TABLES):
                if rows := rows_of(self.mirror.element(table)):
                    found += [self._id(p) for tc in cells_of(rows[0]) for p in tc.iterchildren(W_P)]
            return found
        return list(index.all(TABLES)) if kind == "table" else [b.id for b in index.all(_KINDS[kind])]

    def _among(self, blocks: Sequence[str], kind: Kind) -> list[str]:
        """Those of the blocks that are of a kind."""
        index = self.mirror.index
        if kind not in _KINDS:
            every = set(self._of_kind(kind))
            return [b for b in blocks if b in every]
        inside = ({b.id for b in index.of_block(_KINDS[kind], self.mirror.owner(block))} for block in blocks)
        return [block for block, known in zip(blocks, inside, strict=True) if block in known]

    def _nth_of(self, listing: Summary[Sequence[T], list[T]], number: int, noun: str) -> T:
        """What people call number 1, 2, ..., or -1 for the last."""
        found = self.mirror.index.nth(listing, number) if number else None
        return found if found is not None else _pick(self.mirror.index.all(listing), number, noun)

    def _drawings(self, kind: str) -> list[Any]:
        return [drawing for found, drawing in self.mirror.index.all(_DRAWINGS) if found == kind]

    def _heading(self, words: str) -> Block:
        wanted = _fold(words)
        said = self.mirror.index.of_chunks(_HEADINGS_BY_WORDS)
        ids = [block for by_words in said for block in by_words.get(wanted, ())]
        if len(ids) == 1:
            here = self.mirror.index.of_block(HEADINGS, self.mirror.owner(ids[0]))
            return next(h for h in here if h.id == ids[0])
        every = headings(self.mirror)
        exact = [h for h in every if h.id in set(ids)]
        found = exact or [h for h in every if wanted and wanted in _fold(h.text)]
        if not found:
            exact_number = [h for h in every if h.text.split(" ")[0].rstrip(".") == words.strip().rstrip(".")]
            found = exact_number
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(f"'{shorten(h.text)}' ({h.id})" for h in found[:6])
            raise AmbiguousTarget(f"{len(found)} headings match '{words}': {names}.")
        near = difflib.get_close_matches(wanted, [_fold(h.text) for h in every], 3, 0.5)
        names = [h.text for h in every if _fold(h.text) in near] or [h.text for h in every[:6]]
        hint = (
            f"; there is {', '.join(repr(shorten(n)) for n in names)}"
            if names
            else "; the document has no headings"
        )
        raise TargetNotFound(f"There is no heading '{words}'{hint}.")

    def _matches(self, target: Target, beyond_body: bool = False) -> list[TextSpan]:
        assert target.text is not None
        if not target.text.strip("\n"):
            raise InvalidValue("The text to find is empty.")
        scope = [n for n in WAYS if n != "text" and getattr(target, n) is not None]
        inside = target.model_copy(update={"text": None, "nth": None, "all": False})
        if not scope and (found := self._in_body(target.text)):
            return found
        paragraphs = self.paragraphs(inside) if scope else [b.id for b in walk(self.mirror) if b.tag == W_P]
        found = self._occurrences(target.text, paragraphs) if scope else []
        if not found and beyond_body:
            here = (self.mirror.element(p) for p in paragraphs)
            more = self._ids(scopes.with_boxes(here) if scope else scopes.paragraphs(self.mirror))
            known = set(paragraphs)
            found = self._occurrences(target.text, [i for i in more if i not in known])
        if not found:
            raise TargetNotFound(self.nearest_text(target.text, paragraphs))
        return found

    def _text(self, paragraph: str) -> str:
        """The text of a paragraph, as it is known already."""
        return known_text(self.mirror, self.mirror.element(paragraph))

    def _occurrences(self, words: str, paragraphs: Iterable[str]) -> list[TextSpan]:
        """In this letter case, or else in any."""
        said = [(p, self._text(p)) for p in paragraphs]
        return self._found_in(words, lambda words, match_case: said)

    def _in_body(self, words: str) -> list[TextSpan]:
        """Likewise, in all of the body: chunks whose text does not have the words are passed over as a whole."""
        index = self.mirror.index

        def likely(words: str, match_case: bool) -> Iterator[tuple[str, str]]:
            for chunk in index.chunks:
                if texts.may_hold(index.of_chunk(_TEXT, chunk), words):
                    yield from ((b.id, b.text) for b in index.of_chunk(BLOCKS, chunk) if b.tag == W_P)

        return self._found_in(words, likely)

    @staticmethod
    def _found_in(words: str, where: Callable[[str, bool], Iterable[tuple[str, str]]]) -> list[TextSpan]:
        for match_case in (True, False):
            found = [
                TextSpan(p, a, b)
                for p, text in where(words, match_case)
                for a, b in texts.find_all(text, words, match_case=match_case)
            ]
            if found:
                return found
        return []

    def nearest_text(self, words: str, paragraphs: Sequence[str]) -> str:
        lines = [t for p in paragraphs if (t := self._text(p).strip())]
        by_fold = {_fold(line)[: len(words) * 2 + 20]: line for line in lines[:5000]}
        near = difflib.get_close_matches(_fold(words), by_fold, 1, 0.5)
        hint = f"; the nearest is '{shorten(by_fold[near[0]], 60)}'" if near else ""
        return f"The text '{shorten(words, 60)}' is not in the document{hint}."

    def _several(self, words: str, spans: Sequence[TextSpan]) -> str:
        places = "; ".join(
            f"{i}: {s.paragraph} '{shorten(texts.text_of(self.mirror.element(s.paragraph))[max(0, s.start - 15) : s.end + 20])}'"
            for i, s in enumerate(spans[:6], 1)
        )
        more = f"; and {len(spans) - 6} more" if len(spans) > 6 else ""
        return f"'{shorten(words)}' is there {len(spans)} times; say which one (nth) or all: {places}{more}."

    def _cells(self, target: Target) -> list[Any]:
        one = target.every is None
        tables = [self.table(_without_cell(target))] if one else self.tables(_without_cell(target))
        found: list[Any] = []
        for table in tables:
            rows = rows_of(self.mirror.element(table))
            if not rows:
                raise InvalidTarget("The table has no rows.")
            chosen = rows if target.row is None else [self._row(rows, target)]
            if target.column is None:
                found += [tc for r in chosen for tc in cells_of(r)]
                continue
            column = self._column(table, rows, target.column)
            found += [tc for r in chosen if (tc := cell_at(r, column)) is not None]
        if not found:
            raise TargetNotFound(f"There is no cell at {describe(target)}.")
        return found

    def _row(self, rows: Sequence[Any], target: Target) -> Any:
        return _pick(rows, 1 if target.row == "header" else int(target.row or 1), "row")

    def _column(self, table: str, rows: Sequence[Any], column: int | str) -> int:
        """Grid column, from 0."""
        record = record_of(self.mirror, table)
        width = record.columns if isinstance(record, Table) else 0
        if isinstance(column, str) and column.strip().lstrip("-").isdigit():
            column = int(column)
        if isinstance(column, int):
            return _pick(list(range(width)), column, "column")
        header: list[tuple[str, int]] = []
        at = 0
        for tc in cells_of(rows[0]):
            header.append((" ".join(texts.text_of(p) for p in tc.iterchildren(W_P)).strip(), at))
            at += span_of(tc)
        found = [i for name, i in header if _fold(name) == _fold(column)] or [
            i for name, i in header if _fold(column) in _fold(name)
        ]
        if len(found) == 1:
            return found[0]
        names = ", ".join(f"'{n}'" for n, _ in header)
        if found:
            raise AmbiguousTarget(f"{len(found)} columns match '{column}'; the columns are {names}.")
        raise TargetNotFound(f"There is no column '{column}'; the columns are {names}.")

    def _table_name(self, table: str) -> str:
        rows = rows_of(self.mirror.element(table))
        texts_ = (
            [" ".join(texts.text_of(p) for p in tc.iter(W_P)) for tc in cells_of(rows[0])] if rows else []
        )
        return f"{table} '{shorten(', '.join(texts_))}'"


def cell_at(row: Any, column: int) -> Any | None:
    """The `w:tc` of a row that covers a grid column (from 0); rows may start later (`w:gridBefore`)."""
    before = row.find(".//{*}trPr/{*}gridBefore")
    at = int(before.get(before.tag.replace("gridBefore", "val"), "0")) if before is not None else 0
    for tc in cells_of(row):
        span = span_of(tc)
        if at <= column < at + span:
            return tc
        at += span
    return None


def span_of(tc: Any) -> int:
    """Grid columns that a cell covers (`w:gridSpan`)."""
    span = tc.find("{*}tcPr/{*}gridSpan")
    value = next(iter(span.values()), "1") if span is not None else "1"
    return max(int(value), 1) if value.isdigit() else 1


def _table_of(row: Any) -> Any:
    """The `w:tbl` that a `w:tr` belongs to."""
    node = row.getparent()
    while node.tag != W_TBL:
        node = node.getparent()
    return node


def _without_cell(target: Target) -> Target:
    return target.model_copy(update={"row": None, "column": None})


def _pick(items: Sequence[T], number: int, noun: str) -> T:
    """The item that people call number 1, 2, ..., or -1 for the last."""
    if 1 <= number <= len(items):
        return items[number - 1]
    if number < 0 and -number <= len(items):
        return items[number]
    count = f"{len(items)} {noun}{'s' if len(items) != 1 else ''}" if items else f"no {noun}"
    raise TargetNotFound(f"There is no {noun} {number}; the document has {count} here.")


def _fold(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .:")


def _unnumbered(text: str) -> str:
    head, _, rest = text.partition(" ")
    return rest if rest and head.rstrip(".)").replace(".", "").isdigit() else text
