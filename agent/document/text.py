r"""The text of a paragraph as people see it, with offsets, and edits of it that keep every other character's format.

Sees through hyperlinks, content controls, insertions and moved-in text, smart tags, simple fields and directional
embeddings. Deleted and moved-away text (`w:del`, `w:moveFrom`) and field codes are not text. A tab is "\t", a line
break "\n", a page or column break "\f", a non-breaking hyphen U+2011, a soft hyphen U+00AD. Drawings, note
references and text boxes have no width; a text box's paragraphs are paragraphs of their own.
"""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from typing import Any

from docx.oxml import OxmlElement
from lxml import etree

from agent.document.names import MC, W_P, W_R, W_RPR, W_T, XML, W

_THROUGH = {
    W + name
    for name in (
        "hyperlink",
        "ins",
        "moveTo",
        "smartTag",
        "sdt",
        "sdtContent",
        "fldSimple",
        "customXml",
        "dir",
        "bdo",
    )
}
_CHARACTERS = {
    W + "tab": "\t",
    W + "ptab": "\t",
    W + "cr": "\n",
    W + "noBreakHyphen": "\u2011",
    W + "softHyphen": "\u00ad",
}
_BR = W + "br"
_SYM = W + "sym"
_ALTERNATIVES = MC + "AlternateContent"
_ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


@dataclass(frozen=True)
class Piece:
    """One text-bearing node of a run and the offsets of its text in the paragraph."""

    start: int
    end: int
    run: Any
    node: Any


def pieces_of(paragraph: Any) -> list[Piece]:
    """The text-bearing nodes of a `w:p` in order."""
    found: list[Piece] = []
    at = 0
    stack = [iter(paragraph)]
    while stack:
        element = next(stack[-1], None)
        if element is None:
            stack.pop()
        elif element.tag == W_R:
            for node in element:
                text = node_text(node)
                if text:
                    found.append(Piece(at, at + len(text), element, node))
                    at += len(text)
        elif element.tag in _THROUGH:
            stack.append(iter(element))
    return found


def node_text(node: Any) -> str:
    """The text of one node of a run."""
    tag = node.tag
    if tag == W_T:
        return node.text or ""
    if tag == _BR:
        return "\f" if node.get(W + "type") in ("page", "column") else "\n"
    if tag == _SYM:
        return _symbol(node.get(W + "char", "20"))
    if tag == _ALTERNATIVES:  # an emoji in Word's own notation, with the plain character for others
        return "".join(t.text or "" for f in node.iterchildren(MC + "Fallback") for t in f.iterchildren(W_T))
    return _CHARACTERS.get(tag, "")


def _symbol(code: str) -> str:
    """The character of a `w:sym`, in a font of symbols mostly U+F0xx; U+FFFD if the file names none."""
    value = int(code, 16) if re.fullmatch("[0-9A-Fa-f]{1,6}", code) else 0
    legal_ = 0x20 <= value < 0xD800 or 0xE000 <= value < 0xFFFE or 0x10000 <= value < 0x110000
    return chr(value) if legal_ else "\ufffd"


def text_of(paragraph: Any) -> str:
    """The paragraph's text."""
    return "".join(node_text(piece.node) for piece in pieces_of(paragraph))


def runs_of(paragraph: Any) -> list[Any]:
    """The `w:r` elements that the text lies in, in order, also those without text."""
    found: list[Any] = []
    stack = [iter(paragraph)]
    while stack:
        element = next(stack[-1], None)
        if element is None:
            stack.pop()
        elif element.tag == W_R:
            found.append(element)
        elif element.tag in _THROUGH:
            stack.append(iter(element))
    return found


def isolate(paragraph: Any, start: int, end: int) -> list[Any]:
    """Split runs so that some of them hold exactly the characters `start` to `end`; those runs, in order."""
    _split_at(paragraph, start)
    _split_at(paragraph, end)
    runs: list[Any] = []
    for piece in pieces_of(paragraph):
        if start <= piece.start and piece.end <= end and (not runs or runs[-1] is not piece.run):
            runs.append(piece.run)
    return runs


def _split_at(paragraph: Any, offset: int) -> None:
    for piece in pieces_of(paragraph):
        if piece.start < offset < piece.end and piece.node.tag == W_T:
            text = piece.node.text
            cut = offset - piece.start
            rest = OxmlElement("w:t")
            _set_text(rest, text[cut:])
            piece.node.addnext(rest)
            _set_text(piece.node, text[:cut])
            _split_run(piece.run, rest)
            return
        if piece.start == offset and piece.node.getprevious() is not None:
            before = piece.node.getprevious()
            if before.tag != W_RPR:
                _split_run(piece.run, piece.node)
            return


def _split_run(run: Any, first: Any) -> None:
    """Move `first` and what follows it in the run into a new run of the same format behind it."""
    new = OxmlElement("w:r")
    if run.find(W_RPR) is not None:
        new.append(copy.deepcopy(run.find(W_RPR)))
    moving = [first, *first.itersiblings()]
    for node in moving:
        new.append(node)
    run.addnext(new)


def replace(paragraph: Any, start: int, end: int, text: str) -> None:
    """Replace the characters `start` to `end`; the new ones look like the first replaced one (for an insertion, like
    the one before, or after at the start of the paragraph). Everything else keeps its format.
    """
    if start == end:
        _insert(paragraph, start, text)
        return
    runs = isolate(paragraph, start, end)
    first = True
    for piece in [p for p in pieces_of(paragraph) if start <= p.start and p.end <= end]:
        if first and text:
            for node in nodes_for(text):
                piece.node.addprevious(node)
        first = False
        piece.run.remove(piece.node)
    for run in runs:
        remove_if_empty(run)


def _insert(paragraph: Any, offset: int, text: str) -> None:
    """Into the run before, or after at the start. At the end (or start) of a link or a field's result it goes outside: Word does
    so too, and what lies in a result is lost when the field is updated.
    """
    if not text:
        return
    _split_at(paragraph, offset)
    pieces = pieces_of(paragraph)
    before = next((p for p in reversed(pieces) if p.end == offset), None)
    after = next((p for p in pieces if p.start == offset), None)
    anchor = before or after
    if anchor is None:
        _insert_into_empty(paragraph, text)
        return
    edge = _outer_edge(anchor.run, after.run if after else None, forward=before is not None)
    if edge is None:
        nodes = nodes_for(text)
        for node in reversed(nodes) if before is not None else nodes:
            (anchor.node.addnext if before is not None else anchor.node.addprevious)(node)
        return
    run: Any = OxmlElement("w:r")
    beside = edge.getnext() if before is not None else edge.getprevious()
    plain = beside if beside is not None and beside.tag == W_R else None
    rpr = (plain if plain is not None else anchor.run).find(W_RPR)
    if rpr is not None:
        run.append(copy.deepcopy(rpr))
        if plain is None:
            for name in ("rStyle", "u", "color"):
                for child in run[0].findall(W + name):
                    run[0].remove(child)
    for node in nodes_for(text):
        run.append(node)
    (edge.addnext if before is not None else edge.addprevious)(run)


def _insert_into_empty(paragraph: Any, text: str) -> None:
    runs = runs_of(paragraph)
    run: Any = OxmlElement("w:r")
    mark = paragraph.find(f"{W}pPr/{W_RPR}")
    for child in mark if mark is not None else ():
        if child.tag not in (W + "ins", W + "del", W + "moveFrom", W + "moveTo", W + "rPrChange"):
            run.get_or_add_rPr().append(copy.deepcopy(child))
    for node in nodes_for(text):
        run.append(node)
    if runs:
        runs[0].addprevious(run)
    else:
        paragraph.append(run)


def _outer_edge(run: Any, following: Any, *, forward: bool) -> Any | None:
    """The link or field that ends (or starts) with the run: the element to put new text beside. None inside or outside of one."""
    edge = None
    link = _link_of(run)
    if link is not None and not (forward and following is not None and _link_of(following) is link):
        edge = link
    node = edge if edge is not None else run
    beside = node.getnext() if forward else node.getprevious()
    while beside is not None and beside.tag == W_R:
        marks = [m.get(W + "fldCharType") for m in beside.iterchildren(W + "fldChar")]
        if forward and "end" in marks:
            return beside
        if not forward and "begin" in marks:
            return beside
        if beside is following or any(node_text(n) for n in beside):
            break
        beside = beside.getnext() if forward else beside.getprevious()
    return edge


def _link_of(run: Any) -> Any | None:
    node = run.getparent()
    while node is not None and node.tag != W_P:
        if node.tag in (W + "hyperlink", W + "fldSimple"):
            return node
        node = node.getparent()
    return None


def dominant_format(paragraph: Any) -> Any | None:
    """A copy of the `w:rPr` that most of the characters have, those of links left out; None if they have none."""
    weights: dict[bytes, int] = {}
    formats: dict[bytes, Any] = {}
    pieces = pieces_of(paragraph)
    for piece in [p for p in pieces if _link_of(p.run) is None] or pieces:
        rpr = piece.run.find(W_RPR)
        key = etree.tostring(rpr, method="c14n") if rpr is not None else b""
        weights[key] = weights.get(key, 0) + piece.end - piece.start
        formats[key] = rpr
    found = formats[max(weights, key=lambda k: weights[k])] if weights else None
    if found is None:
        return None
    clone = copy.deepcopy(found)
    for name in ("rPrChange", "ins", "del", "moveFrom", "moveTo", "vanish"):
        for child in clone.findall(W + name):
            clone.remove(child)
    return clone


def nodes_for(text: str) -> list[Any]:
    """The nodes of a run for some text, made `legal`: `w:t`, and `w:tab` and `w:br` for tabs and line breaks."""
    found: list[Any] = []
    for token in re.split(r"([\t\n\f])", legal(text)):
        if token == "\t":
            found.append(OxmlElement("w:tab"))
        elif token in ("\n", "\f"):
            found.append(OxmlElement("w:br", {W + "type": "page"} if token == "\f" else None))
        elif token:
            node = OxmlElement("w:t")
            _set_text(node, token)
            found.append(node)
    return found


def legal(text: str) -> str:
    r"""A text as a paragraph can hold it: line ends as "\n", without characters that XML has no place for."""
    return _ILLEGAL.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\v", "\n"))


def _set_text(node: Any, text: str) -> None:
    node.text = text
    if text != text.strip():
        node.set(XML + "space", "preserve")


def remove_if_empty(run: Any) -> None:
    """Remove a run that holds nothing but its format, and the wrapper that it leaves empty."""
    if any(child.tag != W_RPR for child in run):
        return
    parent = run.getparent()
    parent.remove(run)
    if parent.tag in _THROUGH and parent.tag != W + "sdtContent" and len(parent) == 0:
        parent.getparent().remove(parent)


def find_all(
    text: str, needle: str, *, match_case: bool = True, whole_word: bool = False
) -> list[tuple[int, int]]:
    """Offsets of every match, left to right, not overlapping. A straight quote or apostrophe in the needle also
    finds the curly ones, and a space also finds a no-break space.
    """
    pattern = "".join(_LENIENT.get(c, re.escape(c)) for c in needle)
    if whole_word:
        pattern = rf"(?<!\w){pattern}(?!\w)"
    return [
        m.span()
        for m in re.finditer(pattern, text, 0 if match_case else re.IGNORECASE)
        if m.end() > m.start()
    ]


_LENIENT = {"'": "['\u2018\u2019]", '"': '["\u201c\u201d\u201e]', " ": "[ \u00a0]", "-": "[-\u2011]"}


def paragraph_of(element: Any) -> Any:
    """The nearest `w:p` that holds the element, or None."""
    node = element
    while node is not None and node.tag != W_P:
        node = node.getparent()
    return node
