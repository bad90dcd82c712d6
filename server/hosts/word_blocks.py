"""The body as Word's JavaScript tells it: a row of paragraphs and tables, and the text of each.

Content controls do not show in Word's paragraph collection, so the blocks of one stand among the others; a
`Leaf` remembers the controls that it stands in. Texts are what a reader sees: insertions are in, deletions
out, of a field its result. Marks that platforms report differently (tabs, breaks, pictures) do not count when
the pane compares texts, so they need not be right here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree

from agent.document.names import MC, W_P, W_SDT, W_T, W_TBL, W_TXBX, W
from agent.document.text import node_text

_CONTAINERS = {W + "sdt", W + "sdtContent", W + "customXml", W + "ins", W + "moveTo"}
_UNSEEN = {
    W + "del", W + "moveFrom", W + "pPr", W + "rPr", W + "tblPr", W + "trPr", W + "tcPr", W + "sdtPr",
    W + "instrText", W_TXBX, MC + "Fallback",
}  # fmt: skip
_MARKS = {W + "tab": "\t", W + "br": "\n", W + "cr": "\n", W + "noBreakHyphen": "-", W + "ptab": "\t"}


@dataclass(frozen=True)
class Leaf:
    """A paragraph or table of the body that is in no table."""

    top: str
    """Id of the body's block that it is, or that holds it."""
    element: Any
    controls: tuple[Any, ...] = ()
    """The content controls around it, outermost first."""

    @property
    def is_table(self) -> bool:
        return self.element.tag == W_TBL

    @property
    def text(self) -> str:
        """As the pane reads it: a table's is the texts of its paragraphs that are not empty, by newlines."""
        if not self.is_table:
            return paragraph_text(self.element)
        texts = (paragraph_text(p) for p in _paragraphs(self.element))
        return "\n".join(text for text in texts if text.strip())


def leaves(top: str, element: Any, controls: tuple[Any, ...] = ()) -> Iterator[Leaf]:
    """The paragraphs and tables of one block of the body, in order."""
    if element.tag in (W_P, W_TBL):
        yield Leaf(top, element, controls)
    elif element.tag in _CONTAINERS:
        inner = (*controls, element) if element.tag == W_SDT else controls
        for child in element:
            yield from leaves(top, child, inner)


def paragraph_text(paragraph: Any) -> str:
    """The text of a `w:p` as a reader sees it."""
    parts: list[str] = []
    _collect(paragraph, parts)
    return "".join(parts)


def _collect(element: Any, parts: list[str]) -> None:
    for child in element.iterchildren(etree.Element):
        if child.tag == W_T:
            parts.append(node_text(child))
        elif child.tag in _MARKS:
            parts.append(_MARKS[child.tag])
        elif child.tag not in _UNSEEN:
            _collect(child, parts)


def _paragraphs(table: Any) -> Iterator[Any]:
    """Paragraphs of a table in document order, those of nested tables too, those of text boxes not."""
    for element in table.iter(W_P):
        if not any(up.tag == W_TXBX for up in element.iterancestors()):
            yield element
