"""The main part as it is written to a file, from streams that are kept for each chunk of blocks.

Serialising and compressing cost far more than all else of a save. A chunk's stream is made once and used until a block
of it changes; what stands around the blocks (the root, the body's tag) is made each time.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from lxml import etree

from agent.document.archive import Packed, Piece, joined, piece

if TYPE_CHECKING:
    from agent.document.index import Chunk
    from agent.document.mirror import Mirror, Story

_DECLARATION = b"<?xml version='1.0' encoding='UTF-8' standalone='yes'?>\n"


class Export:
    """The streams of one document's body."""

    def __init__(self, mirror: Mirror) -> None:
        self._mirror = mirror
        self._pieces: dict[Chunk, tuple[int, Any, Piece]] = {}

    def main_part(self) -> Packed:
        """The main document part, compressed; byte for byte what lxml writes of the whole tree."""
        mirror = self._mirror
        story = mirror.story(mirror.body_key)
        assert story is not None
        index = mirror.index_of(story)
        chunks = [chunk for chunk in index.stamped() if chunk.blocks]
        body = story.container
        # comments and the like belong to the block before them, those in front of all to the first
        starts = (
            [body[0], *(mirror.element(chunk.blocks[0]) for chunk in chunks[1:]), None] if chunks else [None]
        )
        kept: dict[Chunk, tuple[int, Any, Piece]] = {}
        for chunk, (start, end) in zip(chunks, pairwise(starts), strict=True):
            found = self._pieces.get(chunk)
            if found is None or found[0] != chunk.stamp or found[1] is not end:
                found = (chunk.stamp, end, piece(_content(story, start, end)))
            kept[chunk] = found
        self._pieces = kept
        head, tail = _around(mirror, body)
        content = [each for _, _, each in kept.values()] or [
            piece(_content(story, next(iter(body), None), None))
        ]
        return joined([piece(head), *content, piece(tail)])


def _content(story: Story, node: Any, end: Any) -> bytes:
    """From one child of the body up to another, with the comments and the like that stand between them."""
    found: list[bytes] = []
    while node is not None and node is not end:
        found.append(story.bare(etree.tostring(node, encoding="UTF-8")))
        node = node.getnext()
    return b"".join(found)


def _around(mirror: Mirror, body: Any) -> tuple[bytes, bytes]:
    """What stands before the body's first child, and behind its last one."""
    root = body.getparent()
    story = mirror.story(str(mirror.part_of(body).partname))
    assert story is not None
    shell, hollow = _shell(root), _shell(body)
    hollow.tail = body.tail
    hollow.append(etree.Comment("inside"))
    for node in (etree.Comment("before"), hollow, etree.Comment("behind")):
        shell.append(node)
    whole = etree.tostring(
        shell, encoding="UTF-8"
    )  # no other comment is in it, and in text a "<" is written otherwise
    opening, _, rest = whole.partition(b"<!--before-->")
    before, _, rest = rest.partition(b"<!--inside-->")
    behind, _, closing = rest.partition(b"<!--behind-->")
    first = _content(story, next(iter(root)), body)
    last = _content(story, body.getnext(), None)
    return _DECLARATION + opening + first + before, behind + last + closing


def _shell(element: Any) -> Any:
    """A copy without what is in it."""
    found = etree.Element(element.tag, dict(element.attrib), nsmap=element.nsmap)
    found.text = element.text
    return found
