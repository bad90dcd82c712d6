"""Bookmarks, comment ranges, permissions, fields: what starts in one place and ends in another, when blocks are taken out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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
_HALVES = (*_PAIRS, *_STARTS)
_NAMES = {
    "TOC": "table of contents",
    "INDEX": "index",
    "BIBLIOGRAPHY": "bibliography",
    "TOA": "table of authorities",
}


def settle(mirror: Mirror, blocks: Sequence[Any]) -> set[str]:
    """Before the blocks go: move the halves of ranges that begin or end in them but not both to the text that is left of the
    range. Gives the ids of the comments that have no text left; the marks of those that stand elsewhere are taken out.
    """
    if not any(next(b.iter(*_HALVES, W + "commentReference"), None) is not None for b in blocks):
        return set()
    inside = {e for b in blocks for e in b.iter()}
    halves: dict[tuple[str, str], dict[str, Any]] = {}
    for node in mirror.nodes_beside(blocks[0], *_HALVES):
        half = "start" if node.tag in _PAIRS else "end"
        halves.setdefault((str(_STARTS.get(node.tag, node.tag)), node.get(W + "id", "")), {})[half] = node
    references = {n.get(W + "id", ""): n for n in mirror.nodes_beside(blocks[0], W + "commentReference")}
    for (kind, id_), pair in halves.items():
        if len(pair) < 2 or (pair["start"] in inside) is (pair["end"] in inside):
            continue
        moved = _move_half(pair["start"], pair["end"], inside)
        reference = references.get(id_) if kind == W + "commentRangeStart" else None
        if moved and reference is not None and reference in inside:
            pair["end"].addnext(reference.getparent())
            del references[id_]
    lost = {i for i, n in references.items() if n in inside}
    for node in list(mirror.nodes_beside(blocks[0], W + "commentRangeStart", W + "commentRangeEnd")):
        if node.get(W + "id") in lost and node not in inside:
            node.getparent().remove(node)
    return lost


def _move_half(start: Any, end: Any, inside: set[Any]) -> bool:
    """Move the half that goes into what is left between the two; if nothing is left, the other half goes too."""
    between = [n for n in following(start, end) if n.tag == W_P and n not in inside]
    if start in inside:
        place = next(iter(between), None)
        if place is not None:
            place.insert(0 if place.find(W_PPR) is None else 1, start)
            return True
        end.getparent().remove(end)
        return False
    left = between[-1:] or [a for a in start.iterancestors(W_P) if a not in inside][:1]
    if left:
        left[0].append(end)
        return True
    start.getparent().remove(start)
    return False


def following(node: Any, end: Any) -> Iterator[Any]:
    """What begins behind a node and before another, in the order of the document: costs what lies between, not the document."""
    while node is not None:
        following_ = node[0] if len(node) else None
        while following_ is None and node is not None:
            following_ = node.getnext()
            if following_ is None:
                node = node.getparent()
        node = following_
        if node is None or node is end:
            return
        yield node


def bookmarks_in(blocks: Sequence[Any]) -> set[str]:
    """Names of the bookmarks that begin in blocks."""
    return {b.get(W + "name", "") for block in blocks for b in block.iter(W + "bookmarkStart")} - {""}


def leading_to(mirror: Mirror, names: set[str]) -> list[Any]:
    """The paragraphs with a field or link that leads to a bookmark that the document does not have."""
    there = {b.get(W + "name", "") for b in mirror.nodes(W + "bookmarkStart")} if names else set[str]()
    gone = names - there
    if not gone:
        return []
    found: list[Any] = []
    for node in mirror.nodes(W + "instrText", W + "fldSimple", W + "hyperlink"):
        code = node.get(W + "anchor") or node.get(W + "instr") or node.text or ""
        if gone & set(code.replace('"', " ").split()):
            found.append(paragraph_of(node))
    return list(dict.fromkeys(p for p in found if p is not None))


def refuse_cut_fields(mirror: Mirror, blocks: Sequence[Any]) -> None:
    """Raise InvalidTarget if a field would lose one end: a contents table that runs over several paragraphs, for example."""
    if all(_is_whole(b) for b in blocks):
        return
    inside = {e for b in blocks for e in b.iter(W + "fldChar")}
    stories = {story.key: b for b in blocks if (story := mirror.story_of(b)) is not None}
    for block in stories.values():
        for field in _fields(mirror.nodes_beside(block, W + "fldChar")):
            cut = [m for m in field if m in inside]
            if cut and len(cut) != len(field):
                holders = [mirror.block_of(m) for m in (field[0], field[-1])]
                name = _field_name(field[0])
                raise InvalidTarget(
                    f"This would cut a {name} in two: it runs from {holders[0]} to {holders[1]}. "
                    f"Name all of these blocks, or only ones between them."
                )


def _is_whole(block: Any) -> bool:
    """Whether every field that has a mark in a block lies in it."""
    depth = 0
    for mark in block.iter(W + "fldChar"):
        kind = mark.get(W + "fldCharType")
        depth += {"begin": 1, "end": -1}.get(kind, 0)
        if depth < 0 or (depth == 0 and kind != "end"):
            return False
    return depth == 0


def _fields(marks: Iterable[Any]) -> list[list[Any]]:
    """The `w:fldChar` marks of each complex field, from those of a story: begin, separate, end."""
    done: list[list[Any]] = []
    open_: list[list[Any]] = []
    for mark in marks:
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


def covers(mirror: Mirror, blocks: Sequence[Any]) -> Callable[[Change], bool]:
    """Covers changes of marks that have a half in these blocks, and of section breaks if one is in them."""
    marks = [e for b in blocks for e in b.iter(*_MARKED)]
    values = {v for e in marks for name in ("name", "id") if (v := e.get(W + name)) is not None}
    ids = {e.get(W + "id") for e in marks}
    if any(e.tag == W + "bookmarkEnd" for e in marks):  # the other half has the name
        for block in blocks:
            starts = mirror.nodes_beside(block, W + "bookmarkStart")
            values |= {e.get(W + "name", "") for e in starts if e.get(W + "id") in ids}
    breaks = any(next(b.iter(W_SECTPR), None) is not None for b in blocks)

    def own(change: Change) -> bool:
        if change.path == "section break" or change.path.startswith(("headerReference", "footerReference")):
            return breaks
        return change.path in KINDS and (change.before or change.after) in values

    return own


COMMENT_MARKS = tuple(W + name for name in ("commentRangeStart", "commentRangeEnd", "commentReference"))
"""Where a comment starts and ends, and where its number would stand."""
_MARKED = (*COMMENT_MARKS, *(W + name for name in ("bookmarkStart", "bookmarkEnd", "permStart", "permEnd")))
