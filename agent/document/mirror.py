"""The mirror: the open document itself, with ids beside the tree and one way to change it.

`with mirror.edit("3") as editor:` opens a transaction. Whatever is changed inside, through the editor's verbs or
through python-docx, is seen by the hooks; the block's before-image is taken on its first change. What comes out is a
`Delta`; an exception takes everything back. `mirror.apply` puts a delta (or its inverse) into effect.

A part's XML is divided into stories: containers whose children are the blocks. Ids are given when a part is first read:
`p12`, `t3`, `c1`, `s1` (paragraph, table, content control, section) in the body, `header1.p1` and the like elsewhere;
a block made by step 3 is `p3.1`. Ids are never written into the file.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, cast

from docx.document import Document
from docx.opc.packuri import PackURI
from docx.opc.part import Part, XmlPart
from docx.oxml.parser import element_class_lookup, parse_xml
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.parts.image import ImagePart
from lxml import etree

from agent.document import hooks
from agent.document.breaks import with_breaks
from agent.document.delta import (
    AddPart,
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
from agent.document.export import Export
from agent.document.index import Index, nodes
from agent.document.names import W_BODY, W_P, W_SDT, W_TBL, W_TR, W_TXBX, id_letter
from agent.document.package import DEFAULT_LIMITS, DocxFile, LazyXmlPart, Limits, make_part, relationship
from agent.document.relations import referring
from agent.errors import RevisionMismatch, TargetNotFound

if TYPE_CHECKING:
    from agent.document.editor import Editor

hooks.install()

_BLOCKS = "ptc"
"""What the ids of paragraphs, tables and content controls of the body start with."""
_REMEMBERED = (W_P, W_TBL, W_SDT)
_DECLARED = re.compile(rb'\sxmlns(?::[^\s=]+)?="[^"]*"')
_DECLARATIONS = re.compile(rb'(<[^\s/>]+)((?:\sxmlns(?::[^\s=]+)?="[^"]*")+)')
_START_TAG = re.compile(rb"<[^\s/>]+")
_Element = etree.ElementBase


class Story:
    """A container of blocks: `w:body`, or the root of a part."""

    __slots__ = ("_declared", "_others", "container", "keeps_space", "key", "namespaces", "part", "prefix")

    def __init__(self, key: str, part: str, prefix: str, container: Any) -> None:
        self.key = key
        """Part name, with `#body` for the body."""
        self.part = part
        self.prefix = prefix
        """What its ids start with; empty for the body."""
        self.container = container
        # said once for all blocks by some programs; an image alone does not know of it
        self.keeps_space = bool(_KEEPS_SPACE(container))
        # libxml2 repeats every declaration of the ancestors on a block that is serialised alone: known once, cut out
        # of every image, and put back on the block itself when it is parsed (on a wrapper it would cost O(n^2)).
        probe = etree.SubElement(container, f"{{{etree.QName(container).namespace or ''}}}probe")
        xml = etree.tostring(probe, encoding="UTF-8")
        _Element.remove(container, probe)
        self.namespaces = xml[xml.index(b" ") : xml.rindex(b"/>")] if b" " in xml else b""
        self._declared = frozenset(_DECLARED.findall(self.namespaces))
        self._others: dict[bytes, bytes] = {}

    def image_of(self, element: Any) -> bytes:
        """The block's XML without what its ancestors declare."""
        return self.bare(etree.tostring(element, with_tail=False, encoding="UTF-8"))

    def bare(self, xml: bytes) -> bytes:
        """What lxml wrote of an element in this story, without the declarations that are said around it."""
        found = _DECLARATIONS.match(xml)
        if found is None:
            return xml
        said = found[2]
        if said != self.namespaces:  # those that the element and its attributes use come first
            known = self._others.get(said)
            if known is None:
                own = [d for d in _DECLARED.findall(said) if d not in self._declared]
                known = self._others[said] = b"".join(own)
            return found[1] + known + xml[found.end() :]
        return found[1] + xml[found.end() :]

    def parse(self, xml: bytes) -> Any:
        """A new element from an image."""
        end = _START_TAG.match(xml)
        assert end is not None
        if self.namespaces and b" xmlns" not in xml[: xml.index(b">")]:
            xml = xml[: end.end()] + self.namespaces + xml[end.end() :]
        elif self.namespaces:
            xml = _merge_declarations(xml, end.end(), self.namespaces)
        return etree.fromstring(xml, _KEEPING) if self.keeps_space else parse_xml(xml)


_KEEPS_SPACE = etree.XPath("ancestor-or-self::*[@xml:space][1][@xml:space='preserve']")
_KEEPING = etree.XMLParser(resolve_entities=False)
_KEEPING.set_element_class_lookup(element_class_lookup)


class KnownTable:
    """The rows of a table: their elements and records, and which of them have changed since."""

    __slots__ = ("elements", "records", "stale")

    def __init__(self, elements: list[Any], records: list[Any]) -> None:
        self.elements = elements
        self.records = records
        self.stale: set[Any] = set()


class Mirror:
    """One open document.

    `document` is python-docx's view of it. Use one mirror from one thread at a time.
    """

    paranoid: ClassVar[bool] = False
    """Re-read every known block after each change and compare; on in tests, since it costs what the document costs."""

    def __init__(self, file: DocxFile, name: str) -> None:
        self.file = file
        self.name = name
        self.revision = 0
        """Rises with every committed transaction and every applied delta."""
        self.document: Any = Document(cast("Any", file.document_part.element), file.document_part)
        self._stories: dict[Any, Story] = {}
        self._story_by_key: dict[str, Story] = {}
        self._ids: dict[Any, str] = {}
        self._elements: dict[str, Any] = {}
        self._owner: dict[str, str] = {}
        self._counts: dict[tuple[str, str], int] = {}
        self._awaited: dict[str, tuple[str, ...]] = {}  # ids for a part that is being put back
        self._dirty: set[str] = set()
        self.records: dict[str, Any] = {}
        """Cache of `agent.document.records`: what is known of a block, or of something addressable in one, by id; dropped when
        it is touched."""
        self.tables: dict[Any, KnownTable] = {}
        """Likewise what is known of tables' rows, which have no ids, by the table's element."""
        self.grids: dict[Any, Any] = {}
        """Likewise grids of tables (`agent.document.grid`), by element; what changes the text of cells alone leaves them."""
        self.elsewhere = 0
        """A number that rises with every change outside the body: of styles, lists, headers, parts."""
        self._indexes: dict[str, Index] = {}
        self._export = Export(self)
        self.versions: dict[str, int] = {}
        """Part name to a number that rises when the part changes; lets views that depend on a part be cached."""
        self.touches: dict[str, int] = {}
        """Part name to the number of single changes that transactions have made in it."""
        self.attachments: dict[str, bytes] = {}
        """Files that the user gave along with a request (pictures), by name; operations refer to them by that name."""
        self.withdrawn: dict[str, bytes] = {}
        """Attachments that the user took away again after a step had used them: only that step, run again, still finds them."""
        self.tombstones: dict[str, str | None] = {}
        """During a replay: blocks that an undone step had made, and the block that each stood behind. A place beside a block
        that is gone is the place where it stood."""
        self.views: dict[Any, Any] = {}
        """Cache of views that depend on more than one block, each with the version that it was made for."""
        for part_name, part in file.parts.items():
            if isinstance(part, LazyXmlPart):
                part.on_parse = self._register_part
            elif isinstance(part, XmlPart):
                self._register_part(part_name, part.element)

    @classmethod
    def open(cls, data: bytes, name: str = "document.docx", limits: Limits = DEFAULT_LIMITS) -> Mirror:
        """Open an untrusted .docx. Raises `DocumentError` with a sentence for the user."""
        return cls(DocxFile(data, limits), name)

    def save(self) -> bytes:
        """The document as a .docx file; parts that were never touched have the bytes they came with."""
        main = str(self.file.document_part.partname)
        packed = {main: self._export.main_part()} if main in self._dirty and not self.file.strict else {}
        return self.file.save(self._dirty, packed)

    def close(self) -> None:
        """Give the document up: its trees go now, and not when the collector of cycles comes by, which does not know how
        large they are. Nothing can be asked of the mirror afterwards.
        """
        self._ids.clear()  # elements before their trees: the other way round takes four times as long
        self._elements.clear()
        for part in self.file.parts.values():
            vars(part).clear()
        vars(self.file).clear()
        vars(self).clear()

    # -- looking -------------------------------------------------------------------------------------------------------

    @property
    def body(self) -> Any:
        """The `w:body` element."""
        return cast("Any", self.file.document_part.element).body

    def body_blocks(self) -> list[str]:
        """Ids of the body's blocks (paragraphs, tables, content controls) in order."""
        return [b for b in self.index if b[0] in _BLOCKS]

    @property
    def body_key(self) -> str:
        """The key of the body's story."""
        return f"{self.file.document_part.partname}#body"

    @property
    def index(self) -> Index:
        """The order of the body's blocks, its last section included, and what is known of many of them."""
        return self.index_of(self._story_by_key[self.body_key])

    def index_of(self, story: Story) -> Index:
        """The order of a story's blocks."""
        found = self._indexes.get(story.key)
        if found is None:
            found = self._indexes[story.key] = Index(self, self.blocks(story))
        return found

    def edge(self, side: str, count: int = 1) -> list[str]:
        """Ids of the first ("start") or last ("end") blocks of the body, in order; fewer if there are no more."""
        blocks = (b for b in (self.index if side == "start" else self.index.backwards()) if b[0] in _BLOCKS)
        found = list(itertools.islice(blocks, count))
        return found if side == "start" else found[::-1]

    def nodes(self, *tags: str) -> list[Any]:
        """The elements of the body with these tags, in order. Not to be changed by the caller."""
        return self.index.all(nodes(tags))

    def nodes_beside(self, element: Any, *tags: str) -> list[Any]:
        """The elements with these tags in the story that holds an element, in order. Not to be changed by the caller."""
        story = self.story_of(element)
        return self.index_of(story).all(nodes(tags)) if story is not None else []

    def nodes_everywhere(self, *tags: str) -> Iterator[Any]:
        """The elements with these tags in all parts that have been read, part by part."""
        return (node for story in self.stories() for node in self.index_of(story).all(nodes(tags)))

    def element(self, block: str) -> Any:
        """The element that has this id."""
        found = self._elements.get(block)
        if found is None and self._reads_part_of(block):
            found = self._elements.get(block)
        if found is None:
            raise TargetNotFound(f"The document has no block {block}.")
        return found

    def has(self, block: str) -> bool:
        """Whether a block with this id is in the document."""
        return block in self._elements or (self._reads_part_of(block) and block in self._elements)

    def _reads_part_of(self, block: str) -> bool:
        """Read the part that an id such as "header1.p2" is of, if nobody has asked for it before."""
        stem, dot, _ = block.rpartition(".")
        waiting = [
            part
            for name, part in self.file.parts.items()
            if isinstance(part, LazyXmlPart) and not part.parsed
            and stem in (name.rpartition("/")[2].rpartition(".")[0], name.strip("/").rpartition(".")[0].replace("/", "-"))
        ] if dot else []  # fmt: skip
        for part in waiting:
            _ = part.element
        return bool(waiting)

    def id_of(self, element: Any) -> str | None:
        """The id of an element, if it is one that has an id."""
        return self._ids.get(element)

    def block_of(self, element: Any) -> str | None:
        """The id of the block (child of a story) that holds the element."""
        node = element
        while node is not None:
            parent = node.getparent()
            if parent is not None and parent in self._stories and node not in self._stories:
                return self._ids.get(node)
            node = parent
        return None

    def story_of(self, element: Any) -> Story | None:
        """The story that holds the element."""
        node = element.getparent()
        while node is not None:
            story = self._stories.get(node)
            if story is not None:
                return story
            node = node.getparent()
        return None

    def story(self, key: str) -> Story | None:
        """A story by the key that edits name it by; None if it is not there (any more)."""
        return self._story_by_key.get(key)

    def stories(self) -> Iterator[Story]:
        """Every story that has been read."""
        return iter(self._story_by_key.values())

    def blocks(self, story: Story) -> list[str]:
        """Ids of a story's blocks in order."""
        return [self._ids[e] for e in story.container if e in self._ids]

    def part(self, name: str) -> Part | None:
        """A part by name ("/word/styles.xml")."""
        return self.file.parts.get(name)

    def part_of(self, element: Any) -> Part:
        """The part that holds the element."""
        root = element.getroottree().getroot()
        story = self._stories.get(root)
        if story is None:
            raise TargetNotFound("The element is not in the document.")
        return self.file.parts[story.part]

    def version(self, part: str) -> tuple[int, int]:
        """What a view of a part is good for: another value after any change of it, also inside a transaction."""
        return self.versions.get(part, 0), self.touches.get(part, 0)

    # -- changing ------------------------------------------------------------------------------------------------------

    @contextmanager
    def edit(self, key: str = "0") -> Iterator[Editor]:
        """A transaction. `key` (the step's number) goes into the ids of new blocks, so that a replay makes the same.

        On leaving, `editor.delta` holds what was done; an exception inside takes everything back and goes on.
        """
        from agent.document.editor import Editor

        if hooks.active.recorder is not None:
            raise RuntimeError("a transaction is already open in this thread")
        editor = Editor(self, key)
        hooks.active.recorder = editor.transaction
        try:
            yield editor
        except BaseException:
            hooks.active.recorder = None
            delta = editor.transaction.finish()
            if delta:
                self.revision += 1
                self.apply(delta.inverse())
            raise
        finally:
            hooks.active.recorder = None
        editor.delta = editor.transaction.finish()
        if editor.delta:
            self.revision += 1
        self._audit()

    def apply(self, delta: Delta) -> None:
        """Put a delta into effect, whole or not at all. Raises `RevisionMismatch` if it does not fit the document."""
        done: list[Edit] = []
        try:
            for edit in delta.edits:
                self._apply_edit(edit)
                done.append(edit)
        except Exception as error:
            for edit in reversed(done):
                self._apply_edit(edit.inverse())
            raise RevisionMismatch(f"The change does not fit the document: {error}.") from error
        self._dirty |= delta.parts()
        for part in delta.parts():
            self.versions[part] = self.versions.get(part, 0) + 1
        self.revision += 1
        self._audit()

    def _audit(self) -> None:
        if self.paranoid:
            from agent.document.state import audit

            audit(self)

    def _apply_edit(self, edit: Edit) -> None:
        match edit:
            case ReplaceBlock(story=key, id=block, after=image):
                story = self._story_by_key[key]
                old = self._child(story, block)
                new = _read_image(story, image)
                old.addprevious(new)
                self._forget(old, block)
                _drop(story.container, old)
                self._adopt(new, image.ids, block)
                self.changed(story, block)
            case ReplaceInside(story=key, id=block, path=path, after=image):
                story = self._story_by_key[key]
                old = inside(self._child(story, block), path)
                new = _read_image(story, image, part=True)
                old.addprevious(new)
                self._forget(old, block, part=True)
                above = old.getparent()
                _drop(above, old)
                self._adopt(new, image.ids, block, part=True)
                self.forget_around(story, new)
                self.changed(story, block)
            case InsertBlock(story=key, id=block, previous=previous, image=image):
                story = self._story_by_key[key]
                if block in self._elements:
                    raise ValueError(f"there is a block {block} already")
                before = self._child(story, previous) if previous is not None else None
                new = _read_image(story, image)
                if before is None:
                    story.container.insert(0, new)
                else:
                    before.addnext(new)
                self._adopt(new, image.ids, block)
                self.came(story, block, previous)
            case RemoveBlock(story=key, id=block):
                story = self._story_by_key[key]
                old = self._child(story, block)
                self.went(story, block)
                self._forget(old, block)
                _drop(story.container, old)
            case ReplaceAttributes(story=key, after=after):
                story = self._story_by_key[key]
                container = story.container
                self.changed(story, None)
                for name in list(container.attrib):
                    del container.attrib[name]
                for name, value in after:
                    container.set(name, value)
            case AddPart():
                self._add_part(edit)
            case RemovePart(name=name):
                self._remove_part(name)
            case ReplaceBlob(name=name, after=after):
                self.file.parts[name]._blob = after  # pyright: ignore[reportPrivateUsage]
            case ChangeRelationship():
                self._apply_relationship(edit)

    def _child(self, story: Story, block: str) -> Any:
        """The element of a block, which must be one of this story."""
        element = self._elements.get(block)
        if element is None or element.getparent() is not story.container:
            raise KeyError(f"there is no block {block} in {story.key}")
        return element

    # -- what changes are told to --------------------------------------------------------------------------------------

    def changed(self, story: Story, block: str | None) -> None:
        """A block of the story changed; None: what lies between them, or its container, did."""
        if story.prefix:
            self.elsewhere += 1
        self.touches[story.part] = self.touches.get(story.part, 0) + 1
        index = self._indexes.get(story.key)
        if index is not None:
            index.touch(block)

    def came(self, story: Story, block: str, previous: str | None) -> None:
        """A block is new in the story, behind another (None: first)."""
        if story.prefix:
            self.elsewhere += 1
        self.touches[story.part] = self.touches.get(story.part, 0) + 1
        index = self._indexes.get(story.key)
        if index is not None:
            index.insert(block, previous)

    def went(self, story: Story, block: str) -> None:
        """A block of the story goes."""
        if story.prefix:
            self.elsewhere += 1
        self.touches[story.part] = self.touches.get(story.part, 0) + 1
        index = self._indexes.get(story.key)
        if index is not None:
            index.remove(block)

    def row_changed(self, tbl: Any, child: Any | None) -> None:
        """Something in a child of a table changed; only in a row, if the child is one. None: the table's children did."""
        known = self.tables.get(tbl)
        if known is None:
            return
        if child is not None and child.tag == W_TR:
            known.stale.add(child)
        else:
            del self.tables[tbl]

    def forget_around(self, story: Story, element: Any) -> None:
        """What is remembered of all that holds an element is not so any more."""
        text, below = element.tag == W_P, element
        for holder in element.iterancestors():
            if holder is story.container:
                break
            if holder.tag == W_TBL:
                self.row_changed(holder, below if below is not element else None)
            below = holder
            self.records.pop(self._ids.get(holder, ""), None)
            if not text:
                self.grids.pop(holder, None)

    def relationship_changed(self, source: str, rid: str) -> None:
        """What is known of blocks that refer to it (where a link leads) is not so any more."""
        for block in list(referring(self, source, rid)):
            self.forget_records(self.element(block))

    def forget_records(self, element: Any) -> None:
        """What is remembered of an element and of all in it is not so any more."""
        for found in element.iter(*_REMEMBERED):
            self.tables.pop(found, None)
            self.grids.pop(found, None)
            id_ = self._ids.get(found)
            if id_ is not None:
                self.records.pop(id_, None)

    def _add_part(self, edit: AddPart) -> None:
        if edit.name in self.file.parts:
            raise ValueError(f"there is a part {edit.name} already")
        part = make_part(PackURI(edit.name), edit.content_type, edit.rel_type, edit.blob, self.file.package)
        self.file.parts[edit.name] = part
        if isinstance(part, ImagePart):
            self.file.package.image_parts.append(part)
        if edit.ids:
            self._awaited[edit.name] = edit.ids
        self.register_new_part(part)
        if edit.ids and isinstance(part, LazyXmlPart):
            _ = part.element  # read again, since it had ids

    def _remove_part(self, name: str) -> None:
        part = self.file.parts.pop(name)
        self.elsewhere += 1
        self.versions[name] = self.versions.get(name, 0) + 1
        # python-docx keeps the numbering part on the document part once it has asked for it
        self.file.document_part.__dict__.pop("numbering_part", None)
        images = self.file.package.image_parts
        if isinstance(part, ImagePart) and part in images:
            images._image_parts.remove(part)  # pyright: ignore[reportPrivateUsage]
        for story in [s for s in self._story_by_key.values() if s.part == name]:
            for element in story.container:
                if element in self._ids:
                    self._forget(element, self._ids[element])
            del self._stories[story.container], self._story_by_key[story.key]
            self._indexes.pop(story.key, None)
            # a part of that name that comes later starts anew, so that a replay gives the same ids
            self._counts = {k: n for k, n in self._counts.items() if k[0] != story.prefix}
            for key in [k for k in self._counts if k[0] == story.prefix]:
                del self._counts[key]  # when the part comes back, its blocks get the same ids

    def _apply_relationship(self, edit: ChangeRelationship) -> None:
        source = self.file.package if edit.source == "/" else self.file.parts[edit.source]
        if relationship(source, edit.id) != edit.before:
            raise ValueError(f"the relationship {edit.id} of {edit.source} is another one")
        self.relationship_changed(edit.source, edit.id)
        source.rels.pop(edit.id, None)
        source.rels._target_parts_by_rId.pop(edit.id, None)  # pyright: ignore[reportPrivateUsage]
        if edit.after is not None:
            target = edit.after.target if edit.after.external else self.file.parts[edit.after.target]
            source.rels.add_relationship(edit.after.type, target, edit.id, edit.after.external)

    # -- ids -----------------------------------------------------------------------------------------------------------

    def register_new_part(self, part: Part) -> None:
        """Take a part that was just added under watch."""
        self.elsewhere += 1
        if isinstance(part, LazyXmlPart):
            part.on_parse = self._register_part
            if part.parsed:
                self._register_part(str(part.partname), part.element)
        elif isinstance(part, XmlPart):
            self._register_part(str(part.partname), part.element)

    def _register_part(self, name: str, root: Any) -> None:
        if root in self._stories:
            return
        is_document = name == str(self.file.document_part.partname)
        stem = name.rpartition("/")[2].rpartition(".")[0]
        if f"{stem}." in {s.prefix for s in self._story_by_key.values()}:
            stem = name.strip("/").rpartition(".")[0].replace("/", "-")
        prefix = f"{stem}."
        self._add_story(Story(name, name, prefix, root))
        if is_document:
            self._add_story(Story(f"{name}#body", name, "", self.body))

    def _add_story(self, story: Story) -> None:
        self._stories[story.container] = story
        self._story_by_key[story.key] = story
        ids, elements, owner = self._ids, self._elements, self._owner
        known = iter(self._awaited.pop(story.part, ()))
        for element in with_breaks(story.container.iterchildren(etree.Element)):
            if element.tag == W_BODY:
                continue
            block = next(known, None) or self.next_id(element, story.prefix)
            ids[element], elements[block], owner[block] = block, element, block
            for inner in inner_elements(element):
                inner_id = next(known, None) or self.next_id(inner, story.prefix)
                ids[inner], elements[inner_id], owner[inner_id] = inner_id, inner, block

    def part_ids(self, name: str) -> tuple[str, ...]:
        """Ids of a part's blocks and of what is addressable in them, in document order; empty if it was never read."""
        return tuple(
            self._ids[e]
            for story in self._story_by_key.values()
            if story.part == name
            for block in story.container
            if block in self._ids
            for e in (block, *inner_elements(block))
        )

    def next_id(self, element: Any, prefix: str) -> str:
        """The next id of an opened part's element, by its kind."""
        letter = id_letter(element)
        number = self._counts[prefix, letter] = self._counts.get((prefix, letter), 0) + 1
        return f"{prefix}{letter}{number}"

    def owner(self, block: str) -> str:
        """The block (child of a story) that the id lies in; itself for a block."""
        return self._owner.get(block, block)

    def _adopt(self, element: Any, ids: tuple[str, ...], block: str, *, part: bool = False) -> None:
        for found, id_ in zip((element, *inner_elements(element, part=part)), ids, strict=True):
            if not id_:
                continue  # a row or a cell
            self._ids[found], self._elements[id_], self._owner[id_] = id_, found, block
            self.records.pop(id_, None)

    def _forget(self, element: Any, block: str, *, part: bool = False) -> None:
        self.records.pop(block, None)
        for found in (element, *inner_elements(element, part=part)):
            id_ = self._ids.pop(found, None)
            if id_ is not None and self._elements.get(id_) is found:  # else it has moved to another block
                del self._elements[id_]
                self._owner.pop(id_, None)
                self.records.pop(id_, None)
            if found.tag == W_TBL:
                self.grids.pop(found, None)
                self.tables.pop(found, None)


def inner_elements(block: Any, *, part: bool = False) -> list[BaseOxmlElement]:
    """The addressable elements inside a block in document order: paragraphs, tables and content controls of its cells,
    controls and text boxes. Inline controls of a paragraph of the body are not, those of one in a cell (a `part` of a block) are.
    """
    if part:
        return [e for e in block.iter(W_P, W_TBL, W_SDT) if e is not block]
    if block.tag == W_P:
        if next(block.iter(W_TXBX), None) is None:
            return []
    elif block.tag not in (W_TBL, W_SDT) and next(block.iter(W_P), None) is None:
        return []
    return [e for e in block.iter(W_P, W_TBL, W_SDT) if e is not block]


def inside(block: Any, path: tuple[int, ...]) -> Any:
    """The element in a block that a path leads to."""
    for at in path:
        block = block[at]
    return block


def path_to(block: Any, element: Any) -> tuple[int, ...]:
    """Where an element is in a block, as `inside` follows it."""
    found: list[int] = []
    while element is not block:
        parent = element.getparent()
        found.append(parent.index(element))
        element = parent
    return tuple(reversed(found))


def _read_image(story: Story, image: Image, *, part: bool = False) -> Any:
    """A new element from an image, with as many addressable elements as the image has ids."""
    new = story.parse(image.xml)
    found = 1 + len(inner_elements(new, part=part))
    if found != len(image.ids):
        raise ValueError(f"an image has {len(image.ids)} ids for {found} elements")
    return new


def _drop(parent: Any, element: Any) -> None:
    """Unlink a subtree for good. `remove` alone is quadratic in the subtree's size (libxml2 mends namespaces)."""
    _Element.clear(element)
    _Element.remove(parent, element)


def _merge_declarations(xml: bytes, at: int, namespaces: bytes) -> bytes:
    """The image declares some namespaces itself: add only those that it does not."""
    own = set(re.findall(rb"\sxmlns(?::[\w.-]+)?=", xml[: xml.index(b">")]))
    missing = b"".join(
        m.group(0) for m in _DECLARED.finditer(namespaces) if m.group(0).partition(b"=")[0] + b"=" not in own
    )
    return xml[:at] + missing + xml[at:]
