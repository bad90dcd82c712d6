"""Text of spaces alone is kept wherever Word keeps it, through an edit of the same block and back.

python-docx's parser drops such text between elements, where it only indents the XML, and leaves it where it is all that an
element holds. So parts that are read and written again lose nothing that Word shows.
"""

from __future__ import annotations

import pytest
from lxml import etree

from agent.document.mirror import Mirror
from agent.operations.specimens import doc, p, table
from tests.support.documents import canonical, members, packed

MAIN = "word/document.xml"
MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"
KEPT = {
    "between two words": '<w:r><w:t>a</w:t></w:r><w:r><w:t xml:space="preserve"> </w:t></w:r><w:r><w:t>b</w:t></w:r>',
    "several": '<w:r><w:t xml:space="preserve">   </w:t></w:r>',
    "a tab and a line end": '<w:r><w:t xml:space="preserve">\t\n</w:t></w:r>',
    "not declared": "<w:r><w:t> </w:t></w:r>",
    "a hard space": "<w:r><w:t>\N{NO-BREAK SPACE}</w:t></w:r>",
    "written as a character's number": '<w:r><w:t xml:space="preserve">&#32;</w:t></w:r>',
    "deleted": '<w:del w:id="1" w:author="A"><w:r><w:delText xml:space="preserve"> </w:delText></w:r></w:del>',
    "inserted": '<w:ins w:id="1" w:author="A"><w:r><w:t xml:space="preserve"> </w:t></w:r></w:ins>',
    "a field's code": (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> </w:instrText></w:r>'
        '<w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
    ),
    "an equation": f'<m:oMath xmlns:m="{MATH}"><m:r><m:t xml:space="preserve"> </m:t></m:r></m:oMath>',
    "beside a comment": '<w:r><w:t xml:space="preserve"> <!-- noted -->  </w:t></w:r>',
    "said of the run": '<w:r xml:space="preserve"><w:t> </w:t></w:r>',
}


def texts(xml: bytes) -> list[str]:
    """Text of every element that holds text, by a parser that drops nothing."""
    return [
        (e.text or "") + "".join(inner.tail or "" for inner in e)
        for e in etree.fromstring(xml).iter(etree.Element)
        if etree.QName(e).localname in ("t", "delText", "instrText")
    ]


def written(content: str, *, indented: bool = False, kept: bool = False) -> bytes:
    """A document with a paragraph of this content; its XML may be indented, and may keep every space."""
    parts = members(doc(p("before"), p("here"), table([["a", "b"]]), p("after"))())
    root = etree.fromstring(parts[MAIN])
    if indented:
        etree.indent(root)
    if kept:
        root.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    xml = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    here = b"<w:t>here</w:t>"
    return packed(parts | {MAIN: xml.replace(here, here + b"</w:r>" + content.encode() + b"<w:r>", 1)})


@pytest.mark.parametrize(("indented", "kept"), [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("where", KEPT)
def test_a_text_of_spaces_alone_outlives_an_edit_beside_it(where: str, indented: bool, kept: bool) -> None:
    data = written(KEPT[where], indented=indented, kept=kept)
    expected = texts(members(data)[MAIN])
    mirror = Mirror.open(data)
    before = canonical(mirror)
    with mirror.edit("1") as editor:
        editor.replace_text(mirror.element("p2"), 0, 4, "there")
    assert texts(members(mirror.save())[MAIN]) == [t.replace("here", "there") for t in expected]
    mirror.apply(editor.delta.inverse())  # which parses the block once more
    assert texts(members(mirror.save())[MAIN]) == expected
    assert canonical(mirror) == before


def changed(data: bytes, old: bytes, new: bytes) -> Mirror:
    """The file with other bytes in its main part."""
    parts = members(data)
    assert old in parts[MAIN]
    return Mirror.open(packed(parts | {MAIN: parts[MAIN].replace(old, new, 1)}))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'<w:t xml:space="preserve"> </w:t>', b'<w:t xml:space="preserve"/>'),
        (b'<w:t xml:space="preserve"> </w:t>', b'<w:t xml:space="preserve">  </w:t>'),
        (b"</w:tblGrid>\n", b"</w:tblGrid>"),
    ],
)
def test_lost_space_is_a_difference_in_the_tests_eyes(old: bytes, new: bytes) -> None:
    data = written(KEPT["between two words"], indented=True, kept=True)
    assert canonical(changed(data, old, new)) != canonical(Mirror.open(data))


def test_space_behind_a_block_is_none() -> None:
    data = written("", indented=True, kept=True)
    assert canonical(changed(data, b"</w:tbl>\n", b"</w:tbl>")) == canonical(Mirror.open(data))
