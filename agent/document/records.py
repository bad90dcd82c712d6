"""What is known of one block, read from its XML: plain, immutable, local.

Local means that nothing here depends on another block: styles by id, lists by number id, targets by relationship id.
What depends on others (effective formatting, list labels, the heading a paragraph is under) is a view over records.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import compress
from operator import is_not
from typing import TYPE_CHECKING, Any, NamedTuple

from lxml import etree

from agent.document.names import (
    MC,
    W_P,
    W_PPR,
    W_R,
    W_RPR,
    W_SDT,
    W_SECTPR,
    W_T,
    W_TBL,
    W_TBLPR,
    W_TC,
    W_TCPR,
    W_TR,
    W_TRPR,
    W_TXBX,
    W_VAL,
    WP,
    A,
    C,
    M,
    R,
    V,
    W,
)
from agent.document.text import pieces_of, text_of

if TYPE_CHECKING:
    from agent.document.mirror import Mirror

Properties = tuple[tuple[str, str], ...]
"""Sorted pairs of a property's path and its value as text ("alignment", "center"; "bold", "on")."""


class Span(NamedTuple):
    """Characters in a row that have the same direct formatting."""

    start: int
    end: int
    properties: Properties


@dataclass(frozen=True)
class Link:
    """A hyperlink: its text and where it leads (an address, or "#bookmark")."""

    text: str
    target: str


@dataclass(frozen=True)
class Picture:
    """A drawing in a paragraph: picture, chart or shape."""

    kind: str
    """"picture", "chart" or "shape"."""
    name: str
    alt: str
    width: int
    """EMU; 914,400 to the inch."""
    height: int
    reference: str
    """What it shows: the part's name."""
    floating: bool
    decorative: bool = False
    """Marked as carrying no meaning, so that screen readers skip it."""


@dataclass(frozen=True)
class Paragraph:
    """A `w:p`."""

    id: str
    style: str
    """Style id; empty for the default style."""
    text: str
    spans: tuple[Span, ...]
    properties: Properties
    mark: Properties
    """Formatting of the paragraph mark."""
    links: tuple[Link, ...] = ()
    pictures: tuple[Picture, ...] = ()
    interactive: tuple[tuple[str, str], ...] = ()
    """Fields, bookmarks, comment anchors, notes, controls, revisions: kind and value, in order."""
    section: Properties | None = None
    """Page layout of the section that ends here."""
    inner: tuple[Any, ...] = ()
    """Paragraphs of its text boxes."""
    rest: tuple[tuple[str, str], ...] = ()
    """What is in it besides, as kind and value, so that a change of it is seen: formulas, tracked deletions, what a picture looks
    like apart from its size and texts, old drawings and objects, ruby text."""


@dataclass(frozen=True)
class Cell:
    """A `w:tc`."""

    properties: Properties
    span: int
    """Grid columns."""
    merge: str
    """Vertical merge: "" none, "restart" first, "continue" below."""
    blocks: tuple[Any, ...]

    @property
    def text(self) -> str:
        """Texts of its paragraphs, one a line."""
        return "\n".join(b.text for b in self.blocks if isinstance(b, (Paragraph, Table)))


@dataclass(frozen=True)
class Row:
    """A `w:tr`."""

    properties: Properties
    cells: tuple[Cell, ...]

    @cached_property
    def holds_blocks(self) -> bool:
        """Whether anything but paragraphs lies in its cells."""
        return any(not isinstance(block, Paragraph) for cell in self.cells for block in cell.blocks)

    @cached_property
    def width(self) -> int:
        """Number of grid columns that its cells cover."""
        return sum(cell.span for cell in self.cells)


@dataclass(frozen=True)
class Table:
    """A `w:tbl`."""

    id: str
    style: str
    properties: Properties
    grid: tuple[int, ...]
    """Column widths in twentieths of a point."""
    rows: tuple[Row, ...]

    @property
    def text(self) -> str:
        """Cells' texts joined by tabs, rows by newlines."""
        return "\n".join("\t".join(c.text for c in r.cells) for r in self.rows)

    @cached_property
    def columns(self) -> int:
        """Number of grid columns."""
        return max((row.width for row in self.rows), default=len(self.grid))


@dataclass(frozen=True)
class Control:
    """A block-level `w:sdt`, or a `w:customXml` around blocks of the body."""

    id: str
    properties: Properties
    blocks: tuple[Any, ...]

    @property
    def text(self) -> str:
        """Texts of its blocks, one a line."""
        return "\n".join(b.text for b in self.blocks if isinstance(b, (Paragraph, Table, Control)))


@dataclass(frozen=True)
class Section:
    """The last `w:sectPr` of the body."""

    id: str
    layout: Properties


@dataclass(frozen=True)
class Style:
    """A `w:style`."""

    id: str
    style: str
    name: str
    type: str
    properties: Properties


@dataclass(frozen=True)
class Other:
    """Any other block: a list definition, a comment, a setting, a core property."""

    id: str
    tag: str
    """Local name; for a property of the document that a user defined, "property" and its name."""
    text: str
    digest: bytes
    """Canonical form of its XML."""


W_CUSTOM_XML = W + "customXml"
Record = Paragraph | Table | Control | Section | Style | Other


def record_of(mirror: Mirror, block: str) -> Record:
    """What is known of a block (or of an addressable element inside one); cached until it is touched."""
    found = mirror.records.get(block)
    if found is None:
        found = mirror.records[block] = read(mirror, mirror.element(block))
    return found


def read(mirror: Mirror, element: Any) -> Record:
    """Read an element that has an id."""
    match element.tag:
        case _ if element.tag == W_P:
            return _paragraph(mirror, element)
        case _ if element.tag == W_TBL:
            return _table(mirror, element)
        case _ if element.tag in (W_SDT, W_CUSTOM_XML):
            return _control(mirror, element)
        case _ if element.tag == W_SECTPR:
            return Section(mirror.id_of(element) or "", section_layout(element))
        case _ if element.tag == W + "style":
            return _style(mirror, element)
        case _:
            return _other(mirror, element)


# -- paragraphs --------------------------------------------------------------------------------------------------------


def _paragraph(mirror: Mirror, p: Any) -> Paragraph:
    ppr = p.find(W_PPR)
    style, properties, mark, section = "", (), (), None
    if ppr is not None:
        style_el = ppr.find(W + "pStyle")
        style = style_el.get(W_VAL, "") if style_el is not None else ""
        properties = paragraph_properties(ppr)
        mark = run_properties(ppr.find(W_RPR))
        sect = ppr.find(W_SECTPR)
        section = section_layout(sect) if sect is not None else None
    pieces = pieces_of(p)
    text = "".join([piece.text for piece in pieces])
    links: list[Link] = []
    pictures: list[Picture] = []
    interactive: list[tuple[str, str]] = []
    _scan(mirror, p, links, pictures, interactive)
    inner = tuple(known(mirror, q) for q in _boxed(p)) if pictures else ()
    return Paragraph(
        mirror.id_of(p) or "",
        style,
        text,
        _spans(pieces),
        properties,
        mark,
        tuple(links),
        tuple(pictures),
        tuple(interactive),
        section,
        inner,
        _rest(p),
    )


def _rest(p: Any) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    for node in p.iter(*_REST):
        if next(node.iterancestors(W_P), None) is not p:
            continue  # in a text box, whose paragraphs have records of their own
        kind = _REST[node.tag]
        if node.tag == W + "delText":
            found.append((kind, node.text or ""))
        elif node.getparent().tag != node.tag:
            said = [node] if kind == "formula" else node.findall(W + "rt") if kind == "ruby text" else []
            words = "".join(t.text or "" for part in said for t in part.iter(M + "t", W_T))
            digest = hashlib.blake2b(repr(_bare(node)).encode(), digest_size=8).hexdigest()
            found.append((kind, f"{words} ({digest})".strip()))
    return tuple(found)


_REST = {
    M + "oMath": "formula",
    W + "delText": "tracked deletion",
    A + "graphic": "picture details",
    W + "pict": "old drawing",
    W + "object": "object",
    W + "ruby": "ruby text",
}
_LOOSE = {
    "cx",
    "cy",
    "style",
    "alt",
    "title",
    "id",
    "name",
    "descr",
    "spid",
    R + "embed",
    R + "link",
    R + "id",
    R + "pict",
}


_TEXT_HOLDERS = (W_TXBX, W + "rubyBase")


def _bare(element: Any) -> Any:
    """An element without what records hold of it elsewhere: sizes, names, targets, the paragraphs of text boxes, the base of ruby
    text.
    """
    if not isinstance(element.tag, str) or element.tag in _TEXT_HOLDERS:
        return None
    attributes = sorted(
        (k, v) for k, v in element.items() if k not in _LOOSE and k.rpartition("}")[2] != "spid"
    )
    text = etree.ElementBase.text.__get__(element) or ""  # type: ignore[attr-defined]
    return element.tag, attributes, text, [_bare(child) for child in element]


def _boxed(p: Any) -> Iterator[Any]:
    """The paragraphs of the text boxes of `p`, without those in boxes inside them, and without the copy of a box for programs
    that do not know DrawingML.
    """
    stack = [iter(p)]
    while stack:
        element = next(stack[-1], None)
        if element is None:
            stack.pop()
        elif element.tag == W_P:
            yield element
        elif element.tag not in (MC + "Fallback", W_T):
            stack.append(iter(element))


def _format_of(run: Any) -> Any | None:
    """The `w:rPr` of a run, which stands first."""
    first = run[0] if len(run) else None
    return first if first is not None and first.tag == W_RPR else run.find(W_RPR)


def _spans(pieces: list[Any]) -> tuple[Span, ...]:
    found: list[Span] = []
    for piece in pieces:
        properties = run_properties(_format_of(piece.run))
        if found and found[-1].properties == properties:
            found[-1] = Span(found[-1].start, piece.end, properties)
        else:
            found.append(Span(piece.start, piece.end, properties))
    return tuple(found)


def _scan(
    mirror: Mirror,
    element: Any,
    links: list[Link],
    pictures: list[Picture],
    interactive: list[tuple[str, str]],
) -> None:
    """Collect what is not plain text, in document order, without going into text boxes."""
    for child in element:
        tag = child.tag
        if tag in _PLAIN:
            continue
        if tag == W_R:
            _scan(mirror, child, links, pictures, interactive)
        elif tag == W + "hyperlink":
            rid, anchor = child.get(R + "id"), child.get(W + "anchor")
            target = _external(mirror, child, rid) if rid else f"#{anchor}"
            links.append(Link(text_of(child), target))
            _scan(mirror, child, links, pictures, interactive)
        elif tag in (WP + "inline", WP + "anchor"):
            pictures.append(_picture(mirror, child))
        elif tag == W + "drawing":
            _scan(mirror, child, links, pictures, interactive)
        elif tag in (W + "pict", W + "object"):
            pictures.append(_vml(mirror, child))
        elif tag.__class__ is str and tag.endswith("}AlternateContent"):
            choice = next(iter(child), None)
            if choice is not None:
                _scan(mirror, choice, links, pictures, interactive)
        elif tag in _INTERACTIVE:
            interactive.append((_INTERACTIVE[tag], _interactive_value(child)))
            if tag in _CONTAINERS:
                _scan(mirror, child, links, pictures, interactive)
        elif tag in _CONTAINERS:
            _scan(mirror, child, links, pictures, interactive)


_PLAIN = frozenset((W_T, W_RPR, W_PPR, W + "tab", W + "br", W + "delText"))
_INTERACTIVE = {
    W + "fldChar": "field",
    W + "instrText": "field code",
    W + "fldSimple": "field code",
    W + "bookmarkStart": "bookmark",
    W + "bookmarkEnd": "bookmark end",
    W + "commentRangeStart": "comment start",
    W + "commentRangeEnd": "comment end",
    W + "commentReference": "comment",
    W + "footnoteReference": "footnote",
    W + "endnoteReference": "endnote",
    W + "sdt": "content control",
    W + "ins": "insertion",
    W + "del": "deletion",
    W + "moveFrom": "moved away",
    W + "moveTo": "moved here",
    W + "permStart": "permission",
}
_CONTAINERS = {
    W + name
    for name in (
        "ins",
        "del",
        "moveTo",
        "moveFrom",
        "smartTag",
        "sdt",
        "sdtContent",
        "fldSimple",
        "customXml",
        "dir",
        "bdo",
    )
}


def _interactive_value(element: Any) -> str:
    if element.tag == W + "instrText":
        return (element.text or "").strip()
    if element.tag == W + "sdt":
        alias = element.find(f"{W}sdtPr/{W}alias")
        tag = element.find(f"{W}sdtPr/{W}tag")
        found = alias if alias is not None else tag
        return found.get(W_VAL, "") if found is not None else ""
    for name in ("instr", "fldCharType", "name", "author", "id"):
        value = element.get(W + name)
        if value is not None:
            return value
    return ""


def _external(mirror: Mirror, element: Any, rid: str) -> str:
    try:
        rel = mirror.part_of(element).rels.get(rid)
    except LookupError:
        rel = None
    if rel is None:
        return f"?{rid}"
    return rel.target_ref if rel.is_external else str(rel.target_part.partname)


def _picture(mirror: Mirror, drawing: Any) -> Picture:
    extent, properties = drawing.find(WP + "extent"), drawing.find(WP + "docPr")
    blip = next(drawing.iter(A + "blip"), None)
    chart = next(drawing.iter(C + "chart"), None)
    kind, rid = "shape", None
    if chart is not None:
        kind, rid = "chart", chart.get(R + "id")
    elif blip is not None:
        kind, rid = "picture", blip.get(R + "embed") or blip.get(R + "link")
    return Picture(
        kind,
        properties.get("name", "") if properties is not None else "",
        properties.get("descr", "") if properties is not None else "",
        int(extent.get("cx", "0")) if extent is not None else 0,
        int(extent.get("cy", "0")) if extent is not None else 0,
        _internal(mirror, drawing, rid),
        drawing.tag == WP + "anchor",
        properties is not None and is_decorative(properties),
    )


def is_decorative(properties: Any) -> bool:
    """Whether a `wp:docPr` says so, in an extension of Word 2019."""
    return any(e.get("val") in ("1", "true") for e in properties.iter(ADEC + "decorative"))


ADEC = "{http://schemas.microsoft.com/office/drawing/2017/decorative}"


def _vml(mirror: Mirror, pict: Any) -> Picture:
    data = next(pict.iter(V + "imagedata"), None)
    shape = next(pict.iter(V + "shape"), None)
    rid = data.get(R + "id") if data is not None else None
    alt = shape.get("alt", "") if shape is not None else ""
    return Picture("picture" if rid else "shape", "", alt, 0, 0, _internal(mirror, pict, rid), False)


def _internal(mirror: Mirror, element: Any, rid: str | None) -> str:
    if not rid:
        return ""
    return _external(mirror, element, rid)


# -- tables, controls, sections, styles, others ------------------------------------------------------------------------


def _blocks(mirror: Mirror, container: Any) -> tuple[Any, ...]:
    return tuple(known(mirror, child) for child in blocks_in(container))


def known_text(mirror: Mirror, paragraph: Any) -> str:
    """The text of a `w:p`, as it is known already."""
    record = known(mirror, paragraph)
    return record.text if isinstance(record, Paragraph) else text_of(paragraph)


def known(mirror: Mirror, element: Any) -> Record:
    """What is known of an element, cached if it has an id."""
    block = mirror.id_of(element)
    return record_of(mirror, block) if block is not None else read(mirror, element)


def blocks_in(container: Any) -> Iterator[Any]:
    """The paragraphs, tables and content controls of a container, also those that a `w:customXml` inside it holds."""
    stack = [iter(container)]
    while stack:
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
        elif child.tag in (W_P, W_TBL, W_SDT):
            yield child
        elif child.tag == W_CUSTOM_XML:
            stack.append(iter(child))


def _table(mirror: Mirror, tbl: Any) -> Table:
    tblpr = tbl.find(W_TBLPR)
    style = tblpr.find(W + "tblStyle") if tblpr is not None else None
    grid = tbl.find(W + "tblGrid")
    id_ = mirror.id_of(tbl)
    return Table(
        id_ or "",
        style.get(W_VAL, "") if style is not None else "",
        _with_look(flat_properties(tblpr, skip=("tblStyle",))),
        tuple(_int(g.get(W + "w", "0")) for g in grid) if grid is not None else (),
        _known_rows(mirror, tbl) if id_ is not None else tuple(read_row(mirror, tr) for tr in rows_of(tbl)),
    )


LOOK_BITS = {
    "firstRow": 0x20, "lastRow": 0x40, "firstColumn": 0x80, "lastColumn": 0x100, "noHBand": 0x200, "noVBand": 0x400,
}  # fmt: skip
"""Which parts of a table style show: attributes of `w:tblLook`, and their bits in the `w:val` of older files."""


def _with_look(properties: Properties) -> Properties:
    """`w:tblLook` says the same twice, and older files only in one number: each part by its name, "1" or "0"."""
    found = dict(properties)
    value = found.pop("tblLook", None)
    if value is None and not any(f"tblLook.{name}" in found for name in LOOK_BITS):
        return properties
    bits = int(value, 16) if value and all(c in "0123456789abcdefABCDEF" for c in value) else 0
    for name, bit in LOOK_BITS.items():
        written = found.get(f"tblLook.{name}", "1" if bits & bit else "0")
        found[f"tblLook.{name}"] = "1" if written in ("1", "true", "on") else "0"
    return tuple(sorted(found.items()))


def rows_of(tbl: Any) -> list[Any]:
    """The `w:tr` elements of a table, also those inside content controls and tracked changes."""
    return _through(tbl, W_TR)


def cells_of(tr: Any) -> list[Any]:
    """The `w:tc` elements of a row, also those inside content controls."""
    return _through(tr, W_TC)


def _through(parent: Any, tag: str) -> list[Any]:
    if next(parent.iterchildren(*_CONTAINERS), None) is None:
        return list(parent.iterchildren(tag))
    found: list[Any] = []
    for child in parent:
        if child.tag == tag:
            found.append(child)
        elif child.tag in _CONTAINERS:
            found += _through(child, tag)
    return found


def _known_rows(mirror: Mirror, tbl: Any) -> tuple[Row, ...]:
    from agent.document.mirror import KnownTable

    known = mirror.tables.get(tbl)
    if known is None:
        rows = rows_of(tbl)
        known = mirror.tables[tbl] = KnownTable(rows, [read_row(mirror, tr) for tr in rows])
    for tr in known.stale:
        known.records[known.elements.index(tr)] = read_row(mirror, tr)
    known.stale.clear()
    return tuple(known.records)


def changed_rows(before: Table, after: Table) -> list[int]:
    """Numbers of the rows, from 0, that changed; of two tables with as many rows. Untouched rows are the same objects."""
    return list(compress(range(len(after.rows)), map(is_not, before.rows, after.rows)))


def read_row(mirror: Mirror, tr: Any) -> Row:
    """Read a `w:tr`."""
    return Row(flat_properties(tr.find(W_TRPR)), tuple(_cell(mirror, tc) for tc in cells_of(tr)))


def _cell(mirror: Mirror, tc: Any) -> Cell:
    tcpr = tc.find(W_TCPR)
    span, merge = 1, ""
    if tcpr is not None:
        span_el, merge_el = tcpr.find(W + "gridSpan"), tcpr.find(W + "vMerge")
        span = _int(span_el.get(W_VAL, "1")) if span_el is not None else 1
        merge = merge_el.get(W_VAL, "continue") if merge_el is not None else ""
    return Cell(flat_properties(tcpr, skip=("gridSpan", "vMerge")), max(span, 1), merge, _blocks(mirror, tc))


def _control(mirror: Mirror, sdt: Any) -> Control:
    marked = sdt.tag == W_CUSTOM_XML
    content = sdt if marked else sdt.find(W + "sdtContent")
    properties = flat_properties(sdt.find(W + ("customXmlPr" if marked else "sdtPr")))
    return Control(
        mirror.id_of(sdt) or "",
        (*properties, *sorted((k.rpartition("}")[2], v) for k, v in sdt.items())) if marked else properties,
        _blocks(mirror, content) if content is not None else (),
    )


def section_layout(sectpr: Any) -> Properties:
    """Page layout of a `w:sectPr`: "pgSz.w", "pgMar.left" and so on, as in the schema; lengths in twentieths of a point."""
    return flat_properties(sectpr)


def _style(mirror: Mirror, element: Any) -> Style:
    name = element.find(W + "name")
    properties: list[tuple[str, str]] = []
    for child in element:
        if child.tag == W_PPR:
            properties += paragraph_properties(child)
        elif child.tag == W_RPR:
            properties += run_properties(child)
        elif child.tag != W + "name" and isinstance(child.tag, str):
            properties += flat_properties_of(child)
    return Style(
        mirror.id_of(element) or "",
        element.get(W + "styleId", ""),
        name.get(W_VAL, "") if name is not None else "",
        element.get(W + "type", ""),
        tuple(sorted(properties)),
    )


def _other(mirror: Mirror, element: Any) -> Other:
    # not itertext: it asks python-docx's elements for their text, and a paragraph gives that of its runs again
    text = etree.tostring(element, method="text", encoding="unicode", with_tail=False)
    if not isinstance(element.tag, str):
        text = ""
    elif next(element.iter(W_P), None) is not None:
        text = "\n".join(text_of(p) for p in element.iter(W_P))
    tag = etree.QName(element).localname if isinstance(element.tag, str) else ""
    return Other(
        mirror.id_of(element) or "",
        f"property {element.get('name')}" if tag == "property" and element.get("name") else tag,
        text,
        etree.tostring(element, method="c14n", exclusive=True, with_tail=False),
    )


# -- properties --------------------------------------------------------------------------------------------------------

_PARAGRAPH_NAMES = {
    "jc": "alignment",
    "ind": "indent",
    "spacing": "spacing",
    "numPr": "list",
    "shd": "shading",
}
_RUN_NAMES = {
    "b": "bold",
    "i": "italic",
    "u": "underline",
    "strike": "strikethrough",
    "dstrike": "double strikethrough",
    "color": "color",
    "sz": "size",
    "rFonts": "font",
    "highlight": "highlight",
    "shd": "shading",
    "vertAlign": "vertical position",
    "caps": "all caps",
    "smallCaps": "small caps",
    "vanish": "hidden",
    "rStyle": "character style",
    "lang": "language",
}
_SKIPPED = {
    "pStyle",
    "rPr",
    "sectPr",
    "pPrChange",
    "rPrChange",
    "tblPrChange",
    "tcPrChange",
    "trPrChange",
    "sectPrChange",
}


def paragraph_properties(ppr: Any) -> Properties:
    """Direct formatting in a `w:pPr`, without its style, mark and section."""
    return _named(ppr, _PARAGRAPH_NAMES)


def run_properties(rpr: Any) -> Properties:
    """Direct formatting in a `w:rPr`. Sizes stay in half-points; toggles are "on" or "off"."""
    return _named(rpr, _RUN_NAMES) if rpr is not None else ()


def _named(element: Any, names: dict[str, str]) -> Properties:
    found: list[tuple[str, str]] = []
    for child in element:
        if not isinstance(child.tag, str):
            continue
        local = _local(child.tag)
        if local in _SKIPPED:
            continue
        if len(child):
            found += _flatten(child, names.get(local, local))
        else:
            found += _flat(names.get(local, local), *child.items())
    return tuple(sorted(found))


@lru_cache(maxsize=4096)
def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def flat_properties(element: Any, skip: Iterable[str] = ()) -> Properties:
    """Every property element below `element`, by its schema name."""
    if element is None:
        return ()
    found: list[tuple[str, str]] = []
    for child in element:
        if isinstance(child.tag, str):
            local = child.tag.rpartition("}")[2]
            if local not in _SKIPPED and local not in skip:
                found += flat_properties_of(child)
    return tuple(sorted(found))


def flat_properties_of(element: Any) -> Properties:
    """The property that one element makes; of those that occur once for each type, with its type."""
    local = element.tag.rpartition("}")[2]
    return tuple(_flatten(element, f"{local}[{element.get(W + 'type')}]" if local in _ONE_A_TYPE else local))


_ONE_A_TYPE = {"headerReference", "footerReference", "tblStylePr"}


def _flatten(element: Any, name: str) -> list[tuple[str, str]]:
    """A property element as paths and values: `<w:jc w:val="center"/>` is ("alignment", "center")."""
    attributes = element.items()
    if not len(element):
        return list(_flat(name, *attributes))
    found: list[tuple[str, str]] = list(_flat(name, *attributes)) if attributes else []
    counts: dict[str, int] = {}
    for child in element:
        if not isinstance(child.tag, str):
            continue
        local = child.tag.rpartition("}")[2]
        counts[local] = counts.get(local, 0) + 1
        suffix = f"[{counts[local]}]" if counts[local] > 1 else ""
        found += _flatten(child, f"{name}.{local}{suffix}")
    return found


@lru_cache(maxsize=8192)
def _flat(name: str, *attributes: tuple[str, str]) -> Properties:
    if not attributes:
        return ((name, "on"),)
    found: list[tuple[str, str]] = []
    for key, value in attributes:
        local = _local(key)
        if local.startswith("rsid"):
            continue
        if local == "val":
            found.append((name, _ON_OFF.get(value, value) if name in _TOGGLES else value))
        else:
            found.append((f"{name}.{local}", value))
    return tuple(found)


_TOGGLES = {
    "bold", "italic", "strikethrough", "double strikethrough", "all caps", "small caps", "hidden", "bCs", "iCs",
    "keepNext", "keepLines", "pageBreakBefore", "widowControl", "contextualSpacing", "suppressLineNumbers", "bidi",
    "rtl", "noProof", "outline", "shadow", "emboss", "imprint", "tblHeader", "cantSplit", "bidiVisual", "titlePg",
}  # fmt: skip
_ON_OFF = {"1": "on", "true": "on", "0": "off", "false": "off"}


def _int(text: str) -> int:
    try:
        return int(float(text))
    except ValueError:
        return 0
