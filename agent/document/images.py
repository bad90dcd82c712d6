"""Images of blocks, put together from those of what is inside them.

A delta tells a change inside a table or content control by that part alone (`ReplaceInside`). Whoever needs whole blocks
(the push into Word, carrying a user's edit over) asks `widened` for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from agent.document.delta import Delta, Edit, Image, InsertBlock, RemoveBlock, ReplaceBlock, ReplaceInside

if TYPE_CHECKING:
    from agent.document.mirror import Mirror, Story


def image_with(image: Image, story: Story, parts: Mapping[tuple[int, ...], Image]) -> Image:
    """An image in which the elements at some paths, none inside another, are as other images say."""
    from agent.document.mirror import inner_elements, inside

    root = story.parse(image.xml)
    ids = dict(zip((root, *inner_elements(root)), image.ids, strict=True))
    olds = [(inside(root, path), part) for path, part in parts.items()]
    for old, part in olds:
        for gone in (old, *inner_elements(old, part=True)):
            ids.pop(gone, None)
        new = story.parse(part.xml)
        ids |= zip((new, *inner_elements(new, part=True)), part.ids, strict=True)
        old.addprevious(new)
        old.getparent().remove(old)
    names = tuple(ids.get(e, "") for e in (root, *inner_elements(root)))
    return Image(story.image_of(root), names)


def image_of(mirror: Mirror, story: Story, block: str) -> Image:
    """A block as it is now."""
    from agent.document.mirror import inner_elements

    element = mirror.element(block)
    return Image(
        story.image_of(element), tuple(mirror.id_of(e) or "" for e in (element, *inner_elements(element)))
    )


def widened(mirror: Mirror, delta: Delta) -> Delta:
    """The delta that led to the document as it is now, with changes inside blocks told as changes of the whole blocks."""
    if not any(isinstance(edit, ReplaceInside) for edit in delta.edits):
        return delta
    now: dict[str, Image] = {}
    found: list[Edit] = []
    for edit in reversed(delta.edits):
        match edit:
            case ReplaceInside(story=key, id=block, path=path, before=before):
                story = mirror.story(key)
                assert story is not None
                after = now[block] if block in now else image_of(mirror, story, block)
                now[block] = image_with(after, story, {path: before})
                if found and isinstance(last := found[-1], ReplaceBlock) and last.id == block:
                    found[-1] = ReplaceBlock(key, block, now[block], last.after)
                else:
                    found.append(ReplaceBlock(key, block, now[block], after))
                continue
            case ReplaceBlock(id=block, before=before):
                now[block] = before
            case RemoveBlock(id=block, image=image):
                now[block] = image
            case InsertBlock(id=block):
                now.pop(block, None)
            case _:
                pass
        found.append(edit)
    return Delta(tuple(reversed(found)))
