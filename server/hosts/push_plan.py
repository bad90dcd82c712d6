"""What has to be written into Word so that it holds a change that the mirror holds already.

A `Delta` becomes a few `PushOperation`s on whole blocks of the body. What WordApi 1.3 cannot carry (section
properties, headers, definitions of styles that are there already, settings, properties of the document) is
refused with a sentence before anything is sent: a step is in Word as a whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from lxml import etree

from agent.document.delta import (
    AddPart,
    Delta,
    Edit,
    InsertBlock,
    RemoveBlock,
    ReplaceAttributes,
    ReplaceBlob,
    ReplaceBlock,
)
from agent.document.flat_opc import flat_opc
from agent.document.images import widened
from agent.document.mirror import Mirror
from agent.document.names import W_SDT, W_SECTPR, R, W
from agent.errors import CapabilityUnavailable
from server.hosts.word_blocks import Leaf, leaves
from server.protocol import PushOperation

_WHOLE = (ReplaceBlock, InsertBlock, RemoveBlock)
_TRAVELS = (
    "/word/comments",
    "/word/people",
    "/word/footnotes",
    "/word/endnotes",
    "/word/numbering",
    "/word/styles",
)
"""Stems of parts whose new entries travel with the blocks that use them."""


def plan_push(mirror: Mirror, delta: Delta) -> list[PushOperation]:
    """The operations, bottom-up, that make Word's body like the mirror's. Raises `CapabilityUnavailable`."""
    body, delta = mirror.body_key, widened(mirror, delta)
    also_touched = {block for edit in delta.edits for block in _outside_body(mirror, body, edit)}
    before, after = _before_and_after(mirror, body, delta, also_touched)
    runs = list(_runs(before, after))
    return [_operation(mirror, before, after, run) for run in reversed(runs)]


# -- what cannot be carried, and what other parts mean for the body ----------------------------------------------


def _outside_body(mirror: Mirror, body: str, edit: Edit) -> Iterable[str]:
    """Blocks of the body that must be written again because of an edit elsewhere (a chart's data)."""
    match edit:
        case ReplaceBlock(story=story) | InsertBlock(story=story) | RemoveBlock(story=story):
            if story == body:
                return ()
            name = story.partition("#")[0]
            _refuse_what_word_keeps(name, edit)
            return () if name.startswith(_TRAVELS) else _blocks_showing(mirror, name)
        case ReplaceBlob(name=name):
            return _blocks_showing(mirror, name)
        case AddPart(name=name) if _kind(name) in ("header", "footer"):
            raise CapabilityUnavailable(_SENTENCES[_kind(name)])
        case ReplaceAttributes(story=story) if story.partition("#")[0] == "/docProps/core.xml":
            raise CapabilityUnavailable(_SENTENCES["properties"])
        case _:
            return ()


_SENTENCES = {
    "header": "Headers and footers cannot be changed from the pane yet; nothing was changed in Word.",
    "footer": "Headers and footers cannot be changed from the pane yet; nothing was changed in Word.",
    "settings": "Word does not take settings of the document from a pane; nothing was changed in Word.",
    "properties": "Properties of the document cannot be changed from the pane yet; nothing was changed in Word.",
    "theme": "Word does not take a theme from a pane; nothing was changed in Word.",
    "style": "Word keeps its own definition of a style that it has; only new styles can be carried into it.",
    "numbering": "Word keeps its own definition of a list that it has; only new lists can be carried into it.",
    "section": "Page size, margins, columns and the like of the last section cannot be changed from the pane yet; "
    "nothing was changed in Word.",
    "control": "A content control around several paragraphs cannot be added to, taken away or split from the pane; "
    "nothing was changed in Word.",
}  # fmt: skip


def _refuse_what_word_keeps(name: str, edit: ReplaceBlock | InsertBlock | RemoveBlock) -> None:
    kind = _kind(name)
    if kind in ("header", "footer", "theme", "properties"):
        raise CapabilityUnavailable(_SENTENCES[kind])
    if kind == "settings" and not _is_only_field_updating(edit):
        raise CapabilityUnavailable(_SENTENCES[kind])
    if kind in ("style", "numbering") and isinstance(edit, ReplaceBlock):
        raise CapabilityUnavailable(_SENTENCES[kind])


def _kind(name: str) -> str:
    """What a part is for, as far as it matters here."""
    stem = name.rpartition("/")[2]
    kinds = ("header", "footer", "settings", "theme", "numbering")
    if name.startswith("/docProps/"):
        return "properties"
    return next((kind for kind in kinds if stem.startswith(kind)), "style" if stem == "styles.xml" else "")


def _is_only_field_updating(edit: ReplaceBlock | InsertBlock | RemoveBlock) -> bool:
    """`w:updateFields` makes Word bring fields up to date when it opens the file; Word has it open."""
    return not isinstance(edit, ReplaceBlock) and b"updateFields" in edit.image.xml[:40]


def _blocks_showing(mirror: Mirror, name: str) -> list[str]:
    """Blocks of the body that show a part (a chart, a picture, a workbook behind a chart)."""
    part = mirror.file.document_part
    rids = {
        rid
        for rid, rel in part.rels.items()
        if not rel.is_external and _reaches(rel.target_part, name, set())
    }
    found = (
        element
        for element in mirror.body.iter(etree.Element)
        if any(key.startswith(R) and value in rids for key, value in element.attrib.items())
    )
    return [block for element in found if (block := mirror.block_of(element)) is not None]


def _reaches(part: Any, name: str, seen: set[str]) -> bool:
    own = str(part.partname)
    if own == name:
        return True
    if own in seen:
        return False
    seen.add(own)
    return any(not rel.is_external and _reaches(rel.target_part, name, seen) for rel in part.rels.values())


# -- the body before and after -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Token:
    """A leaf, and what makes it the same leaf before and after."""

    leaf: Leaf
    same: object


def _before_and_after(
    mirror: Mirror, body: str, delta: Delta, also_touched: set[str]
) -> tuple[list[_Token], list[_Token]]:
    story = next(s for s in mirror.stories() if s.key == body)
    edits = [edit for edit in delta.edits if isinstance(edit, _WHOLE) and edit.story == body]
    images: dict[str, bytes | None] = {}
    for edit in edits:
        image = edit.before if isinstance(edit, ReplaceBlock) else edit.image
        images.setdefault(edit.id, None if isinstance(edit, InsertBlock) else image.xml)
    now = mirror.blocks(story)
    then = list(now)
    for edit in reversed(edits):
        if isinstance(edit, InsertBlock):
            then.remove(edit.id)
        elif isinstance(edit, RemoveBlock):
            then.insert(0 if edit.previous is None else then.index(edit.previous) + 1, edit.id)
    before: list[_Token] = []
    for block in then:
        xml = images.get(block)
        old = story.parse(xml) if xml is not None else mirror.element(block)
        _refuse_section(old, mirror.element(block) if block in images and mirror.has(block) else old)
        before += _tokens(block, old, block in images, "before" if block in also_touched else "")
    after: list[_Token] = []
    for block in now:
        after += _tokens(
            block, mirror.element(block), block in images, "after" if block in also_touched else ""
        )
    return before, after


def _refuse_section(old: Any, new: Any) -> None:
    if old.tag == W_SECTPR and etree.tostring(old, method="c14n") != etree.tostring(new, method="c14n"):
        raise CapabilityUnavailable(_SENTENCES["section"])


def _tokens(block: str, element: Any, touched: bool, side: str) -> Iterator[_Token]:
    """`side` makes the leaves of a block differ although their XML does not: what they show has changed."""
    for place, leaf in enumerate(leaves(block, element)):
        if side:
            yield _Token(leaf, (side, block, place))
        elif touched:
            controls = tuple(_control(control) for control in leaf.controls)
            yield _Token(leaf, (etree.tostring(leaf.element, method="c14n", with_tail=False), controls))
        else:
            yield _Token(leaf, (block, place))


def _control(control: Any) -> bytes:
    """What a content control is, without its content."""
    properties = control.find(W + "sdtPr")
    return b"" if properties is None else etree.tostring(properties, method="c14n", with_tail=False)


# -- operations --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Run:
    """Leaves `start` to `end` of the body before become leaves `new_start` to `new_end` of the body after."""

    start: int
    end: int
    new_start: int
    new_end: int


def _runs(before: Sequence[_Token], after: Sequence[_Token]) -> Iterator[_Run]:
    """Where the two differ, top-down. What is equal at both ends is cut off first: most of any document."""
    head = 0
    while head < min(len(before), len(after)) and before[head].same == after[head].same:
        head += 1
    tail = 0
    room = min(len(before), len(after)) - head
    while tail < room and before[-1 - tail].same == after[-1 - tail].same:
        tail += 1
    old = [token.same for token in before[head : len(before) - tail]]
    new = [token.same for token in after[head : len(after) - tail]]
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield _Run(head + i1, head + i2, head + j1, head + j2)


def _operation(mirror: Mirror, before: list[_Token], after: list[_Token], run: _Run) -> PushOperation:
    old = [token.leaf for token in before[run.start : run.end]]
    new = [token.leaf for token in after[run.new_start : run.new_end]]
    blocks = _whole_blocks(mirror, before, after, old, new)
    return PushOperation(
        index=run.start,
        expect=[leaf.text for leaf in old],
        before=before[run.start - 1].leaf.text if run.start else None,
        after=before[run.end].leaf.text if run.end < len(before) else None,
        ooxml=flat_opc(mirror.file.document_part, blocks, sacrificial=True) if blocks else "",
        result=[leaf.text for leaf in new],
    )


def _whole_blocks(
    mirror: Mirror, before: list[_Token], after: list[_Token], old: list[Leaf], new: list[Leaf]
) -> list[Any]:
    """What goes into the package: the leaves themselves, or whole content controls that are new with all
    they hold. Word gives no way to take one away or to move its edges by whole blocks.
    """
    if {_place(leaf) for leaf in (*old, *new)} <= {()} or _same_controls(old, new):
        return [leaf.element for leaf in new]
    gone = {leaf.top for leaf in old if leaf.controls}
    tops = list(dict.fromkeys(leaf.top for leaf in new))
    elements = [mirror.element(top) for top in tops]
    known = {token.leaf.top for token in before}
    is_new = all(top not in known for top, e in zip(tops, elements, strict=True) if e.tag == W_SDT)
    whole = sum(token.leaf.top in tops for token in after) == len(new)
    if gone or not (is_new and whole):
        raise CapabilityUnavailable(_SENTENCES["control"])
    return elements


def _place(leaf: Leaf) -> tuple[bytes, ...]:
    return tuple(_control(control) for control in leaf.controls)


def _same_controls(old: list[Leaf], new: list[Leaf]) -> bool:
    """Whether old and new leaves stand in the same control, and none of it is left without a paragraph."""
    places = {(leaf.top, _place(leaf)) for leaf in (*old, *new)}
    return len(places) == 1 and bool(old) and bool(new)
