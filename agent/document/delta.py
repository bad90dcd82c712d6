"""What one transaction did, as a value: a few edits, each with its before and after.

Operations are many, edits are few: only these kinds know how to invert, to travel as JSON and to be applied.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar

from agent.document.package import Relationship


@dataclass(frozen=True)
class Image:
    """A block, or an element in one, as it was: its XML, and the ids of itself and of the addressable elements inside, in order.
    What has no id itself (a row, a cell) has an empty text there.
    """

    xml: bytes
    """UTF-8, without the namespace declarations that its story's container makes."""
    ids: tuple[str, ...]


@dataclass(frozen=True)
class ReplaceBlock:
    """The content of a block changed; its place and id did not."""

    story: str
    id: str
    before: Image
    after: Image

    def inverse(self) -> ReplaceBlock:
        return ReplaceBlock(self.story, self.id, self.after, self.before)


@dataclass(frozen=True)
class ReplaceInside:
    """One element inside a block (a table or content control) changed: a row, a cell, or a paragraph or table in one. The rest of
    the block did not, so that a change of a large table costs what it changes.
    """

    story: str
    id: str
    path: tuple[int, ...]
    """Where it is: number of the block's child, from 0, number of the child's child, ..."""
    before: Image
    after: Image

    def inverse(self) -> ReplaceInside:
        return ReplaceInside(self.story, self.id, self.path, self.after, self.before)


@dataclass(frozen=True)
class InsertBlock:
    """A block is new in its story, after the block `previous` (None: first)."""

    story: str
    id: str
    previous: str | None
    image: Image

    def inverse(self) -> RemoveBlock:
        return RemoveBlock(self.story, self.id, self.previous, self.image)


@dataclass(frozen=True)
class RemoveBlock:
    """A block is gone from its story, where it stood after the block `previous` (None: first)."""

    story: str
    id: str
    previous: str | None
    image: Image

    def inverse(self) -> InsertBlock:
        return InsertBlock(self.story, self.id, self.previous, self.image)


@dataclass(frozen=True)
class ReplaceAttributes:
    """The attributes of a story's container changed (for example `mc:Ignorable` of `w:document`)."""

    story: str
    before: tuple[tuple[str, str], ...]
    after: tuple[tuple[str, str], ...]

    def inverse(self) -> ReplaceAttributes:
        return ReplaceAttributes(self.story, self.after, self.before)


@dataclass(frozen=True)
class AddPart:
    """A part is new in the package."""

    name: str
    content_type: str
    rel_type: str
    """Type of the relationship that leads to it; decides, with the content type, how it is read."""
    blob: bytes
    ids: tuple[str, ...] = ()
    """Ids of its blocks and of what is addressable in them, in document order; empty for a part that was never read."""

    def inverse(self) -> RemovePart:
        return RemovePart(self.name, self.content_type, self.rel_type, self.blob, self.ids)


@dataclass(frozen=True)
class RemovePart:
    """A part is gone from the package, since nothing refers to it any more."""

    name: str
    content_type: str
    rel_type: str
    blob: bytes
    ids: tuple[str, ...] = ()

    def inverse(self) -> AddPart:
        return AddPart(self.name, self.content_type, self.rel_type, self.blob, self.ids)


@dataclass(frozen=True)
class ReplaceBlob:
    """The bytes of a part that is not XML changed (for example a chart's workbook)."""

    name: str
    before: bytes
    after: bytes

    def inverse(self) -> ReplaceBlob:
        return ReplaceBlob(self.name, self.after, self.before)


@dataclass(frozen=True)
class ChangeRelationship:
    """A relationship of a part (`source`; "/" is the package) was added, removed or given another target."""

    source: str
    id: str
    before: Relationship | None
    after: Relationship | None

    def inverse(self) -> ChangeRelationship:
        return ChangeRelationship(self.source, self.id, self.after, self.before)


Edit = (
    ReplaceBlock
    | ReplaceInside
    | InsertBlock
    | RemoveBlock
    | ReplaceAttributes
    | AddPart
    | RemovePart
    | ReplaceBlob
    | ChangeRelationship
)
BlockEdit = ReplaceBlock | ReplaceInside | InsertBlock | RemoveBlock
BLOCK_EDITS = (ReplaceBlock, ReplaceInside, InsertBlock, RemoveBlock)  # isinstance is slow with a union
_KINDS: dict[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        ReplaceBlock,
        ReplaceInside,
        InsertBlock,
        RemoveBlock,
        ReplaceAttributes,
        AddPart,
        RemovePart,
        ReplaceBlob,
        ChangeRelationship,
    )
}


@dataclass(frozen=True)
class Touched:
    """Ids of blocks by what became of them, in the order of the edits."""

    changed: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    moved: tuple[str, ...]


@dataclass(frozen=True)
class Delta:
    """Edits in the order in which they apply."""

    edits: tuple[Edit, ...] = ()

    empty: ClassVar[Delta]

    def __bool__(self) -> bool:
        return bool(self.edits)

    def __add__(self, other: Delta) -> Delta:
        return Delta(self.edits + other.edits)

    def inverse(self) -> Delta:
        """The delta that takes this one back."""
        return Delta(tuple(edit.inverse() for edit in reversed(self.edits)))

    def touched(self) -> Touched:
        """Which blocks it changes, adds, removes and moves, taken as a whole."""
        first: dict[str, type[Any]] = {}
        last: dict[str, type[Any]] = {}
        homes: dict[str, set[str]] = {}
        for edit in self.edits:
            if isinstance(edit, BLOCK_EDITS):
                first.setdefault(edit.id, type(edit))
                last[edit.id] = type(edit)
                homes.setdefault(edit.story.partition("#")[0], set()).add(edit.id)
            elif isinstance(edit, RemovePart):  # what was touched in it is gone with it
                last |= dict.fromkeys(homes.get(edit.name, ()), RemoveBlock)
            elif isinstance(edit, AddPart):
                last |= {block: ReplaceBlock for block in edit.ids if block in last}
        groups: dict[str, list[str]] = {"changed": [], "added": [], "removed": [], "moved": []}
        for block in first:
            existed = first[block] is not InsertBlock
            exists = last[block] is not RemoveBlock
            if existed and not exists:
                groups["removed"].append(block)
            elif exists and not existed:
                groups["added"].append(block)
            elif existed and exists:
                groups["moved" if last[block] is InsertBlock else "changed"].append(block)
        return Touched(**{name: tuple(ids) for name, ids in groups.items()})

    def lost_ids(self, story: str) -> set[str]:
        """Ids of a story's blocks, and of what is addressable in them, that were there before and are not afterwards."""
        here = Delta(tuple(e for e in self.edits if isinstance(e, BLOCK_EDITS) and e.story == story))
        return self._ids_of(here.inverse()).keys() - self._ids_of(here).keys()

    def new_ids(self) -> list[str]:
        """Ids that are there afterwards and were not before, in the order of the edits."""
        before = self._ids_of(self.inverse())
        return [i for i in self._ids_of(self) if i not in before]

    @staticmethod
    def _ids_of(delta: Delta) -> dict[str, None]:
        """Ids in what the edits leave behind."""
        found: dict[str, None] = {}
        for edit in delta.edits:
            match edit:
                case ReplaceBlock(before=before, after=after) | ReplaceInside(before=before, after=after):
                    for i in before.ids:
                        found.pop(i, None)
                    found |= dict.fromkeys(after.ids)
                case InsertBlock(image=image):
                    found |= dict.fromkeys(image.ids)
                case RemoveBlock(image=image):
                    for i in image.ids:
                        found.pop(i, None)
                case AddPart(ids=ids):
                    found |= dict.fromkeys(ids)
                case RemovePart(ids=ids):
                    for i in ids:
                        found.pop(i, None)
                case _:
                    pass
        return found

    def parts(self) -> set[str]:
        """Names of the parts whose content it changes."""
        return {
            edit.story.partition("#")[0]
            for edit in self.edits
            if isinstance(edit, (*BLOCK_EDITS, ReplaceAttributes))
        } | {edit.name for edit in self.edits if isinstance(edit, (AddPart, ReplaceBlob))}

    def to_json(self) -> list[dict[str, Any]]:
        """Plain data; bytes as base64."""
        return [{"kind": type(edit).__name__, **_encode(asdict(edit))} for edit in self.edits]

    @classmethod
    def from_json(cls, data: Iterable[Mapping[str, Any]]) -> Delta:
        """The delta that `to_json` described."""
        return cls(tuple(_edit_from_json(item) for item in data))


Delta.empty = Delta()


def _encode(value: Any) -> Any:
    match value:
        case bytes():
            return {"base64": base64.b64encode(value).decode("ascii")}
        case dict():
            return {k: _encode(v) for k, v in value.items()}
        case tuple() | list():
            return [_encode(v) for v in value]
        case _:
            return value


def _decode(value: Any) -> Any:
    match value:
        case {"base64": text}:
            return base64.b64decode(text)
        case {"xml": xml, "ids": ids}:
            return Image(_decode(xml), tuple(ids))
        case {"type": rel_type, "target": target, "external": external}:
            return Relationship(rel_type, target, external)
        case list():
            return tuple(_decode(v) for v in value)
        case _:
            return value


def _edit_from_json(item: Mapping[str, Any]) -> Edit:
    kind = _KINDS[item["kind"]]
    return kind(**{f.name: _decode(item[f.name]) for f in fields(kind)})
