"""What tests of documents share: the package in canonical form, and what differs between two."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from docx.opc.part import XmlPart
from lxml import etree

from agent.document.form import form
from agent.document.mirror import Mirror
from agent.document.names import W_BODY, W
from agent.document.package import relationships


def members(data: bytes) -> dict[str, bytes]:
    """Every member of a package, as bytes."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def packed(parts: dict[str, bytes], *more: tuple[str, bytes]) -> bytes:
    """A zip archive of parts; `more` may repeat names. The other way round from `members`."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, blob in (*parts.items(), *more):
            archive.writestr(name, blob)
    return buffer.getvalue()


def canonical(mirror: Mirror) -> dict[str, bytes]:
    """Every member of the saved package, XML in canonical form; relationships and content types in any order."""
    return {name: canonical_part(name, blob) for name, blob in members(mirror.save()).items()}


@lru_cache(maxsize=2048)
def canonical_part(name: str, blob: bytes) -> bytes:
    """The same of one member."""
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
    """Expanded names instead of prefixes: lxml renames a prefix when the same namespace has another one around.

    The parser (python-docx's, and the one here) drops text of spaces alone between elements, unless the file keeps it
    (`xml:space`). What it leaves counts, but for the space behind a block: no text may stand there (`package.py` refuses a
    file that has some), and a block that is taken out and put back comes without it.
    """
    tail = element.tail or ""
    if not tail.strip() and _is_block(element):
        tail = ""
    if not isinstance(element.tag, str):
        return (str(element.tag), element.text, tail)
    children = [_tree(child) for child in element]
    return (element.tag, sorted(element.items()), element.text or "", children, tail)


def _is_block(element: Any) -> bool:
    parent = element.getparent()
    return parent is not None and (
        parent.tag == W_BODY or (parent.getparent() is None and parent.tag.startswith(W))
    )


def different(one: Mapping[str, Any], other: Mapping[str, Any]) -> set[str]:
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
