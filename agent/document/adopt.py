"""Blocks of another reading of the same document, made blocks of the mirror: with the mirror's own relationship
ids, list numbers and notes. What they stand on and the mirror lacks comes along.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.opc.packuri import PackURI
from docx.opc.part import Part, XmlPart
from docx.oxml.parser import parse_xml
from docx.parts.image import ImagePart
from lxml import etree

from agent.document.mirror import Mirror
from agent.document.names import REVISIONS, W_VAL, R, W, whole_number
from agent.document.package import make_part

_STYLE_USES = (W + "pStyle", W + "rStyle", W + "tblStyle")
_STYLE_LINKS = (W + "basedOn", W + "link", W + "next")
NOTES = (
    (RT.FOOTNOTES, W + "footnoteReference", W + "footnote"),
    (RT.ENDNOTES, W + "endnoteReference", W + "endnote"),
    (RT.COMMENTS, W + "commentReference", W + "comment"),
)
_SAVE_MARKS = re.compile(
    rb' w:(rsid\w*)="[0-9A-F]*"|<w:(nsid|tmpl) w:val="[0-9A-F]*"/>| w:abstractNumId="\d+"'
)
"""What Word writes anew each time into a list's definition."""


def part_digest(part: Part) -> str:
    """What a part holds, whatever its name and, if it is XML (a chart), however that is written down."""
    blob = part.blob
    if isinstance(part, XmlPart):
        blob = etree.tostring(part.element, method="c14n", exclusive=True)
    return hashlib.sha256(blob).hexdigest()


def list_digests(mirror: Mirror) -> dict[str, str]:
    """List number id to a digest of the list's definition."""
    root = companion(mirror, RT.NUMBERING)
    if root is None:
        return {}
    abstracts = {e.get(W + "abstractNumId"): e for e in root.iterchildren(W + "abstractNum")}
    found: dict[str, str] = {}
    for num in root.iterchildren(W + "num"):
        link = num.find(W + "abstractNumId")
        abstract = abstracts.get(link.get(W_VAL)) if link is not None else None
        if abstract is not None:
            overrides = b"".join(plain(e) for e in num.iterchildren(W + "lvlOverride"))
            found[num.get(W + "numId")] = hashlib.sha256(plain(abstract) + overrides).hexdigest()
    return found


def plain(element: Any) -> bytes:
    """A list's definition without what is written anew at each save."""
    return _SAVE_MARKS.sub(b"", etree.tostring(element, method="c14n", exclusive=True, with_tail=False))


def companion(mirror: Mirror, reltype: str) -> Any:
    """The root of the part that the document has of a kind, or None."""
    for rel in mirror.file.document_part.rels.values():
        if rel.reltype == reltype and not rel.is_external:
            return getattr(rel.target_part, "element", None)
    return None


def next_number(used: set[str]) -> str:
    """A number above all that are in use, which it then is itself."""
    number = str(max([0, *(int(n) for n in used if n.isdigit() and len(n) < 10)]) + 1)
    used.add(number)
    return number


def bookmark_ids(mirror: Mirror, newer: Mirror) -> dict[str, dict[str, str]]:
    """Numbers of bookmarks, which are known by their names, as the mirror has them; by part, since some programs number each
    part by itself.
    """
    own: dict[str, str] = {}
    used: set[str] = set()
    for story in mirror.stories():
        for e in story.container.iter(W + "bookmarkStart", W + "comment", *REVISIONS):
            used.add(e.get(W + "id", ""))
            if e.tag == W + "bookmarkStart":
                own[e.get(W + "name", "")] = e.get(W + "id", "")
    found: dict[str, dict[str, str]] = {}
    for story in newer.stories():
        ids = found.setdefault(story.part, {})
        for start in story.container.iter(W + "bookmarkStart") if "#" not in story.key else ():
            value: str = start.get(W + "id", "")
            if start.get(W + "name", "") in own:
                ids[value] = own.pop(start.get(W + "name", ""))
            elif value in used:
                ids[value] = next_number(used)
            used.add(ids.get(value, value))
    return found


class Adoption:
    """Says blocks of `live` in the terms of `mirror`; within a transaction of the mirror."""

    def __init__(self, mirror: Mirror, live: Mirror) -> None:
        self._mirror = mirror
        self._live = live
        self._live_lists = list_digests(live)
        self._digests = list_digests(mirror)
        self._bookmarks = bookmark_ids(mirror, live).get(str(live.file.document_part.partname), {})
        self._lists = {digest: number for number, digest in self._digests.items()}

    def fit(self, element: Any) -> None:
        """Rewrite a block of the reading, once, so that it can be compared with the mirror's and taken into it."""
        self._relationships(element)
        self._styles(element)
        self._numbers(element)
        self._notes(element)
        for mark in element.iter(W + "bookmarkStart", W + "bookmarkEnd"):
            value = mark.get(W + "id", "")
            mark.set(W + "id", self._bookmarks.get(value, value))

    def _relationships(self, new: Any) -> None:
        for element in new.iter(etree.Element):
            for name, rid in list(element.attrib.items()):
                if name.startswith(R) and rid in self._live.file.document_part.rels:
                    element.set(name, self._relate(rid))

    def _relate(self, rid: str) -> str:
        rel = self._live.file.document_part.rels[rid]
        ours = self._mirror.file.document_part
        if rel.is_external:
            return ours.relate_to(rel.target_ref, rel.reltype, is_external=True)
        return ours.relate_to(self._part(rel.target_part, rel.reltype), rel.reltype)

    def _part(self, part: Part, reltype: str) -> Part:
        """The mirror's part with the same content, of several the one of that name (the headers of two sections may say the
        same and are two); or a copy of this one with all it leads to.
        """
        file = self._mirror.file
        digest, name = part_digest(part), str(part.partname)
        for ours in sorted(file.parts.values(), key=lambda p: str(p.partname) != name):
            if ours.content_type == part.content_type and part_digest(ours) == digest:
                return ours
        made = make_part(
            PackURI(free_name(file.parts, name)),
            part.content_type,
            reltype,
            part.blob,
            file.package,
        )
        if isinstance(made, ImagePart):
            file.package.image_parts.append(made)
        for rid, rel in part.rels.items():
            target = rel.target_ref if rel.is_external else self._part(rel.target_part, rel.reltype)
            made.load_rel(rel.reltype, target, rid, rel.is_external)
        return made

    def _styles(self, new: Any) -> None:
        ours, theirs = companion(self._mirror, RT.STYLES), companion(self._live, RT.STYLES)
        if ours is None or theirs is None:
            return
        known = {style.get(W + "styleId") for style in ours.iterchildren(W + "style")}
        source = {style.get(W + "styleId"): style for style in theirs.iterchildren(W + "style")}
        wanted = [e.get(W_VAL) for e in new.iter(*_STYLE_USES)]
        while wanted:
            style = wanted.pop()
            if style in known or style not in source:
                continue
            known.add(style)
            made = parse_xml(etree.tostring(source[style], with_tail=False))
            self._numbers(made)
            ours.append(made)
            wanted += [e.get(W_VAL) for e in made.iter(*_STYLE_LINKS)]

    def _numbers(self, new: Any) -> None:
        for use in new.iter(W + "numId"):
            digest = self._live_lists.get(use.get(W_VAL, ""))
            if digest is not None and self._digests.get(use.get(W_VAL, "")) != digest:
                if digest not in self._lists:
                    self._lists[digest] = self._list(use.get(W_VAL))
                use.set(W_VAL, self._lists[digest])

    def _list(self, number: str) -> str:
        """Copy a list's definition; returns its number in the mirror."""
        ours = self._mirror.file.document_part.numbering_part.element
        theirs = companion(self._live, RT.NUMBERING)
        num = next(e for e in theirs.iterchildren(W + "num") if e.get(W + "numId") == number)
        abstract_id = num.find(W + "abstractNumId").get(W_VAL)
        abstract = next(
            e for e in theirs.iterchildren(W + "abstractNum") if e.get(W + "abstractNumId") == abstract_id
        )
        new_abstract = parse_xml(etree.tostring(abstract, with_tail=False))
        new_num = parse_xml(etree.tostring(num, with_tail=False))
        new_id = _next(ours, "abstractNum", "abstractNumId", 0)
        new_number = _next(ours, "num", "numId", 1)
        new_abstract.set(W + "abstractNumId", new_id)
        new_num.set(W + "numId", new_number)
        for link in new_num.iterchildren(W + "abstractNumId"):
            link.set(W_VAL, new_id)
        first = ours.find(W + "num")
        if first is not None:
            first.addprevious(new_abstract)
        else:
            ours.append(new_abstract)
        ours.append(new_num)
        return new_number

    def _notes(self, new: Any) -> None:
        """Notes and comments that the mirror does not have yet. Word keeps the numbers of those that it has."""
        for reltype, reference, entry in NOTES:
            ids = {e.get(W + "id") for e in new.iter(reference)}
            theirs = companion(self._live, reltype) if ids else None
            if theirs is None:
                continue
            ours = companion(self._mirror, reltype)
            if ours is None:
                rels = self._live.file.document_part.rels.values()
                part = next(rel.target_part for rel in rels if rel.reltype == reltype)
                self._mirror.file.document_part.relate_to(self._part(part, reltype), reltype)
                continue
            known = {e.get(W + "id") for e in ours.iterchildren(entry)}
            for note in theirs.iterchildren(entry):
                if note.get(W + "id") in ids - known:
                    ours.append(parse_xml(etree.tostring(note, with_tail=False)))


def _next(root: Any, tag: str, key: str, least: int) -> str:
    used = [whole_number(e.get(W + key, "0")) for e in root.iterchildren(W + tag)]
    return str(max([least - 1, *used]) + 1)


def free_name(parts: Mapping[str, Part], name: str) -> str:
    """A name for a part that is not taken yet."""
    if name not in parts:
        return name
    stem, dot, extension = name.rpartition(".")
    number = 1
    while f"{stem}_{number}{dot}{extension}" in parts:
        number += 1
    return f"{stem}_{number}{dot}{extension}"
