"""The paper's document state (section 3.2): seven parts, as one view over what is known of each block.

Nothing is stored here: the records behind it are kept per block and re-read only where a delta touched them. `audit`
re-reads everything and must agree; tests run with it after every change (`Mirror.paranoid`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from docx.exceptions import PythonDocxError
from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.opc.part import XmlPart
from docx.oxml.exceptions import XmlchemyError

from agent.document.breaks import with_breaks
from agent.document.names import W_P, W_SDT, W_TBL
from agent.document.records import (
    Control,
    Link,
    Other,
    Paragraph,
    Picture,
    Properties,
    Section,
    Style,
    Table,
    read_row,
    record_of,
    rows_of,
)
from agent.document.styles import styles_root
from agent.errors import StateParseError

if TYPE_CHECKING:
    from agent.document.mirror import Mirror

INVALID_XML = (PythonDocxError, XmlchemyError)
"""What python-docx says of XML that the schema does not allow."""

READ_ERRORS = (
    *INVALID_XML,
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What reading a block that makes no sense ends in."""


@dataclass(frozen=True)
class Interactive:
    """Something in a paragraph that is more than text: a hyperlink, field, bookmark, comment anchor, note, control, revision."""

    paragraph: str
    kind: str
    value: str
    text: str = ""


@dataclass(frozen=True)
class DocumentState:
    """The seven parts. Blocks are in document order; those inside tables and controls come with what holds them."""

    metadata: dict[str, str]
    """Core properties by their element's name (`title`, `creator`, ...)."""
    paragraphs: tuple[Paragraph, ...]
    """Every paragraph of the body, those in cells and controls included."""
    tables: tuple[Table, ...]
    images: tuple[tuple[str, Picture], ...]
    """Pictures, charts and shapes, each with the id of its paragraph."""
    page_layout: tuple[tuple[str, Properties], ...]
    """Sections in order: the id of the block that ends each, and its layout."""
    interactive: tuple[Interactive, ...]
    styles: tuple[Style, ...]


def state(mirror: Mirror) -> DocumentState:
    """The state of a document as it is now. Raises StateParseError, naming the block, if one cannot be read."""
    blocks = [_known(mirror, b) for b in with_breaks(mirror.body_blocks())]
    paragraphs = [p for b in blocks for p in _paragraphs(b)]
    sections = [(p.id, p.section) for p in paragraphs if p.section is not None]
    sections += [
        (r.id, r.layout) for r in (_known(mirror, b) for b in _sections(mirror)) if isinstance(r, Section)
    ]
    return DocumentState(
        metadata(mirror),
        tuple(paragraphs),
        tuple(t for b in blocks for t in _tables(b)),
        tuple((p.id, picture) for p in paragraphs for picture in p.pictures),
        tuple(sections),
        tuple(i for p in paragraphs for i in _interactive(p)),
        tuple(styles(mirror)),
    )


def metadata(mirror: Mirror) -> dict[str, str]:
    """Core properties that have a value."""
    for rel in mirror.file.package.rels.values():
        if rel.reltype == RT.CORE_PROPERTIES and not rel.is_external and isinstance(rel.target_part, XmlPart):
            root: Any = rel.target_part.element
            return {e.tag.rpartition("}")[2]: e.text for e in root if isinstance(e.tag, str) and e.text}
    return {}


def styles(mirror: Mirror) -> Iterator[Style]:
    """The styles that the file defines."""
    root = styles_root(mirror)
    for element in root if root is not None else ():
        block = mirror.id_of(element)
        record = _known(mirror, block) if block is not None else None
        if isinstance(record, Style):
            yield record


def audit(mirror: Mirror) -> None:
    """Read everything that has been read before once more. Raises AssertionError if something is not what is remembered."""
    records, tables = mirror.records, mirror.tables
    mirror.records, mirror.tables = {}, {}
    try:
        for block, remembered in records.items():
            assert mirror.has(block), f"the record of {block} outlived its block"
            assert record_of(mirror, block) == remembered, f"the record of {block} is stale"
        for tbl, known in tables.items():
            assert mirror.id_of(tbl) is not None, "what is known of a table's rows outlived the table"
            assert known.elements == rows_of(tbl), f"the rows of {mirror.id_of(tbl)} are others"
            for tr, row in zip(known.elements, known.records, strict=True):
                assert tr in known.stale or row == read_row(mirror, tr), (
                    f"a row of {mirror.id_of(tbl)} is stale"
                )
    finally:
        mirror.records, mirror.tables = records, tables
    for story in mirror.stories():
        index = mirror.index_of(story)
        assert list(index) == mirror.blocks(story), f"the order of blocks in {story.key} is stale"
        index.audit()


def _known(mirror: Mirror, block: str) -> Any:
    try:
        return record_of(mirror, block)
    except READ_ERRORS as error:
        raise StateParseError(f"The state of block {block} cannot be read: {error}.") from error


def _sections(mirror: Mirror) -> list[str]:
    ids = [mirror.id_of(e) for e in mirror.body if e.tag not in (W_P, W_TBL, W_SDT)]
    return [i for i in ids if i is not None]


def _paragraphs(record: Any) -> Iterator[Paragraph]:
    match record:
        case Paragraph():
            yield record
            for inner in record.inner:
                yield from _paragraphs(inner)
        case Table():
            for row in record.rows:
                for cell in row.cells:
                    for block in cell.blocks:
                        yield from _paragraphs(block)
        case Control():
            for block in record.blocks:
                yield from _paragraphs(block)
        case Other() | _:
            return


def _tables(record: Any) -> Iterator[Table]:
    match record:
        case Table():
            yield record
            for row in record.rows:
                for cell in row.cells:
                    for block in cell.blocks:
                        yield from _tables(block)
        case Control():
            for block in record.blocks:
                yield from _tables(block)
        case _:
            return


def _interactive(paragraph: Paragraph) -> Iterator[Interactive]:
    for link in paragraph.links:
        yield _link(paragraph, link)
    for kind, value in paragraph.interactive:
        yield Interactive(paragraph.id, kind, value)


def _link(paragraph: Paragraph, link: Link) -> Interactive:
    return Interactive(paragraph.id, "hyperlink", link.target, link.text)
