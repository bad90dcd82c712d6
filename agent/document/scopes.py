"""All paragraphs of a document, by where they are: body with tables and controls, text boxes, headers, footers, notes.

A text box is in the file twice (`mc:AlternateContent`: DrawingML for Word, VML for old programs): people see one. Comments
are in none of them: they are what others said about the text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from docx.opc.constants import RELATIONSHIP_TYPE as RT

from agent.document import text as texts
from agent.document.names import MC, W_P, W_TXBX, W

if TYPE_CHECKING:
    from agent.document.mirror import Mirror

Scope = Literal["everywhere", "body", "headers", "footers", "notes", "text boxes"]
_PARTS: dict[str, tuple[str, ...]] = {
    "headers": (RT.HEADER,),
    "footers": (RT.FOOTER,),
    "notes": (RT.FOOTNOTES, RT.ENDNOTES),
}
_SEPARATORS = ("separator", "continuationSeparator", "continuationNotice")


def paragraphs(mirror: Mirror, scope: Scope = "everywhere") -> list[Any]:
    """`w:p` elements in order, those of the body first; of a text box only the copy that Word shows. "text boxes" are those of
    the body, headers and footers, wherever they are; they are in no other scope but "everywhere".
    """
    roots = [(mirror.body, "body")]
    for name, kinds in _PARTS.items():
        roots += [(root, name) for root in _roots(mirror, kinds)]
    found: list[Any] = []
    for root, name in roots:
        if scope not in ("everywhere", "text boxes", name):
            continue
        for p in root.iter(W_P):
            boxed, fallback, separator = _around(p)
            if fallback or separator or (boxed and scope not in ("everywhere", "text boxes")):
                continue
            if scope != "text boxes" or boxed:
                found.append(p)
    return found


def with_boxes(paragraphs: Iterable[Any]) -> list[Any]:
    """Each `w:p`, and those of the text boxes in it; without the copies that Word does not show."""
    found = dict.fromkeys(q for p in paragraphs for q in p.iter(W_P))
    return [q for q in found if not _around(q)[1]]


def twin(paragraph: Any) -> Any | None:
    """The copy of a text box's paragraph for programs that do not know DrawingML, if it says the same."""
    choice = next((a for a in paragraph.iterancestors() if a.tag == MC + "Choice"), None)
    fallback = choice.getparent().find(MC + "Fallback") if choice is not None else None
    if choice is None or fallback is None:
        return None
    here = [p for box in choice.iter(W_TXBX) for p in box.iter(W_P)]
    there = [p for box in fallback.iter(W_TXBX) for p in box.iter(W_P)]
    if paragraph not in here or len(here) != len(there):
        return None
    found = there[here.index(paragraph)]
    return found if texts.text_of(found) == texts.text_of(paragraph) else None


def _roots(mirror: Mirror, kinds: tuple[str, ...]) -> list[Any]:
    found: dict[str, Any] = {}
    for rel in mirror.file.document_part.rels.values():
        if rel.reltype in kinds and not rel.is_external:
            part: Any = rel.target_part
            found[str(part.partname)] = part.element
    return [found[name] for name in sorted(found)]


def _around(paragraph: Any) -> tuple[bool, bool, bool]:
    """Whether it is in a text box, in the copy of one that Word does not show, in a note that is only a separator line."""
    boxed = fallback = separator = False
    for node in paragraph.iterancestors():
        boxed = boxed or node.tag == W_TXBX
        fallback = fallback or node.tag == MC + "Fallback"
        separator = separator or node.get(W + "type") in _SEPARATORS
    return boxed, fallback, separator
