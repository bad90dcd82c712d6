"""Synthetic documents of any size: headings, lists, tables, links and runs of several formats, the same each time."""

from __future__ import annotations

import io
import random
from typing import Any

import docx
from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.oxml import parse_xml

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_WORDS = [
    "the",
    "report",
    "shows",
    "that",
    "costs",
    "and",
    "revenue",
    "of",
    "this",
    "year",
    "were",
    "below",
    "what",
    "the",
    "board",
    "had",
    "planned",
    "for",
    "it",
]
_FORMATS = (
    "",
    "",
    "",
    "<w:rPr><w:b/></w:rPr>",
    "<w:rPr><w:i/></w:rPr>",
    '<w:rPr><w:color w:val="C00000"/></w:rPr>',
)


def synthetic(blocks: int, seed: int = 1) -> bytes:
    """A .docx with so many body blocks: 6 % headings, 12 % list items, 2 % tables, the rest paragraphs of 3 to 6 runs."""
    chance = random.Random(seed)
    document = docx.Document()
    link = document.part.relate_to("https://example.com/", RT.HYPERLINK, is_external=True)
    xml = "".join(_block(i, chance, link) for i in range(blocks))
    holder = parse_xml(f"<w:body {_W} {_R}>{xml}</w:body>")
    body: Any = document.element.body  # pyright: ignore[reportAttributeAccessIssue]
    last = body[-1]
    for element in list(holder):
        last.addprevious(element)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def one_table(rows: int, columns: int) -> bytes:
    """A .docx that is one table, each cell with a paragraph of one run: five elements a cell, and one a row."""
    document = docx.Document()
    cells = [f"<w:tc><w:tcPr/>{_paragraph('', _run('value'))}</w:tc>" for _ in range(columns)]
    row = f"<w:tr>{''.join(cells)}</w:tr>"
    grid = "<w:gridCol/>" * columns
    table = parse_xml(f"<w:tbl {_W}><w:tblPr/><w:tblGrid>{grid}</w:tblGrid>{row * rows}</w:tbl>")
    last: Any = document.element.body[-1]  # pyright: ignore[reportAttributeAccessIssue]
    last.addprevious(table)
    last.addprevious(parse_xml(f"<w:p {_W}>{_run('Last paragraph.')}</w:p>"))
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def _block(number: int, chance: random.Random, link: str) -> str:
    kind = chance.random()
    if kind < 0.06 or number == 0:
        return _paragraph("Heading1", _run(f"Chapter {number}"))
    if kind < 0.18:
        return _paragraph("ListBullet", _run(_sentence(chance)))
    if kind < 0.20:
        return _table(chance)
    runs = "".join(
        _run(_sentence(chance) + " ", chance.choice(_FORMATS)) for _ in range(chance.randint(3, 6))
    )
    if kind > 0.95:
        runs += f'<w:hyperlink r:id="{link}">{_run("see there")}</w:hyperlink>'
    return _paragraph("", runs)


def _table(chance: random.Random) -> str:
    row = "".join(f"<w:tc><w:tcPr/>{_paragraph('', _run(_sentence(chance)))}</w:tc>" for _ in range(4))
    return f"<w:tbl><w:tblPr/><w:tblGrid>{'<w:gridCol/>' * 4}</w:tblGrid>{f'<w:tr>{row}</w:tr>' * 6}</w:tbl>"


def _paragraph(style: str, runs: str) -> str:
    ppr = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{ppr}{runs}</w:p>"


def _run(text: str, rpr: str = "") -> str:
    return f'<w:r>{rpr}<w:t xml:space="preserve">{text}</w:t></w:r>'


def _sentence(chance: random.Random) -> str:
    return " ".join(chance.choice(_WORDS) for _ in range(chance.randint(4, 9)))
