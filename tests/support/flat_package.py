"""A Flat OPC package taken apart, and made a .docx."""

from __future__ import annotations

import base64
import io
import posixpath
import zipfile
from typing import Any, cast

from lxml import etree

PKG = "{http://schemas.microsoft.com/office/2006/xmlPackage}"
CT = "http://schemas.openxmlformats.org/package/2006/content-types"


def parts_of(package: str) -> dict[str, tuple[str, bytes]]:
    """Name to content type and bytes of each part of a Flat OPC package."""
    found: dict[str, tuple[str, bytes]] = {}
    for part in etree.fromstring(package.encode()).iterchildren(f"{PKG}part"):
        data, xml = part.find(f"{PKG}binaryData"), part.find(f"{PKG}xmlData")
        blob = base64.b64decode(data.text or "") if data is not None else etree.tostring(xml[0])
        found[part.get(f"{PKG}name", "")] = (part.get(f"{PKG}contentType", ""), blob)
    return found


def docx_of_package(package: str) -> bytes:
    """The package as a .docx; every relationship must lead to a part."""
    parts = parts_of(package)
    types = etree.Element(f"{{{CT}}}Types", nsmap=cast("Any", {None: CT}))
    etree.SubElement(
        types, f"{{{CT}}}Default", Extension="rels",
        ContentType="application/vnd.openxmlformats-package.relationships+xml",
    )  # fmt: skip
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, (content_type, blob) in parts.items():
            if not name.endswith(".rels"):
                etree.SubElement(types, f"{{{CT}}}Override", PartName=name, ContentType=content_type)
            archive.writestr(name.lstrip("/"), blob)
        archive.writestr("[Content_Types].xml", etree.tostring(types))
    check_relationships(parts)
    return buffer.getvalue()


def check_relationships(parts: dict[str, tuple[str, bytes]]) -> None:
    """Word refuses a part without a relationship and a relationship without its part."""
    reached = set()
    for name, (_, blob) in parts.items():
        if name.endswith(".rels"):
            folder = posixpath.dirname(posixpath.dirname(name))
            for rel in etree.fromstring(blob):
                if rel.get("TargetMode") != "External":
                    reached.add(posixpath.normpath(posixpath.join(folder, rel.get("Target", ""))))
    assert reached == {name for name in parts if not name.endswith(".rels")}
