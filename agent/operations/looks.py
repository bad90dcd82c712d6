"""Which paragraph a new one takes after: the body text, heading or list item that a person would copy the look from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from agent.document import text as texts
from agent.document.names import W_P, W_PPR, W_TC, W_VAL, WP, W
from agent.document.numbering import list_of, number_format
from agent.document.outline import Block, walk
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
    blocks = [b for b in walk(mirror) if b.depth == 0]
    if anchor:
        element = mirror.element(anchor)
        cell = next((a for a in element.iterancestors() if a.tag == W_TC), None)
        if cell is not None:
            return element if element.tag == W_P else next(cell.iterchildren(W_P), None)
        if not any(a is mirror.body for a in element.iterancestors()):
            return element if element.tag == W_P else None
        at = next((i for i, b in enumerate(blocks) if b.id == anchor), 0)
        if blocks[at].tag == W_P and is_body(mirror, blocks[at]):
            return element
    else:
        at = 0 if side == "start" else len(blocks)
    before, after = blocks[:at][::-1], blocks[at + 1 if anchor else at :]
    here = (_until_heading(before), _until_heading(after))
    if anchor and blocks[at].level is not None and side == "after":
        here = (here[1], here[0])
    for group in (*here, before, after):
        found = next((b.element for b in group if b.tag == W_P and is_body(mirror, b)), None)
        if found is not None:
            return found
    return None


def heading_like(mirror: Mirror, anchor: str, level: int) -> Any | None:
    """The nearest heading of a level, or None if the document has none."""
    every = [b for b in walk(mirror) if b.depth == 0]
    at = next((i for i, b in enumerate(every) if b.id == anchor), len(every))
    order = [*every[:at][::-1], *every[at:]]
    return next((b.element for b in order if b.level == level and b.text.strip()), None)


def list_item_like(mirror: Mirror, anchor: str, *, bullet: bool) -> Any | None:
    """The nearest item, of the first level, of a list with bullets (or numbers), or None."""
    every = [b for b in walk(mirror) if b.depth == 0]
    at = next((i for i, b in enumerate(every) if b.id == anchor), len(every))
    for block in [*every[:at][::-1], *every[at:]]:
        found = list_of(mirror, block.element) if block.tag == W_P and block.level is None else None
        if found is not None and found[1] == 0 and block.text.strip():
            kind = number_format(mirror, *found)
            if kind and (kind == "bullet") is bullet:
                return block.element
    return None


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
    return next(paragraph.iter(WP + "inline", WP + "anchor"), None) is None and bool(
        texts.text_of(paragraph).strip()
    )


def _is_bold_line(paragraph: Any, text: str) -> bool:
    rpr = texts.dominant_format(paragraph)
    bold = rpr.find(W + "b") if rpr is not None else None
    on = bold is not None and bold.get(W_VAL, "1") not in ("0", "false", "off")
    return on and len(text) <= 80 and text.rstrip()[-1:] not in ".!?…。"


def _until_heading(blocks: Iterable[Block]) -> list[Block]:
    found: list[Block] = []
    for block in blocks:
        if block.level is not None:
            break
        found.append(block)
    return found
