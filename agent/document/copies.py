"""Copies of blocks: what must be unique in a document is renewed, what belongs to the original is left out.

Word does the same when something is pasted, but for comments, which it copies along.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from agent.document.names import MC, REVISIONS, W14, W_P, W_SECTPR, W_VAL, WP, C, V, W, whole_number
from agent.document.removal import note_part
from agent.document.text import remove_if_empty
from agent.errors import InvalidTarget

if TYPE_CHECKING:
    from agent.document.editor import Editor

_OF_THE_ORIGINAL = (
    "commentRangeStart",
    "commentRangeEnd",
    "permStart",
    "permEnd",
    "moveFromRangeStart",
    "moveFromRangeEnd",
    "moveToRangeStart",
    "moveToRangeEnd",
)


def duplicates(editor: Editor, blocks: Sequence[Any]) -> list[Any]:
    """Copies of blocks for the same part, not yet in the document. Raises InvalidTarget for charts."""
    if any(next(b.iter(C + "chart"), None) is not None for b in blocks):
        raise InvalidTarget(
            "A chart cannot be copied, since both would show the same data; insert_chart makes another."
        )
    new = [copy.deepcopy(b) for b in blocks]
    for block in new:
        for node in list(block.iter(*(W + name for name in _OF_THE_ORIGINAL), W_SECTPR)):
            node.getparent().remove(node)
        for reference in list(block.iter(W + "commentReference")):
            run = reference.getparent()
            run.remove(reference)
            remove_if_empty(run)
        _forget_paragraph_ids(block)
        _copy_notes(editor, block)
    annotation = _renew_bookmarks(editor, new)
    _renew_numbers(editor, new, annotation)
    return new


def _forget_paragraph_ids(block: Any) -> None:
    for p in block.iter(W_P):
        for name in ("paraId", "textId"):
            p.attrib.pop(W14 + name, None)


def _renew_bookmarks(editor: Editor, new: Sequence[Any]) -> int:
    """A bookmark of the user's gets another name; Word's own hidden ones, and halves, stay with the original. Gives the next free
    annotation id.
    """
    used = {b.get(W + "name", "").casefold() for b in editor.mirror.nodes(W + "bookmarkStart")}
    starts = [b for block in new for b in block.iter(W + "bookmarkStart")]
    ends = {e.get(W + "id"): e for block in new for e in block.iter(W + "bookmarkEnd")}
    next_id = editor.next_annotation_id()
    for start in starts:
        end, name = ends.pop(start.get(W + "id"), None), start.get(W + "name", "")
        if end is None or name.startswith("_"):
            for half in (start, end):
                if half is not None:
                    half.getparent().remove(half)
            continue
        number = 2
        while f"{name}_{number}".casefold() in used:
            number += 1
        used.add(f"{name}_{number}".casefold())
        start.set(W + "name", f"{name}_{number}")
        for half in (start, end):
            half.set(W + "id", str(next_id))
        next_id += 1
    for end in ends.values():
        end.getparent().remove(end)
    return next_id


def _renew_numbers(editor: Editor, new: Sequence[Any], annotation: int) -> None:
    drawing = editor.next_drawing_id()
    numbers = (e.find(W + "id") for e in editor.mirror.nodes(W + "sdtPr"))
    control = max([0, *(whole_number(e.get(W_VAL, "0")) for e in numbers if e is not None)])
    for block in new:
        for properties in block.iter(WP + "docPr"):
            if not any(a.tag == MC + "Fallback" for a in properties.iterancestors()):
                properties.set("id", str(drawing))
                drawing += 1
        _rename_shapes(block, control + annotation + drawing)
        for change in block.iter(*REVISIONS):
            if change.get(W + "id") is not None:
                change.set(W + "id", str(annotation))
                annotation += 1
        for number in block.iterfind(f".//{W}sdtPr/{W}id"):
            control += 1
            number.set(W_VAL, str(control))


def _rename_shapes(block: Any, number: int) -> None:
    """VML shapes have ids of their own, which embedded objects go by (`o:OLEObject/@ShapeID`)."""
    names: dict[str, str] = {}
    kinds = ("shape", "shapetype", "rect", "roundrect", "oval", "line", "group")
    for shape in block.iter(*(V + name for name in kinds)):
        if shape.get("id"):
            names[shape.get("id")] = f"{shape.get('id')}_{number}"
            shape.set("id", names[shape.get("id")])
    for node in block.iter():
        if not isinstance(node.tag, str):
            continue
        if node.get("ShapeID") in names:
            node.set("ShapeID", names[node.get("ShapeID")])
        if node.get("type", "").removeprefix("#") in names:
            node.set("type", "#" + names[node.get("type").removeprefix("#")])


def _copy_notes(editor: Editor, new: Any) -> None:
    for name in ("footnote", "endnote"):
        for reference in new.iter(f"{W}{name}Reference"):
            part = note_part(editor.mirror, f"{name}Reference")
            notes = [n for n in part.element if n.tag == W + name] if part is not None else []
            note = next((n for n in notes if n.get(W + "id") == reference.get(W + "id")), None)
            if note is None:
                continue
            clone = copy.deepcopy(note)
            _forget_paragraph_ids(clone)
            for mark in list(clone.iter(W + "bookmarkStart", W + "bookmarkEnd")):
                mark.getparent().remove(mark)
            fresh = max(whole_number(n.get(W + "id", "0")) for n in notes) + 1
            clone.set(W + "id", str(fresh))
            notes[-1].addnext(clone)
            reference.set(W + "id", str(fresh))
