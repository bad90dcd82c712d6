"""What python-docx has no verbs for and the samples need: links, fields, numbering, footnotes, repeated
header rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docx.document import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Pt, RGBColor
from docx.styles.style import ParagraphStyle
from docx.table import Table, _Cell
from docx.text.paragraph import Paragraph

STYLES_WITH_EFFECTS = "http://schemas.microsoft.com/office/2007/relationships/stylesWithEffects"
BLUE = RGBColor(0x1F, 0x4E, 0x79)
ENDINGS = ("separator", "continuationSeparator")
TABLE_STYLES = frozenset(
    {"Normal Table", "Table Grid", "Light Shading Accent 1", "Light List Accent 1", "Light Grid Accent 1"}
)


def strip_template(document: Document) -> None:
    """Take out what python-docx's template brings and nobody sees: a picture of its own first page, a second
    copy of the styles from Word 2010 (it would have to agree with the first), custom XML, 90 table styles.
    """
    unwanted = {RELATIONSHIP_TYPE.THUMBNAIL, RELATIONSHIP_TYPE.CUSTOM_XML, STYLES_WITH_EFFECTS}
    package = document.part.package
    assert package is not None
    for owner in (package, document.part):
        for key, relationship in list(owner.rels.items()):
            if relationship.reltype in unwanted:
                del owner.rels[key]
    for style in list(document.styles):
        if style.type == WD_STYLE_TYPE.TABLE and style.name not in TABLE_STYLES:
            style.delete()


def set_base_styles(document: Document) -> None:
    """A calm look: Calibri 11, dark blue headings. The East Asian font must be named too, or Word shows
    another.
    """
    normal = _paragraph_style(document, "Normal")
    normal.font.name, normal.font.size = "Calibri", Pt(11)
    normal.paragraph_format.space_after = Pt(8)
    for name, size in (("Title", 26), ("Heading 1", 16), ("Heading 2", 13)):
        style = _paragraph_style(document, name)
        style.font.name, style.font.size, style.font.color.rgb = "Calibri", Pt(size), BLUE
        fonts: Any = style.element.find(f"{qn('w:rPr')}/{qn('w:rFonts')}")
        for attribute in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
            fonts.attrib.pop(qn(f"w:{attribute}"), None)
        fonts.set(qn("w:eastAsia"), "Calibri")


def _paragraph_style(document: Document, name: str) -> ParagraphStyle:
    style = document.styles[name]
    assert isinstance(style, ParagraphStyle)
    return style


def add_comment_style(document: Document) -> None:
    """The character style of a comment's mark, which python-docx names and its template lacks."""
    document.styles.element.append(
        parse_xml(
            f'<w:style {nsdecls("w")} w:type="character" w:styleId="CommentReference">'
            '<w:name w:val="annotation reference"/><w:basedOn w:val="DefaultParagraphFont"/>'
            '<w:uiPriority w:val="99"/><w:semiHidden/><w:unhideWhenUsed/>'
            '<w:rPr><w:sz w:val="16"/><w:szCs w:val="16"/></w:rPr></w:style>'
        )
    )


def add_hyperlink(paragraph: Paragraph, text: str, address: str) -> None:
    """A link in the usual blue, underlined (`w:hyperlink` with a relationship of its own)."""
    relationship = paragraph.part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    paragraph._p.append(
        parse_xml(
            f'<w:hyperlink {nsdecls("w", "r")} r:id="{relationship}"><w:r><w:rPr><w:color w:val="0563C1"/>'
            f'<w:u w:val="single"/></w:rPr><w:t xml:space="preserve">{text}</w:t></w:r></w:hyperlink>'
        )
    )


def add_field(paragraph: Paragraph, code: str, shown: str) -> None:
    """A simple field (`w:fldSimple`) with the result that is shown until Word computes it."""
    paragraph._p.append(
        parse_xml(
            f'<w:fldSimple {nsdecls("w")} w:instr=" {code} "><w:r><w:t>{shown}</w:t></w:r></w:fldSimple>'
        )
    )


def repeat_header(table: Table) -> None:
    """Mark the first row as a header that is repeated on each page (`w:tblHeader`)."""
    table.rows[0]._tr.get_or_add_trPr().append(parse_xml(f"<w:tblHeader {nsdecls('w')}/>"))


def fill_row(cells: Sequence[_Cell], texts: Sequence[str]) -> None:
    """Texts into the cells of a row."""
    for cell, text in zip(cells, texts, strict=True):
        cell.text = text


def add_clause_numbering(document: Document) -> int:
    """A list of three levels, 1. / 1.1 / (a), whose first two levels are those of two new paragraph styles,
    "Clause Heading" and "Clause". Returns the `w:numId`.
    """
    levels = (
        ("decimal", "%1.", "ClauseHeading", 567),
        ("decimal", "%1.%2", "Clause", 567),
        ("lowerLetter", "(%3)", "", 1134),
    )
    numbering: Any = document.part.numbering_part.element
    abstract, number = 90, 90
    level_xml = "".join(
        f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
        + (f'<w:pStyle w:val="{style}"/>' if style else "")
        + f'<w:lvlText w:val="{text}"/><w:lvlJc w:val="left"/>'
        f'<w:pPr><w:ind w:left="{left}" w:hanging="567"/></w:pPr></w:lvl>'
        for level, (form, text, style, left) in enumerate(levels)
    )
    first_number = numbering.find(qn("w:num"))
    # The schema wants every abstractNum before the first num.
    first_number.addprevious(
        parse_xml(
            f'<w:abstractNum {nsdecls("w")} w:abstractNumId="{abstract}">'
            f'<w:multiLevelType w:val="multilevel"/>{level_xml}</w:abstractNum>'
        )
    )
    numbering.append(
        parse_xml(f'<w:num {nsdecls("w")} w:numId="{number}"><w:abstractNumId w:val="{abstract}"/></w:num>')
    )
    _add_clause_style(document, "ClauseHeading", "Clause Heading", number, 0)
    _add_clause_style(document, "Clause", "Clause", number, 1)
    return number


def _add_clause_style(document: Document, style_id: str, name: str, number: int, level: int) -> None:
    heading = level == 0
    following = "Clause" if heading else style_id
    keep = "<w:keepNext/>" if heading else ""
    outline = '<w:spacing w:before="240"/><w:outlineLvl w:val="0"/>' if heading else ""
    document.styles.element.append(
        parse_xml(
            f'<w:style {nsdecls("w")} w:type="paragraph" w:customStyle="1" w:styleId="{style_id}">'
            f'<w:name w:val="{name}"/><w:basedOn w:val="Normal"/><w:next w:val="{following}"/><w:qFormat/>'
            f'<w:pPr>{keep}<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
            f"{outline}</w:pPr>"
            f"<w:rPr>{'<w:b/>' if heading else ''}</w:rPr></w:style>"
        )
    )


def make_list_item(paragraph: Paragraph, number: int, level: int) -> None:
    """Put a paragraph into a list at a level, counted from 0 (`w:numPr`)."""
    properties: Any = paragraph._p.get_or_add_pPr()
    numbering = properties.get_or_add_numPr()
    numbering.get_or_add_ilvl().val = level
    numbering.get_or_add_numId().val = number


def add_footnotes(document: Document, texts: Sequence[str]) -> None:
    """The footnotes part with these notes, numbered from 1. Word wants the two separators first (ids -1 and
    0).
    """
    separators = "".join(
        f'<w:footnote w:type="{ending}" w:id="{number}"><w:p><w:pPr><w:spacing w:after="0" w:line="240"'
        f' w:lineRule="auto"/></w:pPr><w:r><w:{ending}/></w:r></w:p></w:footnote>'
        for number, ending in enumerate(ENDINGS, start=-1)
    )
    superscript = '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'
    notes = "".join(
        f'<w:footnote w:id="{number}"><w:p><w:r>{superscript}<w:footnoteRef/></w:r>'
        f'<w:r><w:t xml:space="preserve"> {text}</w:t></w:r></w:p></w:footnote>'
        for number, text in enumerate(texts, start=1)
    )
    xml = (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
        f"<w:footnotes {nsdecls('w')}>{separators}{notes}</w:footnotes>"
    )
    name = PackURI("/word/footnotes.xml")
    part = Part(name, CONTENT_TYPE.WML_FOOTNOTES, xml.encode(), document.part.package)
    document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
    settings: Any = document.settings.element
    settings_notes = "".join(f'<w:footnote w:id="{number}"/>' for number in (-1, 0))
    note_properties = parse_xml(f"<w:footnotePr {nsdecls('w')}>{settings_notes}</w:footnotePr>")
    # Its place in the sequence of CT_Settings is right before `w:endnotePr` or `w:compat`.
    settings.find(qn("w:compat")).addprevious(note_properties)


def add_footnote_reference(paragraph: Paragraph, note: int) -> None:
    """The mark of a footnote at the end of a paragraph."""
    paragraph._p.append(
        parse_xml(
            f'<w:r {nsdecls("w")}><w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'
            f'<w:footnoteReference w:id="{note}"/></w:r>'
        )
    )
