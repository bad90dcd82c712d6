"""What happens between the opening and the closing of `mirror.edit`: the recorder that the hooks talk to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from docx.opc.part import Part
from docx.opc.rel import Relationships
from docx.package import Package

from agent.document.delta import (
    AddPart,
    BlockEdit,
    ChangeRelationship,
    Delta,
    Edit,
    Image,
    InsertBlock,
    RemoveBlock,
    RemovePart,
    ReplaceAttributes,
    ReplaceBlob,
    ReplaceBlock,
    ReplaceInside,
)
from agent.document.images import image_with
from agent.document.mirror import inner_elements, path_to
from agent.document.names import W_P, W_SDT, W_TBL, W_TC, W_TR, W, id_letter
from agent.document.package import Relationship, reachable_parts, relationships

if TYPE_CHECKING:
    from agent.document.mirror import Mirror, Story

_PENDING = Image(b"", ())


class Transaction:
    """Collects before-images and the sequence of structural changes of one transaction."""

    def __init__(self, mirror: Mirror, key: str) -> None:
        self.mirror = mirror
        self.key = key
        self.records_before: dict[str, Any] = {}
        """What was known of each existing block before it was first touched."""
        self._before: dict[str, tuple[Story, Image]] = {}
        # of what changed only inside a block: by block, elements and how they were; none of them lies in another
        self._inside: dict[str, dict[Any, Image]] = {}
        self._made: set[str] = set()  # ids whose content the log carries: inserted or re-inserted here
        self._log: list[BlockEdit] = []
        self._attributes: dict[str, tuple[Story, tuple[tuple[str, str], ...]]] = {}
        self._relationships: dict[int, tuple[str, Package | Part, dict[str, Relationship]]] = {}
        self._blobs: dict[str, bytes] = {}
        self._counts: dict[tuple[str, str], int] = {}
        self._removed: dict[str, Any] = {}
        self._pictures = len(mirror.file.package.image_parts)

    # -- told by the hooks ---------------------------------------------------------------------------------------------

    def touch(self, element: Any) -> None:
        mirror = self.mirror
        stories = mirror._stories  # pyright: ignore[reportPrivateUsage]
        own = stories.get(element)
        if own is not None:
            mirror.changed(own, None)
            if own.key not in self._attributes:
                self._attributes[own.key] = (own, _attributes(own.container))
            return
        node = element
        path: list[Any] = []
        while True:
            path.append(node)
            parent = node.getparent()
            if parent is None:
                return  # a fragment that is not in the document yet, or not any more
            story = stories.get(parent)
            if story is not None:
                break
            node = parent
        ids, records = mirror._ids, mirror.records  # pyright: ignore[reportPrivateUsage]
        block = ids.get(node)
        if block is not None and block not in self._before and block not in self._made:
            self._keep(story, block, path)
        mirror.changed(story, block)
        if len(path) < _TO_A_BOX and node.tag == W_P:
            records.pop(block or "", None)
            return
        text, below = False, None
        for node in path:  # neither it nor what holds it is as it was remembered
            id_ = ids.get(node)
            if id_ is not None:
                records.pop(id_, None)
                text = text or node.tag == W_P
                if not text:
                    mirror.grids.pop(node, None)
                if node.tag == W_TBL:
                    mirror.row_changed(node, below)
            below = node

    def before_move(self, child: Any, parent: Any) -> None:
        stories = self.mirror._stories  # pyright: ignore[reportPrivateUsage]
        origin = child.getparent()
        if origin is not None:
            story = stories.get(origin)
            if story is not None:
                self._unlink(story, child)
            else:
                self.touch(origin)
                self.mirror.forget_records(child)  # it may change while it is nowhere, which nobody tells
        if parent is not None and parent not in stories:
            self.touch(parent)

    def after_move(self, child: Any) -> None:
        parent = child.getparent()
        story = self.mirror._stories.get(parent) if parent is not None else None  # pyright: ignore[reportPrivateUsage]
        if story is not None and isinstance(child.tag, str):
            self._link(story, child)

    def touch_relationships(self, relationships_: Relationships) -> None:
        if id(relationships_) in self._relationships:
            return
        file = self.mirror.file
        for name, source in [("/", file.package), *file.parts.items()]:
            if source.rels is relationships_:
                self._relationships[id(relationships_)] = (name, source, relationships(source))
                return

    def touch_part(self, part: Part, attribute: str) -> None:
        """Its bytes may change; a part of the file keeps its name and its content type."""
        name = str(part.partname)
        if self.mirror.file.parts.get(name) is not part:
            return  # not in the file yet
        if attribute != "_blob":
            raise RuntimeError(f"the part {name} cannot get another {attribute.strip('_').replace('_', ' ')}")
        self._blobs.setdefault(name, part.blob)

    def set_blob(self, part: Part, blob: bytes) -> None:
        """Give a part that is not XML other bytes."""
        self._blobs.setdefault(str(part.partname), part.blob)
        part._blob = blob  # pyright: ignore[reportPrivateUsage]

    # -- blocks --------------------------------------------------------------------------------------------------------

    def _image(self, story: Story, element: Any) -> Image:
        ids = self.mirror._ids  # pyright: ignore[reportPrivateUsage]
        part = element.getparent() is not story.container
        found = [element, *inner_elements(element, part=part)]
        return Image(story.image_of(element), tuple(ids.get(e, "") for e in found))

    def _keep(self, story: Story, block: str, path: Sequence[Any]) -> None:
        """Keep how it was: the smallest part of the block that holds what changes. `path` leads from there up to the block."""
        self._remember(block, path[-1])
        part, kept = _part_of(path), self._inside.get(block)
        if part is path[-1]:
            self._before[block] = (story, self._image_before(story, block, part))
        elif kept is None:
            self._inside[block] = {part: self._image(story, part)}
        elif not any(node in kept for node in path):
            kept[part] = self._image_before(story, block, part)

    def _image_before(self, story: Story, block: str, element: Any) -> Image:
        """A block, or something in it, as it was, although parts of it that are kept have changed since; they are kept with it
        from now on.
        """
        kept = self._inside.get(block)
        parts = [e for e in element.iter(*_PARTS) if e in kept] if kept else []
        if kept is None or not parts:
            return self._image(story, element)
        return image_with(
            self._image(story, element), story, {path_to(element, e): kept.pop(e) for e in parts}
        )

    def _remember(self, block: str, element: Any) -> None:
        from agent.document.records import record_of

        if block not in self.records_before:
            self.records_before[block] = record_of(self.mirror, block)

    def _previous(self, element: Any) -> str | None:
        node = element.getprevious()
        while node is not None:
            block = self.mirror.id_of(node)
            if block is not None:
                return block
            node = node.getprevious()
        return None

    def _unlink(self, story: Story, element: Any) -> None:
        block = self.mirror.id_of(element)
        if block is None:
            self.mirror.changed(story, None)
            return
        if block not in self._made:
            self._remember(block, element)
        before = self._before.pop(block, None)
        image = before[1] if before is not None else self._image_before(story, block, element)
        if block in self._made:
            image = self._settle(story, block, element)
        self._log.append(RemoveBlock(story.key, block, self._previous(element), image))
        self.mirror.went(story, block)
        self.mirror.forget_records(element)
        self._removed[block] = element
        self._made.discard(block)

    def _link(self, story: Story, element: Any) -> None:
        mirror = self.mirror
        block = mirror.id_of(element)
        if block is None or mirror._owner.get(block) != block:  # pyright: ignore[reportPrivateUsage]
            if block is not None:
                mirror._ids.pop(element)  # pyright: ignore[reportPrivateUsage]
                mirror._elements.pop(block, None)  # pyright: ignore[reportPrivateUsage]
            block = self._new_id(element, story.prefix)
            self._enter(block, element, block)
        self._removed.pop(block, None)
        self._made.add(block)
        previous = self._previous(element)
        self._log.append(InsertBlock(story.key, block, previous, _PENDING))
        mirror.came(story, block, previous)

    def _settle(self, story: Story, block: str, element: Any) -> Image:
        """Fix the content of the pending insertion of a block: what it is now."""
        self._number_inner(story, block, element)
        image = self._image(story, element)
        for at in range(len(self._log) - 1, -1, -1):
            edit = self._log[at]
            if isinstance(edit, InsertBlock) and edit.id == block and edit.image is _PENDING:
                self._log[at] = InsertBlock(edit.story, block, edit.previous, image)
                break
        return image

    def _new_id(self, element: Any, prefix: str) -> str:
        letter = prefix + id_letter(element)
        while True:
            number = self._counts[letter, self.key] = self._counts.get((letter, self.key), 0) + 1
            block = f"{letter}{self.key}.{number}"
            if not self.mirror.has(block):
                return block

    def _enter(self, id_: str, element: Any, owner: str) -> None:
        mirror = self.mirror
        mirror._ids[element] = id_  # pyright: ignore[reportPrivateUsage]
        mirror._elements[id_] = element  # pyright: ignore[reportPrivateUsage]
        mirror._owner[id_] = owner  # pyright: ignore[reportPrivateUsage]

    def _number_inner(self, story: Story, block: str, element: Any) -> None:
        for inner in inner_elements(element, part=element.getparent() is not story.container):
            id_ = self.mirror.id_of(inner)
            self._enter(id_ or self._new_id(inner, story.prefix), inner, block)

    # -- the end -------------------------------------------------------------------------------------------------------

    def finish(self) -> Delta:
        """Settle ids and images, and give what was done as a delta."""
        mirror = self.mirror
        for block, element in list(self._removed.items()):
            if mirror.block_of(element) is not None:  # it lives on inside another block
                del self._removed[block]
                self._release(block, element)
        gone = set(self._removed)
        replaced: list[ReplaceBlock | ReplaceInside] = []
        for block, (story, before) in self._before.items():
            element = mirror.element(block)
            self._number_inner(story, block, element)
            after = self._image(story, element)
            self._forget_lost(before, after, block)
            if after != before:
                replaced.append(ReplaceBlock(story.key, block, before, after))
            if after.ids != before.ids:  # what is new in it had no id so far
                mirror.forget_records(element)
                mirror.changed(story, block)
        for block, kept in self._inside.items():
            if not kept:
                continue
            story = mirror.story_of(mirror.element(block))
            assert story is not None
            for element, before in kept.items():
                self._number_inner(story, block, element)
                after = self._image(story, element)
                self._forget_lost(before, after, block)
                if after != before:
                    path = path_to(mirror.element(block), element)
                    replaced.append(ReplaceInside(story.key, block, path, before, after))
                if after.ids != before.ids:
                    mirror.forget_records(element)
                    mirror.forget_around(story, element)
                    mirror.changed(story, block)
        order = {block: at for at, block in enumerate(self.records_before)}
        replaced.sort(key=lambda edit: order.get(edit.id, 0))  # as they were first touched
        for block in list(self._made):
            element = mirror.element(block)
            story = mirror.story_of(element)
            assert story is not None
            self._settle(story, block, element)
            mirror.forget_records(element)
            mirror.changed(story, block)
        for block in gone:
            mirror._forget(self._removed[block], block)  # pyright: ignore[reportPrivateUsage]
        for edit in self._log:
            if isinstance(edit, RemoveBlock):
                self._forget_lost(edit.image, _PENDING, edit.id)
        attributes = [
            ReplaceAttributes(key, before, _attributes(story.container))
            for key, (story, before) in self._attributes.items()
            if _attributes(story.container) != before
        ]
        blobs = [
            ReplaceBlob(name, before, mirror.file.parts[name].blob)
            for name, before in self._blobs.items()
            if name in mirror.file.parts and mirror.file.parts[name].blob != before
        ]
        added, changed, removed = self._parts()
        for edit in changed:
            if isinstance(edit, ChangeRelationship):
                mirror.relationship_changed(edit.source, edit.id)
        self._forget_pictures()
        delta = Delta((*added, *changed, *blobs, *attributes, *replaced, *self._log, *removed))
        parts = delta.parts()
        mirror._dirty |= parts  # pyright: ignore[reportPrivateUsage]
        for part in parts:
            mirror.versions[part] = mirror.versions.get(part, 0) + 1
        return delta

    def _release(self, block: str, element: Any) -> None:
        """Take a block's id from it; it gets one of its own kind in the block that it lies in now."""
        mirror = self.mirror
        if mirror._ids.get(element) == block:  # pyright: ignore[reportPrivateUsage]
            del mirror._ids[element]  # pyright: ignore[reportPrivateUsage]
            mirror._elements.pop(block, None)  # pyright: ignore[reportPrivateUsage]
            mirror._owner.pop(block, None)  # pyright: ignore[reportPrivateUsage]
        mirror.records.pop(block, None)

    def _forget_lost(self, before: Image, after: Image, owner: str) -> None:
        """Ids of elements that were inside a block and are nowhere any more."""
        mirror = self.mirror
        for id_ in set(before.ids) - set(after.ids):
            element = mirror._elements.get(id_)  # pyright: ignore[reportPrivateUsage]
            if element is None or mirror._owner.get(id_) != owner:  # pyright: ignore[reportPrivateUsage]
                continue
            block = mirror.block_of(element)
            if block is None or (id_ != owner and block != owner and mirror.owner(id_) == owner):
                mirror._ids.pop(element, None)  # pyright: ignore[reportPrivateUsage]
                mirror._elements.pop(id_, None)  # pyright: ignore[reportPrivateUsage]
                mirror._owner.pop(id_, None)  # pyright: ignore[reportPrivateUsage]

    def _forget_pictures(self) -> None:
        """python-docx keeps a list of pictures; one that was made and is shown nowhere is no part of the file."""
        file = self.mirror.file
        pictures = file.package.image_parts
        if len(pictures) != self._pictures:
            pictures._image_parts[:] = [  # pyright: ignore[reportPrivateUsage]
                p for p in dict.fromkeys(pictures) if file.parts.get(str(p.partname)) is p
            ]

    def _parts(self) -> tuple[list[Edit], list[Edit], list[Edit]]:
        """Parts that came, relationships that changed, parts that nothing leads to any more."""
        file = self.mirror.file
        if not self._relationships:
            return [], [], []
        added: list[Edit] = []
        reachable = dict(reachable_parts(file.package))
        new = {name: part for name, part in reachable.items() if name not in file.parts}
        rel_types = {
            str(r.target_part.partname): r.reltype
            for source in (file.package, *reachable.values())
            for r in source.rels.values()
            if not r.is_external
        }
        for name, part in new.items():
            file.parts[name] = part
            self.mirror.register_new_part(part)
            ids = self.mirror.part_ids(name)
            added.append(AddPart(name, part.content_type, rel_types[name], part.blob, ids))
        changed: list[Edit] = []
        for name, source, before in self._relationships.values():
            changed += _relationship_edits(name, before, relationships(source))
        for name, part in new.items():
            changed += _relationship_edits(name, {}, relationships(part))
        removed: list[Edit] = []
        gone = {
            n: _rel_type(self, n) for n in file.parts if n not in reachable
        }  # of all, before any is taken out
        for name, rel_type in gone.items():
            part = file.parts[name]
            changed += _relationship_edits(name, relationships(part), {})
            ids = self.mirror.part_ids(name)
            removed.append(RemovePart(name, part.content_type, rel_type, part.blob, ids))
            self.mirror._remove_part(name)  # pyright: ignore[reportPrivateUsage]
        return added, changed, removed


_TO_A_BOX = 7
"""From what is in a text box up to the paragraph that the box is anchored in, there are at least so many elements."""
_PARTS = (W_TR, W_TC, W_P, W_TBL, W_SDT)


def _part_of(path: Sequence[Any]) -> Any:
    """What a change is kept by, of the elements from where it is up to the block: the block itself, or the smallest row, cell or
    element that stands in a cell or content control as a block would.
    """
    block = path[-1]
    if block.tag == W_P:
        return block
    start = max(
        (at for at, node in enumerate(path) if node.tag == W_P), default=0
    )  # not what is in a text box
    for node in path[start:-1]:
        tag = node.tag
        if tag in (W_TC, W_TR):
            return node
        if tag in (W_P, W_TBL, W_SDT) and node.getparent().tag in (W_TC, W + "sdtContent"):
            return node
    return block


def _rel_type(transaction: Transaction, name: str) -> str:
    """Type of the relationship that led to a part before this transaction."""
    for _, _, before in transaction._relationships.values():  # pyright: ignore[reportPrivateUsage]
        for rel in before.values():
            if rel.target == name:
                return rel.type
    for source in transaction.mirror.file.parts.values():
        for rel in relationships(source).values():
            if rel.target == name:
                return rel.type
    return ""


def _relationship_edits(
    name: str, before: dict[str, Relationship], after: dict[str, Relationship]
) -> list[Edit]:
    return [
        ChangeRelationship(name, rid, before.get(rid), after.get(rid))
        for rid in {**before, **after}
        if before.get(rid) != after.get(rid)
    ]


def _attributes(container: Any) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(container.items()))
