"""Blocks packed as Flat OPC open as a document of their own and stand on all they stood on."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any

from docx import Document
from docx.document import Document as DocumentObject
from docx.enum.style import WD_STYLE_TYPE
from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from lxml import etree

from agent.document.flat_opc import flat_opc
from tests.support.flat_package import check_relationships, docx_of_package, parts_of
from tools.make_icons import png


def reopened(package: str) -> DocumentObject:
    """The package as python-docx opens it."""
    return Document(io.BytesIO(docx_of_package(package)))


def body_of(document: DocumentObject) -> list[Any]:
    """The blocks of the body, without its section properties."""
    return [block for block in document.element.body if block.tag != qn("w:sectPr")]


def style_ids(package: str) -> set[str]:
    root = etree.fromstring(parts_of(package)["/word/styles.xml"][1])
    return {style.get(qn("w:styleId"), "") for style in root.iterchildren(qn("w:style"))}


def texts(blocks: Iterable[Any]) -> list[str]:
    return ["".join(t.text or "" for t in block.iter(qn("w:t"))) for block in blocks]


def canonical(blob: bytes) -> bytes:
    """Exclusive canonical XML: declarations that only the package needs do not count."""
    return etree.tostring(etree.fromstring(blob), method="c14n", exclusive=True)


def test_the_blocks_arrive_in_their_order_and_nothing_else() -> None:
    document = Document()
    document.add_paragraph("One")
    table = document.add_table(1, 2)
    table.cell(0, 1).text = "cell"
    document.add_paragraph("Two")
    document.add_paragraph("not sent")
    again = reopened(flat_opc(document.part, body_of(document)[:3]))
    assert texts(again.element.body) == ["One", "cell", "Two"]
    assert [child.tag for child in again.element.body] == [qn("w:p"), qn("w:tbl"), qn("w:p")]


def test_a_sacrificial_paragraph_ends_the_package_only_when_asked_for() -> None:
    document = Document()
    document.add_paragraph("One")
    assert texts(reopened(flat_opc(document.part, body_of(document))).element.body) == ["One"]
    ended = reopened(flat_opc(document.part, body_of(document), sacrificial=True)).element.body
    assert texts(ended) == ["One", ""]
    assert ended[-1].pPr is None


def test_the_used_styles_come_with_their_chains_and_no_others_do() -> None:
    document = Document()
    base = document.styles.add_style("House Base", WD_STYLE_TYPE.PARAGRAPH)
    style = document.styles.add_style("House Lead", WD_STYLE_TYPE.PARAGRAPH)
    follower = document.styles.add_style("House Text", WD_STYLE_TYPE.PARAGRAPH)
    style.base_style, style.next_paragraph_style = base, follower
    document.add_paragraph("Lead", style="House Lead").add_run("strong", style="Strong")
    package = flat_opc(document.part, body_of(document))
    assert style_ids(package) - {"DefaultParagraphFont", "TableNormal", "NoList"} == {
        "Normal", "HouseLead", "HouseBase", "HouseText", "Strong"
    }  # fmt: skip
    assert reopened(package).paragraphs[0].style.base_style.name == "House Base"
    defaults = etree.fromstring(parts_of(package)["/word/styles.xml"][1]).find(qn("w:docDefaults"))
    assert defaults is not None


def test_the_numbering_that_a_style_brings_comes_along_and_other_lists_do_not() -> None:
    document = Document()
    document.add_paragraph("One", style="List Number")
    package = flat_opc(document.part, body_of(document))
    numbering = etree.fromstring(parts_of(package)["/word/numbering.xml"][1])
    style = reopened(package).styles["List Number"]
    num_id = style.element.find(".//" + qn("w:numId")).get(qn("w:val"))
    assert [num.get(qn("w:numId")) for num in numbering.iterchildren(qn("w:num"))] == [num_id]
    assert len(list(numbering.iterchildren(qn("w:abstractNum")))) == 1
    plain = Document()
    plain.add_paragraph("No list")
    assert "/word/numbering.xml" not in parts_of(flat_opc(plain.part, body_of(plain)))


def test_direct_numbering_brings_the_styles_of_its_levels() -> None:
    document = Document()
    numbering = document.part.numbering_part.element
    abstract = numbering.find(qn("w:abstractNum"))
    abstract.find(qn("w:lvl")).insert(2, parse_xml(f'<w:pStyle {nsdecls("w")} w:val="ListContinue2"/>'))
    num = numbering.add_num(int(abstract.get(qn("w:abstractNumId"), "")))
    paragraph = document.add_paragraph("Item")
    paragraph._p.get_or_add_pPr().get_or_add_numPr().get_or_add_numId().val = num.numId
    package = flat_opc(document.part, body_of(document))
    assert "ListContinue2" in style_ids(package)
    kept = etree.fromstring(parts_of(package)["/word/numbering.xml"][1])
    assert [e.get(qn("w:numId")) for e in kept.iterchildren(qn("w:num"))] == [str(num.numId)]


def test_a_picture_and_a_link_keep_their_targets() -> None:
    document = Document()
    image = png(16)
    document.add_picture(io.BytesIO(image))
    paragraph = document.add_paragraph()
    rid = document.part.relate_to("https://example.org/a?b=1&c=2", RT.HYPERLINK, is_external=True)
    document.part.relate_to("https://example.org/unused", RT.HYPERLINK, is_external=True)
    paragraph._p.append(
        parse_xml(f'<w:hyperlink {nsdecls("w", "r")} r:id="{rid}"><w:r><w:t>link</w:t></w:r></w:hyperlink>')
    )
    package = flat_opc(document.part, body_of(document))
    again = reopened(package)
    blip = again.inline_shapes[0]._inline.graphic.graphicData.pic.blipFill.blip
    assert again.part.related_parts[blip.embed or ""].blob == image
    assert again.paragraphs[1].hyperlinks[0].address == "https://example.org/a?b=1&c=2"
    assert "unused" not in package


def test_a_chart_comes_with_its_workbook() -> None:
    document = Document()
    package = document.part.package
    workbook = Part(
        PackURI("/word/embeddings/book1.xlsx"),
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", b"PK workbook", package,
    )  # fmt: skip
    chart_xml = (
        b'<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
        b' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
        b'<c:chart/><c:externalData r:id="rId1"/></c:chartSpace>'
    )
    chart = Part(
        PackURI("/word/charts/chart1.xml"),
        "application/vnd.openxmlformats-officedocument.drawingml.chart+xml", chart_xml, package,
    )  # fmt: skip
    chart.relate_to(workbook, RT.PACKAGE)
    rid = document.part.relate_to(chart, RT.CHART)
    document.add_paragraph()._p.append(
        parse_xml(
            f'<w:r {nsdecls("w", "r")} xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart">'
            f'<w:drawing><c:chart r:id="{rid}"/></w:drawing></w:r>'
        )
    )
    again = reopened(flat_opc(document.part, body_of(document)))
    found = again.part.related_parts[rid]
    assert canonical(found.blob) == canonical(chart_xml)
    assert [part.blob for part in found.related_parts.values()] == [b"PK workbook"]


def test_a_footnote_comes_with_its_reference_and_other_footnotes_stay() -> None:
    document = Document()
    notes = (
        f'<w:footnotes {nsdecls("w", "r")}><w:footnote w:type="separator" w:id="-1"><w:p/></w:footnote>'
        '<w:footnote w:id="2"><w:p><w:hyperlink r:id="rId1"><w:r><w:t>kept</w:t></w:r></w:hyperlink>'
        "</w:p></w:footnote>"
        '<w:footnote w:id="3"><w:p><w:r><w:t>other</w:t></w:r></w:p></w:footnote></w:footnotes>'
    )
    part = Part(
        PackURI("/word/footnotes.xml"),
        "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml",
        notes.encode(), document.part.package,
    )  # fmt: skip
    part.relate_to("https://example.org/note", RT.HYPERLINK, is_external=True)
    document.part.relate_to(part, RT.FOOTNOTES)
    plain = document.add_paragraph("Plain")
    noted = document.add_paragraph("Noted")
    noted._p.append(parse_xml(f'<w:r {nsdecls("w")}><w:footnoteReference w:id="2"/></w:r>'))
    parts = parts_of(flat_opc(document.part, [noted._p]))
    root = etree.fromstring(parts["/word/footnotes.xml"][1])
    assert [note.get(qn("w:id")) for note in root] == ["-1", "2"]
    assert b"https://example.org/note" in parts["/word/_rels/footnotes.xml.rels"][1]
    check_relationships(parts)
    assert "/word/footnotes.xml" not in parts_of(flat_opc(document.part, [plain._p]))


def test_a_section_break_in_a_block_brings_its_header() -> None:
    document = Document()
    document.sections[0].header.paragraphs[0].text = "Head"
    document.add_paragraph("Before")
    document.add_section()
    blocks = [block for block in body_of(document) if block.find(".//" + qn("w:sectPr")) is not None]
    parts = parts_of(flat_opc(document.part, blocks))
    check_relationships(parts)
    headers = [name for name in parts if name.startswith("/word/header")]
    assert len(headers) == 1
    assert "Header" in style_ids(flat_opc(document.part, blocks))


def test_extension_attributes_stay_declared_ignorable() -> None:
    document = Document()
    paragraph = document.add_paragraph("One")
    paragraph._p.set("{http://schemas.microsoft.com/office/word/2010/wordml}paraId", "1A2B3C4D")
    root = reopened(flat_opc(document.part, body_of(document))).element
    ignorable = root.get("{http://schemas.openxmlformats.org/markup-compatibility/2006}Ignorable").split()
    assert "w14" in ignorable
    assert all(prefix in root.nsmap for prefix in ignorable)


def test_packing_leaves_the_document_as_it_was() -> None:
    document = Document()
    document.add_heading("Title", 1)
    document.add_picture(io.BytesIO(png(16)))
    before = (
        etree.tostring(document.element),
        etree.tostring(document.styles.element),
        dict(document.part.rels),
    )
    flat_opc(document.part, body_of(document), sacrificial=True)
    after = (
        etree.tostring(document.element),
        etree.tostring(document.styles.element),
        dict(document.part.rels),
    )
    assert after == before


def test_a_document_without_styles_part_is_packed_without_one() -> None:
    document = Document()
    document.add_paragraph("One")
    rid = next(key for key, rel in document.part.rels.items() if rel.reltype == RT.STYLES)
    del document.part.rels[rid]
    parts = parts_of(flat_opc(document.part, body_of(document)))
    assert "/word/styles.xml" not in parts
    assert RT.STYLES not in {rel.reltype for rel in document.part.rels.values()}
