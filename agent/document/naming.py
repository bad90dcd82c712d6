"""Names that need the whole document: styles by name instead of id, which section, which header, what a page break is before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from docx.opc.constants import RELATIONSHIP_TYPE as RT

from agent.document.changes import Change, Dimension, Kind, subject_of
from agent.document.names import W_P, W_PPR, W_SDT, W_TBL, W_VAL, R, W
from agent.document.records import Other, Paragraph, known, read
from agent.document.sections import sections_of
from agent.document.styles import heading_level, style_name

if TYPE_CHECKING:
    from agent.document.delta import AddPart
    from agent.document.mirror import Mirror

_STORIES = ("header", "footer")
_VARIANTS = {"first": "first-page ", "even": "even-page "}


def named(mirror: Mirror, changes: Iterable[Change]) -> tuple[Change, ...]:
    """The changes with such names in their values and subjects."""
    changes = list(changes)
    moved = {c.target for c in changes if c.kind is Kind.MOVED}
    return tuple(_placed(mirror, _named(mirror, change), moved) for change in changes)


def _placed(mirror: Mirror, change: Change, moved: set[str]) -> Change:
    """What was moved, with what stands before it now."""
    if change.kind is not Kind.MOVED or not mirror.has(change.target):
        return change
    before = mirror.element(change.target).itersiblings(W_P, W_TBL, W_SDT, preceding=True)
    found = next((b for b in before if mirror.id_of(b) not in moved), None)
    if found is None:
        return replace(change, place="at the start")
    text = subject_of(known(mirror, found))
    return replace(change, place=f"after {text[:1].lower()}{text[1:]}")


def _named(mirror: Mirror, change: Change) -> Change:
    if change.path in ("style", "character style") and change.kind is not Kind.ADDED:
        if change.dimension in (Dimension.STYLE, Dimension.FORMATTING) and change.target:
            change = replace(
                change,
                before=change.before and style_name(mirror, change.before),
                after=change.after and style_name(mirror, change.after),
            )
    elif change.path == "table style":
        before, after = (style_name(mirror, s) if s != "none" else s for s in (change.before, change.after))
        return replace(change, before=before, after=after)
    elif change.path == "character style":
        change = replace(change, after=style_name(mirror, change.after))
    if change.subject.startswith("The page layout"):
        return replace(change, subject=_layout(mirror, change))
    if change.subject.startswith("Paragraph '") and _is_heading(mirror, change.target):
        change = replace(change, subject="Heading" + change.subject.removeprefix("Paragraph"))
    story = next((s for s in _STORIES if change.target.startswith(s)), None)
    if story is not None:
        return _in_story(mirror, change, story)
    if change.subject == "A page break" and mirror.has(change.target):
        return replace(change, subject=change.subject + _before(mirror, change.target))
    return change


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def _layout(mirror: Mirror, change: Change) -> str:
    """The page layout of which section, if there are several."""
    every = sections_of(mirror)
    number = next((s.number for s in every if s.id == change.target), 0)
    if len(every) == 1 or not number:
        return change.subject
    ordinal = "last" if number == len(every) else _ORDINALS[number - 1] if number <= 10 else f"{number}th"
    return f"The page layout of the {ordinal} section"


def _is_heading(mirror: Mirror, block: str) -> bool:
    """Whether a paragraph is a heading by its style, whatever that is called."""
    element = mirror.element(block) if mirror.has(block) else None
    style = element.find(f"{W_PPR}/{W}pStyle") if element is not None and element.tag == W_P else None
    return style is not None and heading_level(mirror, style.get(W_VAL, "")) is not None


def _in_story(mirror: Mirror, change: Change, story: str) -> Change:
    variant = _variant(mirror, change.target)
    if change.path == "text" and not change.before.strip():
        return replace(change, subject=f"The {variant}{story}")
    return replace(change, subject=change.subject.replace(f" in the {story}", f" in the {variant}{story}"))


def _variant(mirror: Mirror, block: str) -> str:
    """Whether a header or footer is only for first or for even pages."""
    if not mirror.has(block):
        return ""
    part = mirror.part_of(mirror.element(block))
    ids = {
        rid
        for rid, rel in mirror.file.document_part.rels.items()
        if rel.reltype in (RT.HEADER, RT.FOOTER) and not rel.is_external and rel.target_part is part
    }
    kinds = {
        e.get(W + "type", "default")
        for e in mirror.nodes(W + "headerReference", W + "footerReference")
        if e.get(R + "id") in ids
    }
    return _VARIANTS.get(kinds.pop(), "") if len(kinds) == 1 else ""


def _before(mirror: Mirror, block: str) -> str:
    """What comes behind a page break."""
    following = next(mirror.element(block).itersiblings(W_P, W_TBL), None)
    if following is None:
        return " at the end"
    text = subject_of(known(mirror, following))
    return f" before {text[:1].lower()}{text[1:]}"


def content_of(mirror: Mirror, edit: AddPart) -> Iterator[Change]:
    """What a new header, footer, comments part or list of properties says."""
    name = edit.name.rpartition("/")[2]
    part = mirror.part(edit.name)
    if part is None or not name.startswith((*_STORIES, "core.", "custom.", "comments.")):
        return
    root = getattr(part, "element", None)  # parses it, which gives ids to its blocks
    for story in [s for s in mirror.stories() if s.container is root]:
        for block in mirror.blocks(story):
            record = read(mirror, mirror.element(block))
            if isinstance(record, Paragraph):
                if record.text.strip():
                    yield Change(
                        Dimension.CONTENT, Kind.ADDED, block, "text", "", record.text, subject_of(record)
                    )
                for kind, value in record.interactive:
                    yield Change(Dimension.STRUCTURE, Kind.ADDED, block, kind, "", value, subject_of(record))
            elif isinstance(record, Other):
                comment = record.tag == "comment"
                yield Change(
                    Dimension.CONTENT if comment else Dimension.OTHER,
                    Kind.ADDED,
                    block,
                    record.tag,
                    "",
                    record.text,
                    subject_of(record),
                )
