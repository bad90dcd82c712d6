"""A document with one of everything that a careless edit breaks, made anew for each run of the tests."""

from __future__ import annotations

import io
import re
from functools import lru_cache
from typing import Any

import docx
from docx.enum.section import WD_SECTION
from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from agent.document.mirror import Mirror
from agent.document.text import text_of
from agent.operations.specimens import png

MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"
VBA = "http://schemas.microsoft.com/office/2006/relationships/vbaProject"
CUSTOM = b"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties"
 xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes">
<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="2" name="Client"><vt:lpwstr>Acme</vt:lpwstr></property>
</Properties>"""
NOTES = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:footnotes {ns}>
<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>
<w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>
<w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t>Unaudited figures.</w:t></w:r></w:p></w:footnote>
<w:footnote w:id="3"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t>Audited figures.</w:t></w:r></w:p></w:footnote>
</w:footnotes>"""


def xml(text: str) -> Any:
    """An element; the usual namespaces are declared on it."""
    name = re.match(r"<[\w:]+", text)
    assert name is not None
    return parse_xml(f"{name.group()} {nsdecls('w', 'r')}{text[name.end() :]}")


def field(code: str, shown: str) -> list[Any]:
    """The runs of a complex field."""
    inner = {
        "instr": f'<w:instrText xml:space="preserve"> {code} </w:instrText>',
        "text": f"<w:t>{shown}</w:t>",
    }
    kinds = ("begin", "instr", "separate", "text", "end")
    return [
        xml(f"<w:r>{inner.get(k) or f'<w:fldChar w:fldCharType={chr(34)}{k}{chr(34)}/>'}</w:r>")
        for k in kinds
    ]


def _blob(document: Any, source: Any, name: str, kind: str, content_type: str, blob: bytes) -> None:
    source.relate_to(Part(PackURI(name), content_type, blob, document.part.package), kind)


def block(mirror: Mirror, text: str) -> str:
    """Id of the paragraph of the body that starts with a text; of the empty one if that is empty."""
    return next(
        b
        for b in mirror.body_blocks()
        if b.startswith("p")
        and (said := text_of(mirror.element(b))).startswith(text)
        and (bool(text) or not (said or len(mirror.element(b))))
    )


def _together(made: Any) -> None:
    """A paragraph of much at once."""
    whole = made.add_paragraph("Together")
    whole._p.append(xml('<w:bookmarkStart w:id="8" w:name="together"/>'))
    whole.add_run(" in one paragraph.")
    whole._p.append(xml('<w:bookmarkEnd w:id="8"/>'))
    whole._p.append(xml('<w:r><w:footnoteReference w:id="3"/></w:r>'))
    whole._p.append(xml(f'<m:oMath xmlns:m="{MATH}"><m:r><m:t>x+y</m:t></m:r></m:oMath>'))
    whole._p.append(
        xml('<w:del w:id="42" w:author="Ann"><w:r><w:delText>was deleted</w:delText></w:r></w:del>')
    )
    for run in field("PAGE", "3"):
        whole._p.append(run)
    whole.add_run().add_picture(io.BytesIO(png()))


@lru_cache(maxsize=2)
def everything(*, together: bool = False) -> bytes:
    """The document. Its paragraphs are found by their text; `Revenue grew` is the one that operations are asked to change,
    and `Together` the one that has much of this in itself, if it is there.
    """
    made = docx.Document()
    made.add_heading("Scope", 1)
    target = made.add_paragraph("Revenue grew")
    target._p.append(xml('<w:bookmarkStart w:id="7" w:name="growth"/>'))
    target.add_run(" by ten percent.")
    target._p.append(xml('<w:bookmarkEnd w:id="7"/>'))
    for run in target.runs:
        run._r.set(docx.oxml.ns.qn("w:rsidR"), "00AB12CD")  # pyright: ignore[reportAttributeAccessIssue]
    beside = made.add_paragraph("Costs fell, see ")
    beside._p.set(docx.oxml.ns.qn("w:rsidR"), "00AB12CD")  # pyright: ignore[reportAttributeAccessIssue]
    rid = made.part.relate_to("https://example.com/", RT.HYPERLINK, is_external=True)
    beside._p.append(xml(f'<w:hyperlink r:id="{rid}"><w:r><w:t>the site</w:t></w:r></w:hyperlink>'))
    made.add_comment(beside.runs, "Sure?", "Ann", "A")
    made.add_paragraph("first item", style="List Number")
    made.add_paragraph("second item", style="List Number")
    made.add_paragraph("a point", style="List Bullet")
    number = made.part.numbering_part.element.findall(docx.oxml.ns.qn("w:num"))[0]  # pyright: ignore[reportAttributeAccessIssue]
    listed = made.add_paragraph("Listed directly")
    listed._p.get_or_add_pPr().append(
        xml(f'<w:numPr><w:ilvl w:val="0"/><w:numId w:val="{number.numId}"/></w:numPr>')
    )
    noted = made.add_paragraph("A figure with a note")
    noted._p.append(xml('<w:r><w:footnoteReference w:id="2"/></w:r>'))
    _blob(
        made, made.part, "/word/footnotes.xml", RT.FOOTNOTES,
        "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml",
        NOTES.format(ns=nsdecls("w", "r")).encode(),
    )  # fmt: skip
    contents = made.add_paragraph("Contents: ")
    for run in field(r'TOC \o "1-3" \h \z \u', "Scope 1"):
        contents._p.append(run)
    revised = made.add_paragraph("Prices ")
    revised._p.append(
        xml(
            '<w:del w:id="40" w:author="Ann"><w:r><w:delText xml:space="preserve">may </w:delText></w:r></w:del>'
        )
    )
    revised._p.append(xml('<w:ins w:id="41" w:author="Ann"><w:r><w:t>will rise</w:t></w:r></w:ins>'))
    formula = made.add_paragraph("The formula ")
    formula._p.append(xml(f'<m:oMath xmlns:m="{MATH}"><m:r><m:t>x+y</m:t></m:r></m:oMath>'))
    made.add_paragraph("Drawn: ").add_run().add_picture(io.BytesIO(png()))
    small = made.add_table(2, 2, style="Table Grid")
    for cell, words in zip(
        (c for r in small.rows for c in r.cells), ("Name", "Amount", "Rent", "900"), strict=True
    ):
        cell.text = words
    made.add_paragraph("Between the tables")
    tall = made.add_table(3, 2, style="Table Grid")
    tall.cell(0, 0).merge(tall.cell(1, 0)).text = "Region"
    tall.cell(0, 1).text, tall.cell(2, 0).text = "Sales", "North"
    made.add_paragraph("Filled in: ")._p.append(
        xml(
            '<w:sdt><w:sdtPr><w:alias w:val="Client"/><w:tag w:val="client"/></w:sdtPr>'
            "<w:sdtContent><w:r><w:t>Acme</w:t></w:r></w:sdtContent></w:sdt>"
        )
    )
    boxed = (
        '<w:r><w:pict xmlns:v="urn:schemas-microsoft-com:vml"><v:shape id="s1" style="width:90pt;height:30pt">'
        "<v:textbox><w:txbxContent><w:p><w:r><w:t>In the box</w:t></w:r></w:p></w:txbxContent></v:textbox>"
        "</v:shape></w:pict></w:r>"
    )
    made.add_paragraph("Beside a box")._p.append(xml(boxed))
    if together:
        _together(made)
    made.add_section(WD_SECTION.NEW_PAGE)
    made.add_paragraph("Closing remarks")
    made.add_paragraph("")
    first = made.sections[0]
    first.different_first_page_header_footer = True
    first.header.paragraphs[0].add_run("Top").add_picture(io.BytesIO(png(colour=(1, 2, 3))))
    first.first_page_header.paragraphs[0].text = "Only on page one"
    first.footer.paragraphs[0].text = "Bottom, page "
    for run in field("PAGE", "3"):
        first.footer.paragraphs[0]._p.append(run)
    _blob(made, made.part, "/word/vbaProject.bin", VBA, "application/vnd.ms-office.vbaProject", b"macro")
    fonts = next(r.target_part for r in made.part.rels.values() if r.reltype == RT.FONT_TABLE)
    _blob(
        made,
        fonts,
        "/word/fonts/font1.odttf",
        RT.FONT,
        "application/vnd.openxmlformats-officedocument.obfuscatedFont",
        b"font",
    )
    _blob(
        made, made.part.package, "/docProps/custom.xml", RT.CUSTOM_PROPERTIES,
        "application/vnd.openxmlformats-officedocument.custom-properties+xml", CUSTOM,
    )  # fmt: skip
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()
