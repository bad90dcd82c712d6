"""The content of a cell: replaced without its format, cloned without its content."""

from __future__ import annotations

import copy
from typing import Any

from agent.document import text as texts
from agent.document.editor import Editor
from agent.document.elements import new_element
from agent.document.grid import blocks_of, is_blank
from agent.document.names import W_P, W_PPR, W_R, W_RPR, W_SDT, W_TBL, W_TCPR, W
from agent.errors import InvalidTarget

_NOT_TO_COPY = ("rPrChange", "ins", "del", "moveFrom", "moveTo", "vanish")
_KEPT_IN_RUNS = {
    W + n for n in ("drawing", "pict", "object", "footnoteReference", "endnoteReference", "commentReference")
}


def set_text(editor: Editor, tc: Any, text: str) -> None:
    """Make a cell read so, each line a paragraph. The first paragraph and the first character say how it looks; pictures stay.

    Raises InvalidTarget if the cell holds a table or a block content control, which would be lost.
    """
    blocks = blocks_of(tc)
    for tag, noun in ((W_TBL, "table"), (W_SDT, "content control")):
        if any(b.tag == tag for b in blocks):
            raise InvalidTarget(
                f"The cell holds a {noun}; its text cannot be replaced as a whole. Name the {noun}'s own text instead."
            )
    first, *others = blocks or [_appended(tc, new_element("w:p"))]
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    like = copy.deepcopy(first)
    _empty(first)
    for other in others:
        _empty(other)
        if any(e.tag in _KEPT_IN_RUNS for e in other.iter()):
            continue  # a picture in a paragraph of its own
        for mark in [e for e in other if e.tag != W_PPR]:
            first.append(mark)  # both ends of bookmarks and comments stay in the document
        editor.remove(other)
    _write(first, lines[0], like)
    at = first
    for line in lines[1:]:
        new = new_element("w:p")
        _copy_format(like, new)
        _write(new, line, like)
        at.addnext(new)
        at = new


def clone_cell(tc: Any, text: str, *, plain: bool = False) -> Any:
    """A new `w:tc` with the format of another and this text. `plain`: without what makes a header stand out (bold, shading)."""
    new = new_element("w:tc")
    properties = tc.find(W_TCPR)
    if properties is not None:
        properties = copy.deepcopy(properties)
        for name in ("vMerge", "hMerge", "cellIns", "cellDel", "cellMerge", "tcPrChange", "cnfStyle"):
            _drop(properties, name)
        if plain:
            _drop(properties, "shd")
        new.append(properties)
    model = next((b for b in blocks_of(tc) if b.tag == W_P), None)
    for line in text.split("\n"):
        paragraph = new_element("w:p")
        if model is not None:
            _copy_format(model, paragraph)
        _write(paragraph, line, model)
        for rpr in paragraph.iter(W_RPR) if plain else ():
            _drop(rpr, "b")
            _drop(rpr, "bCs")
        new.append(paragraph)
    return new


def move_blocks(blocks: list[Any], tc: Any) -> None:
    """Put blocks of another cell behind those of this one; a blank cell takes them instead of its blank paragraph."""
    if is_blank(blocks):
        return
    own = blocks_of(tc)
    if is_blank(own):
        replace_blocks(tc, blocks)
        return
    for block in blocks:
        tc.append(block)


def replace_blocks(tc: Any, blocks: list[Any]) -> None:
    """Put blocks of another cell in place of those of this one. The first paragraph takes over the content of the other, so that
    the cell is still known by it.
    """
    own, new = blocks_of(tc), list(blocks)
    if own and new and own[0].tag == new[0].tag == W_P:
        for child in list(own[0]):
            own[0].remove(child)
        for child in list(new[0]):
            own[0].append(child)
        del own[0], new[0]
    for block in own:
        tc.remove(block)
    for block in new:
        tc.append(block)


def _appended(parent: Any, child: Any) -> Any:
    parent.append(child)
    return child


def _drop(parent: Any, name: str) -> None:
    child = parent.find(W + name)
    if child is not None:
        parent.remove(child)


def _copy_format(model: Any, paragraph: Any) -> None:
    """The paragraph format of another, its list included: a numbered column counts on."""
    properties = model.find(W_PPR)
    if properties is None:
        return
    properties = copy.deepcopy(properties)
    for name in ("sectPr", "pPrChange", "framePr", "cnfStyle"):
        _drop(properties, name)
    mark = properties.find(W_RPR)
    for name in _NOT_TO_COPY if mark is not None else ():
        _drop(mark, name)
    paragraph.append(properties)


def _write(paragraph: Any, line: str, model: Any) -> None:
    """Text into a paragraph without any, its characters like the first ones of the model."""
    if not line:
        return
    run = new_element("w:r")
    source = next((p.run for p in texts.pieces_of(model)), None) if model is not None else None
    source = source.find(W_RPR) if source is not None else None
    if source is None and model is not None:
        source = model.find(f"{W}pPr/{W}rPr")
    if source is not None and len(source):
        rpr = new_element("w:rPr")
        for child in source:
            if child.tag.rpartition("}")[2] not in (*_NOT_TO_COPY, "rStyle") or _is_plain_style(child):
                rpr.append(copy.deepcopy(child))
        if len(rpr):
            run.append(rpr)
    for node in texts.nodes_for(line):
        run.append(node)
    properties = paragraph.find(W_PPR)
    if properties is not None:
        properties.addnext(run)
    else:
        paragraph.insert(0, run)


def _is_plain_style(child: Any) -> bool:
    """A character style that is no link's: text typed over a link does not go on looking like one."""
    return child.tag == W + "rStyle" and "hyperlink" not in child.get(W + "val", "").lower()


def _empty(paragraph: Any) -> None:
    """Take the text out, with links and fields; pictures, notes, bookmarks and comment anchors stay."""
    for run in list(paragraph.iter(W_R)):
        if run.getparent() is None or texts.paragraph_of(run) is not paragraph:
            continue  # gone with its parent, or in a text box
        for node in list(run):
            if node.tag != W_RPR and not any(e.tag in _KEPT_IN_RUNS for e in node.iter()):
                run.remove(node)
        if len(run) == (run.find(W_RPR) is not None):
            run.getparent().remove(run)
    for wrapper in [e for e in paragraph.iter(*_WRAPPERS) if texts.paragraph_of(e) is paragraph]:
        content = wrapper.find(W + "sdtContent") if wrapper.tag == W_SDT else wrapper
        for child in list(content) if content is not None else ():
            if child.tag not in (W + "sdtPr", W + "smartTagPr", W + "customXmlPr"):
                wrapper.addprevious(child)
        wrapper.getparent().remove(wrapper)


_WRAPPERS = [
    W + n
    for n in ("hyperlink", "fldSimple", "smartTag", "ins", "del", "moveFrom", "moveTo", "sdt", "dir", "bdo")
]
