"""Small documents for examples and tests, in a line or two: `doc(title("Report"), h(1, "Intro"), p("Some text."))`.

Each builder adds to a python-docx document; `doc` returns a function that makes the bytes.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import docx
from docx.document import Document
from docx.enum.section import WD_ORIENT
from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.oxml.ns import qn

from agent.document.elements import new_element

Piece = Callable[[Document], None]


def doc(*pieces: Piece) -> Callable[[], bytes]:
    """A document of these pieces; python-docx's default template."""

    @lru_cache(maxsize=1)
    def make() -> bytes:
        document = docx.Document()
        for piece in pieces:
            piece(document)
        buffer = io.BytesIO()
        document.save(buffer)
        return buffer.getvalue()

    return make


def title(text: str) -> Piece:
    """A paragraph in the style Title."""
    return lambda d: _ignore(d.add_paragraph(text, style="Title"))


def h(level: int, text: str) -> Piece:
    """A heading."""
    return lambda d: _ignore(d.add_heading(text, level))


def p(*runs: str | tuple[str, dict[str, Any]], style: str | None = None) -> Piece:
    """A paragraph; a run is a text, or a text with font properties ({"bold": True, "size": Pt(12)})."""

    def add(document: Document) -> None:
        paragraph = document.add_paragraph(style=style)
        for run in runs:
            text, properties = run if isinstance(run, tuple) else (run, {})
            made = paragraph.add_run(text)
            for name, value in properties.items():
                setattr(made.font, name, value)

    return add


def bullets(*items: str) -> Piece:
    """A bulleted list in the style List Bullet."""
    return lambda d: [_ignore(d.add_paragraph(i, style="List Bullet")) for i in items].clear()


def numbered(*items: str) -> Piece:
    """A numbered list in the style List Number."""
    return lambda d: [_ignore(d.add_paragraph(i, style="List Number")) for i in items].clear()


def table(rows: Sequence[Sequence[str]], style: str | None = "Table Grid") -> Piece:
    """A table with these texts."""

    def add(document: Document) -> None:
        made = document.add_table(len(rows), len(rows[0]), style=style)
        for r, row in enumerate(rows):
            for c, text in enumerate(row):
                made.cell(r, c).text = text

    return add


def merged_table(rows: Sequence[Sequence[str]], first: tuple[int, int], last: tuple[int, int]) -> Piece:
    """A table with the cells from `first` to `last` (row, column from 0) merged."""

    def add(document: Document) -> None:
        table(rows)(document)
        made = document.tables[-1]
        made.cell(*first).merge(made.cell(*last))

    return add


def image(alt: str = "", width_cm: float = 3.0, colour: tuple[int, int, int] = (31, 78, 121)) -> Piece:
    """A paragraph with an inline picture."""

    def add(document: Document) -> None:
        shape = document.add_picture(io.BytesIO(png(colour=colour)), width=int(width_cm * 360_000))
        if alt:
            shape._inline.docPr.set("descr", alt)  # pyright: ignore[reportPrivateUsage]

    return add


def link(before: str, text: str, url: str, after: str = "") -> Piece:
    """A paragraph with a hyperlink."""

    def add(document: Document) -> None:
        paragraph = document.add_paragraph(before)
        rid = document.part.relate_to(url, RT.HYPERLINK, is_external=True)
        element = new_element("w:hyperlink")
        element.set(qn("r:id"), rid)
        run = new_element("w:r")
        run.text = text  # type: ignore[attr-defined]
        element.append(run)
        paragraph._p.append(element)  # pyright: ignore[reportPrivateUsage]
        paragraph.add_run(after)

    return add


def header(text: str) -> Piece:
    """Text in the first section's header."""
    return lambda d: setattr(d.sections[0].header.paragraphs[0], "text", text)


def footer(text: str) -> Piece:
    """Text in the first section's footer."""
    return lambda d: setattr(d.sections[0].footer.paragraphs[0], "text", text)


def page_break() -> Piece:
    """A paragraph with a page break."""
    return lambda d: _ignore(d.add_page_break())


def section(landscape: bool = False) -> Piece:
    """A section break; what follows is in the new section."""

    def add(document: Document) -> None:
        new = document.add_section()
        if landscape:
            new.orientation = WD_ORIENT.LANDSCAPE
            new.page_width, new.page_height = new.page_height, new.page_width

    return add


def png(width: int = 60, height: int = 40, colour: tuple[int, int, int] = (31, 78, 121)) -> bytes:
    """A one-coloured PNG."""
    rows = b"".join(b"\x00" + bytes(colour) * width for _ in range(height))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def _ignore(_: object) -> None:
    return None
