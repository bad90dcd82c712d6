"""A document with one word in every place that has text, and in some that have none."""

from __future__ import annotations

from typing import Any

from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.oxml import parse_xml

from agent.document.mirror import Mirror
from agent.document.names import MC, WP, A, R, V, W
from tests.corpus import corpus_file

_NAMESPACES = " ".join(
    f'xmlns:{prefix}="{uri.strip("{}")}"'
    for prefix, uri in (("w", W), ("mc", MC), ("wp", WP), ("a", A), ("r", R), ("v", V))
)
_WPS = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"


def xml(content: str) -> Any:
    """An element with the namespaces that are used here."""
    end = min(i for i in (content.find(c) for c in " >/") if i > 0)
    return parse_xml(f"{content[:end]} {_NAMESPACES}{content[end:]}")


def line(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


BOX = f"<w:txbxContent>{line('Acme in a box')}</w:txbxContent>"
TEXT_BOX = (
    '<w:p><w:r><w:t xml:space="preserve">beside a box </w:t></w:r><w:r><mc:AlternateContent>'
    f'<mc:Choice Requires="wps"><w:drawing><wp:inline><wp:extent cx="9" cy="9"/><wp:docPr id="77" name="Box"/>'
    f'<a:graphic><a:graphicData uri="{_WPS}"><wps:wsp xmlns:wps="{_WPS}"><wps:txbx>{BOX}</wps:txbx></wps:wsp>'
    "</a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>"
    f"{BOX}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
)
OLD_BOX = BOX.replace("a box", "an old box")
VML_BOX = f"<w:p><w:r><w:pict><v:shape><v:textbox>{OLD_BOX}</v:textbox></v:shape></w:pict></w:r></w:p>"
FIELD = (
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF Acme</w:instrText></w:r>'
    '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>Acme</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
)
CELL = (
    "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w='99'/></w:tblGrid><w:tr><w:tc>"
    f"{line('Acme in a cell')}%s</w:tc></w:tr></w:tbl>"
)
NESTED = CELL % f"{CELL.replace('a cell', 'a nested cell') % ''}<w:p/>"
IN_LINE = {
    "a link": "<w:hyperlink w:anchor='x'><w:r><w:t>Acme</w:t></w:r></w:hyperlink>",
    "a control": "<w:sdt><w:sdtPr/><w:sdtContent><w:r><w:t>Acme</w:t></w:r></w:sdtContent></w:sdt>",
    "an insertion": "<w:ins w:id='901' w:author='A'><w:r><w:t>Acme</w:t></w:r></w:ins>",
    "a smart tag": "<w:smartTag w:element='x'><w:r><w:t>Acme</w:t></w:r></w:smartTag>",
    "a field": FIELD,
    "ruby": (
        "<w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>x</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>Acme</w:t></w:r></w:rubyBase>"
        "</w:ruby></w:r>"
    ),
    "runs": "<w:r><w:rPr><w:b/></w:rPr><w:t>Ac</w:t></w:r><w:r><w:t>m</w:t></w:r><w:r><w:rPr><w:i/></w:rPr><w:t>e</w:t></w:r>",
}
UNSEEN = (
    "<w:p><w:del w:id='902' w:author='A'><w:r><w:delText>Acme</w:delText></w:r></w:del>"
    "<w:moveFrom w:id='903' w:author='A'><w:r><w:t>Acme</w:t></w:r></w:moveFrom></w:p>"
)
BLOCKS = [
    *(f'<w:p><w:r><w:t xml:space="preserve">In {k}: </w:t></w:r>{v}</w:p>' for k, v in IN_LINE.items()),
    TEXT_BOX, VML_BOX, NESTED, UNSEEN,
    f"<w:sdt><w:sdtPr/><w:sdtContent>{line('Acme in a block control')}</w:sdtContent></w:sdt>",
    f"<w:customXml w:element='x'>{line('Acme in custom XML')}</w:customXml>",
]  # fmt: skip


def crowded() -> bytes:
    """A document with the word in every place that has text, and where it is no text."""
    mirror = Mirror.open(corpus_file("docx-plus__sample-1.docx").read_bytes())
    with mirror.edit("0") as editor:
        section = mirror.document.sections[0]
        for story in (section.header, section.footer):
            story.is_linked_to_previous = False
        for block in BLOCKS:
            editor.append_to_body(xml(block))
        for kind in (RT.HEADER, RT.FOOTER, RT.FOOTNOTES, RT.ENDNOTES):
            rels = mirror.file.document_part.rels.values()
            parts: list[Any] = [r.target_part for r in rels if r.reltype == kind]
            root = parts[0].element
            note = (
                next((n for n in reversed(root) if len(n)), root)
                if kind in (RT.FOOTNOTES, RT.ENDNOTES)
                else root
            )
            note.append(xml(line(f"Acme in {kind.rpartition('/')[2]}")))
    return mirror.save()


CROWDED = crowded()
PLACES = len(IN_LINE) + 2 + 2 + 2 + 4  # boxes, cells, blocks, other stories
