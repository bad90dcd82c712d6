"""Bookmarks, comment ranges, permissions, fields: what starts in one place and ends in another, when blocks are taken out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from agent.document.names import W_P, W_PPR, W_SECTPR, W
from agent.document.text import paragraph_of
from agent.errors import InvalidTarget

if TYPE_CHECKING:
    from agent.document.changes import Change
    from agent.document.mirror import Mirror

_PAIRS = {
    W + start: W + end
    for start, end in (
        ("bookmarkStart", "bookmarkEnd"),
        ("commentRangeStart", "commentRangeEnd"),
        ("permStart", "permEnd"),
        ("moveFromRangeStart", "moveFromRangeEnd"),
        ("moveToRangeStart", "moveToRangeEnd"),
    )
}
_STARTS = {end: start for start, end in _PAIRS.items()}
_NAMES = {
    "TOC": "table of contents",
    "INDEX": "index",
    "BIBLIOGRAPHY": "bibliography",
    "TOA": "table of authorities",
}


def settle(blocks: Sequence[Any]) -> set[str]:
    """Before the blocks go: move the halves of ranges that begin or end in them but not both to the text that is left of the
    range. Gives the ids of the comments that have no text left; the marks of those that stand elsewhere are taken out.
    """
    marks = (*_PAIRS, *_STARTS, W + "commentReference")
    if not any(next(b.iter(*marks), None) is not None for b in blocks):
        return set()
    root = blocks[0].getroottree().getroot()
    order = {e: i for i, e in enumerate(root.iter())}
    inside = {e for b in blocks for e in b.iter()}
    halves: dict[tuple[str, str], dict[str, Any]] = {}
    for node in root.iter(*_PAIRS, *_STARTS):
        half = "start" if node.tag in _PAIRS else "end"
        halves.setdefault((str(_STARTS.get(node.tag, node.tag)), node.get(W + "id", "")), {})[half] = node
    references = {n.get(W + "id", ""): n for n in root.iter(W + "commentReference")}
    paragraphs = [p for p in root.iter(W_P) if p not in inside]
    for (kind, id_), pair in halves.items():
        if len(pair) < 2 or (pair["start"] in inside) is (pair["end"] in inside):
            continue
        moved = _move_half(pair["start"], pair["end"], inside, order, paragraphs)
        reference = references.get(id_) if kind == W + "commentRangeStart" else None
        if moved and reference is not None and reference in inside:
            pair["end"].addnext(reference.getparent())
            del references[id_]
    lost = {i for i, n in references.items() if n in inside}
    for node in list(root.iter(W + "commentRangeStart", W + "commentRangeEnd")):
        if node.get(W + "id") in lost and node not in inside:
            node.getparent().remove(node)
    return lost


def _move_half(
    start: Any, end: Any, inside: set[Any], order: dict[Any, int], paragraphs: Sequence[Any]
) -> bool:
    """Move the half that goes into what is left between the two; if nothing is left, the other half goes too."""
    if start in inside:
        place = next((p for p in paragraphs if order[start] < order[p] < order[end]), None)
        if place is not None:
            place.insert(0 if place.find(W_PPR) is None else 1, start)
            return True
        end.getparent().remove(end)
        return False
    around = set(start.iterancestors())
    left = [p for p in paragraphs if order[p] < order[end] and (order[p] > order[start] or p in around)]
    if left:
        left[-1].append(end)
        return True
    start.getparent().remove(start)
    return False


def bookmarks_in(blocks: Sequence[Any]) -> set[str]:
    """Names of the bookmarks that begin in blocks."""
    return {b.get(W + "name", "") for block in blocks for b in block.iter(W + "bookmarkStart")} - {""}


def leading_to(mirror: Mirror, names: set[str]) -> list[Any]:
    """The paragraphs with a field or link that leads to a bookmark that the document does not have."""
    there = {b.get(W + "name", "") for b in mirror.body.iter(W + "bookmarkStart")}
    gone = names - there
    if not gone:
        return []
    found: list[Any] = []
    for node in mirror.body.iter(W + "instrText", W + "fldSimple", W + "hyperlink"):
        code = node.get(W + "anchor") or node.get(W + "instr") or node.text or ""
        if gone & set(code.replace('"', " ").split()):
            found.append(paragraph_of(node))
    return list(dict.fromkeys(p for p in found if p is not None))


def refuse_cut_fields(mirror: Mirror, blocks: Sequence[Any]) -> None:
    """Raise InvalidTarget if a field would lose one end: a contents table that runs over several paragraphs, for example."""
    roots = list(dict.fromkeys(b.getroottree().getroot() for b in blocks))
    inside = {e for b in blocks for e in b.iter(W + "fldChar")}
    for root in roots:
        for field in _fields(root):
            cut = [m for m in field if m in inside]
            if cut and len(cut) != len(field):
                holders = [mirror.block_of(m) for m in (field[0], field[-1])]
                name = _field_name(field[0])
                raise InvalidTarget(
                    f"This would cut a {name} in two: it runs from {holders[0]} to {holders[1]}. "
                    f"Name all of these blocks, or only ones between them."
                )


def _fields(root: Any) -> list[list[Any]]:
    """The `w:fldChar` marks of each complex field: begin, separate, end."""
    done: list[list[Any]] = []
    open_: list[list[Any]] = []
    for mark in root.iter(W + "fldChar"):
        kind = mark.get(W + "fldCharType")
        if kind == "begin":
            open_.append([mark])
        elif open_:
            open_[-1].append(mark)
            if kind == "end":
                done.append(open_.pop())
    return done


def _field_name(begin: Any) -> str:
    code = next(iter(begin.xpath("following::w:instrText[1]")), None)
    word = (code.text or "").split()[:1] if code is not None else []
    return _NAMES.get(word[0].upper(), "field") if word else "field"


KINDS = ("bookmark", "bookmark end", "comment start", "comment end", "comment", "permission")
"""What records call the marks that `settle` moves."""


def covers(blocks: Sequence[Any]) -> Callable[[Change], bool]:
    """Covers changes of marks that have a half in these blocks, and of section breaks if one is in them."""
    marks = [e for b in blocks for e in b.iter(*_MARKED)]
    values = {v for e in marks for name in ("name", "id") if (v := e.get(W + name)) is not None}
    ids = {e.get(W + "id") for e in marks}
    for root in {b.getroottree().getroot() for b in blocks}:  # the other half has the name
        values |= {e.get(W + "name", "") for e in root.iter(W + "bookmarkStart") if e.get(W + "id") in ids}
    breaks = any(next(b.iter(W_SECTPR), None) is not None for b in blocks)

    def own(change: Change) -> bool:
        if change.path == "section break" or change.path.startswith(("headerReference", "footerReference")):
            return breaks
        return change.path in KINDS and (change.before or change.after) in values

    return own


COMMENT_MARKS = tuple(W + name for name in ("commentRangeStart", "commentRangeEnd", "commentReference"))
"""Where a comment starts and ends, and where its number would stand."""
_MARKED = (*COMMENT_MARKS, *(W + name for name in ("bookmarkStart", "bookmarkEnd", "permStart", "permEnd")))
