"""Whether what was written would open in Word without a repair, as far as the touched blocks can tell.

Only new problems count: what was wrong in the user's file before stays the user's. Each rule comes from a way in which
Word refuses or repairs a file.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from docx.opc.part import XmlPart
from lxml import etree

from agent.document.delta import ChangeRelationship, Delta, RemoveBlock, ReplaceBlock
from agent.document.names import W_P, W_PPR, W_RPR, W_SDT, W_TBL, W_TC, W_VAL, WP, R, W
from agent.document.numbering import numbering_root
from agent.document.records import cells_of, rows_of
from agent.document.styles import style_table

if TYPE_CHECKING:
    from agent.document.mirror import Mirror

_RELATIONSHIP_ATTRIBUTES = (R + "id", R + "embed", R + "link", R + "pict")
_MARKS = (b"fldChar", b"bookmark", b"commentRange")
_PAIRS = (("bookmarkStart", "bookmarkEnd"), ("commentRangeStart", "commentRangeEnd"))


def new_problems(mirror: Mirror, delta: Delta) -> list[str]:
    """What the delta broke, in sentences; empty if nothing."""
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    stories = {s.key: s for s in mirror.stories()}
    touched = delta.touched()
    for block in (*touched.changed, *touched.added, *touched.moved):
        if mirror.has(block):
            element = mirror.element(block)
            after.update(_problems(mirror, str(mirror.part_of(element).partname), element))
    for edit in delta.edits:
        if not isinstance(edit, (ReplaceBlock, RemoveBlock)) or edit.story not in stories:
            continue
        story = stories[edit.story]
        xml = edit.before.xml if isinstance(edit, ReplaceBlock) else edit.image.xml
        # what was wrong before only matters beside what is wrong now, and beside marks that come in pairs
        if after or any(mark in xml for mark in _MARKS):
            before.update(_problems(mirror, story.part, story.parse(xml)))
    for block in touched.moved:
        after.subtract({k: v for k, v in _balance(mirror.element(block)).items() if v < 0})
    found = [p for p, count in after.items() if count > before[p] and not p.startswith("balance:")]
    found += _unbalanced(before, after)
    found += _duplicate_ids(mirror, delta)
    found += _dangling(mirror, delta)
    return found


def _problems(mirror: Mirror, part: str, element: Any) -> Counter[str]:
    found: Counter[str] = _balance(element)
    rels = mirror.file.parts[part].rels if part in mirror.file.parts else {}
    styles = style_table(mirror)
    numbers = _numbers(mirror)
    for node in element.iter():
        tag = node.tag
        if not isinstance(tag, str):
            continue
        for name in _RELATIONSHIP_ATTRIBUTES:
            rid = node.get(name)
            if rid and rid not in rels:
                found[f"the relationship {rid} does not exist"] += 1
        if tag in (W + "pStyle", W + "rStyle", W + "tblStyle") and node.get(W_VAL) not in styles and styles:
            found[f"the style {node.get(W_VAL)} is not defined"] += 1
        elif tag == W + "numId" and node.get(W_VAL) not in numbers and node.get(W_VAL) != "0":
            found[f"the list {node.get(W_VAL)} is not defined"] += 1
        elif tag == W_TC:
            blocks = [c for c in node if c.tag in (W_P, W_TBL, W_SDT)]
            if not blocks or blocks[-1].tag == W_TBL:
                found["a table cell does not end with a paragraph"] += 1
        elif tag == W_P:
            if any(
                a.tag == W_P
                for a in node.iterancestors()
                if a.getparent() is not None and a.tag != W + "txbxContent"
            ) and (node.getparent().tag == W_P):
                found["a paragraph lies in a paragraph"] += 1
            first = node.find(W_PPR)
            if first is not None and node.index(first) != 0:
                found["paragraph properties stand behind text"] += 1
        elif tag == W + "r":
            formats = node.findall(W_RPR)
            if formats and (len(formats) > 1 or node.index(formats[0]) != 0):
                found["character properties stand behind text or twice"] += 1
        elif tag == W_TBL:
            found.update(_merges(node))
    return found


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
    for node in element.iter(W + "fldChar"):
        kind = node.get(W + "fldCharType")
        found["balance:field"] += {"begin": 1, "end": -1}.get(kind or "", 0)
    for start, end in _PAIRS:
        for node in element.iter(W + start):
            found[f"balance:{start} {node.get(W + 'id')}"] += 1
        for node in element.iter(W + end):
            found[f"balance:{start} {node.get(W + 'id')}"] -= 1
    return found


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
        if edit.before is not None and _REFERENCE(part.element, rid=edit.id):
            found.append(f"something in {edit.source} refers to the relationship {edit.id}, which is gone")
    return found


_REFERENCE = etree.XPath(f"boolean(//@*[namespace-uri()='{R[1:-1]}'][. = $rid])")


def _duplicate_ids(mirror: Mirror, delta: Delta) -> list[str]:
    """Drawing and annotation ids of new content that are in use elsewhere in the document."""
    fresh: list[tuple[str, str]] = []
    touched = delta.touched()
    for block in (*touched.added, *touched.changed):
        if mirror.has(block):
            fresh += _ids(mirror.element(block))
    if not fresh:
        return []
    used: Counter[tuple[str, str]] = Counter()
    for story in mirror.stories():
        used.update(_ids(story.container) if "#" not in story.key else [])
    before: Counter[tuple[str, str]] = Counter()
    stories = {s.key: s for s in mirror.stories()}
    for edit in delta.edits:
        if isinstance(edit, ReplaceBlock) and edit.story in stories:
            before.update(_ids(stories[edit.story].parse(edit.before.xml)))
    return [
        f"the {kind} id {value} is used twice"
        for kind, value in dict.fromkeys(fresh)
        if used[kind, value] > 1 and not before[kind, value]
    ]


def _ids(element: Any) -> list[tuple[str, str]]:
    found = [("drawing", e.get("id", "")) for e in element.iter(WP + "docPr") if not _in_fallback(e)]
    found += [("bookmark", e.get(W + "id", "")) for e in element.iter(W + "bookmarkStart")]
    found += [("comment", e.get(W + "id", "")) for e in element.iter(W + "comment")]
    return found


def _in_fallback(element: Any) -> bool:
    return any(isinstance(a.tag, str) and a.tag.endswith("}Fallback") for a in element.iterancestors())


def _numbers(mirror: Mirror) -> set[str]:
    root = numbering_root(mirror)
    return {n.get(W + "numId", "") for n in root.iterchildren(W + "num")} if root is not None else set()
