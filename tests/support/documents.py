"""What tests of documents share: the package in canonical form, and what differs between two."""

from __future__ import annotations

import hashlib
import io
import zipfile
from functools import lru_cache
from typing import Any

from docx.opc.part import XmlPart
from lxml import etree

from agent.document.form import form
from agent.document.mirror import Mirror
from agent.document.names import W
from agent.document.package import relationships


def members(data: bytes) -> dict[str, bytes]:
    """Every member of a package, as bytes."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def canonical(mirror: Mirror) -> dict[str, bytes]:
    """Every member of the saved package, XML in canonical form; relationships and content types in any order."""
    return {name: _canonical(name, blob) for name, blob in members(mirror.save()).items()}


@lru_cache(maxsize=2048)
def _canonical(name: str, blob: bytes) -> bytes:
    if not name.lower().endswith((".xml", ".rels")):
        return blob
    try:
        root = etree.fromstring(blob, etree.XMLParser(remove_blank_text=True, resolve_entities=False))
    except etree.XMLSyntaxError:
        return blob
    if name.lower().endswith(".rels") or name.lower() == "[content_types].xml":
        root[:] = sorted(root, key=lambda e: sorted(e.items()))
    return hashlib.sha256(repr(_tree(root)).encode()).digest()


def _tree(element: Any) -> Any:
    """Expanded names instead of prefixes: lxml renames a prefix when the same namespace has another one around. Space between
    elements says nothing, also where the file keeps it.
    """
    if not isinstance(element.tag, str):
        return (str(element.tag), element.text)
    children = [_tree(child) for child in element]
    tail = element.tail or ""
    return (element.tag, sorted(element.items()), element.text or "", children, tail if tail.strip() else "")


def different(one: dict[str, bytes], other: dict[str, bytes]) -> set[str]:
    """Names of the members that differ or are in one of the two only."""
    return {name for name in {*one, *other} if one.get(name) != other.get(name)}


def says(mirror: Mirror) -> dict[str, Any]:
    """Every part without noise; relationship ids as what they lead to."""
    found: dict[str, Any] = {}
    for name, part in mirror.file.parts.items():
        if isinstance(part, XmlPart):
            rels = {rid: ("to", r.type, r.target) for rid, r in relationships(part).items()}
            gone = {
                e.get(W + "id", "")
                for e in part.element.iter(W + "bookmarkStart")
                if e.get(W + "name") == "_GoBack"
            }
            found[name] = form(part.element, rels, gone)
        else:
            found[name] = part.blob
        found[name + " leads to"] = sorted((r.type, r.target) for r in relationships(part).values())
    return found


def differing(one: Mirror, other: Mirror) -> list[str]:
    """Names of the parts in which two documents do not say the same, noise apart."""
    a, b = says(one), says(other)
    return [name for name in {*a, *b} if a.get(name) != b.get(name)]
