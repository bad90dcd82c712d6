"""What the user did in Word: a reading of the live document, folded into the mirror as the user's own edit.

Word writes the whole file anew at each reading: relationship ids, list numbers, revision marks and the cutting
of runs differ although nobody changed anything (office-js issues 640, 1718). So blocks are compared by what a
person would see of them, the mirror's records, with ids replaced by what they lead to. Blocks that look the
same keep the mirror's XML; the others take Word's.

Compared are the blocks of the body. Edits in headers, notes, styles and page setup are not seen yet: Word writes those
parts anew as well, and steps in them are not all pushed, so a difference would not tell whose it is. A file that was
edited elsewhere (`fold_file`) is folded whole.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from docx.opc.part import XmlPart

from agent.document.adopt import Adoption, list_digests, part_digest
from agent.document.align import Item, match
from agent.document.breaks import with_breaks
from agent.document.delta import Delta
from agent.document.fold import Folding, fold_newer
from agent.document.mirror import Mirror
from agent.document.names import W_P, W_SDT, W_TBL, W_VAL, W
from agent.document.records import Control, Paragraph, Picture, Properties, Record, Table, read, record_of
from agent.history import Conflict, History, Rebuilt

_IDS_ONLY = {"bookmark", "bookmark end", "comment start", "comment end", "permission"}
_NOISE = ("lang", "noProof", "rsid")


def fold(mirror: Mirror, history: History, live: Mirror) -> Delta | None:
    """Make the mirror's body like that of a reading, which this uses up. Returns what the user changed, or None for nothing."""
    mine, theirs = View(mirror), View(live)
    pairs = match(mine.items, theirs.items)
    changed = [
        j for j, item in enumerate(theirs.items) if j not in pairs or mine.items[pairs[j]].key != item.key
    ]
    if not changed and [pairs[j] for j in sorted(pairs)] == list(range(len(mine.items))):
        return None
    lists = list_digests(mirror)
    looks: dict[Any, Hashable] = {}
    for j in changed:
        for element in theirs.elements[j].iter(W_P, W_TBL, W_SDT):
            looks[element] = look(live, theirs.lists, read(live, element))

    def same(ours: Any, other: Any) -> bool:
        return other in looks and look(mirror, lists, read(mirror, ours)) == looks[other]

    key = history.next_key()
    with mirror.edit(str(key)) as editor:
        adoption = Adoption(mirror, live)
        for j in changed:
            adoption.fit(theirs.elements[j])
        folding = Folding(editor, same)
        folding.enter(mirror.file.document_part, mirror.body, live.body)
        for j in changed:
            if j in pairs:
                folding.become(mine.elements[pairs[j]], theirs.elements[j])
        folding.arrange(mirror.body, mine.elements, theirs.elements, pairs)
    if not editor.delta:
        return None
    history.append_user_edit(editor.delta, editor.changes(), key)
    return editor.delta


def fold_file(mirror: Mirror, history: History, data: bytes) -> Rebuilt | Conflict:
    """Take in a newer file of what was opened, to which the user did something while steps were done here: their edit comes
    first, and the steps are done again on it. A conflict names the steps that cannot be; the mirror then has the user's
    edit alone. Raises `DocumentError`, with nothing changed, if the file cannot be read.
    """
    newer = Mirror.open(data, mirror.name)
    steps = [entry.key for entry in history.live()]
    history.undo(steps)
    key = history.next_key()
    with mirror.edit(str(key)) as editor:
        fold_newer(editor, newer)
    history.append_user_edit(editor.delta, editor.changes(), key)
    history.entries.insert(0, history.entries.pop())
    return history.redo(steps)


def tracks_changes(mirror: Mirror) -> bool:
    """Whether Word records what is changed in the document (`w:trackRevisions` in its settings)."""
    settings: Any = mirror.part("/word/settings.xml")
    found = settings.element.find(W + "trackRevisions") if isinstance(settings, XmlPart) else None
    return found is not None and found.get(W_VAL, "1") not in ("0", "false", "off")


# -- comparing -----------------------------------------------------------------------------------------------------


class View:
    """The body's blocks of a mirror, and what each looks like."""

    def __init__(self, mirror: Mirror) -> None:
        self.lists = list_digests(mirror)
        self.elements: list[Any] = []
        self.items: list[Item] = []
        for block in with_breaks(mirror.body_blocks()):
            record = record_of(mirror, block)
            element = mirror.element(block)
            self.elements.append(element)
            text = getattr(record, "text", "")
            self.items.append(Item(look(mirror, self.lists, record), str(element.tag), text))


def look(mirror: Mirror, lists: dict[str, str], record: Record) -> Hashable:
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
