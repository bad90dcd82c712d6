"""Which relationships the elements of a part refer to (`r:id`, `r:embed`, `r:link`, ...)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from docx.opc.part import Part
from lxml import etree

from agent.document.index import Summary
from agent.document.names import R

if TYPE_CHECKING:
    from agent.document.mirror import Mirror

_IDS: Any = etree.XPath("descendant-or-self::*/@r:*", namespaces={"r": R[1:-1]}, smart_strings=False)


def references(element: Any) -> list[str]:
    """Ids of the relationships that an element and what is in it refer to, each reference in order."""
    return _IDS(element)


def relationships_in(element: Any) -> frozenset[str]:
    """The same, each id once."""
    return frozenset(references(element))


_REFERRED = Summary(
    lambda mirror, block, element: relationships_in(element), lambda values: frozenset[str]().union(*values)
)


def referring(mirror: Mirror, part_name: str, rid: str) -> Iterator[str]:
    """Ids of the blocks, of those parts that have been read, that refer to a relationship of a part."""
    for story in mirror.stories():
        if story.part != part_name:
            continue
        index = mirror.index_of(story)
        for chunk, ids in zip(index.chunks, index.of_chunks(_REFERRED), strict=True):
            if rid in ids:
                yield from (b for b in chunk.blocks if rid in index.of_block(_REFERRED, b))


def is_referred_to(mirror: Mirror, part: Part, rid: str) -> bool:
    """Whether anything in a part refers to one of its relationships. A part that nobody has read is read."""
    name = str(part.partname)
    root = getattr(part, "element", None)  # registers the part's story
    if root is None:
        return False
    stories = [story for story in mirror.stories() if story.part == name]
    if any(rid in ids for story in stories for ids in mirror.index_of(story).of_chunks(_REFERRED)):
        return True
    return any(rid in story.container.values() for story in stories)
