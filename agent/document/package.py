"""The .docx as a package: opened untrusted into python-docx's parts, written back byte for byte where untouched.

Open Packaging Conventions (ECMA-376 part 2): a zip of parts, `[Content_Types].xml`, and a `.rels` part for each source of
relationships. python-docx's own loader refuses files that Word opens (macro-enabled, templates, strict, a relationship
to a part that is not there) and its writer writes every XML part anew; both ends are therefore ours.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import unquote

from docx.opc.constants import CONTENT_TYPE as CT
from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.opc.oxml import serialize_part_xml
from docx.opc.packuri import PACKAGE_URI, PackURI
from docx.opc.part import Part, PartFactory, XmlPart
from docx.opc.parts.coreprops import CorePropertiesPart
from docx.oxml.parser import parse_xml
from docx.package import ImageParts, Package
from docx.parts.comments import CommentsPart
from docx.parts.document import DocumentPart
from docx.parts.hdrftr import FooterPart, HeaderPart
from docx.parts.image import ImagePart
from docx.parts.numbering import NumberingPart
from docx.parts.settings import SettingsPart
from docx.parts.styles import StylesPart
from docx.shared import lazyproperty
from lxml import etree

from agent.document.archive import Packed, pack, packed_as_read, write_archive
from agent.document.breaks import take_break, with_breaks
from agent.document.names import W
from agent.document.strict import as_utf8, is_strict, strict, to_strict, to_transitional, transitional
from agent.errors import DocumentError, DocumentTooLarge

CONTENT_TYPES = "[Content_Types].xml"
UNKNOWN = "application/octet-stream"
_CT = "{http://schemas.openxmlformats.org/package/2006/content-types}"
_PR = "{http://schemas.openxmlformats.org/package/2006/relationships}"

_SAVE_AS = "Open it in Word and save it as .docx."
_SIGNATURES = {
    b"%pdf": "It is a PDF.",
    b"{\\rtf": "It is a Rich Text file.",
    b"<!doctype html": "It is a web page.",
    b"<html": "It is a web page.",
    b"mime-version:": "It is a web page in a single file.",
}
"""How files begin that people rename to .docx, in lower case."""

_XML_KINDS = {
    b"http://schemas.microsoft.com/office/2006/xmlPackage": "It is a Word document as one XML file.",
    b"http://schemas.microsoft.com/office/word/2003/wordml": "It is an XML document of Word 2003.",
    b"http://www.w3.org/1999/xhtml": "It is a web page.",
}
_COMPOUND_FILE = b"\xd0\xcf\x11\xe0"
_STREAMS = {
    "EncryptedPackage": "It is encrypted with a password. Open it in Word, remove the password and save it.",
    "WordDocument": "It is an old .doc file. " + _SAVE_AS,
    "Workbook": "It is an old Excel file.",
    "PowerPoint Document": "It is an old PowerPoint file.",
}
"""What a compound file holds, by the name of a stream in it; an encrypted .docx is one too."""


@dataclass(frozen=True)
class Limits:
    """What an untrusted file may cost. Sizes in bytes."""

    file: int = 100 * 2**20
    unpacked: int = 400 * 2**20
    members: int = 20_000
    xml: int = 100 * 2**20
    """All parts that are read as XML together."""
    tags: int = 4_000_000
    """Start and end tags in them (`<w:p/>` is both), and attributes: an element costs up to 0.9 kB of memory and an attribute
    0.3 kB, however short they are, so a file at the limit costs less than 2 GB."""
    depth: int = 200
    """Elements in each other. The parser stops at 256; what is added to a document at the limit must still be readable."""


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True)
class Relationship:
    """One `Relationship` element. `target` is an absolute part name if internal, else the reference as written."""

    type: str
    target: str
    external: bool


class LazyXmlPart(XmlPart):
    """An XML part that python-docx has no class for (notes, charts, theme): parsed when it is first asked for.

    Its root carries python-docx's base class, so the editor's hooks see every change of it.
    """

    def __init__(self, partname: PackURI, content_type: str, blob: bytes, package: Package) -> None:
        Part.__init__(self, partname, content_type, blob, package)
        self._parsed: Any = None
        self.on_parse: Callable[[str, Any], None] | None = None
        """Told the part's name and root when it is parsed, before anyone can change it."""

    @classmethod
    def load(cls, partname: PackURI, content_type: str, blob: bytes, package: Package) -> LazyXmlPart:
        return cls(partname, content_type, blob, package)

    @property
    def parsed(self) -> bool:
        """Whether the part was ever asked for its element."""
        return self._parsed is not None

    @property
    def _element(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        if self._parsed is None:
            self._parsed = _parse(str(self.partname), self._blob or b"")
            if self.on_parse is not None:
                self.on_parse(str(self.partname), self._parsed)
        return self._parsed

    @property
    def blob(self) -> bytes:
        return self._blob or b"" if self._parsed is None else serialize_part_xml(self._parsed)


class _Package(Package):
    """python-docx's package, which walks its parts without recursion: a chain of parts may be as long as the file likes."""

    def iter_parts(self) -> Iterator[Part]:  # pyright: ignore[reportIncompatibleMethodOverride]
        for _, part in _walk(self):
            yield part

    def iter_rels(self) -> Iterator[Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        for source in (self, *self.iter_parts()):
            yield from source.rels.values()

    def __init__(self) -> None:
        super().__init__()
        self.taken: frozenset[str] = frozenset()
        """Names of the file's members without case, also of those that no relationship leads to: they stay what they are."""

    def next_partname(self, template: str) -> PackURI:
        names = {str(part.partname).casefold() for part in self.iter_parts()} | self.taken
        numbers = range(1, len(names) + 2)
        return PackURI(next(name for n in numbers if (name := template % n).casefold() not in names))

    @lazyproperty
    def image_parts(self) -> ImageParts:  # pyright: ignore[reportIncompatibleVariableOverride]
        return _Images(self)

    def _gather_image_parts(self) -> None:
        # python-docx looks each up in a list
        targets = [r.target_part for r in self.iter_rels() if not r.is_external and r.reltype == RT.IMAGE]
        found = {part: None for part in targets if isinstance(part, ImagePart)}
        self.image_parts._image_parts.extend(found)  # pyright: ignore[reportPrivateUsage]


class _Images(ImageParts):
    """python-docx's collection of pictures; a new one takes the name of no other part."""

    def __init__(self, package: _Package) -> None:
        super().__init__()
        self._package = package

    def _next_image_partname(self, ext: str) -> PackURI:
        return self._package.next_partname(f"/word/media/image%d.{ext}")


class DocxFile:
    """The package of an open document: python-docx's parts, and the bytes that they came from.

    `package` and `document_part` are python-docx's; `save` writes the file.
    """

    def __init__(self, data: bytes, limits: Limits = DEFAULT_LIMITS) -> None:
        self.members, self._infos = _read_members(data, limits)
        self._packed = {member: packed_as_read(data, info) for member, info in self._infos.items()}
        self._limits = limits
        self._xml = self._tags = 0
        self._by_folded_name = {unquote(m).casefold(): m for m in reversed(self.members)}
        self.strict = is_strict(self.members)
        self._count(CONTENT_TYPES, self.members[CONTENT_TYPES])
        self._types = _ContentTypes(self.members[CONTENT_TYPES])
        self.package: Package = _Package()
        self.package.taken = frozenset("/" + name.casefold() for name in self.members)
        self.parts: dict[str, Part] = {}
        """Part name ("/word/document.xml") to part, as loaded; the mirror keeps it current."""
        self._loaded_rels: dict[str, dict[str, Relationship]] = {}
        self._load()
        self.document_part: DocumentPart = self._document_part()

    # -- loading -------------------------------------------------------------------------------------------------------

    def _load(self) -> None:
        queue: deque[tuple[str, Package | Part]] = deque([("/", self.package)])
        while queue:
            name, source = queue.popleft()
            reserved: set[str] = set()
            single: dict[str, str] = {}
            for rid, rel in self._read_rels(name).items():
                if rel.external:
                    source.load_rel(rel.type, rel.target, rid, True)
                    continue
                if rel.target not in self.parts:
                    part = self._make_part(rel)
                    if (
                        part is None
                    ):  # a dangling relationship: Word ignores it, and its .rels part stays as it is
                        reserved.add(rid)
                        continue
                    self.parts[rel.target] = part
                    queue.append((rel.target, part))
                if isinstance(source, DocumentPart | Package) and rel.type in _BY_RELATIONSHIP:
                    self._check_kind(rel)
                    first = single.setdefault(rel.type, rid)
                    if rel.type in _SINGLE and first != rid:
                        if source.rels[first].target_part is not self.parts[rel.target]:
                            raise DocumentError(f"The file has two {_said(rel.type)} parts; it is damaged.")
                        reserved.add(rid)  # said twice; python-docx wants it said once
                        continue
                source.load_rel(rel.type, self.parts[rel.target], rid, False)
            self._loaded_rels[name] = relationships(source)
            # what refers to a relationship that is not there must not come to refer to a new one
            blob = self.members.get(name.lstrip("/"), b"") if isinstance(source, XmlPart) else b""
            reserved |= _used_ids(as_utf8(blob)) - set(source.rels)
            if reserved:
                setattr(source.rels, "reserved", reserved)  # noqa: B010
        for part in self.parts.values():
            part.after_unmarshal()
        self.package.after_unmarshal()

    def _check_kind(self, rel: Relationship) -> None:
        """What the document's own relationships lead to must be what they say: python-docx takes their word for it."""
        if not isinstance(self.parts[rel.target], _BY_RELATIONSHIP[rel.type]):
            raise DocumentError(
                f"The file uses the part {rel.target} as its {_said(rel.type)}, which it is not; it is damaged."
            )

    def _read_rels(self, source: str) -> dict[str, Relationship]:
        member = _rels_member(source)
        blob = self.members.get(member)
        if blob is None:
            return {}
        self._count(member, blob)
        found: dict[str, Relationship] = {}
        root = _parse(member, blob)
        if root.tag != _PR + "Relationships":
            raise DocumentError(f"The part {member} holds no relationships; the file is damaged.")
        for el in root.iter(_PR + "Relationship"):
            external = el.get("TargetMode") == "External"
            target = el.get("Target", "")
            if not external:
                target = self._part_name(posixpath.dirname(source), target)
            rel_type = transitional(el.get("Type", "")) if self.strict else el.get("Type", "")
            rid = el.get("Id", "")
            if rid in found:
                raise DocumentError(
                    f"The part {member} gives the id {rid[:40]!r} twice; the file is damaged."
                )
            found[rid] = Relationship(rel_type, target, external)
        return found

    def _part_name(self, base: str, reference: str) -> str:
        """The absolute name of the part that a reference leads to, as the package spells it: names compare without case, and a
        reference may be percent-encoded (ECMA-376 part 2, 9.1).
        """
        name = posixpath.normpath(posixpath.join(base or "/", reference.split("#")[0])).lstrip("/")
        if name not in self.members:
            folded = unquote(name).casefold()
            name = self._by_folded_name.get(folded) or self._by_folded_name.get(
                folded.replace("\\", "/"), name
            )
        return "/" + name

    def _count(self, name: str, blob: bytes) -> None:
        """Hold what will be parsed against the limits."""
        self._xml += len(blob)
        self._tags += _tags_in(blob)
        if self._xml > self._limits.xml or self._tags > self._limits.tags:
            raise DocumentTooLarge(
                f"The document is larger than Stet opens: {name.strip('/')} goes over the limit."
            )

    def _make_part(self, rel: Relationship) -> Part | None:
        take_break()
        blob = self.members.get(rel.target.lstrip("/"))
        if blob is None:
            return None
        name = PackURI(rel.target)
        content_type = self._types.of(rel.target)
        if content_type == UNKNOWN and rel.target.lower().endswith(".xml"):
            raise DocumentError(f"The file does not say what the part {rel.target} is; it is damaged.")
        if _is_xml(content_type) or rel.type in _BY_RELATIONSHIP:
            self._count(rel.target, blob)
        if self.strict and _is_xml(content_type):
            _parse(rel.target, blob)  # only of well-formed XML can names be told from text
            blob = to_transitional(blob)
        if rel.type == RT.OFFICE_DOCUMENT:
            if not blob.strip():
                raise DocumentError("The file's main part is empty; it is not a Word document.")
            return DocumentPart(name, content_type, _parse(rel.target, blob), self.package)
        return make_part(name, content_type, rel.type, blob, self.package)

    def _document_part(self) -> DocumentPart:
        found = [
            r.target_part
            for r in self.package.rels.values()
            if r.reltype == RT.OFFICE_DOCUMENT and not r.is_external
        ]
        if len(found) != 1:
            raise DocumentError(
                "The file is a zip archive, but holds no Word document."
                if not found
                else "The file names more than one main document; it is damaged."
            )
        part = found[0]
        if not isinstance(part, DocumentPart) or part.element.tag != W + "document":
            raise DocumentError(
                "The file is an Office file, but not a Word document (perhaps Excel or PowerPoint)."
            )
        if cast("Any", part.element).body is None:
            raise DocumentError("The Word document has no body; the file is damaged.")
        return part

    # -- saving --------------------------------------------------------------------------------------------------------

    def save(self, dirty: frozenset[str] | set[str], packed: Mapping[str, Packed] | None = None) -> bytes:
        """The package as a file. `dirty`: names of the parts whose content was changed; all others keep their bytes, as they were
        compressed. `packed`: content of changed parts that is compressed already, by part name.
        """
        current = dict(_walk(self.package))
        removed = {n for n in self._loaded_rels if n != "/" and n not in current}
        removed_rels = {_rels_member(n) for n in removed}
        ready = packed or {}
        out: dict[str, bytes | Packed] = {}
        for member in self.members:
            name = "/" + member
            if name in removed or member in removed_rels:
                continue
            changed = name in current and (name in dirty or current[name] is not self.parts.get(name))
            out[member] = (ready.get(name) or self._blob(current[name])) if changed else self._packed[member]
        for name, part in current.items():
            if name.lstrip("/") not in out:
                out[name.lstrip("/")] = self._blob(part)
        for name, source in [("/", self.package), *current.items()]:
            self._save_rels(name, source, out)
        # also a part that took the name of a member that nothing led to
        added = {n: p.content_type for n, p in current.items() if n not in self._loaded_rels}
        # some programs name the type of each relationships part by itself, so a new one has none
        added |= {"/" + m: CT.OPC_RELATIONSHIPS for m in out if m.endswith(".rels") and m not in self.members}
        removed |= {"/" + m for m in self.members if m.endswith(".rels") and m not in out}
        if added or removed:
            out[CONTENT_TYPES] = self._types.with_changes(added, removed)
        return self._zip(out)

    def _blob(self, part: Part) -> bytes:
        blob = part.blob
        return to_strict(blob) if self.strict and _is_xml(part.content_type) else blob

    def _save_rels(self, name: str, source: Package | Part, out: dict[str, bytes | Packed]) -> None:
        now, then = relationships(source), self._loaded_rels.get(name, {})
        if now == then:
            return
        member = _rels_member(name)
        if member in self.members:
            root = _parse(member, self.members[member])
        else:
            root = etree.fromstring(b'<Relationships xmlns="%s"/>' % _PR[1:-1].encode())
        for el in list(root):
            rid = el.get("Id", "")
            if rid in then and now.get(rid) != then[rid]:
                root.remove(el)
        for rid, rel in now.items():
            if then.get(rid) == rel:
                continue
            target = rel.target if rel.external else PackURI(rel.target).relative_ref(_base_uri(name))
            rel_type = strict(rel.type) if self.strict else rel.type
            el = etree.SubElement(root, _PR + "Relationship", Id=rid, Type=rel_type, Target=target)
            if rel.external:
                el.set("TargetMode", "External")
        if len(root):
            out[member] = etree.tostring(root, encoding="UTF-8", standalone=True, xml_declaration=True)
        else:
            out.pop(member, None)

    def _zip(self, out: Mapping[str, bytes | Packed]) -> bytes:
        infos = {member: self._infos.get(member) or zipfile.ZipInfo(member) for member in out}
        return write_archive(
            (infos[member], content if isinstance(content, Packed) else pack(content, self._method(member)))
            for member, content in with_breaks(out.items(), 1)
        )

    def _method(self, member: str) -> int:
        stored = member in self._infos and self._infos[member].compress_type == zipfile.ZIP_STORED
        return zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED


_STRETCH = 2**20
"""Bytes that are looked through at once: all the while, no other thread can do anything."""


def _stretches(blob: bytes) -> Iterator[int]:
    """Where each begins, with a break before it."""
    for start in range(0, len(blob), _STRETCH):
        take_break()
        yield start


def _tags_in(blob: bytes) -> int:
    found = 0
    for start in _stretches(blob):
        end = start + _STRETCH
        # an end tag may begin with the last byte of the stretch
        found += 2 * (blob.count(b"<", start, end) - blob.count(b"</", start, end + 1))
        found += blob.count(b"=", start, end)
    return found


_ROOTS: dict[type[XmlPart], str] = {
    CorePropertiesPart: "{http://schemas.openxmlformats.org/package/2006/metadata/core-properties}coreProperties",
    CommentsPart: W + "comments",
    DocumentPart: W + "document",
    FooterPart: W + "ftr",
    HeaderPart: W + "hdr",
    NumberingPart: W + "numbering",
    SettingsPart: W + "settings",
    StylesPart: W + "styles",
}
"""The root element that each of python-docx's parts works with."""

_BY_RELATIONSHIP: dict[str, type[XmlPart]] = {
    RT.CORE_PROPERTIES: CorePropertiesPart,
    RT.COMMENTS: CommentsPart,
    RT.FOOTER: FooterPart,
    RT.HEADER: HeaderPart,
    RT.NUMBERING: NumberingPart,
    RT.SETTINGS: SettingsPart,
    RT.STYLES: StylesPart,
}
"""What the document's relationships of some types lead to, also where the content type is only "XML" or is missing."""

_SINGLE = set(_BY_RELATIONSHIP) - {RT.FOOTER, RT.HEADER}


def make_part(name: PackURI, content_type: str, rel_type: str, blob: bytes, package: Package) -> Part:
    """The part object for some bytes, of the class that its content type asks for."""
    if rel_type == RT.IMAGE:
        return ImagePart.load(name, content_type, blob, package)
    known = PartFactory.part_type_for.get(content_type)
    if known is None and content_type in _GENERIC:
        known = _BY_RELATIONSHIP.get(rel_type)
    if known is None and _is_xml(content_type):
        return LazyXmlPart(name, content_type, blob, package)
    if known is None or not issubclass(known, XmlPart):
        return Part(name, content_type, blob, package)
    root = _parse(str(name), blob)
    if root.tag != _ROOTS.get(known, root.tag):
        raise DocumentError(f"The part {name} is not what the file says it is; the file is damaged.")
    return known(name, content_type, root, package)


_GENERIC = {"application/xml", "text/xml", UNKNOWN}


def _said(rel_type: str) -> str:
    return rel_type.rpartition("/")[2].replace("-", " ")


def relationships(source: Package | Part) -> dict[str, Relationship]:
    """The relationships of a package or part as plain data, by id."""
    return {rid: _plain(r) for rid, r in source.rels.items()}


def relationship(source: Package | Part, rid: str) -> Relationship | None:
    """One relationship as plain data; None if there is none with that id."""
    found = source.rels.get(rid)
    return _plain(found) if found is not None else None


def _plain(rel: Any) -> Relationship:
    target = rel.target_ref if rel.is_external else str(rel.target_part.partname)
    return Relationship(rel.reltype, target, rel.is_external)


def _walk(package: Package) -> Iterator[tuple[str, Part]]:
    """Every part that a relationship reaches, once, without recursion."""
    seen: set[str] = set()
    queue: deque[Package | Part] = deque([package])
    while queue:
        for rel in queue.popleft().rels.values():
            if rel.is_external or str(rel.target_part.partname) in seen:
                continue
            seen.add(str(rel.target_part.partname))
            yield str(rel.target_part.partname), rel.target_part
            queue.append(rel.target_part)


reachable_parts = _walk


_USED_ID = re.compile(rb"(rId[0-9]+)[\"']")
"""Begins with letters, which are searched for ten times as fast as a quotation mark."""


def _used_ids(blob: bytes) -> set[str]:
    """Ids of relationships that a part's XML names, as the values of attributes."""
    found: set[str] = set()
    for start in _stretches(blob):
        for match in _USED_ID.finditer(blob, start, start + _STRETCH + _LONGEST_ID):
            if blob[match.start() - 1 : match.start()] in (b'"', b"'"):
                found.add(match[1].decode())
    return found


_LONGEST_ID = 256


class _ContentTypes:
    """`[Content_Types].xml`: a default by extension, an override by part name; names compare without case."""

    def __init__(self, blob: bytes) -> None:
        self._blob = blob
        root = _parse(CONTENT_TYPES, blob)
        if root.tag != _CT + "Types":
            raise DocumentError(f"The part {CONTENT_TYPES} holds no content types; the file is damaged.")
        self._defaults = {
            e.get("Extension", "").lower(): e.get("ContentType", "") for e in root.iter(_CT + "Default")
        }
        self._overrides = {
            e.get("PartName", "").lower(): e.get("ContentType", "") for e in root.iter(_CT + "Override")
        }

    def of(self, name: str) -> str:
        """Content type of a part; unknown ones are opaque bytes."""
        extension = posixpath.splitext(name)[1].lstrip(".").lower()
        return self._overrides.get(name.lower()) or self._defaults.get(extension) or UNKNOWN

    def with_changes(self, added: dict[str, str], removed: set[str]) -> bytes:
        """The part's bytes with new parts entered and removed ones taken out; the same bytes if nothing changed."""
        missing = {n: t for n, t in added.items() if self.of(n) != t}
        gone = {n.lower() for n in removed} & set(self._overrides)
        if not missing and not gone:
            return self._blob
        root = _parse(CONTENT_TYPES, self._blob)
        for el in list(root.iter(_CT + "Override")):
            if el.get("PartName", "").lower() in gone:
                root.remove(el)
        for name, content_type in missing.items():
            etree.SubElement(root, _CT + "Override", PartName=name, ContentType=content_type)
        return etree.tostring(root, encoding="UTF-8", standalone=True, xml_declaration=True)


def _read_members(data: bytes, limits: Limits) -> tuple[dict[str, bytes], dict[str, zipfile.ZipInfo]]:
    if len(data) > limits.file:
        raise DocumentTooLarge(
            f"The file has {len(data) / 2**20:.0f} MB; Stet opens files of up to {limits.file / 2**20:.0f} MB."
        )
    if not data:
        raise DocumentError("The file is empty.")
    kind = _other_kind(data)
    if kind is not None:
        raise DocumentError("This is not a .docx file. " + kind)
    # before the directory is read, which costs half a kilobyte an entry
    if (entries := data.count(b"PK\x01\x02")) > limits.members:
        raise DocumentTooLarge(f"The file holds {entries} parts; the limit is {limits.members}.")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except Exception as error:  # struct, OS and Unicode errors of many kinds come out of broken directories
        raise DocumentError("This is not a .docx file: it is not a zip archive, or is cut short.") from error
    if sum(i.compress_size for i in archive.infolist()) > len(data):
        # without this, a long stream that unpacks to nothing costs its length again for each entry
        raise DocumentError("The parts of the file lie over each other in the archive; it may be a zip bomb.")
    members: dict[str, bytes] = {}
    infos: dict[str, zipfile.ZipInfo] = {}
    names: set[str] = set()
    left = limits.unpacked
    for info in archive.infolist():
        name = _name(info)
        if name.endswith("/"):
            continue  # a folder, which is no part; Word does not like to see it and it is not written again
        if _UNSAFE.search(name):
            raise DocumentError(
                f"The file holds a part named {name[:80]!r}, which leads out of the archive; "
                "it is no sound document."
            )
        if name.casefold() in names:
            raise DocumentError(f"The file holds two parts with the name {name[:80]}; it is damaged.")
        names.add(name.casefold())
        if info.flag_bits & 0x1:
            raise DocumentError("The file's parts are encrypted. Remove the password in Word and try again.")
        members[name] = _read_member(archive, info, left)
        left -= len(members[name])
        info.filename, infos[name] = name, info
    _respell(members, infos)
    kind = _other_archive(members)
    if kind is not None:
        raise DocumentError("This is not a .docx file. " + kind)
    if CONTENT_TYPES not in members:
        raise DocumentError("The file is a zip archive, but not an Office file.")
    if "_rels/.rels" not in members:
        raise DocumentError("The file is an Office file without relationships; it is damaged.")
    return members, infos


def _name(info: zipfile.ZipInfo) -> str:
    """The name of a member. Some programs on Windows write backslashes, and Word reads them as what they mean."""
    return info.filename.replace("\\", "/")


def _respell(members: dict[str, bytes], infos: dict[str, zipfile.ZipInfo]) -> None:
    """Names compare without case: give the members that are looked up by a name that we make the spelling of that name."""
    folded = {name.casefold(): name for name in members}
    for spelled in (CONTENT_TYPES, "_rels/.rels", *(_rels_member("/" + name) for name in list(members))):
        found = folded.get(spelled.casefold(), spelled)
        if found != spelled:
            members[spelled], infos[spelled] = members.pop(found), infos.pop(found)
            infos[spelled].filename = spelled


def _other_kind(data: bytes) -> str | None:
    """What a file is that is no zip archive, if it can be told."""
    if data.startswith(_COMPOUND_FILE):
        for stream, sentence in _STREAMS.items():
            if stream.encode("utf-16-le") in data:
                return sentence
        return "It is an old .doc file or is encrypted with a password. " + _SAVE_AS
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    for signature, sentence in _SIGNATURES.items():
        if start[: len(signature)].lower() == signature:
            return f"{sentence} {_SAVE_AS}"
    if start.startswith(b"<"):
        for namespace, sentence in _XML_KINDS.items():
            if namespace in start:
                return f"{sentence} {_SAVE_AS}"
    return None


def _other_archive(members: dict[str, bytes]) -> str | None:
    """What a zip archive is that is no Office file, if it can be told."""
    if members.get("mimetype", b"").startswith(b"application/vnd.oasis.opendocument"):
        return "It is an OpenDocument file. Open it in Word or LibreOffice and save it as .docx."
    if "Index/Document.iwa" in members or "Index.zip" in members:
        return "It is a Pages document. Export it from Pages as Word."
    inner = [name for name in members if name.lower().endswith(".docx")]
    if inner and CONTENT_TYPES not in members:
        return f"It is a zip archive with {inner[0][:80]} in it. Unpack it first."
    return None


_UNSAFE = re.compile(r"^/|^[A-Za-z]:|(?:^|/)\.\.(?:/|$)|[\x00-\x1f]")


def _read_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, left: int) -> bytes:
    take_break()
    if info.compress_type not in (
        zipfile.ZIP_STORED,
        zipfile.ZIP_DEFLATED,
    ):  # the two that the standard knows
        raise DocumentError(f"The part {_name(info)[:80]} is packed in a way that Word does not know.")
    try:
        with archive.open(info) as stream:
            # the declared size is the file's own word, so what comes out is counted
            blob = stream.read(left + 1)
    except Exception as error:
        raise DocumentError(
            f"The part {_name(info)[:80]} cannot be unpacked; the file is damaged."
        ) from error
    if len(blob) > left:
        raise DocumentTooLarge("The file unpacks to more than Stet opens; it may be a zip bomb.")
    return blob


def _parse(name: str, blob: bytes) -> Any:
    _refuse_doctype(name, blob)
    try:
        root = parse_xml(blob)
    except (etree.XMLSyntaxError, LookupError, ValueError) as error:
        raise _damaged(name, error) from error
    _refuse_entities(name, root)
    if _TOO_DEEP(root):
        raise _nested(name)
    if root.tag.startswith(W) and _STRAY(root):
        raise DocumentError(f"The part {name} has text outside of its paragraphs; the file is damaged.")
    return root


_TOO_DEEP = etree.XPath(f"boolean({'/*' * (DEFAULT_LIMITS.depth + 1)})")
"""Costs half of parsing; counting in Python would cost many times as much."""
_STRAY = etree.XPath(
    "boolean(/*/text()[normalize-space()] | /*/w:body/text()[normalize-space()])", namespaces={"w": W[1:-1]}
)
"""Word refuses such a file too; between blocks, text would belong to none."""


def _refuse_doctype(name: str, blob: bytes) -> None:
    """Word refuses a part with a document type declaration; it is also where entity attacks start, so it is looked for before
    the parser sees it. The standard allows UTF-8 and UTF-16 (ECMA-376 part 2, 9.1.1).
    """
    head = blob[:4]
    if head[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\x00" in head:
        little = head[:2] == b"\xff\xfe" or head[1:2] == b"\x00"
        blob = blob.decode("utf-16-le" if little else "utf-16-be", "ignore").encode()
    elif _ENCODING.match(blob):
        raise DocumentError(f"The part {name} is neither in UTF-8 nor in UTF-16; it is damaged.")
    prolog = _PROLOG.match(blob)
    assert prolog is not None  # it matches the empty string
    if blob[prolog.end() : prolog.end() + 9].upper() == b"<!DOCTYPE":
        raise _declares(name)


_PROLOG = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s+|\xef\xbb\xbf|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)
_ENCODING = re.compile(
    rb"\s*+(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding\s*=\s*[\"'](?!utf-?8[\"']|utf-?16(?:le|be)?[\"']|us-ascii|ascii|iso-8859-1|windows-1252)",
    re.IGNORECASE,
)


def _refuse_entities(name: str, root: Any) -> None:
    """The same once it is parsed, in whatever encoding it came."""
    if root.getroottree().docinfo.internalDTD is not None:
        raise _declares(name)


def _declares(name: str) -> DocumentError:
    return DocumentError(f"The part {name} declares XML entities; neither Word nor Stet opens that.")


def _nested(name: str) -> DocumentError:
    return DocumentTooLarge(
        f"The part {name} has more than {DEFAULT_LIMITS.depth} elements in each other; that is deeper than Stet reads."
    )


def _damaged(name: str, error: Exception) -> DocumentError:
    if "xcessive depth" in str(error):
        return _nested(name)
    if "XML_PARSE_HUGE" in str(error):
        return DocumentTooLarge(
            f"The part {name} has a text or a value of more than 10 MB, which is more than Stet opens."
        )
    says = str(getattr(error, "msg", None) or error).strip().rstrip(".")
    return DocumentError(f"The part {name} is damaged: {says}.")


def _is_xml(content_type: str) -> bool:
    return content_type.endswith(("+xml", "/xml"))


def _rels_member(source: str) -> str:
    head, tail = posixpath.split(source)
    return posixpath.join(head, "_rels", tail + ".rels").lstrip("/")


def _base_uri(source: str) -> str:
    return PACKAGE_URI.baseURI if source == "/" else PackURI(source).baseURI
