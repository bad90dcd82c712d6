"""Whether what was written would open in Word without a repair, as far as the touched blocks can tell.

Only new problems count: what was wrong in the user's file before stays the user's. Each rule comes from a way in which
Word refuses or repairs a file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from docx.opc.part import XmlPart
from lxml import etree

from agent.document.delta import (
    BLOCK_EDITS,
    ChangeRelationship,
    Delta,
    Image,
    InsertBlock,
    RemoveBlock,
    ReplaceBlock,
    ReplaceInside,
)
from agent.document.images import widened
from agent.document.index import Summary
from agent.document.mirror import inside as element_at
from agent.document.names import MC, W_P, W_PPR, W_SDT, W_TBL, W_TC, W_VAL, WP, W
from agent.document.numbering import numbering_root
from agent.document.records import cells_of, rows_of
from agent.document.relations import is_referred_to, relationships_in
from agent.document.styles import style_table

if TYPE_CHECKING:
    from agent.document.mirror import Mirror, Story

_MARKS = (b"fldChar", b"bookmark", b"commentRange")
_PAIRS = (("bookmarkStart", "bookmarkEnd"), ("commentRangeStart", "commentRangeEnd"))


def new_problems(mirror: Mirror, delta: Delta) -> list[str]:
    """What the delta broke, in sentences; empty if nothing. The document is as the delta left it."""
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    pairs = list(_touched(mirror, delta))
    for _, part, now in pairs:
        if now is not None and (found := _problems(mirror, part, now)):
            after.update(found)
    for was, part, _ in pairs:
        # what was wrong before only matters beside what is wrong now, and beside marks that come in pairs
        if was is not None and (after or any(mark in was[1].xml for mark in _MARKS)):
            before.update(_problems(mirror, part, was[0].parse(was[1].xml)))
    for block in delta.touched().moved if any(isinstance(edit, InsertBlock) for edit in delta.edits) else ():
        after.subtract({k: v for k, v in _balance(mirror.element(block)).items() if v < 0})
    found = [p for p, count in after.items() if count > before[p] and not p.startswith("balance:")]
    if before or after:
        found += _unbalanced(before, after)
    found += _duplicate_ids(mirror, pairs)
    found += _dangling(mirror, delta)
    return found


Pair = tuple[tuple["Story", Image] | None, str, Any]
"""Of something that was touched: how it was, its part, and the element as it is now; None where it was or is not."""


def _touched(mirror: Mirror, delta: Delta) -> Iterator[Pair]:
    """The blocks that a delta touched, those that are in parts no longer there left out. If only something inside a table
    changed, and not how its cells are merged, that alone.
    """
    edits = [edit for edit in delta.edits if isinstance(edit, BLOCK_EDITS)]
    parts = [edit for edit in edits if isinstance(edit, ReplaceInside)]
    if parts:
        whole = {e.id for e in edits if not isinstance(e, ReplaceInside) or _is_merged_otherwise(e)}
        often = len({(edit.id, edit.path) for edit in parts}) < len(parts)
        if often or any(edit.id in whole for edit in parts):
            edits = [edit for edit in widened(mirror, delta).edits if isinstance(edit, BLOCK_EDITS)]
    seen: set[str] = set()
    for edit in edits:
        story = mirror.story(edit.story)
        if story is None:
            continue
        if isinstance(edit, ReplaceInside):
            yield (story, edit.before), story.part, element_at(mirror.element(edit.id), edit.path)
            continue
        was = (
            edit.before
            if isinstance(edit, ReplaceBlock)
            else edit.image
            if isinstance(edit, RemoveBlock)
            else None
        )
        now = mirror.element(edit.id) if edit.id not in seen and mirror.has(edit.id) else None
        seen.add(edit.id)
        yield (story, was) if was is not None else None, story.part, now


_MERGES = re.compile(rb"<w:(?:gridSpan|vMerge|hMerge|gridBefore|gridAfter)[ />][^>]*>|<w:tc[ >]")


def _is_merged_otherwise(edit: ReplaceInside) -> bool:
    """Whether cells came or went, or are merged in another way: then the rows around matter."""
    return edit.before.ids[:1] == ("",) and _MERGES.findall(edit.before.xml) != _MERGES.findall(
        edit.after.xml
    )


def _problems(mirror: Mirror, part: str, element: Any) -> Counter[str]:
    found: Counter[str] = _balance(element)
    rels = mirror.file.parts[part].rels if part in mirror.file.parts else {}
    for rid in relationships_in(element):
        if rid and rid not in rels:
            found[f"the relationship {rid} does not exist"] += 1
    styles = style_table(mirror)
    for node in element.iter(*_LOOKED_AT):
        tag = node.tag
        if tag in _STYLES:
            if styles and node.get(W_VAL) not in styles:
                found[f"the style {node.get(W_VAL)} is not defined"] += 1
        elif tag == _NUMBER:
            if node.get(W_VAL) != "0" and node.get(W_VAL) not in numbers_of(mirror):
                found[f"the list {node.get(W_VAL)} is not defined"] += 1
        elif tag == W_TC:
            blocks = [c for c in node if c.tag in (W_P, W_TBL, W_SDT)]
            if not blocks or blocks[-1].tag == W_TBL:
                found["a table cell does not end with a paragraph"] += 1
        elif tag == W_TBL:
            found.update(_merges(node))
    for node in _MISPLACED(element):
        if node.tag == W_P:
            found["a paragraph lies in a paragraph"] += 1
        elif node.tag == W_PPR:
            found["paragraph properties stand behind text"] += 1
        else:
            found["character properties stand behind text or twice"] += 1
    return found


_STYLES = frozenset((W + "pStyle", W + "rStyle", W + "tblStyle"))
_NUMBER = W + "numId"
_LOOKED_AT = (*_STYLES, _NUMBER, W_TC, W_TBL)
_NAMES = {"w": W[1:-1]}
_MISPLACED: Any = etree.XPath(
    "descendant-or-self::w:p/w:p | descendant-or-self::w:p/w:pPr[preceding-sibling::*]"
    " | descendant-or-self::w:r/w:rPr[preceding-sibling::*]",
    namespaces=_NAMES,
)
"""A paragraph in a paragraph, and properties that are not the first thing in what they are of."""


def _merges(tbl: Any) -> Counter[str]:
    """A cell that continues a vertical merge needs a cell above it at the same place."""
    found: Counter[str] = Counter()
    above: set[int] = set()
    rows = rows_of(tbl)
    if not rows:
        found["a table has no rows"] += 1
    for row in rows:
        here: set[int] = set()
        at = 0
        if not cells_of(row):
            found["a table row has no cells"] += 1
        for tc in cells_of(row):
            span = tc.find(f"{W}tcPr/{W}gridSpan")
            merge = tc.find(f"{W}tcPr/{W}vMerge")
            if merge is not None:
                if merge.get(W_VAL, "continue") == "continue" and at not in above:
                    found["a merged cell continues nothing"] += 1
                here.add(at)
            value = span.get(W_VAL, "1") if span is not None else "1"
            at += int(value) if value.isdigit() else 1
        above = here
    return found


def _balance(element: Any) -> Counter[str]:
    """Starts less ends of fields, bookmarks and comment ranges; they may lie in different blocks, so only sums count."""
    found: Counter[str] = Counter()
    for node in element.iter(*_HALVES):
        tag = node.tag
        if tag == _FIELD:
            found["balance:field"] += {"begin": 1, "end": -1}.get(node.get(_FIELD_TYPE, ""), 0)
        else:
            name, step = _HALVES[tag]
            found[f"balance:{name} {node.get(W + 'id')}"] += step
    return found


_FIELD, _FIELD_TYPE = W + "fldChar", W + "fldCharType"
_HALVES = {
    _FIELD: ("field", 0),
    **{W + start: (start, 1) for start, _ in _PAIRS},
    **{W + end: (start, -1) for start, end in _PAIRS},
}


def _unbalanced(before: Counter[str], after: Counter[str]) -> list[str]:
    names = {"field": "a field", "bookmarkStart": "a bookmark", "commentRangeStart": "a comment's range"}
    keys = {k for k in {*before, *after} if k.startswith("balance:")}
    broken = {
        k.removeprefix("balance:").split(" ")[0] for k in keys if before[k] != after[k] and after[k] != 0
    }
    lost = {
        k.removeprefix("balance:").split(" ")[0]
        for k in keys
        if before[k] != after[k] and after[k] == 0 and before[k] != 0
    }
    return [f"{names[b]} has a start without an end or an end without a start" for b in sorted(broken | lost)]


def _dangling(mirror: Mirror, delta: Delta) -> list[str]:
    """Relationships that were taken out while something in their part, touched or not, still refers to them."""
    found: list[str] = []
    for edit in delta.edits:
        part = mirror.file.parts.get(edit.source) if isinstance(edit, ChangeRelationship) else None
        if not isinstance(edit, ChangeRelationship) or not isinstance(part, XmlPart) or edit.id in part.rels:
            continue
        if edit.before is not None and is_referred_to(mirror, part, edit.id):
            found.append(f"something in {edit.source} refers to the relationship {edit.id}, which is gone")
    return found


def _duplicate_ids(mirror: Mirror, pairs: Sequence[Pair]) -> list[str]:
    """Drawing and annotation ids of new content that are in use elsewhere in the document."""
    fresh = dict.fromkeys(key for _, _, now in pairs if now is not None for key in _ids(now))
    if not fresh:
        return []
    for was, _, _ in pairs:
        if was is not None and any(mark in was[1].xml for mark in _NUMBERED):
            for key in _ids(was[0].parse(was[1].xml)):
                fresh.pop(key, None)
    return [
        f"the {kind} id {value} is used twice" for kind, value in fresh if _uses(mirror, (kind, value)) > 1
    ]


def _uses(mirror: Mirror, key: tuple[str, str]) -> int:
    """How often an id is there in the parts that have been read."""
    return sum(
        counts[key] for story in mirror.stories() for counts in mirror.index_of(story).of_chunks(_ID_COUNTS)
    )


def _ids(element: Any) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for node in element.iter(*_WITH_IDS):
        if node.tag != WP + "docPr":
            found.append((_WITH_IDS[node.tag], node.get(W + "id", "")))
        elif next(node.iterancestors(MC + "Fallback"), None) is None:
            found.append(("drawing", node.get("id", "")))
    return found


_WITH_IDS = {WP + "docPr": "drawing", W + "bookmarkStart": "bookmark", W + "comment": "comment"}
_NUMBERED = (b":docPr", b":bookmarkStart", b":comment ")
_ID_COUNTS = Summary(
    lambda mirror, block, element: _ids(element), lambda values: Counter(chain.from_iterable(values))
)


def numbers_of(mirror: Mirror) -> frozenset[str]:
    """The `w:numId` of all lists that the file defines."""
    root = numbering_root(mirror)
    key = mirror.version(str(mirror.part_of(root).partname)) if root is not None else None
    if mirror.views.get("numbers", (None,))[0] != key or key is None:
        every = root.iterchildren(W + "num") if root is not None else ()
        mirror.views["numbers"] = (key, frozenset(n.get(W + "numId", "") for n in every))
    return mirror.views["numbers"][1]
