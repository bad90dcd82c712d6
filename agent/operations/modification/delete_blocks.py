"""Blocks taken out. Word: select and Delete; Office.js `Paragraph.delete` (WordApi 1.1), `Table.delete` (1.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from agent.document import anchors, removal
from agent.document import text as texts
from agent.document.changes import Change, Dimension, Kind, shorten
from agent.document.editor import Editor
from agent.document.mirror import Mirror
from agent.document.names import W_P, W_TBL, W_VAL, WP, W
from agent.document.records import Paragraph, read
from agent.document.styles import style_name
from agent.errors import InvalidTarget, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, Result, operation
from agent.operations.expectations import After, Effect
from agent.operations.resolver import Resolver
from agent.operations.specimens import bullets, doc, h, image, p, table, title
from agent.operations.targets import BlocksTarget, Params, Target
from agent.operations.text_effects import holders


class DeleteBlocks(Params):
    target: BlocksTarget
    """What goes: paragraphs, tables, pictures, list items, or a `section` with its heading."""
    keep_heading: bool = False
    """With `section`: leave its heading line."""
    only_drawing: int | None = None
    """Of a paragraph that holds more, take out only its picture or chart with this number, from 1; 0 means all of them."""

    def located(self, resolver: Resolver) -> Self:
        """A section with its heading; a picture without the words beside it."""
        target = self.target
        if target.section is not None and target.text is None and target.every is None:
            ids = resolver.with_heading(target).ids or []
            if self.keep_heading and len(ids) == 1:
                raise TargetNotFound(f"There is nothing under the heading '{target.section}'.")
            return self.model_copy(update={"target": Target(ids=ids[1:] if self.keep_heading else ids)})
        if target.picture is None and target.chart is None and target.every not in ("picture", "chart"):
            return self
        drawings = resolver.drawings(target)
        owners = list(dict.fromkeys(texts.paragraph_of(d) for d in drawings))
        held = [d for owner in owners for d in _drawings(owner)]
        ids = [resolver.mirror.id_of(o) or "" for o in owners]
        worded = any(texts.text_of(o).strip() for o in owners)
        if len(owners) == 1 and len(drawings) == 1 and (worded or len(held) > 1):
            return self.model_copy(
                update={"target": Target(ids=ids), "only_drawing": held.index(drawings[0]) + 1}
            )
        return self.model_copy(update={"target": Target(ids=ids), "only_drawing": 0 if worded else None})


@operation(
    Intent.CONTENT_MODIFICATION,
    Intent.TABLE,
    Intent.IMAGE,
    Intent.CHART,
    phrasings=[
        "delete the second paragraph",
        "remove the section Appendix",
        "take out the last table",
        "drop the picture at the top",
        "get rid of everything under the heading Notes but keep the heading",
        "delete the paragraph that starts with 'Please note'",
        "erase the chart",
        "remove both bullet points about travel",
        "cut the conclusion",
        "throw out all the images",
        "delete the third list item",
    ],
    examples=[
        Example(
            "Delete the second paragraph",
            doc(title("Report"), p("Revenue grew."), p("Ignore this."), p("The end.")),
            {"target": {"paragraph": 2}},
            result="Paragraph 'Ignore this.' was removed; nothing else changed.",
        ),
        Example(
            "Remove the section Notes",
            doc(h(1, "Plan"), p("We build it."), h(1, "Notes"), p("One."), p("Two."), h(1, "End")),
            {"target": {"section": "Notes"}},
            result=(
                "Heading 'Notes' was removed; 2 paragraphs were removed: 'One.' and 'Two.'; nothing else changed."
            ),
        ),
        Example(
            "Empty the section Notes",
            doc(h(1, "Notes"), p("One."), h(2, "Old"), p("Two."), h(1, "End")),
            {"target": {"section": "Notes"}, "keep_heading": True},
            result=(
                "2 paragraphs were removed: 'One.' and 'Two.'; heading 'Old' was removed; nothing else changed."
            ),
        ),
        Example(
            "Delete the table",
            doc(p("Figures:"), table([["Year", "Sales"], ["2024", "12"]]), p("We grew.")),
            {"target": {"table": 1}},
            result="The table 'Year, Sales' was removed; nothing else changed.",
        ),
        Example(
            "Take out the picture",
            doc(p("Our office."), image("Office"), p("It is new.")),
            {"target": {"picture": 1}},
            result="The picture 'Office' was removed; nothing else changed.",
        ),
        Example(
            "Remove the bullet about travel",
            doc(bullets("Food", "Travel", "Rent")),
            {"target": {"text": "Travel"}},
            result="List item 'Travel' was removed; nothing else changed.",
        ),
        Example(
            "Delete the line Sales in the table",
            doc(table([["Year", "Sales"], ["2024", "12"]])),
            {"target": {"text": "Sales"}},
            result="The table 'Year' has cell 1,2 empty; nothing else changed.",
        ),
        Example(
            "Delete the section Appendix",
            doc(h(1, "Plan"), p("We build it.")),
            {"target": {"section": "Appendix"}},
            raises=TargetNotFound,
        ),
        Example(
            "Delete the first row of the table",
            doc(table([["Year", "Sales"], ["2024", "12"]])),
            {"target": {"table": 1, "row": 1}},
            raises=InvalidTarget,
        ),
    ],
    touches=["body", "comments", "notes", "media", "charts", "headers", "footers"],
)
def delete_blocks(editor: Editor, params: DeleteBlocks) -> Result:
    """Delete paragraphs, tables, pictures, list items or a whole section.

    What only they used goes along: comments, footnotes, picture files. A section break moves to the paragraph before;
    where Word needs a paragraph (the only one of a table cell, the one between two tables) it is emptied instead.
    """
    blocks = [editor.element(i) for i in params.target.ids or ()]
    if params.only_drawing is not None:
        _remove_drawings(editor, blocks, params.only_drawing)
        blocks = [b for b in blocks if not texts.text_of(b).strip() and not _drawings(b)]
    captions = [c for b in blocks if (c := _caption_of(editor.mirror, b)) is not None and c not in blocks]
    names = anchors.bookmarks_in(blocks)
    if blocks:
        removal.remove_blocks(editor, blocks)
    warnings = [f"The caption '{shorten(texts.text_of(c), 60)}' is still there." for c in captions]
    warnings += [
        f"'{shorten(texts.text_of(q), 60)}' refers to what was deleted."
        for q in anchors.leading_to(editor.mirror, names)
    ]
    return Result(tuple(warnings))


def _caption_of(mirror: Mirror, block: Any) -> Any | None:
    """The caption beside a picture or table: Word puts that of a picture below, that of a table above."""
    pictured = block.tag == W_P and bool(_drawings(block))
    if not pictured and block.tag != W_TBL:
        return None
    above, below = block.getprevious(), block.getnext()
    for beside in (below, above) if pictured else (above, below):
        style = beside.find(f"{W}pPr/{W}pStyle") if beside is not None and beside.tag == W_P else None
        if style is not None and style_name(mirror, style.get(W_VAL, "")).lower() == "caption":
            return beside
    return None


def _drawings(paragraph: Any) -> list[Any]:
    found = paragraph.iter(WP + "inline", WP + "anchor")
    return [d for d in found if texts.paragraph_of(d) is paragraph]


def _remove_drawings(editor: Editor, paragraphs: Iterable[Any], number: int) -> None:
    for paragraph in paragraphs:
        held = _drawings(paragraph)
        if number > len(held) or not held:
            raise TargetNotFound(f"The paragraph holds {len(held)} pictures and charts, not {number}.")
        chosen = held if number == 0 else [held[number - 1]]
        used = removal.relationship_ids(editor.mirror, chosen)
        for drawing in chosen:
            node = drawing.getparent()
            while node.tag != W + "r" and node.getparent().tag != W + "r":
                node = node.getparent()
            run = node.getparent()
            editor.remove(node)
            texts.remove_if_empty(run)
        removal.drop_unused(editor.mirror, used)


@delete_blocks.effects
def _(mirror: Mirror, params: DeleteBlocks) -> Iterable[Effect]:
    ids = list(params.target.ids or ())
    if params.only_drawing is not None:
        yield _drawings_gone(mirror, ids, params.only_drawing)
        return
    yield _gone(mirror, ids)


_PARTS_OF_OTHERS = ("comment", "footnote", "endnote", "commentEx", "commentId", "commentExtensible")


def _gone(mirror: Mirror, ids: list[str]) -> Effect:
    elements = [mirror.element(i) for i in ids]
    inner = {i for e in elements for c in e.iter() if (i := mirror.id_of(c)) is not None}
    notes = {i for _, i in removal.note_references(elements)}
    around = holders(mirror, ids)
    own_anchors = anchors.covers(mirror, elements)
    comments = {n.get(W + "id") for e in elements for n in e.iter(*anchors.COMMENT_MARKS)}
    spaced = any(e.tag != W_P for e in elements)  # Word may need a paragraph where a table stood

    def check(after: After) -> str | None:
        for block in ids:
            if after.mirror.has(block) and not _is_empty(after, block):
                return f"{block} is still there"
        lost = sorted(after.delta.lost_ids(mirror.body_key) - inner)
        if lost:
            return f"other blocks are gone as well: {', '.join(lost[:5])}"
        gone = [c for c in after.changes if c.path == "comment" and c.dimension is Dimension.CONTENT]
        if len(gone) > len(comments):
            return f"{len(gone)} comments are gone, but only {len(comments)} were on what was deleted"
        for note in ("footnote", "endnote"):
            gone = [c for c in after.changes if c.path == note and c.dimension is Dimension.CONTENT]
            if len(gone) > len(notes):
                return f"{len(gone)} {note}s are gone, but only {len(notes)} were referred to there"
        return None

    def covers(change: Change) -> bool:
        if change.target in inner:
            return change.kind is Kind.REMOVED or change.after == "" or change.path.startswith("mark.")
        if change.kind is Kind.ADDED and change.path == "paragraph":
            return spaced and not change.after.strip()
        if change.dimension is Dimension.STRUCTURE:
            return own_anchors(change)
        if change.kind is Kind.REMOVED and change.path in (*_PARTS_OF_OTHERS, "bookmarkStart", "bookmarkEnd"):
            return True
        return around(change)

    count = len(ids)
    return Effect(f"{count} block{'s are' if count != 1 else ' is'} gone", check, covers)


def _is_empty(after: After, block: str) -> bool:
    element = after.mirror.element(block)
    return element.tag == W_P and len(element) == len(element.findall(W + "pPr"))


def _drawings_gone(mirror: Mirror, ids: list[str], number: int) -> Effect:
    before: dict[str, Paragraph] = {}
    for block in ids:
        record = read(mirror, mirror.element(block))
        assert isinstance(record, Paragraph)
        before[block] = record

    def check(after: After) -> str | None:
        for block, was in before.items():
            now = after.paragraph(block)
            left = 0 if number == 0 else len(was.pictures) - 1
            if (now is not None and len(now.pictures) != left) or (now is None and left):
                return f"paragraph {block} does not hold {left} pictures"
            if (now.text if now is not None else "") != was.text.strip() and now is None:
                return f"the words of paragraph {block} are gone"
            if now is not None and now.text != was.text:
                return f"the words of paragraph {block} changed"
        return None

    def covers(change: Change) -> bool:
        return change.target in before and change.kind is Kind.REMOVED

    return Effect("only the pictures are gone", check, covers)
