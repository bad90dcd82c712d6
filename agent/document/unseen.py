"""What changed in a block although no record says so: marks that wandered, revision ids, attributes of drawings, tags of others.

Change analysis compares records, and records hold what people see. The rest of a block's XML must stay as it is: what
is compared here is every element and attribute that records do not hold. Runs may be split and joined, and what leaves
the text may take its runs along; nothing else may come or go.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lxml import etree

from agent.document.delta import (
    BLOCK_EDITS,
    Delta,
    Image,
    InsertBlock,
    RemoveBlock,
    ReplaceBlock,
    ReplaceInside,
)
from agent.document.names import (
    MC,
    W_P,
    W_PPR,
    W_R,
    W_RPR,
    W_SDT,
    W_SECTPR,
    W_T,
    W_TBL,
    W_TBLPR,
    W_TC,
    W_TCPR,
    W_TR,
    W_TRPR,
    W_TXBX,
    WP,
    XML,
    A,
    M,
    R,
    W,
)  # fmt: skip
from agent.document.text import node_text

WP14 = "{http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing}"

if TYPE_CHECKING:
    from agent.document.mirror import Mirror, Story

_IN_RECORDS = {
    W_PPR, W_RPR, W_TBLPR, W_TRPR, W_TCPR, W_SECTPR, W + "tblGrid", W + "sdtPr", W + "tblStylePr", A + "graphic",
    M + "oMath", W + "ruby",
}  # fmt: skip
"""Records hold all that is in these, but for tracked changes of formats."""
_OLD_FORMATS = tuple(
    W + name + "Change" for name in ("pPr", "rPr", "tblPr", "tblPrEx", "tblGrid", "trPr", "tcPr", "sectPr")
)
_LEFT_OUT = {
    W + "proofErr", W + "lastRenderedPageBreak",  # Word writes them anew whenever it likes
    A + "extLst",  # of a drawing's properties; records hold whether it is decorative
    WP14 + "sizeRelH", WP14 + "sizeRelV",  # a size in per cent, which goes when there is one in lengths
}  # fmt: skip
_CHARACTERS = {
    W_R,
    W_T,
    W + "delText",
    W + "tab",
    W + "br",
    W + "cr",
    W + "sym",
    W + "noBreakHyphen",
    W + "softHyphen",
    W + "ptab",
    "{http://schemas.microsoft.com/office/word/2015/wordml/symex}symEx",
}
"""They come and go with the text, and are split with it."""
_WRAPPERS = {
    W + name
    for name in ("smartTag", "smartTagPr", "customXml", "customXmlPr", "attr", "placeholder", "dir", "bdo")
}
"""They go with the last word in them, and never come."""
_WORDS = {W_T, W + "delText", W + "instrText"}
_MARKS = {
    W + name
    for name in (
        "bookmarkStart", "bookmarkEnd", "commentRangeStart", "commentRangeEnd", "commentReference", "permStart", "permEnd",
        "footnoteReference", "endnoteReference",
    )
}  # fmt: skip
_KNOWN = _MARKS | {
    W_P, W_TBL, W_TR, W_TC, W_SDT, W + "sdtContent", W + "hyperlink", W + "ins", W + "del", W + "moveFrom", W + "moveTo",
    W + "fldChar", W + "fldSimple", W + "drawing", W + "pict", W + "object", WP + "inline",
    WP + "anchor", WP + "extent", WP + "effectExtent", WP + "docPr", WP + "cNvGraphicFramePr",
    A + "graphicFrameLocks",
    MC + "AlternateContent", MC + "Choice", MC + "Fallback",
}  # fmt: skip
"""Records tell when one of them comes or goes; what it says besides is compared if it stays."""
_SAID = {
    W + "hyperlink": {R + "id", W + "anchor", W + "history"},
    W + "fldSimple": {W + "instr"},
    WP + "docPr": {"descr", "title"},
    WP + "extent": {"cx", "cy"},
    WP + "effectExtent": {"l", "t", "r", "b"},
}
"""Attributes that records hold."""

_COMPARED = {W_P, W_TBL, W_TR, W_TC, W_SDT, W_SECTPR, W + "style"}
"""Of other blocks (a comment, a setting) records hold everything."""

Seen = Counter[tuple[tuple[str, str], ...]]


@dataclass
class _Details:
    """Of one paragraph, table (without its paragraphs) or other unit."""

    by_tag: dict[str, Seen] = field(default_factory=dict[str, Seen])
    old_formats: set[bytes] = field(default_factory=set[bytes])
    marks: list[tuple[str, str, int]] = field(default_factory=list[tuple[str, str, int]])
    text: list[str] = field(default_factory=list[str])
    trimmed: Counter[str] = field(default_factory=Counter[str])
    """Texts that start or end with a space which nothing says to keep."""

    def add(self, tag: str, node: Any, said: Collection[str]) -> None:
        attributes = tuple(sorted((str(k), str(v)) for k, v in node.items() if k not in said))
        if tag == W + "fldChar" and len(node):
            attributes = (*attributes, ("data", etree.tostring(node, method="c14n", exclusive=True).decode()))
        self.by_tag.setdefault(tag, Counter())[attributes] += 1

    def words(self, node: Any) -> None:
        words = node.text or ""
        if words != words.strip(" \t\n") and node.get(XML + "space") != "preserve":
            self.trimmed[words] += 1


def unseen_changes(mirror: Mirror, delta: Delta) -> list[str]:
    """What a delta changed in blocks that were there and still are, and no record knows, in sentences."""
    before: dict[str, tuple[Story, Image]] = {}
    after: dict[str, tuple[Story, Image]] = {}
    for edit in delta.edits:
        story = mirror.story(edit.story) if isinstance(edit, BLOCK_EDITS) else None
        if story is None:
            continue
        match edit:
            case ReplaceBlock(id=name):
                before.setdefault(name, (story, edit.before))
                after[name] = (story, edit.after)
            case ReplaceInside(id=name, path=path):
                name = f"{name} at {path}"
                before.setdefault(name, (story, edit.before))
                after[name] = (story, edit.after)
            case InsertBlock(id=name):
                after[name] = (story, edit.image)
            case RemoveBlock(id=name):
                before.setdefault(name, (story, edit.image))
                after.pop(name, None)
            case _:
                pass
    found: list[str] = []
    for block in after.keys() - before.keys():
        if _EDGED.search(after[block][1].xml) is None:
            continue
        touched = {name.partition(" ")[0] for name in after}
        for unit in _units(*after[block]).values():
            trimmed = {words for words in _details(unit).trimmed if not _was_there(mirror, words, touched)}
            found += _differences(_Details(), _Details(trimmed=Counter(trimmed)))
    for block in before.keys() & after.keys():
        (story, was), (home, now) = before[block], after[block]
        if not _are_alike(was.xml, now.xml):
            found += _compare(_units(story, was), _units(home, now))
    return list(dict.fromkeys(found))


_FORMATS = re.compile(rb"<w:(pPr|rPr|tblPr|trPr|tcPr)>.*?</w:\1>|<w:(?:pPr|rPr|tblPr|trPr|tcPr)/>", re.DOTALL)
_WORDS_OF = re.compile(rb'<w:t(?: xml:space="preserve")?>[^<]*</w:t>')
_SPLIT = re.compile(rb"(<w:r(?: [^>]*)?>)<w:t/></w:r>(?:\1<w:t/></w:r>)+")
"""Runs side by side with nothing but words in them: one, or one that was split."""
_EDGED = re.compile(rb"<w:(?:t|delText|instrText)>(?:\s|[^<]*\s<)")


def _are_alike(was: bytes, now: bytes) -> bool:
    """Whether only formats, which records hold, or words changed: most steps end here, without parsing."""
    if b"Change" in was or b"Change" in now:
        return was == now
    was, now = _FORMATS.sub(b"", was), _FORMATS.sub(b"", now)
    if was == now:
        return True
    if _EDGED.search(was) or _EDGED.search(now):
        return False
    was, now = (_SPLIT.sub(rb"\1<w:t/></w:r>", _WORDS_OF.sub(b"<w:t/>", xml)) for xml in (was, now))
    return was == now


def _was_there(mirror: Mirror, words: str, touched: Collection[str]) -> bool:
    """Whether the same text stands, as carelessly written, in a block that was not touched: then it was copied."""
    return any(
        t.text == words and t.get(XML + "space") != "preserve" and mirror.block_of(t) not in touched
        for story in mirror.stories()
        for t in story.container.iter(*_WORDS)
    )


def _units(story: Story, image: Image) -> dict[str, Any]:
    from agent.document.mirror import inner_elements

    root = story.parse(image.xml)
    if root.tag not in _COMPARED:
        return {}
    found = zip(image.ids, (root, *inner_elements(root)), strict=False)
    return {name: unit for name, unit in found if unit.tag != W_SDT or not _is_inline(unit)}


def _is_inline(control: Any) -> bool:
    """Whether a content control lies in a paragraph, with which it is compared."""
    return next((a.tag for a in control.iterancestors() if a.tag in (W_P, W_TC, W_TXBX)), "") == W_P


def _compare(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    from agent.document.changes import shorten

    for name in before.keys() & after.keys():
        was, now = _details(before[name]), _details(after[name])
        for sentence in _differences(was, now):
            words = shorten("".join(now.text)) or shorten("".join(was.text))
            yield f"{sentence} {f'in {words!r}' if words else f'in {name}'}"


def _differences(was: _Details, now: _Details) -> Iterator[str]:
    same_text = "".join(was.text) == "".join(now.text)
    nothing: Seen = Counter()
    fewer = any(
        now.by_tag.get(tag, nothing).total() < old.total() for tag, old in was.by_tag.items() if tag in _KNOWN
    )
    for tag in was.by_tag.keys() | now.by_tag.keys():
        old, new = was.by_tag.get(tag, nothing), now.by_tag.get(tag, nothing)
        if old == new:
            continue
        lost, gained = old - new, new - old
        if tag in _CHARACTERS:
            lost, gained = (
                Counter(k for k in lost if k not in new),
                Counter(k for k in gained if k not in old),
            )
            gained.pop((), None)
            if not same_text or fewer:
                lost.clear()  # gone with the words, or with what they held
        elif tag in _WRAPPERS and not same_text:
            lost.clear()
        elif tag in _KNOWN:
            count = old.total() - new.total()
            if count < 0:
                gained.clear()
            elif count > 0:
                lost.clear()
        yield from _said(tag, lost, gained)
    more = now.trimmed.total() > was.trimmed.total()  # else the user's file was written so
    for words in now.trimmed - was.trimmed if more else ():
        yield f"the space at an edge of {words!r} would be lost (xml:space)"
    old, new = set(was.old_formats), set(now.old_formats)
    for xml in (new - old) | (old - new if same_text else set()):  # a split run has each in both halves
        yield f"a tracked change of a format ({etree.QName(etree.fromstring(xml)).localname}) came or went"
    if same_text and was.marks != now.marks:
        kept = {(t, i) for t, i, _ in was.marks} & {(t, i) for t, i, _ in now.marks}
        old_places = [m for m in was.marks if m[:2] in kept]
        new_places = [m for m in now.marks if m[:2] in kept]
        moved = [m for m in old_places if m not in new_places]
        for tag, id_, _ in moved:
            yield f"{_noun(tag)} {id_} stands elsewhere"


def _said(tag: str, lost: Seen, gained: Seen) -> Iterator[str]:
    if not lost and not gained:
        return
    pairs = {pair for attributes in lost for pair in attributes} ^ {p for a in gained for p in a}
    names = sorted({etree.QName(name).localname for name, _ in pairs})
    if names and lost and gained:
        yield f"{', '.join(names)} of {_noun(tag)} changed"
    else:
        yield f"{_noun(tag)} {'came' if gained else 'went'}"


def _noun(tag: str) -> str:
    local = etree.QName(tag).localname
    return {
        "bookmarkStart": "the start of bookmark",
        "bookmarkEnd": "the end of bookmark",
        "commentRangeStart": "the start of the range of comment",
        "commentRangeEnd": "the end of the range of comment",
        "commentReference": "the reference of comment",
    }.get(local, f"the element {local}")


def _details(unit: Any) -> _Details:
    found = _Details()
    stack: list[Iterator[Any]] = [iter([unit])]
    at = 0
    while stack:
        node = next(stack[-1], None)
        if node is None:
            stack.pop()
            continue
        tag = node.tag
        if not isinstance(tag, str) or tag in _LEFT_OUT:
            continue
        if node is not unit and tag in (W_P, W_TBL, W_SDT) and _is_addressed(node, unit):
            continue  # a unit of its own
        if tag in _IN_RECORDS or tag == W + "style":
            if node is unit:
                found.add(tag, node, ())
            for old in node.iter(*_OLD_FORMATS):
                found.old_formats.add(etree.tostring(old, method="c14n", exclusive=True, with_tail=False))
            continue
        if tag in _WORDS:
            found.words(node)
        elif tag != W_R or any(child.tag != W_RPR for child in node):
            found.add(tag, node, _SAID.get(tag, ()))
        if unit.tag == W_P:
            if tag in _MARKS:
                found.marks.append((tag, node.get(W + "id", ""), at))
            words = node_text(node)
            if words:
                found.text.append(words)
                at += len(words)
        if tag in (W + "pict", W + "object", W + "fldChar"):
            continue  # records hold a digest of it; the data of a form field goes with its field
        stack.append(iter(node))
    return found


def _is_addressed(node: Any, unit: Any) -> bool:
    """Paragraphs, tables and controls in cells, controls and text boxes have ids, and are compared by themselves."""
    return (
        unit.tag != W_P
        or node.getparent().tag == W_TXBX
        or any(a.tag == W_TXBX for a in node.iterancestors())
    )
