"""What happens between the opening and the closing of `mirror.edit`: the recorder that the hooks talk to."""

from __future__ import annotations

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
)
from agent.document.names import id_letter
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
        stories = self.mirror._stories  # pyright: ignore[reportPrivateUsage]
        own = stories.get(element)
        if own is not None:
            self._count(own)
            if own.key not in self._attributes:
                self._attributes[own.key] = (own, _attributes(own.container))
            return
        node = element
        while True:
            parent = node.getparent()
            if parent is None:
                return  # a fragment that is not in the document yet, or not any more
            story = stories.get(parent)
            if story is not None:
                self._count(story)
                self._touch_block(story, node)
                return
            node = parent

    def before_move(self, child: Any, parent: Any) -> None:
        stories = self.mirror._stories  # pyright: ignore[reportPrivateUsage]
        origin = child.getparent()
        if origin is not None:
            story = stories.get(origin)
            if story is not None:
                self._count(story)
                self._unlink(story, child)
            else:
                self.touch(origin)
        if parent is not None and parent not in stories:
            self.touch(parent)

    def after_move(self, child: Any) -> None:
        parent = child.getparent()
        story = self.mirror._stories.get(parent) if parent is not None else None  # pyright: ignore[reportPrivateUsage]
        if story is not None and isinstance(child.tag, str):
            self._count(story)
            self._link(story, child)

    def _count(self, story: Story) -> None:
        """Views of the part that were made before this change are stale."""
        touches = self.mirror.touches
        touches[story.part] = touches.get(story.part, 0) + 1

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
        from agent.document.mirror import inner_elements

        ids = self.mirror._ids  # pyright: ignore[reportPrivateUsage]
        found = [element, *inner_elements(element)]
        return Image(story.image_of(element), tuple(ids.get(e, "") for e in found))

    def _touch_block(self, story: Story, element: Any) -> None:
        block = self.mirror.id_of(element)
        if block is None or block in self._before or block in self._made:
            return
        self._remember(block, element)
        self._before[block] = (story, self._image(story, element))

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
            return
        if block not in self._made:
            self._remember(block, element)
        before = self._before.pop(block, None)
        image = before[1] if before is not None else self._image(story, element)
        if block in self._made:
            image = self._settle(story, block, element)
        self._log.append(RemoveBlock(story.key, block, self._previous(element), image))
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
        self._log.append(InsertBlock(story.key, block, self._previous(element), _PENDING))

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
        from agent.document.mirror import inner_elements

        for inner in inner_elements(element):
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
        replaced: list[Edit] = []
        for block, (story, before) in self._before.items():
            element = mirror.element(block)
            self._number_inner(story, block, element)
            after = self._image(story, element)
            self._forget_lost(before, after, block)
            if after != before:
                replaced.append(ReplaceBlock(story.key, block, before, after))
            mirror.records.pop(block, None)
        for block in list(self._made):
            element = mirror.element(block)
            story = mirror.story_of(element)
            assert story is not None
            self._settle(story, block, element)
            mirror.records.pop(block, None)
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
