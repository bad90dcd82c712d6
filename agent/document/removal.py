"""Deletions that clean up after themselves.

What only the deleted blocks used goes with them: comments, notes, relationships and the parts behind them. What others
need stays: the far half of a bookmark or comment range moves to the nearest text that is left, a section break to the
paragraph before. Where Word needs a paragraph (a cell, between two tables) an empty one is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from docx.opc.constants import RELATIONSHIP_TYPE as RT

from agent.document import anchors
from agent.document.elements import new_element
from agent.document.names import W14, W_BODY, W_P, W_PPR, W_SDT, W_SECTPR, W_TBL, W_TC, W
from agent.document.relations import is_referred_to, relationships_in

if TYPE_CHECKING:
    from agent.document.editor import Editor
    from agent.document.mirror import Mirror

_BLOCKS = (W_P, W_TBL, W_SDT)
_NOTES = {"footnoteReference": ("footnote", RT.FOOTNOTES), "endnoteReference": ("endnote", RT.ENDNOTES)}


def remove_blocks(editor: Editor, blocks: Sequence[Any]) -> None:
    """Take blocks (`w:p`, `w:tbl`, block-level `w:sdt`) out. Raises InvalidTarget if a field would be cut in two."""
    mirror = editor.mirror
    chosen = outermost(blocks)
    anchors.refuse_cut_fields(mirror, chosen)
    used = relationship_ids(mirror, chosen)
    comments = anchors.settle(mirror, chosen)
    notes = note_references(chosen)
    for sect in [s for b in chosen for s in b.iter(W_SECTPR)]:
        settle_section(mirror, sect, chosen)
    for group in groups(chosen):
        _remove_group(editor, group)
    remove_comments(mirror, comments)
    remove_notes(mirror, notes)
    drop_unused(mirror, used)


def outermost(blocks: Iterable[Any]) -> list[Any]:
    """The blocks without those that lie in others of them."""
    chosen = list(dict.fromkeys(blocks))
    inside = set(chosen)
    return [b for b in chosen if not any(a in inside for a in b.iterancestors())]


def empty(paragraph: Any) -> None:
    """Take everything out of a `w:p` but its format."""
    for child in list(paragraph):
        if child.tag != W_PPR:
            paragraph.remove(child)


def groups(chosen: Sequence[Any]) -> list[list[Any]]:
    """Blocks that stand side by side, in the order in which they do."""
    members = set(chosen)
    found: list[list[Any]] = []
    for block in chosen:
        before = next(block.itersiblings(*_BLOCKS, preceding=True), None)
        if before is None or before not in members:
            group = [block]
            for sibling in block.itersiblings(*_BLOCKS):
                if sibling not in members:
                    break
                group.append(sibling)
            found.append(group)
    return found


# -- blocks ------------------------------------------------------------------------------------------------------------


def _remove_group(editor: Editor, group: Sequence[Any]) -> None:
    container = group[0].getparent()
    before = next(group[0].itersiblings(*_BLOCKS, preceding=True), None)
    after = next(group[-1].itersiblings(*_BLOCKS), None)
    broken = [b for b in group if b.find(f"{W_PPR}/{W_SECTPR}") is not None]
    for block in broken:  # a section break that could not move stays on an empty line
        empty(block)
    rest = [b for b in group if b not in broken]
    kept = bool(broken)
    if not kept and needs_paragraph(container, before, after):
        paragraphs = [b for b in rest if b.tag == W_P]
        if paragraphs:
            empty(paragraphs[-1])
            rest.remove(paragraphs[-1])
        else:
            group[-1].addnext(new_element("w:p"))
    for block in rest:
        editor.remove(block)


def needs_paragraph(container: Any, before: Any, after: Any) -> bool:
    """A container without a paragraph, or a cell or body that ends with a table, is repaired by Word; two tables without a
    paragraph between them become one.
    """
    if before is None and after is None:
        return True
    table_before = before is not None and before.tag == W_TBL
    if table_before and after is not None:
        return after.tag == W_TBL
    return table_before and container.tag in (W_TC, W_BODY, W + "hdr", W + "ftr", W + "txbxContent")


def settle_section(mirror: Mirror, sect: Any, chosen: Sequence[Any]) -> None:
    """Move the section break of a paragraph that goes to the paragraph before. If nothing of the section is left it goes, and
    the next section gets the headers and footers that it showed through it. Otherwise it stays where it is.
    """
    paragraph = sect.getparent().getparent()
    if paragraph.tag != W_P:
        return
    members = set(chosen)
    before = next((s for s in paragraph.itersiblings(*_BLOCKS, preceding=True) if s not in members), None)
    if before is not None and before.tag != W_P:
        return
    if before is not None and before.find(f"{W_PPR}/{W_SECTPR}") is None:
        ppr = before.find(W_PPR)
        if ppr is None:
            ppr = new_element("w:pPr")
            before.insert(0, ppr)
        change = ppr.find(W + "pPrChange")
        if change is not None:
            change.addprevious(sect)
        else:
            ppr.append(sect)
        return
    every = mirror.nodes_beside(paragraph, W_SECTPR)
    later = next((s for s in every[every.index(sect) + 1 :]), None)
    if later is None:
        return
    has = {(e.tag, e.get(W + "type")) for e in later.iterchildren(*_REFERENCES)}
    missing = [e for e in sect.iterchildren(*_REFERENCES) if (e.tag, e.get(W + "type")) not in has]
    for reference in reversed(missing):
        later.insert(0, reference)
    sect.getparent().remove(sect)


_REFERENCES = (W + "headerReference", W + "footerReference")


# -- comments and notes ------------------------------------------------------------------------------------------------


def remove_comments(mirror: Mirror, ids: Iterable[str]) -> None:
    """Take comments out of their part, and the part out with the last of them (Word repairs a file with an empty one)."""
    wanted = set(ids)
    part = _related(mirror, RT.COMMENTS)
    if part is None or not wanted:
        return
    root = part.element
    gone = [c for c in root.iterchildren(W + "comment") if c.get(W + "id") in wanted]
    marks = {p.get(W14 + "paraId") for c in gone for p in c.iter(W_P)} - {None}
    used = relationship_ids(mirror, gone)
    for comment in gone:
        root.remove(comment)
    companions = _companions(mirror)
    if next(root.iterchildren(W + "comment"), None) is None:
        rels = mirror.file.document_part.rels
        for rid, rel in list(rels.items()):
            if not rel.is_external and rel.target_part in (part, *companions):
                del rels[rid]
        return
    durable: set[str] = set()
    for companion in companions:
        for entry in list(companion.element):
            values = {k.rpartition("}")[2]: v for k, v in entry.items()}
            if values.get("paraId") in marks or values.get("durableId") in durable:
                durable |= {values["durableId"]} if "durableId" in values else set()
                companion.element.remove(entry)
    drop_unused(mirror, used)


def _companions(mirror: Mirror) -> list[Any]:
    """commentsExtended, commentsIds and commentsExtensible, in this order: the last goes by ids that the one before it maps."""
    found = {}
    for rel in mirror.file.document_part.rels.values():
        name = rel.reltype.rpartition("/")[2]
        if name.startswith("comments") and name != "comments" and not rel.is_external:
            found[name] = rel.target_part
    return [found[n] for n in ("commentsExtended", "commentsIds", "commentsExtensible") if n in found]


def note_references(blocks: Iterable[Any]) -> set[tuple[str, str]]:
    """The notes that blocks refer to: name of the reference element, and `w:id`."""
    return {
        (name, reference.get(W + "id", ""))
        for block in blocks
        for name in _NOTES
        for reference in block.iter(W + name)
    }


def remove_notes(mirror: Mirror, references: Iterable[tuple[str, str]]) -> None:
    """Take out the notes that nothing refers to any more."""
    for name, note_id in references:
        tag, kind = _NOTES[name]
        part = _related(mirror, kind)
        if part is None or any(r.get(W + "id") == note_id for r in mirror.nodes(W + name)):
            continue
        for note in list(part.element.iterchildren(W + tag)):
            if note.get(W + "id") == note_id:
                used = relationship_ids(mirror, [note])
                part.element.remove(note)
                drop_unused(mirror, used)


def note_part(mirror: Mirror, reference: str) -> Any | None:
    """The part with the notes that "footnoteReference" or "endnoteReference" elements lead to."""
    return _related(mirror, _NOTES[reference][1])


def _related(mirror: Mirror, kind: str) -> Any | None:
    rels = mirror.file.document_part.rels.values()
    return next((r.target_part for r in rels if r.reltype == kind and not r.is_external), None)


# -- relationships -----------------------------------------------------------------------------------------------------


def relationship_ids(mirror: Mirror, elements: Iterable[Any]) -> dict[Any, set[str]]:
    """The relationships that elements use, by part."""
    found: dict[Any, set[str]] = {}
    for element in elements:
        ids = relationships_in(element)
        if ids:
            found.setdefault(mirror.part_of(element), set()).update(ids)
    return found


def drop_unused(mirror: Mirror, candidates: dict[Any, set[str]]) -> None:
    """Take out those relationships that nothing in the part uses any more; parts that only they led to go with them."""
    for part, ids in candidates.items():
        if str(part.partname) not in mirror.file.parts:
            continue
        for rid in sorted(ids):
            if rid in part.rels and not is_referred_to(mirror, part, rid):
                del part.rels[rid]
