"""Which paragraph a new one takes after: the body text, heading or list item that a person would copy the look from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from agent.document import text as texts
from agent.document.names import W_P, W_PPR, W_TC, W_VAL, WP, W
from agent.document.numbering import list_of, number_format
from agent.document.outline import OUTER_BLOCKS, Block, before, behind, from_edge, headings, which
from agent.document.styles import style_name

if TYPE_CHECKING:
    from agent.document.mirror import Mirror

_SPECIAL = (
    "title",
    "subtitle",
    "caption",
    "quote",
    "intense quote",
    "toc",
    "header",
    "footer",
    "table of",
    "signature",
)


def body_text_near(mirror: Mirror, side: str, anchor: str) -> Any | None:
    """The `w:p` whose look new body text beside the anchor takes: nearest in its section first; in a table cell, one of that
    cell. None if the document has no body text.
    """
    if anchor:
        element = mirror.element(anchor)
        cell = next((a for a in element.iterancestors() if a.tag == W_TC), None)
        if cell is not None:
            return element if element.tag == W_P else next(cell.iterchildren(W_P), None)
        if not any(a is mirror.body for a in element.iterancestors()):
            return element if element.tag == W_P else None
        own = _own(mirror, anchor)
        if own is not None and own.tag == W_P and is_body(mirror, own):
            return element
        ahead, back = behind(mirror, anchor), before(mirror, anchor)
    else:
        own = None
        nothing: Iterator[Block] = iter(())
        ahead, back = from_edge(mirror, "start"), from_edge(mirror, "end")
        ahead, back = (ahead, nothing) if side == "start" else (nothing, back)
    earlier, later = _Stretch(mirror, back), _Stretch(mirror, ahead)
    under = own is not None and own.level is not None and side == "after"
    for stretch in (later, earlier) if under else (earlier, later):
        if (found := stretch.until_heading()) is not None:
            return found
    found = earlier.beyond()
    return found if found is not None else later.beyond()


class _Stretch:
    """The outer blocks on one side of a place, nearest first."""

    def __init__(self, mirror: Mirror, blocks: Iterator[Block]) -> None:
        self._mirror = mirror
        self._blocks = (b for b in blocks if b.depth == 0)

    def until_heading(self) -> Any | None:
        """The first running text before a heading."""
        for block in self._blocks:
            if block.level is not None:
                return None
            if block.tag == W_P and is_body(self._mirror, block):
                return block.element
        return None

    def beyond(self) -> Any | None:
        """The first running text behind that heading."""
        return next((b.element for b in self._blocks if b.tag == W_P and is_body(self._mirror, b)), None)


def _own(mirror: Mirror, anchor: str) -> Block | None:
    return next(
        (b for b in mirror.index.of_block(OUTER_BLOCKS, mirror.owner(anchor)) if b.id == anchor), None
    )


def heading_like(mirror: Mirror, anchor: str, level: int) -> Any | None:
    """The nearest heading of a level, or None if the document has none."""
    if not any(b.level == level for b in headings(mirror)):
        return None
    return next((b.element for b in _around(mirror, anchor) if b.level == level and b.text.strip()), None)


def list_item_like(mirror: Mirror, anchor: str, *, bullet: bool) -> Any | None:
    """The nearest item, of the first level, of a list with bullets (or numbers), or None."""
    if mirror.index.nth(LIST_ITEMS, 1) is None:
        return None
    for block in _around(mirror, anchor):
        found = list_of(mirror, block.element) if block.tag == W_P and block.level is None else None
        if found is not None and found[1] == 0 and block.text.strip():
            kind = number_format(mirror, *found)
            if kind and (kind == "bullet") is bullet:
                return block.element
    return None


LIST_ITEMS = which(
    lambda mirror, b: b.tag == W_P and b.level is None and list_of(mirror, b.element) is not None
)
"""Items of lists that are no headings."""


def _around(mirror: Mirror, anchor: str) -> Iterator[Block]:
    """The outer blocks before a block, the nearest first, then itself and those behind it; without one, from the end."""
    if not anchor or mirror.owner(anchor) not in mirror.index:
        found: Iterable[Block] = from_edge(mirror, "end")
    else:
        own = _own(mirror, anchor)
        found = chain(before(mirror, anchor), [own] if own is not None else [], behind(mirror, anchor))
    return (b for b in found if b.depth == 0)


def is_body(mirror: Mirror, block: Block) -> bool:
    """Whether a paragraph is running text: no heading (also none that is only bold), list item, caption or picture."""
    if block.level is not None or not block.text.strip() or not _is_plain(mirror, block.element):
        return False
    return not _is_bold_line(block.element, block.text)


def _is_plain(mirror: Mirror, paragraph: Any) -> bool:
    style = paragraph.find(f"{W_PPR}/{W}pStyle")
    name = style_name(mirror, style.get(W_VAL, "") if style is not None else "").lower()
    if name.startswith((*_SPECIAL, "heading", "list ")):
        return False
    if paragraph.find(f"{W_PPR}/{W}numPr") is not None and list_of(mirror, paragraph) is not None:
        return False  # a style that numbers running text, such as clauses of a contract, is no list
    if paragraph.find(f"{W_PPR}/{W}outlineLvl") is not None:
        return False
    return next(paragraph.iter(WP + "inline", WP + "anchor"), None) is None


def _is_bold_line(paragraph: Any, text: str) -> bool:
    rpr = texts.dominant_format(paragraph)
    bold = rpr.find(W + "b") if rpr is not None else None
    on = bold is not None and bold.get(W_VAL, "1") not in ("0", "false", "off")
    return on and len(text) <= 80 and text.rstrip()[-1:] not in ".!?…。"
