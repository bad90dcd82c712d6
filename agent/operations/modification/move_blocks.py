"""Blocks put elsewhere, or copied. Word: cut or copy and paste with its own format."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterable, Sequence
from typing import Any, Self

from agent.document import anchors, removal
from agent.document import text as texts
from agent.document.changes import Change, Dimension, Kind, shorten
from agent.document.copies import duplicates
from agent.document.editor import Editor
from agent.document.elements import new_element
from agent.document.mirror import Mirror
from agent.document.names import W_P, W_PPR, W_SDT, W_SECTPR, W_TBL
from agent.document.outline import in_order
from agent.errors import InvalidTarget, NoOp, TargetNotFound
from agent.intent.intents import Intent
from agent.operations.catalogue import Example, operation
from agent.operations.expectations import After, Effect
from agent.operations.resolver import Resolver
from agent.operations.specimens import doc, h, image, p, table, title
from agent.operations.targets import BlocksTarget, Params, Place
from agent.operations.text_effects import holders

_BLOCKS = (W_P, W_TBL, W_SDT)


class MoveBlocks(Params):
    target: BlocksTarget
    """What moves: paragraphs, tables, pictures, or a `section` with its heading."""
    place: Place
    """Where it goes. Behind a whole section: `after` its `section`; in front of one: `before` its `section`."""
    duplicate: bool = False
    """Whether it also stays where it is."""

    def located(self, resolver: Resolver) -> Self:
        """A section with its heading."""
        if self.target.picture is not None or self.target.chart is not None:
            _refuse_words_beside(resolver, self.target)
        return self.model_copy(update={"target": resolver.with_heading(self.target)})


def _refuse_words_beside(resolver: Resolver, target: Any) -> None:
    for drawing in resolver.drawings(target):
        words = texts.text_of(texts.paragraph_of(drawing)).strip()
        if words:
            raise InvalidTarget(
                f"The picture stands in the paragraph '{shorten(words)}'; name that paragraph to move both."
            )


@operation(
    Intent.CONTENT_MODIFICATION,
    Intent.TABLE,
    Intent.IMAGE,
    Intent.CHART,
    phrasings=[
        "move the section Costs before the section Goals",
        "put the table after the second paragraph",
        "swap the order of the two sections",
        "bring the conclusion to the front",
        "move the picture to the end of the document",
        "copy the first paragraph to the end",
        "duplicate the table below itself",
        "the third bullet should come first",
        "shift the paragraph about staff under the heading Team",
    ],
    examples=[
        Example(
            "Move the section Costs before the section Goals",
            doc(title("Plan"), h(1, "Goals"), p("Grow."), h(1, "Costs"), p("Rent.")),
            {"target": {"section": "Costs"}, "place": {"before": {"section": "Goals"}}},
            result="Heading 'Costs' and 1 more block now stand after paragraph 'Plan'; nothing else changed.",
        ),
        Example(
            "Put the table at the end",
            doc(p("One."), table([["Year", "Sales"]]), p("Two.")),
            {"target": {"table": 1}, "place": {"at": "end"}},
            result="The table 'Year, Sales' now stands after paragraph 'Two.'; nothing else changed.",
        ),
        Example(
            "Copy the first paragraph to the end",
            doc(p(("One.", {"bold": True})), p("Two.")),
            {"target": {"paragraph": 1}, "place": {"at": "end"}, "duplicate": True},
            result="The paragraph 'One.' was added; nothing else changed.",
        ),
        Example(
            "Duplicate the picture below itself",
            doc(p("Our office:"), image("Office"), p("It is new.")),
            {"target": {"picture": 1}, "place": {"after": {"picture": 1}}, "duplicate": True},
            result="A picture 'Office' was added; nothing else changed.",
        ),
        Example(
            "Move the section Costs into itself",
            doc(h(1, "Costs"), p("Rent."), p("Food.")),
            {"target": {"section": "Costs"}, "place": {"after": {"text": "Rent."}}},
            raises=InvalidTarget,
        ),
        Example(
            "Move the second paragraph behind the first",
            doc(p("One."), p("Two.")),
            {"target": {"paragraph": 2}, "place": {"after": {"paragraph": 1}}},
            raises=NoOp,
        ),
        Example(
            "Move the section Team to the end",
            doc(h(1, "Costs"), p("Rent.")),
            {"target": {"section": "Team"}, "place": {"at": "end"}},
            raises=TargetNotFound,
        ),
    ],
    touches=["notes"],
)
def move_blocks(editor: Editor, params: MoveBlocks) -> None:
    """Move paragraphs, tables, pictures or a whole section to another place, or copy them there.

    A section break stays where it was, with the paragraph before. Copies get new ids, their footnotes are copied, their
    comments are not. An empty paragraph keeps tables apart that would run into one.
    """
    mirror = editor.mirror
    chosen = _chosen(mirror, params)
    side, anchor = _anchor(mirror, params, chosen)
    anchors.refuse_cut_fields(mirror, chosen)
    if params.duplicate:
        new = duplicates(editor, chosen)
        editor.place(side, anchor, new)
        _keep_apart(new)
        return
    anchors.settle(mirror, chosen)
    for block in chosen:
        for sect in list(block.iter(W_SECTPR)):
            removal.settle_section(mirror, sect, chosen)
            if sect.getparent() is not None and block in sect.iterancestors():
                raise InvalidTarget(
                    f"'{shorten(texts.text_of(block))}' ends a section and has no paragraph before it that could end "
                    f"the section instead; move the paragraphs after it."
                )
    gaps = [_gap(group) for group in removal.groups(chosen)]
    if _same_level(mirror, chosen, side, anchor):
        editor.place(side, anchor, chosen)
        new = chosen
    else:
        new = [copy.deepcopy(b) for b in chosen]
        editor.place(side, anchor, new)
        for block in chosen:
            editor.remove(block)
    for gap in gaps:
        _close(*gap)
    _keep_apart(new)


def _chosen(mirror: Mirror, params: MoveBlocks) -> list[Any]:
    """The blocks in the order of the document."""
    return in_order(mirror, removal.outermost([mirror.element(i) for i in params.target.ids or ()]))


def _anchor(mirror: Mirror, params: MoveBlocks, chosen: Sequence[Any]) -> tuple[str, str]:
    """The place, by a block that does not move. Raises InvalidTarget for a place inside what is moved, NoOp if it is there."""
    side, anchor = Resolver(mirror).place(params.place)
    part = mirror.part_of(chosen[0])
    target = mirror.element(anchor) if anchor else mirror.body[0]
    if any(mirror.part_of(b) is not part for b in (*chosen, target)):
        raise InvalidTarget(
            "Blocks move within the body, or within one header or footer, not from one to another."
        )
    if params.duplicate:
        return side, anchor
    inside = set(chosen)
    if any(a in inside for a in target.iterancestors()) or (
        anchor and target in inside and target not in (chosen[0], chosen[-1])
    ):
        raise InvalidTarget("The place is inside of what is to be moved.")
    if side == "start":
        first = next(
            (b for b in mirror.edge("start", len(inside) + 1) if mirror.element(b) not in inside), None
        )
        if first is None:
            raise NoOp("The blocks are there already.")
        side, anchor = "before", first
    _refuse_if_there(mirror, chosen, side, anchor)
    if mirror.element(anchor) in inside if anchor else False:
        raise InvalidTarget("The place is inside of what is to be moved.")
    return side, anchor


def _refuse_if_there(mirror: Mirror, chosen: Sequence[Any], side: str, anchor: str) -> None:
    if len(removal.groups(chosen)) != 1:
        return
    before = next(chosen[0].itersiblings(*_BLOCKS, preceding=True), None)
    after = next(chosen[-1].itersiblings(*_BLOCKS), None)
    target = mirror.element(anchor) if anchor else None
    there = (
        (side == "after" and target is not None and target in (before, chosen[-1]))
        or (side == "before" and target is not None and target in (after, chosen[0]))
        or (side == "end" and after is None and chosen[-1].getparent() is mirror.body)
    )
    if there:
        raise NoOp("The blocks are there already.")


def _same_level(mirror: Mirror, chosen: Sequence[Any], side: str, anchor: str) -> bool:
    """Whether the blocks are moved between children of the body (or of a header): then they stay the same blocks."""
    target = mirror.element(anchor) if anchor else None
    tops = [mirror.block_of(b) == mirror.id_of(b) for b in chosen]
    return all(tops) and (target is None or mirror.block_of(target) == anchor)


def _gap(group: Sequence[Any]) -> tuple[Any, Any]:
    """What holds a group of blocks, and what stands before it."""
    return group[0].getparent(), next(group[0].itersiblings(*_BLOCKS, preceding=True), None)


def _close(container: Any, before: Any) -> None:
    """Where blocks went away: put an empty paragraph if Word needs one."""
    if before is not None and before.getparent() is not container:
        return
    after = next(
        (before.itersiblings(*_BLOCKS) if before is not None else container.iterchildren(*_BLOCKS)), None
    )
    if removal.needs_paragraph(container, before, after):
        new = new_element("w:p")
        if before is not None:
            before.addnext(new)
        else:
            _put_first(container, new)


def _put_first(container: Any, new: Any) -> None:
    """Before everything but properties (`w:tcPr`)."""
    properties = [c for c in container if isinstance(c.tag, str) and c.tag.endswith("Pr") and c.tag != W_PPR]
    if properties:
        properties[-1].addnext(new)
    else:
        container.insert(0, new)


def _keep_apart(new: Sequence[Any]) -> None:
    """Where blocks came: an empty paragraph between two tables, and behind one at the end of a cell or the body."""
    for block in new:
        if block.tag != W_TBL:
            continue
        before = next(block.itersiblings(*_BLOCKS, preceding=True), None)
        if before is not None and before.tag == W_TBL:
            block.addprevious(new_element("w:p"))
        after = next(block.itersiblings(*_BLOCKS), None)
        if removal.needs_paragraph(block.getparent(), block, after):
            block.addnext(new_element("w:p"))


_ANCHORS = (*anchors.KINDS, "section break")


@move_blocks.effects
def _(mirror: Mirror, params: MoveBlocks) -> Iterable[Effect]:
    chosen = _chosen(mirror, params)
    side, anchor = _anchor(mirror, params, chosen)
    ids = [mirror.id_of(b) or "" for b in chosen]
    said = [_said(b) for b in chosen]
    stay = params.duplicate or _same_level(mirror, chosen, side, anchor)
    inner = {i for e in chosen for c in e.iter() if (i := mirror.id_of(c)) is not None}
    around = holders(mirror, [*ids, *([anchor] if anchor else [])])
    own_anchors = anchors.covers(mirror, chosen)
    holder = mirror.story_of(chosen[0])
    story = holder.key if holder is not None else ""

    def check(after: After) -> str | None:
        lost = after.delta.lost_ids(story) - (inner if not params.duplicate else set())
        lost |= {b for b in (ids if stay else ()) if not after.mirror.has(b)}
        if lost:
            return f"blocks are gone: {', '.join(sorted(lost)[:5])}"
        here = _beside(after.mirror, side, anchor, len(said), spacers=True)
        if [_said(b) for b in here] != said:
            here = _beside(after.mirror, side, anchor, len(said), spacers=False)
        if [_said(b) for b in here] != said:
            return f"what was to be moved does not stand {side} {anchor}"
        if not params.duplicate and stay and [after.mirror.id_of(b) for b in here] != ids:
            return f"other blocks than those that were to be moved stand {side} {anchor}"
        if params.duplicate and set(ids) & {after.mirror.id_of(b) for b in here}:
            return "the original was moved instead of copied"
        return None

    def covers(change: Change) -> bool:
        if change.dimension is Dimension.STRUCTURE and change.path in (
            "paragraph",
            "table",
            "content control",
        ):
            if change.kind is Kind.ADDED:
                return (
                    params.duplicate
                    or not stay
                    or (not change.after.strip() and _is_spacer(mirror, change.target))
                )
            return change.target in inner
        if change.path in ("footnote", "endnote"):
            return change.kind is Kind.ADDED and params.duplicate
        if change.dimension is Dimension.STRUCTURE and change.path in _ANCHORS:
            return own_anchors(change)
        return around(change)

    verb = "copied" if params.duplicate else "moved"
    yield Effect(f"{len(ids)} block{'s are' if len(ids) != 1 else ' is'} {verb}", check, covers)


def _is_spacer(mirror: Mirror, block: str) -> bool:
    """Whether a paragraph stands beside a table, or alone."""
    element = mirror.element(block)
    beside = [next(element.itersiblings(*_BLOCKS, preceding=before), None) for before in (True, False)]
    return beside == [None, None] or any(b is not None and b.tag == W_TBL for b in beside)


def _said(block: Any) -> str:
    """A block's kind and text."""
    paragraphs = [block] if block.tag == W_P else list(block.iter(W_P))
    return block.tag + "\n".join(texts.text_of(q) for q in paragraphs)


def _beside(mirror: Mirror, side: str, anchor: str, count: int, *, spacers: bool) -> list[Any]:
    """So many blocks beside the place, in the order of the document; with or without empty paragraphs."""
    if anchor:
        forward = side == "after"
        every: Iterable[Any] = mirror.element(anchor).itersiblings(*_BLOCKS, preceding=not forward)
    else:
        forward = side == "start"
        every = mirror.body.iterchildren(*_BLOCKS, reversed=not forward)
    found = list(itertools.islice((b for b in every if spacers or b.tag != W_P or len(b)), count))
    return found if forward else found[::-1]
