"""Namespaces and the tags that the document room speaks of most, in lxml's `{namespace}name` form."""

from __future__ import annotations

from typing import Any

from docx.oxml.ns import nsmap

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
PIC = "{http://schemas.openxmlformats.org/drawingml/2006/picture}"
C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
V = "{urn:schemas-microsoft-com:vml}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
XML = "{http://www.w3.org/XML/1998/namespace}"

W_BODY, W_P, W_TBL, W_SDT, W_SECTPR = W + "body", W + "p", W + "tbl", W + "sdt", W + "sectPr"
W_R, W_T, W_RPR, W_PPR, W_VAL = W + "r", W + "t", W + "rPr", W + "pPr", W + "val"
W_TR, W_TC, W_TCPR, W_TRPR, W_TBLPR = W + "tr", W + "tc", W + "tcPr", W + "trPr", W + "tblPr"
W_TXBX = W + "txbxContent"

REVISIONS = frozenset(
    W + name
    for name in (
        "ins", "del", "moveFrom", "moveTo", "rPrChange", "pPrChange", "sectPrChange", "tblPrChange",
        "tblPrExChange", "tblGridChange", "trPrChange", "tcPrChange", "numberingChange", "cellIns", "cellDel",
        "cellMerge",
    )
)  # fmt: skip
"""Tracked changes; their `w:id` says nothing, but is unique."""
ANNOTATIONS = REVISIONS | {
    W + name
    for name in (
        "bookmarkStart",
        "comment",
        "commentReference",
        "permStart",
        "moveFromRangeStart",
        "moveToRangeStart",
    )
}
"""Elements whose `w:id` is of one number space: Word mends a file in which two of them clash."""

NSMAP = {**nsmap, "mc": MC[1:-1], "v": V[1:-1], "m": M[1:-1], "w14": W14[1:-1]}

_ID_LETTERS = {W_P: "p", W_TBL: "t", W_SDT: "c", W_SECTPR: "s"}


def id_letter(element: Any) -> str:
    """What the id of an element says of its kind: paragraph, table, content control, section; x for the rest."""
    return _ID_LETTERS.get(element.tag, "x")


def whole_number(value: str) -> int:
    """A number that a file gives; 0 for what is none, or is longer than Word's numbers."""
    return int(value) if value.lstrip("-").isdigit() and len(value) < 11 else 0
