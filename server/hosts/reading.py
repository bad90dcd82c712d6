"""What the user did in Word: a reading of the live document, folded into the mirror as the user's own edit.

Word writes the whole file anew at each reading: relationship ids, list numbers, revision marks and the cutting
of runs differ although nobody changed anything (office-js issues 640, 1718). So blocks are compared by what a
person would see of them, the mirror's records, with ids replaced by what they lead to. Blocks that look the
same keep the mirror's XML; the others take Word's.

Compared are the blocks of the body. Edits in headers, notes, styles and page setup are not seen yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from docx.opc.part import XmlPart

from agent.document.changes import analyse
from agent.document.delta import Delta
from agent.document.mirror import Mirror
from agent.document.names import W_P, W_SDT, W_T, W_TBL, W_TC, W_TR, W_VAL, W
from agent.document.records import (
    Control,
    Paragraph,
    Picture,
    Properties,
    Record,
    Table,
    record_of,
)
from agent.history import History
from agent.document.adopt import Adoption, list_digests, part_digest

_IDS_ONLY = {"bookmark", "bookmark end", "comment start", "comment end", "permission"}
_NOISE = ("lang", "noProof", "rsid")


def fold(mirror: Mirror, history: History, live: Mirror) -> Delta | None:
    """Make the mirror's body like that of a reading. Returns what the user changed, or None for nothing."""
    mine, theirs = View(mirror), View(live)
    runs = list(_differences(mine, theirs))
    if not runs:
        return None
    key = history.next_key()
    with mirror.edit(str(key)) as editor:
        adoption = Adoption(mirror, live)
        for i1, i2, j1, j2 in runs:
            _replace(mirror, adoption, mine, theirs, (i1, i2, j1, j2))
    if not editor.delta:
        return None
    changes = analyse(mirror, editor.delta, editor.transaction.records_before)
    history.append(key, "your edit", None, editor.delta, changes)
    return editor.delta


def tracks_changes(mirror: Mirror) -> bool:
    """Whether Word records what is changed in the document (`w:trackRevisions` in its settings)."""
    settings = mirror.part("/word/settings.xml")
    found = settings.element.find(W + "trackRevisions") if isinstance(settings, XmlPart) else None
    return found is not None and found.get(W_VAL, "1") not in ("0", "false", "off")


# -- comparing -----------------------------------------------------------------------------------------------------


class View:
    """The body's blocks of a mirror, and what each looks like."""

    def __init__(self, mirror: Mirror) -> None:
        self.blocks = mirror.body_blocks()
        self.elements = [mirror.element(block) for block in self.blocks]
        lists = list_digests(mirror)
        self.looks = [look(mirror, lists, record_of(mirror, block)) for block in self.blocks]
        self.texts = [getattr(record_of(mirror, block), "text", "") for block in self.blocks]


def look(mirror: Mirror, lists: dict[str, str], record: Record) -> object:
    """A record without what differs at each reading."""

    def properties(found: Properties) -> Properties:
        return tuple(
            (name, lists.get(value, value) if name.endswith("numId") else value)
            for name, value in found
            if not name.startswith(_NOISE)
        )

    match record:
        case Paragraph():
            spans: list[tuple[int, Properties]] = []
            for span in record.spans:
                formatting = properties(span.properties)
                if not spans or spans[-1][1] != formatting:
                    spans.append((span.start, formatting))
            return (
                "p", record.style, record.text, tuple(spans), properties(record.properties), record.links,
                tuple(_picture(mirror, picture) for picture in record.pictures), tuple(_marks(record)),
                record.section, tuple(look(mirror, lists, inner) for inner in record.inner),
            )  # fmt: skip
        case Table():
            rows = tuple(
                tuple(
                    (cell.span, cell.merge, properties(cell.properties),
                     tuple(look(mirror, lists, block) for block in cell.blocks))
                    for cell in row.cells
                )
                for row in record.rows
            )  # fmt: skip
            return ("tbl", record.style, properties(record.properties), rows)
        case Control():
            return ("sdt", tuple(look(mirror, lists, block) for block in record.blocks))
        case _:
            return ("other", getattr(record, "text", ""))


def _picture(mirror: Mirror, picture: Picture) -> tuple[object, ...]:
    part = mirror.part(picture.reference)
    shown = part_digest(part) if part is not None else picture.reference
    return (picture.kind, picture.alt, picture.width, picture.height, picture.floating, shown)


def _marks(record: Paragraph) -> Iterator[tuple[str, str]]:
    """Fields, notes, comments, controls and revisions; not their numbers, which Word gives out anew."""
    for kind, value in record.interactive:
        if kind not in _IDS_ONLY:
            yield (kind, value if kind == "field code" else "")


def _differences(mine: View, theirs: View) -> Iterator[tuple[int, int, int, int]]:
    matcher = SequenceMatcher(None, mine.looks, theirs.looks, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            yield (i1, i2, j1, j2)


# -- changing the mirror -------------------------------------------------------------------------------------------


def _replace(
    mirror: Mirror, adoption: Adoption, mine: View, theirs: View, run: tuple[int, int, int, int]
) -> None:
    """Make blocks i1 to i2 of the mirror like blocks j1 to j2 of the reading; blocks that are the same one,
    changed, keep their ids.
    """
    i1, i2, j1, j2 = run
    pairs = dict(_pairs(mine, theirs, range(i1, i2), range(j1, j2)))
    anchor = mine.elements[i1 - 1] if i1 else None
    for i in range(i1, i2):
        if i not in pairs.values():
            mirror.body.remove(mine.elements[i])
    for j in range(j1, j2):
        new = adoption.take(theirs.elements[j])
        if j in pairs:
            anchor = mine.elements[pairs[j]]
            _become(anchor, new)
        else:
            if anchor is not None:
                anchor.addnext(new)
            else:
                mirror.body.insert(0, new)
            anchor = new


def _become(element: Any, new: Any) -> None:
    """Give an element the attributes and content of another; it stays the block that it is, and so do the
    rows, cells and paragraphs inside that are still there.
    """
    for name in list(element.attrib):
        if name not in new.attrib:
            del element.attrib[name]
    for name, value in new.attrib.items():
        element.set(name, value)
    if element.tag not in _NESTING:
        _replace_content(element, new)
        return
    old, fresh = list(element), list(new)
    matcher = SequenceMatcher(None, [_name(e) for e in old], [_name(e) for e in fresh], autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        alike = tag == "equal" or (tag == "replace" and i2 - i1 == j2 - j1)
        if alike and all(a.tag == b.tag for a, b in zip(old[i1:i2], fresh[j1:j2], strict=True)):
            for inner, other in zip(old[i1:i2], fresh[j1:j2], strict=True):
                _become(inner, other)
            continue
        anchor = old[i1 - 1] if i1 else None
        for inner in old[i1:i2]:
            element.remove(inner)
        for other in fresh[j1:j2]:
            if anchor is None:
                element.insert(0, other)
            else:
                anchor.addnext(other)
            anchor = other


_NESTING = {W_TBL, W_TR, W_TC, W_SDT, W + "sdtContent"}


def _name(element: Any) -> tuple[str, str]:
    """What tells a row, cell or paragraph from its neighbours."""
    return (str(element.tag), "".join(t.text or "" for t in element.iter(W_T)))


def _replace_content(element: Any, new: Any) -> None:
    for child in list(element):
        element.remove(child)
    for child in list(new):
        element.append(child)


def _pairs(mine: View, theirs: View, old: Sequence[int], new: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Which block of the reading is which of the mirror, in order: of one kind, and most alike in text."""
    start = 0
    for j in new:
        candidates = [
            i for i in old[start:] if mine.elements[i].tag == theirs.elements[j].tag in (W_P, W_TBL, W_SDT)
        ]
        likeness = {i: _likeness(mine.texts[i], theirs.texts[j]) for i in candidates}
        best = max(candidates, key=lambda i: likeness[i], default=None)
        if best is None or (likeness[best] < 0.5 and len(old) != len(new)):
            continue
        if len(old) == len(new) and likeness[best] < 0.5:
            best = candidates[0]
        yield j, best
        start = old.index(best) + 1


def _likeness(one: str, other: str) -> float:
    if one == other:
        return 1.0
    return SequenceMatcher(None, one[:2000], other[:2000]).quick_ratio()
