"""Blocks of an open document as a Flat OPC package: what Word's `insertOoxml` takes.

A package holds the blocks and what they stand on, and no more: the styles in use with their chains, the
numbering in use, the notes and comments that are referred to, and each part that a relationship reaches
(pictures, charts with their workbooks, headers of a section break, targets of links). Word ignores theme,
settings and font table in such a package, and a `w:pStyle` whose definition is not in it, even if the live
document has the style; where it has, the live definition wins. Source: "Create better add-ins for Word with
Office Open XML", Office Add-ins documentation; format: `http://schemas.microsoft.com/office/2006/xmlPackage`.
"""

from __future__ import annotations

import base64
import posixpath
import textwrap
from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Any, cast

from docx.opc.constants import CONTENT_TYPE as CT
from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.opc.part import Part, XmlPart
from docx.oxml.ns import qn
from docx.parts.document import DocumentPart
from lxml import etree

from agent.document.relations import references

_PKG = "http://schemas.microsoft.com/office/2006/xmlPackage"
_REL = "http://schemas.openxmlformats.org/package/2006/relationships"
_RELS_TYPE = "application/vnd.openxmlformats-package.relationships+xml"

_STYLE_LINKS = ("w:basedOn", "w:link", "w:next")
_STYLE_USES = ("w:pStyle", "w:rStyle", "w:tblStyle", "w:numStyleLink", "w:styleLink")
_NOTES = (
    # relationship type, the element that refers to an entry, the entry
    (RT.FOOTNOTES, "w:footnoteReference", "w:footnote"),
    (RT.ENDNOTES, "w:endnoteReference", "w:endnote"),
    (RT.COMMENTS, "w:commentReference", "w:comment"),
)


def flat_opc(part: DocumentPart, blocks: Sequence[Any], *, sacrificial: bool = False) -> str:
    """A package of `blocks` (`w:p`, `w:tbl`, `w:sdt` of any story of the document `part`), in their order.

    The blocks may be detached, and are not touched; their relationship ids are looked up in `part`.
    `sacrificial` ends the package with an empty paragraph: Word takes the style of the last inserted
    paragraph from the place it goes to (office-js issues 2914, 3222), so the last one must be one that nobody
    misses.
    """
    package = _FlatPackage(part)
    package.add_main(blocks, sacrificial)
    return package.text()


class _FlatPackage:
    """A package in the making: parts by name, and the relationships of each."""

    def __init__(self, source: DocumentPart) -> None:
        self.source = source
        self.main = str(source.partname)
        self._parts: dict[str, tuple[str, Any]] = {}
        """Name to content type and content: an element, or bytes."""
        self._rels: dict[str, dict[str, tuple[str, str, bool]]] = {}
        """Name of the source to rId to type, target and whether it is external."""

    def add_main(self, blocks: Sequence[Any], sacrificial: bool) -> None:
        """The main part with the blocks, and then everything that they stand on."""
        root = _empty_copy(self.source.element)
        body = etree.SubElement(root, qn("w:body"))
        body.extend(_copy(block) for block in blocks)
        if sacrificial:
            etree.SubElement(body, qn("w:p"))
        self._rels["/"] = {"rId1": (RT.OFFICE_DOCUMENT, self.main.lstrip("/"), False)}
        self._parts[self.main] = (CT.WML_DOCUMENT_MAIN, root)
        self._rels[self.main] = {}
        self._add_referenced(self.source, root)
        self._add_notes(root)
        self._add_styles_and_numbering()

    def _add_referenced(self, part: Part, element: Any) -> None:
        """The relationships that `element`, which stands in `part`, names by id, and the parts behind
        them.
        """
        for rid in references(element):
            if rid in part.rels:
                self._add_relationship(part, rid)

    def _add_relationship(self, part: Part, rid: str) -> None:
        rel = part.rels[rid]
        rels = self._rels.setdefault(str(part.partname), {})
        if rel.is_external:
            rels[rid] = (rel.reltype, rel.target_ref, True)
            return
        target = rel.target_part
        rels[rid] = (rel.reltype, _relative(str(part.partname), str(target.partname)), False)
        self._add_whole(target)

    def _add_whole(self, part: Part) -> None:
        """A part with all its relationships (a chart with its workbook, a header with its pictures)."""
        name = str(part.partname)
        if name in self._parts:
            return
        self._parts[name] = (part.content_type, _content(part))
        for rid in part.rels:
            self._add_relationship(part, rid)

    def _add_notes(self, root: Any) -> None:
        """Footnotes, endnotes and comments that the blocks refer to; a reference without its note crashes
        Word (office-js issue 106). Separators have a `w:type` and come along.
        """
        for reltype, reference, entry in _NOTES:
            ids = {element.get(qn("w:id")) for element in root.iter(qn(reference))}
            part = _related(self.source, reltype)
            if not ids or part is None:
                continue
            reduced = _reduced(
                _element(part),
                lambda e, ids=ids, entry=entry: _is(e, entry, ids) or e.get(qn("w:type")) is not None,
            )
            self._add_companion(reltype, part, reduced)
            self._add_referenced(part, reduced)

    def _add_styles_and_numbering(self) -> None:
        """Each may need more of the other, so both grow until nothing is added."""
        styles = _entries(_related(self.source, RT.STYLES), "w:style")
        numbering = _related(self.source, RT.NUMBERING)
        nums = _entries(numbering, "w:num")
        abstracts = _entries(numbering, "w:abstractNum")
        used_styles = {
            key for key, style in styles.items() if style.get(qn("w:default")) in ("1", "true", "on")
        }
        used_nums: set[str] = set()
        used_abstracts: set[str] = set()
        fresh: list[Any] = [content for _, content in self._parts.values() if not isinstance(content, bytes)]
        fresh += [styles[key] for key in used_styles]
        while fresh:
            new_styles = {
                v for e in fresh for v in _values(e, *_STYLE_USES, *_STYLE_LINKS)
            } & styles.keys() - used_styles
            new_nums = {v for e in fresh for v in _values(e, "w:numId")} & nums.keys() - used_nums
            new_abstracts = {v for key in new_nums for v in _values(nums[key], "w:abstractNumId")}
            new_abstracts = new_abstracts & abstracts.keys() - used_abstracts
            used_styles |= new_styles
            used_nums |= new_nums
            used_abstracts |= new_abstracts
            fresh = (
                [styles[k] for k in new_styles]
                + [nums[k] for k in new_nums]
                + [abstracts[k] for k in new_abstracts]
            )
        self._add_styles(used_styles)
        if numbering is not None and used_nums:
            pictures = {v for key in used_abstracts for v in _values(abstracts[key], "w:lvlPicBulletId")}
            kept = {"w:numPicBullet": pictures, "w:abstractNum": used_abstracts, "w:num": used_nums}
            reduced = _reduced(
                _element(numbering), lambda e: any(_is(e, tag, ids) for tag, ids in kept.items())
            )
            self._add_companion(RT.NUMBERING, numbering, reduced)
            self._add_referenced(numbering, reduced)

    def _add_styles(self, used: set[str]) -> None:
        part = _related(self.source, RT.STYLES)
        if part is not None:
            reduced = _reduced(
                _element(part), lambda e: e.tag == qn("w:docDefaults") or _is(e, "w:style", used)
            )
            self._add_companion(RT.STYLES, part, reduced)

    def _add_companion(self, reltype: str, part: Part, element: Any) -> None:
        """A part that the main part has by its kind, not by an id in the text."""
        rid = next(key for key, rel in self.source.rels.items() if rel.reltype == reltype)
        name = str(part.partname)
        self._rels[self.main][rid] = (reltype, _relative(self.main, name), False)
        self._parts[name] = (part.content_type, element)

    def text(self) -> str:
        """The package as XML text."""
        root = etree.Element(f"{{{_PKG}}}package", nsmap={"pkg": _PKG})
        for name, rels in self._rels.items():
            if rels:
                _append_part(root, _rels_name(name), _RELS_TYPE, _rels_element(rels))
        for name, (content_type, content) in self._parts.items():
            _append_part(root, name, content_type, content)
        text = etree.tostring(root, encoding="unicode")
        return f'<?xml version="1.0" standalone="yes"?><?mso-application progid="Word.Document"?>{text}'


def _append_part(root: Any, name: str, content_type: str, content: Any) -> None:
    part = etree.SubElement(root, f"{{{_PKG}}}part")
    part.set(f"{{{_PKG}}}name", name)
    part.set(f"{{{_PKG}}}contentType", content_type)
    if isinstance(content, bytes):
        part.set(f"{{{_PKG}}}compression", "store")
        data = etree.SubElement(part, f"{{{_PKG}}}binaryData")
        data.text = "\n".join(textwrap.wrap(base64.b64encode(content).decode(), 76))
    else:
        etree.SubElement(part, f"{{{_PKG}}}xmlData").append(content)


def _rels_element(rels: dict[str, tuple[str, str, bool]]) -> Any:
    root = etree.Element(f"{{{_REL}}}Relationships", nsmap=cast("Any", {None: _REL}))
    for rid, (reltype, target, external) in rels.items():
        rel = etree.SubElement(root, f"{{{_REL}}}Relationship", Id=rid, Type=reltype, Target=target)
        if external:
            rel.set("TargetMode", "External")
    return root


def _element(part: Part) -> Any:
    """The root of an XML part, not to be changed."""
    return part.element if isinstance(part, XmlPart) else etree.fromstring(part.blob)


def _content(part: Part) -> Any:
    """A copy of the root of an XML part, or the bytes of another."""
    if isinstance(part, XmlPart):
        return _copy(part.element)
    is_xml = part.content_type.endswith(("+xml", "/xml"))
    return etree.fromstring(part.blob) if is_xml else part.blob


def _copy(element: Any) -> Any:
    copy = deepcopy(element)
    copy.tail = None
    return copy


def _empty_copy(element: Any) -> Any:
    """The element without its content. Its declarations and `mc:Ignorable` stay: an attribute of an extension
    that is not declared ignorable makes the package one that Word refuses.
    """
    return etree.Element(element.tag, attrib=dict(element.attrib.items()), nsmap=element.nsmap)


def _reduced(root: Any, keep: Any) -> Any:
    """A copy of `root` with those of its children that `keep` says yes to."""
    reduced = _empty_copy(root)
    reduced.extend(_copy(child) for child in root if isinstance(child.tag, str) and keep(child))
    return reduced


_KEYS = {"w:style": "w:styleId", "w:num": "w:numId", "w:abstractNum": "w:abstractNumId",
         "w:numPicBullet": "w:numPicBulletId"}  # fmt: skip


def _is(element: Any, tag: str, ids: set[str]) -> bool:
    """Whether the element is an entry of that kind with one of those ids."""
    return element.tag == qn(tag) and element.get(qn(_KEYS.get(tag, "w:id"))) in ids


def _related(part: Part, reltype: str) -> Part | None:
    """The part that `part` has of a kind, if it has one (python-docx's own properties would make one)."""
    for rel in part.rels.values():
        if rel.reltype == reltype and not rel.is_external:
            return rel.target_part
    return None


def _entries(part: Part | None, tag: str) -> dict[str, Any]:
    """The entries of a kind in a part that may be missing, by their id."""
    if part is None:
        return {}
    return {str(e.get(qn(_KEYS[tag]))): e for e in _element(part).iterchildren(qn(tag))}


def _values(element: Any, *tags: str) -> Iterable[str]:
    return (str(found.get(qn("w:val"))) for found in element.iter(*(qn(tag) for tag in tags)))


def _relative(source: str, target: str) -> str:
    return posixpath.relpath(target, posixpath.dirname(source))


def _rels_name(source: str) -> str:
    folder, name = posixpath.split(source)
    return posixpath.join(folder, "_rels", f"{name}.rels")
